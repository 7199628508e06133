"""Which OSDs serve a placement group: pseudo-random, one OSD a host, as CRUSH's straw2 buckets choose them.

Source: Weil, "CRUSH", SC 2006; straw2: every item draws a straw, ln(random) / weight, and the longest wins, so that an
item that leaves moves only its own groups. The hash is SplitMix64's, not CRUSH's, so groups lie elsewhere than on a
real cluster, with the same statistics.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from radoscope.predict.simulate.rng import mix_64


def place_groups(
    groups: int, width: int, node_of_osd: Sequence[int], *, seed: int, without: int | None = None
) -> tuple[tuple[int, ...], ...]:
    """The OSDs of each group, the primary first; each on a host of its own while there are hosts enough.

    without: an OSD that is marked out; only its groups get another OSD. Raises ValueError when width exceeds the OSDs.
    """
    nodes = np.asarray(node_of_osd)
    osds = len(nodes)
    if width > osds - (without is not None):
        raise ValueError(f"{width} copies need {width} OSDs, there are {osds - (without is not None)}")
    hosts = int(nodes.max()) + 1
    straw = _straws(groups, osds, seed)
    if without is not None:
        straw[:, without] = -np.inf
    host_straw = _straws(groups, hosts, seed + 1) if hosts >= width else None
    return tuple(tuple(row) for row in _draw(straw, host_straw, nodes, width).tolist())


def _straws(groups: int, items: int, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """ln(uniform) of (group, item); shape (groups, items), weight 1 each."""
    keys = np.arange(groups, dtype=np.uint64)[:, None] * np.uint64(0x9E3779B97F4A7C15) + np.uint64(mix_64(seed + 1))
    keys = _mixed(keys ^ _mixed(np.arange(1, items + 1, dtype=np.uint64) * np.uint64(0xD1342543DE82EF95))[None, :])
    return np.log(((keys >> np.uint64(11)).astype(np.float64) + 1) * 2.0**-53)


def _mixed(bits: np.ndarray[tuple[int, ...], np.dtype[np.uint64]]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint64]]:
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def _draw(straw: np.ndarray, host_straw: np.ndarray | None, nodes: np.ndarray, width: int) -> np.ndarray:
    """One column a copy: the longest straw of a host not yet taken; without hosts enough, of an OSD not yet taken."""
    every = np.arange(len(straw))
    chosen = np.empty((len(straw), width), dtype=np.int64)
    left = straw.copy()
    if host_straw is not None:
        usable = np.stack(
            [np.isfinite(straw[:, nodes == host]).any(axis=1) for host in range(host_straw.shape[1])], axis=1
        )
        hosts = np.where(usable, host_straw, -np.inf)
    for copy in range(width):
        if host_straw is None:
            chosen[:, copy] = left.argmax(axis=1)
        else:
            host = hosts.argmax(axis=1)
            hosts[every, host] = -np.inf
            chosen[:, copy] = np.where(nodes[None, :] == host[:, None], straw, -np.inf).argmax(axis=1)
        left[every, chosen[:, copy]] = -np.inf
    return chosen
