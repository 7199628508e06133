"""The ladder: what is lost at each step, and how strongly that may be said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from radoscope.explain.finding import Finding, Severity
from radoscope.records.conditions import Layer
from radoscope.records.environment import PoolFacts
from radoscope.records.study import Study
from radoscope.report.material import Material
from radoscope.report.sections.ladder import build_ladder, step_title
from radoscope.report.sections.verdict import which_layer_costs
from radoscope.stats.ladder import Rung, climb, costliest, ways_of
from radoscope.stats.values import Estimate, Interval, LatencySummary, Summaries, Undecided

from .example_study import make_study, make_summaries

DISK, NETWORK, RADOS, RBD = "disk-4k-fsync", "net-rtt", "rados-4k-qd1-write", "rbd-4k-qd1-randwrite"


def without(*names: str) -> Material:
    summaries = make_summaries()
    dropped = {*names, *(("disk-4k-sync",) if DISK in names else ()), *(("rbd-n1",) if RBD in names else ())}
    kept = tuple(s for s in summaries.cells if s.cell.name not in dropped)
    return Material(make_study(), replace(summaries, cells=kept))


def with_latency(name: str, estimate: Estimate) -> Material:
    summaries = make_summaries()
    cells = tuple(
        replace(s, latency=LatencySummary(mean_s=estimate)) if s.cell.name == name else s for s in summaries.cells
    )
    return Material(make_study(), replace(summaries, cells=cells))


def test_the_steps_add_up_to_what_the_top_measured() -> None:
    ladder = build_ladder(without(), writes=True)
    assert ladder.total is not None
    assert sum(s.lost.value for s in ladder.steps if s.lost) == pytest.approx(ladder.total.value)
    assert sum(ladder.share(s) or 0 for s in ladder.steps) == pytest.approx(1.0)


def with_file() -> Material:
    """With the RBD cell of one write once more, as one of a file in CephFS."""
    material = without()
    summary = make_summaries().of(RBD)
    assert summary is not None
    conditions = replace(summary.cell.conditions, layer=Layer.CEPHFS)
    file = replace(summary, cell=replace(summary.cell, name="file", conditions=conditions))
    study = replace(material.study, cells=(*material.study.cells, file.cell))
    return Material(study, replace(material.summaries, cells=(*material.summaries.cells, file)))


def test_cephfs_stands_on_rados_beside_rbd() -> None:
    images, files = ways_of(with_file().summaries)
    assert images[-1] is Layer.RBD
    assert files[-2:] == (Layer.RADOS, Layer.CEPHFS)
    first, other = (build_ladder(with_file(), writes=True, way=way) for way in (images, files))
    assert first.top is Layer.RBD
    assert other.top is Layer.CEPHFS
    assert first.steps[-1].lost == other.steps[-1].lost, "both are what is lost on top of RADOS"


def test_where_cephfs_was_measured_alone_rbd_is_not_missed() -> None:
    summaries = with_file().summaries
    alone = replace(summaries, cells=tuple(s for s in summaries.cells if not s.cell.conditions.layer.on_image))
    assert ways_of(alone) == ((Layer.DISK, Layer.NETWORK, Layer.RADOS, Layer.CEPHFS),)


def test_the_disk_step_holds_the_fsync_that_fio_counts_apart() -> None:
    summary = make_summaries().of(DISK)
    assert summary is not None and isinstance(summary.latency, LatencySummary) and summary.sync is not None
    assert isinstance(summary.latency.mean_s, Estimate) and isinstance(summary.sync.mean_s, Estimate)
    disk = build_ladder(without(), writes=True).steps[0]
    assert disk.lost is not None
    assert disk.lost.value == pytest.approx(summary.latency.mean_s.value + summary.sync.mean_s.value)


def test_a_replicated_write_waits_for_two_round_trips_and_a_read_for_one() -> None:
    write, read = (build_ladder(without(), writes=writes).steps[1] for writes in (True, False))
    assert write.lost is not None and read.lost is not None
    assert write.lost.value == pytest.approx(2 * read.lost.value)


def test_a_pool_of_one_replica_waits_for_one_round_trip() -> None:
    study = make_study()
    assert study.environment.cluster is not None
    cluster = replace(study.environment.cluster, pool=PoolFacts(name="single", size=1))
    single: Study = replace(study, environment=replace(study.environment, cluster=cluster))
    assert build_ladder(Material(single, make_summaries()), writes=True).round_trips == 1


def test_half_widths_of_a_difference_add_as_squares() -> None:
    ladder = build_ladder(without(), writes=True)
    rbd, rados = make_summaries().of(RBD), make_summaries().of(RADOS)
    halves = []
    for summary in (rbd, rados):
        assert summary is not None and isinstance(summary.latency, LatencySummary)
        mean = summary.latency.mean_s
        assert isinstance(mean, Estimate) and isinstance(mean.interval, Interval)
        halves.append(mean.interval.half_width)
    lost = ladder.steps[3].lost
    assert lost is not None and isinstance(lost.interval, Interval)
    assert lost.interval.half_width == pytest.approx((halves[0] ** 2 + halves[1] ** 2) ** 0.5)


def test_a_missing_cell_is_named_and_its_part_goes_to_the_step_above() -> None:
    ladder = build_ladder(without(NETWORK), writes=True)
    assert ladder.steps[1].missing == "no such cell in this study"
    assert ladder.steps[2].covers == (Layer.NETWORK, Layer.RADOS)
    assert step_title(ladder.steps[2]) == "Network and RADOS"


def test_without_rados_and_rbd_there_is_no_whole_and_no_verdict() -> None:
    ladder = build_ladder(without(RADOS, RBD), writes=True)
    assert ladder.total is None
    assert costliest(ladder) is None
    assert which_layer_costs(ladder) == "This study cannot tell which layer costs most: RADOS and RBD are missing."


def test_an_invalid_cell_is_as_good_as_a_missing_one() -> None:
    finding = Finding(rule="r", claim="Nothing was read.", because=(), severity=Severity.INVALID, cells=(RBD, "rbd-n1"))
    ladder = build_ladder(Material(make_study(), make_summaries(), (finding,)), writes=True)
    assert ladder.steps[3].missing == "invalid: Nothing was read"
    assert ladder.top is Layer.RADOS


def test_intervals_that_overlap_make_the_verdict_careful() -> None:
    vague = Estimate(0.64e-3, Interval(0.1e-3, 1.2e-3))
    ladder = build_ladder(with_latency(RADOS, vague), writes=True)
    most = costliest(ladder)
    assert most is not None and not most.certain
    assert "seems to be" in which_layer_costs(ladder)


def test_without_intervals_nothing_is_certain() -> None:
    bare = Estimate(0.64e-3, Undecided("1 segment"))
    most = costliest(build_ladder(with_latency(RADOS, bare), writes=True))
    assert most is not None and not most.certain


def test_a_mean_that_one_round_decides_alone_is_not_certain() -> None:
    """A disk that slept in one of three rounds: most I/Os, and so the means, are of the two others."""
    rungs = [
        Rung(Layer.DISK, Estimate(0.2e-3, Interval(0.19e-3, 0.21e-3)), rounds={1: 0.1e-3, 2: 2e-3, 3: 2e-3}),
        Rung(Layer.NETWORK, Estimate(0.02e-3, Interval(0.01e-3, 0.03e-3)), rounds=dict.fromkeys((1, 2, 3), 0.02e-3)),
        Rung(Layer.RADOS, Estimate(1.5e-3, Interval(1.4e-3, 1.6e-3)), rounds={1: 1.4e-3, 2: 2.6e-3, 3: 2.4e-3}),
    ]
    ladder = climb(rungs, 2, writes=True)
    most = costliest(ladder)
    assert most is not None and most.step.layer is Layer.RADOS
    assert (most.won, most.rounds, most.certain) == (1, 3, False)
    assert "larger than Disk in only 1 of 3 rounds" in which_layer_costs(ladder)
    agreed = [replace(rungs[0], rounds=dict.fromkeys((1, 2, 3), 0.2e-3)), *rungs[1:]]
    most = costliest(climb(agreed, 2, writes=True))
    assert most is not None and most.certain


def test_a_layer_that_answers_sooner_than_the_one_beneath_is_shown_as_that() -> None:
    quick = Estimate(0.3e-3, Interval(0.29e-3, 0.31e-3))
    ladder = build_ladder(with_latency(RBD, quick), writes=True)
    assert ladder.steps[3].lost is not None and ladder.steps[3].lost.value < 0
    assert ladder.share(ladder.steps[3]) is None
    assert any("is faster than the layers below" in limit for limit in ladder.limits)
    assert (ladder.share(ladder.steps[2]) or 0) <= 1


def test_an_empty_study_has_four_missing_steps() -> None:
    study = replace(make_study(), cells=())
    ladder = build_ladder(Material(study, Summaries(cells=())), writes=False)
    assert [step.lost for step in ladder.steps] == [None] * 4


def test_a_step_below_zero_within_its_uncertainty_is_called_no_loss() -> None:
    vague = Estimate(0.62e-3, Interval(0.52e-3, 0.72e-3))
    ladder = build_ladder(with_latency(RBD, vague), writes=True)
    assert any("no loss was measured" in limit for limit in ladder.limits)
