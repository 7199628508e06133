"""A cluster that loses an OSD: in the middle of a study, and before one."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from radoscope import sandbox as sandboxes
from radoscope.ceph import Cluster
from radoscope.sandbox import Sandbox
from tests.on_ceph import (
    ENDLESS,
    TINY,
    Start,
    WritePlan,
    nothing_is_left,
    radoscope,
    standing,
    studies,
    wait_for_segments,
)

pytestmark = [pytest.mark.ceph, pytest.mark.slow]


@pytest.fixture
def dying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    """A cluster of its own, for it does not live through this."""
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path / "home"))
    made = sandboxes.up(sandboxes.SandboxSpec(name="dying"))
    yield made
    sandboxes.down("dying")


def test_a_dead_osd_ends_the_study_soon_keeps_what_was_measured_and_leaves_nothing(
    dying: Sandbox, plan: WritePlan, start: Start, tmp_path: Path
) -> None:
    home, cluster = tmp_path / "home", Cluster(conf=dying.conf, keyring=dying.keyring)
    before = standing(cluster)
    known = studies(home)
    running = start("study", "--sandbox", "dying", "--plan", plan(ENDLESS), "--cells", "r*-4k*write*")
    study = wait_for_segments(home, 2, known)
    os.kill(dying.pids()["osd.1"], signal.SIGKILL)
    died = time.monotonic()
    _, err = running.communicate(timeout=150)
    assert time.monotonic() - died < 120
    assert running.returncode == 3, err
    assert "1 of 3 OSDs are down" in err
    assert "--resume" in err
    kept = json.loads((home / "studies" / study / "manifest.json").read_text())
    assert sum(segment["outcome"] == "done" for segment in kept["segments"]) >= 2
    nothing_is_left(home, study)
    assert standing(cluster) == before
    refused = radoscope("study", "--sandbox", "dying", "--plan", plan(TINY), "--cells", "rados-*write*")
    assert refused.returncode == 3, refused.stderr
    assert "OSD_DOWN" in refused.stderr
    assert "--allow-unhealthy" in refused.stderr


def test_a_study_of_monitors_that_are_gone_ends_with_a_clear_word(dying: Sandbox, plan: WritePlan) -> None:
    os.kill(dying.pids()["mon.a"], signal.SIGKILL)
    begun = time.monotonic()
    refused = radoscope("study", "--sandbox", "dying", "--plan", plan(TINY), "--cells", "rados-*write*")
    assert time.monotonic() - begun < 60
    assert refused.returncode == 3, refused.stderr
    assert "does not answer" in refused.stderr
    assert "Traceback" not in refused.stderr
