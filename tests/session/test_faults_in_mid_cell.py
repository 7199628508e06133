"""Faults while a study measures: each ends in bounded time with a clear word, and what was measured is kept.

docs/safety.md has the table of what is seen, after how long, and what is left.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from radoscope.archives.bundle import read_study
from radoscope.ceph import Cluster
from radoscope.records import health
from radoscope.records.study import Outcome
from radoscope.run import cleaning
from radoscope.run.cleaning import remove_entry
from radoscope.run.journal import Entry
from radoscope.sandbox import Sandbox
from tests.on_ceph import ENDLESS, Start, WritePlan, nothing_is_left, radoscope, standing, studies, wait_for_segments
from tests.session.struck import CELLS, check_ended, is_kept, struck

pytestmark = [pytest.mark.ceph, pytest.mark.slow]

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="namespaces and mounts need root")


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


@pytest.mark.parametrize("known", [True, False], ids=["full-before", "full-meanwhile"])
def test_objects_in_a_pool_that_is_full_are_removed(
    cluster: Cluster, bait: None, known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What rados bench leaves when it is killed, in a pool of somebody else's."""
    if not known:  # it was not full yet when the removal asked
        answers = iter([False])
        was_full = cleaning._is_full
        monkeypatch.setattr(cleaning, "_is_full", lambda *where: next(answers, True) and was_full(*where))
        monkeypatch.setattr(cleaning, "_CLEANUP_S", 3.0)
    run = "radoscope-of-a-killed-run"
    cluster.rados("-p", "bait", "-N", run, "bench", "1", "write", "-b", "4096", "-t", "4", "--no-cleanup")
    limit = full_at(cluster, 0.0001)
    limit.__enter__()
    try:
        wait_for_flag(cluster, "bait", "full")
        remove_entry(Entry("objects", run, {"pool": "bait", "cluster": cluster.to_json()}))
        assert cluster.rados("-p", "bait", "-N", run, "ls") == ""
    finally:
        limit.__exit__(None, None, None)
        wait_for_health(cluster)


def wait_for_flag(cluster: Cluster, pool: str, flag: str) -> None:
    deadline = time.monotonic() + 60
    while flag not in flags_of(cluster, pool):
        assert time.monotonic() < deadline
        time.sleep(0.3)  # monitors tell nobody


def flags_of(cluster: Cluster, pool: str) -> list[str]:
    """Each by itself: "nearfull" and "backfillfull" are other flags than "full"."""
    flags = {each["pool_name"]: each["flags_names"] for each in cluster.ceph("osd", "dump")["pools"]}
    return str(flags[pool]).split(",")


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
    cluster = sandbox.ceph
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
    study = wait_for_segments(home, 2, known, running)
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
