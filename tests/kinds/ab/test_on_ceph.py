"""Experiments on a real cluster, from the command line: A is back, whatever happened, and nothing else is left."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from radoscope.archives.bundle import read_study
from radoscope.ceph import Cluster
from radoscope.records import health
from radoscope.records.study import Outcome
from radoscope.run.cleaning import labelled_processes
from tests.on_ceph import Start, WritePlan, json_of, radoscope, studies, succeed
from tests.sshd import comm

pytestmark = [pytest.mark.ceph, pytest.mark.slow, pytest.mark.usefixtures("home")]

PLAN = """
name = "small"
seconds = "1s"
ramp = "200ms"
image_size = "16MiB"
[[cells]]
layer = "rbd"
op = "randread"
block = "4K"
queue_depth = 8
"""
GENTLE = f"{PLAN}rate_iops = 100\n"
"""For tests that do not ask for the rate: other tests run beside."""
OPTION = "osd_scrub_sleep"  # it changes nothing that is measured here
STATES = ["--a", f"ceph config rm osd {OPTION}", "--b", f"ceph config set osd {OPTION} 0.5"]
SHOW = ["--show", f"ceph config dump | grep -w {OPTION} || echo unset"]
LIMIT = 'rbd config pool set "$RADOSCOPE_POOL" rbd_qos_iops_limit'


@pytest.fixture
def ab(plan: WritePlan) -> list[str]:
    return ["ab", "--sandbox", "shared", "--plan", plan(GENTLE), "--settle", "200ms", "--yes"]


def option_is_set(cluster: Cluster) -> bool:
    return any(entry["name"] == OPTION for entry in cluster.ceph("config", "dump") or [])


def wait_until_b_stands(cluster: Cluster, running: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 120
    while not option_is_set(cluster):
        assert running.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.1)  # another process sets it


def nothing_is_left(cluster: Cluster, home: Path) -> None:
    assert not option_is_set(cluster)
    assert list((home / "journal").glob("*")) == []
    assert not [pool for pool in cluster.ceph("osd", "pool", "ls") or [] if pool.startswith("radoscope-")]


def test_a_real_difference_of_ten_percent_is_found_and_the_pool_compares_as_two_studies(
    home: Path, cluster: Cluster, ab: list[str], plan: WritePlan
) -> None:
    """B has 9/10 of A's rate, by a limit in librbd."""
    plan(PLAN)
    states = ["--a", f"{LIMIT} 200", "--b", f"{LIMIT} 180", "--show", LIMIT.replace(" set ", " get ")]
    told = json_of(*ab, *states, "--budget", "3m", timeout=600)
    [cell] = told["comparison"]["cells"]
    assert cell["figures"][0]["verdict"]["is"] == "slower"
    assert cell["figures"][0]["ratio"]["value"] == pytest.approx(0.9, abs=0.03)
    assert told["restored"]
    assert told["shown"] == {"a": "200", "b": "180"}
    compared = json_of("compare", told["a"], told["b"])
    assert compared["comparisons"][0]["cells"][0]["figures"][0]["verdict"]["is"] == "slower"
    nothing_is_left(cluster, home)


@pytest.mark.release
@pytest.mark.parametrize(
    ("words", "a", "b"),
    [
        (["pool-size"], "size: 3", "size: 2"),
        (["compression", "zlib"], "compression_mode: none", "compression_mode: aggressive"),
    ],
)
def test_a_ready_made_experiment_reaches_both_states_of_its_own_pool(
    home: Path, cluster: Cluster, ab: list[str], words: list[str], a: str, b: str
) -> None:
    told = json_of(*ab, "--experiment", *words, "--budget", "30s", timeout=600)
    assert told["shown"] == {"a": a, "b": b}
    assert told["restored"]
    for study in (told["a"], told["b"]):
        segments = read_study(home / "studies" / study).segments
        assert Outcome.DONE in {segment.outcome for segment in segments}, study
    nothing_is_left(cluster, home)


@pytest.mark.release
def test_the_profile_of_mclock_is_an_experiment_where_the_osds_have_mclock(
    home: Path, cluster: Cluster, ab: list[str]
) -> None:
    scheduler = cluster.ceph("tell", "osd.0", "config", "get", "osd_op_queue")["osd_op_queue"]
    done = radoscope(*ab, "--experiment", "mclock-profile", "--json", "--budget", "30s", timeout=600)
    if scheduler != "mclock_scheduler":
        assert done.returncode == 3
        assert f"the OSDs' queue is {scheduler}, which has no mClock profiles" in done.stderr
    else:
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        assert "osd_mclock_profile is not set" in told["shown"]["a"]
        assert told["shown"]["b"].split()[-1] == "high_client_ops"
        assert told["restored"]
    assert not [one for one in cluster.ceph("config", "dump") or [] if one["name"] == "osd_mclock_profile"]
    nothing_is_left(cluster, home)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_when_it_is_interrupted_a_stands_again(
    home: Path, cluster: Cluster, ab: list[str], start: Start, number: signal.Signals, code: int
) -> None:
    running = start(*ab, *STATES, *SHOW)
    wait_until_b_stands(cluster, running)
    running.send_signal(number)
    _, err = running.communicate(timeout=120)
    assert running.returncode == code, err
    assert "state A is restored, and shown: unset" in err
    nothing_is_left(cluster, home)


def test_after_kill_9_clean_brings_a_back(home: Path, cluster: Cluster, ab: list[str], start: Start) -> None:
    running = start(*ab, *STATES, *SHOW)
    wait_until_b_stands(cluster, running)
    running.kill()
    running.communicate()
    assert option_is_set(cluster)
    listed = radoscope("clean", "--dry-run")
    assert f"state A, which is `ceph config rm osd {OPTION}`" in listed.stdout
    succeed("clean", "--yes")
    nothing_is_left(cluster, home)


def test_a_state_that_fails_in_the_middle_leaves_a_and_what_was_measured(
    home: Path, cluster: Cluster, ab: list[str], tmp_path: Path
) -> None:
    b = f"echo >> {tmp_path}/tries; test $(wc -l < {tmp_path}/tries) -lt 3 && ceph config set osd {OPTION} 0.5"
    done = radoscope(*ab, *STATES[:2], "--b", b, *SHOW, timeout=600)
    assert done.returncode == 4, done.stderr
    assert "state B was not reached" in done.stderr
    assert "Raw files:" in done.stdout
    nothing_is_left(cluster, home)


@contextmanager
def _without_an_osd(cluster: Cluster) -> Iterator[None]:
    cluster.ceph_text("osd", "set", "noup")
    try:
        cluster.ceph_text("osd", "down", "osd.2")
        yield
    finally:
        cluster.ceph_text("osd", "unset", "noup")
        _wait_for_all_osds(cluster)


def test_a_cluster_that_loses_an_osd_under_load_ends_the_experiment_and_has_a_again(
    home: Path, cluster: Cluster, ab: list[str], start: Start, plan: WritePlan
) -> None:
    plan(GENTLE.replace('"1s"', '"30s"'))
    running = start(*ab, *STATES, *SHOW)
    wait_until_b_stands(cluster, running)
    _wait_for_load(home, running)
    with _without_an_osd(cluster):
        _, err = running.communicate(timeout=120)
    assert running.returncode == 3, err
    assert "the load was stopped" in err
    assert "state A is restored" in err
    nothing_is_left(cluster, home)


def test_a_cluster_that_loses_an_osd_in_a_switch_is_waited_for(
    home: Path, cluster: Cluster, ab: list[str], start: Start, tmp_path: Path
) -> None:
    """State B says that it stands and waits until it may go on: by then the OSD is down."""
    b = f"{STATES[3]} && until test -e {tmp_path}/on; do sleep 0.1; done"
    running = start(*ab, *STATES[:3], b, *SHOW, "--budget", "30s")
    wait_until_b_stands(cluster, running)
    with _without_an_osd(cluster):
        (tmp_path / "on").touch()
        assert running.stderr is not None
        for line in running.stderr:
            if "so far placement groups did not become active+clean" in line:
                break
        assert "PG_DEGRADED" in line or "OSD_DOWN" in line
    _, err = running.communicate(timeout=180)
    assert running.returncode == 0, err
    nothing_is_left(cluster, home)


def _wait_for_load(home: Path, running: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while not any(comm(pid) == "fio" for study in studies(home) for pid in labelled_processes(study)):
        assert running.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)  # another process starts it


def _wait_for_all_osds(cluster: Cluster) -> None:
    deadline = time.monotonic() + 120
    while cluster.ceph("osd", "stat")["num_up_osds"] < 3 or health.amiss(cluster.ceph("status")):
        assert time.monotonic() < deadline
        time.sleep(0.5)  # OSDs tell nobody else
