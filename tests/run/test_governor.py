"""The governor: what ends a load, and what does not; counters and samples."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from radoscope.errors import SiteError
from radoscope.run.governor import Governor, Limits, harm_in
from radoscope.run.telemetry import Sources, Telemetry

WELL = {"health": {"status": "HEALTH_OK", "checks": {}}, "osdmap": {"num_up_osds": 3, "num_in_osds": 3}, "pgmap": {}}


def status(checks: dict[str, str] | None = None, **changes: object) -> dict[str, Any]:
    named = {name: {"summary": {"message": words}} for name, words in (checks or {}).items()}
    return {**WELL, "health": {"status": "HEALTH_WARN" if named else "HEALTH_OK", "checks": named}, **changes}


FAILED_MODULE = {"severity": "HEALTH_ERR", "summary": {"message": "Module 'iostat' has failed"}}
FOREIGN, OWN = Limits(foreign=True), Limits(foreign=False)


@pytest.mark.parametrize(
    ("seen", "limits", "words"),
    [
        (status(), FOREIGN, ""),
        (status({"POOL_APP_NOT_ENABLED": "x"}), FOREIGN, ""),
        (status(osdmap={"num_up_osds": 2, "num_in_osds": 3}), OWN, "1 of 3 OSDs are down"),
        (status({"OSD_NEARFULL": "1 nearfull osd(s)"}), OWN, "fills up"),
        (status({"SLOW_OPS": "3 slow ops"}), FOREIGN, "became slow"),
        (status({"SLOW_OPS": "3 slow ops"}), OWN, ""),
        (status(pgmap={"degraded_objects": 5}), FOREIGN, "degraded"),
        (status(health={"status": "HEALTH_ERR", "checks": {"MGR_MODULE_ERROR": FAILED_MODULE}}), FOREIGN, ""),
        (status(health={"status": "HEALTH_ERR", "checks": {}}), OWN, "HEALTH_ERR"),
    ],
)
def test_harm(seen: dict[str, Any], limits: Limits, words: str) -> None:
    found = harm_in(seen, limits)
    assert (words in found) if words else found == ""


def test_the_user_may_allow_an_unhealthy_cluster() -> None:
    seen = status(osdmap={"num_up_osds": 2, "num_in_osds": 3})
    assert harm_in(seen, Limits(foreign=True, allow_unhealthy=True)) == ""


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("radoscope.run.governor._PERIOD_S", 0.01)
    monkeypatch.setattr("radoscope.run.governor._SILENCE_S", 0.05)


def ended_by(ask: Callable[[str], Any]) -> Governor:
    """What stopped the load by what the cluster answers."""
    stop = threading.Event()
    with Governor(ask, OWN, stop) as governor:
        assert stop.wait(30)
    return governor


def trouble_with(ask: Callable[[str], Any]) -> str:
    trouble = ended_by(ask).trouble
    assert trouble is not None
    return trouble.message


def test_it_stops_the_load_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("radoscope.run.governor._PERIOD_S", 0.01)
    assert "OSDs are down" in trouble_with(lambda _: status(osdmap={"num_up_osds": 2, "num_in_osds": 3}))


def test_a_state_that_passes_within_a_look_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when an OSD is added: it counts as in for a moment before it is up."""
    monkeypatch.setattr("radoscope.run.governor._PERIOD_S", 0.01)
    looks = 0

    def every_other_time(_: str) -> dict[str, Any]:
        nonlocal looks
        looks += 1
        return status(osdmap={"num_up_osds": 3, "num_in_osds": 3 + looks % 2})

    stop = threading.Event()
    with Governor(every_other_time, OWN, stop) as governor:
        while looks < 20:
            assert not stop.wait(0.01)
    assert governor.trouble is None


def test_a_monitor_without_a_quorum_does_not_count_as_an_answer_though_it_says_that_all_is_well(
    impatient: None,
) -> None:
    assert "no quorum" in trouble_with(lambda _: status(quorum_names=[]))


def test_monitors_that_fall_silent_end_the_load(impatient: None) -> None:
    def silent(_: str) -> None:
        raise SiteError("no answer in time")

    governor = ended_by(silent)
    assert governor.silent
    assert governor.trouble is not None
    assert "do not answer" in governor.trouble.message


def test_a_cluster_that_answers_is_not_silent_whatever_it_says(impatient: None) -> None:
    assert not ended_by(lambda _: status(osdmap={"num_up_osds": 2, "num_in_osds": 3})).silent


def test_samples_of_this_host_have_one_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("radoscope.run.telemetry._PERIOD_S", 0.02)
    telemetry = Telemetry(Sources())
    telemetry.start()
    while not telemetry._series["host_cpu"]:
        pass
    taken = telemetry.stop()
    series = {one["name"]: one for one in taken["series"]}
    assert 0 <= series["host_cpu"]["values"][0] <= 1
    assert series["mem_available_bytes"]["values"][0] > 0
    assert any(name.startswith("nic_bytes.lo") for name in series)
