"""In situ: a study made by the model itself is recovered, and a cell that is too slow is found."""

from dataclasses import replace

import pytest

from radoscope.errors import PlanError
from radoscope.predict.defaults import fill
from radoscope.predict.facts import WHOLE, Facts, apply_workload
from radoscope.predict.insitu import fit_study, what_if_study
from radoscope.predict.measured import facts_of, measured_cells
from radoscope.predict.whatif import Gain, apply, parse_changes
from radoscope.records.conditions import Conditions, Layer, Operation, Sync
from radoscope.records.environment import ClusterFacts, DeviceFacts, Environment, HostFacts, LinkFacts, PoolFacts
from radoscope.records.measurement import Series
from radoscope.records.study import Cell, Study
from radoscope.records.telemetry import KV_FLUSH_LAT, READ_WAIT_AIO_LAT, STRANGERS_CPU
from radoscope.stats.values import CellSummary, Estimate, Interval, Summaries, Undecided
from tests.decided import known
from tests.stats.building import a_segment

NOTHING = Undecided("not in this test")


def summary(name: str, layer: Layer, op: Operation, iops: float, **load: object) -> CellSummary:
    conditions = Conditions(layer=layer, tool="fio", op=op, block_bytes=4096, **load)  # type: ignore[arg-type]
    return CellSummary(
        cell=Cell(name=name, title=name, conditions=conditions),
        iops=Estimate(iops, NOTHING),
        bandwidth_bytes_per_s=NOTHING,
        latency=NOTHING,
    )


@pytest.fixture
def study() -> Study:
    cluster = ClusterFacts(
        fsid="x",
        health="HEALTH_OK",
        version="18.2.1",
        osds=3,
        osds_up=3,
        hosts=3,
        pool=PoolFacts(name="p", size=3, pg_num=64),
    )
    hosts = tuple(HostFacts(name=f"h{i}", role="osd", cpu_threads=16, cpu_model="AMD Ryzen 7 5700G") for i in range(3))
    return Study(
        id="s",
        plan="quick",
        target="test",
        created_at_s=0.0,
        cells=(),
        environment=Environment(hosts=hosts, cluster=cluster),
    )


def test_disk_cells_replace_class_defaults(study: Study) -> None:
    seen = Summaries(
        cells=(
            summary("fsync", Layer.DISK, Operation.RANDWRITE, 600, sync=Sync.FSYNC),
            summary("rados-write", Layer.RADOS, Operation.WRITE, 150),
        )
    )
    ladder = fit_study(study, seen)
    assert any("1667 µs" in item for item in ladder.measured)
    quick = summary("fsync", Layer.DISK, Operation.RANDWRITE, 30_000, sync=Sync.FSYNC)
    fast = fit_study(study, replace(seen, cells=(quick, seen.cells[1])))
    assert fast.rungs[0].predicted_iops > 2 * ladder.rungs[0].predicted_iops


def test_the_layer_above_is_predicted_from_the_layer_below(study: Study) -> None:
    """RADOS at depth 1 twice as slow as the model has it: RBD at depth 1 must come out about twice as slow too."""
    plain = fit_study(study, Summaries(cells=(summary("rbd", Layer.RBD, Operation.RANDWRITE, 100),)))
    rados = fit_study(study, Summaries(cells=(summary("rados", Layer.RADOS, Operation.WRITE, 100),)))
    half = rados.rungs[0].predicted_iops / 2
    cells = (summary("rados", Layer.RADOS, Operation.WRITE, half), summary("rbd", Layer.RBD, Operation.RANDWRITE, 100))
    ladder = fit_study(study, Summaries(cells=cells))
    assert ladder.rungs[0].calibrated is not None
    assert ladder.rungs[1].predicted_iops == pytest.approx(plain.rungs[0].predicted_iops / 2, rel=0.15)


def test_reality_below_the_interval_is_a_gap(study: Study) -> None:
    ladder = fit_study(study, Summaries(cells=(summary("rbd", Layer.RBD, Operation.RANDREAD, 5.0, queue_depth=16),)))
    assert [gap.cell for gap in ladder.gaps] == ["rbd"]
    assert "measured 5/s" in ladder.gaps[0].because


def test_cells_without_a_result_are_left_out(study: Study) -> None:
    empty = replace(summary("rbd", Layer.RBD, Operation.RANDREAD, 5.0), iops=NOTHING)
    assert fit_study(study, Summaries(cells=(empty,))).rungs == ()


def measured(study: Study) -> Summaries:
    """Drives that flush in 2 ms, and what the model makes of them."""
    disk = summary("fsync", Layer.DISK, Operation.RANDWRITE, 500, sync=Sync.FSYNC)
    loads = (("rados", Layer.RADOS, Operation.WRITE), ("rbd", Layer.RBD, Operation.RANDREAD))
    above = tuple(summary(name, layer, op, 100.0) for name, layer, op in loads)
    rungs = fit_study(study, Summaries(cells=(disk, *above))).rungs
    as_predicted = (replace(c, iops=Estimate(r.predicted_iops, NOTHING)) for c, r in zip(above, rungs, strict=True))
    return Summaries(cells=(disk, *as_predicted))


def test_what_a_change_would_bring_starts_from_what_was_measured(study: Study) -> None:
    seen = measured(study)
    asked = parse_changes(["fsync_latency_us = 50", "size = 2"])
    found = dict(what_if_study(study, seen, asked))
    assert list(found)[:2] == ["rados", "rbd"]
    assert list(found)[2:] == list(WHOLE), "and loads that keep the whole cluster busy"
    protected, two, both = found["rados"]
    was = known(seen.cells[1].iops).value
    assert protected.ratio > 2
    assert protected.iops == pytest.approx(protected.ratio * was)
    assert protected.interval.low < protected.ratio < protected.interval.high
    assert 1 < two.ratio < 1.3
    assert both.ratio > protected.ratio
    assert found["rbd"][0].ratio == pytest.approx(1.0), "a read waits for no flush"


def test_a_change_to_what_was_measured_changes_nothing(study: Study) -> None:
    found = what_if_study(study, measured(study), parse_changes(["fsync_latency_us = 2000", "nodes = 3"]))
    for _, ratios in found:
        assert [(one.ratio, one.interval.low, one.interval.high) for one in ratios] == [(1.0, 1.0, 1.0)] * 3


@pytest.mark.parametrize("asked", ["queue_depth = 64", "clients = 8", "client_network_Gbps = 25"])
def test_what_a_study_cannot_be_asked_is_refused(study: Study, asked: str) -> None:
    with pytest.raises(PlanError, match="not for a study"):
        what_if_study(study, measured(study), parse_changes([asked]))


def test_reads_at_just_the_rate_of_1G_tell_the_line(study: Study) -> None:
    """No network cell: the line is unknown, and large reads fill 1 Gbit/s exactly."""
    loads = (("4M read", Operation.READ, 117e6), ("4M write", Operation.WRITE, 58e6))
    large = tuple(_large(name, op, rate) for name, op, rate in loads)
    small = (summary("4k", Layer.RADOS, Operation.WRITE, 300), summary("r", Layer.RADOS, Operation.READ, 900))
    seen = Summaries(cells=(*large, *small))
    found = dict(what_if_study(study, seen, parse_changes(["network_Gbps = 10"])))
    assert found["4M read"][0].ratio > 3
    assert found["4M write"][0].ratio > 1.5
    assert found["4k"][0].ratio < 1.5, "small writes do not wait for the line"
    assert any("network_Gbps=1 " in item for item in fit_study(study, seen).assumed)


def test_lines_of_hosts_are_known_unless_more_was_carried(study: Study) -> None:
    """Kernels say 1 Gbit/s: reads follow a faster line. Where reads came at 2 Gbit/s, two cables may be one line."""
    slow = tuple(LinkFacts(host=f"h{i}", name="eth0", bits_per_s=1e9) for i in range(3))
    management = LinkFacts(host="h0", name="ipmi", bits_per_s=1e8)
    there = replace(study, environment=replace(study.environment, links=(management, *slow)))
    seen = Summaries(cells=(_large("4M read", Operation.READ, 100e6),))
    assert not any("network_Gbps" in item for item in fit_study(there, seen).assumed)
    found = dict(what_if_study(there, seen, parse_changes(["network_Gbps = 10"])))
    assert found["4M read"][0].ratio > 3
    unchanged = dict(what_if_study(there, seen, parse_changes(["network_Gbps = 1"])))
    assert {one.ratio for ratios in unchanged.values() for one in ratios} == {1.0}
    burst = Summaries(cells=(_large("4M read", Operation.READ, 134e6),))
    assert not any("network_Gbps" in item for item in fit_study(there, burst).assumed), "seen on a shaped link"
    twice = Summaries(cells=(_large("4M read", Operation.READ, 250e6),))
    assert any("network_Gbps=" in item for item in fit_study(there, twice).assumed)


def test_flushes_of_osds_tell_the_drive_where_no_disk_cell_does(study: Study) -> None:
    seen = Summaries(cells=(summary("rados", Layer.RADOS, Operation.WRITE, 100.0),))

    def told(flush_s: float) -> float:
        segment = a_segment(cell="rados", seconds=1.0, counters={KV_FLUSH_LAT.name: flush_s})
        watched = replace(study, cells=(seen.cells[0].cell,), segments=(segment,))
        return fit_study(watched, seen).rungs[0].predicted_iops

    assert told(50e-6) > 5 * told(20e-3)


def test_cores_that_others_kept_busy_are_not_a_sandbox_s(study: Study) -> None:
    def cores(busy: float, sandbox: str | None) -> float:
        taken = Series(STRANGERS_CPU.name, "1", (0.0, 1.0), (busy, busy))
        segment = a_segment(cell="rados", started_at_s=0.0, seconds=1.0, telemetry=(taken,))
        told = facts_of(replace(study, segments=(segment,), sandbox=sandbox))[0]
        return float(fill(apply_workload(told, "4k-randwrite-qd1"))[0].threads_per_host)

    assert cores(12.0, "lab") == pytest.approx(cores(0.0, "lab") / 4), "4 of 16 hardware threads are left"
    assert cores(99.0, "lab") > 0
    assert cores(12.0, None) == cores(0.0, None), "they are counted where radoscope runs, not where OSDs do"


def _one_write(iops: float, flush_s: float, study: Study) -> tuple[Study, Summaries]:
    seen = Summaries(cells=(summary("rbd-write", Layer.RBD, Operation.RANDWRITE, iops),))
    segment = a_segment(cell="rbd-write", seconds=1.0, counters={KV_FLUSH_LAT.name: flush_s})
    return replace(study, cells=(seen.cells[0].cell,), segments=(segment,)), seen


def test_a_faster_flush_saves_what_the_osds_waited_for_flushes(study: Study) -> None:
    """8 ms a write: three flushes of 2 ms leave 2 ms, three of 0.5 ms leave 6.5."""
    faster = parse_changes(["fsync_latency_us = 20"])

    def said(flush_s: float) -> Gain:
        watched, seen = _one_write(125.0, flush_s, study)
        return dict(what_if_study(watched, seen, faster))["rbd-write"][0]

    assert said(2e-3).interval.low < 8 / 2.06 < said(2e-3).interval.high
    assert 2.5 < said(2e-3).ratio < 8
    assert said(0.5e-3).interval.low < 8 / 6.56 < said(0.5e-3).interval.high
    assert said(0.5e-3).ratio < 2


def test_small_reads_that_waited_for_a_drive_tell_its_latency(study: Study) -> None:
    cell = summary("rbd-read", Layer.RBD, Operation.RANDREAD, 100.0).cell

    def told(seconds: float, events: float, sandbox: str | None = None) -> Facts:
        segment = a_segment(
            cell="rbd-read", seconds=1.0, counters={READ_WAIT_AIO_LAT.name: seconds, READ_WAIT_AIO_LAT.events: events}
        )
        return facts_of(replace(study, cells=(cell,), segments=(segment,), sandbox=sandbox))[0]

    assert told(230e-6, 1900.0).device_read_latency_us == pytest.approx(230)
    assert told(230e-6, 3.0).device_read_latency_us is None, "a few cold reads beside a cache"
    assert told(8e-3, 100.0, "lab").osd_device_class == "hdd", "a modelled disk does not say that it turns"
    assert told(8e-3, 100.0).osd_device_class is None


def test_large_reads_that_wait_for_drives_all_the_time_are_what_the_drives_deliver(study: Study) -> None:
    """5 reads of 4 MiB a second, of which six wait at the three drives all the time: 7 MB/s a drive, whatever a data
    sheet says. Flash will do better; and reads that hardly wait say nothing of the drives."""
    cell = replace(
        summary("rados-4m-rand", Layer.RADOS, Operation.RANDREAD, 5.0, queue_depth=16),
        cell=Cell(
            name="rados-4m-rand", title="",
            conditions=Conditions(
                layer=Layer.RADOS, tool="rados", op=Operation.RANDREAD, block_bytes=4 << 20, queue_depth=16
            ),
        ),
    )  # fmt: skip

    def said(waited_s: float) -> Gain:
        segment = a_segment(
            cell="rados-4m-rand",
            seconds=1.0,
            counters={READ_WAIT_AIO_LAT.name: waited_s, READ_WAIT_AIO_LAT.events: 50.0},
        )
        watched = replace(study, cells=(cell.cell,), segments=(segment,), sandbox="lab")
        flash = parse_changes(['drive = "Samsung PM893 3.84TB"'])
        return dict(what_if_study(watched, Summaries(cells=(cell,)), flash))["rados-4m-rand"][0]

    assert said(1.2).ratio > 10
    assert said(0.2).ratio < 5


def test_hosts_of_a_sandbox_share_one_machine(study: Study) -> None:
    def threads(there: Study, *changes: str) -> float:
        facts = apply(facts_of(there)[0], parse_changes(changes))
        setting, _ = fill(apply_workload(facts, "4k-randread-qd32-xall"))
        return float(setting.threads_per_host * setting.nodes)

    sandbox = replace(study, sandbox="lab", notes=("round trip client1 -> h1: 750 µs (least 400 µs)",))
    assert facts_of(sandbox)[0].rtt_us == 750.0
    assert threads(sandbox, "nodes = 6") == pytest.approx(threads(sandbox))
    assert threads(study, "nodes = 6") == pytest.approx(2 * threads(study))


def test_how_sure_a_cell_is_goes_with_its_rate() -> None:
    cell = replace(summary("rbd", Layer.RBD, Operation.RANDREAD, 100.0), iops=Estimate(100.0, Interval(50.0, 150.0)))
    (seen,) = measured_cells(Summaries(cells=(cell,)))
    assert seen.rate == 100.0
    assert seen.error == pytest.approx(0.5 / 1.96)


def test_a_rate_at_an_unknown_depth_tells_nothing_of_the_drive() -> None:
    cell = summary("disk", Layer.DISK, Operation.RANDREAD, 98_000.0)
    untold = replace(cell, cell=replace(cell.cell, conditions=replace(cell.cell.conditions, depth_told=False)))
    assert [seen.rate for seen in measured_cells(Summaries(cells=(cell, untold)))] == [98_000.0]


def test_what_hosts_say_of_sleep_and_drives_is_believed(study: Study) -> None:
    drives = tuple(DeviceFacts(path=f"/dev/sd{i}", used_for="osd", model="Samsung PM9A3 3.84TB") for i in range(3))
    awake = tuple(replace(host, deepest_cstate_latency_s=1e-6) for host in study.environment.hosts)
    told = facts_of(replace(study, environment=replace(study.environment, devices=drives, hosts=awake)))[0]
    assert told.power_saving is False
    assert told.osd_device_model == "Samsung PM9A3 3.84TB"
    mixed = (*drives, DeviceFacts(path="/dev/sdx", used_for="osd", model="Samsung 980 1TB"))
    assert facts_of(replace(study, environment=replace(study.environment, devices=mixed)))[0].osd_device_model is None


def _large(name: str, op: Operation, bytes_per_s: float) -> CellSummary:
    conditions = Conditions(layer=Layer.RADOS, tool="rados", op=op, block_bytes=4 << 20, queue_depth=16)
    cell = Cell(name=name, title=name, conditions=conditions)
    rate = Estimate(bytes_per_s / (4 << 20), NOTHING)
    return CellSummary(cell=cell, iops=rate, bandwidth_bytes_per_s=Estimate(bytes_per_s, NOTHING), latency=NOTHING)
