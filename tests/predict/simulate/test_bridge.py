"""The simulator sees the cluster of the analytic model: same floor, same capacities, rates that agree."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from radoscope.predict.constants import documented
from radoscope.predict.defaults import fill
from radoscope.predict.demands import costs
from radoscope.predict.facts import Facts, apply_workload
from radoscope.predict.network import solve
from radoscope.predict.setting import FLOATS
from radoscope.predict.simulate import simulate
from radoscope.predict.simulate.bridge import LoadFacts, from_facts
from radoscope.predict.simulate.model import ServiceSpread

CLUSTER = Facts(
    nodes=4, osds_per_node=4, osd_device_class="nvme", device_plp=True, device_4k_sync_write_iops=50_000, cpu_GHz=2.8,
    cores_per_node=32, network_Gbps=25, rtt_us=60, ceph_version="18.2", pool_size=3, client_hosts=4,
    hyperconverged=False, access="librbd_fio", pg_num=512,
)  # fmt: skip
CONSTANTS = documented()


CODED = replace(CLUSTER, nodes=6, pool_size=None, ec_profile="k=4,m=2")


@pytest.mark.parametrize("workload", ["4k-randwrite-qd1", "4k-randread-qd1"])
@pytest.mark.parametrize("cluster", [CLUSTER, CODED, replace(CODED, ceph_version="20.2")])
def test_one_operation_alone_takes_as_long_in_both(cluster: Facts, workload: str) -> None:
    facts = apply_workload(cluster, workload)
    setting, _ = fill(facts)
    model, _ = from_facts([LoadFacts(name="x", facts=facts)], CONSTANTS)
    calm = replace(model, spread=ServiceSpread(software=0.0, drive=0.0, flush=0.0))
    expected = 1 / solve(setting, CONSTANTS).rate
    # the analytic model adds the wait for the slowest copy's commit, the calm simulator has nothing to wait for
    assert simulate(calm, seconds=300 * expected).mean_latency_s == pytest.approx(expected, rel=0.12)


@pytest.mark.parametrize(
    "workload", ["4k-randwrite-qd16-x4", "4k-randread-qd32-x16", "4M-write-qd16-x4", "4M-read-qd16"]
)
def test_rates_agree_with_the_analytic_model_within_a_third(workload: str) -> None:
    facts = apply_workload(CLUSTER, workload)
    setting, _ = fill(facts)
    rate = solve(setting, CONSTANTS).rate
    model, _ = from_facts([LoadFacts(name="x", facts=facts)], CONSTANTS)
    assert abs(math.log2(simulate(model, seconds=8000 / rate).iops / rate)) < 0.42


def test_a_slow_fsync_slows_writes_and_spares_reads() -> None:
    def iops(workload: str, fsyncs_per_s: float) -> float:
        facts = apply_workload(replace(CLUSTER, device_4k_sync_write_iops=fsyncs_per_s), workload)
        model, _ = from_facts([LoadFacts(name="x", facts=facts)], CONSTANTS)
        return simulate(model, seconds=0.3).iops

    assert iops("4k-randwrite-qd1", 500) < 0.4 * iops("4k-randwrite-qd1", 50_000)
    assert iops("4k-randread-qd1", 500) == pytest.approx(iops("4k-randread-qd1", 50_000), rel=0.02)


def test_what_was_assumed_is_named_once_for_all_loads() -> None:
    loads = [LoadFacts(name=name, facts=apply_workload(CLUSTER, name)) for name in ("4k-randread-qd1", "4k-write-qd1")]
    model, assumed = from_facts(loads, CONSTANTS)
    assert len(model.loads) == 2
    assert len(assumed) == len(set(assumed)) > 0


@pytest.mark.parametrize(("version", "read", "written"), [("18.2", 4, 6), ("20.2", 3, 3)])
def test_small_writes_to_a_coded_pool_read_the_stripe_or_since_release_20_what_changes(
    version: str, read: int, written: int
) -> None:
    facts = apply_workload(replace(CODED, ceph_version=version), "4k-randwrite-qd1")
    model, _ = from_facts([LoadFacts(name="x", facts=facts)], CONSTANTS)
    write = model.loads[0].write
    assert (write.parts_read, write.parts_written or model.width) == (read, written)
    assert model.parts_needed == 4


def test_one_client_of_one_osd_meets_the_analytic_model_s_connection() -> None:
    facts = apply_workload(replace(CLUSTER, nodes=1, osds_per_node=1, pool_size=1, pg_num=64), "4k-randread-qd32")
    setting, _ = fill(facts)
    capacity = next(s.capacity for s in costs(setting, CONSTANTS, FLOATS).stations if s.name == "connection")
    model, _ = from_facts([LoadFacts(name="x", facts=facts)], CONSTANTS)
    result = simulate(model, seconds=4000 / capacity)
    station = next(station for station in result.stations if station.name == "connection")
    assert result.iops <= 1.03 * capacity
    assert station.busiest == pytest.approx(result.iops / capacity, rel=0.05)
