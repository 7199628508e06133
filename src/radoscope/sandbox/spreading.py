"""Copies of placement groups spread evenly over OSDs: which ones would have to move. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

Places = Mapping[str, Sequence[int]]


def even_out(places: Places, domains: Mapping[int, str]) -> dict[str, tuple[int, ...]]:
    """Where the copies of each group should stand so that no OSD has two more than another, as far as that can be.

    places: group -> its OSDs, as CRUSH chose them. domains: OSD -> its failure domain, of all OSDs that may be used; no
    two copies of a group come to stand in the same one. Groups that stay are not named.
    """
    now = {group: list(osds) for group, osds in places.items()}
    counts = Counter(osd for osds in now.values() for osd in osds)
    while (move := _next_move(now, counts, domains)) is not None:
        group, heavy, light = move
        now[group][now[group].index(heavy)] = light
        counts[heavy] -= 1
        counts[light] += 1
    return {group: tuple(osds) for group, osds in now.items() if osds != list(places[group])}


def _next_move(now: Places, counts: Counter[int], domains: Mapping[int, str]) -> tuple[str, int, int] | None:
    """(group, from, to) of the move that mends most; None when none would mend anything."""
    by_load = sorted(domains, key=lambda osd: (counts[osd], osd))
    for heavy in reversed(by_load):
        for light in by_load:
            if counts[heavy] - counts[light] < 2:
                break
            for group, osds in now.items():
                if heavy in osds and domains[light] not in {domains[osd] for osd in osds if osd != heavy}:
                    return group, heavy, light
    return None
