"""Placement groups lie on distinct hosts, evenly, and move only when they must."""

from __future__ import annotations

import numpy as np
import pytest

from radoscope.predict.simulate.rng import place_groups

NODES = tuple(osd // 4 for osd in range(40))


def test_copies_lie_on_different_hosts() -> None:
    for group in place_groups(500, 3, NODES, seed=1):
        assert len({NODES[osd] for osd in group}) == 3


def test_with_fewer_hosts_than_copies_they_lie_on_different_osds() -> None:
    for group in place_groups(100, 3, (0, 0, 0, 1, 1), seed=1):
        assert len(set(group)) == 3


def test_groups_spread_as_evenly_as_chance_does() -> None:
    """Each OSD holds 3 x 4000 / 40 copies, give or take the root of it."""
    counts = np.bincount(np.array(place_groups(4000, 3, NODES, seed=1)).ravel(), minlength=40)
    assert counts.mean() == 300
    assert counts.std() == pytest.approx(np.sqrt(300), rel=0.5)


def test_only_the_groups_of_an_osd_that_leaves_are_changed() -> None:
    before, after = (np.array(place_groups(1000, 3, NODES, seed=1, without=out)) for out in ((), (7,)))
    assert not (after == 7).any()
    unaffected = ~(before == 7).any(axis=1)
    assert np.array_equal(before[unaffected], after[unaffected])
    kept = [len(set(a) & set(b)) for a, b in zip(before[~unaffected], after[~unaffected], strict=True)]
    assert set(kept) == {2}


def test_more_copies_than_osds_are_refused() -> None:
    with pytest.raises(ValueError, match="4 copies need 4 OSDs"):
        place_groups(8, 4, (0, 1, 2), seed=1)
