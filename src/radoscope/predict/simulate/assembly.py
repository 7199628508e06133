"""A network in words -> the arrays that the kernel walks over."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np

from radoscope.predict.simulate import tables
from radoscope.predict.simulate.network import (
    Chance,
    Commit,
    Delay,
    Fork,
    Load,
    Loss,
    Network,
    Route,
    Step,
    Visit,
    Whose,
)
from radoscope.predict.simulate.rng import stream_starts
from radoscope.predict.simulate.tables import World, rows

_FIXED_STEPS = (tables.BEGIN, tables.COMMITTED, tables.ARRIVE, tables.RECOVER)


def assemble(network: Network, *, seed: int, seconds: float, intervals: int = 100, trace: int = 0) -> World:
    """The network at time 0, with every place's first op and every class's first arrival on the agenda."""
    loads = network.all_loads
    program = _Program(network, loads)
    width, osds, places = len(network.placement[0]), len(network.osds.node), sum(load.places for load in loads)
    stations = sum(group.count for group in network.stations)
    streams = stream_starts(seed, stations + len(loads) + osds)
    tokens = _tokens(loads, width, osds)
    spare = network.loss.spare if network.loss and network.loss.spare else network.placement
    world = World(
        steps=program.table(),
        stations=_stations(network, streams[:stations]),
        loads=_loads(loads, streams[stations : stations + len(loads)]),
        routes=program.routes(),
        osds=_osds(network, program, streams[stations + len(loads) :]),
        groups=_groups(network),
        marks=_marks(network.loss),
        tokens=tokens,
        jobs=_jobs(loads),
        intervals=rows("interval", len(program.entries) * intervals),
        trace=rows("trace", trace),
        plan=_plan(network, loads, program, seconds / intervals, intervals),
        clock=_clock(network, places),
        free_at=np.zeros(sum(group.count * group.servers for group in network.stations if group.servers > 1)),
        places=_places(network, loads),
        acting=_whole(chain.from_iterable(network.placement)),
        home=_whole(chain.from_iterable(network.placement)),
        spare=_whole(chain.from_iterable(spare)),
        buckets=np.zeros(1 << max(6, (2 * places - 1).bit_length()), dtype=np.uint32),
        bins=np.zeros(len(program.entries) * tables.BINS, dtype=np.uint64),
    )
    _first_appointments(network, loads, world)
    return world


class _Program:
    """The steps of all routes, one after the other, as columns."""

    def __init__(self, network: Network, loads: tuple[Load, ...]) -> None:
        self.rows: list[dict[str, Any]] = [{"kind": kind} for kind in _FIXED_STEPS]
        self.first_station: dict[str, int] = {}
        self.osds, self.osds_stall = len(network.osds.node), network.osds.stall_rate_per_s > 0
        self.entries: list[tuple[Route, int]] = []
        position = 0
        for group in network.stations:
            self.first_station[group.name] = position
            position += group.count
        for load in loads:
            for route in load.routes:
                done = self._add(kind=tables.DONE)
                self.entries.append((route, self._lay(route.steps, done, join=0)))

    def _add(self, **row: Any) -> int:
        self.rows.append(row)
        return len(self.rows) - 1

    def _lay(self, steps: tuple[Step, ...], then: int, join: int) -> int:
        """Lay steps from the last to the first, so that each knows where it leads; returns where they begin."""
        for step in reversed(steps):
            then = self._lay_one(step, then, join)
        return then

    def _lay_one(self, step: Step, then: int, join: int) -> int:
        if isinstance(step, Visit):
            whose, place = step.whose.value[:2]
            return self._add(
                kind=tables.VISIT, group=self.first_station[step.group], whose=whose, place=place, next=then, join=join,
                mean_s=step.service.mean_s, spread=step.service.spread, after_s=step.after_s,
                stalls=int(step.stalls and self.osds_stall), on_osd=int(whose == tables.OSD),
                stride=self.osds if step.whose is Whose.CONNECTION else 0,
            )  # fmt: skip
        if isinstance(step, Delay):
            return self._add(
                kind=tables.DELAY, mean_s=step.service.mean_s, spread=step.service.spread, next=then, join=join
            )
        if isinstance(step, Commit):
            return self._add(
                kind=tables.COMMIT, mean_s=step.work_s, after_s=step.after_s, next=then, join=join, on_osd=1
            )
        if isinstance(step, Chance):
            branch = self._lay(step.steps, then, join)
            return self._add(kind=tables.CHANCE, chance=step.probability, branch=branch, next=then, join=join)
        return self._lay_fork(step, then)

    def _lay_fork(self, fork: Fork, then: int) -> int:
        joining = self._add(kind=tables.JOIN, next=then)
        own, copies = self._lay(fork.own, joining, joining), self._lay(fork.copies, joining, joining)
        return self._add(kind=tables.FORK, next=own, branch=copies, width=fork.width)

    def table(self) -> Any:
        steps = rows("step", len(self.rows))
        for number, row in enumerate(self.rows):
            for name, value in row.items():
                steps[name][number] = value
        return steps

    def routes(self) -> Any:
        table = rows("route", len(self.entries))
        table["entry"] = [entry for _, entry in self.entries]
        table["share_up_to"] = self._shares()
        table["writes"] = [route.writes for route, _ in self.entries]
        return table

    def _shares(self) -> list[float]:
        """Cumulative within each class; the last of a class is above all draws."""
        shares: list[float] = []
        total = 0.0
        for route, _ in self.entries:
            total += route.share
            shares.append(total)
            if total > 1 - 1e-9:
                shares[-1], total = 2.0, 0.0
        return shares


def _whole(values: Iterable[int]) -> Any:
    return np.array(list(values), dtype=np.uint32)


def _stations(network: Network, streams: list[int]) -> Any:
    table = rows("station", sum(group.count for group in network.stations))
    table["servers"] = [group.servers for group in network.stations for _ in range(group.count)]
    several = np.where(table["servers"] > 1, table["servers"], 0)
    table["first_server"][1:] = np.cumsum(several)[:-1]
    table["random"] = streams
    return table


def _loads(loads: tuple[Load, ...], streams: list[int]) -> Any:
    table = rows("load", len(loads))
    table["rate_per_s"] = [load.rate_per_s for load in loads]
    table["think_s"] = [load.think.mean_s if load.think else 0.0 for load in loads]
    table["think_spread"] = [load.think.spread if load.think else 0.0 for load in loads]
    table["jobs"] = [load.places for load in loads]
    table["first_job"][1:] = np.cumsum(table["jobs"])[:-1]
    table["routes"] = [len(load.routes) for load in loads]
    table["first_route"][1:] = np.cumsum(table["routes"])[:-1]
    table["free_job"] = table["first_job"] + 1
    table["random"] = streams
    return table


def _osds(network: Network, program: _Program, streams: list[int]) -> Any:
    osds = network.osds
    table = rows("osd", len(osds.node))
    table["node"], table["device"] = osds.node, osds.device
    table["flush_s"], table["flush_spread"] = osds.flush.mean_s, osds.flush.spread
    table["flush_station"] = program.first_station.get(osds.flush_group, 0) + table["device"]
    table["stall_rate_per_s"], table["stall_s"] = osds.stall_rate_per_s, osds.stall_s
    table["random"] = streams
    return table


def _marks(loss: Loss | None) -> Any:
    kinds = ((tables.LOSE, loss.lost), (tables.RETURN, loss.return_at_s), (tables.OUT, loss.out_at_s)) if loss else ()
    marks = sorted((at_s, kind, osd) for kind, times in kinds for osd, at_s in times.items())
    table = rows("mark", len(marks))
    for name, column in zip(("at_s", "kind", "osd"), zip(*marks, strict=True), strict=False):
        table[name] = column
    return table


def _plan(network: Network, loads: tuple[Load, ...], program: _Program, interval_s: float, intervals: int) -> Any:
    loss, plan = network.loss, rows("plan", 1)
    width = len(network.placement[0])
    plan["interval_s"], plan["intervals"] = interval_s, intervals
    plan["width"], plan["groups"], plan["osds"] = width, len(network.placement), len(network.osds.node)
    plan["first_alarm"] = 1 + sum(load.places for load in loads) * width
    plan["recovery_load"] = len(loads) - 1 if loss and loss.recovery else len(loads)
    plan["recovery_route"] = len(program.entries) - 1
    if loss:
        plan["loses"], plan["objects_per_group"] = 1, loss.objects_per_group
        plan["detect_s"], plan["peering_s"] = loss.detect_s, loss.peering_s
        plan["replaces"], plan["min_size"], plan["min_parts"] = bool(loss.out_at_s), loss.min_size, loss.min_parts
    return plan


def _tokens(loads: tuple[Load, ...], width: int, osds: int) -> Any:
    """Token 0 does not exist; then `width` a place; then an alarm an OSD; then an alarm a load.

    Clients of all loads are numbered through; the places of a load are dealt to its clients in turn.
    """
    jobs = sum(load.places for load in loads)
    table = rows("token", 1 + jobs * width + osds + len(loads))
    table["job"][1 : 1 + jobs * width] = np.repeat(np.arange(jobs), width)
    first = np.cumsum([0, *(load.clients for load in loads)])
    clients = [first[number] + np.arange(load.places) % load.clients for number, load in enumerate(loads)]
    table["client"][1 : 1 + jobs * width] = np.repeat(np.concatenate(clients), width)
    table["at"][1 + jobs * width :] = tables.AT_COMMITTED
    alarms = len(table) - len(loads)
    table["at"][alarms:], table["job"][alarms:] = tables.AT_ARRIVE, np.arange(len(loads))
    return table


def _places(network: Network, loads: tuple[Load, ...]) -> Any:
    """Where OSDs are, and clients; hosts of all loads are numbered through, clients are dealt to them in turn."""
    osds, clients = len(network.osds.node), sum(load.clients for load in loads)
    places = np.zeros((osds + clients, tables.PLACES), dtype=np.uint32)
    places[:osds, tables.ITSELF] = np.arange(osds)
    places[:osds, tables.HOST], places[:osds, tables.DEVICE] = network.osds.node, network.osds.device
    places[osds:, tables.ITSELF] = np.arange(clients)
    first = np.cumsum([0, *(load.hosts for load in loads)])
    hosts = [first[number] + np.arange(load.clients) % load.hosts for number, load in enumerate(loads)]
    places[osds:, tables.HOST] = np.concatenate(hosts)
    return places.ravel()


def _jobs(loads: tuple[Load, ...]) -> Any:
    """Free places of a load are chained, each to the one after it."""
    table = rows("job", sum(load.places for load in loads))
    table["load"] = np.repeat(np.arange(len(loads)), [load.places for load in loads])
    table["next_free"] = np.arange(2, len(table) + 2)
    table["next_free"][np.cumsum([load.places for load in loads]) - 1] = 0
    return table


def _groups(network: Network) -> Any:
    table = rows("group", len(network.placement))
    table["size"] = len(network.placement[0])
    return table


def _clock(network: Network, places: int) -> Any:
    """The first length of a day is a guess, which the kernel corrects."""
    clock = rows("clock", 1)
    arrivals_per_s = sum(load.rate_per_s for load in network.loads) or 1e6
    clock["days_per_s"] = places / network.stagger_s if network.stagger_s > 0 else arrivals_per_s
    clock["next_tuning"] = tables.FIRST_TUNING
    return clock


def _first_appointments(network: Network, loads: tuple[Load, ...], world: World) -> None:
    """Closed places begin spread over `stagger_s`; the first op of an open load arrives at 0; recovery waits."""
    width, recovery = len(network.placement[0]), int(world.plan["recovery_load"][0])
    first_load_alarm = len(world.tokens) - len(loads)
    due: dict[int, float] = {}
    for number, load in enumerate(loads):
        first = 1 + int(world.loads["first_job"][number]) * width
        if number == recovery:
            world.tokens["at"][first : first + load.places * width] = tables.AT_RECOVER
        elif load.rate_per_s > 0:
            due[first_load_alarm + number] = 0.0
        else:
            due |= {first + place * width: network.stagger_s * place / load.places for place in range(load.places)}
    _fill_agenda(world, due)


def _fill_agenda(world: World, due: dict[int, float]) -> None:
    """What `appoint` would do one by one."""
    clock = world.clock[0]
    for token in sorted(due, key=lambda token: due[token]):
        bucket = (int(due[token] * clock["days_per_s"]) + 1) & (len(world.buckets) - 1)
        world.tokens["due"][token], world.tokens["follows"][token] = due[token], world.buckets[bucket]
        world.buckets[bucket] = token
