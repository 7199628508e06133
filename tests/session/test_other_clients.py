"""A study on a cluster that others use: it gives way to them, and says so."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from radoscope.archives.bundle import read_study
from radoscope.ceph import Cluster
from radoscope.records.study import Outcome
from tests.on_ceph import WritePlan, nothing_is_left, standing, studies, succeed

pytestmark = [pytest.mark.ceph, pytest.mark.slow]

HEAVY = """
name = "heavy"
rounds = 2
seconds = "20s"
at_most = "40s"
[[cells]]
layer = "rados"
op = "write"
block = "4M"
queue_depth = [32, 64]
"""
LEAST_ANSWERS = 3
"""Of the neighbour's, before a study begins."""


@pytest.fixture
def neighbour(cluster: Cluster) -> Iterator[str]:
    """Somebody else who writes small objects, two at a time, all the while; the name of the pool."""
    cluster.ceph_text("osd", "pool", "create", "neighbour", "16", "16")
    cluster.ceph_text("osd", "pool", "application", "enable", "neighbour", "theirs")
    bench = ("bench", "600", "write", "-b", "4096", "-t", "2", "--no-cleanup")
    argv = ("rados", *cluster.arguments(), "-p", "neighbour", *bench)
    writing = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
    assert writing.stdout is not None
    answers = (line for line in writing.stdout if line.split() and line.split()[0].isdigit())
    for _ in range(LEAST_ANSWERS):
        next(answers)
    yield "neighbour"
    writing.kill()
    writing.communicate()
    cluster.ceph_text("osd", "pool", "delete", "neighbour", "neighbour", "--yes-i-really-really-mean-it")


@pytest.mark.release
def test_a_load_from_which_others_suffer_is_taken_away_and_a_heavier_one_is_not_begun(
    home: Path, cluster: Cluster, neighbour: str, plan: WritePlan
) -> None:
    before, known = standing(cluster), studies(home)
    reach = ("--conf", str(cluster.conf), "--keyring", str(cluster.keyring))
    ran = succeed("study", *reach, "--plan", plan(HEAVY))
    (name,) = studies(home) - known
    study = read_study(home / "studies" / name)
    lighter, heavier = study.cells
    (taken,) = study.segments_of(lighter.name)
    assert taken.outcome is Outcome.WITHHELD
    assert taken.seconds < 12, "of the 20 s that were planned: three to see it, some to end"
    assert "other clients" in taken.problem
    assert study.segments_of(heavier.name) == ()
    assert study.complete
    assert "2 withheld" in ran.stdout
    assert "not started" in ran.stdout
    waited = next(series for series in taken.telemetry if series.name == "others_waiting_s")
    assert max(waited.values) > 0.02
    nothing_is_left(home, name)
    assert standing(cluster) == before


def test_who_says_so_loads_as_hard_as_it_goes(home: Path, cluster: Cluster, neighbour: str, plan: WritePlan) -> None:
    known = studies(home)
    reach = ("--conf", str(cluster.conf), "--keyring", str(cluster.keyring), "--as-hard-as-it-goes")
    ran = succeed("study", *reach, "--plan", plan(HEAVY), "--seconds", "6s", "--rounds", "1", "--at-most", "6s")
    (name,) = studies(home) - known
    assert [one.outcome for one in read_study(home / "studies" / name).segments] == [Outcome.DONE, Outcome.DONE]
    assert "Other clients used the cluster at the same time" in ran.stdout
