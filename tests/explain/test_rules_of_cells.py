"""Every rule about a cell: a study in which it fires, one in which it must not, one that lacks the facts."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Unchecked
from radoscope.explain.rules import RULES
from radoscope.records.environment import GuestFacts, HostFacts, ImageFacts, LinkFacts, OsdFacts, PoolFacts
from radoscope.records.measurement import Histogram, Latency, Result, Series
from radoscope.records.study import Outcome, Segment
from radoscope.records.telemetry import CLIENT_MESSAGES_REFUSED, REPLICAS_REFUSED, SlowOp
from radoscope.stats.values import Undecided

from .build import ENVIRONMENT, FIO_DISK, FIO_RBD, Told, ask_cell, ask_environment, cell, cluster, segment, summary

READ = cell("rbd", "randread")
WRITE = cell("rbd", "randwrite")
DISK_READ = cell("disk", "randread")
RADOS_WRITE = cell("rados", "write", tool="rados-bench")
RADOS_READ = cell("rados", "read", tool="rados-bench", depth=16, block=4 << 20)
PING = cell("network", "rtt", tool="ping", block=None)
IPERF = cell("network", "recv", tool="iperf3", block=None)
BYTES_READ = 2000 * 4096.0


def one(of: Any, **fields: Any) -> Told:
    return Told(cells=(of,), segments=(segment(of, **fields),))


def with_telemetry(of: Any, name: str, *values: float) -> Told:
    return one(of, telemetry={name: values})


def in_guest(accelerator: str) -> Told:
    guest = GuestFacts(accelerator=accelerator, why="this host has no /dev/kvm")
    return replace(one(cell("guest")), environment=replace(ENVIRONMENT, guest=guest))


def slow_osd(*latencies: float) -> Told:
    osds = {n: {"osd.op_w_latency_s": latency} for n, latency in enumerate(latencies)}
    return Told(cells=(WRITE,), segments=tuple(segment(WRITE, round=r, osd_counters=osds) for r in range(3)))


def beside_network(of: Any, latency_s: float, trip_s: float) -> Told:
    return Told(
        summaries=(summary(of, latency_s=latency_s), summary(PING, latency_s=trip_s)),
        segments=(segment(of, counters={"osd.op_r_out_bytes": BYTES_READ, "osd.op_w": 2000.0}),),
    )


def through_nic(
    *rates: float,
    iperf: float | None = 1e9,
    links: tuple[LinkFacts, ...] = (),
    iops: float | None = None,
    seconds: float = 2.0,
) -> Told:
    """One segment a rate, with the bytes received each second; an I/O takes 160 ms, of which the store takes 8."""
    asked = iops or max(100.0, max(rates) / 2**22)
    others = (summary(IPERF, bandwidth=iperf),) if iperf else ()
    counters = {"osd.op_r_latency_s": 9e-3, "bluestore.read_lat_s": 8e-3}
    return Told(
        summaries=(summary(RADOS_READ, iops=asked, latency_s=0.16), *others),
        segments=tuple(
            segment(
                RADOS_READ,
                iops=asked,
                latency_s=0.16,
                seconds=seconds,
                counters=counters,
                telemetry={"nic_received_bytes.eth0": (0.0, rate)},
            )
            for rate in rates
        ),
        environment=replace(ENVIRONMENT, links=links),
    )


def queued_at(osd: int, *, groups: int, wait_s: float = 12e-3, others: float = 50.0) -> Told:
    """16 in flight, 16 ms each; one of three OSDs gets nearly all reads, and they wait in its queue."""
    deep = cell("rbd", "randread", depth=16)
    osds = {
        number: {"osd.op_r": 1900.0 if number == osd else others, "osd.op_before_dequeue_op_lat_s": wait_s}
        for number in range(3)
    }
    pool = cluster(pool=PoolFacts(name="p", size=3, pg_num=groups))
    segments = tuple(segment(deep, round=number, osd_counters=osds) for number in range(2))
    return Told(cells=(deep,), segments=segments, environment=pool)


def flushing(flush_s: float) -> Told:
    each = {"bluestore.kv_flush_lat_s": flush_s, "bluestore.kv_commit_lat_s": 2 * flush_s}
    counters = {"bluestore.kv_sync_lat_s": 3 * flush_s}
    osds = dict.fromkeys(range(3), each)
    return Told(
        cells=(WRITE,), segments=(segment(WRITE, iops=1 / (4 * flush_s), counters=counters, osd_counters=osds),)
    )


def waiting_for_cores(*waits: float) -> Told:
    """Each OSD's threads wait so long a second; a write of 1 ms takes the first 0.5 ms longer in its store."""
    osds = {osd: {"bluestore.commit_lat_s": 0.9e-3 if osd == 0 else 0.4e-3} for osd in range(len(waits))}
    telemetry = {f"osd_cpu_wait.{osd}": (wait, wait) for osd, wait in enumerate(waits)}
    telemetry |= {f"osd_cpu.{osd}": (0.2, 0.2) for osd in range(len(waits))}
    segments = tuple(segment(WRITE, round=n, osd_counters=osds, telemetry=telemetry) for n in range(3))
    hosts = (HostFacts(name="h1", role="osd", cpu_threads=8),)
    return Told(cells=(WRITE,), segments=segments, environment=replace(ENVIRONMENT, hosts=hosts))


def believing(capacity: str, wait_s: float) -> Told:
    counters = {"osd.op_before_dequeue_op_lat_s": wait_s}
    told = one(WRITE, iops=100.0, counters=counters)
    options = {"osd_mclock_max_capacity_iops_ssd": capacity, "osd_mclock_scheduler_client_lim": "4"}
    return replace(told, environment=cluster(each_osd=(OsdFacts(id=0, options=options),)))


def missing_onodes(missed: float, seconds: float) -> Told:
    counters = {"bluestore.onode_hits": 1000 - missed, "bluestore.onode_misses": missed}
    return one(READ, iops=500.0, counters={**counters, "bluestore.read_onode_meta_lat_s": seconds})


def with_options(**options: str) -> Told:
    return replace(one(WRITE), environment=cluster(each_osd=(OsdFacts(id=0, options=options),)))


def outside(of: Any, options: dict[str, str], *rates: float, inside_s: float = 1e-3, **more: Any) -> Told:
    """Segments of these rates, of whose time all but a millisecond passes outside the OSDs."""
    counters = {"osd.op_r_latency_s": inside_s, "osd.op_w_latency_s": inside_s}
    segments = tuple(segment(of, round=n, iops=rate, counters=counters) for n, rate in enumerate(rates))
    return Told(cells=(of,), segments=segments, environment=cluster(changed_options=options), **more)


def slow_by(options: dict[str, str], of: Any = WRITE, **counters: float) -> Told:
    told = one(of, iops=20.0, counters=counters, osd_counters={0: {"throttle.client_messages": 900.0}})
    return replace(told, environment=cluster(each_osd=(OsdFacts(id=0, options=options),)))


NAGLE = {"osd.op_w_latency_s": 49e-3, "osd.op_w_process_latency_s": 48e-3, "bluestore.commit_lat_s": 2e-3}
REFUSED = {"osd.op_w_latency_s": 5e-3, "osd.op_w": 40.0}


def on_hosts(used: float, threads: int | None) -> Told:
    hosts = (HostFacts(name="h1", role="osd", cpu_threads=threads),)
    told = with_telemetry(WRITE, "osd_cpu.0", used, used)
    return replace(told, environment=replace(ENVIRONMENT, hosts=hosts))


def compressing(mode: str, of: Any = RADOS_WRITE) -> Told:
    return replace(one(of), environment=cluster(pool=PoolFacts(name="p", size=3, compression=mode)))


def measured(**fields: Any) -> Told:
    return Told(summaries=(summary(WRITE, **fields),), segments=(segment(WRITE),))


def without_latency() -> Told:
    bare = segment(WRITE)
    return Told(cells=(WRITE,), segments=(replace(bare, results=(replace(bare.results[0], latency=None),)),))


def tailed(late_s: float, *slow: SlowOp) -> Told:
    """The median is 1 ms."""
    latency = Latency(mean_s=1e-3, percentiles_s={50.0: 1e-3, 99.9: late_s})
    return one(WRITE, slowest=slow, latency=latency)


def late(osd: int, at_s: float, stretch: str = "own store", *, replica: bool = False) -> SlowOp:
    return SlowOp(osd, replica, at_s, 0.1, (("queue", 0.01), (stretch, 0.09)))


AT_ONE = tuple(late(2, at_s) for at_s in (1.0, 6.0, 11.0, 16.0))


def streaming(rate: float, *waits_s: float, cores: float = 0.2) -> Told:
    """Reads of 4M, 8 in flight; each OSD waits so long for its drive, and its threads so long for a core."""
    deep = cell("rbd", "read", block=4 << 20, depth=8)
    osds = {osd: {"bluestore.read_wait_aio_lat_s": wait} for osd, wait in enumerate(waits_s)}
    counters = {"osd.op_r_latency_s": 1.1 * max(waits_s), "osd.op_r_process_latency_s": max(waits_s)}
    waiting = {f"osd_cpu_wait.{osd}": (cores, cores) for osd in range(len(waits_s))}
    fields: dict[str, Any] = {"counters": counters, "osd_counters": osds, "telemetry": waiting}
    segments = tuple(segment(deep, round=number, iops=rate, **fields) for number in range(2))
    return Told(summaries=(summary(deep, iops=rate),), segments=segments)


LARGE = cell("rbd", "write", block=4 << 20, depth=8)


def with_osds(up: int, rate: float = 20.0) -> Told:
    """What `streaming` has, where so many of five OSDs are up."""
    return replace(streaming(rate, 0.2, 0.21, 0.22), environment=cluster(osds=5, osds_up=up, osds_in=up))


def stopping(*longest_s: float) -> Told:
    """Small reads one at a time, 0.5 ms each, and in each segment of 2 s one that takes so long."""
    found = [segment(READ, round=number, iops=2000.0) for number, _ in enumerate(longest_s)]
    return Told(
        cells=(READ,),
        segments=tuple(
            replace(one, results=tuple(with_longest(each, most) for each in one.results))
            for one, most in zip(found, longest_s, strict=True)
        ),
    )


def with_longest(result: Result, seconds: float) -> Result:
    return replace(result, latency=Latency(mean_s=0.5e-3, max_s=seconds), runtime_s=2.0)


def copied(size: int) -> Told:
    """Large writes, all but 50 ms of which pass in stores and for replicas of a pool of so many copies."""
    return replace(on_the_way(3.8), environment=cluster(pool=PoolFacts(name="p", size=size)))


def in_pieces(of_bytes: int, *more_bytes: int, image: ImageFacts | None = None) -> Told:
    """60 writes of 4 MiB at most a segment, as operations of so many bytes each."""
    segments = []
    for number, piece in enumerate((of_bytes, *(more_bytes or (of_bytes,)))):
        moved = 60.0 * (4 << 20)
        counters = {"osd.op_r": 0.0, "osd.op_w": moved / piece, "osd.op_r_out_bytes": 0.0, "osd.op_w_in_bytes": moved}
        counters |= {"osd.op_w_latency_s": 0.1, "osd.op_w_process_latency_s": 0.1}
        segments.append(segment(LARGE, round=number, iops=20.0, counters=counters))
    return Told(cells=(LARGE,), segments=tuple(segments), environment=replace(ENVIRONMENT, image=image))


def on_the_way(replica_s: float, waiting: float = 0.2, *, osds_seen: bool = True) -> Told:
    """A write of 4 MiB takes 4 s, of which 3.8 s pass between the primary's own commit and its replicas' answers.

    osds_seen: whether it is known what OSDs compute, which through ssh it is not.
    """
    counters = {"osd.op_w_latency_s": 3.9, "osd.op_w_process_latency_s": 3.85, "bluestore.commit_lat_s": 0.05}
    counters |= {"osd.subop_w_latency_s": replica_s}
    telemetry = {"client_cpu": (0.02, 0.02)}
    if osds_seen:
        telemetry |= {"osd_cpu.0": (0.1, 0.1), "osd_cpu_wait.0": (waiting, waiting)}
    segments = tuple(segment(LARGE, round=n, iops=2.0, counters=counters, telemetry=telemetry) for n in range(2))
    return Told(cells=(LARGE,), segments=segments)


def coded(block: int, way_s: float = 3e-3) -> Told:
    """Writes into two parts and a parity of 4 KiB each; so long passes after the primary's own commit."""
    of = cell("rbd", "randwrite", block=block)
    counters = {"osd.op_w_latency_s": 1e-3 + way_s, "osd.op_w_process_latency_s": 1e-3 + way_s}
    pool = PoolFacts(name="p", size=3, erasure_profile="parts", stripe_bytes=8192)
    told = one(of, iops=200.0, counters=counters | {"bluestore.commit_lat_s": 0.9e-3})
    return replace(told, environment=cluster(pool=pool))


def benched(
    transactions: float, commit_s: float, more: dict[str, float] | None = None, *, rounds: int = 2, writes: float = 0.0
) -> Told:
    """Reads one at a time; osd.1 commits so many transactions in each of the segments of 2 s, and the others none."""
    osds = {osd: {"osd.op_r": 500.0, "osd.op_w": 0.0, "osd.op_rw": 0.0} for osd in range(3)}
    osds[1] |= {"bluestore.commit_lat_s": commit_s, "bluestore.commit_lat_s.events": transactions, **(more or {})}
    counters = {"osd.op_rw": 0.0, "osd.op_w": writes, "bluestore.commit_lat_s": commit_s}
    segments = tuple(segment(READ, round=n, counters=counters, osd_counters=osds) for n in range(rounds))
    return Told(cells=(READ,), segments=segments)


def between_loads(cores: float, ops: float = 1.0, *, full: float = 0.95, **beside: float) -> Told:
    """What three OSDs compute while the network is measured, and writes on the same host of two threads."""
    quiet = {f"osd_cpu.{osd}": (cores,) for osd in range(3)} | {name: (value,) for name, value in beside.items()}
    asked = {"osd.op_r": ops, "osd.op_w": 0.0, "bluestore.commit_lat_s.events": 0.0}
    busy = {"host_cpu": (full,), **{f"osd_cpu_wait.{osd}": (0.6,) for osd in range(3)}, "osd_cpu.0": (0.5,)}
    return Told(
        cells=(WRITE, PING),
        segments=(
            *(segment(PING, round=n, telemetry=quiet, counters=asked) for n in range(2)),
            *(segment(WRITE, round=n, iops=200.0, telemetry=busy) for n in range(2)),
        ),
        environment=replace(ENVIRONMENT, hosts=(HostFacts(name="h1", role="osd+client", cpu_threads=2),)),
    )


LOCKED = ImageFacts(object_bytes=4 << 20, features=("layering", "exclusive-lock"))


def handed_over(slowest_s: float, locks: float, image: ImageFacts = LOCKED, *slow: SlowOp) -> Told:
    """Writes of 4 ms for 2 s, the slowest of which took so long."""
    latency = Latency(mean_s=4e-3, max_s=slowest_s)
    told = one(WRITE, iops=250.0, counters={"osd.op_rw": locks}, latency=latency, slowest=slow)
    return replace(told, environment=replace(ENVIRONMENT, image=image))


def through_gateway(latency_s: float, in_osds_s: float = 0.3e-3, trip_s: float = 0.05e-3, up: int = 3) -> Told:
    """GETs of 4K, 16 in flight, each of which is one operation of an OSD, of which three are asked."""
    of = cell("s3", "randread", tool="s3-load", depth=16)
    iops = 16 / latency_s
    counters = {"osd.op_r_latency_s": in_osds_s, "osd.op_r_latency_s.events": 2 * iops}
    return Told(
        summaries=(summary(of, latency_s=latency_s), summary(PING, latency_s=trip_s)),
        segments=tuple(
            segment(of, round=n, iops=iops, latency_s=latency_s, counters=counters, osd_counters={0: {}, 1: {}, 2: {}})
            for n in range(2)
        ),
        environment=cluster(osds_up=up),
    )


FIRES = {
    "gateway": through_gateway(47e-3),
    "unasked-writes": benched(232.0, 40e-3),
    "unasked-cpu": between_loads(0.3),
    "pool-layout": coded(4096),
    "image-layout": in_pieces(64 << 10),
    "slow-transfers": on_the_way(0.6),
    "drive-bound": streaming(20.0, 0.2, 0.21, 0.22),
    "io-limit": outside(READ, {"client/rbd_qos_iops_limit": "60"}, 61.0, 59.0),
    "slow-options": slow_by({"ms_tcp_nodelay": "False"}, **NAGLE),
    "unwritten-reads": one(READ, counters={"osd.op_r_out_bytes": 0.0}),
    "cached-reads": one(READ, counters={"bluestore.buffer_hit_bytes": 9e6, "bluestore.buffer_miss_bytes": 1e6}),
    "cached-writes": one(WRITE, counters={"osd.op_w": 300.0}),
    "synchronous-engine": one(cell("disk", "randread", depth=32), commands=(("fio", "--ioengine=psync"),)),
    "littles-law": one(WRITE, iops=1000.0, latency_s=5e-3),
    "background-work": with_telemetry(WRITE, "recovery_ops", 0, 3, 3, 0),
    "scrub": with_telemetry(WRITE, "scrubbing_pgs", 0, 1, 1),
    "slow-ops": with_telemetry(WRITE, "slow_ops", 0, 2),
    "other-clients": with_telemetry(WRITE, "others_in_flight", 2, 0, 5),
    "too-short": measured(iops=Undecided("2 segments", "1 more segment"), precise=False),
    "ended-early": one(RADOS_READ, seconds=0.5, commands=(("rados", "bench", "10", "seq"),)),
    "memory": with_telemetry(WRITE, "mem_available_bytes", 9e7, 8e7),
    "compressible-data": compressing("aggressive"),
    "client-cpu": with_telemetry(WRITE, "client_cpu", 0.4, 0.97, 0.99, 0.98),
    "client-cpu-limit": with_telemetry(WRITE, "client_cpu_throttled", 0.7, 0.8),
    "network-full": through_nic(0.95e9),
    "uneven-load": queued_at(1, groups=1),
    "osds-missing": with_osds(3),
    "standstills": stopping(0.7, 0.71, 0.69),
    "many-copies": copied(6),
    "mclock": believing("21.5", 8e-3),
    "small-cache": missing_onodes(400, 1e-3),
    "secure-mode": with_options(ms_cluster_mode="secure crc"),
    "host-cpu": with_telemetry(WRITE, "host_cpu", 0.95, 0.99, 0.98),
    "osd-cpu": on_hosts(3.6, 4),
    "flush-bound": flushing(1.7e-3),
    "sick-osd": slow_osd(1e-3, 1.1e-3, 5e-3),
    "small-sequential-writes": one(cell("rbd", "write")),
    "first-writes": one(RADOS_WRITE),
    "small-area": one(WRITE, commands=((*FIO_RBD[:5], "--size=1048576"),)),
    "tail": tailed(0.12, *AT_ONE),
    "guest-emulated": in_guest("tcg"),
    "average-only": measured(percentiles=False),
    "no-latency": without_latency(),
    "failures": Told(cells=(WRITE,), segments=(segment(WRITE), segment(WRITE, outcome=Outcome.FAILED, problem="boom"))),
}

SILENT = {
    "gateway": through_gateway(9e-3),
    "unasked-writes": benched(232.0, 1e-3),
    "unasked-cpu": between_loads(0.02),
    "pool-layout": coded(16384),
    "image-layout": in_pieces(4 << 20),
    "slow-transfers": on_the_way(1.9),
    "drive-bound": streaming(400.0, 0.012, 0.012, 0.013),
    "io-limit": outside(READ, {"client/rbd_qos_iops_limit": "600"}, 61.0, 59.0),
    "slow-options": slow_by({"ms_tcp_nodelay": "True"}, **NAGLE),
    "unwritten-reads": beside_network(READ, 0.4e-3, 0.05e-3),
    "cached-reads": one(READ, counters={"bluestore.buffer_hit_bytes": 1e6, "bluestore.buffer_miss_bytes": 9e6}),
    "cached-writes": beside_network(WRITE, 0.9e-3, 0.05e-3),
    "synchronous-engine": one(cell("disk", "randread", depth=32), commands=(FIO_DISK,)),
    "littles-law": one(WRITE, iops=1000.0, latency_s=0.98e-3),
    "background-work": with_telemetry(WRITE, "pg_not_clean", 0, 0, 0),
    "scrub": with_telemetry(WRITE, "scrubbing_pgs", 0, 0),
    "slow-ops": with_telemetry(WRITE, "slow_ops", 0, 0),
    "other-clients": with_telemetry(WRITE, "others_in_flight", 0, 0, 1),
    "too-short": measured(),
    "ended-early": one(RADOS_READ, seconds=9.8, commands=(("rados", "bench", "10", "seq"),)),
    "memory": with_telemetry(WRITE, "mem_available_bytes", 4e9, 4e9),
    "compressible-data": compressing("none"),
    "client-cpu": with_telemetry(WRITE, "client_cpu", 0.2, 0.31, 0.3),
    "client-cpu-limit": with_telemetry(WRITE, "client_cpu_throttled", 0.0, 0.01),
    "network-full": through_nic(0.3e9),
    "uneven-load": queued_at(1, groups=1, wait_s=0.1e-3),
    "osds-missing": with_osds(5),
    "standstills": stopping(0.1, 0.7, 0.02),
    "many-copies": copied(3),
    "mclock": believing("21500", 8e-3),
    "small-cache": missing_onodes(4, 1e-3),
    "secure-mode": with_options(ms_cluster_mode="crc secure"),
    "host-cpu": with_telemetry(WRITE, "host_cpu", 0.5, 0.6),
    "osd-cpu": on_hosts(0.7, 4),
    "flush-bound": flushing(0.1e-3),
    "sick-osd": slow_osd(1e-3, 1.1e-3, 1.3e-3),
    "small-sequential-writes": one(cell("rbd", "write", block=4 << 20)),
    "first-writes": one(RADOS_WRITE, commands=(("rados", "bench", "10", "write", "--reuse-bench"),)),
    "small-area": one(WRITE),
    "tail": tailed(3e-3, *AT_ONE),
    "guest-emulated": in_guest("kvm"),
    "average-only": measured(),
    "no-latency": one(WRITE),
    "failures": one(WRITE),
}

NOTHING_KNOWN = {
    "gateway": one(cell("s3", "randread", tool="s3-load", depth=16)),
    "unasked-writes": one(READ),
    "unasked-cpu": one(READ),
    "pool-layout": replace(one(WRITE), environment=replace(ENVIRONMENT, cluster=None)),
    "image-layout": one(READ),
    "slow-transfers": on_the_way(0.6, osds_seen=False),
    "drive-bound": one(READ),
    "standstills": one(READ),
    "osds-missing": replace(streaming(20.0, 0.2, 0.21), environment=replace(ENVIRONMENT, cluster=None)),
    "many-copies": replace(on_the_way(0.6), environment=replace(ENVIRONMENT, cluster=None)),
    "io-limit": one(READ),
    "slow-options": one(WRITE),
    "tail": tailed(0.12),
    "guest-emulated": one(cell("guest")),
    "unwritten-reads": one(READ),
    "cached-reads": one(READ),
    "cached-writes": one(WRITE),
    "background-work": one(WRITE),
    "scrub": one(WRITE),
    "slow-ops": one(WRITE),
    "other-clients": one(WRITE),
    "memory": one(WRITE),
    "client-cpu": one(WRITE),
    "network-full": one(RADOS_READ),
    "host-cpu": one(WRITE),
    "osd-cpu": on_hosts(3.6, None),
    "flush-bound": one(WRITE),
    "sick-osd": slow_osd(1e-3, 5e-3),
    "littles-law": without_latency(),
    "compressible-data": replace(one(RADOS_WRITE), environment=replace(ENVIRONMENT, cluster=None)),
    "average-only": Told(summaries=(replace(summary(WRITE), latency=Undecided("none")),)),
}


def test_every_rule_about_cells_has_a_study_where_it_fires_and_one_where_it_must_not() -> None:
    about_cells = {rule.name for rule in RULES if rule.cell is not None}
    assert set(FIRES) == about_cells
    assert set(SILENT) == about_cells


@pytest.mark.parametrize("name", FIRES)
def test_it_fires_about_the_cell_and_cites_a_fact(name: str) -> None:
    verdict = ask_cell(name, FIRES[name])
    assert isinstance(verdict, Finding)
    assert verdict.rule == name
    assert verdict.cells == (FIRES[name].study().cells[0].name,)
    assert all(verdict.because)
    assert verdict.try_next


@pytest.mark.parametrize("name", SILENT)
def test_it_stays_silent_where_all_is_well(name: str) -> None:
    assert ask_cell(name, SILENT[name]) is None


@pytest.mark.parametrize("name", NOTHING_KNOWN)
def test_a_missing_fact_is_said_and_is_no_finding(name: str) -> None:
    verdict = ask_cell(name, NOTHING_KNOWN[name])
    assert isinstance(verdict, Unchecked)
    assert verdict.because


def test_flushes_that_wait_for_a_core_are_not_the_drives() -> None:
    starved = {f"osd_cpu_wait.{osd}": (0.9, 0.9) for osd in range(3)}
    told = flushing(3e-3)
    series = segment(WRITE, telemetry=starved).telemetry
    late = replace(told, segments=tuple(replace(one, telemetry=series) for one in told.segments))
    assert isinstance(ask_cell("flush-bound", told), Finding)
    assert ask_cell("flush-bound", late) is None


@pytest.mark.parametrize(("round_s", "is_found"), [(2.7e-3, False), (5.4e-3, True)])
def test_on_a_full_host_the_whole_round_tells_a_slow_drive_from_a_wait_for_a_core(
    round_s: float, is_found: bool
) -> None:
    told = flushing(0.9e-3)
    full = segment(WRITE, telemetry={"host_cpu": (0.99, 0.99)}).telemetry
    segments = tuple(
        replace(one, telemetry=full, counters={**one.counters, "bluestore.kv_sync_lat_s": round_s})
        for one in told.segments
    )
    found = ask_cell("flush-bound", replace(told, segments=segments))
    assert isinstance(found, Finding) is is_found


def test_operations_of_several_sizes_are_not_what_an_image_cuts() -> None:
    assert ask_cell("image-layout", in_pieces(64 << 10, 24 << 10)) is None


def test_eight_stripes_of_half_a_mebibyte_are_small_pieces_too() -> None:
    assert isinstance(ask_cell("image-layout", in_pieces((512 << 10) + 24)), Finding)


def test_an_image_that_keeps_a_journal_is_named_where_writes_wait_beside_themselves() -> None:
    journal = ImageFacts(object_bytes=4 << 20, features=("layering", "journaling"))
    verdict = ask_cell("image-layout", in_pieces(4 << 20, image=journal))
    assert verdict.resource == "image journal"
    assert verdict.explains.value == pytest.approx(0.75)
    assert ask_cell("image-layout", in_pieces(4 << 20, image=replace(journal, features=("layering",)))) is None


def test_transfers_that_wait_for_a_core_are_no_fault_of_the_network() -> None:
    assert ask_cell("slow-transfers", on_the_way(0.6, waiting=7.0)) is None


def test_a_replica_that_did_few_writes_all_of_them_late_is_no_fault_of_the_network() -> None:
    told = on_the_way(0.6)
    late = {0: {"osd.subop_w_latency_s": 3.7, "osd.subop_w_latency_s.events": 2.0}}
    segments = tuple(replace(one, osd_counters=late) for one in told.segments)
    assert ask_cell("slow-transfers", replace(told, segments=segments)) is None


def through_a_narrow_way(*subops_s: float) -> Told:
    """As on_the_way; each OSD commits in 0.05 s, and so long passes from the first bytes of a write to its answer."""
    told = on_the_way(statistics.fmean(subops_s))
    each = {
        osd: {"osd.subop_w_latency_s": seconds, "bluestore.commit_lat_s": 0.05} for osd, seconds in enumerate(subops_s)
    }
    return replace(told, segments=tuple(replace(one, osd_counters=each) for one in told.segments))


def test_replicas_that_are_all_late_with_quick_stores_wait_for_the_way() -> None:
    found = ask_cell("slow-transfers", through_a_narrow_way(1.9, 1.8, 2.0))
    assert found.resource == "network path"
    assert found.explains.value > 0.9
    assert ask_cell("slow-transfers", through_a_narrow_way(0.1, 3.7, 0.1)) is None  # one OSD's own fault


def large_reads(inside_s: float, computing: float, **slow: float) -> Told:
    """Eight reads of 4 MiB in flight, each 1 s, of which so much passes in OSDs. slow: an OSD's own time."""
    asked = cell("rbd", "read", block=4 << 20, depth=8)
    counters = {"osd.op_r_latency_s": inside_s, "osd.op_r_process_latency_s": inside_s}
    osds = {osd: {"osd.op_r_latency_s": slow.get(f"osd{osd}", inside_s)} for osd in range(3)}
    telemetry = {"client_cpu": (computing,), "osd_cpu.0": (0.1,), "osd_cpu_wait.0": (0.1,)}
    fields: dict[str, Any] = {"counters": counters, "osd_counters": osds, "telemetry": telemetry}
    return Told(cells=(asked,), segments=tuple(segment(asked, round=n, iops=8.0, **fields) for n in range(2)))


def test_large_reads_that_wait_while_nobody_computes_wait_between_osds_and_client() -> None:
    found = ask_cell("slow-transfers", large_reads(0.02, 0.1))
    assert (found.role, found.resource) == (Role.CAUSE, "path between client and OSDs")
    assert ask_cell("slow-transfers", large_reads(0.7, 0.1)) is None
    assert ask_cell("slow-transfers", large_reads(0.02, 0.9)) is None  # the client's thread may be the limit
    assert ask_cell("slow-transfers", large_reads(0.02, 0.1, osd1=0.9)) is None  # one slow OSD holds them


def between_hosts(reads: float, writes: float) -> Told:
    """Large reads and writes a second, both held up between hosts, of a pool of three copies."""
    held = (large_reads(0.02, 0.1), through_a_narrow_way(1.9, 1.8, 2.0))
    made = ((one.cells[0], replace_rates(one, rate)) for one, rate in zip(held, (reads, writes), strict=True))
    (read, slow_reads), (write, slow_writes) = made
    pool = PoolFacts(name="p", size=3)
    return Told(cells=(read, write), segments=(*slow_reads, *slow_writes), environment=cluster(pool=pool))


def replace_rates(told: Told, rate: float) -> tuple[Segment, ...]:
    moved = rate * (4 << 20)
    return tuple(
        replace(one, results=tuple(replace(each, bandwidth_bytes_per_s=moved) for each in one.results))
        for one in told.segments
    )


def test_reads_and_writes_that_move_the_same_in_all_fill_what_lies_between_the_hosts() -> None:
    """A write of three copies passes three times; a client's own line would carry as much either way."""
    found = ask_cell("slow-transfers", between_hosts(45.0, 15.5))
    assert (found.role, found.resource) == (Role.CAUSE, "network between hosts")
    assert found.because[-1] == "all hosts together move 180 MiB/s here, 186 MiB/s the other way"
    assert ask_cell("slow-transfers", between_hosts(45.0, 40.0)).resource == "path between client and OSDs"


def test_of_osds_that_are_gone_their_part_of_the_drives_rate_is_missing() -> None:
    found = ask_cell("osds-missing", with_osds(3))
    assert found.explains.value == pytest.approx(0.4 * ask_cell("drive-bound", with_osds(3)).explains.value)
    assert ask_cell("osds-missing", with_osds(3, rate=400.0)) is None  # the drives have time to spare
    mixed = cluster(osds=5, osds_up=3, osds_in=3, device_classes={"ssd": 3, "hdd": 2})
    told = ask_cell("osds-missing", replace(with_osds(3), environment=mixed))
    assert isinstance(told, Unchecked)  # those that are gone may be of a class that the pool does not use


def test_copies_beyond_three_take_their_part_of_the_time_in_stores() -> None:
    six, four = (ask_cell("many-copies", copied(size)).explains.value for size in (6, 4))
    assert (six, four) == (pytest.approx(2 * four), pytest.approx(0.25 * 3.85 / 4.0, rel=0.05))


def test_a_cluster_that_stands_still_takes_at_least_that_of_each_segment() -> None:
    found = ask_cell("standstills", stopping(0.7, 0.71, 0.69))
    assert (found.explains.value, found.explains.high) == (pytest.approx(0.35), 1.0)
    assert "one I/O took 700 ms; the mean is 0.5 ms" in found.because[0]
    assert ask_cell("standstills", stopping(0.25, 0.26, 0.25)) is None  # a lost packet is sent again


def reading(single_s: float, many_s: float) -> Told:
    """Small reads, one and 16 in flight, that wait so long for each OSD's drive."""
    cells = (READ, cell("rbd", "randread", depth=16, name="busy"))
    segments = tuple(
        segment(
            of,
            round=n,
            iops=of.conditions.in_flight / (1.1 * wait),
            counters={"osd.op_r_latency_s": wait, "osd.op_r_process_latency_s": wait},
            osd_counters={osd: {"bluestore.read_wait_aio_lat_s": wait} for osd in range(3)},
        )
        for of, wait in zip(cells, (single_s, many_s), strict=True)
        for n in range(2)
    )
    return Told(cells=cells, segments=segments)


def test_drives_that_answer_single_reads_later_than_many_sleep_in_between() -> None:
    found = ask_cell("drive-bound", reading(3e-3, 1.6e-3))
    assert "waits only 1.6 ms: drives, or their links, sleep" in found.because[-1]
    assert "link_power_management_policy" in found.try_next
    assert "iostat" in ask_cell("drive-bound", reading(3e-3, 9e-3)).try_next  # a disk


def watched(told: Told, **resent: float) -> Told:
    """The same, where hosts sent so many TCP segments again in each of its segments."""
    series = tuple(Series(f"tcp_resent.{host}", "1/s", (0,), (count,)) for host, count in resent.items())
    return replace(told, segments=tuple(replace(one, telemetry=(*one.telemetry, *series)) for one in told.segments))


def late_reads(outside: float, late: int = 5) -> Told:
    """Reads of 0.3 ms one at a time, of which so many of 3,000 took 0.2 s; so much of the mean passes out of OSDs."""
    histogram = Histogram(values_s=(3e-4, 0.2), counts=(3000 - late, late))
    mean_s = sum(v * n for v, n in zip(histogram.values_s, histogram.counts, strict=True)) / 3000
    latency = Latency(mean_s=mean_s, max_s=0.2, histogram=histogram)
    inside = dict.fromkeys(("osd.op_r_latency_s", "osd.op_r_process_latency_s"), (1 - outside) * mean_s)
    fields: dict[str, Any] = {"iops": 1 / mean_s, "latency": latency, "counters": inside}
    told = Told(cells=(READ,), segments=tuple(segment(READ, round=n, **fields) for n in range(2)))
    return replace(told, environment=cluster(hosts=3))


def test_a_fifth_of_a_second_is_a_standstill_where_no_packet_was_sent_again() -> None:
    none = {"h1": 0.0, "h2": 0.0, "h3": 0.0, "client": 0.0}
    found = ask_cell("standstills", watched(late_reads(0.2), **none))
    assert "cluster stands still" in found.claim
    assert found.explains.value == pytest.approx(5 * 0.2 / (5 * 0.2 + 2995 * 3e-4))
    assert "client, or the way to it" in ask_cell("standstills", watched(late_reads(0.8), **none)).claim
    assert ask_cell("standstills", late_reads(0.2)) is None  # nothing tells of packets
    assert ask_cell("standstills", watched(late_reads(0.2), **none | {"h2": 5.0})) is None
    assert ask_cell("standstills", watched(late_reads(0.2), h1=0.0, h2=0.0)) is None  # a host of OSDs was not watched


def committing(*seconds: float, waiting: float = 0.02) -> Told:
    """Segments of single small writes, which take that in the store of each OSD, and 1 ms elsewhere."""

    def one_of(number: int, commit_s: float) -> Segment:
        total = commit_s + 1e-3
        counters = {
            "osd.op_w_latency_s": total,
            "osd.op_w_process_latency_s": total,
            "bluestore.commit_lat_s": commit_s,
        }
        fields: dict[str, Any] = {"osd_counters": {osd: {"bluestore.commit_lat_s": commit_s} for osd in range(3)}}
        fields |= {"telemetry": {f"osd_cpu_wait.{osd}": (waiting,) for osd in range(3)}, "counters": counters}
        return segment(WRITE, round=number, iops=1 / total, **fields)

    return Told(cells=(WRITE,), segments=tuple(one_of(*each) for each in enumerate(seconds)))


def test_drives_that_nobody_waits_for_in_one_of_two_segments_are_not_the_limit() -> None:
    told = streaming(20.0, 0.2, 0.21, 0.22)
    first, second = told.segments
    none = {osd: {"bluestore.read_wait_aio_lat_s": 0.0} for osd in range(3)}
    assert "all OSDs alike" in ask_cell("drive-bound", told).claim
    assert ask_cell("drive-bound", replace(told, segments=(first, replace(second, osd_counters=none)))) is None


def test_drives_that_are_slow_at_times_all_alike_are_said_to_be() -> None:
    found = ask_cell("drive-bound", committing(2e-3, 40e-3))
    assert "At times" in found.claim
    assert found.explains.value == pytest.approx(0.49, abs=0.01)
    assert ask_cell("drive-bound", committing(40e-3, 40e-3)) is None  # slow always: other rules' matter
    assert ask_cell("drive-bound", committing(2e-3, 40e-3, waiting=0.9)) is None  # the threads had no core


def test_what_osds_compute_without_a_load_is_a_cause_where_cores_are_short_and_is_told_anywhere() -> None:
    found = ask_cell("unasked-cpu", between_loads(0.3))
    assert (found.role, found.resource) == (Role.CAUSE, "osd.0, osd.1, osd.2")
    assert found.explains.value == pytest.approx(0.5 * 0.45 / 0.55)  # of what writes compute: 3 x 0.3 of two cores
    assert ask_cell("unasked-cpu", between_loads(0.3, full=0.5)).role is Role.REMARK
    told = between_loads(0.3)
    talking = tuple(
        replace(one, osd_counters={osd: {"messenger.received": 32000.0} for osd in range(3)}) for one in told.segments
    )
    options = cluster(changed_options={"osd/osd_pool_default_read_lease_ratio": "0.0005", "mgr/x": "1"})
    facts = ask_cell("unasked-cpu", replace(told, segments=talking, environment=options)).because
    assert facts[1:] == (
        "each receives 16,000 messages a second meanwhile",
        "set for OSDs: osd_pool_default_read_lease_ratio = 0.0005",
    )
    assert ask_cell("unasked-cpu", between_loads(0.3, ops=2000.0)) is None  # other clients' I/O, told of elsewhere
    assert ask_cell("unasked-cpu", between_loads(0.3, scrubbing_pgs=1.0)) is None


def test_large_writes_cut_into_small_blobs_accuse_the_option_that_did_it() -> None:
    at_work = {"osd.op_w_latency_s": 0.3, "osd.op_w_process_latency_s": 0.3, "bluestore.commit_lat_s": 0.3}
    blobs = {"bluestore.write_big_bytes": 40960e3, "bluestore.write_big_blobs": 1e4}
    told = slow_by({"bluestore_max_blob_size": "4096"}, LARGE, **at_work, **blobs)
    assert ask_cell("slow-options", told).resource == "bluestore_max_blob_size"
    whole = slow_by(
        {"bluestore_max_blob_size": "4096"}, LARGE, **at_work, **blobs | {"bluestore.write_big_blobs": 600.0}
    )
    assert ask_cell("slow-options", whole) is None
    quick = dict.fromkeys(at_work, 0.04)
    small = slow_by({"bluestore_max_blob_size": "4096"}, WRITE, **quick, **blobs)  # of 4K: one blob, as ever
    assert ask_cell("slow-options", small) is None


def test_an_io_that_costs_much_in_the_stores_throttle_is_seen_waiting_there() -> None:
    waits = {"throttle-bluestore_throttle_bytes.wait_s": 20e-3, "bluestore.commit_lat_s.events": 100.0}
    waits |= {"throttle-bluestore_throttle_bytes.wait_s.events": 100.0}
    told = slow_by({"bluestore_throttle_cost_per_io_ssd": "30000000"}, **waits)
    assert ask_cell("slow-options", told).resource == "bluestore_throttle_cost_per_io_ssd"
    reading = slow_by({"bluestore_throttle_cost_per_io_ssd": "30000000"}, READ, **waits)  # beside somebody's writes
    assert ask_cell("slow-options", reading) is None
    assert ask_cell("slow-options", slow_by({"bluestore_throttle_cost_per_io_ssd": "4000"}, **waits)) is None


def uncounted(told: Told) -> Told:
    return replace(told, segments=tuple(replace(one, counters={}) for one in told.segments))


def test_a_read_faster_than_the_network_was_never_sent() -> None:
    verdict = ask_cell("unwritten-reads", uncounted(beside_network(READ, 20e-6, 50e-6)))
    assert "one round trip 50 µs" in verdict.because[0]


def test_a_write_faster_than_the_network_was_never_sent() -> None:
    assert isinstance(ask_cell("cached-writes", uncounted(beside_network(WRITE, 20e-6, 50e-6))), Finding)


@pytest.mark.parametrize("name, of", [("unwritten-reads", READ), ("cached-writes", WRITE)])
def test_what_the_osds_counted_outweighs_a_ping_that_a_busy_host_delayed(name: str, of: Any) -> None:
    assert ask_cell(name, beside_network(of, 20e-6, 50e-6)) is None


def test_a_disk_read_without_direct_io_is_a_read_of_the_page_cache() -> None:
    assert ask_cell("cached-reads", one(DISK_READ, commands=(FIO_DISK,))) is None
    assert ask_cell("cached-reads", one(DISK_READ, commands=(("fio", "--direct=0"),))).severity == "invalid"


def test_littles_law_counts_the_flush_that_fio_keeps_apart() -> None:
    synced = segment(WRITE, iops=500.0, latency_s=0.1e-3)
    flush = replace(synced.results[0], sync=replace(synced.results[0].latency, mean_s=1.9e-3))  # type: ignore[type-var]
    assert ask_cell("littles-law", Told(cells=(WRITE,), segments=(replace(synced, results=(flush,)),))) is None
    assert ask_cell("littles-law", Told(cells=(WRITE,), segments=(synced,))) is not None


@pytest.mark.parametrize(("runtime_s", "contradicts"), [(2.0, False), (60.0, True)])
def test_in_a_short_segment_ios_that_it_cuts_in_two_are_no_contradiction(runtime_s: float, contradicts: bool) -> None:
    of = cell("rbd", "randwrite", depth=128)
    told = one(of, iops=541.0, latency_s=0.27, runtime_s=runtime_s)
    assert (ask_cell("littles-law", told) is not None) == contradicts


def test_a_fast_drive_may_lose_microseconds_between_two_ios() -> None:
    assert ask_cell("littles-law", one(DISK_READ, iops=50_000.0, latency_s=12e-6)) is None


def test_where_clients_and_osds_share_a_host_it_is_said() -> None:
    full = with_telemetry(WRITE, "host_cpu", 0.99)
    assert "clients and OSDs share it" in ask_cell("host-cpu", replace(full, sandbox="demo")).because
    assert "clients and OSDs share it" not in ask_cell("host-cpu", full).because


def test_cpus_that_others_use_are_named_as_such() -> None:
    told = one(WRITE, telemetry={"host_cpu": (0.99,), "client_cpu": (0.1,), "osd_cpu.0": (0.3,)})
    hosts = (HostFacts(name="h1", cpu_threads=2),)
    verdict = ask_cell("host-cpu", replace(told, environment=replace(ENVIRONMENT, hosts=hosts)))
    assert verdict.claim == "Other processes keep a host's CPUs busy."
    assert "neither the load's nor the cluster's used 79% of them" in verdict.because[1]


def test_requests_that_osds_or_the_way_to_them_take_long_for_accuse_no_gateway() -> None:
    told = ask_cell("gateway", through_gateway(47e-3))
    assert told.explains.value == pytest.approx(1 - 0.4e-3 / 47e-3, abs=1e-3)
    assert ask_cell("gateway", through_gateway(47e-3, in_osds_s=40e-3)) is None
    assert ask_cell("gateway", through_gateway(47e-3, trip_s=10e-3)) is None
    assert isinstance(ask_cell("gateway", through_gateway(47e-3, up=70)), Unchecked)


def test_loopback_is_memory_and_no_line_that_can_be_full() -> None:
    told = through_nic(0.1e9)
    full = segment(RADOS_READ, telemetry={"nic_received_bytes.lo": (1.9e9,)})
    assert ask_cell("network-full", replace(told, segments=(full,))) is None


def test_a_line_shows_itself_by_a_rate_that_returns() -> None:
    verdict = ask_cell("network-full", through_nic(119.4e6, 119.8e6, iperf=None))
    assert "a 1 Gbit/s link" in verdict.because[0]
    assert verdict.explains.value == pytest.approx(0.95)


@pytest.mark.parametrize(("gbit", "faster"), [(1, "10"), (10, "25"), (25, "100"), (400, "800")])
def test_the_line_that_is_tried_next_is_a_faster_one(gbit: float, faster: str) -> None:
    line = gbit * 1e9 / 8
    verdict = ask_cell("network-full", through_nic(0.95 * line, 0.95 * line, iperf=line))
    assert f"'network_Gbps = {faster}'" in verdict.try_next


def test_a_line_that_others_fill_is_not_said_to_be_too_narrow_for_the_load() -> None:
    full = through_nic(119.4e6, 119.8e6, iperf=None)
    assert "its link is the limit" in ask_cell("network-full", full).claim
    others = through_nic(119.4e6, 119.8e6, iperf=None, iops=10.0, seconds=1600.0)
    found = ask_cell("network-full", others)
    assert "most of it is not the load's" in found.claim
    assert found.because[-1] == "the load can have put 40.1 MiB/s on it at most"
    assert "network_Gbps" not in found.try_next


def test_what_was_under_way_at_the_end_and_what_stalls_now_and_then_fill_a_line_without_others() -> None:
    short = through_nic(119.4e6, 119.8e6, iperf=None, iops=10.0, seconds=1.0)  # 16 reads more had begun
    assert "its link is the limit" in ask_cell("network-full", short).claim
    long = through_nic(119.4e6, 119.8e6, iperf=None, iops=10.0, seconds=1600.0)
    stalls = {"nic_received_bytes.eth0": (0.0, 119.4e6, 0.0, 0.0, 119.6e6, 0.0)}
    each = tuple(replace(one, telemetry=segment(RADOS_READ, telemetry=stalls).telemetry) for one in long.segments)
    found = ask_cell("network-full", replace(long, segments=each))
    assert found is None or "not the load's" not in found.claim


def test_what_a_client_only_asks_for_fills_no_line_that_it_sends_on() -> None:
    """In a sandbox it is known whose line it is: reads of 400 MB/s need next to nothing that way."""
    sent = segment(
        RADOS_READ,
        iops=100.0,
        counters={"osd.op_r_latency_s": 9e-3, "bluestore.read_lat_s": 8e-3},
        telemetry={"nic_sent_bytes.client1:pub0": (0.0, 119.4e6)},
    )
    links = (LinkFacts(host="client1", name="pub0", bits_per_s=1e9),)
    known = replace(ENVIRONMENT, links=links)
    told = Told(summaries=(summary(RADOS_READ, iops=100.0),), segments=(sent,), environment=known)
    assert "its link is the limit" in ask_cell("network-full", told).claim
    assert "most of it is not the load's" in ask_cell("network-full", replace(told, sandbox="lab")).claim


@pytest.mark.parametrize("rates", [(119.4e6,), (119.4e6, 112.0e6), (90e6, 90.1e6)])
def test_a_rate_that_only_comes_near_a_line_once_accuses_no_network(rates: tuple[float, ...]) -> None:
    assert ask_cell("network-full", through_nic(*rates, iperf=None)) is None


def test_a_line_that_carried_more_in_another_cell_or_direction_is_wider() -> None:
    told = through_nic(119.4e6, 119.8e6, iperf=None)
    more = segment(WRITE, telemetry={"nic_sent_bytes.eth0": (0.0, 430e6)})
    assert ask_cell("network-full", replace(told, segments=(*told.segments, more))) is None


def test_a_rate_that_seconds_leave_again_is_no_line() -> None:
    def seconds(*rates: float) -> Told:
        told = through_nic(119.6e6, 119.6e6, iperf=None)
        series = {"nic_received_bytes.eth0": (0.0, *(rate * 1e6 for rate in rates), 50e6)}
        of_store = {"osd.op_r_latency_s": 9e-3, "bluestore.read_lat_s": 8e-3}
        each = segment(RADOS_READ, iops=100.0, counters=of_store, telemetry=series)
        return replace(told, segments=(each, replace(each, round=2)))

    assert ask_cell("network-full", seconds(119.4, 119.6, 118.8, 119.5)) is not None
    assert ask_cell("network-full", seconds(80.0, 119.6, 95.0, 70.0)) is None


def test_a_line_whose_speed_the_kernel_says_is_full_at_that_speed_alone() -> None:
    fast = (LinkFacts(host="h1", name="eth0", bits_per_s=10e9),)
    assert ask_cell("network-full", through_nic(119.4e6, 119.8e6, iperf=None, links=fast)) is None
    slow = (LinkFacts(host="h1", name="eth0", bits_per_s=1e9),)
    assert ask_cell("network-full", through_nic(119.4e6, iperf=None, links=slow)) is not None


def test_a_line_slower_than_those_of_other_hosts_is_asked_about() -> None:
    ours = LinkFacts(host="h3", name="pub0", bits_per_s=1e9)
    series = {"nic_sent_bytes.h3:pub0": (0.0, 119e6)}
    counters = {"osd.op_r_latency_s": 9e-3, "bluestore.read_lat_s": 8e-3}
    full = segment(RADOS_READ, iops=100.0, latency_s=0.16, counters=counters, telemetry=series)
    alike = Told(summaries=(summary(RADOS_READ, iops=100.0),), segments=(full,), environment=ENVIRONMENT)
    for speed, is_unlike in ((1e9, False), (1e10, True)):
        links = (ours, *(LinkFacts(host=host, name="pub0", bits_per_s=speed) for host in ("h1", "h2")))
        found = ask_cell("network-full", replace(alike, environment=replace(ENVIRONMENT, links=links)))
        assert ("other hosts have 10 Gbit/s there" in found.because) is is_unlike
        assert ("See why h3:pub0 is slower than the others" in found.try_next) is is_unlike


def test_a_known_line_that_has_little_to_spare_is_the_next_limit_and_no_cause() -> None:
    known = (LinkFacts(host="h1", name="eth0", bits_per_s=1e9),)
    nearly = ask_cell("network-full", through_nic(112e6, 110.2e6, iperf=None, links=known))
    assert "nearly full" in nearly.claim
    assert (nearly.role, nearly.explains) == (Role.LIMIT, None)
    assert ask_cell("network-full", through_nic(112e6, 99e6, iperf=None, links=known)) is None


def test_a_full_line_limits_nothing_where_the_drives_take_the_time() -> None:
    told = through_nic(0.95e9)
    slow = replace(told.segments[0], counters={"osd.op_r_latency_s": 0.15, "bluestore.read_lat_s": 0.14})
    assert ask_cell("network-full", replace(told, segments=(slow,))) is None


def test_osds_that_do_not_get_their_peers_cpu_time_are_named() -> None:
    verdict = ask_cell("osd-cpu", waiting_for_cores(2.0, 0.5, 0.4))
    assert verdict.role == "cause"
    assert "osd.0" in verdict.claim
    assert verdict.explains.value == pytest.approx(0.5)


def test_an_osd_that_waits_in_one_cell_alone_did_so_by_chance() -> None:
    alone, deep = waiting_for_cores(2.0, 0.5, 0.4), cell("rbd", "randwrite", depth=16)
    waits = {f"osd_cpu_wait.{osd}": (1.5, 1.5) for osd in range(3)}
    others = tuple(segment(deep, round=n, telemetry=waits) for n in range(3))
    told = replace(alone, cells=(WRITE, deep), segments=(*alone.segments, *others))
    assert ask_cell("osd-cpu", told) is None


@pytest.mark.parametrize(
    "of, options",
    [
        (cell("rbd", "write", block=4 << 20), {"global/rbd_qos_write_bps_limit": "251658240"}),
        (cell("rbd", "randread", depth=16), {"client/objecter_inflight_ops": "2"}),
        (cell("rbd", "randread"), {"pool rbd/rbd_qos_read_iops_limit": "60"}),
    ],
)
def test_limits_of_a_client_are_known_by_their_option_and_their_effect(of: Any, options: dict[str, str]) -> None:
    verdict = ask_cell("io-limit", outside(of, options, 60.0, 60.0))
    assert next(iter(options)).partition("/")[2] in verdict.because[0]
    assert verdict.role == "cause"
    assert ask_cell("io-limit", outside(of, options, 60.0, 60.0, inside_s=of.conditions.in_flight / 61)) is None


def test_a_limit_that_nothing_names_shows_in_rates_that_no_drive_makes_alike() -> None:
    cells = tuple(cell("rbd", op, depth=depth) for op in ("randread", "randwrite") for depth in (1, 16))
    told = [outside(of, {}, 60.0, 59.6) for of in cells]
    alike = replace(told[0], cells=cells, segments=tuple(one for each in told for one in each.segments))
    assert "reads and writes with 1 to 16 in flight, all come to 59.8" in ask_cell("io-limit", alike).because[0]
    reads = replace(alike, cells=cells[:2])
    assert ask_cell("io-limit", reads) is None


@pytest.mark.parametrize(
    ("client", "deep", "wait_s", "limited"),
    [(0.1, 60.0, 0.04e-3, True), (0.9, 60.0, 0.04e-3, False), (0.1, 70.0, 0.04e-3, False), (0.1, 60.0, 0.8e-3, False)],
)
def test_a_depth_that_brings_nothing_while_the_client_is_idle_is_a_limit(
    client: float, deep: float, wait_s: float, limited: bool
) -> None:
    """wait_s: of one of three OSDs for its threads; where it is long, that OSD lets no more through."""
    cells = tuple(cell("rbd", "randread", depth=depth) for depth in (1, 16))
    told = [outside(of, {}, rate, rate) for of, rate in zip(cells, (60.0, deep), strict=True)]
    busy = {"client_cpu.1": (client,)}
    waits = {osd: {"osd.op_before_dequeue_op_lat_s": wait_s if osd == 1 else 0.03e-3} for osd in range(3)}
    segments = tuple(
        replace(one, telemetry=segment(WRITE, telemetry=busy).telemetry, osd_counters=waits)
        for each in told
        for one in each.segments
    )
    verdict = ask_cell("io-limit", replace(told[0], cells=cells, segments=segments))
    assert (verdict is not None) is limited
    if limited:
        assert verdict.because[0].startswith("with 1 and with 16 in flight it comes to 60 I/Os a second")


def test_a_limit_that_mclock_made_of_a_capacity_is_no_option_that_somebody_set() -> None:
    limit, waits = {"osd_mclock_scheduler_client_lim": "32"}, {"osd.op_before_dequeue_op_lat_s": 45e-3}
    times = {"osd.op_w_latency_s": 49e-3, "osd.op_w_process_latency_s": 4e-3, **waits}
    assert ask_cell("slow-options", slow_by({**limit, "osd_mclock_profile": "high_recovery_ops"}, **times)) is None
    assert ask_cell("slow-options", slow_by(limit, **times)) is None
    told = ask_cell("slow-options", slow_by({**limit, "osd_mclock_profile": "custom"}, **times))
    assert isinstance(told, Finding) and told.resource == "osd_mclock_scheduler_client_lim"


@pytest.mark.parametrize(
    "version, options, is_held",
    [
        ("16.2.15", {}, False),  # wpq is the default there
        ("16.2.15", {"osd_op_queue": "mclock_scheduler"}, True),
        ("18.2.7", {"osd_op_queue": "wpq"}, False),
        ("18.2.7", {}, True),
    ],
)
def test_mclock_is_accused_where_it_schedules(version: str, options: dict[str, str], is_held: bool) -> None:
    set_for_it = {"osd_mclock_max_capacity_iops_ssd": "10", "osd_mclock_profile": "custom"}
    osds = (OsdFacts(id=0, options={**options, **set_for_it, "osd_mclock_scheduler_client_lim": "1"}),)
    waits = {"osd.op_w_latency_s": 49e-3, "osd.op_w_process_latency_s": 4e-3, "osd.op_before_dequeue_op_lat_s": 45e-3}
    changed = {f"osd/{name}": value for name, value in osds[0].options.items()}
    facts = cluster(each_osd=osds, version=version, changed_options=changed)
    told = replace(one(WRITE, iops=20.0, counters=waits), environment=facts)
    assert all((ask_cell(rule, told) is not None) is is_held for rule in ("mclock", "slow-options"))
    assert (ask_environment("mclock", facts) is not None) is is_held


@pytest.mark.parametrize(
    "rotational, limit, option",
    [
        (True, "4", "hdd"),
        (False, "4", "ssd"),
        (None, "4", "ssd"),
        (True, None, ""),
        (True, "0", ""),
        (True, "999999", ""),
    ],
)
def test_a_low_capacity_holds_back_where_clients_are_limited_and_is_counted_once_an_osd(
    rotational: bool | None, limit: str | None, option: str
) -> None:
    """On Ceph 20.2 a capacity of 20 changed no rate: its profile sets clients no limit."""
    capacities = {f"osd_mclock_max_capacity_iops_{kind}": "20" for kind in ("hdd", "ssd")}
    options = capacities | ({"osd_mclock_scheduler_client_lim": limit} if limit else {})
    facts = cluster(each_osd=(OsdFacts(id=0, rotational=rotational, options=options),), version="20.2.4")
    verdict = ask_cell("mclock", replace(believing("20", 8e-3), environment=facts))
    assert (verdict is not None) is bool(option)
    if option:
        assert "is 20 on 1 of 1" in verdict.because[0]
        assert verdict.try_next.endswith(f"osd_mclock_max_capacity_iops_{option}")


@pytest.mark.parametrize("rotational, accused", [(True, "osd_op_num_shards_hdd"), (False, None), (None, None)])
def test_few_shards_are_accused_on_the_drives_that_they_are_set_for(
    rotational: bool | None, accused: str | None
) -> None:
    osds = (OsdFacts(id=0, rotational=rotational, options={"osd_op_num_shards_hdd": "1"}),)
    told = one(WRITE, iops=20.0, counters={**NAGLE, "osd.op_w_process_latency_s": 5e-3})
    verdict = ask_cell("slow-options", replace(told, environment=cluster(each_osd=osds)))
    assert (verdict and verdict.resource) == accused


@pytest.mark.parametrize(
    "options, counters",
    [
        ({"osd_client_message_cap": "1"}, REFUSED),
        (
            {"osd_op_num_shards": "1", "osd_op_num_threads_per_shard": "1"},
            {**NAGLE, "osd.op_w_process_latency_s": 5e-3},
        ),
        (
            {"bluestore_throttle_bytes": "32768"},
            {
                "throttle-bluestore_throttle_bytes.wait_s": 20e-3,
                "throttle-bluestore_throttle_bytes.wait_s.events": 40.0,
                "bluestore.commit_lat_s.events": 40.0,
            },
        ),
    ],
)
def test_an_option_is_accused_where_it_is_set_and_felt(options: dict[str, str], counters: dict[str, float]) -> None:
    verdict = ask_cell("slow-options", slow_by(options, **counters))
    assert verdict.resource == next(iter(options))
    assert ask_cell("slow-options", slow_by({}, **counters)) is None
    assert ask_cell("slow-options", slow_by(options, **{"osd.op_w_latency_s": 1e-3})) is None


def test_what_keeps_messages_from_a_busy_osd_costs_at_most_what_waits_there() -> None:
    told = slow_by({"osd_client_message_cap": "1"}, **REFUSED)
    full_host = with_telemetry(WRITE, "host_cpu", 1.0).segments[0].telemetry
    busy = tuple(replace(one, telemetry=full_host) for one in told.segments)
    idle, full = ask_cell("slow-options", told), ask_cell("slow-options", replace(told, segments=busy))
    assert (idle.at_most, full.at_most) == (False, True)


@pytest.mark.parametrize(("copies", "times"), [(1, 1.0), (3, 1 + 1 / 2 + 1 / 3)])
def test_a_write_waits_for_the_last_of_its_copies(copies: int, times: float) -> None:
    """Three of eight transactions wait 20 ms; a write takes 50 ms."""
    counters = {
        "throttle-bluestore_throttle_bytes.wait_s": 20e-3,
        "throttle-bluestore_throttle_bytes.wait_s.events": 15.0 * copies,
        "bluestore.commit_lat_s.events": 40.0 * copies,
    }
    told = slow_by({"bluestore_throttle_bytes": "32768"}, **counters)
    osds = told.environment.cluster.each_osd if told.environment.cluster else ()
    with_pool = replace(told, environment=cluster(each_osd=osds, pool=PoolFacts(name="p", size=copies)))
    assert ask_cell("slow-options", with_pool).explains.value == pytest.approx(20 * 3 / 8 / 50 * times)


def test_replicas_that_refuse_messages_are_accused_of_the_way_to_them() -> None:
    told = slow_by({"ms_dispatch_throttle_bytes": "65536"}, **NAGLE)
    between = {0: {REPLICAS_REFUSED.name: 900.0}}
    refused = replace(told, segments=tuple(replace(one, osd_counters=between) for one in told.segments))
    assert ask_cell("slow-options", told) is None
    with_counts = tuple(replace(one, counters={**one.counters, "osd.op_w": 40.0}) for one in refused.segments)
    verdict = ask_cell("slow-options", replace(refused, segments=with_counts))
    assert verdict.resource == "ms_dispatch_throttle_bytes"
    assert verdict.explains.value == pytest.approx(46 / 50)


def test_a_refused_message_waits_five_times_as_long_in_ceph_20() -> None:
    told = slow_by({"osd_client_message_cap": "1"}, **REFUSED)
    fewer = replace(
        told,
        segments=tuple(replace(one, osd_counters={0: {CLIENT_MESSAGES_REFUSED.name: 100.0}}) for one in told.segments),
    )
    assert told.environment.cluster is not None
    of_20 = replace(told.environment.cluster, version="20.2.4")
    assert ask_cell("slow-options", fewer) is None
    accused = ask_cell("slow-options", replace(fewer, environment=replace(told.environment, cluster=of_20)))
    assert accused.resource == "osd_client_message_cap"


@pytest.mark.parametrize(
    "options, counters",
    [
        ({"ms_tcp_rcvbuf": "4096"}, {"osd.op_w_latency_s": 40e-3, "osd.op_w_process_latency_s": 40e-3}),
        (
            {"bluestore_prefer_deferred_size_ssd": "8388608"},
            {"osd.op_w_latency_s": 49e-3, "osd.op_w_process_latency_s": 48e-3, "bluestore.commit_lat_s": 30e-3},
        ),
    ],
)
def test_options_that_spoil_large_writes_are_accused_of_these_alone(
    options: dict[str, str], counters: dict[str, float]
) -> None:
    large, small = cell("rbd", "write", block=4 << 20), cell("rbd", "write", block=2048)
    assert ask_cell("slow-options", slow_by(options, large, **counters)).resource == next(iter(options))
    assert ask_cell("slow-options", slow_by(options, small, **counters)) is None


def test_another_client_of_few_large_writes_shows_in_bytes_beside_pings() -> None:
    counters = {"osd.op_r": 0.0, "osd.op_r_out_bytes": 0.0, "osd.op_w": 2020.0, "osd.op_w_in_bytes": 88e6}
    idle = segment(PING, counters={**counters, "osd.op_w": 15.0, "osd.op_w_in_bytes": 60e6})
    told = Told(cells=(WRITE, PING), segments=(segment(WRITE, counters=counters), idle))
    assert ask_cell("other-clients", told).at_most


def test_delays_that_somebody_injected_are_found() -> None:
    injected = OsdFacts(id=0, options={"osd_debug_inject_dispatch_delay_probability": "0.5"})
    assert ask_environment("debug-levels", cluster(each_osd=(injected,))).role == "cause"


@pytest.mark.parametrize(
    ("option", "slows"),
    [
        ("global/debug_ms", True),
        ("client/debug_rbd", True),
        ("mon/debug_paxos", False),
        ("mgr.x/debug_mgr", False),
        ("global/debug_mds", False),
        ("mds.a/debug_ms", False),
        ("osd/debug_monc", False),
    ],
)
def test_daemons_that_no_io_passes_may_log_what_they_like(option: str, slows: bool) -> None:
    verdict = ask_environment("debug-levels", cluster(changed_options={option: "20/20"}))
    assert isinstance(verdict, Finding) is slows
    off = OsdFacts(id=0, options={"debug_mds": "20/20", "osd_debug_inject_dispatch_delay_probability": "0.000000"})
    assert ask_environment("debug-levels", cluster(each_osd=(off,))) is None


def test_the_step_against_loud_logs_takes_each_out_of_the_section_that_has_it() -> None:
    stored = {"osd/debug_osd": "20/20", "osd.1/debug_bluestore": "10", "client.a b/debug_ms": "20/20"}
    step = ask_environment("debug-levels", cluster(changed_options=stored)).try_next
    assert "ceph config rm osd debug_osd; ceph config rm osd.1 debug_bluestore;" in step
    assert "ceph config rm 'client.a b' debug_ms;" in step
    told = OsdFacts(id=0, options={"debug_osd": "20/20"})  # by ceph tell, and in no configuration
    assert ask_environment("debug-levels", cluster(each_osd=(told,))).try_next.startswith("ceph tell osd.*")


def test_a_limit_that_keeps_osds_from_their_cores_is_named_even_where_all_have_one() -> None:
    limited = {f"osd_cpu_throttled.{n}": (0.6, 0.7) for n in range(3)} | {"osd_cpu.0": (0.1,)}
    verdict = ask_cell("osd-cpu", one(WRITE, telemetry=limited))
    assert verdict.resource == "osd.0, osd.1, osd.2"
    assert verdict.explains.value == pytest.approx(0.65)
    hardly = {"osd_cpu_throttled.0": (0.01,), "osd_cpu.0": (0.1,)}
    assert not isinstance(ask_cell("osd-cpu", one(WRITE, telemetry=hardly)), Finding)


def test_a_load_on_a_disk_has_no_osd_beside_it_and_no_other_host_to_run_on() -> None:
    verdict = ask_cell("client-cpu", one(DISK_READ, telemetry={"client_cpu": (0.9,), "osd_cpu.0": (0.01,)}))
    assert verdict.because == ("a client process used 90% of one core",)
    assert "jobs = 2" in verdict.try_next


@pytest.mark.parametrize(
    ("rule", "series"), [("client-cpu", "client_cpu"), ("client-cpu-limit", "client_cpu_throttled")]
)
def test_a_busy_client_of_a_disk_makes_that_number_doubtful_and_explains_nothing_in_ceph(
    rule: str, series: str
) -> None:
    on_disk, on_ceph = (ask_cell(rule, with_telemetry(of, series, 0.97)) for of in (DISK_READ, WRITE))
    assert (on_disk.role, on_disk.severity) == (Role.REMARK, Severity.DOUBTFUL)
    assert on_ceph.role is Role.CAUSE


def test_a_limit_that_keeps_the_client_from_its_cores_is_named_however_full_the_host_is() -> None:
    limited = {"client_cpu_throttled": (0.7, 0.8), "client_cpu": (0.2,), "host_cpu": (1.0,)}
    verdict = ask_cell("client-cpu-limit", one(WRITE, telemetry=limited))
    assert verdict.resource == "CPU limit of the client"
    assert verdict.explains.high == pytest.approx(0.75)
    assert ask_cell("client-cpu-limit", one(WRITE, telemetry={"client_cpu_throttled": (0.01,)})) is None


def test_osds_that_all_wait_for_cores_are_no_case_of_their_own() -> None:
    assert ask_cell("osd-cpu", waiting_for_cores(2.0, 1.9, 1.5)) is None


def test_few_placement_groups_are_blamed_for_a_queue_and_many_are_not() -> None:
    assert "1 placement groups for 3 OSDs" in ask_cell("uneven-load", queued_at(1, groups=1)).because[0]
    assert ask_cell("uneven-load", queued_at(1, groups=128, others=400.0)) is None
    told = queued_at(1, groups=128)
    assert told.environment.cluster is not None and told.environment.cluster.pool is not None
    pool = replace(told.environment.cluster.pool, pgp_num=1)
    placed = replace(told, environment=replace(told.environment, cluster=replace(told.environment.cluster, pool=pool)))
    found = ask_cell("uneven-load", placed)
    assert "pgp_num is 1: only so many of the 128 placement groups" in found.because[0]
    assert found.try_next.endswith("pgp_num 128")


def test_an_osd_that_serves_nearly_all_of_many_groups_is_named_though_it_cannot_be_told_why() -> None:
    """As with pgp_num 1, or where all clients read the copy that is near them."""
    found = ask_cell("uneven-load", queued_at(1, groups=128))
    assert "95% of the operations go to it, of 128 placement groups" in found.because[0]
    assert "pgp_num" in found.try_next


def test_an_osd_that_serves_more_by_its_weight_is_told_so() -> None:
    osds = tuple(OsdFacts(id=number, weight=0.06 if number == 1 else 0.012) for number in range(3))
    heavy = cluster(pool=PoolFacts(name="p", size=3, pg_num=64), each_osd=osds)
    found = ask_cell("uneven-load", replace(queued_at(1, groups=64, others=250.0), environment=heavy))
    assert found.because[0] == "its CRUSH weight is 0.06, that of others 0.012"
    assert "ceph osd crush reweight osd.1" in found.try_next


def test_writes_wait_for_an_osd_that_holds_many_more_groups() -> None:
    """As one whose neighbours on its host have died: it is primary no more often than others."""
    deep = cell("rbd", "write", depth=8, block=4 << 20)
    commits = {
        osd: {
            "osd.op_w": 4.0,
            "osd.subop_w_latency_s.events": 16.0 if osd == 2 else 6.0,
            "bluestore.commit_lat_s": 0.39 if osd == 2 else 0.21,
        }
        for osd in range(5)
    }
    segments = tuple(segment(deep, round=number, iops=16.0, osd_counters=commits) for number in range(2))
    osds = tuple(OsdFacts(id=osd, groups=128 if osd == 2 else 64) for osd in range(5))
    told = Told(cells=(deep,), segments=segments, environment=cluster(each_osd=osds))
    found = ask_cell("uneven-load", told)
    assert "osd.2 holds 2.0 times as many placement groups" in found.claim
    alike = cluster(each_osd=tuple(replace(osd, groups=64) for osd in osds))
    assert isinstance(ask_cell("uneven-load", replace(told, environment=alike)), Unchecked)


def test_an_option_of_one_osd_alone_is_told_with_that_osd() -> None:
    told = slow_by({"ms_tcp_nodelay": "False"}, **NAGLE)
    assert not any("alone" in fact for fact in ask_cell("slow-options", told).because)
    one_of_two = (OsdFacts(id=0, options={"ms_tcp_nodelay": "False"}), OsdFacts(id=1))
    verdict = ask_cell("slow-options", replace(told, environment=cluster(each_osd=one_of_two)))
    assert verdict.because[1] == "osd.0 alone, of 2 OSDs"


def read_at(rates: Mapping[int, tuple[float, ...]], waits_s: Mapping[int, tuple[float, ...]]) -> Told:
    """4K reads with one and with 16 in flight; of each depth what each OSD reads a second, and waits for its drive."""
    cells = {depth: cell("rbd", "randread", depth=depth) for depth in rates}
    segments = [
        segment(
            of,
            round=number,
            iops=sum(rates[depth]),
            osd_counters={
                osd: {"osd.op_r": 2.0 * rate, "bluestore.read_wait_aio_lat_s": wait}
                for osd, (rate, wait) in enumerate(zip(rates[depth], waits_s[depth], strict=True))
            },
        )
        for depth, of in cells.items()
        for number in range(2)
    ]
    return Told(cells=tuple(cells.values()), segments=tuple(segments))


def test_a_drive_that_serves_as_many_at_any_depth_is_at_a_limit_and_not_slow() -> None:
    waits = {1: (1.1e-3, 0.1e-3, 0.1e-3), 16: (6.1e-3, 0.3e-3, 0.3e-3)}
    capped = read_at({1: (620.0, 440.0, 430.0), 16: (625.0, 400.0, 400.0)}, waits)
    found = ask_cell("sick-osd", replace(capped, cells=capped.cells[::-1]))
    assert found.claim == "The drive of osd.0 lets no more than 622 reads a second through, however many wait."
    assert "busy only 68% of the time" in found.because[0]
    slow = read_at({1: (210.0, 200.0, 205.0), 16: (480.0, 470.0, 465.0)}, waits)
    assert "osd.0 is slower than its peers" in ask_cell("sick-osd", replace(slow, cells=slow.cells[::-1])).claim
    very_slow = {1: (10e-3, 0.1e-3, 0.1e-3), 16: (120e-3, 0.3e-3, 0.3e-3)}
    busy = read_at({1: (97.0, 80.0, 81.0), 16: (100.0, 82.0, 83.0)}, very_slow)
    assert "osd.0 is slower than its peers" in ask_cell("sick-osd", replace(busy, cells=busy.cells[::-1])).claim


def test_drives_of_two_kinds_are_told_apart_with_their_class() -> None:
    of_each = (0.2, 0.02, 0.21, 0.021, 0.22, 0.19)
    found = ask_cell("drive-bound", streaming(20.0, *of_each))
    assert "osd.0, osd.2, osd.4, osd.5 wait longer" in found.claim
    classes = tuple(OsdFacts(id=osd, device_class="ssd" if osd in (1, 3) else "hdd") for osd in range(6))
    known = replace(streaming(20.0, *of_each), environment=cluster(each_osd=classes))
    assert "the OSDs of class hdd" in ask_cell("drive-bound", known).because[-1]
    assert "all OSDs alike" in ask_cell("drive-bound", streaming(20.0, 0.2, 0.21, 0.22, 0.3, 0.25, 0.24)).claim


def test_drives_are_not_accused_where_threads_wait_for_cores_or_one_drive_is_slow() -> None:
    assert ask_cell("drive-bound", streaming(20.0, 0.2, 0.21, 0.22, cores=2.0)) is None
    assert ask_cell("drive-bound", streaming(20.0, 0.01, 0.3, 0.01)) is None
    assert ask_cell("drive-bound", streaming(20.0, 0.01, 0.3)) is None  # one of two is slow


def test_osds_that_are_primary_of_nothing_leave_their_work_to_one() -> None:
    told = queued_at(1, groups=128)
    osds = tuple(OsdFacts(id=number, primary_affinity=float(number == 1)) for number in range(3))
    spared = replace(told, environment=cluster(pool=PoolFacts(name="p", size=3, pg_num=128), each_osd=osds))
    assert "osd.0, osd.2 are primary less often" in ask_cell("uneven-load", spared).because[0]


def test_an_osd_with_several_times_the_work_is_neither_sick_nor_short_of_cores() -> None:
    deep, alone = cell("rbd", "randwrite", depth=16), WRITE
    osds = {
        n: {"bluestore.commit_lat_s": 5e-3 if n == 2 else 1e-3, "osd.op_w": 900.0 if n == 2 else 100.0}
        for n in range(3)
    }
    waits = {f"osd_cpu_wait.{n}": (3.0 if n == 2 else 0.9,) for n in range(3)} | {"osd_cpu.0": (0.2,)}
    for of, rules in ((deep, ()), (alone, ("sick-osd",))):
        segments = tuple(segment(of, round=n, iops=1500.0, osd_counters=osds, telemetry=waits) for n in range(3))
        told = Told(cells=(of,), segments=segments)
        found = [name for name in ("sick-osd", "osd-cpu") if isinstance(ask_cell(name, told), Finding)]
        assert tuple(found) == rules


@pytest.mark.parametrize(("reads", "own_s", "sick"), [(39, 165e-3, False), (39, 650e-3, True), (27, 165e-3, True)])
def test_several_in_flight_gather_at_the_osd_that_is_asked_more_often_though_it_is_no_slower(
    reads: int, own_s: float, sick: bool
) -> None:
    """As measured with three equal drives of 80 MB/s: 39, 25 and 24 reads of 4 MiB, of 165, 58 and 80 ms."""
    of = cell("rbd", "read", block=4 << 20, depth=8)
    osds = {
        osd: {"osd.op_r": float(count), "bluestore.read_wait_aio_lat_s": took, "osd.op_r_latency_s": took}
        for osd, count, took in ((0, 25, 58e-3), (1, reads, own_s), (2, 24, 80e-3))
    }
    segments = tuple(segment(of, round=n, iops=46.0, osd_counters=osds) for n in range(2))
    assert isinstance(ask_cell("sick-osd", Told(cells=(of,), segments=segments)), Finding) is sick


def test_a_few_transactions_that_a_slow_drive_takes_long_for_are_its_own() -> None:
    """One for each placement group when the map changes; here 0.7 s each, so that some stand there at any time."""
    assert ask_cell("unasked-writes", benched(22.0, 0.7)) is None
    many = replace(benched(232.0, 40e-3), environment=cluster(each_osd=(OsdFacts(id=1, groups=200),)))
    assert ask_cell("unasked-writes", many) is None


@pytest.mark.parametrize(
    ("wait", "busy", "cpus", "told"),
    [(4.0, 0.6, 1, True), (1.5, 0.6, 1, False), (4.0, 0.95, 1, False), (4.0, 0.6, 2, False), (4.0, 0.6, None, False)],
)
def test_osds_that_may_use_some_cpus_only_and_wait_beside_idle_ones_are_kept_from_them(
    wait: float, busy: float, cpus: int | None, told: bool
) -> None:
    """Waiting alone proves nothing: threads that wake together wait for each other."""
    of = cell("rbd", "randwrite", depth=16)
    telemetry = {f"osd_cpu_wait.{osd}": (wait,) for osd in range(3)} | {"host_cpu": (busy,)}
    telemetry |= {f"osd_cpu.{osd}": (0.3,) for osd in range(3)}
    telemetry |= {f"osd_cpus.{osd}": (float(cpus),) for osd in range(3) if cpus}
    segments = tuple(segment(of, round=n, telemetry=telemetry) for n in range(2))
    hosts = (HostFacts(name="h1", role="osd", cpu_threads=2),)
    verdict = ask_cell("osd-cpu", Told(cells=(of,), segments=segments, environment=replace(ENVIRONMENT, hosts=hosts)))
    assert (isinstance(verdict, Finding) and "1 of 2 CPU threads" in verdict.because[0] and verdict.at_most) is told


def test_osds_beside_a_larger_client_are_not_confined_by_its_size() -> None:
    """Their own host has eight CPU threads, and they may use all of these."""
    of = cell("rbd", "randwrite", depth=16)
    telemetry = {f"osd_cpu_wait.{osd}": (4.0,) for osd in range(3)} | {"host_cpu": (0.6,)}
    telemetry |= {f"osd_cpu.{osd}": (0.3,) for osd in range(3)} | {f"osd_cpus.{osd}": (8.0,) for osd in range(3)}
    segments = tuple(segment(of, round=n, telemetry=telemetry) for n in range(2))
    hosts = (HostFacts(name="h1", role="osd", cpu_threads=8), HostFacts(name="c1", role="client", cpu_threads=64))
    told = Told(cells=(of,), segments=segments, environment=replace(ENVIRONMENT, hosts=hosts))
    assert not isinstance(ask_cell("osd-cpu", told), Finding)


def test_what_a_primary_does_for_its_replicas_is_work_too() -> None:
    """One OSD is primary of all writes: each of the three commits each write, and it is the busiest."""
    of = cell("rbd", "randwrite", depth=16)
    osds = {
        osd: {
            "bluestore.commit_lat_s": 4.5e-3 if osd == 0 else 1.7e-3,
            **({"osd.op_w": 900.0} if osd == 0 else {"osd.subop_w_latency_s.events": 900.0}),
        }
        for osd in range(3)
    }
    segments = tuple(segment(of, round=n, osd_counters=osds) for n in range(2))
    assert ask_cell("sick-osd", Told(cells=(of,), segments=segments)) is None


def test_what_clients_log_they_compute() -> None:
    for option, told in (("client/debug_ms", True), ("global/debug_ms", True), ("osd/debug_ms", False)):
        verdict = ask_environment("debug-levels", cluster(changed_options={option: "20/20"}))
        assert ("client-cpu" in verdict.hides) is told


def test_what_one_osd_logs_makes_that_osd_slow_and_no_other() -> None:
    loud = OsdFacts(id=2, options={"debug_bluestore": "20/20"})
    quiet = OsdFacts(id=1)
    one_of_two = ask_environment("debug-levels", cluster(each_osd=(quiet, loud)))
    assert (one_of_two.resource, "sick-osd" in one_of_two.hides) == ("osd.2", True)
    all_of_them = ask_environment("debug-levels", cluster(each_osd=(loud,)))
    assert (all_of_them.resource, "sick-osd" in all_of_them.hides) == ("logging", False)


def test_writes_at_a_slow_primary_accuse_its_own_store_and_not_its_latency() -> None:
    """In a pool of three on three OSDs every write waits for the slow one, whoever its primary is."""
    osds = {
        number: {"osd.op_w_latency_s": 32e-3, "bluestore.commit_lat_s": 30e-3 if number == 1 else 2e-3}
        for number in range(3)
    }
    told = Told(cells=(WRITE,), segments=tuple(segment(WRITE, round=n, iops=30.0, osd_counters=osds) for n in range(2)))
    verdict = ask_cell("sick-osd", told)
    assert verdict.resource == "osd.1"
    assert verdict.explains.value == pytest.approx(28 / 33.3, rel=0.01)


def test_an_image_is_not_blamed_for_the_small_operations_of_another_client() -> None:
    """Beside reads of 64 KiB in another pool, of 4 MiB writes in a guest, which its kernel cuts into three or four."""
    told, guest = in_pieces(380 << 10), cell("guest", "write", block=4 << 20)
    segments = tuple(replace(one, cell=guest.name) for one in told.segments)
    busy, quiet = (segment(PING, counters={"osd.op_r": 0.0, "osd.op_w": many}) for many in (2000.0, 2.0))
    told = replace(told, cells=(guest, PING), segments=(*segments, quiet))
    assert isinstance(ask_cell("image-layout", told), Finding)
    assert ask_cell("image-layout", replace(told, segments=(*segments, busy))) is None


@pytest.mark.parametrize(("accelerator", "verdict"), [("kvm", Finding), ("tcg", Unchecked)])
def test_an_emulated_guest_is_no_load_generator_that_is_too_slow(accelerator: str, verdict: type) -> None:
    guest = cell("guest", "randread", depth=16)
    told = one(guest, telemetry={"client_cpu": (0.99, 0.99)})
    facts = replace(ENVIRONMENT, guest=GuestFacts(accelerator=accelerator))
    assert isinstance(ask_cell("client-cpu", replace(told, environment=facts)), verdict)


def test_work_that_the_load_did_not_ask_for_is_another_clients() -> None:
    counters = {"osd.op_r": 0.0, "osd.op_w": 40_000.0}
    verdict = ask_cell("other-clients", one(WRITE, counters=counters))
    assert verdict.role == "cause"
    quiet = segment(PING, counters={"osd.op_r": 0.0, "osd.op_w": 2.0})
    told = Told(cells=(WRITE, PING), segments=(segment(WRITE, counters=counters), quiet))
    assert isinstance(ask_cell("other-clients", told), Unchecked)


@pytest.mark.parametrize(("of", "found"), [(READ, True), (WRITE, False)])
def test_writes_in_a_load_of_reads_are_others_by_the_time_that_they_take(of: Any, found: bool) -> None:
    """As two clients of one image, of which one writes, showed: hardly more operations than asked for."""
    counters = {"osd.op_r": 1900.0, "osd.op_r_latency_s": 0.5e-3, "osd.op_w": 100.0, "osd.op_w_latency_s": 35e-3}
    verdict = ask_cell("other-clients", one(of, counters=counters))
    assert isinstance(verdict, Finding) is found
    if found:
        assert verdict.explains.value == pytest.approx(3.5 / 4.45)
        few = counters | {"osd.op_w": 20.0}
        assert not isinstance(ask_cell("other-clients", one(of, counters=few)), Finding)


def test_a_pool_that_somebody_lists_takes_its_share_of_the_time_in_osds() -> None:
    counters = {"osd.op_r": 2000.0, "osd.op_r_latency_s": 0.5e-3, "osd.op_r_latency_s.events": 2000.0, "osd.op_w": 0.0}
    listed = counters | {"bluestore.clist_lat_s": 0.5e-3, "bluestore.clist_lat_s.events": 500.0}
    verdict = ask_cell("other-clients", one(READ, counters=listed))
    assert verdict.explains.value == pytest.approx(0.25)
    few = listed | {"bluestore.clist_lat_s.events": 150.0}
    assert not isinstance(ask_cell("other-clients", one(READ, counters=few)), Finding)
    scrubbed = one(READ, counters=listed, telemetry={"scrubbing_pgs": (1.0, 1.0)})
    assert not isinstance(ask_cell("other-clients", scrubbed), Finding)


def test_writes_that_nobody_asked_for_are_told_by_their_bytes_and_bound_what_they_explain() -> None:
    stored = {"bluestore.write_big_bytes": 940e6, "osd.op_w_in_bytes": 0.0, "osd.subop_w_in_bytes": 0.0}
    verdict = ask_cell("unasked-writes", benched(232.0, 40e-3, stored))
    assert (verdict.resource, verdict.at_most) == ("osd.1", True)
    assert verdict.explains.value == pytest.approx(1 / 3)
    assert "448 MiB/s" in verdict.because[1]
    assert "sick-osd" in verdict.hides


def test_writes_that_changes_of_the_map_account_for_are_told_as_such() -> None:
    told = benched(232.0, 40e-3, {"osd.map_epochs": 10.0})
    changing = replace(told, environment=cluster(each_osd=(OsdFacts(id=1, groups=64),)))
    assert ask_cell("unasked-writes", changing).resource == "map"
    few = replace(told, environment=cluster(each_osd=(OsdFacts(id=1, groups=8),)))
    assert ask_cell("unasked-writes", few).resource == "osd.1"


def test_requests_that_fail_are_told_by_the_messages_that_brought_them() -> None:
    """As removals of objects that are not there: replicas log them, too, and nobody counts an operation."""
    asked = benched(232.0, 40e-3, {"messenger.received": 1000.0})
    assert ask_cell("unasked-writes", asked).resource == "other clients"
    assert "each OSD receives" in ask_cell("unasked-writes", asked).because[0]
    assert ask_cell("unasked-writes", benched(232.0, 40e-3, {"messenger.received": 510.0})).resource == "osd.1"
    trimmed = {osd: {"osd.subop_w_latency_s.events": 116.0} for osd in (0, 2)}
    segments = tuple(
        replace(one, osd_counters={osd: {**own, **trimmed.get(osd, {})} for osd, own in one.osd_counters.items()})
        for one in asked.segments
    )
    assert ask_cell("unasked-writes", replace(asked, segments=segments)).resource == "osd.1"


def test_what_replicas_other_clients_and_a_moment_make_osds_write_accuses_nobody() -> None:
    replicas = {"osd.subop_w_latency_s.events": 230.0}
    assert ask_cell("unasked-writes", benched(232.0, 40e-3, replicas)) is None
    assert ask_cell("unasked-writes", benched(232.0, 40e-3, writes=2600.0)) is None
    once, never = benched(232.0, 40e-3, rounds=1).segments[0], benched(0.0, 40e-3, rounds=2).segments
    assert ask_cell("unasked-writes", Told(cells=(READ,), segments=(once, *never))) is None
    coded = cluster(pool=PoolFacts(name="p", erasure_profile="parts"))
    assert isinstance(ask_cell("unasked-writes", replace(benched(232.0, 40e-3), environment=coded)), Unchecked)


@pytest.mark.parametrize(("unclean", "accused"), [(0.0, True), (1.0, False)])
def test_transactions_while_groups_move_in_other_cells_are_part_of_that(unclean: float, accused: bool) -> None:
    """Each change of the map is one in every group, also in cells whose samples saw all of them clean."""
    told, moving = benched(232.0, 40e-3), with_telemetry(WRITE, "pg_not_clean", 0.0, unclean, 0.0)
    both = replace(told, cells=(*told.cells, *moving.cells), segments=(*told.segments, *moving.segments))
    assert isinstance(ask_cell("unasked-writes", both), Finding) is accused


def test_writes_that_stand_still_while_a_lock_is_handed_over_are_told_of_it() -> None:
    verdict = ask_cell("image-layout", handed_over(0.3, 15.0))
    assert verdict.resource == "image lock"
    assert verdict.explains.value == pytest.approx(0.15)


@pytest.mark.parametrize(
    "told",
    [
        handed_over(0.03, 15.0),
        handed_over(0.3, 1.0),
        handed_over(0.3, 15.0, ImageFacts(features=("layering",))),
        handed_over(0.3, 15.0, LOCKED, SlowOp(1, True, 1.0, 0.28, ())),
    ],
    ids=["no stall", "no lock", "no feature", "an OSD was late"],
)
def test_a_lock_is_not_blamed_for_less(told: Told) -> None:
    assert not isinstance(ask_cell("image-layout", told), Finding)


def test_pieces_that_the_images_own_layout_does_not_make_are_not_its_own() -> None:
    whole, cut = ImageFacts(object_bytes=4 << 20), ImageFacts(object_bytes=64 << 10)
    assert ask_cell("image-layout", in_pieces(64 << 10, image=cut)).resource == "image layout"
    assert ask_cell("image-layout", in_pieces(64 << 10, image=whole)) is None
    striped = ImageFacts(object_bytes=4 << 20, stripe_unit_bytes=64 << 10)
    assert ask_cell("image-layout", in_pieces(64 << 10, image=striped)).resource == "image layout"


def test_reads_that_no_drive_of_this_host_did_came_from_memory() -> None:
    told = one(DISK_READ, commands=(FIO_DISK,), telemetry={"disk_read_ios.vda": (3.0,)})
    assert "drives 3 times" in ask_cell("cached-reads", told).because[0]
    busy = one(DISK_READ, commands=(FIO_DISK,), telemetry={"disk_read_ios.vda": (990.0,)})
    assert ask_cell("cached-reads", busy) is None


def test_recovery_that_only_the_counters_saw_counts_too() -> None:
    assert ask_cell("background-work", one(WRITE, counters={"osd.recovery_ops": 12.0})).severity == "doubtful"
    assert ask_cell("background-work", one(WRITE, counters={"osd.recovery_ops": 0.0})) is None
    few = ask_cell("background-work", one(WRITE, counters={"osd.recovery_ops": 3.0, "osd.op_w": 2000.0}))
    assert (few.severity, few.role) == ("note", "remark")


def test_a_write_that_waits_for_quick_flushes_is_as_it_should_be() -> None:
    assert ask_cell("flush-bound", flushing(0.3e-3)) is None
    assert ask_cell("flush-bound", flushing(0.6e-3)).explains.value == pytest.approx(0.75)


def test_of_slow_flushes_the_drives_that_flush_quickly_are_named_too() -> None:
    told = flushing(1.7e-3)
    assert not any("osd." in fact for fact in ask_cell("flush-bound", told).because)
    good = {"bluestore.kv_flush_lat_s": 0.1e-3, "bluestore.kv_commit_lat_s": 0.2e-3}
    (each,) = told.segments
    mixed = replace(told, segments=(replace(each, osd_counters={**each.osd_counters, 1: good}),))
    assert "not osd.1: these flush in 0.1 ms" in ask_cell("flush-bound", mixed).because


def test_an_osd_that_was_slow_only_once_is_not_sick() -> None:
    once = slow_osd(1e-3, 1.1e-3, 5e-3).segments[:1] + slow_osd(1e-3, 1.1e-3, 1.2e-3).segments[:2]
    assert ask_cell("sick-osd", Told(cells=(WRITE,), segments=once)) is None


def test_coding_a_stripe_again_is_accused_only_of_what_it_takes() -> None:
    assert ask_cell("pool-layout", coded(4096)).explains.value == pytest.approx(0.62)
    assert ask_cell("pool-layout", coded(4096, way_s=0.5e-3)) is None
    assert ask_cell("pool-layout", coded(68 * 1024)) is None, "seventeen parts of 4 KiB: all but the last fill a stripe"


def test_a_small_read_of_a_coded_pool_waits_for_the_other_parts() -> None:
    counters = {"osd.op_r_latency_s": 4e-3, "osd.op_r_process_latency_s": 3.9e-3, "bluestore.read_lat_s": 0.4e-3}
    told = replace(one(READ, iops=200.0, counters=counters), environment=coded(4096).environment)
    assert ask_cell("pool-layout", told).explains.value == pytest.approx(0.7)


def slow_reads(*waits: float) -> Told:
    osds = {n: {"bluestore.read_wait_aio_lat_s": wait, "osd.op_r": 100.0} for n, wait in enumerate(waits)}
    told = Told(cells=(READ,), segments=tuple(segment(READ, round=n, iops=300.0, osd_counters=osds) for n in range(2)))
    each = tuple(OsdFacts(id=n, host=f"h{n // 2}") for n in range(len(waits)))
    return replace(told, environment=cluster(each_osd=each))


def test_several_slow_osds_are_named_together_with_the_host_that_they_share() -> None:
    verdict = ask_cell("sick-osd", slow_reads(0.2e-3, 0.1e-3, 4e-3, 4.2e-3, 0.2e-3, 0.1e-3))
    assert verdict.resource == "osd.2, osd.3"
    assert "all the OSDs of host h1" in verdict.because[-1]
    assert verdict.explains.value == pytest.approx(2 / 6 * 3.95 / 3.33, rel=0.01)
    apart = ask_cell("sick-osd", slow_reads(0.2e-3, 4e-3, 4.2e-3, 0.1e-3, 0.2e-3, 0.1e-3))
    assert "host" not in apart.because[-1]


@pytest.mark.parametrize("elsewhere, said", [(3, True), (4, False)])
def test_the_host_is_named_whose_drives_are_slow_in_turn(elsewhere: int, said: bool) -> None:
    """As behind a controller that resets its bus: what was under way then waits, and is of one drive or the other."""
    waits = [0.1e-3] * 6
    one_is, other_is = (slow_reads(*waits[:osd], 4e-3, *waits[osd + 1 :]) for osd in (2, elsewhere))
    deep = cell("rbd", "randread", depth=16)
    beside = tuple(replace(each, cell=deep.name) for each in other_is.segments)
    verdict = ask_cell("sick-osd", replace(one_is, cells=(READ, deep), segments=(*one_is.segments, *beside)))
    assert verdict.resource == "osd.2"
    assert (f"osd.{elsewhere} as well, and so every OSD of host h1" in verdict.because[-1]) is said


def test_where_half_of_the_osds_are_slow_none_of_them_is_the_exception() -> None:
    assert ask_cell("sick-osd", slow_reads(0.2e-3, 0.1e-3, 4e-3, 4.2e-3)) is None


def held_up(*waits: float, of: Any = READ, **beside: float) -> Told:
    """How long operations of each OSD wait for a thread; reads come from caches and drives that are all alike."""
    osds = {
        osd: {
            "osd.op_before_dequeue_op_lat_s": wait,
            "osd.op_r": 100.0,
            "bluestore.read_wait_aio_lat_s": 0.1e-3,
            "osd.op_r_latency_s": wait + 0.2e-3,
        }
        for osd, wait in enumerate(waits)
    }
    telemetry = {name: (value,) for name, value in beside.items()}
    return Told(
        cells=(of,),
        segments=tuple(
            segment(of, round=n, iops=2000.0, latency_s=0.5e-3, osd_counters=osds, telemetry=telemetry)
            for n in range(2)
        ),
    )


@pytest.mark.parametrize(("beside", "drive"), [(1.0, True), (2.0, False)])
def test_an_osd_that_is_as_late_in_what_needs_no_drive_has_no_slow_drive(beside: float, drive: bool) -> None:
    kinds = ("osd.op_before_dequeue_op_lat_s", "AsyncMessenger.msgr_send_messages_queue_lat_s")
    osds = {
        osd: {"bluestore.commit_lat_s": 60e-3 * (2.2 if osd == 1 else 1), "osd.op_w": 50.0}
        | dict.fromkeys(kinds, 1e-3 * (beside if osd == 1 else 1))
        for osd in range(3)
    }
    told = Told(cells=(LARGE,), segments=tuple(segment(LARGE, round=n, iops=50.0, osd_counters=osds) for n in range(2)))
    found = ask_cell("sick-osd", told)
    assert found.resource == "osd.1"
    assert ("smartctl" in found.try_next) is drive
    assert ("not its drive" in found.claim) is not drive


def test_an_osd_whose_threads_are_at_something_else_lets_single_operations_wait() -> None:
    found = ask_cell("sick-osd", held_up(0.02e-3, 0.9e-3, 0.03e-3))
    assert (found.resource, "dump_historic_ops" in found.try_next) == ("osd.1", True)
    assert found.explains.value == pytest.approx(0.58, abs=0.01)  # a third of the reads, 0.875 ms of 0.5 ms
    assert ask_cell("sick-osd", held_up(0.02e-3, 0.06e-3, 0.03e-3)) is None
    assert ask_cell("sick-osd", held_up(0.02e-3, 0.9e-3, 0.03e-3, scrubbing_pgs=1.0)) is None
    deep = cell("rbd", "randread", depth=16)
    assert (
        ask_cell("sick-osd", held_up(0.02e-3, 0.9e-3, 0.03e-3, of=deep)) is None
    )  # it may be its own load that queues


def test_a_cell_without_an_interval_says_what_it_needs() -> None:
    verdict = ask_cell("too-short", measured(iops=Undecided("2 segments", "3 more"), precise=False))
    assert verdict.because == ("2 segments",)
    assert "3 more" in verdict.try_next


def test_a_wide_interval_speaks_for_itself() -> None:
    assert ask_cell("too-short", measured(width=0.2, precise=False)) is None


def test_a_cell_of_which_nothing_is_left_is_invalid() -> None:
    told = Told(cells=(WRITE,), segments=(segment(WRITE, outcome=Outcome.FAILED, problem="no space"),))
    assert ask_cell("failures", told).severity == "invalid"


def test_a_user_who_may_not_ping_is_told_what_lets_everyone() -> None:
    problem = "ping ended with exit code 2: ping: socket: Operation not permitted / ping: => missing cap_net_raw+p"
    told = Told(cells=(PING,), segments=(segment(PING, outcome=Outcome.FAILED, problem=problem),))
    assert "ping_group_range" in ask_cell("failures", told).try_next


def test_a_tail_names_the_osd_the_stretch_and_the_period() -> None:
    verdict = ask_cell("tail", tailed(0.12, *AT_ONE))
    assert verdict.claim == (
        "The slowest operations pass their time in the OSD's own store and drive, mostly those of osd.2."
    )
    assert verdict.because[0] == "p99.9 is 120 ms, 120 times the median of 1 ms"
    assert "90%" in verdict.because[1]
    assert "every 5 s" in verdict.because[2]


def test_a_tail_that_waits_for_replicas_names_the_replica_that_is_late() -> None:
    waiting = [late(osd, osd, "replicas") for osd in (0, 1, 3, 4)]
    answering = [late(2, osd, replica=True) for osd in range(4)]
    assert "osd.2" in ask_cell("tail", tailed(0.12, *waiting, *answering)).claim


def test_a_tail_that_no_osd_saw_is_outside_of_them() -> None:
    quick = SlowOp(0, False, 1.0, 2e-3, (("own store", 2e-3),))
    assert "outside of the OSDs" in ask_cell("tail", tailed(0.12, quick)).claim


def test_a_tail_of_several_osds_accuses_none() -> None:
    assert "several OSDs" in ask_cell("tail", tailed(0.12, *(late(osd, 3.0 * osd) for osd in range(5)))).claim


def test_a_queue_limits_what_leaves_through_it_and_nothing_that_comes_in() -> None:
    """`tc` shapes one way; what came back faster than that was not limited by it."""
    links = (LinkFacts(host="h1", name="eth0", bits_per_s=0.3e9),)
    assert ask_cell("network-full", through_nic(0.95e9, links=links)) is None


@pytest.mark.parametrize(("each_osd_s", "said"), [(0.4, False), (0.1, True)])
def test_a_client_that_waits_no_longer_than_six_osds_on_the_same_host_is_not_accused(
    each_osd_s: float, said: bool
) -> None:
    """As measured on two cores, 85 % busy, with nothing wrong: the client waits 2.1 s each second, six OSDs 2.3."""
    waits = {f"osd_cpu_wait.{osd}": (each_osd_s,) * 3 for osd in range(6)}
    telemetry = {"client_cpu": (0.56,) * 3, "client_cpu_wait": (2.1,) * 3, "host_cpu": (0.85,) * 3, **waits}
    told = replace(one(WRITE, telemetry=telemetry), sandbox="demo")
    assert isinstance(ask_cell("client-cpu", told), Finding) == said
