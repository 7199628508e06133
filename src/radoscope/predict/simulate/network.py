"""A network of stations in words: what there is, which way an op takes, who loads it. assembly.py makes tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from radoscope.predict.simulate import tables


class Whose(Enum):
    """Which station of a group an op meets: the only one, or that of its client, of its OSD, of its primary OSD.

    CONNECTION: that of its client and the primary; the group then has one station a client and OSD, client by client.
    The value says of whom (tables.CLIENT, OSD, PRIMARY) and which place.
    """

    ONLY = (tables.CLIENT, tables.ONLY)
    CLIENT = (tables.CLIENT, tables.ITSELF)
    CLIENT_HOST = (tables.CLIENT, tables.HOST)
    OSD = (tables.OSD, tables.ITSELF)
    NODE = (tables.OSD, tables.HOST)
    DEVICE = (tables.OSD, tables.DEVICE)
    PRIMARY = (tables.PRIMARY, tables.ITSELF)
    PRIMARY_NODE = (tables.PRIMARY, tables.HOST)
    PRIMARY_DEVICE = (tables.PRIMARY, tables.DEVICE)
    CONNECTION = (tables.PRIMARY, tables.ITSELF, "a client")


@dataclass(frozen=True, slots=True)
class Service:
    """A service time: mean in seconds, and its standard deviation over its mean (0 constant, 1 exponential)."""

    mean_s: float
    spread: float = 0.0

    def __post_init__(self) -> None:
        if not (0 <= self.mean_s < float("inf") and 0 <= self.spread < float("inf")):
            raise ValueError(
                f"a service time needs a mean and a spread of at least 0, not {self.mean_s} and {self.spread}"
            )


@dataclass(frozen=True, slots=True)
class StationGroup:
    """Equal stations, each with one queue (first come, first served) and `servers`."""

    name: str
    count: int = 1
    servers: int = 1


@dataclass(frozen=True, slots=True)
class Visit:
    """Queue and be served. after_s: what passes before the next step without waiting. stalls: held up by OSD stalls."""

    group: str
    service: Service
    whose: Whose = Whose.ONLY
    after_s: float = 0.0
    stalls: bool = False


@dataclass(frozen=True, slots=True)
class Delay:
    """A pause without a queue."""

    service: Service


@dataclass(frozen=True, slots=True)
class Commit:
    """Wait for the OSD's next batch and its end. work_s: what this op adds to the batch beside the flush."""

    work_s: float = 0.0
    after_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Fork:
    """The op continues on its own OSD with `own` and on each further OSD with `copies`, until all are through.

    width: number of branches, 0 for one on each OSD of the placement group.
    """

    own: tuple[Step, ...]
    copies: tuple[Step, ...]
    width: int = 0


@dataclass(frozen=True, slots=True)
class Chance:
    """With this probability, do `steps`."""

    probability: float
    steps: tuple[Step, ...]


Step: TypeAlias = Visit | Delay | Commit | Fork | Chance


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """The way of one kind of op. share: of its class's ops. writes: it changes an object."""

    name: str
    steps: tuple[Step, ...]
    share: float = 1.0
    writes: bool = False
    block_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """One class of clients. A closed loop of `clients` with `queue_depth` each; or, with a rate, Poisson arrivals.

    hosts: client hosts, over which clients are dealt in turn. think: pause of a place between two ops. most: how many
    ops of an open class may be in flight before further ones are refused.
    """

    name: str
    routes: tuple[Route, ...]
    clients: int = 1
    queue_depth: int = 1
    hosts: int = 1
    think: Service | None = None
    rate_per_s: float = 0.0
    most: int = 20_000

    @property
    def places(self) -> int:
        return self.most if self.rate_per_s > 0 else self.clients * self.queue_depth


@dataclass(frozen=True, slots=True, kw_only=True)
class Osds:
    """Where each OSD is and how it commits. node, device: one entry an OSD.

    flush: what one batch costs, whatever its size. flush_group: the stations, one a device, where flushes of OSDs on
    one device wait for each other. stall_rate_per_s, stall_s: stalls an OSD and second, and their mean length; while an
    OSD stalls it begins nothing new at the visits that say so.
    """

    node: tuple[int, ...] = (0,)
    device: tuple[int, ...] = (0,)
    flush: Service = Service(0.0)
    flush_group: str = ""
    stall_rate_per_s: float = 0.0
    stall_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """OSDs are lost, each at its time; each returns, or is marked out and replaced, or neither, as the others.

    lost, return_at_s, out_at_s: of each OSD the time. detect_s: until a loss is noticed. peering_s: until the groups
    serve again, also at the return. min_size: a group with fewer OSDs serves nobody. min_parts: OSDs from which an
    object can be had. home, spare: see placement; spare is the placement without the OSDs. recovery: the class that
    copies objects (queue_depth at a time).
    """

    lost: Mapping[int, float]
    detect_s: float
    peering_s: float
    min_size: int = 1
    min_parts: int = 1
    return_at_s: Mapping[int, float] = field(default_factory=dict)
    out_at_s: Mapping[int, float] = field(default_factory=dict)
    spare: tuple[tuple[int, ...], ...] = ()
    objects_per_group: int = 0
    recovery: Load | None = None

    @property
    def first_s(self) -> float:
        return min(self.lost.values())

    @property
    def comes_s(self) -> float | None:
        """When the last OSD is back, or marked out; None where none ever is."""
        return max({**self.return_at_s, **self.out_at_s}.values(), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """All of it. placement: the OSDs of each placement group, the primary first. stagger_s: closed places begin spread
    over this time, so that a thousand clients do not knock in the same instant."""

    stations: tuple[StationGroup, ...]
    loads: tuple[Load, ...]
    placement: tuple[tuple[int, ...], ...] = ((0,),)
    osds: Osds = field(default_factory=Osds)
    loss: Loss | None = None
    stagger_s: float = 0.0

    @property
    def all_loads(self) -> tuple[Load, ...]:
        """With recovery, where an OSD is lost and others get its objects, as the last one."""
        return (*self.loads, self.loss.recovery) if self.loss and self.loss.recovery else self.loads
