"""The kernel's tests run compiled, and begin interpreted as well: to the last bit the same. Without numba they run
interpreted alone, and shorter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from radoscope.predict.simulate import compiling
from radoscope.predict.simulate.model import ClientLoad, OpCost, SimulationModel
from radoscope.predict.simulate.network import Network
from radoscope.predict.simulate.run import RawRun, audit, run_network


@pytest.fixture(autouse=True)
def compiled_once(kernel_cache: None) -> None:
    """Not in each test's own home."""


def tables_differ(one: RawRun, other: RawRun) -> list[str]:
    pairs = zip(one.at_end._fields, one.at_end, other.at_end, strict=True)
    return [name for name, a, b in pairs if not np.array_equal(a, b)]


@dataclass(frozen=True)
class Way:
    """How to run: compiled or not. share: of the length; loose: factor on tolerances, for a shorter run."""

    compiled: bool
    share: float
    loose: float

    def run(self, network: Network, seconds: float, warm_up_s: float = 0.0, seed: int = 1, trace: int = 0) -> RawRun:
        """Run and audit."""

        def part(share: float, *, compiled: bool) -> RawRun:
            return run_network(
                network, seconds=seconds * share, warm_up_s=warm_up_s * share, seed=seed, trace=trace, compiled=compiled
            )

        run = part(self.share, compiled=self.compiled)
        audit(run)
        if self.compiled:
            assert tables_differ(*(part(BEGINNING, compiled=compiled) for compiled in (True, False))) == []
        return run


BEGINNING = 0.002
"""Of a run, that is also interpreted: some thousands of events."""


@pytest.fixture
def way() -> Way:
    if compiling.can_compile():
        return Way(compiled=True, share=1.0, loose=1.0)
    return Way(compiled=False, share=0.01, loose=8.0)


@pytest.fixture
def mean_sojourn() -> Callable[[RawRun], float]:
    """Mean time of an op in the system, after the warm-up."""

    def mean(run: RawRun) -> float:
        after, before = run.at_end.routes, run.at_warm.routes
        return float((after["sojourn_s"] - before["sojourn_s"]).sum() / (after["done"] - before["done"]).sum())

    return mean


@pytest.fixture
def throughput() -> Callable[[RawRun], float]:
    """Ops a second, after the warm-up."""

    def rate(run: RawRun) -> float:
        done = (run.at_end.routes["done"] - run.at_warm.routes["done"]).sum()
        return float(done / (run.seconds - run.warm_up_s))

    return rate


READ = OpCost(
    client_s=10e-6, client_line_s=2e-6, out_of_host_s=2e-6, osd_thread_s=10e-6, processor_s=60e-6, drive_s=2e-6,
    client_delay_s=50e-6, hop_s=20e-6, osd_delay_s=40e-6, media_delay_s=100e-6, media_share=0.7,
)  # fmt: skip
WRITE = OpCost(
    client_s=10e-6, client_line_s=2e-6, into_host_s=2e-6, out_of_host_s=2e-6, osd_thread_s=10e-6, processor_s=150e-6,
    drive_s=3e-6, commit_item_s=10e-6, client_delay_s=50e-6, hop_s=20e-6, osd_delay_s=40e-6,
)  # fmt: skip


@pytest.fixture
def cluster() -> SimulationModel:
    """Four hosts with three OSDs each, half reads, half writes, 64 in flight."""
    load = ClientLoad(name="vms", read=READ, write=WRITE, read_share=0.5, clients=8, queue_depth=8, hosts=2)
    return SimulationModel(nodes=4, osds=12, drives=12, width=3, groups=256, flush_s=40e-6, loads=(load,))
