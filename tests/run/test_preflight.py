"""What is refused before anything is made."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from radoscope.ceph import Cluster
from radoscope.errors import SiteError
from radoscope.plan.estimate import Cost
from radoscope.run import preflight

NEEDED = 1 << 30


def cluster_with(*rooms: int) -> tuple[Cluster, list[int]]:
    """One whose pool p has so much room, asked again and again; and what it has told."""
    left: Iterator[int] = iter(rooms)
    told: list[int] = []

    def tell(prefix: str, **_arguments: object) -> bytes:
        told.append(next(left, rooms[-1]))
        stats = {"total_bytes": 100 * NEEDED, "total_used_raw_bytes": 0}
        return json.dumps({"stats": stats, "pools": [{"name": "p", "stats": {"max_avail": told[-1]}}]}).encode()

    return Cluster(conf=Path("/nowhere"), tell=tell), told


@pytest.fixture
def cost() -> Cost:
    return Cost(seconds_low=1.0, seconds_high=1.0, prepare_s=1.0, pool_bytes=NEEDED, file_bytes=0)


def test_a_pool_that_managers_have_not_heard_of_yet_is_asked_for_again(
    cost: Cost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda _seconds: None)
    cluster, told = cluster_with(0, 0, 10 * NEEDED)
    preflight._check_space(cluster, cost, "p", 3)
    assert told == [0, 0, 10 * NEEDED]


def test_a_pool_with_too_little_room_is_refused_at_once(cost: Cost) -> None:
    cluster, told = cluster_with(NEEDED // 2)
    with pytest.raises(SiteError, match=r"only 1\.5 GiB are free"):
        preflight._check_space(cluster, cost, "p", 3)
    assert len(told) == 1
