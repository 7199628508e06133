"""A Ceph cluster in the simulator's words: which stations an op meets on its way, in which order, and for how long.

Write: client thread, client's line, hop, line into the OSD's host, connection, OSD thread, OSD processor; then on each
OSD of the placement group {the copies: line out of the primary's host, hop, line in, OSD thread, OSD processor},
drive, commit; the slowest is waited for; hop.
Read: likewise up to the processor, then media, line out, hop, client's line.
A small write to an erasure-coded pool first reads the old parts in the same way, and passes thread and processor again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from radoscope.predict.simulate.network import (
    Chance,
    Commit,
    Delay,
    Fork,
    Load,
    Loss,
    Network,
    Osds,
    Route,
    Service,
    StationGroup,
    Step,
    Visit,
    Whose,
)
from radoscope.predict.simulate.rng import place_groups

STAGGER_S = 2e-3

MOST_CONNECTIONS = 16_384
"""With more pairs of a client and an OSD, hardly ever two ops meet on one connection: that station is then left out."""

RECOVERY_LIMIT = "recovery limit (mclock)"

RECOVERY_SHARE = {"high_client_ops": 0.32, "balanced": 0.32, "high_recovery_ops": 0.32}
"""What recovery gets of an OSD while clients keep it busy, chosen so that clients keep the 51 to 52 % of their rate
that Ceph's own study of its profiles found for all three. Their reservations (40, 50 and 70 %) are what recovery
gets at least of the capacity that mclock was told, not what it takes of a busy drive, and no profile limits it."""

WPQ, WPQ_SHARE = "wpq", 0.065
"""The scheduler before mclock, which gives clients 63 turns where recovery gets 3: what one backfill takes of an OSD,
chosen so that clients keep the 84 % that the same study found with osd_max_backfills 1."""

RECOVERY_BPS = {"ssd": 1200 * 2.0**20, "hdd": 150 * 2.0**20}
"""osd_mclock_max_sequential_bandwidth_ssd and _hdd by default: what the shares are shares of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpCost:
    """What one kind of op costs, in seconds. *_s of a station: one visit's service. *_delay_s: time without a queue.

    hop_s: one way through the network. media_delay_s: of the share of ops that meet the media (reads that miss).
    parts_read: OSDs from which parts of the object are read; of a write: before it can begin. parts_written: OSDs that
    a write changes, 0 for all of the placement group.
    """

    client_s: float = 0.0
    client_line_s: float = 0.0
    into_host_s: float = 0.0
    out_of_host_s: float = 0.0
    connection_s: float = 0.0
    osd_thread_s: float = 0.0
    processor_s: float = 0.0
    drive_s: float = 0.0
    commit_item_s: float = 0.0
    client_delay_s: float = 0.0
    hop_s: float = 0.0
    osd_delay_s: float = 0.0
    media_delay_s: float = 0.0
    media_share: float = 1.0
    parts_read: int = 0
    parts_written: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientLoad:
    """One class of clients: a closed loop of clients x queue_depth, or Poisson arrivals at `rate_per_s` in all."""

    name: str
    read: OpCost
    write: OpCost
    read_share: float
    clients: int = 1
    queue_depth: int = 1
    hosts: int = 1
    block_bytes: int = 4096
    rate_per_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSpread:
    """Standard deviation over mean of service times. Lines carry equal messages; software and drives vary.

    All are assumptions: histograms of one thread's work are not published.
    """

    software: float = 0.5
    line: float = 0.0
    drive: float = 0.5
    flush: float = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class OsdLoss:
    """OSD number `osd` dies at `at_s`. It returns or is marked out later, or neither.

    also: further OSDs, each with its time; they return, or are marked out, as long after their loss as the first.

    detect_s: a killed OSD's peers are refused connections and say so at once; a dead host takes osd_heartbeat_grace,
    20 s by default. peering_s: an assumption: no figure is published. objects_per_group: of object_bytes.
    recovery_in_flight: objects that are copied at the same time (osd_recovery_max_active_ssd is 10, _hdd 3).
    recovery_bps: bytes a second that recovery may read from, and write to, one OSD; 0 for no such limit.
    """

    osd: int
    at_s: float
    detect_s: float = 1.0
    peering_s: float = 1.0
    return_at_s: float | None = None
    out_at_s: float | None = None
    objects_per_group: int = 1000
    object_bytes: int = 4 * 2**20
    recovery_in_flight: int = 10
    recovery_bps: float = 0.0
    copy: OpCost = OpCost()
    also: tuple[tuple[int, float], ...] = ()

    @property
    def lost(self) -> dict[int, float]:
        """Each lost OSD and its time."""
        return {self.osd: self.at_s, **dict(self.also)}

    def each(self, first_s: float | None) -> dict[int, float]:
        """What happens to the first OSD at `first_s` happens to each, as long after its own loss."""
        return {} if first_s is None else {osd: at_s + first_s - self.at_s for osd, at_s in self.lost.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationModel:
    """A cluster and its loads. drives: devices in all; OSDs on one device share its flushes. groups: placement groups.

    width: OSDs of a group. parts_needed: OSDs from which an object can be had (k of an erasure-coded pool). flush_s:
    what one batch of an OSD's commit thread costs. stalls_per_s: stalls of one OSD a second, each `stall_s` long on
    average. slice: share of the cluster that this model is.
    """

    nodes: int
    osds: int
    drives: int
    width: int
    groups: int
    loads: tuple[ClientLoad, ...]
    threads_per_osd: int = 16
    parts_needed: int = 1
    flush_s: float = 0.0
    spread: ServiceSpread = ServiceSpread()
    stalls_per_s: float = 0.0
    stall_s: float = 0.0
    loss: OsdLoss | None = None
    slice: float = 1.0

    @property
    def min_size(self) -> int:
        """OSDs below which Ceph lets a placement group serve nobody, as it is for a new pool."""
        spares = self.width - self.parts_needed
        return self.width - self.width // 2 if self.parts_needed == 1 else self.parts_needed + min(1, spares - 1)

    @property
    def node_of_osd(self) -> tuple[int, ...]:
        return tuple(osd * self.nodes // self.osds for osd in range(self.osds))

    @property
    def has_connections(self) -> bool:
        """Whether connections are simulated: few enough that ops meet there, and somebody needs time there."""
        needed = any(cost.connection_s > 0 for load in self.loads for cost in (load.read, load.write))
        return needed and (sum(load.clients for load in self.loads) + 1) * self.osds <= MOST_CONNECTIONS


def take_slice(model: SimulationModel, share: float) -> SimulationModel:
    """A smaller cluster at equal load per OSD: `share` of its hosts, OSDs, drives, groups and clients.

    Means and most of the distribution stay. The busiest of fewer OSDs is less busy, and a loss weighs more. Raises
    ValueError when fewer hosts than copies, or less than one client a load, would be left.
    """
    nodes = round(model.nodes * share)
    if nodes < max(1, min(model.width, model.nodes)):
        raise ValueError(f"a slice of {share:g} leaves {nodes} of {model.nodes} hosts for {model.width} copies")
    exact = nodes / model.nodes
    loads = tuple(_slice_load(load, exact) for load in model.loads)
    return replace(
        model, nodes=nodes, osds=round(model.osds * exact), drives=round(model.drives * exact),
        groups=max(1, round(model.groups * exact)), loads=loads, slice=model.slice * exact,
    )  # fmt: skip


def _slice_load(load: ClientLoad, share: float) -> ClientLoad:
    """Whole clients where there are enough of them, else less depth for each."""
    clients, hosts = max(1, round(load.clients * share)), max(1, round(load.hosts * share))
    depth = load.clients * load.queue_depth * share / clients
    if depth < 0.75:
        raise ValueError(f"load {load.name}: {load.clients} x {load.queue_depth} in flight are too few for a slice")
    return replace(load, clients=clients, hosts=hosts, queue_depth=round(depth), rate_per_s=load.rate_per_s * share)


def to_network(model: SimulationModel, *, seed: int) -> Network:
    """The model as stations, routes and loads."""
    placement = place_groups(model.groups, model.width, model.node_of_osd, seed=seed)
    device_of_osd = tuple(osd * model.drives // model.osds for osd in range(model.osds))
    clients = sum(load.clients for load in model.loads) + 1  # and one for recovery, which meets no client
    hosts = sum(load.hosts for load in model.loads) + 1
    optional = []
    if model.has_connections:
        optional.append(StationGroup("connection", clients * model.osds))
    if model.loss and model.loss.recovery_bps > 0:
        optional.append(StationGroup(RECOVERY_LIMIT, model.osds))
    return Network(
        stations=(
            StationGroup("client thread", clients),
            StationGroup("client line", hosts),
            StationGroup("line into OSD host", model.nodes),
            StationGroup("line out of OSD host", model.nodes),
            StationGroup("OSD thread", model.osds),
            StationGroup("OSD processor", model.osds, servers=model.threads_per_osd),
            StationGroup("drive", model.drives),
            StationGroup("flush", model.drives),
            *optional,
        ),
        loads=tuple(_load(load, model) for load in model.loads),
        placement=placement,
        osds=Osds(
            node=model.node_of_osd, device=device_of_osd, flush=Service(model.flush_s, model.spread.flush),
            flush_group="flush", stall_rate_per_s=model.stalls_per_s, stall_s=model.stall_s,
        ),
        loss=_loss(model, seed) if model.loss else None,
        stagger_s=STAGGER_S,
    )  # fmt: skip


def _load(load: ClientLoad, model: SimulationModel) -> Load:
    routes = []
    if load.read_share > 0:
        steps = _read_steps(load.read, model)
        routes.append(Route(name=f"{load.name} read", steps=steps, share=load.read_share, block_bytes=load.block_bytes))
    if load.read_share < 1:
        steps = _write_steps(load.write, model)
        share = 1 - load.read_share
        routes.append(
            Route(name=f"{load.name} write", steps=steps, share=share, writes=True, block_bytes=load.block_bytes)
        )
    return Load(
        name=load.name, routes=tuple(routes), clients=load.clients, queue_depth=load.queue_depth, hosts=load.hosts,
        rate_per_s=load.rate_per_s,
    )  # fmt: skip


def _software(cost: OpCost, spread: ServiceSpread) -> tuple[Step, ...]:
    """What an OSD does with a message."""
    return (
        Visit("OSD thread", Service(cost.osd_thread_s, spread.software), Whose.OSD, stalls=True),
        Visit("OSD processor", Service(cost.processor_s, spread.software), Whose.OSD, after_s=cost.osd_delay_s),
    )


def _to_osd(cost: OpCost, spread: ServiceSpread) -> tuple[Step, ...]:
    """From a line into the OSD's host to the end of the OSD's software."""
    return (Visit("line into OSD host", Service(cost.into_host_s, spread.line), Whose.NODE), *_software(cost, spread))


def _from_client(cost: OpCost, model: SimulationModel) -> tuple[Step, ...]:
    """As `_to_osd`, on a client's connection to its primary."""
    line, *software = _to_osd(cost, model.spread)
    if not model.has_connections:
        pause: tuple[Step, ...] = (Delay(Service(cost.connection_s)),) if cost.connection_s > 0 else ()
        return (line, *pause, *software)
    return (line, Visit("connection", Service(cost.connection_s, model.spread.software), Whose.CONNECTION), *software)


def _overlap(sends_s: float, receives_s: float, spread: ServiceSpread) -> float:
    """What a message saves because it comes in at one end of a wire while it still goes out at the other.

    The receiving line starts as early as it can without ending before the sending one. Only where lines are constant:
    a random service might be shorter than what is saved.
    """
    return min(sends_s, receives_s) if spread.line == 0 else 0.0


def _write_steps(cost: OpCost, model: SimulationModel) -> tuple[Step, ...]:
    spread = model.spread
    durable: tuple[Step, ...] = (
        Visit("drive", Service(cost.drive_s, spread.drive), Whose.DEVICE, after_s=cost.media_delay_s),
    )
    arrives_s = cost.hop_s - _overlap(cost.out_of_host_s, cost.into_host_s, spread)
    out = Visit("line out of OSD host", Service(cost.out_of_host_s, spread.line), Whose.PRIMARY_NODE, arrives_s)
    asks_s = cost.hop_s - _overlap(cost.client_line_s, cost.into_host_s, spread)
    return (
        Visit("client thread", Service(cost.client_s, spread.software), Whose.CLIENT, after_s=cost.client_delay_s),
        Visit("client line", Service(cost.client_line_s, spread.line), Whose.CLIENT_HOST, after_s=asks_s),
        *_from_client(cost, model),
        *_read_old_parts(cost, spread),
        Fork(
            own=(*durable, Commit(cost.commit_item_s)),
            copies=(out, *_to_osd(cost, spread), *durable, Commit(cost.commit_item_s, after_s=cost.hop_s)),
            width=cost.parts_written,
        ),
        Delay(Service(cost.hop_s)),
    )


def _read_old_parts(cost: OpCost, spread: ServiceSpread) -> tuple[Step, ...]:
    """What the primary needs before it can compute new parity. The parts are small: they meet no line."""
    if cost.parts_read == 0:
        return ()
    drive, hop = Visit("drive", Service(cost.drive_s, spread.drive), Whose.DEVICE), Delay(Service(cost.hop_s))
    parts = Fork(own=(drive,), copies=(hop, *_software(cost, spread), drive, hop), width=cost.parts_read)
    return (parts, *_software(cost, spread))


def _read_steps(cost: OpCost, model: SimulationModel) -> tuple[Step, ...]:
    spread = model.spread
    drive = Visit("drive", Service(cost.drive_s, spread.drive), Whose.DEVICE)
    media: tuple[Step, ...] = (drive,)
    if cost.media_delay_s > 0:
        media = (drive, Chance(cost.media_share, (Delay(Service(cost.media_delay_s)),)))
    arrives_s = cost.hop_s - _overlap(cost.out_of_host_s, cost.client_line_s, spread)
    out = Visit("line out of OSD host", Service(cost.out_of_host_s, spread.line), Whose.NODE, after_s=arrives_s)
    serve: tuple[Step, ...] = (*_from_client(cost, model), *media, out)
    if cost.parts_read > 1:
        others: tuple[Step, ...] = (*_to_osd(cost, spread), *media, out)
        serve = (Fork(own=serve, copies=others, width=cost.parts_read),)
    ask_s = cost.client_delay_s + cost.hop_s
    return (
        Visit("client thread", Service(cost.client_s, spread.software), Whose.CLIENT, after_s=ask_s),
        *serve,
        Visit("client line", Service(cost.client_line_s, spread.line), Whose.CLIENT_HOST),
    )  # fmt: skip


def _recovery_limit(loss: OsdLoss) -> tuple[Step, ...]:
    """An object waits until both its OSDs have that much left of what they may spend on recovery."""
    if loss.recovery_bps <= 0:
        return ()
    share = Service(loss.object_bytes / loss.recovery_bps)
    return tuple(Visit(RECOVERY_LIMIT, share, whose) for whose in (Whose.PRIMARY, Whose.OSD))


def _loss(model: SimulationModel, seed: int) -> Loss:
    loss, spread = model.loss, model.spread
    assert loss is not None
    arrives_s = loss.copy.hop_s - _overlap(loss.copy.out_of_host_s, loss.copy.into_host_s, spread)
    steps = (
        *_recovery_limit(loss),
        Visit("OSD processor", Service(loss.copy.processor_s, spread.software), Whose.PRIMARY),
        Visit("drive", Service(loss.copy.drive_s, spread.drive), Whose.PRIMARY_DEVICE),
        Visit("line out of OSD host", Service(loss.copy.out_of_host_s, spread.line), Whose.PRIMARY_NODE, arrives_s),
        *_to_osd(loss.copy, spread),
        Visit("drive", Service(loss.copy.drive_s, spread.drive), Whose.DEVICE),
        Commit(loss.copy.commit_item_s, after_s=loss.copy.hop_s),
    )
    route = Route(name="recovery", steps=steps, block_bytes=loss.object_bytes)
    recovers = loss.return_at_s is not None or loss.out_at_s is not None
    spare: tuple[tuple[int, ...], ...] = ()
    if loss.out_at_s is not None:
        spare = place_groups(model.groups, model.width, model.node_of_osd, seed=seed, without=loss.lost)
    places = loss.recovery_in_flight * len(loss.lost)
    return Loss(
        lost=loss.lost, detect_s=loss.detect_s, peering_s=loss.peering_s, min_size=model.min_size,
        min_parts=model.parts_needed, return_at_s=loss.each(loss.return_at_s), out_at_s=loss.each(loss.out_at_s),
        spare=spare, objects_per_group=loss.objects_per_group,
        recovery=Load(name="recovery", routes=(route,), queue_depth=places) if recovers else None,
    )  # fmt: skip
