"""A cluster in the simulator: its latency floor, its slices, its results."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.decided import known
from tests.predict.simulate.conftest import Way

from radoscope.predict.simulate import simulate, tables
from radoscope.predict.simulate.model import ServiceSpread, SimulationModel, take_slice, to_network
from radoscope.predict.simulate.results import bin_centres_s
from radoscope.predict.simulate.run import run_network

CALM = ServiceSpread(software=0.0, line=0.0, drive=0.0, flush=0.0)


def alone(cluster: SimulationModel, read_share: float) -> SimulationModel:
    load = replace(cluster.loads[0], read_share=read_share, clients=1, queue_depth=1, hosts=1)
    return replace(cluster, loads=(load,), spread=CALM)


def test_one_write_alone_takes_the_sum_of_its_way(way: Way, cluster: SimulationModel) -> None:
    w = cluster.loads[0].write
    to_osd = w.into_host_s + w.osd_thread_s + w.processor_s + w.osd_delay_s
    durable = w.drive_s + cluster.flush_s + w.commit_item_s
    # a message goes out and comes in at the same time; the third copy leaves the primary's host after the second one
    copy = w.out_of_host_s + w.hop_s + to_osd + durable + w.hop_s
    expected = w.client_s + w.client_delay_s + w.hop_s + to_osd + copy + w.hop_s
    result = simulate(alone(cluster, 0.0), seconds=0.2, compiled=way.compiled)
    assert result.mean_latency_s == pytest.approx(expected, rel=1e-6)


def test_one_read_alone_takes_the_sum_of_its_way(way: Way, cluster: SimulationModel) -> None:
    r = cluster.loads[0].read
    to_osd = r.into_host_s + r.osd_thread_s + r.processor_s + r.osd_delay_s
    there = r.client_s + r.client_delay_s + r.hop_s + to_osd
    expected = there + r.drive_s + 0.7 * r.media_delay_s + r.hop_s + r.client_line_s
    result = simulate(alone(cluster, 1.0), seconds=0.5, compiled=way.compiled)
    assert result.mean_latency_s == pytest.approx(expected, rel=0.02)


def test_a_closed_loop_keeps_little_s_law(way: Way, cluster: SimulationModel) -> None:
    result = simulate(cluster, seconds=0.05 if way.compiled else 0.02, compiled=way.compiled)
    assert result.iops * result.mean_latency_s == pytest.approx(64, rel=0.03)


def test_a_slice_at_equal_load_per_osd_predicts_the_whole(cluster: SimulationModel) -> None:
    load = replace(cluster.loads[0], clients=40, hosts=10)
    whole = replace(cluster, nodes=20, osds=60, drives=60, groups=1280, loads=(load,))
    part = take_slice(whole, 0.25)
    assert (part.nodes, part.osds, part.groups, part.loads[0].clients) == (5, 15, 320, 10)
    one, quarter = simulate(whole, seconds=0.05), simulate(part, seconds=0.05)
    assert quarter.iops == pytest.approx(one.iops, rel=0.05)
    assert any("slice of 0.25" in remark for remark in quarter.remarks)


def test_a_slice_that_leaves_too_few_hosts_is_refused(cluster: SimulationModel) -> None:
    with pytest.raises(ValueError, match="leaves 2 of 4 hosts for 3 copies"):
        take_slice(cluster, 0.5)


def test_bins_are_as_narrow_as_promised() -> None:
    centres = bin_centres_s()
    assert (centres[1:] / centres[:-1]).max() < 1.011


def test_results_agree_with_each_other(way: Way, cluster: SimulationModel) -> None:
    result = simulate(cluster, seconds=0.02, warm_up_s=0.0, compiled=way.compiled)
    for route in result.routes:
        assert known(route.latency.histogram).total == route.ops
        assert sum(route.series[0].values) * 0.02 / 100 == pytest.approx(route.ops)
        told = list(route.latency.percentiles_s.values())
        assert told == sorted(told)
    assert 0 < max(station.busiest for station in result.stations) <= 1


def test_stalls_make_the_tail_and_spare_the_median(cluster: SimulationModel) -> None:
    calm = simulate(cluster, seconds=0.2, seed=2)
    stalling = simulate(replace(cluster, stalls_per_s=5.0, stall_s=0.01), seconds=0.2, seed=2)
    tails = [result.routes[0].latency.percentiles_s for result in (calm, stalling)]
    assert tails[1][99.0] > 3 * tails[0][99.0]
    assert tails[1][50.0] < 2 * tails[0][50.0]


def test_open_and_closed_loads_run_side_by_side(way: Way, cluster: SimulationModel) -> None:
    background = replace(cluster.loads[0], name="backup", rate_per_s=5000.0)
    both = replace(cluster, loads=(cluster.loads[0], background))
    result = simulate(both, seconds=0.1 if way.compiled else 0.03, compiled=way.compiled)
    rate = sum(route.iops for route in result.routes if route.name.startswith("backup"))
    assert rate == pytest.approx(5000, rel=0.1 if way.compiled else 0.3)


def test_one_client_of_one_osd_is_as_fast_as_their_connection(way: Way, cluster: SimulationModel) -> None:
    read = replace(cluster.loads[0].read, connection_s=200e-6)
    load = replace(cluster.loads[0], read=read, read_share=1.0, clients=1, queue_depth=32, hosts=1)
    one = replace(cluster, nodes=1, osds=1, drives=1, width=1, groups=8, loads=(load,))
    assert one.has_connections
    assert simulate(one, seconds=0.3, compiled=way.compiled).iops == pytest.approx(5000, rel=0.05 * way.loose / 4)


def test_two_clients_have_a_connection_each(cluster: SimulationModel) -> None:
    read = replace(cluster.loads[0].read, connection_s=200e-6)
    load = replace(cluster.loads[0], read=read, read_share=1.0, clients=2, queue_depth=16, hosts=1)
    one = replace(cluster, nodes=1, osds=1, drives=1, width=1, groups=8, loads=(load,))
    assert simulate(one, seconds=0.3, compiled=False).iops == pytest.approx(10_000, rel=0.1)


def test_with_very_many_connections_nobody_waits_there_and_the_floor_stays(cluster: SimulationModel) -> None:
    read = replace(cluster.loads[0].read, connection_s=200e-6)
    few = alone(replace(cluster, loads=(replace(cluster.loads[0], read=read),)), 1.0)
    many = replace(few, osds=20_000, nodes=4, drives=4, width=1, groups=16)
    assert (few.has_connections, many.has_connections) == (True, False)
    latencies = [simulate(model, seconds=0.1, compiled=False).mean_latency_s for model in (few, many)]
    assert latencies[1] == pytest.approx(latencies[0], rel=0.05)


def test_a_small_erasure_coded_write_reads_before_it_writes(way: Way, cluster: SimulationModel) -> None:
    write = replace(cluster.loads[0].write, parts_read=3, parts_written=2)
    load = replace(cluster.loads[0], write=write, read_share=0.0)
    model = replace(cluster, nodes=6, width=6, loads=(load,))
    run = run_network(to_network(model, seed=1), seconds=0.02, compiled=way.compiled)
    drive = sum(group.count for group in run.network.stations[:6])
    steps = run.at_end.steps
    visits = steps["visits"][(steps["kind"] == tables.VISIT) & (steps["group"] == drive)]
    commits = steps["visits"][steps["kind"] == tables.COMMIT]
    done = int(run.at_end.routes["done"].sum())
    assert run.network.stations[6].name == "drive"
    assert visits.sum() / done == pytest.approx(5, rel=0.15), "three parts read and two written, and ops under way"
    assert commits.sum() / done == pytest.approx(2, rel=0.1)


def test_one_erasure_coded_write_alone_takes_the_sum_of_its_way(way: Way, cluster: SimulationModel) -> None:
    w = replace(cluster.loads[0].write, parts_read=3, parts_written=3)
    model = replace(cluster, nodes=6, width=6, loads=(replace(cluster.loads[0], write=w),))
    software = w.osd_thread_s + w.processor_s + w.osd_delay_s
    to_primary = w.client_s + w.client_delay_s + w.hop_s + w.into_host_s + software
    reading = 2 * w.hop_s + software + w.drive_s
    durable = w.drive_s + cluster.flush_s + w.commit_item_s
    writing = 2 * w.out_of_host_s + w.hop_s + software + durable + w.hop_s
    result = simulate(alone(model, 0.0), seconds=0.2, compiled=way.compiled)
    assert result.mean_latency_s == pytest.approx(to_primary + reading + software + writing + w.hop_s, rel=1e-6)
