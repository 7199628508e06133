"""Before images are written: is there an OSD for each copy, or must the study wait, and say why it waits in vain?"""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any, cast

import pytest

from radoscope.ceph import Cluster
from radoscope.errors import Interrupted
from radoscope.session import waiting
from radoscope.session.session import Session

NONE = 2**31 - 1


class Maps:
    """Answers as Ceph 16.2.15 does: `osd map` of pools of three copies, or of erasure coding with k+m of 3."""

    def __init__(self, **acting: list[int]) -> None:
        self.acting = acting

    def ceph(self, *words: str) -> Any:
        pool = words[2] if words[1] == "map" else words[3]
        return {"acting": self.acting[pool]} if words[1] == "map" else {"pool": pool, "pool_id": 1, "size": 3}


@pytest.mark.parametrize(
    ("acting", "waits"),
    [
        ({"own": [2, 0, 1]}, False),
        ({"own": [2, 0, 1], "data": [0, 1, 2]}, False),
        ({"own": [2, 0]}, True),
        ({"own": []}, True),
        ({"own": [2, 0, 1], "data": [0, NONE, 2]}, True),
    ],
    ids=["placed", "both-placed", "a-copy-short", "no-osd", "a-shard-short"],
)
def test_only_a_pool_that_lacks_an_osd_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, acting: dict[str, list[int]], waits: bool
) -> None:
    waited = list[bool]()
    monkeypatch.setattr(waiting, "settle", lambda session: waited.append(True))
    cluster = cast(Cluster, Maps(**acting))
    waiting.settle_unless_placed(cast(Session, None), cluster, tuple(acting))
    assert bool(waited) == waits


class Health:
    """One answer to `ceph status` after the other; the last again and again."""

    def __init__(self, *answers: tuple[str, ...]) -> None:
        self.answers = list(answers)
        self.asked = 0

    def ceph(self, *words: str) -> Any:
        assert words == ("status",)
        self.asked += 1
        codes = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        found = {code: {"severity": "HEALTH_WARN", "summary": {"message": "words"}} for code in codes}
        return {"health": {"status": "HEALTH_WARN" if codes else "HEALTH_OK", "checks": found}}


@pytest.fixture
def said() -> list[str]:
    return []


def waited(health: Health, said: list[str], *, stopped: bool = False) -> int:
    """How often the cluster was asked before the wait ended."""
    stop = threading.Event()
    if stopped:
        stop.set()
    session = SimpleNamespace(stop=stop, say=said.append, cluster=health)
    waiting.outlive_old_news(cast(Session, session), cast(Cluster, health))
    return health.asked


@pytest.mark.parametrize("codes", [(), ("OSD_DOWN", "PG_DEGRADED"), ("OSD_NEARFULL",), ("MON_CLOCK_SKEW",)], ids=str)
def test_a_cluster_that_is_well_or_has_another_fault_is_not_waited_for(codes: tuple[str, ...], said: list[str]) -> None:
    assert (waited(Health(codes), said), said) == (1, [])


def test_groups_of_a_pool_just_removed_are_outlived(said: list[str]) -> None:
    degraded = ("PG_DEGRADED", "MON_CLOCK_SKEW")
    assert waited(Health(degraded, degraded, degraded, ()), said) == 4
    assert said == ["waiting up to 20 s: PG_DEGRADED: words"]


def test_groups_that_stay_degraded_end_the_wait(monkeypatch: pytest.MonkeyPatch, said: list[str]) -> None:
    monkeypatch.setattr(waiting, "_HEARD_S", 0.6)
    assert waited(Health(("PG_DEGRADED",)), said) >= 2


def test_the_wait_can_be_interrupted(said: list[str]) -> None:
    with pytest.raises(Interrupted):
        waited(Health(("PG_DEGRADED",)), said, stopped=True)
