"""Scenarios on a real cluster: what they tell, that a loss would show, and what they leave behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from radoscope.errors import PlanError
from radoscope.kinds import read
from radoscope.kinds.scenario import play, scenes
from radoscope.kinds.scenario.read import count_written, read_back_of
from radoscope.kinds.scenario.record import scenario_of
from radoscope.kinds.scenario.run import run_scenario, scenario_request
from radoscope.plan import load_text
from radoscope.records.conditions import Conditions, Layer, Operation
from radoscope.run.engines import fio_checked
from radoscope.run.prepared import LoadCommand, Prepared
from radoscope.sandbox import Sandbox, faults
from radoscope.session.target import Target
from tests.on_ceph import Start, WritePlan, nothing_is_left, radoscope, standing, studies, succeed

pytestmark = [pytest.mark.ceph, pytest.mark.slow]

LOAD = Conditions(layer=Layer.RBD, tool="fio", op=Operation.RANDWRITE, block_bytes=4096, queue_depth=8)
SMALL = """
name = "small"
seconds = "6s"
image_size = "256MiB"
[[cells]]
layer = "rbd"
op = "randwrite"
block = "4K"
queue_depth = 4
rate_iops = 60
"""


def fio(command: LoadCommand, folder: Path) -> None:
    subprocess.run(command.argv, cwd=folder, check=True, timeout=command.timeout_s, stdout=subprocess.DEVNULL)


@pytest.mark.release
def test_a_lost_osd_is_told_and_everything_that_was_acknowledged_is_there(
    mortal: Sandbox, mortal_home: Path, plan: WritePlan
) -> None:
    before = standing(mortal.ceph)
    done = succeed("scenario", "lose-an-osd", "--sandbox", "mortal", "--plan", plan(SMALL), "--json")
    told = json.loads(done.stdout)["scenario"]
    assert [event["moment"] for event in told["events"]] == ["deed", "noticed", "mended", "ended"]
    assert told["read_back"]["proved"]
    assert told["read_back"]["written"] > 500
    assert isinstance(told["whole_s"], float)
    assert told["whole_after_first_s"] > told["whole_s"] > 0
    assert [phase["name"] for phase in told["phases"]][-1] == "whole again"
    nothing_is_left(mortal_home, json.loads(done.stdout)["study"])
    assert standing(mortal.ceph) == before
    assert set(mortal.daemons) == set(mortal.pids())


def test_a_write_that_is_lost_shows(sandbox: Sandbox, tmp_path: Path) -> None:
    """Blocks that come back as they were before the load are found, though their old content is whole."""
    cluster = sandbox.ceph
    cluster.ceph_text("osd", "pool", "create", "checked", "8", "8")
    cluster.ceph_text("osd", "pool", "application", "enable", "checked", "rbd")
    try:
        cluster.rbd("create", "checked/image", "--size", "16M", "--image-feature", "layering")
        prepared = Prepared(client_conf=sandbox.conf, user="client.admin", pool="checked", images=("image",))
        fio(fio_checked.load(LOAD, prepared, tmp_path, rate_per_s=300, longest_s=3), tmp_path)
        written = count_written(tmp_path)
        fio(fio_checked.read_back(LOAD, prepared, tmp_path, written), tmp_path)
        assert read_back_of(tmp_path, written).proved
        [first] = [name for name in cluster.rados("-p", "checked", "ls").split() if name.endswith(".0000000000000000")]
        cluster.rados("-p", "checked", "truncate", first, "0")
        fio(fio_checked.read_back(LOAD, prepared, tmp_path, written), tmp_path)
        found = read_back_of(tmp_path, written)
        assert found.errors is not None
        assert 0 < found.errors < written
        assert not found.proved
    finally:
        cluster.ceph_text("osd", "pool", "delete", "checked", "checked", "--yes-i-really-really-mean-it")


def test_io_that_never_comes_back_ends_in_a_verdict_and_the_sandbox_is_mended(
    mortal: Sandbox, mortal_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of three OSDs are gone, and nobody mends them: all writes are blocked."""

    def kill_two() -> str:
        for osd in ("osd.1", "osd.2"):
            faults.inflict(mortal, "kill-osd", osd)
        return "two OSDs are gone"

    never = scenes.Script(
        name="never", title="", several_hosts=False, build=lambda up: scenes.Scene(deed=scenes.Act("kill", kill_two))
    )
    monkeypatch.setattr(play, "_WHOLE_S", 3.0)
    request = scenario_request(never, load_text(SMALL, "small"), Target(sandbox="mortal"))
    begun = time.monotonic()
    done = run_scenario(never, request, lambda event: None, threading.Event())
    assert time.monotonic() - begun < 200
    assert isinstance(done.problem, play.ScenarioFailed)
    assert done.problem.exit_code == 7
    assert "did not become healthy again" in done.problem.message
    assert done.left == ()
    assert not scenario_of(read(done.folder)).read_back.proved
    assert set(mortal.daemons) == set(mortal.pids())
    nothing_is_left(mortal_home, done.folder.name)


def test_a_scenario_is_refused_on_a_cluster_that_is_not_a_sandbox(sandbox: Sandbox) -> None:
    refused = radoscope("scenario", "lose-an-osd", "--conf", str(sandbox.conf))
    assert refused.returncode == 2
    assert "No such option" in refused.stderr
    with pytest.raises(PlanError, match="on purpose"):
        scenario_request(scenes.script("lose-an-osd"), load_text(SMALL, "small"), Target(conf=sandbox.conf))


def test_a_scenario_of_several_hosts_is_refused_on_one(
    sandbox: Sandbox, sandbox_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RADOSCOPE_HOME", str(sandbox_home))
    refused = radoscope("scenario", "lose-a-host", "--sandbox", "shared")
    assert refused.returncode == 2
    assert "--hosts 3" in refused.stderr


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_scenario_that_is_ended_amid_the_fault_leaves_the_sandbox_as_it_was(
    how: signal.Signals, mortal: Sandbox, mortal_home: Path, plan: WritePlan, start: Start
) -> None:
    home, cluster = mortal_home, mortal.ceph
    before, known = standing(cluster), studies(home)
    running = start("scenario", "lose-an-osd", "--sandbox", "mortal", "--plan", plan(SMALL))
    deadline = time.monotonic() + 200
    while "osd.2" in mortal.pids():
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < deadline, "no OSD was killed"
        time.sleep(0.1)  # another process kills it; there is nothing to wait on
    os.kill(running.pid, how)
    _, err = running.communicate(timeout=200)
    if how == signal.SIGKILL:
        assert radoscope("clean", "--yes").returncode == 0
    else:
        assert running.returncode == 130, err
    [study] = studies(home) - known
    nothing_is_left(home, study)
    assert standing(cluster) == before
    assert set(mortal.daemons) == set(mortal.pids())
