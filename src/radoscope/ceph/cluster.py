"""A running Ceph cluster as its administrator reaches it: the `ceph`, `rados` and `rbd` commands, with time limits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from radoscope.ceph.commands import as_command
from radoscope.ceph.connection import Connection
from radoscope.ceph.silence import why_silent
from radoscope.ceph.standing import StandingThere
from radoscope.errors import SiteError, ToolFailed
from radoscope.sites import Behind, Local, Site, talk
from radoscope.sites.named import from_json, to_json
from radoscope.tools import call

_CONNECT_S = 10
_ANSWER_S = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """How to reach one cluster.

    keyring: None leaves it to the configuration file. user: with its type, client.admin. prefix: put before each
    command, to run it elsewhere. namespace: the network namespace from which the monitors can be reached, None for this
    host's own network. tell: sends a command over a standing connection, (prefix, **arguments) -> raw answer; None
    starts the `ceph` command each time. site: where the commands run; conf and keyring are files there.
    """

    conf: Path
    user: str = "client.admin"
    keyring: Path | None = None
    prefix: tuple[str, ...] = ()
    namespace: Path | None = field(default=None, compare=False)
    environment: Mapping[str, str] = field(default_factory=dict)
    tell: Callable[..., bytes] | None = field(default=None, compare=False, repr=False)
    site: Site = field(default_factory=Local)

    def connection(self, timeout_s: float = 5.0) -> Connection | StandingThere:
        """A connection to the monitors and OSDs, to be entered. timeout_s: for connecting and for each command."""
        if self.is_elsewhere:
            return StandingThere(
                self.site,
                conf=self.conf,
                user=self.user,
                keyring=self.keyring,
                timeout_s=timeout_s,
                environment=tuple(self.environment.items()),
            )
        return Connection(
            self.conf, namespace=self.namespace, user=self.user, keyring=self.keyring, timeout_s=timeout_s
        )

    @property
    def is_elsewhere(self) -> bool:
        """Whether its commands run on a host that is not this machine."""
        return self.site.folder is not None

    @property
    def reached_from(self) -> Site:
        """Where its commands run, with the network that they see."""
        return Behind(self.prefix) if self.prefix and not self.is_elsewhere else self.site

    @contextmanager
    def connected(self, *, or_commands: bool = True) -> Iterator[Cluster]:
        """The same cluster, asked over a standing connection where one can be had.

        Where none can be had, each question starts a command, and that command says what is wrong; or, without
        or_commands, raises SiteError for monitors that do not answer.
        """
        if self.tell is not None or (self.prefix and self.namespace is None):
            yield self
            return
        try:
            standing = self.connection(_ANSWER_S).__enter__()
        except (SiteError, ToolFailed) as error:
            if isinstance(error, SiteError) and not or_commands:
                raise _explained(error, self) from None
            yield self
            return
        with closing(standing):
            yield replace(self, tell=standing.tell)

    def arguments(self) -> tuple[str, ...]:
        """The options that every Ceph command takes. The key itself stays in its file."""
        named = ("-c", str(self.conf), "-n", self.user)
        return (*named, "-k", str(self.keyring)) if self.keyring else named

    def ceph(self, *words: str, timeout_s: float = 60.0) -> Any:
        """`ceph WORDS --format json`; what it prints, None where it prints nothing. Raises SiteError, ToolFailed."""
        argv = (*self._ceph(), *words, "--format", "json")
        answer = self._over_connection(words)
        text = self._call(argv, timeout_s) if answer is None else answer
        try:
            return json.loads(text) if text.strip() else None
        except ValueError:
            raise ToolFailed(f"`{' '.join(argv)}` did not print JSON: {text[:200]!r}") from None

    def ceph_text(self, *words: str, timeout_s: float = 60.0) -> str:
        """The same for the few commands that print no JSON."""
        answer = self._over_connection(words, "plain")
        return self._call((*self._ceph(), *words), timeout_s) if answer is None else answer

    def rbd(self, *words: str, timeout_s: float = 120.0) -> str:
        return self._call((*self.prefix, "rbd", *self.arguments(), *words), timeout_s)

    def rados(self, *words: str, timeout_s: float = 120.0) -> str:
        return self._call((*self.prefix, "rados", *self.arguments(), *words), timeout_s)

    def radosgw_admin(self, *words: str, timeout_s: float = 120.0) -> str:
        return self._call((*self.prefix, "radosgw-admin", *self.arguments(), *words), timeout_s)

    def to_json(self) -> dict[str, Any]:
        """What a journal keeps so that a later process can reach the same cluster."""
        return {
            "conf": str(self.conf),
            "user": self.user,
            "keyring": str(self.keyring) if self.keyring else None,
            "prefix": list(self.prefix),
            **({"namespace": str(self.namespace)} if self.namespace else {}),
            **({"site": to_json(self.site)} if self.is_elsewhere else {}),
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Cluster:
        return cls(
            conf=Path(kept["conf"]),
            user=kept.get("user", "client.admin"),
            keyring=Path(kept["keyring"]) if kept.get("keyring") else None,
            prefix=tuple(kept.get("prefix", ())),
            namespace=Path(kept["namespace"]) if "namespace" in kept else None,
            site=from_json(kept["site"]) if "site" in kept else Local(),
        )

    def _over_connection(self, words: Sequence[str], form: str = "json") -> str | None:
        """The answer over the standing connection; None where there is none, or it cannot carry this command."""
        command = as_command(words) if self.tell is not None else None
        if self.tell is None or command is None:
            return None
        try:
            return self.tell(command.pop("prefix"), **command, format=form).decode("utf-8", "replace")
        except SiteError as error:
            raise _explained(error, self) from None

    def _ceph(self) -> tuple[str, ...]:
        return (*self.prefix, "ceph", *self.arguments(), "--connect-timeout", str(_CONNECT_S))

    def _call(self, argv: Sequence[str], timeout_s: float) -> str:
        try:
            if self.is_elsewhere:
                told = talk.run(self.site, argv, timeout_s=timeout_s, environment=self.environment)
                return told.decode("utf-8", "replace")
            return call(argv, timeout_s=timeout_s, environment=self.environment)
        except ToolFailed as error:
            raise _explained(error, self) from None


def _explained(error: ToolFailed | SiteError, cluster: Cluster) -> ToolFailed | SiteError:
    """Turn what the Ceph tools, or the monitors, say into what it means."""
    words = error.message.lower()
    if "malformed input" in words:
        return SiteError(
            f"the Ceph client here is too old to read the key of {cluster.user}: {error.message}",
            "Keys of a cluster made with Ceph 20 need a client of that release. --at runs the commands where there is "
            "one: --at ssh:root@HOST, --at cephadm or --at kubectl.",
        )
    if "permission denied" in words or "access denied" in words or "eacces" in words:
        return SiteError(
            f"the cluster does not let {cluster.user} in or do this: {error.message}",
            "Is it the right keyring (--keyring) for this user (--id)? Creating the pool and user needs client.admin.",
        )
    if "no such file" in words and ("keyring" in words or "conf" in words):
        return SiteError(error.message, "Check --conf and --keyring.")
    if "error connecting" in words or "timed out" in words or "did not answer" in words:
        return SiteError(
            f"the cluster of {cluster.conf} does not answer: {error.message}",
            why_silent(cluster.conf, cluster.reached_from),
        )
    if "did not print" in words or "conf_read_file" in words or "parse error" in words:
        return SiteError(error.message, "Is --conf a ceph.conf?")
    return error
