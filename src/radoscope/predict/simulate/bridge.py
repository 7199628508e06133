"""The analytic model's stations and service times -> the simulator's: both see the same cluster.

A station's capacity in operations a second, its number of servers and the visits of one operation give the service of
one visit. Latency that no station accounts for stays as pure delay, so that one operation alone takes as long here as
there. Left to the simulator are the busiest OSD (from the placement) and the size of batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from radoscope.predict.constants import Constants
from radoscope.predict.defaults import fill
from radoscope.predict.demands import THREADS_PER_OSD, Costs, costs, shard_operations
from radoscope.predict.facts import Facts
from radoscope.predict.numbers import FLOATS
from radoscope.predict.setting import Setting
from radoscope.predict.simulate.model import ClientLoad, OpCost, SimulationModel
from radoscope.predict.stations import Station

SMALL_BYTES = 65536


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadFacts:
    """A cluster with one load on it. rate_per_s: above 0 for Poisson arrivals instead of a closed loop."""

    name: str
    facts: Facts
    rate_per_s: float = 0.0


def from_facts(loads: Sequence[LoadFacts], constants: Constants) -> tuple[SimulationModel, tuple[str, ...]]:
    """(model, what was assumed) of one cluster under one or more loads at the same time.

    Raises PlanError, as `defaults.fill` does, where the facts do not say which load it is.
    """
    filled = [fill(load.facts) for load in loads]
    assumed = tuple(dict.fromkeys(note for _, notes in filled for note in notes))
    settings = [setting for setting, _ in filled]
    threads = min(processor_threads(setting, constants) for setting in settings)
    pairs = zip(loads, settings, strict=True)
    client_loads = tuple(
        load_of_setting(load.name, setting, constants, threads, load.rate_per_s) for load, setting in pairs
    )
    return _cluster(settings[0], client_loads, constants, threads), assumed


def _cluster(setting: Setting, loads: tuple[ClientLoad, ...], constants: Constants, threads: int) -> SimulationModel:
    osds, width = round(setting.osds), round(setting.width)
    return SimulationModel(
        nodes=round(setting.nodes),
        osds=osds,
        drives=min(osds, max(1, round(setting.devices))),
        width=width,
        groups=max(1, round(setting.pgs_per_osd * osds / width)),
        loads=loads,
        threads_per_osd=threads,
        read_width=round(shard_operations(setting, FLOATS)[0]),
        flush_s=costs(replace(setting, read_share=0.0), constants, FLOATS).commit_flush,
    )


def load_of_setting(
    name: str, setting: Setting, constants: Constants, threads: int, rate_per_s: float = 0.0
) -> ClientLoad:
    """The load that a setting describes, on OSDs with so many processor threads each."""
    clients = max(1, round(setting.clients))
    return ClientLoad(
        name=name,
        read=op_cost(setting, constants, threads, reads=True),
        write=op_cost(setting, constants, threads, reads=False),
        read_share=setting.read_share,
        clients=clients,
        queue_depth=max(1, round(setting.in_flight / clients)),
        hosts=max(1, round(setting.client_hosts)),
        block_bytes=round(setting.block),
        rate_per_s=rate_per_s,
    )


def processor_threads(setting: Setting, constants: Constants) -> int:
    """How many threads of an OSD work at the same time, so that one op's work fits into its software latency.

    The model knows what an op costs in processor time under load, and how long its software takes alone. Work beyond
    that latency is done beside the op's way (RocksDB, other threads), so fewer and faster threads stand for it.
    """
    most = min(setting.threads_per_osd, THREADS_PER_OSD)
    for reads in [True] * (setting.read_share > 0) + [False] * (setting.read_share < 1):
        one, cost = _one_kind(setting, constants, reads=reads)
        shards, visits = _visits(one, reads=reads)
        thread_s = _station(cost, "OSD threads").service * shards / visits
        room_s = cost.osd / _stages(one, reads=reads) - thread_s
        most = min(most, room_s * _processors(cost) * visits / one.osds)
    return max(1, int(most))


def op_cost(setting: Setting, constants: Constants, threads: int, *, reads: bool) -> OpCost:
    """What one read, or one write, of the setting's load costs.

    Seconds of one visit = stations x servers / (capacity in ops a second x visits of one op).
    """
    one, cost = _one_kind(setting, constants, reads=reads)
    shards, visits = _visits(one, reads=reads)
    sends = visits if reads else one.width - 1
    capacity = _capacities(setting, constants, reads=reads)
    services = OpCost(
        client_s=_station(cost, "client").service,
        client_line_s=max(1, round(one.client_hosts)) / capacity["client network"],
        into_host_s=0.0 if reads else one.nodes / (capacity["network into OSD hosts"] * visits),
        out_of_host_s=one.nodes / (capacity["network out of OSD hosts"] * sends) if sends else 0.0,
        osd_thread_s=_station(cost, "OSD threads").service * shards / visits,
        processor_s=one.osds * threads / (min(capacity["OSD CPU"], capacity["host CPU"]) * visits),
        drive_s=one.devices / (capacity["drives"] * visits),
        commit_item_s=cost.commit_item,
    )
    return _with_delays(services, one, cost, constants, reads=reads)


def _capacities(setting: Setting, constants: Constants, *, reads: bool) -> dict[str, float]:
    """Station -> ops of one kind that it can do a second, as part of the setting's load.

    Reads and writes together may be cheaper (a line sends and receives at once) or dearer (a drive that changes
    between them) than apart; both kinds then share the difference.
    """
    apart = [
        {s.name: s.capacity for s in _one_kind(setting, constants, reads=kind)[1].stations} for kind in (True, False)
    ]
    alone = apart[0 if reads else 1]
    share = setting.read_share
    if share in (0.0, 1.0):
        return alone
    together = {station.name: station.capacity for station in costs(setting, constants, FLOATS).stations}
    return {
        name: alone[name] * together[name] * (share / apart[0][name] + (1 - share) / apart[1][name]) for name in alone
    }


def copy_cost(setting: Setting, constants: Constants, threads: int, object_bytes: int) -> OpCost:
    """What it costs to copy one object to another OSD in recovery: as much as a replica's part of a write."""
    whole = replace(setting, block=float(object_bytes), sequential=1.0)
    return op_cost(whole, constants, threads, reads=False)


def _one_kind(setting: Setting, constants: Constants, *, reads: bool) -> tuple[Setting, Costs]:
    """The setting with nothing but reads, or writes, and what one of them costs."""
    one = replace(setting, read_share=1.0 if reads else 0.0)
    return one, costs(one, constants, FLOATS)


def _visits(setting: Setting, *, reads: bool) -> tuple[float, float]:
    """(shard operations of one op in the analytic model, OSDs that one op visits in the simulator)."""
    shards = shard_operations(setting, FLOATS)[0 if reads else 1]
    return shards, (round(shards) if reads else setting.width)


def _stages(setting: Setting, *, reads: bool) -> int:
    """OSDs that the longest way of an op passes one after the other."""
    return 2 if not reads and setting.width > 1 else 1


def _station(cost: Costs, name: str) -> Station:
    return next(station for station in cost.stations if station.name == name)


def _processors(cost: Costs) -> float:
    """Ops a second that the cores can do: those the OSDs can use, or all that the hosts have."""
    return float(min(_station(cost, "OSD CPU").capacity, _station(cost, "host CPU").capacity))


def _with_delays(one: OpCost, setting: Setting, cost: Costs, constants: Constants, *, reads: bool) -> OpCost:
    """The rest of the unloaded latency, layer by layer, as delays; none is negative."""
    stages = _stages(setting, reads=reads)
    copied = stages == 2
    lines = max(one.client_line_s, one.out_of_host_s if reads else one.into_host_s)  # both ends of one wire
    lines += max(one.out_of_host_s, one.into_host_s) if copied else 0.0
    misses = constants.miss if reads and setting.block < SMALL_BYTES else 1.0
    return replace(
        one,
        client_delay_s=max(0.0, cost.client - one.client_s),
        hop_s=max(0.0, cost.network - lines) / (4 if copied else 2),
        osd_delay_s=max(0.0, cost.osd / stages - one.osd_thread_s - one.processor_s),
        media_delay_s=max(0.0, cost.media - one.drive_s) / misses,
        media_share=misses,
    )
