"""What a cell comes to."""

import math
import random
from statistics import stdev

import pytest

from radoscope.records.conditions import Layer, Operation
from radoscope.records.measurement import Latency, Result, Series
from radoscope.records.study import Outcome
from radoscope.stats.summarise import summarise, summarise_cell
from radoscope.stats.values import Estimate, LatencySummary, Undecided
from radoscope.words import reading
from tests.decided import known
from tests.stats.building import a_cell, a_latency, a_result, a_segment, a_study

RATES = [1000.0, 1100.0, 950.0, 1050.0, 1020.0, 980.0]


def test_a_cell_is_the_mean_of_its_segments_with_their_spread_as_interval() -> None:
    summary = summarise(a_study((a_cell(), RATES))).cells[0]
    assert isinstance(summary.iops, Estimate)
    assert summary.iops.value == pytest.approx(1016.667, abs=1e-3)
    assert summary.iops.samples == 6
    # t(0.975, 5) = 2.5706 (published tables); widened by 1.1; neighbours alternate, so nothing for correlation
    assert known(summary.iops.interval).half_width == pytest.approx(
        1.1 * 2.5706 * stdev(RATES) / math.sqrt(6), rel=1e-4
    )


def test_bandwidth_and_iops_are_sums_over_clients() -> None:
    segments = [a_segment(a_result(400), a_result(500), a_result(600), number=i) for i in range(4)]
    summary = summarise_cell(a_cell(clients=3), segments)
    assert known(summary.iops).value == 1500
    assert known(summary.bandwidth_bytes_per_s).value == 1500 * 4096
    assert summary.per_client_iops == (400, 500, 600)


def test_two_directions_of_one_client_are_one_client() -> None:
    mixed = [a_result(700, op="read"), a_result(300, op="write")] * 2
    summary = summarise_cell(a_cell(clients=2), [a_segment(*mixed)])
    assert summary.per_client_iops == (1000, 1000)
    assert "read and write together" in summary.remarks[0]


def test_one_segment_has_a_value_but_no_interval() -> None:
    summary = summarise(a_study((a_cell(), [1000.0]))).cells[0]
    assert known(summary.iops).value == 1000
    assert isinstance(known(summary.iops).interval, Undecided)
    assert not summary.precise
    assert summary.needs == "about 3 more rounds, 18 s"


def test_failed_segments_count_as_failed_and_as_time_only() -> None:
    segments = [a_segment(a_result(1000), number=i) for i in range(4)]
    segments.append(a_segment(a_result(10), number=4, outcome=Outcome.FAILED))
    segments.append(a_segment(number=5))
    segments.append(a_segment(number=6, outcome=Outcome.SKIPPED, seconds=0.0))
    summary = summarise_cell(a_cell(), segments)
    assert (summary.segments, summary.failed) == (4, 2)
    assert known(summary.iops).value == 1000
    assert (summary.seconds, summary.measured_s) == (36, 20)


def test_a_cell_without_any_segment_is_undecided_not_an_error() -> None:
    summary = summarise_cell(a_cell(), [])
    assert isinstance(summary.iops, Undecided)
    assert isinstance(summary.latency, Undecided)


def test_a_client_that_does_not_say_leaves_the_sum_unsaid() -> None:
    summary = summarise_cell(a_cell(clients=2), [a_segment(a_result(400), a_result(None)) for _ in range(4)])
    assert isinstance(summary.iops, Undecided)


def test_long_segments_weigh_more_than_short_ones() -> None:
    segments = [a_segment(a_result(100, runtime_s=9)), a_segment(a_result(200, runtime_s=1), number=1)]
    assert known(summarise_cell(a_cell(), segments).iops).value == pytest.approx(110)


def test_latency_joins_all_clients_and_segments() -> None:
    segments = [
        a_segment(a_result(latencies_s=[0.001] * 90), a_result(latencies_s=[0.010] * 10), number=i) for i in range(4)
    ]
    latency = summarise_cell(a_cell(clients=2), segments).latency
    assert isinstance(latency, LatencySummary)
    assert (latency.min_s, latency.max_s) == (0.001, 0.010)
    assert known(latency.mean_s).value == pytest.approx((90 * 0.001 + 10 * 0.010) / 100)
    assert known(latency.histogram).counts == (360, 40)
    assert known(latency.percentiles_s[50.0]).value == 0.001


def test_a_percentile_that_the_sample_does_not_bear_is_not_printed() -> None:
    segments = [a_segment(a_result(latencies_s=[0.001] * 990 + [0.005] * 10), number=i) for i in range(5)]
    percentiles = known(summarise_cell(a_cell(), segments).latency).percentiles_s
    assert isinstance(percentiles[50.0], Estimate)
    assert isinstance(percentiles[99.99], Undecided)
    assert "100,000 I/Os" in percentiles[99.99].needs


def test_percentiles_are_of_completions_where_only_those_have_a_histogram_and_it_says_so() -> None:
    total = Latency(min_s=0.0011, mean_s=0.0012, max_s=0.0013, samples=400)
    result = a_result(latency=total, completion=a_latency([0.001] * 400))
    summary = summarise_cell(a_cell(), [a_segment(result, number=i) for i in range(4)])
    assert known(known(summary.latency).mean_s).value == 0.0012
    assert known(known(summary.latency).percentiles_s[50.0]).value == 0.001
    assert "completion" in summary.remarks[0]


def test_printed_percentiles_of_several_clients_are_not_averaged() -> None:
    printed = Latency(mean_s=0.001, samples=100, percentiles_s={99.0: 0.004})
    alone = [a_segment(a_result(latency=printed), number=i) for i in range(4)]
    two = [a_segment(a_result(latency=printed), a_result(latency=printed), number=i) for i in range(4)]
    assert known(known(summarise_cell(a_cell(), alone).latency).percentiles_s[99.0]).value == 0.004
    assert "not of all I/Os" in known(known(summarise_cell(a_cell(), alone).latency).percentiles_s[99.0]).method
    assert isinstance(known(summarise_cell(a_cell(clients=2), two).latency).percentiles_s[99.0], Undecided)


def test_rados_bench_without_a_histogram_has_mean_but_no_percentiles() -> None:
    latency = Latency(min_s=0.001, mean_s=0.002, max_s=0.05, stddev_s=0.001)
    summary = summarise_cell(a_cell(), [a_segment(a_result(latency=latency), number=i) for i in range(4)])
    assert known(known(summary.latency).mean_s).value == 0.002
    assert all(isinstance(each, Undecided) for each in known(summary.latency).percentiles_s.values())


def test_a_round_trip_is_judged_by_its_latency() -> None:
    pings = [a_result(None, latency=Latency(mean_s=0.0002, samples=50), tool="ping") for _ in range(5)]
    summary = summarise_cell(a_cell(), [a_segment(ping, number=i) for i, ping in enumerate(pings)])
    assert isinstance(summary.iops, Undecided)
    assert summary.precise


def test_fsync_latency_stands_apart() -> None:
    segments = [a_segment(a_result(sync=a_latency([0.002] * 400)), number=i) for i in range(4)]
    assert known(known(summarise_cell(a_cell(), segments).sync).percentiles_s[50.0]).value == 0.002


def test_series_of_clients_are_added_second_by_second_on_one_clock() -> None:
    one = Series("iops", "1/s", (1000.0, 1001.0, 1002.0), (10.0, 11.0, 12.0), absolute=True)
    two = Series("iops", "1/s", (1000.2, 1001.2), (20.0, 21.0), absolute=True)
    summary = summarise_cell(a_cell(clients=2), [a_segment(a_result(series=(one,)), a_result(series=(two,)))])
    assert summary.series[0].times_s == (1000.0, 1001.0)
    assert summary.series[0].values == (30.0, 32.0)


def test_relative_series_begin_when_the_load_began() -> None:
    series = Series("iops", "1/s", (0.0, 1.0), (10.0, 11.0))
    segment = a_segment(a_result(series=(series,), runtime_s=5.0), started_at_s=1000.0, seconds=7.0)
    assert summarise_cell(a_cell(), [segment]).series[0].times_s == (1002.0, 1003.0)


def test_the_drift_of_the_host_is_its_yardsticks_relative_spread() -> None:
    random.seed(1)
    segments = tuple(a_segment(a_result(1000), number=i, host_speed=random.gauss(1e6, 1e5)) for i in range(400))
    drift = known(summarise(a_study((a_cell(), []), segments=segments)).host_drift)
    assert drift.value == pytest.approx(0.1, rel=0.1)
    assert not known(drift.interval).excludes(0.1)
    assert summarise(a_study((a_cell(), RATES))).host_drift is None


def test_a_spread_that_goes_with_the_host_is_named() -> None:
    rng = random.Random(2)
    speeds = [rng.gauss(1e6, 1e5) for _ in range(20)]
    tied = [
        a_segment(a_result(speed / 1000 + rng.gauss(0, 20)), number=i, host_speed=speed)
        for i, speed in enumerate(speeds)
    ]
    free = [a_segment(a_result(rng.gauss(1000, 100)), number=i, host_speed=speed) for i, speed in enumerate(speeds)]
    assert "speed of the host" in summarise_cell(a_cell(), tied).remarks[0]
    assert summarise_cell(a_cell(), free).remarks == ()


def test_segments_that_others_disturbed_do_not_count_and_the_reader_learns_both_figures() -> None:
    calm = [a_segment(a_result(rate), number=number) for number, rate in enumerate((990, 1000, 1010))]
    taken = a_segment(a_result(600), number=3, disturbed="others used 1.6 cores, usually 0.1")
    assert summarise_cell(a_cell(), [*calm, taken]).remarks == (
        "1 of 4 segments does not count, because others used the host meanwhile",
        "with the segments during which others used the host it would be 900 IOPS",
    )
    with reading("de"):
        remarks = summarise_cell(a_cell(), [*calm, taken]).remarks
    assert remarks[0] == "1 von 4 Segmenten zählt nicht, weil andere währenddessen den Host benutzten"
    assert "900 IOPS" in remarks[1]


def test_of_round_trips_to_several_hosts_the_median_counts_and_each_is_told() -> None:
    def trips(*means: float) -> list[Result]:
        hosts = zip(("c2", "c3", "c4", "c5"), means, strict=False)
        return [a_result(None, op="rtt", latencies_s=[mean], extra={"towards": host}) for host, mean in hosts]

    ping = a_cell("ping", layer=Layer.NETWORK, tool="ping", op=Operation.RTT, block_bytes=None)
    odd = summarise_cell(ping, [a_segment(*trips(0.2e-3, 9e-3, 0.3e-3), number=i) for i in range(4)])
    assert isinstance(odd.latency, LatencySummary)
    assert known(odd.latency.mean_s).value == pytest.approx(0.3e-3)
    assert odd.remarks == ("the median of hosts: c2 0.2 ms, c4 0.3 ms and c3 9 ms",)
    even = summarise_cell(ping, [a_segment(*trips(0.2e-3, 9e-3, 0.3e-3, 0.5e-3), number=i) for i in range(4)])
    assert isinstance(even.latency, LatencySummary)
    assert known(even.latency.mean_s).value == pytest.approx(0.4e-3)
