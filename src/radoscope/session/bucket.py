"""A bucket over S3: its gateway, a user of the run's own, and requests that are signed beforehand.

Signature: AWS Signature Version 4 in the query string, which holds for seven days at most, without a hash of the body.
The secret is in this process alone; who has the requests can put and get the objects of this bucket and nothing else.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from radoscope.ceph import Cluster
from radoscope.errors import PlanError, SiteError, ToolFailed
from radoscope.run.engines import s3
from radoscope.run.journal import Entry
from radoscope.run.prepared import Prepared
from radoscope.session.finishing import finish
from radoscope.session.session import Session
from radoscope.sites import talk
from radoscope.tools import call
from radoscope.units import format_block

_REACH = "s3-reach.json"
_BUCKET = "s3-bucket.json"
_VALID_S = 7 * 24 * 3600
_URL = re.compile(r"http://(?P<host>[\w.-]+)(?::(?P<port>\d{1,5}))?/?")


@dataclass(frozen=True, slots=True)
class Keys:
    """access: the name of a key, which stands in requests. secret: signs them."""

    access: str
    secret: str


def endpoint(session: Session) -> tuple[str, int]:
    """Host and port of the gateway. Raises PlanError."""
    target, up = session.request.target, session.place.embedded
    url = target.s3 or (up.gateways[0].url if up is not None and up.gateways else None)
    if url is None and up is not None:
        raise PlanError(
            f"sandbox {up.name} has no RADOS gateway, and cells of layer s3 need one",
            "radoscope sandbox up NAME --rgw starts one with it.",
        )
    if url is None:
        raise PlanError("cells of layer s3 need a gateway", "Name it with --s3 http://HOST:PORT.")
    found = _URL.fullmatch(url)
    if found is None:
        raise PlanError(
            f"--s3 {url}: not of the form http://HOST:PORT", "HTTPS is not measured yet: name a gateway behind it."
        )
    return found["host"], int(found["port"] or 80)


def make_bucket(session: Session, cluster: Cluster, prepared: Prepared, sets: dict[int, int]) -> None:
    """Its user, the bucket, and in it all objects, written once; and the requests of the load, on every client host.

    sets: object size -> how many. Raises RadoscopeError.
    """
    host, port = endpoint(session)
    _put(session, s3.PROGRAM, s3.source())
    _put_requests(session, _REACH, host, port, "GET", 0, [])
    answers(session, prepared)
    keys = _make_user(session, cluster)
    # A bucket's name has small letters, and 63 of them at most; the run's id begins with its time.
    bucket = f"radoscope-{session.id[:15]}-{session.id[-4:]}"

    def signed(method: str, path: str) -> str:
        return presigned(keys, method, f"{host}:{port}", f"/{bucket}{path}", time.gmtime())

    _put_requests(session, _BUCKET, host, port, "PUT", 0, [signed("PUT", "")])
    there = prepared.at(session.place.client)
    finish(session, "make-bucket", s3.once(there, _BUCKET, 1))
    for size, count in sets.items():
        session.say(f"writing {count} objects of {format_block(size)} to bucket {bucket}")
        for method in s3.METHODS.values():
            targets = [signed(method, f"/{size}-{number}") for number in range(count)]
            _put_requests(session, s3.requests_file(method, size), host, port, method, size, targets)
        finish(session, "fill-bucket", s3.once(there, s3.requests_file("PUT", size), min(8, count)))


def answers(session: Session, prepared: Prepared) -> None:
    """Raises SiteError where the gateway takes no connection from where load comes."""
    site = session.place.client
    argv = s3.once(prepared.at(site), _REACH, 1)
    try:
        if site.folder is None:
            call(site.wrap(argv))
        else:
            talk.run(site, argv, said=f"client host {site.name}")
    except ToolFailed as error:
        host, port = endpoint(session)
        why = error.message.rpartition(f"{host}:{port} ")[2]
        raise SiteError(
            f"the RADOS gateway http://{host}:{port} cannot be measured: it {why}",
            "Does it run (`ceph -s`, services: rgw), and does a firewall let this host through?",
        ) from None


def presigned(
    keys: Keys,
    method: str,
    host: str,
    path: str,
    at: time.struct_time,
    *,
    region: str = "default",
    valid_s: int = _VALID_S,
) -> str:
    """The path with a query that is its own signature. host: with the port. at: UTC. Source: AWS, "Authenticating
    Requests: Using Query Parameters (AWS Signature Version 4)". A gateway takes any region."""
    day, moment = time.strftime("%Y%m%d", at), time.strftime("%Y%m%dT%H%M%SZ", at)
    scope = f"{day}/{region}/s3/aws4_request"
    fields = {
        "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
        "X-Amz-Credential": f"{keys.access}/{scope}",
        "X-Amz-Date": moment,
        "X-Amz-Expires": str(valid_s),
        "X-Amz-SignedHeaders": "host",
    }
    query = urlencode(sorted(fields.items()), quote_via=quote, safe="")
    asked = "\n".join((method, quote(path), query, f"host:{host}", "", "host", "UNSIGNED-PAYLOAD"))
    text = "\n".join(("AWS4-HMAC-SHA256", moment, scope, hashlib.sha256(asked.encode()).hexdigest()))
    key = f"AWS4{keys.secret}".encode()
    for word in (*scope.split("/"), text):
        key = hmac.new(key, word.encode(), hashlib.sha256).digest()
    return f"{quote(path)}?{query}&X-Amz-Signature={key.hex()}"


def _make_user(session: Session, cluster: Cluster) -> Keys:
    session.say(f"creating the S3 user {session.name}, with a bucket of its own")
    session.journal.will_create(Entry("s3-user", session.name, {"cluster": cluster.to_json()}))
    named = ("--uid", session.name, "--display-name", session.name, "--max-buckets", "1")
    made = json.loads(cluster.radosgw_admin("user", "create", *named))
    return Keys(made["keys"][0]["access_key"], made["keys"][0]["secret_key"])


def _put_requests(
    session: Session, name: str, host: str, port: int, method: str, size: int, targets: list[str]
) -> None:
    asked = {"host": host, "port": port, "method": method, "bytes": size, "targets": targets}
    _put(session, name, json.dumps(asked))


def _put(session: Session, name: str, text: str) -> None:
    """A file of the run's folder here, whose mode is 700, and on all client hosts."""
    (session.work / name).write_text(text, encoding="utf-8")
    for site in session.place.away:
        talk.bring(site, {name: text})
