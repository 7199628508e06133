"""The cluster's other clients: whose operations count, and when they suffer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from radoscope.errors import SiteError
from radoscope.run.events import Step
from radoscope.run.others import Others, Seen, ages_of, limit_s, suffering, usual

# As `ceph tell osd.N dump_ops_in_flight` of Ceph 16.2.15 has them, shortened where nothing is read.
OURS = "osd_op(client.4660.0:2633 9.1 9:85cc5fbd:::benchmark_data_vm_20528_object2632:head [write 0~4096 in=4096b])"
THEIRS = "osd_op(client.4171.0:88 1.1s0 1:89b2a50e:::rbd_data.10e6b8b4567.0000:head [stat,read 0~4096] e66)"
REPLICA = "osd_repop(client.4171.0:2665 1.0 e66/61 1:02c3d868:::rbd_data.10e6b8b4567.0001:head v 66'145)"
NOTIFY = "osd_op(client.4171.0:90 1.4 1:27a1d1c1:::rbd_header.10e6b8b4567:head [notify cookie 94 in=8b] e66)"
FILES = "osd_op(mds.0.5:17 1.4 1:27a1d1c1:::10000000000.00000000:head [omap-get-header] e66)"
MANAGER = "osd_op(mgr.14112.0:17 1.4 1:27a1d1c1:::devicehealth:head [omap-get-header] e66)"


def in_flight(*operations: tuple[str, float]) -> dict[str, Any]:
    return {"ops": [{"description": words, "age": age} for words, age in operations], "num_ops": len(operations)}


def test_only_operations_of_clients_in_pools_that_are_not_ours_count() -> None:
    seen = in_flight((OURS, 1.0), (THEIRS, 0.2), (REPLICA, 3.0), (NOTIFY, 20.0), (FILES, 0.4), (MANAGER, 5.0))
    assert list(ages_of(seen, frozenset({1}))) == [0.2, 0.4]
    assert list(ages_of(seen, frozenset())) == []
    assert list(ages_of({}, frozenset({1}))) == []


def test_an_operation_that_came_while_the_osd_looked_is_new_and_not_a_century_old() -> None:
    assert list(ages_of(in_flight((THEIRS, 4294967295.9998), (THEIRS, 0.003)), frozenset({1}))) == [0.0, 0.003]


@pytest.mark.parametrize(
    ("looks", "before", "after", "seconds"),
    [
        ([[]], (100, 1.0), (100, 1.0), None),  # nobody does anything
        ([[]], (100, 1.0), (200, 1.5), 0.005),  # too short to be met in flight: the counters tell
        ([[0.1, 0.3], [0.2, 0.2]], (100, 1.0), (200, 1.5), 0.2),  # long ones among many short ones
        ([[0.1, 0.3]], (100, 1.0), (102, 9.0), None),  # too few to tell
    ],
)
def test_what_is_usual(
    looks: list[list[float]], before: tuple[int, float], after: tuple[int, float], seconds: float | None
) -> None:
    assert usual(looks, before, after) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("looks", "usual_s", "suffer"),
    [
        ([[0.4, 0.3], [0.5, 0.6]], 0.01, True),
        ([[0.04, 0.03], [0.02, 0.04]], 0.01, False),  # within five times
        ([[0.012, 0.015], [0.011, 0.018]], 0.001, False),  # not within five times, but still quick
        ([[0.4, 0.3, 0.5, 0.6], [], []], 0.01, False),  # one look may have met a hiccup
        ([[0.4], [0.6]], 0.01, False),  # too few to tell
        ([[0.09, 0.08], [0.05, 0.06]], None, False),
        ([[0.2, 0.3], [0.5, 0.6]], None, True),
    ],
)
def test_suffering_is_judged_against_what_is_usual(
    looks: list[list[float]], usual_s: float | None, suffer: bool
) -> None:
    words = suffering(looks, usual_s)
    assert bool(words) == suffer
    if suffer:
        assert "other clients" in words


def test_any_benchmark_costs_others_something_and_that_is_borne() -> None:
    assert limit_s(0.001) == pytest.approx(0.02)
    assert limit_s(0.03) == pytest.approx(0.15)
    assert limit_s(None) == pytest.approx(0.1)


class Cluster:
    """OSDs whose operations in flight a test sets. Their counters say that an operation took 1 ms so far."""

    def __init__(self) -> None:
        self.age_s, self.asked, self.silent = 0.001, 0, False

    def ask_osd(self, osd: int, command: str) -> dict[str, Any]:
        self.asked += 1
        if self.silent:
            raise SiteError("no answer in time")
        if command == "perf dump":
            return {"osd": {"op_latency": {"avgcount": self.asked * 100, "sum": self.asked * 0.1}}}
        return in_flight((THEIRS, self.age_s), (THEIRS, self.age_s))


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Cluster:
    monkeypatch.setattr("radoscope.run.others._PERIOD_S", 0.01)
    monkeypatch.setattr("radoscope.run.others._LISTENING_PERIOD_S", 0.0)
    return Cluster()


def becomes(state: Callable[[], object], wanted: bool) -> bool:
    for _ in range(3000):
        if bool(state()) == wanted:
            return True
        threading.Event().wait(0.01)
    return False


def test_the_load_is_taken_away_when_they_suffer_and_given_back_when_they_have_recovered(cluster: Cluster) -> None:
    with Others(Seen(ask_osd=cluster.ask_osd, osds=(0, 1), pools=frozenset({1}))) as others:
        assert others.usual_s == pytest.approx(0.001)
        with others.loaded_by("rbd-4k"):
            assert not others.suffer()
            cluster.age_s = 0.5
            assert becomes(others.suffer, True)
            assert "500 ms" in others.harm
        said: list[object] = []
        cluster.age_s = 0.001
        others.await_recovery(threading.Event(), said.append)
        assert not others.suffer()
        assert said in ([], [Step("waiting until other clients' operations are as fast as before")])
        series = {one["name"]: one["values"] for one in others.seen_between(0, 1e12)}
        assert max(series["others_waiting_s"]) == pytest.approx(0.5)
        assert set(series["others_in_flight"]) == {4.0}


def test_what_they_suffer_without_a_load_of_ours_is_not_ours(cluster: Cluster) -> None:
    with Others(Seen(ask_osd=cluster.ask_osd, osds=(0, 1), pools=frozenset({1}))) as others:
        cluster.age_s, before = 0.5, cluster.asked
        assert becomes(lambda: cluster.asked > before + 20, True)
        assert not others.suffer()


def test_who_loads_as_hard_as_it_goes_still_hears_of_them(cluster: Cluster) -> None:
    with Others(Seen(ask_osd=cluster.ask_osd, osds=(0, 1), pools=frozenset({1})), spare=False) as others:
        with others.loaded_by("rbd-4k"):
            cluster.age_s, before = 0.5, cluster.asked
            assert becomes(lambda: cluster.asked > before + 20, True)
            assert not others.suffer()
        series = {one["name"]: one["values"] for one in others.seen_between(0, 1e12)}
        assert max(series["others_waiting_s"]) == pytest.approx(0.5)


def test_a_load_that_cannot_be_taken_away_ends_the_run_when_they_suffer_and_only_then(cluster: Cluster) -> None:
    ended: list[str] = []
    with Others(Seen(ask_osd=cluster.ask_osd, osds=(0, 1), pools=frozenset({1})), ended.append) as others:
        with others.loaded_by("osd-bench"):
            others.end_if_they_suffer()
            assert ended == []
            cluster.age_s = 0.5
            assert becomes(others.suffer, True)
        others.end_if_they_suffer()
    assert "500 ms" in ended[0]


def test_others_who_do_not_recover_end_the_run_with_words(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("radoscope.run.others._RECOVERED_WITHIN_S", 0.05)
    ended: list[str] = []
    with Others(Seen(ask_osd=cluster.ask_osd, osds=(0, 1), pools=frozenset({1})), ended.append) as others:
        with others.loaded_by("rbd-4k"):
            cluster.age_s = 0.5
            assert becomes(others.suffer, True)
        assert becomes(lambda: ended, True)
    assert "did not recover" in ended[0]


def test_osds_that_do_not_tell_from_the_beginning_are_an_error(cluster: Cluster) -> None:
    cluster.silent = True
    with pytest.raises(SiteError), Others(Seen(ask_osd=cluster.ask_osd, osds=(0,), pools=frozenset({1}))):
        pass


def test_osds_that_fall_silent_later_are_the_governors_business(cluster: Cluster) -> None:
    with Others(Seen(ask_osd=cluster.ask_osd, osds=(0,), pools=frozenset({1}))) as others, others.loaded_by("x"):
        cluster.silent, before = True, cluster.asked
        assert becomes(lambda: cluster.asked > before + 5, True)
        assert not others.suffer()


def test_without_other_pools_nobody_is_asked(cluster: Cluster) -> None:
    with Others(Seen(ask_osd=cluster.ask_osd, osds=(0,), pools=frozenset())):
        pass
    assert cluster.asked == 0
