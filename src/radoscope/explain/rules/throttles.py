"""Limits that somebody set: on I/O a second or in flight at the client, on messages and bytes in the OSDs."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from radoscope.explain.evidence import CellEvidence, ResultEvidence, named_osds, number_in
from radoscope.explain.finding import Finding, Role, Severity, Share
from radoscope.explain.lines import fullest
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell, pool_cell
from radoscope.explain.rules.options import client_limit
from radoscope.explain.times import (
    OUTSIDE,
    PREPARE,
    QUEUE,
    REPLICAS,
    STORE,
    each_of,
    held_up,
    latency_s,
    share_of,
    share_of_parts,
    share_over,
    waterfall_of,
)
from radoscope.records.conditions import Layer
from radoscope.records.environment import ClusterFacts, OsdFacts
from radoscope.records.study import Cell, Outcome, Segment
from radoscope.records.telemetry import (
    BLUESTORE_THROTTLE_WAIT,
    CLIENT_BYTES_REFUSED,
    CLIENT_CPU,
    CLIENT_CPU_WAIT,
    CLIENT_MESSAGES_REFUSED,
    COMMIT_LAT,
    DEFERRED_THROTTLE_WAIT,
    DISPATCH_REFUSED,
    OP_R,
    OP_W,
    REPLICAS_REFUSED,
    WRITE_BIG_BLOBS,
    WRITE_BIG_BYTES,
    Counter,
)
from radoscope.units import format_count, format_seconds
from radoscope.words import _

# A limit in the client's options, or one that only shows in its effect.

_NEAR = (0.85, 1.35)
"""Of the limit. Above it: a segment of a second begins with the burst that a full bucket allows."""
_OUTSIDE = 0.4
_EVENLY, _ALIKE, _LEAST_ALIKE, _DEEPER = 0.75, 0.04, 3, 8
"""Three cells, reads and writes, of depths that differ by a factor of 8, whose rates lie within 4 % of their median
while three quarters of an I/O's time pass outside the OSDs: no drive and no processor does that."""
_LEVEL, _BUSY = 1.1, 0.5
"""Many times the depth that brings less than a tenth brings nothing; without a limit it brought 1.6 times as much here
and more. Of the client's time, half."""


def _io_limit_of_cell(evidence: CellEvidence) -> Verdict:
    cluster = evidence.environment.cluster
    if cluster is None:
        return Unchecked(_("the cluster's configuration was not recorded"))
    share = share_of_parts(evidence.segments, OUTSIDE, beyond_s=evidence.round_trip_s() or 0.0)
    if share is None:
        return Unchecked(_("the OSDs' own times were not recorded"))
    if share.value < _OUTSIDE or evidence.conditions.rate_iops is not None:
        return None
    options = _of_clients(cluster.changed_options)
    known = next(chain(_on_images(evidence, options), _in_flight(evidence, options)), None)
    if known is not None:
        return _limited(
            evidence, share, known, _("ceph config rm WHO OPTION; of a pool: rbd config pool rm POOL OPTION")
        )
    if share.value < _EVENLY or fullest(evidence) is not None:
        return None
    if (fact := _evenly(evidence) or _flat(evidence)) is None:
        return None
    return _limited(
        evidence,
        share,
        fact,
        _("Look for it: rbd config image ls, [client] in ceph.conf, the hypervisor's limits, io.max of a cgroup."),
    )


def _limited(evidence: CellEvidence, share: Share, fact: str, try_next: str) -> Finding:
    return Finding(
        claim=_("A limit in the client holds the I/O back, not the cluster."),
        because=(fact, _("{share} of an I/O's time passes outside the OSDs", share=share)),
        severity=Severity.DOUBTFUL,
        unless=_("the limit is meant to be there: then it is what this client may have"),
        try_next=try_next,
        role=Role.CAUSE,
        resource="client limit",
        explains=share,
        hides=("client-cpu", "uneven-load", "slow-transfers"),
    )


def _of_clients(options: Mapping[str, str]) -> dict[str, tuple[str, float]]:
    """Option -> (where it is set, its value): of those that all clients have, or all images of the measured pool."""
    found = {}
    for key, value in options.items():
        where, _slash, name = key.rpartition("/")
        if where in ("global", "client") or where.startswith("pool "):
            found[name] = (where, _number(value))
    return found


def _on_images(evidence: CellEvidence, options: Mapping[str, tuple[str, float]]) -> Iterator[str]:
    """librbd's limits on one image, of which each client process has its own."""
    asked = evidence.conditions
    each = [rate / asked.clients for one in evidence.segments if (rate := _rate(one))]
    if asked.layer not in (Layer.RBD, Layer.QEMU) or not asked.block_bytes or not each:
        return
    rate = statistics.median(each)
    for unit, size in (("iops", 1), ("bps", asked.block_bytes)):
        for kind in ("", "read_" if asked.op.reads else "write_"):
            name = f"rbd_qos_{kind}{unit}_limit"
            where, limit = options.get(name, ("", 0.0))
            if limit > 0 and _NEAR[0] <= rate * size / limit <= _NEAR[1]:
                yield _(
                    "{where}: {name} = {limit:.0f}; an image got {rate:,.0f} a second",
                    where=where,
                    name=name,
                    limit=limit,
                    rate=rate * size,
                )


def _in_flight(evidence: CellEvidence, options: Mapping[str, tuple[str, float]]) -> Iterator[str]:
    """librados' limits on what one client has in flight."""
    asked = evidence.conditions
    depth, block = asked.in_flight / asked.clients, asked.block_bytes or 0
    for name, size in (("objecter_inflight_ops", 1), ("objecter_inflight_op_bytes", block)):
        where, limit = options.get(name, ("", 0.0))
        if 0 < limit < depth * size:
            yield _(
                "{where}: {name} = {limit:.0f}, the load keeps {depth:.0f} in flight",
                where=where,
                name=name,
                limit=limit,
                depth=depth * size,
            )


def _evenly(evidence: CellEvidence) -> str | None:
    """Cells that only a limit can make alike."""
    asked, own = evidence.conditions, _median_rate(evidence, evidence.cell)
    if own is None:
        return None
    alike = {
        cell: rate
        for cell in evidence.study.cells
        if cell.conditions.layer is asked.layer and cell.conditions.clients == asked.clients
        if (rate := _median_rate(evidence, cell)) is not None and abs(rate / own - 1) <= _ALIKE
        if cell.conditions.rate_iops is None and _mostly_outside(evidence, cell)
    }
    kinds, depths = {cell.conditions.op.reads for cell in alike}, [cell.conditions.in_flight for cell in alike]
    if len(alike) < _LEAST_ALIKE or len(kinds) < 2 or max(depths) < _DEEPER * min(depths):
        return None
    return _(
        "{n} cells, reads and writes with {least} to {most} in flight, all come to {rate} I/Os a second",
        n=len(alike),
        least=min(depths),
        most=max(depths),
        rate=format_count(own),
    )


def _flat(evidence: CellEvidence) -> str | None:
    """A small load that gets no more from a greater depth, though neither client, line nor OSDs are busy with it."""
    asked, own = evidence.conditions, _median_rate(evidence, evidence.cell)
    if own is None or not asked.block_bytes or asked.block_bytes > _SMALL or asked.rate_iops is not None:
        return None
    for cell in evidence.study.cells:
        other = cell.conditions
        alike = (other.layer, other.op, other.block_bytes, other.clients, other.sync) == (
            (asked.layer, asked.op, asked.block_bytes, asked.clients, asked.sync)
        )
        apart = max(other.in_flight, asked.in_flight) >= _DEEPER * min(other.in_flight, asked.in_flight)
        rate = _median_rate(evidence, cell) if alike and apart else None
        if rate is None or max(rate, own) >= _LEVEL * min(rate, own):
            continue
        both = (evidence.cell, cell)
        if held_up([segment for each in both for segment in evidence.study.segments_of(each.name)]):
            continue  # one OSD lets no more through
        if all(_mostly_outside(evidence, one) for one in both) and _idle(evidence, both):
            return _(
                "with {few} and with {many} in flight it comes to {rate} I/Os a second, and the client is idle",
                few=min(other.in_flight, asked.in_flight),
                many=max(other.in_flight, asked.in_flight),
                rate=format_count(own),
            )
    return None


def _idle(evidence: CellEvidence, cells: Sequence[Cell]) -> bool:
    """Whether the client's threads neither computed nor waited for cores half of the time; at one rate, as much in any
    of these cells."""
    segments = [one for cell in cells for one in evidence.study.segments_of(cell.name)]
    each = [sum(found) for one in segments if (found := each_of(one, CLIENT_CPU, CLIENT_CPU_WAIT))]
    return bool(each) and statistics.fmean(each) < _BUSY


def _mostly_outside(evidence: CellEvidence, cell: Cell) -> bool:
    share = share_of_parts(evidence.study.segments_of(cell.name), OUTSIDE)
    return share is not None and share.value >= _OUTSIDE


def _median_rate(evidence: CellEvidence, cell: Cell) -> float | None:
    done = (one for one in evidence.study.segments_of(cell.name) if one.outcome is Outcome.DONE)
    rates = [rate for one in done if (rate := _rate(one))]
    return statistics.median(rates) if rates else None


def _rate(segment: Segment) -> float:
    return sum(one.iops or 0.0 for one in segment.results)


_QUEUED, _SMALL, _WAITED_S, _FLAT = 16, 64 * 1024, 5e-3, 1.1
"""With 16 and more small I/Os in flight that wait 5 ms, drives and processors let some through much later than others:
the 99th percentile is 1.2 times the median and more. One bucket with tokens for all lets them through at an even pace
(1.05 on a cloud's volume). Large blocks queue as evenly before a full line."""


def _io_limit_of_result(evidence: ResultEvidence) -> Verdict:
    result, in_flight, block = evidence.result, evidence.in_flight or 0, evidence.result.block_bytes
    latency = result.completion or result.latency
    if result.tool != "fio" or latency is None or not block or in_flight < _QUEUED or block > _SMALL:
        return None
    median, late = (latency.percentiles_s.get(percent) for percent in (50.0, 99.0))
    if not median or not late or median < _WAITED_S or late > _FLAT * median:
        return None
    return Finding(
        claim=_("I/Os pass at an even pace, as a limit lets them through: drives would not."),
        because=(
            _(
                "{in_flight} in flight: half of them take {median}, 99 % no more than {late}",
                in_flight=in_flight,
                median=format_seconds(median),
                late=format_seconds(late),
            ),
        ),
        unless=_("one thread on the way does all of it, and is busy"),
        try_next=_(
            "Look for it: what the volume's class allows, the hypervisor's limits, rbd_qos_*, io.max of a cgroup. A "
            "quarter of the depth then gives the same rate at a quarter of the latency."
        ),
        role=Role.CAUSE,
        resource="client limit",
    )


IO_LIMIT_RULE = Rule(
    "io-limit",
    "Does a limit in the client hold its I/O back?",
    concerns=pool_cell,
    cell=_io_limit_of_cell,
    result=_io_limit_of_result,
)


# An option of the OSDs, set to other than its default, for which I/O is seen to wait.

_RETRY_S, _RETRY_OF_20_S = 1e-3, 5e-3
"""A message that finds no room is tried again after so long (ProtocolV2::throttle_message); in Ceph 20 it is an option,
ms_client_throttle_retry_time_interval."""
_LEAST_SHARE, _LEAST_TIMED, _LEAST_QUEUED = 0.2, 0.1, 0.3
"""Timed: by BlueStore's clock, and the thread that waits keeps others waiting, in front of it and at the primary."""
_NAGLE_S = 10e-3
"""Small writes that wait for the acknowledgement of what was sent before: 40 ms, Linux's delayed acknowledgement."""
_THROTTLES: tuple[tuple[str, float, Counter, str], ...] = (
    ("osd_client_message_cap", 100, CLIENT_MESSAGES_REFUSED, OUTSIDE),
    ("osd_client_message_size_cap", 500 * 2**20, CLIENT_BYTES_REFUSED, OUTSIDE),
    ("ms_dispatch_throttle_bytes", 100 * 2**20, DISPATCH_REFUSED, OUTSIDE),
    ("ms_dispatch_throttle_bytes", 100 * 2**20, REPLICAS_REFUSED, REPLICAS),
    ("bluestore_throttle_bytes", 64 * 2**20, BLUESTORE_THROTTLE_WAIT, STORE),
    ("bluestore_throttle_deferred_bytes", 128 * 2**20, DEFERRED_THROTTLE_WAIT, STORE),
)
"""Throttle, its default (the least of any release), the counter that says whether anything waits for it, and the part
of an I/O's time where that is. At its default it is deep queues or slow drives that wait there."""
_BEFORE_OSDS = tuple(dict.fromkeys(option for option, _usual, _counter, part in _THROTTLES if part == OUTSIDE))
"""They keep messages from an OSD, which then has fewer at once: where it is busy anyway, nothing is lost by that."""
_COST, _USUAL_COST = re.compile(r"bluestore_throttle_cost_per_io\w*"), 670_000
"""What an I/O counts in BlueStore's throttle beside its bytes, in bytes: of hard disks, the most of any default."""
_BLOBS, _LEAST_BLOB, _CUT = re.compile(r"bluestore_max_blob_size\w*"), 32 * 1024, 4
"""Half of the least default. Each blob has its checksums and its place in the metadata: felt where a write becomes so
many of them, and a write of 4K is one whatever the option says."""
_SHARDS, _THREADS, _FEW_THREADS = "osd_op_num_shards", "osd_op_num_threads_per_shard", 2
_SMALL_WINDOW, _MOSTLY, _FELT = 64 * 1024, 0.7, 0.15
"""A window that holds less than a round trip carries: 64 KiB in 0.1 ms is 5 Gbit/s. It is felt where the round trips
that a block needs, to its primary and on to a replica, behind others that go there, are so much of a write's time, or
where most of it passes there."""
_DEFERRED, _LARGE = ("bluestore_prefer_deferred_size", "bluestore_prefer_deferred_size_ssd"), 256 * 1024
"""Writes below it go to RocksDB's log first, and once more to their place: meant for small writes to hard disks."""
_CLIENT_LIMIT = "osd_mclock_scheduler_client_lim"
"""Set by a person in the profile "custom" alone; the others make it of the capacity, of which the rule mclock tells."""
_HOLD_UP_OTHERS = (_CLIENT_LIMIT, "bluestore_throttle_")


def _slow_options_of_cell(evidence: CellEvidence) -> Verdict:
    cluster = evidence.environment.cluster
    if cluster is None or not cluster.each_osd:
        return Unchecked(_("the OSDs' options were not recorded"))
    found = [
        (named, share)
        for osd in cluster.each_osd
        for named, least, values in _suspects(osd, cluster, evidence)
        if (share := share_over(values)) is not None and share.value >= least
    ]
    if not found:
        return None
    named, share = max(found, key=lambda one: one[1].value)
    option = named.partition(" ")[0]
    is_before = option in _BEFORE_OSDS and evidence.host_is_full
    return Finding(
        claim=_("An option of the OSDs holds I/O back: {option}.", option=option),
        because=(
            _("{named}, which is not the default", named=named),
            *_where_set(option, cluster.each_osd),
            _("{share} of the mean latency passes where it acts", share=share),
            *(
                (_("a host's CPUs were busy all the time: what it lets through would wait for them"),)
                if is_before
                else ()
            ),
        ),
        severity=Severity.DOUBTFUL,
        try_next=_(
            "ceph config rm osd {option}; if it stands in ceph.conf, take it out and restart the OSDs", option=option
        ),
        role=Role.CAUSE,
        resource=option,
        explains=share.or_more() if named.startswith(_HOLD_UP_OTHERS) else share,
        at_most=is_before,
        hides=("uneven-load", "sick-osd", "flush-bound", "drive-bound", "osd-cpu", "slow-transfers"),
    )


def _where_set(option: str, osds: Sequence[OsdFacts]) -> Iterator[str]:
    """As by the ceph.conf of one host, of which the monitors know nothing."""
    having = [osd.id for osd in osds if option in osd.options]
    if 0 < len(having) < len(osds):
        yield _("{named} alone, of {count} OSDs", named=named_osds(having), count=len(osds))


_Suspect = tuple[str, float, list[float | None]]
"""What is set, the least share that accuses it, and the share of each segment's latency for which I/O waits there."""


def _suspects(osd: OsdFacts, cluster: ClusterFacts, evidence: CellEvidence) -> Iterator[_Suspect]:
    """Of one OSD."""
    options = osd.options
    for option, usual, counter, part in _THROTTLES:
        if 0 < _number(options.get(option)) < usual:
            waits = [_held(one, counter, part, evidence) for one in evidence.segments]
            yield _set(options, option), _LEAST_TIMED if counter.is_time else _LEAST_SHARE, waits
    if (costly := next((name for name in options if _COST.fullmatch(name)), "")) and (
        _number(options[costly]) > _USUAL_COST
    ):
        waits = [_held(one, BLUESTORE_THROTTLE_WAIT, STORE, evidence) for one in evidence.segments]
        yield _set(options, costly), _LEAST_TIMED, waits
    if blobs := next((name for name in options if _BLOBS.fullmatch(name) and _number(options[name]) > 0), ""):
        yield _set(options, blobs), _LEAST_QUEUED, [_in_blobs(one, evidence) for one in evidence.segments]
    queued = [_part(one, QUEUE) for one in evidence.segments]
    if few := _few_threads(osd, cluster):
        yield _set(options, few), _LEAST_QUEUED, queued
    if options.get("osd_mclock_profile") == "custom" and client_limit(cluster, options):
        yield _set(options, _CLIENT_LIMIT), _LEAST_QUEUED, queued
    if options.get("ms_tcp_nodelay", "").lower() == "false" and evidence.conditions.one_at_a_time:
        late = [_part(one, REPLICAS, least_s=_NAGLE_S) for one in evidence.segments]
        yield _set(options, "ms_tcp_nodelay"), _LEAST_QUEUED, late
    block = evidence.conditions.block_bytes or 0
    window = _number(options.get("ms_tcp_rcvbuf"))
    if 0 < window < min(block, _SMALL_WINDOW) and evidence.conditions.op.writes:
        on_the_way = [_part(one, OUTSIDE, REPLICAS) for one in evidence.segments]
        queued_there = max(1.0, evidence.conditions.in_flight / len(cluster.each_osd))
        trips_s = 2 * queued_there * block / window * (evidence.round_trip_s() or 0.0)
        trips = share_of(evidence.segments, lambda _segment: trips_s)
        felt = trips is not None and trips.value >= _FELT
        yield _set(options, "ms_tcp_rcvbuf"), 0.0 if felt else _MOSTLY, on_the_way
    deferred = next((name for name in _DEFERRED if _number(options.get(name)) >= max(block, _LARGE)), None)
    if deferred is not None and block >= _LARGE and evidence.conditions.op.writes:
        yield _set(options, deferred), _LEAST_QUEUED, [_part(one, STORE) for one in evidence.segments]


def _few_threads(osd: OsdFacts, cluster: ClusterFacts) -> str | None:
    """The option that leaves an OSD few of the threads that work off its queue: for all drives, or for its own kind."""
    kind = "" if osd.rotational is None else "_hdd" if osd.rotational else "_ssd"
    usual = (8, 2) if not osd.rotational else (5, 1) if (cluster.major or 0) < 19 else (1, 5)
    names = [next((n for n in (name, name + kind) if _number(osd.options.get(n))), "") for name in (_SHARDS, _THREADS)]
    counts = [_number(osd.options.get(name)) or default for name, default in zip(names, usual, strict=True)]
    return next(filter(None, names), None) if counts[0] * counts[1] <= _FEW_THREADS else None


def _set(options: Mapping[str, str], option: str) -> str:
    return f"{option} = {options[option]}"


def _part(segment: Segment, *names: str, least_s: float = 0.0) -> float | None:
    water = waterfall_of(segment)
    share = sum(water.share(name) for name in names) if water is not None else 0.0
    return None if water is None or share * water.total_s < least_s else share


def _in_blobs(segment: Segment, evidence: CellEvidence) -> float | None:
    """Share of the mean write that passes in the primary's own work, where it cuts what it stores into small blobs."""
    stored, blobs = (segment.counters.get(one.name) for one in (WRITE_BIG_BYTES, WRITE_BIG_BLOBS))
    block = evidence.conditions.block_bytes if evidence.conditions.op.writes else None
    most = min(_LEAST_BLOB, (block or 0) / _CUT)
    return _part(segment, PREPARE, STORE) if stored and blobs and stored / blobs <= most else None


def _held(segment: Segment, counter: Counter, part: str, evidence: CellEvidence) -> float | None:
    """Share of the mean I/O that waits there: by BlueStore's clock, or on its way while messages are refused."""
    total = latency_s(segment)
    if not total:
        return None
    if counter.is_time:  # of a transaction, which no read needs
        if not evidence.conditions.op.writes:
            return None
        once, times = segment.counters.get(counter.name), segment.counters.get(counter.events)
        commits = segment.counters.get(COMMIT_LAT.events)
        return once * times / commits / total * _last_of_copies(evidence) if once and times and commits else None
    ios = sum(segment.counters.get(kind.name, 0.0) for kind in (OP_R, OP_W))
    refused = max((osd.get(counter.name, 0.0) for osd in segment.osd_counters.values()), default=0.0)
    seconds = ios * total / evidence.conditions.in_flight
    return _part(segment, part) if seconds and refused * _retry_s(evidence) / seconds >= _LEAST_SHARE else None


def _last_of_copies(evidence: CellEvidence) -> float:
    """How many times as long as one copy the last of all copies of a write waits, if they wait independently and as
    long as chance has it: 1 + 1/2 + ... + 1/n (the mean of the largest of n exponential times)."""
    pool = evidence.environment.cluster.pool if evidence.environment.cluster else None
    return sum(1 / nth for nth in range(1, ((pool.size if pool else None) or 1) + 1))


def _retry_s(evidence: CellEvidence) -> float:
    cluster = evidence.environment.cluster
    return _RETRY_OF_20_S if cluster is not None and (cluster.major or 0) >= 20 else _RETRY_S


def _number(text: str | None) -> float:
    return number_in(text) or 0.0


SLOW_OPTIONS_RULE = Rule(
    "slow-options", "Do the OSDs' options let I/O through?", concerns=ceph_cell, cell=_slow_options_of_cell
)
