"""Faults while a study measures: each ends in bounded time with a clear word, and what was measured is kept.

docs/safety.md has the table of what is seen, after how long, and what is left.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from radoscope.archives.bundle import read_study
from radoscope.ceph import Cluster
from radoscope.records import health
from radoscope.records.study import Outcome
from radoscope.sandbox import Sandbox
from radoscope.sandbox.faults import inflict
from radoscope.sandbox.network import set_links
from radoscope.sandbox.waiting import Deadline, wait_until
from tests.on_ceph import (
    ENDLESS,
    Start,
    WritePlan,
    nothing_is_left,
    radoscope,
    standing,
    studies,
    wait_for_segments,
)

pytestmark = [pytest.mark.ceph, pytest.mark.slow]

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="namespaces and mounts need root")
CELLS = ("--cells", "r*-4k*write*")


@dataclass(frozen=True)
class Ended:
    """How a study ended after the fault. seconds: from the fault to the end of the process."""

    study: str
    seconds: float
    code: int
    err: str


def struck(
    start: Callable[..., subprocess.Popen[str]], home: Path, words: tuple[str, ...], fault: Callable[[], object]
) -> Ended:
    """Start a study that would go on for an hour, let it measure two segments, inflict a fault, wait for its end."""
    known = studies(home)
    running = start("study", *words, *CELLS)
    study = wait_for_segments(home, 2, known)
    begun = time.monotonic()
    fault()
    _, err = running.communicate(timeout=180)
    return Ended(study, time.monotonic() - begun, running.returncode, err)


def is_kept(home: Path, study: str) -> None:
    """The cells that were measured before the fault are there, and `radoscope show` shows them."""
    kept = read_study(home / "studies" / study)
    assert sum(one.outcome is Outcome.DONE for one in kept.segments) >= 2
    assert not kept.complete
    shown = radoscope("show", study)
    assert shown.returncode == 0, shown.stderr
    assert any(cell.title in shown.stdout or cell.name in shown.stdout for cell in kept.cells)


@pytest.fixture
def in_lab(lab: Sandbox) -> Cluster:
    """The lab as its client host reaches it."""
    return Cluster(conf=lab.conf, keyring=lab.keyring, prefix=lab.clients[0].wrap(()))


def check_ended(ended: Ended, within_s: float, *words: str) -> None:
    assert ended.code == 3, ended.err
    assert ended.seconds < within_s
    for each in (*words, "hint:", "--resume"):
        assert each in ended.err, ended.err
    assert "Traceback" not in ended.err


@as_root
def test_a_host_that_is_cut_off_ends_the_study(
    lab: Sandbox, in_lab: Cluster, lab_home: Path, plan: WritePlan, start: Start
) -> None:
    before = standing(in_lab)
    ended = struck(
        start,
        lab_home,
        ("--sandbox", "lab", "--plan", plan(ENDLESS)),
        lambda: inflict(lab, "cut", "h3"),
    )
    check_ended(ended, 90, "1 of 3 OSDs are down")
    is_kept(lab_home, ended.study)
    nothing_is_left(lab_home, ended.study)
    assert standing(in_lab) == before


@as_root
def test_a_connection_whose_monitor_is_cut_off_goes_on_with_another(lab: Sandbox, lab_home: Path) -> None:
    """Whichever of the three it has: a monitor that is cut off says nothing, and Ceph itself waits for it for 30 s.

    The leader's is the longest: the others take up to 15 s to do without it, and have no quorum meanwhile.
    """
    with lab.connected(timeout_s=60) as connection:

        def in_quorum() -> int:
            return len(connection.ask("status")["quorum_names"])

        for host in (host for host in lab.hosts if "osd" in host.role):  # each with a monitor
            set_links(lab, host, up=False)
            wait_until(lambda: in_quorum() >= 2, f"an answer without {host.name}", Deadline(28))
            set_links(lab, host, up=True)
            wait_until(lambda: in_quorum() == 3, "the quorum", Deadline(60))


@as_root
def test_a_lost_quorum_ends_the_study_and_clean_removes_the_rest_once_it_is_back(
    lab: Sandbox, in_lab: Cluster, lab_home: Path, plan: WritePlan, start: Start
) -> None:
    before = standing(in_lab)

    def stop_two() -> None:
        for name in "bc":
            inflict(lab, "stop-mon", name)

    ended = struck(start, lab_home, ("--sandbox", "lab", "--plan", plan(ENDLESS)), stop_two)
    check_ended(ended, 120, "the monitors do not answer", f"pool radoscope-{ended.study}", "radoscope clean")
    is_kept(lab_home, ended.study)
    begun = time.monotonic()
    assert radoscope("clean", "--yes").returncode == 1
    assert time.monotonic() - begun < 60
    inflict(lab, "heal")
    cleaned = radoscope("clean", "--yes")
    assert cleaned.returncode == 0, cleaned.stderr
    nothing_is_left(lab_home, ended.study)
    assert standing(in_lab) == before


@as_root
def test_a_client_that_is_cut_off_ends_the_study(
    lab: Sandbox, in_lab: Cluster, lab_home: Path, plan: WritePlan, start: Start
) -> None:
    ended = struck(
        start,
        lab_home,
        ("--sandbox", "lab", "--plan", plan(ENDLESS)),
        lambda: inflict(lab, "cut", "client1"),
    )
    check_ended(ended, 120, "the monitors do not answer")
    is_kept(lab_home, ended.study)
    inflict(lab, "heal")
    assert radoscope("clean", "--yes").returncode == 0
    nothing_is_left(lab_home, ended.study)


@contextmanager
def full_at(cluster: Cluster, share: float) -> Iterator[None]:
    """A cluster that calls itself full when this much of it is used."""
    names = ("nearfull", "backfillfull", "full")
    before = {name: cluster.ceph("osd", "dump")[f"{name}_ratio"] for name in names}
    for name in names:
        cluster.ceph_text("osd", f"set-{name}-ratio", str(share))
    try:
        yield
    finally:
        for name in reversed(names):
            cluster.ceph_text("osd", f"set-{name}-ratio", str(before[name]))


@pytest.mark.parametrize("place", ["its own pool", "--pool"])
def test_a_cluster_that_is_full_ends_the_study_and_everything_is_removed(
    home: Path, cluster: Cluster, bait: None, plan: WritePlan, start: Start, place: str
) -> None:
    """Writes are blocked in a full cluster, and removing must work all the same."""
    before = standing(cluster)
    where = ("--pool", "bait") if place == "--pool" else ()
    limit = full_at(cluster, 0.0001)
    try:
        ended = struck(start, home, ("--sandbox", "shared", "--plan", plan(ENDLESS), *where), limit.__enter__)
        check_ended(ended, 90, "FULL")
        is_kept(home, ended.study)
        nothing_is_left(home, ended.study)
        assert standing(cluster) == before
    finally:
        limit.__exit__(None, None, None)
        wait_for_health(cluster)


def wait_for_health(cluster: Cluster) -> None:
    deadline = time.monotonic() + 120
    while health.amiss(cluster.ceph("status")):
        assert time.monotonic() < deadline
        time.sleep(0.3)  # OSDs tell nobody else that they are no longer full


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def fill_up(folder: Path) -> None:
    """To the last byte, as a log of somebody else's would."""
    with (folder / "filler").open("wb", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue


@as_root
def test_a_full_disk_under_the_bundle_ends_the_study_and_the_cluster_is_as_before(
    sandbox: Sandbox, plan: WritePlan, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = Cluster(conf=sandbox.conf, keyring=sandbox.keyring)
    before = standing(cluster)
    with small_disk(tmp_path / "small", "32m") as home:
        monkeypatch.setenv("RADOSCOPE_HOME", str(home))
        words = ("--conf", str(sandbox.conf), "--keyring", str(sandbox.keyring), "--plan", plan(ENDLESS))
        ended = struck(start, home, words, lambda: fill_up(home))
        assert ended.code == 6, ended.err
        assert ended.seconds < 120
        for each in ("No space left on device", "hint:", "--resume"):
            assert each in ended.err, ended.err
        assert "Traceback" not in ended.err
        assert standing(cluster) == before
        is_kept(home, ended.study)
        cleaned = radoscope("clean", "--yes")
        assert cleaned.returncode == 0, cleaned.stdout + cleaned.stderr
        nothing_is_left(home, ended.study)


WITH_A_CLOCK_THAT_JUMPS = """
import os, sys, time
real, (jumped, by) = time.time, sys.argv[1:3]
time.time = lambda: real() + (float(by) if os.path.exists(jumped) else 0.0)
sys.argv[1:3] = []
from radoscope.cli.main import main
main()
"""
"""radoscope as it is, but for its wall clock. libfaketime would do it to all, but fio hangs under it."""


@pytest.mark.parametrize("by", ["3600", "-3600"])
def test_a_clock_that_jumps_an_hour_tears_no_series_and_changes_no_duration(
    home: Path, cluster: Cluster, plan: WritePlan, tmp_path: Path, by: str
) -> None:
    before, known, jumped = standing(cluster), studies(home), tmp_path / "jumped"
    words = ("study", "--sandbox", "shared", "--plan", plan(ENDLESS.replace('"1h"', '"4s"')), *CELLS, "--rounds", "2")
    begun = time.monotonic()
    argv = [sys.executable, "-c", WITH_A_CLOCK_THAT_JUMPS, str(jumped), by, *words]
    running = subprocess.Popen(argv, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    study = wait_for_segments(home, 2, known)
    jumped.touch()
    _, err = running.communicate(timeout=180)
    took = time.monotonic() - begun
    assert running.returncode == 0, err
    kept = read_study(home / "studies" / study)
    assert kept.complete
    assert 0 < kept.seconds <= took
    starts = sorted(one.started_at_s for one in kept.segments)
    assert all(later - earlier < took for earlier, later in pairwise(starts))
    for segment in kept.segments:
        assert segment.outcome is Outcome.DONE, segment.problem
        assert 0 < segment.seconds < took
        for series in segment.telemetry:
            assert all(0 <= at - segment.started_at_s <= segment.seconds + 1 for at in series.times_s), series.name
    assert any(segment.telemetry for segment in kept.segments)
    nothing_is_left(home, study)
    assert standing(cluster) == before
    assert json.loads(radoscope("show", study, "--json").stdout)["complete"]
