"""A cluster that loses an OSD: in the middle of a study, and before one."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

from radoscope.sandbox import Sandbox
from tests.on_ceph import ENDLESS, TINY, Start, WritePlan, launch, nothing_is_left, radoscope, standing

pytestmark = [pytest.mark.ceph, pytest.mark.slow]


def test_a_dead_osd_ends_the_study_soon_keeps_what_was_measured_and_leaves_nothing(
    mortal: Sandbox, mortal_home: Path, plan: WritePlan, start: Start
) -> None:
    home, cluster = mortal_home, mortal.ceph
    before = standing(cluster)
    running, study = launch(
        start, home, "--sandbox", "mortal", "--plan", plan(ENDLESS), "--cells", "r*-4k*write*", segments=2
    )
    os.kill(mortal.pids()["osd.1"], signal.SIGKILL)
    died = time.monotonic()
    _, err = running.communicate(timeout=150)
    assert time.monotonic() - died < 120
    assert running.returncode == 3, err
    assert "1 of 3 OSDs are down" in err
    assert "--resume" in err
    kept = json.loads((home / "studies" / study / "manifest.json").read_text())
    assert sum(segment["outcome"] == "done" for segment in kept["segments"]) >= 2
    assert any("1 of 3 OSDs are down" in note for note in kept["notes"]), kept["notes"]
    nothing_is_left(home, study)
    assert standing(cluster) == before
    refused = radoscope("study", "--sandbox", "mortal", "--plan", plan(TINY), "--cells", "rados-*write*")
    assert refused.returncode == 3, refused.stderr
    assert "OSD_DOWN" in refused.stderr
    assert "--allow-unhealthy" in refused.stderr


def test_a_study_of_monitors_that_are_gone_ends_with_a_clear_word(mortal: Sandbox, plan: WritePlan) -> None:
    os.kill(mortal.pids()["mon.a"], signal.SIGKILL)
    begun = time.monotonic()
    refused = radoscope("study", "--sandbox", "mortal", "--plan", plan(TINY), "--cells", "rados-*write*")
    assert time.monotonic() - begun < 60
    assert refused.returncode == 3, refused.stderr
    assert "does not answer" in refused.stderr
    assert "Traceback" not in refused.stderr
