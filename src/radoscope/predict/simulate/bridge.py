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
from radoscope.predict.demands import SMALL, THREADS_PER_OSD, Costs, costs, missing, shard_operations, uneven
from radoscope.predict.facts import Facts
from radoscope.predict.setting import FLOATS, Setting
from radoscope.predict.simulate.model import RECOVERY_BPS, ClientLoad, OpCost, OsdLoss, SimulationModel
from radoscope.predict.stations import Station


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
    setting = settings[0]
    osds, width = round(setting.osds), round(setting.width)
    model = SimulationModel(
        nodes=round(setting.nodes),
        osds=osds,
        drives=min(osds, max(1, round(setting.devices))),
        width=width,
        groups=max(1, round(setting.pgs_per_osd * osds / width)),
        loads=client_loads,
        threads_per_osd=threads,
        parts_needed=round(setting.shards_k),
        flush_s=costs(replace(setting, read_share=0.0), constants, FLOATS).commit_flush,
    )
    return model, assumed


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
        way = _way(one, reads=reads)
        room_s = cost.osd / way.stages - _osd_thread(one, cost, constants)
        most = min(most, room_s * _processors(cost) * way.visits / one.osds)
    return max(1, int(most))


def op_cost(setting: Setting, constants: Constants, threads: int, *, reads: bool) -> OpCost:
    """What one read, or one write, of the setting's load costs.

    Seconds of one visit = stations x servers / (capacity in ops a second x visits of one op).
    """
    one, cost = _one_kind(setting, constants, reads=reads)
    way = _way(one, reads=reads)
    visits, messages = way.visits, way.parts_read if reads else way.parts_written
    sends = messages if reads else messages - 1
    capacity = _capacities(setting, constants, reads=reads)
    services = OpCost(
        client_s=_station(cost, "client").service,
        client_line_s=max(1, round(one.client_hosts)) / capacity["client network"],
        into_host_s=0.0 if reads else one.nodes / (capacity["network into OSD hosts"] * messages),
        out_of_host_s=one.nodes / (capacity["network out of OSD hosts"] * sends) if sends else 0.0,
        connection_s=_station(cost, "connection").service,
        osd_thread_s=_osd_thread(one, cost, constants),
        processor_s=one.osds * threads / (min(capacity["OSD CPU"], capacity["host CPU"]) * visits),
        drive_s=one.devices / (capacity["drives"] * visits),
        commit_item_s=0.0 if reads else cost.commit_item * cost.commits * one.osds / messages,
        parts_read=way.parts_read,
        parts_written=0 if messages == round(one.width) else messages,
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


_RECOVERIES = {"hdd": 3, "ssd": 10}
"""osd_recovery_max_active_hdd and _ssd by default: objects that an OSD recovers at a time."""


def with_loss(
    model: SimulationModel, loss: OsdLoss, cluster: Facts, recovery_share: float, constants: Constants
) -> SimulationModel:
    """The model with an OSD that dies, and with what recovery costs. recovery_share: what mclock reserves for it."""
    setting, _ = fill(cluster)
    kind = "hdd" if setting.hdd else "ssd"
    drive_bps = setting.seq_write * setting.devices / setting.osds  # of a drive, what one of its OSDs has
    # To copy an object costs as much as a replica's part of a write.
    whole = replace(setting, block=float(loss.object_bytes), sequential=1.0)
    return replace(
        model,
        loss=replace(
            loss,
            copy=op_cost(whole, constants, model.threads_per_osd, reads=False),
            recovery_in_flight=_RECOVERIES[kind],
            recovery_bps=min(RECOVERY_BPS[kind], drive_bps) * recovery_share,
        ),
    )


def _one_kind(setting: Setting, constants: Constants, *, reads: bool) -> tuple[Setting, Costs]:
    """The setting with nothing but reads, or writes, and what one of them costs."""
    one = replace(setting, read_share=1.0 if reads else 0.0)
    return one, costs(one, constants, FLOATS)


@dataclass(frozen=True, slots=True)
class _Way:
    """Which OSDs an op meets. parts_read, parts_written: on so many. stages: OSDs passed one after the other."""

    parts_read: int
    parts_written: int

    @property
    def visits(self) -> int:
        """Messages that OSDs work on in all: one for each part, as the analytic model counts them."""
        return self.parts_read + self.parts_written

    @property
    def stages(self) -> int:
        """A write: primary and another OSD; where it must read first, twice that."""
        if self.parts_written == 0:
            return 1
        return (2 if self.parts_read else 1) * (2 if self.parts_written > 1 else 1)


def _way(setting: Setting, *, reads: bool) -> _Way:
    """Small writes to an erasure-coded pool read before they write: as many parts, or, before release 20, all data."""
    shard_reads, shard_writes = (round(count) for count in shard_operations(setting, FLOATS))
    if reads:
        return _Way(shard_reads, 0)
    width = round(setting.width)
    if not (setting.erasure and setting.block < SMALL * setting.shards_k):
        return _Way(0, width)
    written = shard_writes // 2 if setting.fast_erasure else width
    return _Way(shard_writes - written, written)


def _station(cost: Costs, name: str) -> Station:
    return next(station for station in cost.stations if station.name == name)


def _osd_thread(setting: Setting, cost: Costs, constants: Constants) -> float:
    """Seconds of one visit at an OSD's serial thread.

    Placement makes some OSDs busier here as in life; what the equations add to that, for locks that are held while
    others wait, every visit bears a little of.
    """
    excess = uneven(setting, FLOATS)
    return float(_station(cost, "OSD threads").service * (1 + constants.imbalance * excess) / (1 + excess))


def _processors(cost: Costs) -> float:
    """Ops a second that the cores can do: those the OSDs can use, or all that the hosts have."""
    return float(min(_station(cost, "OSD CPU").capacity, _station(cost, "host CPU").capacity))


def _with_delays(one: OpCost, setting: Setting, cost: Costs, constants: Constants, *, reads: bool) -> OpCost:
    """The rest of the unloaded latency, layer by layer, as delays; none is negative."""
    way = _way(setting, reads=reads)
    copied = way.parts_written > 1
    lines = max(one.client_line_s, one.out_of_host_s if reads else one.into_host_s)  # both ends of one wire
    lines += max((way.parts_written - 1) * one.out_of_host_s, one.into_host_s) if copied else 0.0
    hop_s = max(0.0, cost.network - lines) / (4 if copied else 2)
    software = cost.osd - (2 * hop_s if way.parts_read and not reads else 0.0)  # reading parts is a trip of its own
    client = cost.client - one.client_s - one.connection_s  # what the connection needs beyond it is the OSD's
    stage_s = (software + min(0.0, client)) / way.stages
    misses = missing(setting, constants, FLOATS) if reads and setting.block < SMALL else 1.0
    return replace(
        one,
        client_delay_s=max(0.0, client),
        hop_s=hop_s,
        osd_delay_s=max(0.0, stage_s - one.osd_thread_s - one.processor_s),
        media_delay_s=max(0.0, cost.media - one.drive_s) / misses,
        media_share=misses,
    )
