"""How many clients at the same time can have what a product promises: read off cells with 1, 2, 4... clients."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from radoscope.records.conditions import Conditions, Layer, rows_of_clients
from radoscope.stats.values import CellSummary, Estimate, Interval, Summaries, Undecided
from radoscope.words import N_, _, ngettext

LIMITS: Mapping[str, str] = {"": "", "rate": N_("rate"), "latency": N_("latency")}
"""What can break first, as an Answer names it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What every client is to have. None: not asked.

    latency_s: the most that `percentile` percent of I/Os may take; percentile 0 stands for the mean.
    """

    name: str
    title: str = ""
    source: str = ""
    read_iops: float | None = None
    write_iops: float | None = None
    block_bytes: int = 4096
    latency_s: float | None = None
    percentile: float = 99.0

    def rate_for(self, conditions: Conditions) -> float | None:
        if conditions.op.reads and conditions.op.writes:
            return None
        return self.write_iops if conditions.op.writes else self.read_iops


TARGETS: Mapping[str, Promise] = {
    "sakura-standard": Promise(
        name="sakura-standard",
        title="Sakura Cloud, standard plan: 2,000 read and 500 write IOPS a disk",
        source="the figures that an admin quotes from the Sakura Cloud manual",
        read_iops=2000,
        write_iops=500,
    ),
    "ebs-gp3": Promise(
        name="ebs-gp3",
        title="Amazon EBS gp3 baseline: 3,000 IOPS a volume",
        source="Amazon EBS documentation, general purpose SSD volumes",
        read_iops=3000,
        write_iops=3000,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientsPoint:
    """One measured cell: what each of `clients` got. latency_s: at the target's percentile."""

    clients: int
    per_client: Estimate
    latency_s: Estimate | Undecided


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """For one family of cells (same load, more and more clients): how many clients can have the target at once.

    clients: the largest number, interpolated between measured ones; 0 where a single client has less; Undecided
    outside what was measured. limit: what breaks first, "rate" or "latency". latency_s: at that number of clients,
    where it is known on both sides.
    """

    load: Conditions
    asked_iops: float
    clients: Estimate | Undecided
    limit: str = ""
    latency_s: float | None = None
    points: tuple[ClientsPoint, ...] = field(default=())


def answer(summaries: Summaries, target: Promise) -> tuple[Answer, ...]:
    """One answer for each family of RBD cells with the target's block size that the target speaks about."""
    meant = (summary for summary in summaries.cells if _speaks_of(target, summary.cell.conditions))
    rows = rows_of_clients(meant, lambda summary: summary.cell.conditions)
    return tuple(_answer(load, members, target) for load, members in rows.items())


def _speaks_of(target: Promise, load: Conditions) -> bool:
    """Clients that run as hard as they can, on the pool as it is: an asked rate bounds what each of them gets."""
    free = load.rate_iops is None and not load.pinned
    asked = load.block_bytes == target.block_bytes and target.rate_for(load) is not None
    return load.layer is Layer.RBD and free and asked


def _answer(load: Conditions, members: Sequence[CellSummary], target: Promise) -> Answer:
    asked = target.rate_for(load) or 0.0
    points = sorted(filter(None, (_point(member, target) for member in members)), key=lambda point: point.clients)
    if not points:
        return Answer(load=load, asked_iops=asked, clients=Undecided(_("no cell gave a rate")))
    limit, span = "rate", _span(points, [_ends(point.per_client) for point in points], asked)
    if target.latency_s is not None:
        latencies = [point.latency_s for point in points]
        if missing := next((each for each in latencies if isinstance(each, Undecided)), None):
            return Answer(load=load, asked_iops=asked, clients=missing, limit="latency", points=tuple(points))
        ends = [_ends(each) for each in latencies if isinstance(each, Estimate)]
        pace = [(1 / high, 1 / value, 1 / low) for low, value, high in ends]
        by_latency = _span(points, pace, 1 / target.latency_s)
        if by_latency[1] < span[1]:
            limit, span = "latency", by_latency
    clients = _estimate(span, points)
    latency = _latency_at(points, clients.value) if isinstance(clients, Estimate) else None
    return Answer(load=load, asked_iops=asked, clients=clients, limit=limit, latency_s=latency, points=tuple(points))


def _point(summary: CellSummary, target: Promise) -> ClientsPoint | None:
    if isinstance(summary.iops, Undecided):
        return None
    count = summary.cell.conditions.clients
    each = replace(summary.iops.times(1 / count), method="sum over clients / clients")
    return ClientsPoint(clients=count, per_client=each, latency_s=summary.latency_at(target.percentile or None))


Span = tuple[float, float, float]
"""A number of clients: low end, value, high end. 0: fewer than measured; infinite: more than measured."""


def _span(points: Sequence[ClientsPoint], rates: Sequence[Span], asked: float) -> Span:
    """The number of clients at which the rate of each, or one over its latency, falls to `asked`."""
    counts = [float(point.clients) for point in points]
    low, value, high = (_crossing(counts, [rate[end] for rate in rates], asked) for end in range(3))
    return min(low, value), value, max(high, value)


def _ends(estimate: Estimate) -> Span:
    """Low end, value, high end; the value thrice where there is no interval."""
    low, high = estimate.ends or (estimate.value, estimate.value)
    return low, estimate.value, high


def _crossing(counts: Sequence[float], values: Sequence[float], asked: float) -> float:
    """Where a falling curve through the points meets `asked`; straight between points on log-log paper."""
    if values[0] < asked:
        return 0.0
    for (left, high), (right, low) in pairwise(zip(counts, values, strict=True)):
        if high >= asked > low:
            share = math.log(high / asked) / math.log(high / max(low, 1e-12))
            return math.exp(math.log(left) + share * math.log(right / left))
    return math.inf


def _estimate(span: Span, points: Sequence[ClientsPoint]) -> Estimate | Undecided:
    low, value, high = span
    if value == 0:
        return _out_of_reach(points[0], may_reach=high > 0)
    last = points[-1].clients
    if math.isinf(value):
        reason = ngettext(
            "with {number} client, the most measured, each still has it",
            "with {number} clients, the most measured, each still has it",
            last,
        )
        return Undecided(reason, _("cells with more than {clients} clients", clients=last))
    interval: Interval | Undecided = Interval(low, high)
    if missing := next((p.per_client.interval for p in points if isinstance(p.per_client.interval, Undecided)), None):
        interval = missing
    elif low == 0 or math.isinf(high):
        outside = _("one end of it lies outside the measured numbers of clients")
        interval = Undecided(outside, _("more rounds, or more cells"))
    return Estimate(value, interval, len(points), "interpolated on logs between measured numbers of clients")


def _out_of_reach(point: ClientsPoint, *, may_reach: bool) -> Estimate | Undecided:
    """Not even the smallest number of clients has it. may_reach: its interval says that it might."""
    if point.clients > 1:
        return Undecided(
            _("{clients} clients are already too many", clients=point.clients),
            _("cells with fewer than {clients} clients", clients=point.clients),
        )
    if may_reach:
        return Undecided(_("with 1 client the interval holds the target"), _("more rounds"))
    known = point.per_client.interval
    interval = known if isinstance(known, Undecided) else Interval(0.0, 0.0, known.confidence)
    return Estimate(0.0, interval, point.per_client.samples, "even one client gets less")


def _latency_at(points: Sequence[ClientsPoint], clients: float) -> float | None:
    """Latency between the two neighbouring points, on logs; None where one of them has none."""
    for left, right in pairwise(points):
        if not left.clients <= clients <= right.clients:
            continue
        if isinstance(left.latency_s, Estimate) and isinstance(right.latency_s, Estimate):
            share = math.log(clients / left.clients) / math.log(right.clients / left.clients)
            return math.exp(math.log(left.latency_s.value) * (1 - share) + math.log(right.latency_s.value) * share)
    return None
