"""Whatever a text claims, the judgement answers with words and never with an exception."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import radoscope.explain as explain
from radoscope.catalogue import drives, results
from radoscope.records.conditions import Operation
from radoscope.records.measurement import Latency, Result, Series, Source
from tests.examples import examples

from .build import Told, cell, segment, summary

NUMBERS = st.none() | st.sampled_from([0.0, 1e-12, 1.0, 1e308]) | st.floats(0, 1e12)
COUNTS = st.none() | st.integers(0, 2**64)
LATENCIES = st.none() | st.builds(
    Latency, mean_s=NUMBERS, percentiles_s=st.dictionaries(st.sampled_from([50.0, 99.0]), st.floats(0, 1e6))
)
TOOLS = st.sampled_from(["fio", "rados-bench", "rbd-bench", "osd-bench", "ping", "iperf3", "dd", "hdparm", "table"])
WORDS = st.sampled_from(["rbd", "psync", "0", "1", "4k", "50%", "", "none"])
OPTIONS = st.dictionaries(st.sampled_from(["ioengine", "direct", "fsync", "sync", "size", "gtod_reduce"]), WORDS)
EXTRA = st.fixed_dictionaries(
    {},
    optional={
        "options": OPTIONS | st.just("not a mapping"),
        "error": st.integers(-5, 5) | st.text(max_size=3),
        "usr_cpu": NUMBERS | st.text(max_size=3),
        "sys_cpu": NUMBERS,
        "group": st.integers(0, 2),
        "jobname": st.text(max_size=4),
        "loss_pct": NUMBERS,
        "retransmits": COUNTS,
        "write_cache": WORDS,
        "health": WORDS,
        "iops_exact": st.floats(0, 1e9),
    },
)
SERIES = st.lists(st.floats(0, 1e9), max_size=12).map(
    lambda values: Series("iops", "1/s", tuple(float(n) for n in range(len(values))), tuple(values))
)
RESULTS = st.builds(
    Result,
    tool=TOOLS,
    op=st.none() | st.sampled_from([*Operation, "trim"]),
    block_bytes=COUNTS,
    queue_depth=COUNTS,
    jobs=COUNTS,
    iops=NUMBERS,
    bandwidth_bytes_per_s=NUMBERS,
    latency=LATENCIES,
    completion=LATENCIES,
    sync=LATENCIES,
    total_ios=COUNTS,
    runtime_s=NUMBERS,
    series=st.lists(SERIES, max_size=2).map(tuple),
    source=st.none()
    | st.builds(Source, reader=st.just("r"), first_line=st.integers(1, 9), last_line=st.integers(1, 9)),
    extra=EXTRA,
)


@settings(max_examples=examples(100))
@given(st.lists(RESULTS, max_size=4))
def test_no_result_however_odd_breaks_the_judgement(found: list[Result]) -> None:
    for finding in explain.judge(found, results(), drives()):
        assert finding.claim
        assert finding.because


COUNTERS = st.dictionaries(
    st.sampled_from(
        [
            *("osd.op_r", "osd.op_w", "osd.op_r_out_bytes", "osd.op_w_latency_s", "osd.recovery_ops"),
            *("bluestore.kv_sync_lat_s", "bluestore.buffer_hit_bytes", "bluestore.buffer_miss_bytes"),
        ]
    ),
    st.floats(0, 1e12),
)
TELEMETRY = st.dictionaries(
    st.sampled_from(["client_cpu", "host_cpu", "osd_cpu.0", "nic_bytes.lo", "disk_read_ios.a", "slow_ops"]),
    st.lists(st.floats(0, 1e9), max_size=3).map(tuple),
)


@settings(max_examples=examples(60))
@given(
    op=st.sampled_from(["read", "write", "randread", "randwrite", "randrw"]),
    layer=st.sampled_from(["disk", "rados", "rbd"]),
    iops=st.floats(0, 1e9),
    counters=COUNTERS,
    osd_counters=st.dictionaries(st.integers(0, 4), COUNTERS),
    telemetry=TELEMETRY,
    odd=RESULTS,
)
def test_no_study_however_odd_breaks_the_check(
    op: str, layer: str, iops: float, counters: Any, osd_counters: Any, telemetry: Any, odd: Result
) -> None:
    of = cell(layer, op)
    whole = segment(of, iops=iops, counters=counters, osd_counters=osd_counters, telemetry=telemetry)
    told = Told(
        summaries=(summary(of, iops=max(iops, 1e-9)),), segments=(whole, replace(whole, results=(odd,), round=1))
    )
    explain.check(told.study(), told.all_summaries(), drives())
    explain.check_cells(told.study(), told.all_summaries())
