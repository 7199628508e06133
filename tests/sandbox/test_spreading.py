"""Copies of placement groups are spread evenly, and never two of a group in one failure domain."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from radoscope.sandbox.filling import even_out


@pytest.mark.parametrize(("hosts", "osds_each", "copies"), [(3, 4, 3), (6, 4, 3), (3, 1, 3), (4, 2, 2), (12, 1, 3)])
def test_no_osd_has_two_more_than_another(hosts: int, osds_each: int, copies: int) -> None:
    domains = {osd: f"h{osd // osds_each}" for osd in range(hosts * osds_each)}
    chance = random.Random(7)
    places = {}
    for group in range(32):
        chosen = chance.sample(range(hosts), copies)
        places[f"1.{group:x}"] = [host * osds_each + chance.randrange(osds_each) for host in chosen]
    after = places | even_out(places, domains)
    counts = Counter(osd for osds in after.values() for osd in osds)
    assert max(counts.values()) - min(counts[osd] for osd in domains) <= 1
    assert all(len({domains[osd] for osd in osds}) == copies for osds in after.values())


def test_what_is_even_stays() -> None:
    assert even_out({"1.0": (0, 1), "1.1": (1, 0)}, {0: "a", 1: "b"}) == {}


def test_a_failure_domain_comes_before_evenness() -> None:
    """Two hosts, two copies: the host with one OSD has a copy of everything, however full that makes it."""
    domains = {0: "big", 1: "big", 2: "small"}
    moved = even_out({f"1.{group}": (0, 2) for group in range(4)}, domains)
    assert Counter(osd for osds in moved.values() for osd in osds) == {1: 2, 2: 2}
