"""Nothing is wrong: the answer where no cause was found, with the comparison that shows it. Or: what to measure next.

The ranking leaves it out as soon as there is a cause.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from radoscope.explain.drives import FLUSHES_IN_A_WRITE, quickest_flush
from radoscope.explain.evidence import CellEvidence, StudyEvidence
from radoscope.explain.finding import Finding, Role
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell
from radoscope.explain.times import Waterfall, latency_s, median_of_others, of_each, waterfall_of
from radoscope.records.conditions import Layer
from radoscope.records.study import Outcome
from radoscope.records.telemetry import COMMIT_LAT, HOST_CPU, OP_R_LATENCY, SLOW_OPS
from radoscope.units import format_seconds

_SOFTWARE_S = {"write": (0.25e-3, 1.3e-3), "read": (0.1e-3, 0.65e-3)}
"""What client and OSDs take of one I/O beyond drives and round trips, by releases, clocks and power states that were
published (docs/model.md: 0.43 and 0.19 ms at 3 GHz, within a factor of 1.7, up to 1.5 times that with power states)."""
_DRIVE_READ_S = 100e-6
_BUSY = 0.75
_FEW_PEERS = 3


def check_study(evidence: StudyEvidence) -> Verdict:
    cells = [_cell(evidence, one.cell.name) for one in evidence.summaries.cells if ceph_cell(one.cell.conditions)]
    measured = [cell for cell in cells if any(waterfall_of(one) for one in cell.segments)]
    if not measured:
        return Unchecked("no cell on Ceph has the OSDs' counters beside it")
    gentle = min(measured, key=lambda cell: (cell.conditions.in_flight, cell.conditions.block_bytes or 0))
    facts = [*_way(gentle), *_alike(measured), *_limit(measured)]
    if trouble := tuple(_trouble(evidence, measured)):
        return _unknown(gentle, (*trouble, *facts))
    fits = _fits(gentle)
    if fits is not None and not fits[0] and not _processors(measured):
        return _unknown(gentle, (fits[1], *facts))
    told = (*((fits[1],) if fits is not None else ()), *facts)
    return Finding(
        rule=RULE.name,
        claim="Nothing is wrong with it: this is what such hardware gives.",
        because=told,
        cells=tuple(cell.cell.name for cell in measured),
        unless="something slows all of it alike that no counter shows, as power states do",
        try_next="What other hardware would bring: radoscope predict STUDY --what-if 'fsync_latency_us = 50'",
        role=Role.SOUND,
    )


def _trouble(evidence: StudyEvidence, cells: list[CellEvidence]) -> Iterator[str]:
    """What contradicts that nothing is wrong, though no rule knows its cause."""
    failed = [one for one in evidence.study.segments if one.outcome is Outcome.FAILED]
    if failed:
        why = failed[0].problem or "no reason given"
        yield f"{len(failed)} of {len(evidence.study.segments)} segments failed: {why}"
    if any(cell.share_above(SLOW_OPS, 0) for cell in cells):
        yield "Ceph reported slow operations"


def _unknown(gentle: CellEvidence, facts: tuple[str, ...]) -> Finding:
    return Finding(
        rule=RULE.name,
        claim="Why it is not faster cannot be told from this study.",
        because=facts,
        cells=(gentle.cell.name,),
        try_next="Measure below it: radoscope study --plan standard (disk with fsync, round trip), and "
        "--plan below-the-pool (one OSD alone)",
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
    network = f"this network ({format_seconds(way)})" if trip is not None else "a network that was not measured"
    low, high = (way + drives + each for each in _SOFTWARE_S[kind])
    words = (
        f"one {kind} takes {format_seconds(total)}; drives like these ({format_seconds(drives)}), {network} and Ceph's "
        f"own work come to {format_seconds(low)} to {format_seconds(high)} on published clusters"
    )
    return total <= high, words


def _way(gentle: CellEvidence) -> Iterator[str]:
    found = [water for one in gentle.segments if (water := waterfall_of(one)) is not None]
    if found:
        parts = ", ".join(f"{part.name} {_mean_share(found, part.name):.0%}" for part in found[0].parts)
        yield f"where its time goes: {parts}"


def _mean_share(found: list[Waterfall], name: str) -> float:
    return statistics.fmean(water.share(name) for water in found)


def _alike(cells: list[CellEvidence]) -> Iterator[str]:
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
        yield f"its OSDs are alike: the slowest takes {statistics.median(worst):.2g} times as long as its peers"


def _limit(cells: list[CellEvidence]) -> Iterator[str]:
    if _processors(cells):
        deep = max(cells, key=lambda cell: cell.conditions.in_flight)
        busy = deep.highest(HOST_CPU)
        shared = ", which clients and OSDs share" if deep.on_one_host else ""
        if busy is not None:
            yield f"its limit is the processors{shared}: {busy.value:.0%} busy in {deep.cell.title}"


def _processors(cells: list[CellEvidence]) -> bool:
    busy = [reading.value for cell in cells if (reading := cell.highest(HOST_CPU)) is not None]
    on_ceph = [cell for cell in cells if cell.conditions.layer in (Layer.RADOS, Layer.RBD)]
    return bool(busy) and max(busy) >= _BUSY and on_ceph[0].on_one_host


RULE = Rule(
    name="nothing-wrong",
    question="If no cause was found, is this what such hardware gives?",
    study=check_study,
)
