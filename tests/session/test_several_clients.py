"""Load from several client hosts that a real sshd lets in."""

from __future__ import annotations

import json
import signal
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from radoscope.archives.bundle import read_study
from radoscope.ceph import Cluster
from radoscope.records.study import Outcome
from radoscope.sandbox import Sandbox
from tests.on_ceph import (
    Start,
    WritePlan,
    launch,
    nothing_is_left,
    radoscope,
    standing,
    studies,
    succeed,
    wait_for_segments,
)
from tests.small_plans import SPREAD, endless_plan, gentle_plan
from tests.sshd import Server, folders, loads, wait_for_load

pytestmark = [pytest.mark.ceph, pytest.mark.slow]

PLAN = gentle_plan(*SPREAD, name="spread", rounds=1, seconds="2s", ramp="500ms")
ENDLESS = endless_plan(*SPREAD, name="spread", seconds="2s", ramp="500ms")


@pytest.fixture
def over_ssh(sandbox: Sandbox, server: Server) -> tuple[str, ...]:
    cluster = ("--conf", str(sandbox.conf), "--keyring", str(sandbox.keyring))
    return (*cluster, "--client", "ssh:node1", "--client", "ssh:node2", "--ssh-config", str(server.config))


def test_hosts_behind_ssh_are_measured_as_any_other_and_nothing_stays_there(
    home: Path, cluster: Cluster, plan: WritePlan, over_ssh: tuple[str, ...]
) -> None:
    before = standing(cluster)
    done = succeed("study", *over_ssh, "--plan", plan(PLAN), "--json")
    told = json.loads(done.stdout)
    assert told["clients"] == ["ssh:node1", "ssh:node2"]
    assert "node1, node2 are the same machine" in done.stderr
    for one in told["cells"]:
        assert one["segments"] == 1, (one["cell"], one["problems"])
        assert one["iops"]["value"] > 0
    study = read_study(home / "studies" / told["study"])
    [segment] = study.segments_of("rbd-4k-randwrite-qd1-n3-rate100-h2")
    names = {series.name for series in segment.telemetry}
    assert {"host_cpu.node1", "host_cpu.node2", "client_cpu.0", "client_cpu.1", "client_cpu.2"} <= names
    manifest = json.loads((home / "studies" / told["study"] / "manifest.json").read_text())
    [kept] = [one for one in manifest["segments"] if one["cell"] == segment.cell]
    assert [one["host"] for one in kept["processes"]] == ["node1", "node2", "node1"]
    for one in kept["processes"]:
        assert abs(one["clock_ahead_s"]) < 1, "it is one machine, so it has one clock"
    assert folders(told["study"]) == []
    nothing_is_left(home, told["study"])
    assert standing(cluster) == before


def test_an_experiment_loads_from_the_same_hosts_in_both_states(
    home: Path, cluster: Cluster, plan: WritePlan, over_ssh: tuple[str, ...], start: Start
) -> None:
    before, known = standing(cluster), studies(home)
    states = ("--a", "true", "--b", "true", "--budget", "5m", "--settle", "0s", "--yes")
    running = start("ab", *over_ssh, "--plan", plan(PLAN), "--cells", "*-h2", *states)
    first = wait_for_segments(home, 1, known, running)
    second = wait_for_segments(home, 1, {*known, first}, running)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=90)
    assert running.returncode == 130, err
    for side in (first, second):
        kept = json.loads((home / "studies" / side / "manifest.json").read_text())
        assert kept["clients"] == ["ssh:node1", "ssh:node2"]
        assert (kept["segments"][0]["outcome"], kept["segments"][0]["problem"]) == ("done", "")
        assert [one["host"] for one in kept["segments"][0]["processes"]] == ["node1", "node2", "node1"]
    study = min(first, second)
    assert folders(study) == []
    nothing_is_left(home, study)
    assert standing(cluster) == before


def test_a_cut_connection_costs_a_segment_and_a_lost_host_ends_the_study_soon(
    home: Path, cluster: Cluster, plan: WritePlan, over_ssh: tuple[str, ...], server: Server, start: Start
) -> None:
    before = standing(cluster)
    running, study = launch(start, home, *over_ssh, "--plan", plan(ENDLESS))
    check_what_lies_there(home, study)
    wait_for_load(study)
    server.cut()
    wait_for_outcome(home, study, "failed")
    kept = wait_for_outcome(home, study, "done", after="failed")
    assert any("was lost" in one["problem"] for one in kept), kept
    wait_for_load(study)
    server.stop()
    lost = time.monotonic()
    _, err = running.communicate(timeout=120)
    assert time.monotonic() - lost < 60
    assert running.returncode == 3, err
    assert "cannot be reached" in err
    assert f"remote-folder node1:/tmp/radoscope-{study}-1: client host node1 cannot be reached" in err
    assert loads(study) == [], "what ran over there has ended with its connection"
    read = read_study(home / "studies" / study)
    assert sum(segment.outcome is Outcome.DONE for segment in read.segments) >= 2
    assert len(folders(study)) == 2
    server.start()
    succeed("clean", study, "--yes")
    assert folders(study) == []
    nothing_is_left(home, study)
    assert standing(cluster) == before


def check_what_lies_there(home: Path, study: str) -> None:
    """The least: a ceph.conf and the key of the study's own user, for one user alone, and the key nowhere else."""
    for folder in folders(study):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        keyring = folder / "keyring"
        assert stat.S_IMODE(keyring.stat().st_mode) == 0o600
        assert f"[client.radoscope-{study}]" in keyring.read_text()
        assert "client.admin" not in keyring.read_text()
        key = keyring.read_text().partition("key = ")[2].split()[0]
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                assert key.encode() not in (process / "cmdline").read_bytes()
        for file in (home / "studies" / study).rglob("*"):
            assert not file.is_file() or key.encode() not in file.read_bytes(), file
        assert key not in (home / "journal" / f"{study}.jsonl").read_text()
    assert (home / "journal" / f"{study}.jsonl").read_text().count('"remote-folder"') == len(folders(study)) == 2


def wait_for_outcome(home: Path, study: str, outcome: str, after: str = "") -> list[dict[str, Any]]:
    """Until a segment ended so, after one that ended otherwise; all segments then."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        kept: list[dict[str, Any]] = json.loads((home / "studies" / study / "manifest.json").read_text())["segments"]
        outcomes = [one["outcome"] for one in kept]
        begin = outcomes.index(after) if after in outcomes else 0
        if outcome in outcomes[begin:]:
            return kept
        time.sleep(0.05)  # another process writes the file
    raise AssertionError((home / "studies" / study / "manifest.json").read_text())


def test_kill_9_ends_the_load_over_there_by_itself_and_clean_removes_the_rest(
    home: Path, cluster: Cluster, plan: WritePlan, over_ssh: tuple[str, ...], start: Start
) -> None:
    before = standing(cluster)
    running, study = launch(start, home, *over_ssh, "--plan", plan(ENDLESS))
    wait_for_load(study)
    running.kill()
    running.communicate()
    deadline = time.monotonic() + 60
    while loads(study):
        assert time.monotonic() < deadline
        time.sleep(0.05)  # processes tell nobody that they end
    assert len(folders(study)) == 2
    listed = radoscope("clean", "--dry-run")
    assert f"remote-folder node1:/tmp/radoscope-{study}-1" in listed.stdout
    succeed("clean", study, "--yes")
    assert folders(study) == []
    nothing_is_left(home, study)
    assert standing(cluster) == before


def test_ctrl_c_ends_the_load_over_there_and_leaves_nothing(
    home: Path, plan: WritePlan, over_ssh: tuple[str, ...], start: Start
) -> None:
    running, study = launch(start, home, *over_ssh, "--plan", plan(ENDLESS))
    wait_for_load(study)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=90)
    assert running.returncode == 130, err
    assert folders(study) == []
    nothing_is_left(home, study)
    other = radoscope("study", *over_ssh[:4], "--client", "here", "--resume", study)
    assert other.returncode == 2
    assert "was measured with --client ssh:node1, --client ssh:node2, and can only continue that way" in other.stderr


def test_hosts_that_nobody_knows_are_refused_before_anything_is_made(
    home: Path, cluster: Cluster, sandbox: Sandbox, plan: WritePlan, server: Server
) -> None:
    before = standing(cluster)
    config = ("--conf", str(sandbox.conf), "--keyring", str(sandbox.keyring), "--ssh-config", str(server.config))
    server.stop()
    refused = radoscope("study", *config, "--client", "ssh:node1", "--client", "here", "--plan", plan(PLAN))
    assert refused.returncode == 3
    assert "client host node1 cannot be reached" in refused.stderr
    assert "Connection refused" in refused.stderr
    for word in ("node1", "ssh:-oProxyCommand=x", "ssh:", "ssh:a b"):
        wrong = radoscope("study", *config, "--client", word, "--client", "here", "--plan", plan(PLAN))
        assert wrong.returncode == 2, wrong.stderr
        assert "neither here nor ssh:[USER@]HOST" in wrong.stderr
    assert standing(cluster) == before
