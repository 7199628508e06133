"""The closed network: bounds, conservation, directions, and that floats and arrays give the same."""

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radoscope.predict.constants import documented
from radoscope.predict.defaults import fill
from radoscope.predict.facts import Facts
from radoscope.predict.network import solve
from radoscope.predict.outlook import forecast
from radoscope.predict.setting import Arrays, stack
from tests.examples import examples


def test_latency_parts_sum_to_in_flight_over_rate(facts: Facts) -> None:
    setting, _ = fill(facts)
    solution = solve(setting, documented())
    assert sum(solution.parts.values()) == pytest.approx(setting.in_flight / solution.rate, rel=1e-6)


@settings(max_examples=examples(60))
@given(
    nodes=st.integers(3, 40),
    depth=st.integers(1, 256),
    clients=st.integers(1, 200),
    block=st.sampled_from([4096, 65536, 4 << 20]),
    op=st.sampled_from(["rand_read", "rand_write", "seq_read", "seq_write"]),
    drive=st.sampled_from([("nvme", True), ("nvme", False), ("sata_ssd", True), ("hdd", False)]),
)
def test_no_rate_exceeds_its_bounds(
    nodes: int, depth: int, clients: int, block: int, op: str, drive: tuple[str, bool]
) -> None:
    load = Facts(queue_depth=depth, clients=clients, block_bytes=block, op=op)
    facts = replace(load, nodes=nodes, osd_device_class=drive[0], device_plp=drive[1])
    setting, _ = fill(facts)
    solution = solve(setting, documented())
    assert 0 < solution.rate <= min(solution.bounds.values()) * (1 + 1e-6)
    assert all(share <= 1 + 1e-6 for share in solution.busy.values())
    assert all(seconds >= 0 for seconds in solution.parts.values())


def test_arrays_and_floats_give_the_same(facts: Facts) -> None:
    variants = [replace(facts, queue_depth=depth, op=op) for depth in (1, 8, 128) for op in ("rand_read", "rand_write")]
    filled = [fill(variant)[0] for variant in variants]
    one_by_one = [solve(setting, documented()).rate for setting in filled]
    together = solve(stack(filled), documented(), Arrays()).rate
    assert np.allclose(together, one_by_one, rtol=1e-9)


def test_more_depth_never_lowers_throughput(facts: Facts) -> None:
    rates = [solve(fill(replace(facts, queue_depth=depth))[0], documented()).rate for depth in (1, 2, 4, 16, 64, 256)]
    assert rates == sorted(rates)


def test_deeper_consumer_flushes_cost_depth_one_writes(facts: Facts) -> None:
    alone = replace(facts, queue_depth=1, clients=1)
    consumer = replace(alone, osd_device_model=None, device_plp=False)
    protected = solve(fill(alone)[0], documented()).rate
    assert solve(fill(consumer)[0], documented()).rate < protected / 3


def test_a_prediction_takes_less_than_a_millisecond(facts: Facts) -> None:
    setting, _ = fill(facts)
    constants = documented()
    best = min(_seconds(setting, constants) for _ in range(50))
    assert best < 1e-3


def _seconds(setting: object, constants: object) -> float:
    start = time.perf_counter()
    solve(setting, constants)  # type: ignore[arg-type]
    return time.perf_counter() - start


def test_a_client_on_a_storage_host_shares_its_line_with_that_hosts_copies() -> None:
    apart, beside = ((_large_writes(hyperconverged=flag)) for flag in (False, True))
    assert beside * 4e6 < 1.25e9 / (1 + 1 / 3)
    assert apart > beside


def _large_writes(*, hyperconverged: bool) -> float:
    facts = Facts(
        nodes=3,
        osds_per_node=8,
        osd_device_class="nvme",
        device_plp=True,
        cpu_model="2x EPYC 7742",
        network_Gbps=10,
        pool_size=3,
        access="librbd_fio",
        op="seq_write",
        block_bytes=4_000_000,
        queue_depth=64,
        clients=1,
        client_hosts=1,
        hyperconverged=hyperconverged,
    )
    return forecast(facts).iops


def test_the_journal_of_filestore_is_one_flush_where_bluestore_takes_three(facts: Facts) -> None:
    disks = replace(facts, osd_device_model=None, osd_device_class="hdd", device_plp=False, queue_depth=1, clients=1)
    journal, bluestore = (
        solve(fill(replace(disks, op="rand_write", block_bytes=4096, backend=name))[0], documented()).parts["commit"]
        for name in ("filestore", "bluestore")
    )
    assert journal < bluestore / 2


def test_writes_at_depth_share_the_flushes_of_a_client_drive(facts: Facts) -> None:
    """A flush takes milliseconds, and still each of 6 such drives takes thousands of writes a second at depth."""
    drives = replace(facts, osd_device_model=None, device_plp=False, osds_per_node=2, nodes=3, op="rand_write")
    alone, deep = (
        solve(fill(replace(drives, queue_depth=depth, clients=1))[0], documented()).rate for depth in (1, 64)
    )
    assert alone < 300
    assert deep > 25 * alone


def test_large_transfers_wait_half_as_long_for_a_line_as_random_service_would(facts: Facts) -> None:
    reads = replace(facts, op="seq_read", block_bytes=4 << 20, queue_depth=16, clients=1, network_Gbps=10)
    solution = solve(fill(reads)[0], documented())
    share = solution.busy["client network"] * 15 / 16
    line = (4 << 20) / (10e9 / 8 * documented().line_in)
    random_service = line * share / (1 - share)
    assert solution.parts["queue: client network"] == pytest.approx(random_service / 2, rel=0.05)
