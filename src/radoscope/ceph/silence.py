"""Monitors that do not answer: do their hosts answer pings, and also those as long as the MTU allows?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from radoscope.errors import RadoscopeError
from radoscope.sites import Site, talk
from radoscope.sites.ways import Way, ways

_MON_HOST = re.compile(r"^\s*mon[ _]host\s*=(.*)$", re.MULTILINE)
_ADDRESS = re.compile(r"\[([0-9a-fA-F:]*:[0-9a-fA-F:]+)\]|(?<![\d.])(\d+\.\d+\.\d+\.\d+)")
ASK = "Are the monitors running, in quorum, and reachable from this host? Is the keyring the right one?"


_told: dict[tuple[str, Path], str] = {}


def why_silent(conf: Path, site: Site) -> str:
    """A hint, with what pings to the monitors say; tried once for all questions that a process asks.

    conf: a file at that site.
    """
    key = (site.name, conf)
    if key not in _told:
        try:
            text = talk.run(site, ("cat", str(conf))).decode("utf-8", "replace")
            _told[key] = _words(ways(site, [(address, address) for address in monitors_of(text)]))
        except RadoscopeError:
            _told[key] = ASK
    return _told[key]


def monitors_of(conf: str) -> tuple[str, ...]:
    """A ceph.conf -> the addresses of its monitors; names are left out."""
    told = " ".join(_MON_HOST.findall(conf))
    return tuple(dict.fromkeys(six or four for six, four in _ADDRESS.findall(told)))


def _words(tried: Sequence[Way]) -> str:
    """How the ways to the monitors are -> a hint."""
    if too_large := [way for way in tried if way.large is False]:
        first = too_large[0]
        size = f"{first.mtu or 0:,} bytes, the MTU of this host's interface"
        return (
            f"{_named(too_large)}: pings are answered, but not those of {size}. "
            "A switch or a host on the way has a smaller one, so large packets get lost: set the same MTU everywhere. "
            f"Check with ping -M do -s {first.payload} {first.address}."
        )
    silent = [way for way in tried if way.answers is False]
    if tried and len(silent) == len(tried):
        return f"No monitor answers pings: {_named(silent)}. Is the network up, and is it the right one?"
    if tried and all(way.answers for way in tried):
        asked = "Are the monitors running and in quorum? Is the keyring the right one?"
        return f"All monitors' hosts answer pings ({_named(tried)}). {asked}"
    return f"{ASK} No answer to pings: {_named(silent)}." if silent else ASK


def _named(tried: Sequence[Way]) -> str:
    return ", ".join(way.address for way in tried)
