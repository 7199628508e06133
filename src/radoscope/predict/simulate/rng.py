"""Random numbers: one stream a station, each a counter that is mixed; the same bits compiled and interpreted.

A stream lives in the field `random` of a row: of a station, a load or an OSD. SplitMix64: Steele, Lea and Flood, "Fast
splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any, TypeAlias

import numpy as np

from radoscope.predict.simulate.compiling import part_of_kernel

_MASK = 0xFFFFFFFFFFFFFFFF
_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB
_UNIT = 2.0**-53


def stream_starts(seed: int, streams: int) -> list[int]:
    """The first state of each stream: far apart in the generator's one cycle of 2**64 with near certainty."""
    origin = mix_64((seed + 1) * _GOLDEN & _MASK)
    return [mix_64(origin ^ mix_64(number * _GOLDEN & _MASK)) for number in range(1, streams + 1)]


def mix_64(bits: int) -> int:
    """SplitMix64's finaliser: each input bit changes each output bit with a chance of a half."""
    bits = (bits ^ (bits >> 30)) * _MIX_1 & _MASK
    bits = (bits ^ (bits >> 27)) * _MIX_2 & _MASK
    return bits ^ (bits >> 31)


@part_of_kernel
def next_bits(row: Any) -> int:
    """53 random bits from the row's stream, as a whole number below 2**53."""
    bits = (row.random + _GOLDEN) & _MASK
    row.random = bits
    bits = ((bits ^ (bits >> 30)) * _MIX_1) & _MASK
    bits = ((bits ^ (bits >> 27)) * _MIX_2) & _MASK
    return (bits ^ (bits >> 31)) >> 11  # type: ignore[no-any-return]


@part_of_kernel
def uniform(row: Any) -> float:
    """A number in [0, 1)."""
    return next_bits(row) * _UNIT


@part_of_kernel
def exponential(row: Any) -> float:
    """A number with mean 1, at most 36.7 (53 bits)."""
    return -math.log((next_bits(row) + 1) * _UNIT)


@part_of_kernel
def spread_service(row: Any, spread: float) -> float:
    """A service time with mean 1 and standard deviation `spread`.

    Up to 1: a constant part and an exponential part (0 is constant, 1 is exponential). Above 1: hyperexponential
    with balanced means (Allen, "Probability, Statistics and Queueing Theory", 5.2.9).
    """
    if spread <= 1.0:
        return 1.0 - spread + spread * exponential(row)
    square = spread * spread
    share = 0.5 + 0.5 * math.sqrt((square - 1.0) / (square + 1.0))
    if uniform(row) >= share:
        share = 1.0 - share
    return exponential(row) / (2.0 * share)


_Numbers: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def place_groups(
    groups: int, width: int, node_of_osd: Sequence[int], *, seed: int, without: Collection[int] = ()
) -> tuple[tuple[int, ...], ...]:
    """The OSDs of each group, the primary first; each on a host of its own while there are hosts enough.

    without: OSDs that are marked out; only their groups get others. Raises ValueError when width exceeds the OSDs.
    """
    nodes = np.asarray(node_of_osd)
    osds = len(nodes)
    if width > osds - len(without):
        raise ValueError(f"{width} copies need {width} OSDs, there are {osds - len(without)}")
    chosen = _draw(groups, width, _members(nodes, without), seed)
    return tuple(tuple(row) for row in chosen.tolist())


def _members(nodes: _Numbers, without: Collection[int]) -> _Numbers:
    """The OSDs of each host, shape (hosts, most OSDs of a host), filled up with -1."""
    lists = [np.flatnonzero(nodes == host) for host in range(int(nodes.max()) + 1)]
    members = np.full((len(lists), max(len(osds) for osds in lists)), -1)
    for host, osds in enumerate(lists):
        left = osds[~np.isin(osds, list(without))]
        members[host, : len(left)] = left
    return members


def _draw(groups: int, width: int, members: _Numbers, seed: int) -> _Numbers:
    """One column a copy: the longest straw of a host not yet taken, there the longest of its OSDs.

    Without hosts enough, all OSDs count as one host that may be taken again; then only OSDs differ.
    """
    hosts = len(members)
    if hosts < width:
        members, hosts = members[members >= 0][None, :], 1
    every = np.arange(groups)
    host_straw = _straws(every[:, None], np.arange(hosts)[None, :], seed + 1)
    host_straw[:, (members < 0).all(axis=1)] = -np.inf
    chosen = np.full((groups, width), -1)
    for copy in range(width):
        host = host_straw.argmax(axis=1)
        items = members[host]
        straw = _straws(every[:, None], items, seed)
        straw[(items < 0) | (items[:, :, None] == chosen[:, None, :]).any(axis=2)] = -np.inf
        chosen[:, copy] = items[every, straw.argmax(axis=1)]
        if hosts > 1:
            host_straw[every, host] = -np.inf
    return chosen


def _straws(groups: _Numbers, items: _Numbers, seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """ln(uniform) of (group, item), weight 1 each; of the shape that both have together."""
    keys = groups.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(mix_64(seed + 1))
    keys = _mixed(keys ^ _mixed((items + 1).astype(np.uint64) * np.uint64(0xD1342543DE82EF95)))
    return np.log(((keys >> np.uint64(11)).astype(np.float64) + 1) * 2.0**-53)


def _mixed(bits: np.ndarray[tuple[int, ...], np.dtype[np.uint64]]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint64]]:
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))
