"""`--at ssh:HOST`: the cluster's commands and the load run on a host that a real sshd lets in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radoscope.archives.bundle import read_study
from radoscope.ceph import Cluster
from radoscope.sandbox import Sandbox
from tests.conftest import radoscope_home
from tests.on_ceph import Start, WritePlan, launch, nothing_is_left, radoscope, standing, succeed
from tests.small_plans import DISK, RBD, cell, endless_plan, gentle_plan, network
from tests.sshd import Server, folders, loads, wait_for_load

pytestmark = [pytest.mark.ceph, pytest.mark.slow]

_CELLS = (DISK, network("ping"), cell("rados", op=["write", "read"], block="64K"), RBD)  # few objects to write first
PLAN = gentle_plan(*_CELLS, name="there", rounds=1, seconds="2s", ramp="500ms")
ENDLESS = endless_plan(*_CELLS, seconds="2s", ramp="500ms")


@pytest.fixture
def at(sandbox: Sandbox, server: Server) -> tuple[str, ...]:
    files = ("--conf", str(sandbox.conf), "--keyring", str(sandbox.keyring))
    return ("--at", "ssh:node1", *files, "--ssh-config", str(server.config))


def test_commands_and_load_run_there_and_nothing_stays(
    home: Path, tmp_path: Path, cluster: Cluster, plan: WritePlan, at: tuple[str, ...]
) -> None:
    before = standing(cluster)
    done = succeed("study", *at, "--disk-folder", str(tmp_path), "--plan", plan(PLAN), "--json")
    told = json.loads(done.stdout)
    cells = {cell["cell"]: cell for cell in told["cells"]}
    assert all(cell["segments"] == 1 for cell in cells.values()), told
    assert {cell["layer"] for cell in cells.values()} == {"disk", "rados", "rbd"}
    assert "The network is not measured: all OSDs are on the host that the load comes from" in done.stderr, (
        "loopback is no network"
    )
    kept = json.loads((home / "studies" / told["study"] / "manifest.json").read_text())
    assert {one["host"] for segment in kept["segments"] for one in segment["processes"]} == {"node1"}
    study = read_study(home / "studies" / told["study"])
    assert "on node1" in study.target
    [segment] = study.segments_of("rados-64k-write-qd1")
    assert not {series.name for series in segment.telemetry} & {"host_cpu", "strangers_cpu"}, "this host only conducts"
    assert segment.host_speed is None
    [counters] = (home / "studies" / told["study"] / "segments" / "rados-64k-write-qd1").rglob("telemetry.json")
    assert json.loads(counters.read_text())["perf"]["after"], "the OSDs' counters come over the same way"
    assert folders(told["study"]) == []
    assert list(tmp_path.glob("radoscope-*")) == []
    nothing_is_left(home, told["study"])
    assert standing(cluster) == before


def test_after_kill_9_the_load_ends_by_itself_and_another_host_removes_the_rest(
    home: Path, tmp_path: Path, cluster: Cluster, plan: WritePlan, at: tuple[str, ...], start: Start
) -> None:
    before = standing(cluster)
    running, study = launch(start, home, *at, "--plan", plan(ENDLESS))
    wait_for_load(study)
    running.kill()
    running.communicate()
    with radoscope_home(tmp_path / "another"):
        listed = radoscope("clean", *at, "--dry-run")
        for thing in (f"pool radoscope-{study}", f"user client.radoscope-{study}", f"node1:/tmp/radoscope-{study}-0"):
            assert thing in listed.stdout
        succeed("clean", *at, study, "--yes")
    assert loads(study) == []
    assert folders(study) == []
    assert standing(cluster) == before
    assert radoscope("clean", "--yes").returncode == 0, "its journal finds nothing more"
    nothing_is_left(home, study)


def test_a_host_that_is_lost_ends_the_study_with_its_name(
    home: Path, plan: WritePlan, at: tuple[str, ...], server: Server, start: Start
) -> None:
    running, study = launch(start, home, *at, "--plan", plan(ENDLESS))
    wait_for_load(study)
    server.stop()
    _, err = running.communicate(timeout=150)
    assert running.returncode == 3, err
    assert "node1" in err
    assert "Traceback" not in err
    assert loads(study) == []
    server.start()
    succeed("clean", study, "--yes")
    nothing_is_left(home, study)


def test_refusals_are_one_sentence_and_a_hint(home: Path, plan: WritePlan, at: tuple[str, ...], server: Server) -> None:
    checked = radoscope("doctor", *at)
    assert "fio" in checked.stdout
    assert "health" in checked.stdout
    missing = radoscope("study", *at[:2], "--conf", "/nowhere.conf", *at[4:], "--plan", plan(PLAN))
    assert missing.returncode in (3, 4), missing.stderr
    assert "/nowhere.conf" in missing.stderr
    server.stop()
    refused = radoscope("study", *at, "--plan", plan(PLAN))
    assert refused.returncode == 3
    assert "client host node1 cannot be reached" in refused.stderr
    assert "Is the host up, and does sshd listen there?" in refused.stderr
