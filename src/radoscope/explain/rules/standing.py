"""Where it stands: nothing is wrong, what limits cannot be told, which layer costs most, how others do."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import replace

from radoscope.explain.command import SYNCED_WRITES
from radoscope.explain.evidence import CellEvidence, ResultEvidence, StudyEvidence, load_of, result_name
from radoscope.explain.finding import Finding, Role
from radoscope.explain.neighbours import Published
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.explain.rules.transfers import LOOK_OUTSIDE, waiting_outside, waiting_unseen
from radoscope.explain.times import (
    FLUSHES_IN_A_WRITE,
    Waterfall,
    latency_s,
    median_of_others,
    of_each,
    quickest_flush,
    waterfall_of,
)
from radoscope.records.conditions import Layer, Operation
from radoscope.records.measurement import Result
from radoscope.records.study import Cell, Outcome
from radoscope.records.telemetry import COMMIT_LAT, HOST_CPU, OP_R_LATENCY, SLOW_OPS
from radoscope.stats.ladder import Costliest, Ladder, LadderStep, climb, costliest, round_trips, rungs_of
from radoscope.stats.pick import one_at_a_time
from radoscope.stats.values import Interval
from radoscope.units import format_count, format_seconds
from radoscope.words import N_, _, joined, ngettext

# Which step of the ladder (disk, network, RADOS, RBD) costs most in one 4K write; the arithmetic is the ladder's.

_NEEDED = (frozenset({Layer.DISK, Layer.NETWORK, Layer.RADOS}), frozenset({Layer.OSD, Layer.NETWORK, Layer.RADOS}))
_NAMES = {
    Layer.DISK: N_("disk"),
    Layer.OSD: N_("OSD's store"),
    Layer.NETWORK: N_("network"),
    Layer.RADOS: "RADOS",
    Layer.RBD: "RBD",
    Layer.QEMU: "QEMU",
    Layer.GUEST: N_("guest"),
    Layer.CEPHFS: "CephFS",
}
_WORDS = {
    Layer.DISK: N_("the drive's flush"),
    Layer.OSD: N_("the OSD's store and its drive"),
    Layer.NETWORK: N_("the network's round trips"),
    Layer.RADOS: N_("Ceph's OSDs (software, and flushes beyond one)"),
    Layer.RBD: N_("the RBD client"),
    Layer.QEMU: N_("QEMU's block layer"),
    Layer.GUEST: N_("the way into the guest (QEMU, virtio, the guest's kernel)"),
    Layer.CEPHFS: N_("the CephFS client (FUSE, ceph-fuse)"),
}
_ADVICE = {
    Layer.DISK: N_("Drives with power-loss protection are the first thing to buy."),
    Layer.OSD: N_(
        "Tell drive and store apart: measure a drive of that kind with --disk-folder. Drives with power-loss "
        "protection cure a slow flush."
    ),
    Layer.NETWORK: N_("Look at the round trip: switches, interrupt moderation, power states."),
    Layer.RADOS: N_("Look at CPU speed and power states of the OSD hosts; then at BlueStore's flushes per write."),
    Layer.RBD: N_("Compare krbd with librbd, and look at the client's CPU."),
    Layer.GUEST: N_("Compare bus, iothread and cache mode (plan guest), and look at the CPU of the guest's host."),
    Layer.CEPHFS: N_("Mount it with the kernel's own client instead of ceph-fuse, and look at the client's CPU."),
    Layer.QEMU: N_("Give the drive an iothread of its own, and compare cache=none with writeback."),
}


def _costliest_layer_of_study(evidence: StudyEvidence) -> Verdict:
    rungs = rungs_of(evidence.summaries, evidence.environment, writes=True)
    ladder = climb(rungs, round_trips(evidence.environment, writes=True), writes=True)
    most = costliest(ladder)
    if most is None or not any({step.layer for step in ladder.measured} >= needed for needed in _NEEDED):
        return Unchecked(_("4K writes one at a time are missing on disk (with sync) or RADOS, or the round trip is"))
    costs = "; ".join(map(_cost, ladder.measured))
    if most.contradicted:
        return Unchecked(
            _(
                "{most} is larger than {rival} in only {won} of {rounds} rounds ({costs})",
                most=_(_NAMES[most.step.layer]),
                rival=_(_NAMES[most.rival.layer]),
                won=most.won,
                rounds=most.rounds,
                costs=costs,
            )
        )
    if not most.certain:
        return Unchecked(
            _(
                "the intervals do not separate {most} from {rival} ({costs})",
                most=_(_NAMES[most.step.layer]),
                rival=_(_NAMES[most.rival.layer]),
                costs=costs,
            )
        )
    return Finding(
        claim=_(
            "A single 4K write spends most of its time in {where}: {share:.0%}.",
            where=_(_WORDS[most.step.layer]),
            share=most.share,
        ),
        because=(*map(_cost, ladder.measured), *_rounds_words(most)),
        cells=_cells(evidence, ladder),
        unless=_("the disk cell and the OSDs use different drives"),
        try_next=_(_ADVICE[most.step.layer]),
    )


def _rounds_words(most: Costliest) -> tuple[str, ...]:
    """How often it came out so, one round at a time: what drifts in between cancels there."""
    if not most.rounds:
        return ()
    return (
        _(
            "larger than {rival} in {won} of {rounds} rounds",
            rival=_(_NAMES[most.rival.layer]),
            won=most.won,
            rounds=most.rounds,
        ),
    )


def _cost(step: LadderStep) -> str:
    """ "disk: 2.00 ms ± 40 us"."""
    assert step.lost is not None
    value = f"{'-' if step.lost.value < 0 else ''}{format_seconds(abs(step.lost.value))}"
    if not isinstance(step.lost.interval, Interval):
        return _("{layer}: {value}, no interval", layer=_(_NAMES[step.layer]), value=value)
    return f"{_(_NAMES[step.layer])}: {value} ± {format_seconds(step.lost.interval.half_width)}"


def _cells(evidence: StudyEvidence, ladder: Ladder) -> tuple[str, ...]:
    found = (one_at_a_time(evidence.summaries, step.layer, writes=True) for step in ladder.measured)
    return tuple(summary.cell.name for summary in found if summary is not None)


COSTLIEST_LAYER_RULE = Rule(
    "costliest-layer", "Which layer costs most in a single 4K write?", study=_costliest_layer_of_study
)


# Nothing is wrong: the answer where no cause was found, with the comparison that shows it. Or: what to measure next.
# The ranking leaves it out as soon as there is a cause.

_SOFTWARE_S = {"write": (0.25e-3, 1.3e-3), "read": (0.1e-3, 0.65e-3)}
"""What client and OSDs take of one I/O beyond drives and round trips, by releases, clocks and power states that were
published (docs/model.md: 0.43 and 0.19 ms at 3 GHz, within a factor of 1.7, up to 1.5 times that with power states)."""
_DRIVE_READ_S = 100e-6
_BUSY = 0.75
_FEW_PEERS = 3
_FITTING = N_("Nothing is wrong with it: this is what such hardware gives.")
_LOOK_THERE = N_(
    "With --osd-host ssh:[USER@]HOST for each of them (--osd-host pod on Kubernetes), radoscope sees the CPUs, links "
    "and disks of the OSDs' hosts; iperf3 -c HOST and -R from the client show what the lines carry."
)
_CROWDED = N_("No fault was found: clients and OSDs share processors that are too few for them.")
"""Slower than published clusters of such parts, whose OSDs had processors of their own."""


def _nothing_wrong_of_study(evidence: StudyEvidence) -> Verdict:
    cells = [_cell(evidence, one.cell.name) for one in evidence.summaries.cells if ceph_cell(one.cell.conditions)]
    measured = [cell for cell in cells if any(waterfall_of(one) for one in cell.segments)]
    if not measured:
        return Unchecked(_("no cell on Ceph has the OSDs' counters beside it"))
    gentle = min(measured, key=lambda cell: (cell.conditions.in_flight, cell.conditions.block_bytes or 0))
    facts = [*_way(gentle), *_nothing_wrong_alike(measured), *_limit(measured)]
    if trouble := tuple(_trouble(evidence, measured)):
        return _unknown(gentle, (*trouble, *facts))
    if (waiting := _waiting(measured)) is not None:
        return replace(_unknown(gentle, (waiting, *facts)), try_next=_(LOOK_OUTSIDE))
    if unseen := _unseen(measured):
        return replace(_unknown(gentle, (*unseen, *facts)), try_next=_(_LOOK_THERE))
    fits = _fits(gentle)
    if fits is not None and not fits[0] and not _processors(measured):
        return _unknown(gentle, (fits[1], *facts))
    told = (*((fits[1],) if fits is not None else ()), *facts)
    return Finding(
        claim=_(_FITTING if fits is None or fits[0] else _CROWDED),
        because=told,
        cells=tuple(cell.cell.name for cell in measured),
        unless=_("something slows all of it alike that no counter shows, as power states do"),
        try_next=_("What other hardware would bring: radoscope predict STUDY --what-if 'fsync_latency_us = 50'"),
        role=Role.SOUND,
        resource="host CPU" if _processors(measured) else "",
    )


def _trouble(evidence: StudyEvidence, cells: list[CellEvidence]) -> Iterator[str]:
    """What contradicts that nothing is wrong, though no rule knows its cause."""
    failed = [one for one in evidence.study.segments if one.outcome is Outcome.FAILED]
    if failed:
        why = failed[0].problem or _("no reason given")
        yield _(
            "{failed} of {all} segments failed: {why}", failed=len(failed), all=len(evidence.study.segments), why=why
        )
    if not evidence.study.complete and (
        missing := [one for one in evidence.study.cells if _has_no_result(evidence, one)]
    ):
        yield _(
            "the study ended early: {n} of {all} cells have no result", n=len(missing), all=len(evidence.study.cells)
        )
    if any(cell.share_above(SLOW_OPS, 0) for cell in cells):
        yield _("Ceph reported slow operations")


def _has_no_result(evidence: StudyEvidence, cell: Cell) -> bool:
    return ceph_cell(cell.conditions) and not any(one.results for one in evidence.study.segments_of(cell.name))


def _waiting(cells: list[CellEvidence]) -> str | None:
    """Where I/Os are while nobody works at them, of the cell in which they are there for longest."""
    found = [(share.value, share, cell.cell.title) for cell in cells if (share := waiting_outside(cell)) is not None]
    if not found:
        return None
    _value, share, title = max(found, key=lambda one: one[0])
    return _(
        "{title}: {share} of an I/O's time passes between client and OSDs, while neither computes and no link is full",
        title=title,
        share=share,
    )


def _unseen(cells: list[CellEvidence]) -> tuple[str, ...]:
    """Of each large I/O that waits where nobody looks."""
    where = {True: N_("from OSD to OSD, beyond what replicas take"), False: N_("between client and OSDs")}
    return tuple(
        _(
            "{title}: {share} of an I/O's time passes {where}, and no counter that was recorded tells what it waits "
            "for",
            title=cell.cell.title,
            share=share,
            where=_(where[cell.conditions.op.writes]),
        )
        for cell in cells
        if (share := waiting_unseen(cell)) is not None
    )


def _unknown(gentle: CellEvidence, facts: tuple[str, ...]) -> Finding:
    return Finding(
        claim=_("Why it is not faster cannot be told from this study."),
        because=facts,
        cells=(gentle.cell.name,),
        try_next=_(
            "Measure below it: radoscope study --plan standard (disk with fsync, round trip), and --plan "
            "below-the-pool (one OSD alone)"
        ),
        role=Role.SOUND,
    )


def _cell(evidence: StudyEvidence, name: str) -> CellEvidence:
    return CellEvidence(evidence.study, evidence.study.cell(name), evidence.summaries.of(name), evidence.summaries)


def _fits(gentle: CellEvidence) -> tuple[bool, str] | None:
    """(whether it is within what its parts allow, in words), of one small I/O at a time; None for other cells."""
    asked = gentle.conditions
    known = [value for one in gentle.segments if (value := latency_s(one)) is not None]
    if asked.in_flight > 1 or (asked.block_bytes or 0) > 16 * 1024 or not known:
        return None
    kind, total = ("read" if asked.op.reads else "write"), statistics.fmean(known)
    trips, flush = (1 if asked.op.reads else 2), quickest_flush(gentle) or 0.0
    drives = _DRIVE_READ_S if asked.op.reads else FLUSHES_IN_A_WRITE * flush
    trip = gentle.round_trip_s()
    way = trips * (trip or 0.0)
    network = (
        _("this network ({way})", way=format_seconds(way)) if trip is not None else _("a network that was not measured")
    )
    low, high = (way + drives + each for each in _SOFTWARE_S[kind])
    words = _(
        "{what} {total}; drives like these ({drives}), {network} and Ceph's own work come to "
        "{low} to {high} on published clusters",
        what=_("one read takes") if asked.op.reads else _("one write takes"),
        total=format_seconds(total),
        drives=format_seconds(drives),
        network=network,
        low=format_seconds(low),
        high=format_seconds(high),
    )
    return total <= high, words


def _way(gentle: CellEvidence) -> Iterator[str]:
    found = [water for one in gentle.segments if (water := waterfall_of(one)) is not None]
    if found:
        parts = ", ".join(f"{_(part.name)} {_mean_share(found, part.name):.0%}" for part in found[0].parts)
        yield _("where its time goes: {parts}", parts=parts)


def _mean_share(found: list[Waterfall], name: str) -> float:
    return statistics.fmean(water.share(name) for water in found)


def _nothing_wrong_alike(cells: list[CellEvidence]) -> Iterator[str]:
    """The slowest OSD beside its peers, in the cell where they differ least by chance: the one with most operations."""
    worst = []
    for cell in cells:
        counter = OP_R_LATENCY if cell.conditions.op.reads else COMMIT_LAT
        pooled: dict[int, list[float]] = {}
        for one in cell.segments:
            for osd, value in of_each(one, counter).items():
                pooled.setdefault(osd, []).append(value)
        means = {osd: statistics.fmean(values) for osd, values in pooled.items()}
        if len(means) >= _FEW_PEERS:
            slowest = max(means, key=lambda osd: means[osd])
            others = median_of_others(means, slowest)
            worst.append(means[slowest] / others if others else 1.0)
    if worst:
        yield _(
            "its OSDs are alike: the slowest takes {worst:.2g} times as long as its peers",
            worst=statistics.median(worst),
        )


def _limit(cells: list[CellEvidence]) -> Iterator[str]:
    if _processors(cells):
        deep = max(cells, key=lambda cell: cell.conditions.in_flight)
        busy = deep.highest(HOST_CPU)
        shared = _(", which clients and OSDs share") if deep.on_one_host else ""
        if busy is not None:
            yield _(
                "its limit is the processors{shared}: {busy:.0%} busy in {title}",
                shared=shared,
                busy=busy.value,
                title=deep.cell.title,
            )


def _processors(cells: list[CellEvidence]) -> bool:
    busy = [reading.value for cell in cells if (reading := cell.highest(HOST_CPU)) is not None]
    on_ceph = [cell for cell in cells if ceph_cell(cell.conditions)]
    return bool(busy) and max(busy) >= _BUSY and on_ceph[0].on_one_host


NOTHING_WRONG_RULE = Rule(
    "nothing-wrong", "If no cause was found, is this what such hardware gives?", study=_nothing_wrong_of_study
)


# A text that shows Ceph's speed alone: what limits it stands in the layers below, and the text may not have them.

_FAR = 3.0
_NETWORK_TOOLS = frozenset({"iperf3", "iperf", "ping"})
_SOMEWHERE = frozenset({"fio", "dd", "sysbench", "table", "crystaldiskmark"})
"""Tools that people run at several places to compare them; hdparm and OSDs' benches compare drives."""
_PLACE = re.compile(
    r"\b(?:hosts?|hypervisor|guests?|vms?|pods?|containers?|lxc|local|native|bare|nodes?|pvcs?|volumes?|mount(?:ed)?|nfs|smb"
    r"|iscsi|k?rbd|cephfs|inside|outside|direct(?:ly)?|remote|physical|disks?|drives?)\b",
    re.IGNORECASE,
)
_CEPH_WORDS = re.compile(r"\b(?:ceph|rook|rados|k?rbd\d*)\b", re.IGNORECASE)
_NETWORK = N_("iperf3 -s on one host, iperf3 -c HOST and ping -c 100 HOST on the other")
_LOST = N_("ip -s -s link on both hosts before and after; ping -M do -s 8972 where frames are to be 9000 bytes")
_BELOW = N_(
    "the same command where the data lies: on the host, not in the guest or the pod; on the drive, not in the pool"
)
_OSDS = N_(
    "radoscope study --conf /etc/ceph/ceph.conf --plan quick, which reads the OSDs' own counters beside the load"
)


def _what_limits_of_result(evidence: ResultEvidence) -> Verdict:
    """Told once a text, so asked of its first result alone; the ranking drops it where there is a cause."""
    if evidence.number != 1:
        return None
    results = evidence.neighbours.results
    on_ceph = next(((one, number) for number, one in enumerate(results, start=1) if _is_ceph(one)), None)
    if on_ceph is None:
        return _slower_elsewhere(results)
    missing = []
    if not any(one.tool in _NETWORK_TOOLS for one in results):
        missing.append((_("the network's round trip and bandwidth"), _(_NETWORK)))
    if not any(_is_durable_write(one) for one in results):
        missing.append((_("a drive's synced 4K writes"), SYNCED_WRITES))
    missing.append((_("what the OSDs counted meanwhile"), _(_OSDS)))
    return _cannot_be_told(missing, result_name(*on_ceph))


def _slower_elsewhere(results: Sequence[Result]) -> Finding | None:
    """The same load at two places, one of them far behind, as a pod's volume is behind the host's own drive."""
    rates: dict[tuple[object, ...], list[tuple[float, int]]] = {}
    for number, one in enumerate(results, start=1):
        if one.tool in _SOMEWHERE and one.block_bytes and _speed(one) > 0 and not _is_of_no_place(one):
            rates.setdefault((*_load_words(one), _subject(one)), []).append((_speed(one), number))
    far = [alike for alike in rates.values() if max(alike)[0] >= _FAR * min(alike)[0]]
    if not far:
        return None
    slowest, number = min(far[0])
    own = results[number - 1]
    return Finding(
        claim=_("Why it is slower here than there cannot be told from this alone."),
        because=(
            _(
                "{own}: at one place {times:.0f} times as fast as at the other",
                own=load_of(own),
                times=max(far[0])[0] / slowest,
            ),
            _(
                "what lies between them is not in the text: the network's round trip and bandwidth, and the "
                "storage's own speed"
            ),
        ),
        cells=(result_name(own, number),),
        unless=_("both are the same place, and one was cached"),
        try_next=_(
            "{network}, by the addresses that the storage uses (of Ceph: ceph mon dump); then the same load on the "
            "storage's own host",
            network=_(_NETWORK),
        ),
        role=Role.SOUND,
    )


def untold(results: Sequence[Result]) -> Finding:
    """Of a text in which nothing explains anything: that it does not, and what to measure next. Signed."""
    network = [one.tool in _NETWORK_TOOLS for one in results]
    missing = []
    if all(network):
        missing.append((_("what each interface lost meanwhile"), _(_LOST)))
    else:
        missing.append((_("the same load one layer below"), _(_BELOW)))
        if not any(_is_durable_write(one) for one in results):
            missing.append((_("a drive's synced 4K writes"), SYNCED_WRITES))
    if not any(network):
        missing.append((_("the network's round trip and bandwidth"), _(_NETWORK)))
    return replace(_cannot_be_told(missing, result_name(results[0], 1)), rule=WHAT_LIMITS_RULE.name)


def _cannot_be_told(missing: Sequence[tuple[str, str]], cell: str) -> Finding:
    """missing: what the text does not have, and the command that measures it; the first is what to do next."""
    return Finding(
        claim=_("What limits it cannot be told from this alone."),
        because=(_("the text does not have: {facts}", facts=joined(what for what, _command in missing)),),
        cells=(cell,),
        try_next=missing[0][1],
        role=Role.SOUND,
    )


def _load_words(result: Result) -> tuple[object, ...]:
    """What ran, and in which quantity its speed is told."""
    load = (result.tool, result.op, result.block_bytes, result.queue_depth, result.jobs)
    return *load, result.extra.get("label"), result.iops is None


def _is_of_no_place(result: Result) -> bool:
    """A sentence compares what it likes: "from 39 GiB/s with 4 nodes to 113 GiB/s with 12"."""
    words = f"{result.extra.get('label') or ''} {result.extra.get('section') or ''}"
    return bool(result.extra.get("said")) and not _PLACE.search(words)


def _subject(result: Result) -> str | None:
    """The heading of a table that compares no places, but releases, say; None for all others."""
    section = str(result.extra.get("section") or "")
    return section if result.tool == "table" and not _PLACE.search(section) else None


def _speed(result: Result) -> float:
    return result.iops or result.bandwidth_bytes_per_s or 0.0


def _is_ceph(result: Result) -> bool:
    options = result.extra.get("options")
    engine = options.get("ioengine") if isinstance(options, dict) else result.extra.get("ioengine")
    if result.tool in ("rados-bench", "rbd-bench") or str(engine).lower() in ("rbd", "rados"):
        return True
    filename = options.get("filename") if isinstance(options, dict) else None
    named = (result.extra.get("label"), result.extra.get("section"), filename)
    return result.iops is not None and any(_CEPH_WORDS.search(str(each)) for each in named if each)


def _is_durable_write(result: Result) -> bool:
    return result.tool == "fio" and not _is_ceph(result) and result.sync is not None


WHAT_LIMITS_RULE = Rule("what-limits", "Does the text show what limits Ceph's speed?", result=_what_limits_of_result)


# How a result ranks among published ones of the same load.

_OPS = {
    Operation.READ: "seq_read",
    Operation.WRITE: "seq_write",
    Operation.RANDREAD: "rand_read",
    Operation.RANDWRITE: "rand_write",
}
_LARGE = 2**20
_LEAST = 5
_DEPTH_FACTOR = 2.0
"""Depths within a factor of two count as the same load."""


def _published_of_result(evidence: ResultEvidence) -> Verdict:
    result, iops = evidence.result, evidence.result.iops
    if not evidence.on_ceph or not iops or evidence.in_flight is None:
        return None
    alike = _published_alike(evidence)
    if len(alike) < _LEAST:
        return None
    rates = sorted(other.iops or 0.0 for other in alike)
    below = sum(rate < iops for rate in rates)
    nearest = min(alike, key=lambda other: abs((other.iops or 0.0) - iops))
    return Finding(
        claim=_("This result compared with published results of the same load:"),
        because=(
            _(
                "{result}: {iops} IOPS, faster than {below} of {n} ({low} to {high}, median {median}, from "
                "{alike} sources); nearest to {nearest}",
                result=load_of(result),
                iops=format_count(iops),
                below=below,
                n=len(alike),
                low=format_count(rates[0]),
                high=format_count(rates[-1]),
                median=format_count(statistics.median(rates)),
                alike=_sources(alike),
                nearest=_describe(nearest),
            ),
        ),
        unless=_("the cluster is much larger or smaller than those published"),
        try_next=_(
            "radoscope catalogue results lists them; radoscope predict says what your own hardware should give."
        ),
    )


def _published_alike(evidence: ResultEvidence) -> list[Published]:
    """The same kind of I/O, the same block size, about as much in flight. Large blocks are alike in any order."""
    operation, block, depth = evidence.operation, evidence.result.block_bytes, evidence.in_flight
    wanted = _OPS.get(operation) if operation else None
    if operation is None or wanted is None or not block or not depth:
        return []
    if block >= _LARGE:
        wanted = "seq_read" if operation.reads else "seq_write"
    plain = (other for other in evidence.neighbours.published_of(wanted, block) if not other.fields.get("variant"))
    return [other for other in plain if other.iops and _is_near(other, depth)]


def _is_near(other: Published, depth: int) -> bool:
    known = other.fields.get("queue_depth")
    in_flight = float(known * (other.fields.get("clients") or 1)) if known else 0.0
    return depth / _DEPTH_FACTOR <= in_flight <= depth * _DEPTH_FACTOR


def _describe(published: Published) -> str:
    """ "Proxmox VE Ceph Benchmark 2018/02 (3 nodes, 12 OSDs, sata_ssd)"."""
    row = published.fields
    facts = [ngettext("{number} node", "{number} nodes", row["nodes"]) if row.get("nodes") else ""]
    if row.get("nodes") and row.get("osds_per_node"):
        facts.append(f"{row['nodes'] * row['osds_per_node']:.0f} OSDs")
    facts.append(str(row.get("osd_device_class") or ""))
    known = ", ".join(fact for fact in facts if fact)
    return f"{row.get('source_title', '')} ({known})" if known else str(row.get("source_title", ""))


def _sources(results: Sequence[Published]) -> int:
    return len({result.fields.get("source_id") for result in results})


PUBLISHED_RULE = Rule("published-results", "How does it compare with published results?", result=_published_of_result)
