"""A study without names: hosts, addresses, fsid, foreign pools and paths replaced, each always by the same stand-in."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar

from radoscope.records.study import Study

_UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.IGNORECASE)
_IPV4 = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\d)")
_IPV6 = re.compile(r"(?<![\w:.])[0-9a-f]*:[0-9a-f:]*:[0-9a-f]*(?![\w:])", re.IGNORECASE)
_MAC = re.compile(r"\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b", re.IGNORECASE)
_PATH = re.compile(r"(?<![\w/.:-])/(?:[\w.@:+~-]+/)*[\w.@:+~-]+")
_PLAIN_PATHS = re.compile(
    r"/dev/(?:null|shm|sd[a-z]+|nvme\d+n\d+|vd[a-z]+|loop\d+|rbd\d+)|/etc/ceph/ceph\.conf|/(?:tmp|var/tmp|proc|sys)"
)
"""Paths that name nobody: common device names and places that every host has."""

_LOCAL = ("127.0.0.1", "0.0.0.0", "localhost")

T = TypeVar("T")


def anonymise(study: Study) -> Study:
    """The same study with stand-ins: host-1, 192.0.2.1 (RFC 5737), an fsid of zeros, pool-1, /path-1.

    Known names are those of `environment`; addresses, UUIDs and paths are found by their shape in every text.
    A name that stands only in free text and nowhere in `environment` cannot be known and stays.
    """
    names = _Names(_known_names(study))
    return _map_texts(study, names.replace_in)


@dataclass(slots=True)
class _Names:
    """Hands out stand-ins and remembers them, so that a thing keeps its stand-in over the whole study."""

    known: Mapping[str, str]
    given: dict[tuple[str, str], str] = field(default_factory=dict)

    def replace_in(self, text: str) -> str:
        text = _UUID.sub(lambda match: self._give("uuid", match[0].lower(), "00000000-0000-0000-0000-{:012d}"), text)
        text = _MAC.sub(lambda match: self._give("mac", match[0].lower(), "00:00:5e:00:53:{:02x}"), text)
        text = _IPV4.sub(self._address, text)
        text = _IPV6.sub(self._long_address, text)
        text = _PATH.sub(self._path, text)
        for name, stand_in in self.known.items():
            text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", stand_in, text)
        return text

    def _address(self, match: re.Match[str]) -> str:
        # a version such as 16.2.15.1 has the shape of an address too; losing it is better than showing an address
        return match[0] if match[0] in _LOCAL else self._give("ipv4", match[0], "192.0.2.{}")

    def _long_address(self, match: re.Match[str]) -> str:
        """Times and MAC addresses have colons too: only what is an address is replaced."""
        try:
            address = ipaddress.IPv6Address(match[0])
        except ValueError:
            return match[0]
        if address.is_loopback or address.is_unspecified:
            return match[0]
        return self._give("ipv6", str(address), "2001:db8::{:x}")

    def _path(self, match: re.Match[str]) -> str:
        path = match[0]
        if _PLAIN_PATHS.fullmatch(path):
            return path
        suffix = re.search(r"\.[A-Za-z]{1,5}$", path)
        return self._give("path", path, "/path-{}") + (suffix[0] if suffix else "")

    def _give(self, kind: str, original: str, pattern: str) -> str:
        if (kind, original) not in self.given:
            number = sum(1 for other, _ in self.given if other == kind) + (0 if kind == "uuid" else 1)
            self.given[kind, original] = pattern.format(number)
        return self.given[kind, original]


def _known_names(study: Study) -> Mapping[str, str]:
    """Host names, whole and up to the first dot, and a pool that radoscope did not make; the longest first."""
    names: dict[str, str] = {}
    for number, host in enumerate(study.environment.hosts, start=1):
        for name in (host.name, host.name.split(".")[0]):
            if name and name not in _LOCAL:
                names.setdefault(name, f"host-{number}")
    for number, word in enumerate(study.clients, start=1):
        destination = word.removeprefix("ssh:")
        for name in (destination, destination.rpartition("@")[2]):
            if name != "here":
                names.setdefault(name, f"client-{number}")
    cluster = study.environment.cluster
    if cluster is not None and cluster.pool is not None and not cluster.pool.own:
        names.setdefault(cluster.pool.name, "pool-1")
    return dict(sorted(names.items(), key=lambda item: len(item[0]), reverse=True))


def _map_texts(value: T, change: Callable[[str], str]) -> T:
    """The same value with every text in it changed; enumerations are words of ours and stay."""
    changed: Any = value
    if isinstance(value, Enum):
        pass
    elif isinstance(value, str):
        changed = change(value)
    elif is_dataclass(value) and not isinstance(value, type):
        changed = replace(value, **{f.name: _map_texts(getattr(value, f.name), change) for f in fields(value)})
    elif isinstance(value, Mapping):
        changed = {_map_texts(key, change): _map_texts(item, change) for key, item in value.items()}
    elif isinstance(value, tuple | list):
        changed = type(value)(_map_texts(item, change) for item in value)
    return changed  # type: ignore[no-any-return]
