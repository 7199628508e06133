"""Every rule about a cell: a study in which it fires, one in which it must not, one that lacks the facts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from radoscope.explain.finding import Finding
from radoscope.explain.rule import Unchecked
from radoscope.explain.rules import RULES
from radoscope.records.environment import HostFacts, PoolFacts
from radoscope.records.study import Outcome
from radoscope.stats.values import Undecided

from .build import ENVIRONMENT, FIO_DISK, FIO_RBD, Told, ask_cell, cell, cluster, segment, summary

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


def slow_osd(*latencies: float) -> Told:
    osds = {n: {"osd.op_w_latency_s": latency} for n, latency in enumerate(latencies)}
    return Told(cells=(WRITE,), segments=tuple(segment(WRITE, round=r, osd_counters=osds) for r in range(3)))


def beside_network(of: Any, latency_s: float, trip_s: float) -> Told:
    return Told(
        summaries=(summary(of, latency_s=latency_s), summary(PING, latency_s=trip_s)),
        segments=(segment(of, counters={"osd.op_r_out_bytes": BYTES_READ, "osd.op_w": 2000.0}),),
    )


def through_nic(rate: float) -> Told:
    return Told(
        summaries=(summary(RADOS_READ, iops=100.0), summary(IPERF, bandwidth=1e9)),
        segments=(segment(RADOS_READ, telemetry={"nic_bytes.eth0": (rate, rate)}),),
    )


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


KV = {"bluestore.kv_flush_lat_s": 0.6e-3, "bluestore.kv_commit_lat_s": 0.2e-3}

FIRES = {
    "unwritten-reads": one(READ, counters={"osd.op_r_out_bytes": 0.0}),
    "cached-reads": one(READ, counters={"bluestore.buffer_hit_bytes": 9e6, "bluestore.buffer_miss_bytes": 1e6}),
    "cached-writes": one(WRITE, counters={"osd.op_w": 300.0}),
    "synchronous-engine": one(cell("disk", "randread", depth=32), commands=(("fio", "--ioengine=psync"),)),
    "littles-law": one(WRITE, iops=1000.0, latency_s=5e-3),
    "background-work": with_telemetry(WRITE, "recovery_ops", 0, 3, 3, 0),
    "scrub": with_telemetry(WRITE, "scrubbing_pgs", 0, 1, 1),
    "slow-ops": with_telemetry(WRITE, "slow_ops", 0, 2),
    "other-clients": with_telemetry(WRITE, "others_in_flight", 2, 0, 5),
    "too-short": measured(width=0.2, precise=False, needs="about 4 more rounds, 40 s"),
    "ended-early": one(RADOS_READ, seconds=0.5, commands=(("rados", "bench", "10", "seq"),)),
    "memory": with_telemetry(WRITE, "mem_available_bytes", 9e7, 8e7),
    "compressible-data": compressing("aggressive"),
    "client-cpu": with_telemetry(WRITE, "client_cpu", 0.4, 0.97, 0.99, 0.98),
    "network-full": through_nic(0.95e9),
    "host-cpu": with_telemetry(WRITE, "host_cpu", 0.95, 0.99, 0.98),
    "osd-cpu": on_hosts(3.6, 4),
    "flush-bound": one(WRITE, counters={"osd.op_w_latency_s": 1e-3, **KV}),
    "sick-osd": slow_osd(1e-3, 1.1e-3, 5e-3),
    "small-sequential-writes": one(cell("rbd", "write")),
    "first-writes": one(RADOS_WRITE),
    "small-area": one(WRITE, commands=((*FIO_RBD[:5], "--size=1048576"),)),
    "average-only": measured(percentiles=False),
    "no-latency": without_latency(),
    "failures": Told(cells=(WRITE,), segments=(segment(WRITE), segment(WRITE, outcome=Outcome.FAILED, problem="boom"))),
}

SILENT = {
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
    "network-full": through_nic(0.3e9),
    "host-cpu": with_telemetry(WRITE, "host_cpu", 0.5, 0.6),
    "osd-cpu": on_hosts(0.7, 4),
    "flush-bound": one(WRITE, counters={"osd.op_w_latency_s": 9e-3, **KV}),
    "sick-osd": slow_osd(1e-3, 1.1e-3, 1.3e-3),
    "small-sequential-writes": one(cell("rbd", "write", block=4 << 20)),
    "first-writes": one(RADOS_WRITE, commands=(("rados", "bench", "10", "write", "--reuse-bench"),)),
    "small-area": one(WRITE),
    "average-only": measured(),
    "no-latency": one(WRITE),
    "failures": one(WRITE),
}

NOTHING_KNOWN = {
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


def test_a_read_faster_than_the_network_was_never_sent() -> None:
    verdict = ask_cell("unwritten-reads", beside_network(READ, 20e-6, 50e-6))
    assert "one round trip 50 µs" in verdict.because[0]


def test_a_write_faster_than_the_network_was_never_sent() -> None:
    assert isinstance(ask_cell("cached-writes", beside_network(WRITE, 20e-6, 50e-6)), Finding)


def test_a_disk_read_without_direct_io_is_a_read_of_the_page_cache() -> None:
    assert ask_cell("cached-reads", one(DISK_READ, commands=(FIO_DISK,))) is None
    assert ask_cell("cached-reads", one(DISK_READ, commands=(("fio", "--direct=0"),))).severity == "invalid"


def test_littles_law_counts_the_flush_that_fio_keeps_apart() -> None:
    synced = segment(WRITE, iops=500.0, latency_s=0.1e-3)
    flush = replace(synced.results[0], sync=replace(synced.results[0].latency, mean_s=1.9e-3))  # type: ignore[type-var]
    assert ask_cell("littles-law", Told(cells=(WRITE,), segments=(replace(synced, results=(flush,)),))) is None
    assert ask_cell("littles-law", Told(cells=(WRITE,), segments=(synced,))) is not None


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
    assert "0.4 of 2.0 busy cores" in verdict.because[1]


def test_loopback_counts_each_byte_twice() -> None:
    told = through_nic(0.1e9)
    there = segment(RADOS_READ, telemetry={"nic_bytes.lo": (1.2e9,)})
    assert ask_cell("network-full", replace(told, segments=(there,))) is None
    full = segment(RADOS_READ, telemetry={"nic_bytes.lo": (1.9e9,)})
    assert ask_cell("network-full", replace(told, segments=(full,))) is not None


def test_reads_that_no_drive_of_this_host_did_came_from_memory() -> None:
    told = one(DISK_READ, commands=(FIO_DISK,), telemetry={"disk_read_ios.vda": (3.0,)})
    assert "drives 3 times" in ask_cell("cached-reads", told).because[0]
    busy = one(DISK_READ, commands=(FIO_DISK,), telemetry={"disk_read_ios.vda": (990.0,)})
    assert ask_cell("cached-reads", busy) is None


def test_recovery_that_only_the_counters_saw_counts_too() -> None:
    assert ask_cell("background-work", one(WRITE, counters={"osd.recovery_ops": 12.0})).severity == "doubtful"
    assert ask_cell("background-work", one(WRITE, counters={"osd.recovery_ops": 0.0})) is None


def test_a_commit_that_waits_for_something_else_is_not_blamed_on_the_flush() -> None:
    counters = {"osd.op_w_latency_s": 9e-3, "bluestore.commit_lat_s": 8e-3, "bluestore.kv_sync_lat_s": 1e-3}
    assert ask_cell("flush-bound", one(WRITE, counters=counters)) is None
    assert ask_cell("flush-bound", one(WRITE, counters={**counters, "bluestore.kv_sync_lat_s": 5e-3})) is not None


def test_an_osd_that_was_slow_only_once_is_not_sick() -> None:
    once = slow_osd(1e-3, 1.1e-3, 5e-3).segments[:1] + slow_osd(1e-3, 1.1e-3, 1.2e-3).segments[:2]
    assert ask_cell("sick-osd", Told(cells=(WRITE,), segments=once)) is None


def test_a_cell_without_an_interval_says_what_it_needs() -> None:
    verdict = ask_cell("too-short", measured(iops=Undecided("2 segments", "3 more"), precise=False))
    assert verdict.because == ("2 segments",)
    assert "3 more" in verdict.try_next


def test_a_cell_of_which_nothing_is_left_is_invalid() -> None:
    told = Told(cells=(WRITE,), segments=(segment(WRITE, outcome=Outcome.FAILED, problem="no space"),))
    assert ask_cell("failures", told).severity == "invalid"
