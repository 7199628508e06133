"""Compiled and interpreted runs give the same bits, and so does the same seed."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
from tests.predict.simulate.conftest import Way, tables_differ

from radoscope.predict.simulate import compiling, simulate, tables
from radoscope.predict.simulate.assembly import assemble
from radoscope.predict.simulate.model import OpCost, OsdLoss, SimulationModel, to_network
from radoscope.predict.simulate.network import Load, Network, Route, Service, StationGroup, Visit
from radoscope.predict.simulate.run import run_network


@pytest.fixture
def eventful(cluster: SimulationModel) -> SimulationModel:
    """Everything at once: reads and writes, stalls, an OSD lost and back, recovery."""
    loss = OsdLoss(
        osd=3, at_s=0.004, detect_s=0.001, peering_s=0.001, return_at_s=0.012, objects_per_group=5,
        copy=OpCost(processor_s=1e-4, drive_s=1e-4, out_of_host_s=1e-4, into_host_s=1e-4, hop_s=1e-5),
    )  # fmt: skip
    return replace(cluster, loss=loss, stalls_per_s=30.0, stall_s=0.001)


@pytest.mark.skipif(not compiling.can_compile(), reason="numba is not installed or switched off")
def test_compiled_and_interpreted_runs_are_identical_to_the_last_bit(eventful: SimulationModel) -> None:
    network = to_network(eventful, seed=5)
    one, other = (run_network(network, seconds=0.02, warm_up_s=0.002, seed=5, compiled=c) for c in (True, False))
    assert one.events > 10_000
    assert tables_differ(one, other) == []


def test_the_same_seed_gives_the_same_run_and_another_seed_another(way: Way, cluster: SimulationModel) -> None:
    network = to_network(cluster, seed=1)
    runs = [run_network(network, seconds=0.01, seed=seed, compiled=way.compiled) for seed in (1, 1, 2)]
    assert tables_differ(runs[0], runs[1]) == []
    assert "routes" in tables_differ(runs[0], runs[2])


def test_each_station_draws_from_a_stream_of_its_own(way: Way) -> None:
    """Its state after the run tells how many draws it gave: one a visit of that station, and none for others."""
    steps = tuple(Visit(name, Service(0.3, 1.0)) for name in ("first", "second"))
    load = Load(name="open", routes=(Route(name="open", steps=steps),), rate_per_s=1.0)
    network = Network(stations=(StationGroup("first"), StationGroup("second")), loads=(load,))
    before = assemble(network, seed=1, seconds=1.0).stations["random"]
    run = run_network(network, seconds=2000.0, seed=1, compiled=way.compiled)
    visits = [int(step["visits"]) for step in run.at_end.steps if step["kind"] == tables.VISIT]
    golden = 0x9E3779B97F4A7C15  # the step of SplitMix64's counter
    expected = [(int(start) + count * golden) % 2**64 for start, count in zip(before, reversed(visits), strict=True)]
    assert visits[0] != 0
    assert run.at_end.stations["random"].tolist() == expected


def test_without_numba_the_simulator_runs_all_the_same(cluster: SimulationModel) -> None:
    program = (
        "import sys; sys.modules['numba'] = None\n"
        "from radoscope.predict.simulate import compiling\n"
        "from radoscope.predict.simulate.network import *\n"
        "from radoscope.predict.simulate.run import run_network\n"
        "load = Load(name='a', routes=(Route(name='a', steps=(Visit('s', Service(1.0, 1.0)),)),), rate_per_s=0.5)\n"
        "run = run_network(Network(stations=(StationGroup('s'),), loads=(load,)), seconds=100.0)\n"
        "assert not compiling.can_compile() and not run.compiled\n"
        "print(run.events)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(ended.stdout) > 50


def test_simulate_is_reproducible_and_says_what_it_did(way: Way, cluster: SimulationModel) -> None:
    result = simulate(cluster, seconds=0.01, seed=3, compiled=way.compiled)
    again = simulate(cluster, seconds=0.01, seed=3, compiled=way.compiled)
    assert result.routes == again.routes
    assert (result.seed, result.warm_up_s, result.compiled) == (3, 0.002, way.compiled)
