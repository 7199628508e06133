"""A made-up study with everything a report can show. No number in it was measured.

Three hosts with six SATA SSDs behind 10 Gbit/s, 26 cells, four rounds; one cell wide, one doubtful, one invalid,
one failed. Everything is computed from formulas and a fixed seed, so that goldens stay what they are.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace

from radoscope.explain.finding import Finding, Severity
from radoscope.records.conditions import Conditions, Layer, Sync
from radoscope.records.conditions import Operation as Op
from radoscope.records.environment import ClusterFacts, DeviceFacts, Environment, HostFacts, PoolFacts
from radoscope.records.measurement import PERCENTILES, Histogram, Series
from radoscope.records.study import Cell, Outcome, Segment, Study
from radoscope.report.material import CELLS, Face, Material
from radoscope.stats.values import CellSummary, Estimate, Interval, LatencySummary, Summaries, Undecided

START_S = 1_773_480_360.0
ROUNDS = 4
SEGMENT_S = 9
KIB, MIB = 2**10, 2**20


@dataclass(frozen=True)
class Wanted:
    """What a cell shall look like: mean IOPS, median latency and its spread (sigma of the logarithm)."""

    cell: Cell
    iops: float
    median_s: float
    sigma: float = 0.25
    half_width: float = 0.03
    histogram: bool = True
    sync_median_s: float | None = None
    precise: bool = True
    failed: bool = False


def make_study() -> Study:
    wanted = all_wanted()
    return Study(
        id="20260314-0926-pve-b",
        plan="standard",
        target="Cluster pve-b: 3 hosts, 6 SATA SSDs, 10 Gbit/s (made-up example)",
        created_at_s=START_S,
        cells=tuple(want.cell for want in wanted),
        segments=tuple(_segments(wanted)),
        environment=make_environment(),
        radoscope_version="0.1.0",
        seconds=ROUNDS * len(wanted) * (SEGMENT_S + 2.0),
    )


def make_summaries() -> Summaries:
    wanted = all_wanted()
    return Summaries(
        cells=tuple(_summary(index, want, len(wanted)) for index, want in enumerate(wanted)),
        host_drift=_estimate(0.021, 0.3),
    )


def make_findings() -> tuple[Finding, ...]:
    return (
        Finding(
            rule="doubtful_mtu",
            severity=Severity.DOUBTFUL,
            claim="Jumbo frames do not get through: the path carries 1500 bytes although both ends say 9000.",
            because=("`ping -M do -s 8972` lost 10 of 10 packets", "the NICs of pve-b1 and pve-b2 have MTU 9000"),
            cells=("net-send",),
            unless="the path was meant to carry 1500 bytes",
            try_next="ping -M do -s 8972 -c 5 10.10.1.12",
        ),
        Finding(
            rule="unwritten_reads",
            severity=Severity.INVALID,
            claim="These reads never reached a disk: the image was not written before it was read.",
            because=(
                "6.2 GiB were read, 0.3 GiB of the image exist",
                "a read takes less than the network's round trip",
            ),
            cells=("rbd-4k-qd1-seqread",),
            try_next="radoscope study --plan standard --only rbd-4k-qd1-seqread --prefill",
        ),
        Finding(
            rule="commit_latency",
            claim="Of one 4K write most time passes inside the OSDs, not on the disk and not on the network.",
            because=(
                "RADOS answers a 4K write in 0.64 ms; disk and two round trips add up to 0.19 ms",
                "the OSDs' own commit latency was 0.52 ms at the median",
            ),
            cells=("rados-4k-qd1-write", "rbd-4k-qd1-randwrite"),
            unless="the OSDs' disks are slower than the one that was measured",
            try_next="Compare the CPU's power states: `cpupower idle-set -D 1`, then `radoscope ab`.",
        ),
    )


def make_material(study: Study | None = None, face: Face = CELLS) -> Material:
    """All of it, or the same seen of another study."""
    return Material(study or make_study(), make_summaries(), make_findings(), face)


def make_environment() -> Environment:
    gib = 2**30
    hosts = tuple(
        HostFacts(
            name=f"pve-b{n}",
            role="client+osd" if n == 1 else "osd",
            kernel="6.8.12-9-pve",
            os="Debian GNU/Linux 12 (bookworm)",
            cpu_model="AMD Ryzen 7 PRO 8700GE",
            cpu_threads=16,
            memory_bytes=64 * gib,
            cpu_governor="performance",
            deepest_cstate_latency_s=350e-6,
        )
        for n in (1, 2, 3)
    )
    device = DeviceFacts(
        path="/var/lib/radoscope/disk.bin",
        used_for="disk layer",
        kind="file",
        model="on /dev/sda, INTEL SSDSC2KB038T7",
        size_bytes=4 * gib,
        rotational=False,
        write_cache="write through",
        scheduler="mq-deadline",
    )
    osd = replace(
        device, path="/dev/sda", used_for="osd.0", kind="device", model="INTEL SSDSC2KB038T7", size_bytes=3576 * gib
    )
    cluster = ClusterFacts(
        fsid="6c0a8f9e-3b1d-4a52-9f6e-0d2b7c41e5a8",
        health="HEALTH_WARN",
        health_checks=("BLUEFS_SPILLOVER: 1 OSD(s) experiencing BlueFS spillover",),
        version="19.2.1 squid",
        versions={"mon": {"19.2.1": 3}, "osd": {"19.2.1": 5, "19.2.0": 1}},
        mons=3,
        osds=6,
        osds_up=6,
        osds_in=6,
        hosts=3,
        total_bytes=21 * 2**40,
        used_bytes=4 * 2**40,
        device_classes={"ssd": 6},
        pool=PoolFacts(name="radoscope-b7f2", size=3, min_size=2, pg_num=128, crush_rule="replicated_rule", own=True),
        changed_options={"osd_memory_target": "6442450944"},
    )
    return Environment(
        hosts=hosts,
        devices=(device, osd),
        cluster=cluster,
        tools={"fio": "fio-3.33", "iperf3": "3.12", "rados": "19.2.1"},
        notes=("the write cache of /dev/sda on pve-b3: smartctl is not installed there",),
    )


def all_wanted() -> tuple[Wanted, ...]:
    return (*_disk(), *_network(), *_rados(), *_rbd(), *_images())


def _disk() -> tuple[Wanted, ...]:
    where = "a file on /var/lib/radoscope (ext4 on /dev/sda)"

    def cell(name: str, title: str, op: Op, block: int, depth: int, sync: Sync = Sync.NONE) -> Cell:
        return _cell(Layer.DISK, "fio", name, title, op, block, depth, where, sync=sync)

    return (
        Wanted(cell("disk-4k-fsync", "4K random write, fsync", Op.RANDWRITE, 4 * KIB, 1, Sync.FSYNC), 14_300,
               14e-6, 0.2, 0.012, sync_median_s=54e-6),
        Wanted(cell("disk-4k-sync", "4K write, O_SYNC", Op.WRITE, 4 * KIB, 1, Sync.OSYNC), 15_800, 61e-6, 0.15, 0.008),
        Wanted(cell("disk-4k-qd1-randread", "4K random read", Op.RANDREAD, 4 * KIB, 1), 9_100, 106e-6, 0.18, 0.011),
        Wanted(cell("disk-4k-qd32-randread", "4K random read, deep", Op.RANDREAD, 4 * KIB, 32), 68_400, 450e-6, 0.3,
               0.015),
        Wanted(cell("disk-1m-read", "1M read", Op.READ, MIB, 8), 528, 15e-3, 0.1, 0.006),
        Wanted(cell("disk-1m-write", "1M write", Op.WRITE, MIB, 8), 466, 17e-3, 0.12, 0.009),
    )  # fmt: skip


def _network() -> tuple[Wanted, ...]:
    where = "pve-b1 to pve-b2, 10 Gbit/s"
    return (
        Wanted(_cell(Layer.NETWORK, "ping", "net-rtt", "Round trip", Op.RTT, 56, 1, where), 0, 62e-6, 0.2, 0.02,
               histogram=False),
        Wanted(_cell(Layer.NETWORK, "iperf3", "net-send", "Stream", Op.SEND, None, 1, where), 0, 0, 0, 0.003,
               histogram=False),
    )  # fmt: skip


def _rados() -> tuple[Wanted, ...]:
    def cell(name: str, title: str, op: Op, block: int, depth: int) -> Cell:
        return _cell(Layer.RADOS, "rados_bench", name, title, op, block, depth, "pool radoscope-b7f2")

    return (
        Wanted(cell("rados-4m-write", "4M write", Op.WRITE, 4 * MIB, 16), 112, 0.140, 0.3, 0.021,
               histogram=False),
        Wanted(cell("rados-4m-seq", "4M sequential read", Op.READ, 4 * MIB, 16), 251, 0.062, 0.2, 0.018,
               histogram=False),
        Wanted(cell("rados-4m-rand", "4M random read", Op.RANDREAD, 4 * MIB, 16), 246, 0.063, 0.2, 0.024,
               histogram=False),
        Wanted(cell("rados-4k-qd1-write", "4K write", Op.WRITE, 4 * KIB, 1), 1_550, 0.62e-3, 0.25, 0.034,
               histogram=False),
        Wanted(cell("rados-4k-qd16-write", "4K write, 16 in flight", Op.WRITE, 4 * KIB, 16), 13_200, 1.1e-3, 0.4, 0.041,
               histogram=False),
        Wanted(cell("rados-4k-qd1-rand", "4K random read", Op.RANDREAD, 4 * KIB, 1), 3_720, 0.26e-3, 0.2, 0.026,
               histogram=False),
        Wanted(cell("rados-4k-qd16-rand", "4K random read, 16 in flight", Op.RANDREAD, 4 * KIB, 16), 34_800, 0.44e-3,
               0.3, 0.03, histogram=False, failed=True),
    )  # fmt: skip


def _rbd() -> tuple[Wanted, ...]:
    def cell(name: str, title: str, op: Op, block: int, depth: int) -> Cell:
        return _cell(Layer.RBD, "fio", name, title, op, block, depth, "pool radoscope-b7f2, image r-0")

    return (
        Wanted(cell("rbd-4m-write", "4M write", Op.WRITE, 4 * MIB, 16), 104, 0.150, 0.3, 0.028),
        Wanted(cell("rbd-4m-read", "4M read", Op.READ, 4 * MIB, 16), 238, 0.066, 0.2, 0.017),
        Wanted(cell("rbd-4k-qd1-randwrite", "4K random write", Op.RANDWRITE, 4 * KIB, 1), 1_391, 0.68e-3, 0.3, 0.031),
        Wanted(cell("rbd-4k-qd128-randwrite", "4K random write, deep", Op.RANDWRITE, 4 * KIB, 128), 33_096, 3.4e-3, 0.5,
               0.092, precise=False),
        Wanted(cell("rbd-4k-qd1-randread", "4K random read", Op.RANDREAD, 4 * KIB, 1), 3_310, 0.29e-3, 0.22, 0.024),
        Wanted(cell("rbd-4k-qd128-randread", "4K random read, deep", Op.RANDREAD, 4 * KIB, 128), 78_900, 1.5e-3, 0.35,
               0.036),
        Wanted(cell("rbd-4k-qd1-seqread", "4K sequential read", Op.READ, 4 * KIB, 1), 41_200, 22e-6, 0.1, 0.02),
    )  # fmt: skip


def _images() -> tuple[Wanted, ...]:
    rates = {1: (1_391, 0.68e-3), 2: (2_690, 0.70e-3), 4: (5_010, 0.75e-3), 8: (8_840, 0.85e-3)}
    return tuple(
        Wanted(_cell(Layer.RBD, "fio", f"rbd-n{n}", f"4K random write, n = {n}", Op.RANDWRITE, 4 * KIB, 1,
                     f"pool radoscope-b7f2, {n} image{'s' if n > 1 else ''}", clients=n), iops, median, 0.3,
               0.02 + 0.003 * n)
        for n, (iops, median) in rates.items()
    )  # fmt: skip


def _cell(layer: Layer, tool: str, name: str, title: str, op: Op, block: int | None, depth: int, where: str, *,
          sync: Sync = Sync.NONE, clients: int = 1) -> Cell:  # fmt: skip
    conditions = Conditions(
        layer=layer, tool=tool, op=op, block_bytes=block, queue_depth=depth, clients=clients, sync=sync
    )
    return Cell(name=name, title=title, conditions=conditions, where=where)


def _summary(index: int, want: Wanted, cells: int) -> CellSummary:
    name = want.cell.name
    if want.failed:
        missing = Undecided("no segment gave a result", "a cluster that answers")
        return CellSummary(
            cell=want.cell, iops=missing, bandwidth_bytes_per_s=missing, latency=missing, failed=ROUNDS, seconds=44
        )
    block = want.cell.conditions.block_bytes or 0
    bandwidth = 1.167e9 if name == "net-send" else want.iops * block
    series = _series(index, want, cells, bandwidth)
    clients = want.cell.conditions.clients
    return CellSummary(
        cell=want.cell,
        iops=_estimate(want.iops, want.half_width) if want.iops else Undecided("this tool counts no I/Os"),
        bandwidth_bytes_per_s=_estimate(bandwidth, want.half_width)
        if bandwidth
        else Undecided("this tool moves no data"),
        latency=_latency(want) if want.median_s else Undecided("a stream has no latency of single I/Os"),
        sync=_latency(replace(want, median_s=want.sync_median_s)) if want.sync_median_s else None,
        segments=ROUNDS,
        seconds=ROUNDS * (SEGMENT_S + 2.0),
        measured_s=ROUNDS * SEGMENT_S,
        precise=want.precise,
        needs="" if want.precise else "about 9 more rounds, 100 s",
        series=series,
        per_client_iops=tuple(want.iops / clients * (0.97 + 0.06 * c / max(clients - 1, 1)) for c in range(clients)),
    )


def _estimate(value: float, relative: float) -> Estimate:
    half = abs(value) * relative
    return Estimate(value, Interval(value - half, value + half), ROUNDS, "t, between segments")


def _latency(want: Wanted) -> LatencySummary:
    mean = want.median_s * math.exp(want.sigma**2 / 2)
    histogram = _histogram(want.median_s, want.sigma, round(max(want.iops, 1) * ROUNDS * SEGMENT_S))
    if not want.histogram:
        missing = Undecided("rados bench and ping report no distribution")
        return LatencySummary(
            min_s=want.median_s * 0.4, mean_s=_estimate(mean, want.half_width), max_s=want.median_s * 9,
            percentiles_s=dict.fromkeys(PERCENTILES, missing) if want.iops else {},
        )  # fmt: skip
    filled = [value for value, count in zip(histogram.values_s, histogram.counts, strict=True) if count]
    return LatencySummary(
        min_s=filled[0],
        mean_s=_estimate(mean, want.half_width),
        max_s=filled[-1],
        percentiles_s={p: _percentile(want, histogram, p) for p in PERCENTILES},
        histogram=histogram,
    )


def _percentile(want: Wanted, histogram: Histogram, percent: float) -> Estimate | Undecided:
    beyond = histogram.total * (1 - percent / 100)
    if beyond < 10:
        return Undecided(f"only {beyond:.0f} slower I/Os were seen; at least 10 are needed")
    seen = 0
    for value, count in zip(histogram.values_s, histogram.counts, strict=True):
        seen += count
        if seen >= histogram.total * percent / 100:
            return _estimate(value, want.half_width * (1 + 1 / math.sqrt(beyond)))
    raise AssertionError("the counts of a histogram add up to its total")


def _histogram(median_s: float, sigma: float, total: int) -> Histogram:
    """Mostly log-normal, with one I/O in 300 some ten times slower, as flushes and compactions make it."""
    if not median_s:
        return Histogram((), ())
    values = tuple(median_s * 2 ** (step / 16) for step in range(-32, 96))

    def below(latency: float) -> float:
        body = 0.5 * (1 + math.erf(math.log(latency / median_s) / sigma / math.sqrt(2)))
        tail = 0.5 * (1 + math.erf(math.log(latency / (10 * median_s)) / 0.5 / math.sqrt(2)))
        return (299 * body + tail) / 300

    edges = [below(value * 2 ** (1 / 32)) for value in values]
    counts = [round(total * (edge - before)) for before, edge in zip([0.0, *edges], edges, strict=False)]
    return Histogram(values, tuple(counts))


def _series(index: int, want: Wanted, cells: int, bandwidth: float) -> tuple[Series, ...]:
    large = (want.cell.conditions.block_bytes or MIB) >= MIB
    mean, name, unit = (bandwidth, "bandwidth_bytes_per_s", "bytes/s") if large else (want.iops, "iops", "1/s")
    if not mean:
        return ()
    chance = random.Random(index)
    times, values, level = [], [], 0.0
    for number in range(ROUNDS):
        begin = _begin(number, index, cells) + 2
        shift = chance.gauss(0, want.half_width)
        for second in range(SEGMENT_S):
            level = 0.8 * level + chance.gauss(0, 0.03)
            times.append(begin + second)
            values.append(round(mean * max(0.05, 1 + shift + level), 1))
    return (Series(name, unit, tuple(times), tuple(values), absolute=True),)


def _begin(number: int, index: int, cells: int) -> float:
    """Cells take turns in another order each round."""
    order = list(range(cells))
    random.Random(1000 + number).shuffle(order)
    return START_S + (number * cells + order.index(index)) * (SEGMENT_S + 2.0)


def _segments(wanted: tuple[Wanted, ...]) -> list[Segment]:
    chance = random.Random(7)
    segments = []
    for number in range(ROUNDS):
        for index, want in enumerate(wanted):
            segments.append(
                Segment(
                    cell=want.cell.name,
                    round=number,
                    outcome=Outcome.FAILED if want.failed else Outcome.DONE,
                    started_at_s=_begin(number, index, len(wanted)),
                    seconds=SEGMENT_S + 2.0,
                    commands=_commands(want.cell),
                    raw_files=(f"raw/{want.cell.name}/round-{number}.out",),
                    problem="rados bench found no objects to read: the pool was empty" if want.failed else "",
                    host_speed=2.4e6 * (1 + 0.02 * math.sin(number * 26 + index) + chance.gauss(0, 0.004)),
                )
            )
    return segments


def _commands(cell: Cell) -> tuple[tuple[str, ...], ...]:
    c = cell.conditions
    if c.tool == "ping":
        return (("ping", "-c", "50", "-i", "0.2", "-s", "56", "10.10.1.12"),)
    if c.tool == "iperf3":
        return (("iperf3", "-c", "10.10.1.12", "-t", str(SEGMENT_S), "-J"),)
    if c.tool == "rados_bench":
        verb = {Op.WRITE: "write", Op.READ: "seq"}.get(c.op, "rand")
        return (("rados", "bench", str(SEGMENT_S), verb, "-p", "radoscope-b7f2", "-t", str(c.queue_depth)),)
    engine = ("--ioengine=libaio", "--filename=/var/lib/radoscope/disk.bin")
    return tuple(
        ("fio", f"--name={cell.name}", f"--rw={c.op.value}", f"--bs={c.block_bytes}", f"--iodepth={c.queue_depth}",
         *(engine if c.layer is Layer.DISK else ("--ioengine=rbd", "--pool=radoscope-b7f2", f"--rbdname=r-{client}")),
         "--direct=1", "--output-format=json+")
        for client in range(c.clients)
    )  # fmt: skip
