"""Plan -> cells, and cells -> the trials of one round, in a seeded random order."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from radoscope.errors import PlanError
from radoscope.plan.schema import CellPlan, Plan, parse_limit
from radoscope.records.conditions import BUSES, Conditions, Layer, Operation, Sync
from radoscope.records.study import Cell
from radoscope.units import format_block

_WORDS = {
    Layer.RADOS: {Operation.WRITE: "write", Operation.READ: "seq", Operation.RANDREAD: "rand"},
    Layer.S3: {Operation.WRITE: "put", Operation.RANDREAD: "get"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One segment to be run: a cell, the round it belongs to, and how long it lasts once warm."""

    cell: Cell
    round: int
    seconds: float
    ramp: float


def cells_of(plan: Plan, client_hosts: int = 1) -> tuple[Cell, ...]:
    """All cells of a plan in its order. Raises PlanError where two of them are the same.

    client_hosts: over how many hosts those cells are spread for which the plan does not say it.
    """
    cells = tuple(cell for planned in plan.cells for cell in _expand(planned, client_hosts))
    twice = [name for name, count in Counter(cell.name for cell in cells).items() if count > 1]
    if twice:
        raise PlanError(f"plan {plan.name}: duplicate cells: {', '.join(twice)}", "A plan may contain each cell once.")
    return cells


def shuffled_round(plan: Plan, cells: Sequence[Cell], round_number: int) -> tuple[Trial, ...]:
    """The trials of one round in random order, the same order for the same plan seed and round.

    Interleaving takes order effects and slow drift of the host out of the comparison between cells.
    """
    order = list(cells)
    random.Random(f"{plan.seed}/{round_number}").shuffle(order)
    return tuple(Trial(cell=cell, round=round_number, seconds=plan.seconds, ramp=plan.ramp) for cell in order)


def _expand(planned: CellPlan, client_hosts: int) -> Iterator[Cell]:
    if planned.layer is Layer.NETWORK:
        yield _network_cell(planned.chosen_tool)
        return
    for block in planned.block or ():
        for operation in planned.op or ():
            for depth in planned.queue_depth:
                for images in planned.images:
                    for rate in planned.rate_iops or (None,):
                        for pinned in planned.pinned:
                            for cell in _storage_cells(planned, operation, block, depth, images, rate):
                                named = cell if pinned == "no" else _pinned(cell, pinned)
                                yield from _spread(named, planned.clients, client_hosts)


def _network_cell(tool: str) -> Cell:
    name, title, op = {
        "iperf3": ("network-iperf3", "TCP throughput, one stream (iperf3)", Operation.RECV),
        "ping": ("network-ping", "Round trip, 64 byte ping", Operation.RTT),
        "jumbo-ping": ("network-jumbo-ping", "Round trip, 8000 byte ping, not to be fragmented (-M do)", Operation.RTT),
    }[tool]
    return Cell(name=name, title=title, conditions=Conditions(layer=Layer.NETWORK, tool=tool, op=op))


def osd_cell() -> Cell:
    """One write at a time within one OSD, as the OSD itself measures it."""
    conditions = Conditions(layer=Layer.OSD, tool="osd-bench", op=Operation.WRITE, block_bytes=4096)
    return Cell(name=_name(conditions), title=_title(conditions), conditions=conditions)


def _storage_cells(
    planned: CellPlan, operation: Operation, block: int, depth: int, images: int, rate_iops: float | None
) -> Iterator[Cell]:
    """One, or one for each kind of drive in QEMU."""
    asked = Conditions(
        layer=planned.layer,
        tool=planned.chosen_tool,
        op=operation,
        block_bytes=block,
        queue_depth=depth,
        jobs=planned.jobs,
        clients=images,
        sync=planned.sync,
        rate_iops=rate_iops,
    )
    limit = parse_limit(planned.limit) if planned.limit else None
    for bus, iothread, cache in product(planned.buses, planned.iothreads, planned.caches):
        conditions = replace(asked, cache=cache, bus=bus, iothread=iothread)
        yield Cell(name=_name(conditions), title=_title(conditions), conditions=conditions, limit=limit)


def at_rate(cell: Cell, rate_iops: float) -> Cell:
    """The same open loop at another rate."""
    before = cell.conditions.rate_iops or 0.0
    return replace(
        cell,
        name=cell.name.replace(f"-rate{before:g}", f"-rate{rate_iops:g}"),
        title=cell.title.replace(f", at {before:g} IOPS", f", at {rate_iops:g} IOPS"),
        conditions=replace(cell.conditions, rate_iops=rate_iops),
    )


def _pinned(cell: Cell, to: str) -> Cell:
    """The same load on a pool below the pool."""
    words = {"osd": "one OSD", "host": "one host", "hosts": "all hosts"}[to]
    return replace(
        cell,
        name=f"{cell.name}-{words.lower().replace(' ', '-')}",
        title=f"{cell.title}, one copy on {words}",
        conditions=replace(cell.conditions, pinned=to),
    )


def _spread(cell: Cell, planned: Sequence[int] | None, client_hosts: int) -> Iterator[Cell]:
    """The same load from several hosts: from as many as are planned, or else from as many as there are.

    In a plan that asks for them they stand in the name; elsewhere the cell keeps its name, as it is the same cell of
    the same plan, and its conditions tell it apart. More hosts than processes is not possible.
    """
    most = cell.conditions.processes
    for hosts in dict.fromkeys(min(hosts, most) for hosts in planned or (client_hosts,)):
        if hosts == 1:
            yield cell
            continue
        yield replace(
            cell,
            name=f"{cell.name}-h{hosts}" if planned else cell.name,
            title=f"{cell.title}, from {hosts} hosts",
            conditions=replace(cell.conditions, client_hosts=hosts),
        )


def _name(asked: Conditions) -> str:
    word = _WORDS.get(asked.layer, {}).get(asked.op, asked.op.value)
    parts = [asked.layer.value, format_block(asked.block_bytes or 0).lower(), word, f"qd{asked.queue_depth}"]
    if asked.sync is not Sync.NONE:
        parts.append(asked.sync.value)
    if asked.jobs > 1:
        parts.append(f"j{asked.jobs}")
    if asked.clients > 1:
        parts.append(f"n{asked.clients}")
    if asked.bus not in ("", BUSES[0]):
        parts.append(asked.bus)
    if asked.bus and not asked.iothread:
        parts.append("no-iothread")
    if asked.cache not in ("", "none"):
        parts.append(asked.cache)
    if asked.tool == "rbd-bench":
        parts.append(asked.tool)
    if asked.rate_iops:
        parts.append(f"rate{asked.rate_iops:g}")
    return "-".join(parts)


def instead(cell: Cell, conditions: Conditions) -> Cell:
    """The same cell by name, under other conditions of its layer."""
    return replace(cell, title=_title(conditions), conditions=conditions)


def by_rbd_bench(cell: Cell) -> Cell:
    """The same load by `rbd bench`, where it can put that on; otherwise the cell as it is."""
    asked = cell.conditions
    if asked.layer is not Layer.RBD or asked.sync is not Sync.NONE or asked.rate_iops or asked.jobs > 1:
        return cell
    return instead(cell, replace(asked, tool="rbd-bench"))


def _title(asked: Conditions) -> str:
    block = format_block(asked.block_bytes or 0)
    several = f", {asked.jobs} processes" if asked.jobs > 1 else ""
    if asked.layer is Layer.RADOS:
        return f"rados bench {_WORDS[Layer.RADOS][asked.op]} {block}, -t {asked.queue_depth}{several}"
    if asked.layer is Layer.S3:
        return f"{_WORDS[Layer.S3][asked.op].upper()} of {block} objects, QD{asked.queue_depth}{several}"
    if asked.layer is Layer.OSD:
        return f"{block} write within one OSD, QD1 (its own bench)"
    kind = {
        Operation.READ: "sequential read",
        Operation.WRITE: "sequential write",
        Operation.RANDREAD: "random read",
        Operation.RANDWRITE: "random write",
    }[asked.op]
    text = f"{block} {kind}, QD{asked.queue_depth}"
    if asked.sync is Sync.FSYNC:
        text += ", fsync after each"
    if asked.sync is Sync.OSYNC:
        text += ", O_SYNC"
    if asked.jobs > 1:
        text += f", {asked.jobs} jobs"
    if asked.clients > 1:
        text += f", {asked.clients} {'files' if asked.layer is Layer.CEPHFS else 'images'} at once"
    if asked.bus:
        text += f", {asked.bus}" + (" with iothread" if asked.iothread else "")
    if asked.tool == "rbd-bench":
        text += ", rbd bench"
    if asked.cache:
        text += f", cache={asked.cache}"
    if asked.rate_iops:
        text += f", at {asked.rate_iops:g} IOPS"
    return text
