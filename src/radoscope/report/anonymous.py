"""Texts without names: hosts, addresses, fsid, foreign pools, users and paths, each always by the same stand-in."""

from __future__ import annotations

import ipaddress
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from itertools import groupby
from typing import Any, TypeVar

from radoscope.records.conditions import Layer, Operation, Sync
from radoscope.records.study import Outcome, Study

_BEGIN, _END = r"(?<![^\W_])", r"(?![^\W_])"
"""Edges of a name: rados bench writes benchmark_data_HOST_PID, a file is called host-HOST.json."""

_SHAPES: Mapping[str, str] = {
    "url": r"\b[a-z][a-z0-9+]*://[^\s\"'<>]+",
    "uuid": r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
    "wwn": _BEGIN + r"(?:0x|eui\.|naa\.)[0-9a-f]{16}(?:[0-9a-f]{16})?" + _END,
    "mac": r"\b[0-9a-f]{2}(?::[0-9a-f]{2}){5}\b|(?<=\benx)[0-9a-f]{12}\b",
    "name": "",
    "mail": r"(?<![\w.+-])[\w.+-]+@[a-z][\w-]*(?:\.[\w-]+)*",
    "ipv4": r"(?<![^\W_])(?<!\.)(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\d)",
    "ipv6": r"(?<![\w:.])[0-9a-f]*:[0-9a-f:]*:[0-9a-f]*(?![\w:]|\.\d)",
    "path": r"(?<![\w/.:-])/(?:(?:[\w.@:+~-]|\\:)+/)*(?:[\w.@:+~-]|\\:)+",
    "cephx": r"(?<![\w.-])client\.(?!admin\b|radoscope-|bootstrap-)(?=[a-z])[\w.-]*\w",
}
"""What names somebody by its shape; of two that begin at the same letter the first counts. Known names stand amidst."""

_STAND_INS: Mapping[str, str] = {
    "url": "https://example.invalid/{}",
    "uuid": "00000000-0000-0000-0000-{:012d}",
    "wwn": "0x{:016x}",
    "mac": "00:00:5e:00:53:{:02x}",
    "mail": "mail-{}@example.invalid",
    "ipv6": "2001:db8::{:x}",
    "path": "/path-{}",
    "cephx": "client.user-{}",
}
_PLAIN_PATHS = re.compile(
    r"/dev/(?:null|shm|sd[a-z]+|nvme\d+n\d+|vd[a-z]+|loop\d+|rbd\d+|dm-\d+|md\d+)"
    r"|/etc/ceph/ceph\.conf|/(?:tmp|var/tmp|proc|sys)"
)
"""Paths that name nobody: common device names and places that every host has."""

_KEPT_OPTION = re.compile(r"(?:osd|bluestore|bluefs|bdev|rbd|ms|debug)_")
_KEPT_VALUE = re.compile(r"true|false|[\d\s.,:/%-]*(?:[KMGTP]i?)?B?", re.IGNORECASE)
"""Options that change how fast a cluster is, and values that name nobody. Others hold contacts, sites, services."""

_SUFFIX = re.compile(r"\.(?:bin|conf|dat|img|json|keyring|log|raw|sock|toml|txt)$")

REMOVED = "(removed)"
_LOCAL = ("127.0.0.1", "0.0.0.0")
_OURS = ("radoscope-", ".", "default.")
"""How pools of ours and of Ceph's own begin: .mgr, .rgw.root, default.rgw.log."""

_WORDS = """
    admin application average avg bandwidth bench bluestore bucket bytes ceph cephadm cephfs chassis checks class clat
    client clients cluster concurrent container cur daemon damaged data datacenter debian default device
    device_health_metrics disk domain environment erasure erasure-code error example false filesystem finished fio hdd
    health here hints host hosts https image images import in invalid iops iperf3 json kernel lan last lat latency
    linux local localdomain localhost log made mail maintaining manifest max mds message metadata mgr min model mon
    name network node nodes none null nvme object objects ops osd osds path pdu ping pod pool pools prefix profile
    proxmox pve queue rack rados rados-bench radoscope region removed replicated replicated_rule rgw room root row
    rule run runtime scenario scheduler sec seconds segments serial server size slat snapshot spec ssd started stats
    status stddev storage study summary telemetry this time total true type ubuntu up user version zone
"""
_NOBODY = frozenset(_WORDS.split()) | {word.value for words in (Layer, Operation, Sync, Outcome) for word in words}
"""Words of the formats and of stand-ins: they name nobody, and readers need them, also where a pool is called so."""

_HOST_LIKE = ("host", "client", "mon")

T = TypeVar("T")
Named = tuple[str, str]
"""A kind of thing and what it is called: ("host", "pve1.example.org"). Its stand-in is the kind and a number."""


def anonymise(study: Study, named: Iterable[Named] = ()) -> Study:
    """The same study with stand-ins: host-1, 192.0.2.1 (RFC 5737), an fsid of zeros, pool-1, /path-1.

    Known names are those of `environment` and those given; addresses, UUIDs and paths are found by their shape in every
    text. A name that stands only in free text cannot be known and stays; what a page calls its results goes, for it
    often is a host.
    """
    if study.plan == "import":
        cells = (replace(cell, title=cell.title.partition(" (")[0]) for cell in study.cells)
        study = replace(study, cells=tuple(cells))
    names, cluster = Names((*names_in(study), *named)), study.environment.cluster
    if cluster is not None:
        options = {key: free_of_names(key.partition("/")[2], text) for key, text in cluster.changed_options.items()}
        environment = replace(study.environment, cluster=replace(cluster, changed_options=options))
        study = replace(study, environment=environment)
    return map_texts(study, names.replace_in)


def free_of_names(option: str, value: str) -> str:
    """The value of an option of the cluster, or that it was removed: contacts and sites can be called anything."""
    return value if _KEPT_OPTION.match(option) or _KEPT_VALUE.fullmatch(value) else REMOVED


def names_in(study: Study) -> Iterator[Named]:
    """What a study itself knows by name: its hosts, its clients, and a pool that radoscope did not make."""
    yield from (("host", host.name) for host in study.environment.hosts)
    # ssh:alice@host, pod:node, node:name
    yield from (("client", word.partition(":")[2] or word) for word in study.clients)
    yield from names_of_way(study.at)
    cluster = study.environment.cluster
    if cluster is not None and cluster.pool is not None:
        yield "pool", cluster.pool.name


def names_of_way(at: str) -> Iterator[Named]:
    """What `--at` names: ssh:alice@node1 and pve:node1 a host, kubectl:prod/storage a context and a namespace."""
    word = at.partition(":")[2].removeprefix("ssh:")
    yield from (("host", part.rpartition("@")[2]) for part in word.split("/") if part)


class Names:
    """Hands out stand-ins and remembers them, so that a thing keeps its stand-in over all texts it is given."""

    def __init__(self, named: Iterable[Named]) -> None:
        self._known = _known(named)
        self._given: defaultdict[str, dict[str, str]] = defaultdict(dict)
        shapes = {**_SHAPES, "name": _any_of(self._known)}
        self._pattern = re.compile("|".join(f"(?P<{kind}>{shape})" for kind, shape in shapes.items()), re.IGNORECASE)

    def replace_in(self, text: str) -> str:
        return self._pattern.sub(self._stand_in, text)

    def replaced(self) -> int:
        """How many things have a stand-in so far."""
        return len(set(self._known.values())) + sum(map(len, self._given.values()))

    def leaks(self) -> re.Pattern[str]:
        """Finds what should have been replaced. Keys of JSON that are words of its format are no leak."""
        found = (original for kind, given in self._given.items() if kind != "path" for original in given)
        stand_ins = {word for given in self._given.values() for word in given.values()} | set(self._known.values())
        return re.compile(_any_of({*self._known, *found} - stand_ins) + r"(?![\w ]*\"\s*:)", re.IGNORECASE)

    def _stand_in(self, match: re.Match[str]) -> str:
        kind, found = str(match.lastgroup), match[0]
        if kind == "name":
            return self._known.get(found.lower(), REMOVED)
        if kind == "path":
            return self._path(found)
        if kind == "ipv6":
            return self._long_address(found)
        if kind == "ipv4":
            # a version such as 16.2.15.1 has the shape of an address too; losing it is better than showing an address
            return found if found in _LOCAL else self._give(kind, found)
        return self._give(kind, found.lower())

    def _long_address(self, found: str) -> str:
        """Times have colons too: only what is an address is replaced."""
        try:
            address = ipaddress.IPv6Address(found)
        except ValueError:
            return found
        if address.is_loopback or address.is_unspecified:
            return found
        return self._give("ipv6", str(address))

    def _path(self, path: str) -> str:
        if _PLAIN_PATHS.fullmatch(path):
            return path
        suffix = _SUFFIX.search(path)
        return self._give("path", path) + (suffix[0] if suffix else "")

    def _give(self, kind: str, original: str) -> str:
        given = self._given[kind]
        if original not in given:
            number = len(given) + (0 if kind == "uuid" else 1)
            given[original] = _STAND_INS[kind].format(number) if kind in _STAND_INS else _address(number)
        return given[original]


def _address(number: int) -> str:
    """Addresses for documents (RFC 5737), and where these do not suffice, for benchmarks (RFC 2544)."""
    return f"192.0.2.{number}" if number < 255 else f"198.18.{number >> 8}.{number & 255}"


def _any_of(names: Iterable[str]) -> str:
    """A pattern for any of the names, the longest that fits; for none, one that never fits."""
    words = sorted(set(names))
    return f"{_BEGIN}{_branches(words)}{_END}" if words else "(?!)"


def _branches(words: list[str]) -> str:
    """Each letter is looked at once, however many names begin with it: a thousand names take no longer than ten."""
    shared = next(start for start in _starts(words[0]) if words[-1].startswith(start))  # of all, for they are sorted
    tails = groupby((word[len(shared) :] for word in words), lambda tail: tail[:1])
    parts = [_branches(list(group)) if first else "" for first, group in tails]
    return re.escape(shared) + (f"(?:{'|'.join(reversed(parts))})" if any(parts) else "")


def _starts(word: str) -> Iterator[str]:
    return (word[:length] for length in range(len(word), -1, -1))


def _known(named: Iterable[Named]) -> dict[str, str]:
    """Names in small letters -> their stand-ins; the forms of one name share theirs."""
    known: dict[str, str] = {}
    numbers: Counter[str] = Counter()
    for kind, name in (each for one in named for each in _with_parts(*one)):
        forms = [form.lower() for form in _forms(kind, name) if _names_somebody(kind, form)]
        stand_in = next((known[form] for form in forms if form in known), "")
        if forms and not stand_in:
            numbers[kind] += 1
            stand_in = f"{kind}-{numbers[kind]}"
        known = dict.fromkeys(forms, stand_in) | known
    return known


def _with_parts(kind: str, name: str) -> Iterator[Named]:
    """A host's name tells its domain too, and the way to a client who logs in there."""
    yield kind, name
    if kind in _HOST_LIKE:
        user, _, host = name.rpartition("@")
        yield from (("domain", host.partition(".")[2]), ("user", user))


def _forms(kind: str, name: str) -> tuple[str, ...]:
    host = name.rpartition("@")[2]
    return (name, host, host.partition(".")[0]) if kind in _HOST_LIKE else (name,)


def _names_somebody(kind: str, name: str) -> bool:
    """Not a word of a format, not a single letter (Rook's monitors a, b, c), not a number unless it is a serial one."""
    if name.lower() in _NOBODY or len(name) < 2 or (kind == "pool" and name.startswith(_OURS)):
        return False
    if kind in _HOST_LIKE and ":" in name:  # an IPv6 address, known by its shape
        return False
    return re.search(r"[^\W\d_]", name) is not None or (kind == "serial" and len(name) > 5)


def map_texts(value: T, change: Callable[[str], str]) -> T:
    """The same value with every text in it changed; enumerations are words of ours and stay."""
    changed: Any = value
    if isinstance(value, Enum):
        pass
    elif isinstance(value, str):
        changed = change(value)
    elif is_dataclass(value) and not isinstance(value, type):
        changed = replace(value, **{f.name: map_texts(getattr(value, f.name), change) for f in fields(value)})
    elif isinstance(value, Mapping):
        changed = {map_texts(key, change): map_texts(item, change) for key, item in value.items()}
    elif isinstance(value, tuple | list):
        changed = type(value)(map_texts(item, change) for item in value)
    return changed  # type: ignore[no-any-return]
