"""A real cluster of this machine: it starts, it works, and it goes without a trace."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from radoscope import sandbox as sandboxes
from radoscope.errors import PlanError, SiteError, ToolFailed
from radoscope.sandbox import Sandbox, SandboxSpec
from radoscope.sandbox.processes import LabelledProcess, end_labelled, is_gone, labelled_processes

pytestmark = pytest.mark.ceph

_TINY = SandboxSpec(name="tiny", osds=1, size=1)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path))
    return tmp_path


def _run(sandbox: Sandbox, *argv: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **sandbox.environment()}
    return subprocess.run(argv, env=environment, capture_output=True, text=True, timeout=30, check=False)


def _left_in(home: Path) -> list[str]:
    """Everything that still says it belongs to this home: processes, folders."""
    processes = [str(found) for found in labelled_processes() if found.label.directory.is_relative_to(home)]
    folders = home / "sandboxes"
    return (
        processes + [path.name for path in folders.iterdir() if path.name != ".lock"] if folders.is_dir() else processes
    )


@pytest.mark.release
def test_it_is_healthy_with_cephx_and_three_replicas(sandbox: Sandbox) -> None:
    with sandbox.connected(timeout_s=30) as cluster:
        assert cluster.ask("status")["osdmap"]["num_up_osds"] == 3
        assert cluster.tell("config get", who="mon", key="auth_service_required").strip() == b"cephx"
        assert cluster.tell("config get", who="mon", key="osd_pool_default_size").strip() == b"3"


@pytest.mark.release
def test_all_daemons_run_and_their_memory_is_known(sandbox: Sandbox) -> None:
    assert tuple(sandbox.pids()) == ("mon.a", "mgr.x", "osd.0", "osd.1", "osd.2")
    assert all(size > 10 * 2**20 for size in sandbox.memory_bytes().values())


@pytest.mark.release
def test_the_tools_of_ceph_talk_to_it_with_its_environment(sandbox: Sandbox, tmp_path: Path) -> None:
    sent = tmp_path / "sent"
    sent.write_bytes(os.urandom(4096))
    assert _run(sandbox, "ceph", "osd", "pool", "create", "proof", "8").returncode == 0
    assert _run(sandbox, "rados", "-p", "proof", "put", "object", str(sent)).returncode == 0
    assert _run(sandbox, "rados", "-p", "proof", "get", "object", str(tmp_path / "back")).returncode == 0
    assert (tmp_path / "back").read_bytes() == sent.read_bytes()
    with sandbox.connected(timeout_s=30) as cluster:
        cluster.tell("osd pool delete", pool="proof", pool2="proof", yes_i_really_really_mean_it=True)


@pytest.mark.release
def test_a_wrong_key_is_refused(sandbox: Sandbox, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.keyring"
    wrong.write_text("[client.admin]\n\tkey = AQAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAA==\n")
    refused = _run(sandbox, "ceph", "--keyring", str(wrong), "--connect-timeout", "5", "status")
    assert refused.returncode != 0


@pytest.mark.release
def test_it_makes_no_pool_of_its_own(sandbox: Sandbox) -> None:
    with sandbox.connected(timeout_s=30) as cluster:
        assert cluster.ask("osd pool ls") == []


@pytest.mark.release
def test_its_balancer_leaves_the_groups_of_a_study_where_they_are(sandbox: Sandbox) -> None:
    said = _run(sandbox, "ceph", "balancer", "status", "--format", "json")
    assert said.returncode == 0, said.stderr
    assert json.loads(said.stdout)["active"] is False


@pytest.mark.release
def test_the_start_left_a_timeline(sandbox: Sandbox) -> None:
    steps = json.loads((sandbox.directory / "timeline.json").read_text())
    assert steps[-1]["step"].startswith("HEALTH_OK")
    assert [step["seconds"] for step in steps] == sorted(step["seconds"] for step in steps)


def test_a_living_sandbox_is_no_leftover(sandbox: Sandbox) -> None:
    assert str(sandbox.label) not in {found.sandbox for found in sandboxes.leftovers()}


def test_an_unknown_command_is_an_error_with_its_name(sandbox: Sandbox) -> None:
    with sandbox.connected(timeout_s=30) as cluster, pytest.raises(SiteError, match="ceph no such thing"):
        cluster.ask("no such thing")


@pytest.mark.release
def test_two_live_side_by_side_and_one_goes_alone_although_its_monitor_is_dead(sandbox: Sandbox, home: Path) -> None:
    tiny = sandboxes.up(_TINY)
    with pytest.raises(PlanError, match="in use"):
        sandboxes.up(_TINY)
    with tiny.connected(timeout_s=30) as one, sandbox.connected() as other:
        assert one.ask("status")["fsid"] != other.ask("status")["fsid"]
    pids = tiny.pids()
    end_labelled(tiny.label, "mon.a")
    begin = time.monotonic()
    with pytest.raises(SiteError, match="no connection"), tiny.connected(timeout_s=1):
        pass
    assert time.monotonic() - begin < 20, "Ceph itself would wait for 5 minutes"
    sandboxes.down("tiny")
    assert len(pids) == 3
    assert all(is_gone(pid) for pid in pids.values())
    assert _left_in(home) == []
    assert len(sandbox.pids()) == 5


@pytest.mark.parametrize("step", ["keys and monmap written", "monitors started", "OSDs started", "HEALTH_OK"])
def test_a_start_that_is_interrupted_leaves_nothing(home: Path, step: str) -> None:
    def interrupt(reached: str) -> None:
        if reached.startswith(step):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sandboxes.up(_TINY, interrupt)
    assert _left_in(home) == []


def test_a_daemon_that_dies_ends_the_start_at_once_and_leaves_nothing(home: Path) -> None:
    def kill_the_monitor(reached: str) -> None:
        if reached == "OSDs started":
            os.kill(next(found.pid for found in _daemons(home) if found.daemon == "mon.a"), signal.SIGKILL)

    with pytest.raises((ToolFailed, SiteError)):
        sandboxes.up(_TINY, kill_the_monitor)
    assert _left_in(home) == []


@pytest.mark.usefixtures("alone_on_host")
def test_what_a_killed_starter_leaves_is_found_and_removed(home: Path) -> None:
    argv = (sys.executable, "-m", "radoscope", "sandbox", "up", "tiny", "--osds", "1", "--size", "1")
    starter = subprocess.Popen(argv, stderr=subprocess.PIPE, text=True)
    assert starter.stderr is not None
    while "OSDs started" not in starter.stderr.readline():
        pass
    starter.kill()
    starter.communicate()
    found = [left for left in sandboxes.leftovers() if left.sandbox.startswith(str(home))]
    assert {left.kind for left in found} == {"process", "directory"}
    for left in found:
        sandboxes.remove(left)
    assert _left_in(home) == []


def _daemons(home: Path) -> list[LabelledProcess]:
    return [found for found in labelled_processes() if found.label.directory.is_relative_to(home)]
