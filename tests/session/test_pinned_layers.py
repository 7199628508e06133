"""Pools below the pool on a real cluster: where they are, that they go again, and when they are refused."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

from radoscope.ceph import Cluster
from radoscope.run import pinned
from radoscope.sandbox import Sandbox
from tests.on_ceph import Start, WritePlan, json_of, nothing_is_left, radoscope, standing, studies
from tests.small_plans import cell, endless_plan, tiny_plan

pytestmark = [pytest.mark.ceph, pytest.mark.slow]

_CELLS = (
    cell("rados", op=["write", "read"], block="64K", pinned=["osd", "host", "hosts", "no"]),  # few objects to prefill
    cell("rbd", op="randwrite", pinned="osd"),
)
BELOW = tiny_plan(*_CELLS, name="below", rounds=1)


@pytest.mark.release
def test_each_step_is_measured_and_rules_and_pools_are_gone_again(
    home: Path, cluster: Cluster, plan: WritePlan
) -> None:
    before = standing(cluster)
    told = json_of("study", "--sandbox", "shared", "--plan", plan(BELOW), timeout=400)
    names = [cell["cell"] for cell in told["cells"] if cell["segments"] == 1]
    assert len(names) == 9
    assert {"rados-64k-seq-qd1-one-osd", "rados-64k-write-qd1", "rbd-4k-randwrite-qd1-one-osd"} <= set(names)
    [kept] = [folder for folder in (home / "studies").glob("*-below-*") if folder.name == told["study"]]
    notes = json.loads((kept / "manifest.json").read_text())["notes"]
    assert any("one copy on osd.0" in note for note in notes)
    nothing_is_left(home, told["study"])
    assert standing(cluster) == before


def test_the_pool_of_one_osd_is_on_one_osd_and_a_killed_run_leaves_nothing_to_stay(
    home: Path, cluster: Cluster, plan: WritePlan, start: Start
) -> None:
    before, known = standing(cluster), studies(home)
    running = start("study", "--sandbox", "shared", "--plan", plan(endless_plan(*_CELLS)))
    deadline = time.monotonic() + 200
    while not any(list((home / "studies" / study).glob("segments/*")) for study in studies(home) - known):
        assert running.poll() is None, running.communicate()
        if time.monotonic() > deadline:
            running.terminate()
            pytest.fail(f"no segment within 200 s: {running.communicate(timeout=60)}")
        time.sleep(0.1)  # another process measures; there is nothing to wait on
    [study] = studies(home) - known
    victim = pinned.choose(cluster)
    assert pinned.is_pinned(cluster, f"radoscope-one-osd-{study}", victim.osd)
    os.kill(running.pid, signal.SIGKILL)
    running.communicate(timeout=60)
    assert radoscope("clean", study, "--yes").returncode == 0
    nothing_is_left(home, study)
    assert standing(cluster) == before


def test_on_a_cluster_of_the_users_consent_must_be_said(
    home: Path, sandbox: Sandbox, cluster: Cluster, plan: WritePlan
) -> None:
    before = standing(cluster)
    refused = radoscope("study", "--conf", str(sandbox.conf), "--plan", plan(BELOW))
    assert refused.returncode == 2
    assert "--pinned-layers" in refused.stderr
    assert standing(cluster) == before


def test_where_pools_of_one_copy_are_not_allowed_they_are_refused_and_no_setting_is_changed(
    home: Path, sandbox: Sandbox, cluster: Cluster, plan: WritePlan
) -> None:
    cluster.ceph_text("tell", "mon.a", "config", "set", "mon_allow_pool_size_one", "false")
    try:
        refused = radoscope("study", "--sandbox", "shared", "--plan", plan(BELOW))
        assert refused.returncode == 3
        assert "mon_allow_pool_size_one" in refused.stderr
    finally:
        cluster.ceph_text("tell", "mon.a", "config", "set", "mon_allow_pool_size_one", "true")
