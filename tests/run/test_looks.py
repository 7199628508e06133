"""Looks at a cluster that is being disturbed: what counts as whole, and that silence does not stop them."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from radoscope.errors import SiteError
from radoscope.run.looks import Looks

WELL = {
    "health": {"status": "HEALTH_OK"},
    "osdmap": {"num_osds": 3, "num_up_osds": 3},
    "pgmap": {"num_pgs": 32, "pgs_by_state": [{"state_name": "active+clean", "count": 32}]},
}
SCRUBBED = [{"state_name": "active+clean", "count": 31}, {"state_name": "active+clean+scrubbing+deep", "count": 1}]
REMAPPED = [{"state_name": "active+clean", "count": 31}, {"state_name": "active+clean+remapped", "count": 1}]


def looked(*answers: Any) -> Looks:
    """Looks that have seen these answers, each once; an error among them is raised."""
    waiting, done = list(answers), threading.Event()

    def ask(_: str) -> Any:
        if not waiting:
            done.set()
            return answers[-1]
        answer = waiting.pop(0)
        if isinstance(answer, SiteError):
            raise answer
        return answer

    looks = Looks(ask)
    looks.start()
    assert done.wait(30)
    looks.stop()
    return looks


@pytest.mark.parametrize(
    ("change", "whole"),
    [
        ({}, 1.0),
        ({"pgmap": {"num_pgs": 32, "pgs_by_state": SCRUBBED}}, 1.0),
        ({"pgmap": {"num_pgs": 32, "pgs_by_state": REMAPPED}}, 0.0),
        ({"health": {"status": "HEALTH_WARN"}}, 0.0),
        ({"osdmap": {"num_osds": 3, "num_up_osds": 2}}, 0.0),
    ],
)
def test_a_cluster_is_whole_when_healthy_all_up_and_every_group_at_home(change: dict[str, Any], whole: float) -> None:
    series = {one["name"]: one for one in looked({**WELL, **change}).series()}
    assert series["whole"]["values"][0] == whole


def test_monitors_that_are_silent_are_a_look_without_an_answer_and_the_next_look_follows() -> None:
    looks = looked(WELL, SiteError("silence"), WELL)
    series = {one["name"]: one for one in looks.series()}
    assert series["answered"]["values"][:3] == [1.0, 0.0, 1.0]
    assert series["whole"]["values"][:3] == [1.0, 0.0, 1.0]
    assert looks.whole_since() == series["whole"]["times_s"][2]


def test_a_cluster_that_is_not_whole_now_is_whole_since_never() -> None:
    assert looked(WELL, {**WELL, "health": {"status": "HEALTH_WARN"}}).whole_since() is None
