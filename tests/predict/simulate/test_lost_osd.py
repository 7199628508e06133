"""An OSD is lost under load, comes back or is marked out, and recovery runs beside the clients."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.decided import known

from radoscope.predict.simulate.model import OpCost, OsdLoss, SimulationModel, to_network
from radoscope.predict.simulate.results import result_of
from radoscope.predict.simulate.run import RawRun, audit, run_network

COPY = OpCost(processor_s=1e-4, drive_s=5e-5, out_of_host_s=1e-4, into_host_s=1e-4, hop_s=1e-5)
LOSS = OsdLoss(osd=3, at_s=0.03, detect_s=0.01, peering_s=0.01, objects_per_group=4, copy=COPY)


def run_with(model: SimulationModel, loss: OsdLoss | None, seconds: float = 0.2, **options: object) -> RawRun:
    run = run_network(to_network(replace(model, loss=loss), seed=1), seconds=seconds, **options)  # type: ignore[arg-type]
    audit(run)
    return run


def test_nothing_is_done_on_an_osd_while_it_is_lost(cluster: SimulationModel) -> None:
    """What was queued before the loss is booked already; beyond that its stations stay as they are."""
    shorter, longer = run_with(cluster, LOSS, 0.06), run_with(cluster, LOSS, 0.2)
    groups = [group.name for group in longer.network.stations]
    first = sum(g.count for g in longer.network.stations[: groups.index("OSD processor")])
    assert longer.at_end.stations["busy_s"][first + 3] == shorter.at_end.stations["busy_s"][first + 3]
    assert longer.at_end.stations["busy_s"][first + 4] > shorter.at_end.stations["busy_s"][first + 4]


def test_clients_pause_until_the_groups_have_peered(cluster: SimulationModel) -> None:
    iops = result_of(run_with(cluster, LOSS)).routes[0].series[0]
    by_time = dict(zip(np.round(iops.times_s, 3), iops.values, strict=True))
    assert by_time[0.046] < 0.1 * by_time[0.02], "64 ops in flight soon all wait for the lost OSD's groups"
    assert by_time[0.1] > 0.7 * by_time[0.02], "degraded, but serving"


def test_the_longest_latency_is_the_outage(cluster: SimulationModel) -> None:
    result = result_of(run_with(cluster, LOSS))
    assert max(known(route.latency.max_s) for route in result.routes) == pytest.approx(0.02, rel=0.2)


def test_a_returned_osd_gets_what_was_written_without_it(cluster: SimulationModel) -> None:
    run = run_with(cluster, replace(LOSS, return_at_s=0.08), 0.4)
    recovery = result_of(run).routes[-1]
    homes = (run.at_end.home.reshape(-1, 3) == 3).any(axis=1)
    assert recovery.name == "recovery"
    assert 0 < recovery.ops <= homes.sum() * 4
    assert not run.at_end.groups["missing"].any()
    assert np.array_equal(run.at_end.acting, run.at_end.home)


def test_an_osd_that_is_marked_out_is_replaced_object_by_object(cluster: SimulationModel) -> None:
    run = run_with(cluster, replace(LOSS, out_at_s=0.06), 0.4)
    homes = (run.at_end.home.reshape(-1, 3) == 3).any(axis=1)
    assert result_of(run).routes[-1].ops == homes.sum() * 4
    assert np.array_equal(run.at_end.acting, run.at_end.spare)
    assert not (run.at_end.acting == 3).any()


def test_recovery_slows_the_clients(cluster: SimulationModel) -> None:
    with_recovery = run_with(cluster, replace(LOSS, return_at_s=0.08, objects_per_group=400, recovery_in_flight=64))
    without = run_with(cluster, replace(LOSS, return_at_s=0.08, objects_per_group=0))
    assert result_of(with_recovery).iops < 0.95 * result_of(without).iops


@pytest.mark.parametrize("limit_bps", [2e9, 4e9])
def test_recovery_takes_as_long_as_its_share_of_the_returned_osd(cluster: SimulationModel, limit_bps: float) -> None:
    """All objects go to one OSD, which takes `limit_bps` of them: bytes / limit, where nothing else is slower."""
    loss = replace(LOSS, return_at_s=0.08, objects_per_group=20, object_bytes=2**20, recovery_bps=limit_bps)
    run = run_with(cluster, loss, 0.6)
    result = result_of(run)
    copied = int(run.at_end.routes["done"][-1])
    assert copied > 100
    assert result.left_to_recover == 0
    assert result.recovery_s == pytest.approx(copied * 2**20 / limit_bps, abs=0.6 / 100 + 0.006)


def test_recovery_that_has_not_ended_says_how_much_is_left(cluster: SimulationModel) -> None:
    loss = replace(LOSS, return_at_s=0.08, objects_per_group=20, object_bytes=2**20, recovery_bps=1e8)
    result = result_of(run_with(cluster, loss))
    assert result.recovery_s is None
    assert result.left_to_recover > 50


def test_phases_tell_what_clients_saw(cluster: SimulationModel) -> None:
    loss = replace(LOSS, return_at_s=0.08, objects_per_group=20, object_bytes=2**20, recovery_bps=4e9)
    result = result_of(run_with(cluster, loss, 0.4, warm_up_s=0.01))
    phases = {phase.name: phase for phase in result.phases}
    assert list(phases) == ["before the loss", "outage", "degraded", "recovering", "recovered"]
    assert phases["outage"].iops < 0.6 * phases["before the loss"].iops
    assert phases["outage"].latency.max_s == pytest.approx(0.02, rel=0.2), "its ops end in it"
    assert phases["recovered"].iops == pytest.approx(phases["before the loss"].iops, rel=0.1)
    clients = sum(route.ops for route in result.routes if route.name != "recovery")
    assert sum(known(phase.latency.samples) for phase in phases.values()) == clients


def test_a_run_without_a_loss_has_no_phases(cluster: SimulationModel) -> None:
    assert result_of(run_with(cluster, None, 0.02)).phases == ()


def test_two_lost_osds_leave_some_groups_below_min_size(cluster: SimulationModel) -> None:
    """Groups with both among their three OSDs serve nobody, until one of them returns."""
    both = replace(LOSS, also=((7, 0.04),), objects_per_group=0)
    stuck, returned = run_with(cluster, both, 0.6), run_with(cluster, replace(both, return_at_s=0.2), 0.6)
    homes = stuck.at_end.home.reshape(-1, 3)
    fewer = ((homes == 3) | (homes == 7)).sum(axis=1)
    assert np.array_equal(stuck.at_end.groups["size"], 3 - fewer)
    assert any(f"{(fewer == 2).sum()} of {len(fewer)} placement groups" in said for said in result_of(stuck).remarks)
    phases = {phase.name: phase.iops for phase in result_of(stuck).phases}
    assert phases["degraded"] < 0.2 * phases["before the loss"], "sooner or later each client asks for such a group"
    after = {phase.name: phase.iops for phase in result_of(returned).phases}
    assert after["recovered"] > 0.8 * after["before the loss"]
    assert np.array_equal(returned.at_end.acting, returned.at_end.home)


def test_a_whole_host_that_is_marked_out_is_rebuilt_on_the_others(cluster: SimulationModel) -> None:
    host = [osd for osd, node in enumerate(cluster.node_of_osd) if node == 1]
    loss = replace(LOSS, osd=host[0], also=tuple((osd, LOSS.at_s) for osd in host[1:]), out_at_s=0.06)
    run = run_with(cluster, loss, 0.6)
    touched = np.isin(run.at_end.home.reshape(-1, 3), host).any(axis=1)
    assert result_of(run).routes[-1].ops == touched.sum() * LOSS.objects_per_group, "one copy of each is on that host"
    assert not np.isin(run.at_end.acting, host).any()
    assert np.array_equal(run.at_end.acting, run.at_end.spare)
