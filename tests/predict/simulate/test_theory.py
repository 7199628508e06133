"""The simulator against closed forms. Runs are seeded, so a tolerance that holds once holds always.

Tolerances are for the compiled runs, of about a million ops; the interpreted ones are a hundred times shorter.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from tests.predict.simulate.conftest import Way

from radoscope.predict.simulate.assembly import assemble
from radoscope.predict.simulate.network import (
    Commit,
    Delay,
    Fork,
    Load,
    Network,
    Osds,
    Route,
    Service,
    StationGroup,
    Step,
    Visit,
    Whose,
)
from radoscope.predict.simulate.rng import spread_service
from radoscope.predict.simulate.run import RawRun


def open_network(rate_per_s: float, *steps: Step, servers: int = 1) -> Network:
    load = Load(name="open", routes=(Route(name="open", steps=steps),), rate_per_s=rate_per_s)
    return Network(stations=(StationGroup("server", servers=servers),), loads=(load,))


@pytest.mark.parametrize("load", [0.3, 0.6, 0.9])
def test_one_exponential_server_has_the_mean_sojourn_of_m_m_1(
    way: Way, mean_sojourn: Callable[[RawRun], float], load: float
) -> None:
    run = way.run(open_network(load, Visit("server", Service(1.0, 1.0))), 1.5e6, warm_up_s=1e4)
    assert mean_sojourn(run) == pytest.approx(1 / (1 - load), rel=0.02 * way.loose / (1 - load) / 4)


@pytest.mark.parametrize(("servers", "load"), [(2, 0.8), (5, 0.7), (16, 0.95)])
def test_several_servers_with_one_queue_wait_as_erlang_c_says(
    way: Way, mean_sojourn: Callable[[RawRun], float], servers: int, load: float
) -> None:
    rate = servers * load
    run = way.run(open_network(rate, Visit("server", Service(1.0, 1.0)), servers=servers), 3e6 / rate, warm_up_s=3e3)
    assert mean_sojourn(run) == pytest.approx(1 + erlang_c(servers, rate) / (servers - rate), rel=0.02 * way.loose)


def erlang_c(servers: int, offered: float) -> float:
    """The probability to wait in M/M/c."""
    blocked = 1.0
    for server in range(1, servers + 1):
        blocked = offered * blocked / (server + offered * blocked)
    return blocked / (1 - offered / servers * (1 - blocked))


@pytest.mark.parametrize("spread", [0.0, 0.5, 1.0, 2.0])
def test_one_server_waits_as_pollaczek_and_khinchine_say(
    way: Way, mean_sojourn: Callable[[RawRun], float], spread: float
) -> None:
    load = 0.7
    run = way.run(open_network(load, Visit("server", Service(1.0, spread))), 2e6, warm_up_s=1e4)
    expected = 1 + load * (1 + spread**2) / (2 * (1 - load))
    assert mean_sojourn(run) == pytest.approx(expected, rel=0.03 * way.loose)


@pytest.mark.parametrize("machines", [2, 6, 20])
def test_machine_repair(way: Way, throughput: Callable[[RawRun], float], machines: int) -> None:
    """Machines run for 5 s, then one repairman mends each in 1 s: M/M/1//N."""
    routes = (Route(name="repair", steps=(Visit("server", Service(1.0, 1.0)),)),)
    load = Load(name="machines", routes=routes, clients=machines, think=Service(5.0, 1.0))
    run = way.run(Network(stations=(StationGroup("server"),), loads=(load,)), 6e5, warm_up_s=1e3)
    weights = [math.perm(machines, broken) * 0.2**broken for broken in range(machines + 1)]
    assert throughput(run) == pytest.approx(1 - weights[0] / sum(weights), rel=0.01 * way.loose)


@pytest.mark.parametrize("jobs", [1, 4, 30])
def test_a_closed_network_has_the_throughput_of_exact_mva(
    way: Way, throughput: Callable[[RawRun], float], jobs: int
) -> None:
    demands, pause = (0.4, 1.0, 0.7), 2.0
    steps = tuple(Visit(f"station {place}", Service(s, 1.0)) for place, s in enumerate(demands))
    stations = tuple(StationGroup(f"station {place}") for place in range(len(demands)))
    load = Load(name="jobs", routes=(Route(name="jobs", steps=(*steps, Delay(Service(pause, 0.5)))),), queue_depth=jobs)
    run = way.run(Network(stations=stations, loads=(load,)), 6e5, warm_up_s=1e3)
    assert throughput(run) == pytest.approx(exact_mva(demands, pause, jobs), rel=0.008 * way.loose)


def exact_mva(demands: tuple[float, ...], pause: float, jobs: int) -> float:
    """Reiser and Lavenberg 1980: throughput of a closed network with exponential stations and a delay."""
    queues = [0.0] * len(demands)
    rate = 0.0
    for population in range(1, jobs + 1):
        times = [s * (1 + queue) for s, queue in zip(demands, queues, strict=True)]
        rate = population / (pause + sum(times))
        queues = [rate * time for time in times]
    return rate


@pytest.mark.parametrize("spread", [0.0, 0.4, 1.0, 3.0])
def test_every_departure_is_exactly_lindleys(way: Way, spread: float) -> None:
    """Done = max(arrival, the one before done) + service, op by op and to the last bit."""
    network = open_network(0.9, Visit("server", Service(1.0, spread)))
    run = way.run(network, 3e5, trace=2000)
    server = SimpleNamespace(random=int(assemble(network, seed=1, seconds=1.0).stations["random"][0]))
    before = 0.0
    for begun, done in zip(run.at_end.trace["begun_at"][:2000], run.at_end.trace["done_at"][:2000], strict=True):
        service = 1.0 * spread_service(server, spread) if spread else 1.0
        before = max(begun, before) + service
        assert done == before


def fork_network(rate_per_s: float, branches: int) -> Network:
    visit: tuple[Step, ...] = (Visit("branch", Service(1.0, 1.0), Whose.OSD),)
    load = Load(name="open", routes=(Route(name="open", steps=(Fork(visit, visit),)),), rate_per_s=rate_per_s)
    osds = Osds(node=(0,) * branches, device=(0,) * branches)
    return Network(
        stations=(StationGroup("branch", branches),), loads=(load,), osds=osds, placement=(tuple(range(branches)),)
    )


@pytest.mark.parametrize("load", [0.3, 0.8])
def test_two_branches_join_as_flatto_and_hahn_say(
    way: Way, mean_sojourn: Callable[[RawRun], float], load: float
) -> None:
    """Exact for two exponential branches: (12 - load) / 8 of the sojourn in one."""
    run = way.run(fork_network(load, 2), 1e6, warm_up_s=1e4)
    assert mean_sojourn(run) == pytest.approx((12 - load) / 8 / (1 - load), rel=0.03 * way.loose)


def test_many_branches_stay_within_the_bounds_of_fork_and_join(
    way: Way, mean_sojourn: Callable[[RawRun], float]
) -> None:
    """At least the slowest of independent services without queues; at most of independent queues (association)."""
    load, branches = 0.6, 5
    harmonic = sum(1 / place for place in range(1, branches + 1))
    run = way.run(fork_network(load, branches), 3e5, warm_up_s=1e3)
    assert harmonic < mean_sojourn(run) < harmonic / (1 - load)


@pytest.mark.parametrize("rate", [0.2, 1.0, 5.0])
def test_batched_commits_last_as_renewal_theory_says(
    way: Way, mean_sojourn: Callable[[RawRun], float], rate: float
) -> None:
    """Flush 1 s, no work per op: who finds the thread idle waits 1 s, who finds it busy half a second more.

    After a batch the thread idles with chance exp(-rate); so it is busy for exp(rate) s, then idle for 1 / rate s.
    """
    load = Load(name="open", routes=(Route(name="open", steps=(Commit(),)),), rate_per_s=rate)
    osds = Osds(flush=Service(1.0), flush_group="flush")
    run = way.run(Network(stations=(StationGroup("flush"),), loads=(load,), osds=osds), 1e6 / rate, warm_up_s=1e3)
    busy = math.exp(rate) / (math.exp(rate) + 1 / rate)
    assert mean_sojourn(run) == pytest.approx(1 + busy / 2, rel=0.005 * way.loose)


def test_stalls_hold_up_whoever_comes_while_they_last(way: Way, mean_sojourn: Callable[[RawRun], float]) -> None:
    """With hardly any load: the chance to meet a stall x its remaining length, which is exponential again."""
    visit = Visit("server", Service(0.0), Whose.OSD, stalls=True)
    load = Load(name="open", routes=(Route(name="open", steps=(visit,)),), rate_per_s=1.0)
    osds = Osds(stall_rate_per_s=0.01, stall_s=20.0)
    run = way.run(Network(stations=(StationGroup("server"),), loads=(load,), osds=osds), 2e6, warm_up_s=1e3)
    stalled = 20.0 / (20.0 + 100.0)
    assert mean_sojourn(run) == pytest.approx(stalled * 20.0, rel=0.03 * way.loose)


def test_shares_of_routes_are_kept(way: Way) -> None:
    """A load of 70 % reads and 30 % writes does that many of each."""
    step = (Delay(Service(1.0)),)
    routes = (Route(name="read", steps=step, share=0.7), Route(name="write", steps=step, share=0.3))
    run = way.run(Network(stations=(StationGroup("x"),), loads=(Load(name="mix", routes=routes, queue_depth=20),)), 2e4)
    done = run.at_end.routes["done"]
    assert done[0] / done.sum() == pytest.approx(0.7, abs=0.004 * way.loose)
