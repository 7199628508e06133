"""The first thing to read: what the cluster achieves, which layer costs most, how certain; the figures people quote."""

from __future__ import annotations

import re
from collections import Counter

from radoscope.explain.finding import Role
from radoscope.records.conditions import Layer
from radoscope.report.material import NO_NUMBER, Mark, Material, Section, Values
from radoscope.report.numbers import Figure, figure, iops, megabytes, milliseconds, percent
from radoscope.report.sections.ladder import build_ladder, step_title
from radoscope.report.sections.response import sentences
from radoscope.report.words import LAYER_TITLES, asked_words, counted, listed
from radoscope.stats.ladder import Costliest, Ladder, costliest, io_latency
from radoscope.stats.pick import deepest, large, one_at_a_time
from radoscope.stats.response import response_curves
from radoscope.stats.values import CellSummary, Estimate, Undecided
from radoscope.units import format_block

_ANSWERS = (Role.CAUSE, Role.ARTEFACT, Role.SOUND)
TOP_DOWN = (Layer.RBD, Layer.RADOS, Layer.DISK)


def write_verdict(material: Material) -> tuple[str, str, str]:
    """Three sentences, each true on its own; where evidence is missing the sentence says so."""
    if material.face.verdict is not None:
        return material.face.verdict(material)
    return what_it_does(material), the_answer(material), how_sure(material)


def the_answer(material: Material) -> str:
    """Why it is not faster: the first finding, where it is an answer; else which layer costs most."""
    first = next(iter(material.findings), None)
    if first is None or first.role not in _ANSWERS:
        return which_layer_costs(build_ladder(material, writes=True))
    if first.explains is None:
        return first.claim
    claim, share = first.claim.rstrip("."), first.explains
    return f"{claim}: it explains {share} where it weighs most; without it up to {share.gain:.1f} times as much there."


def main_layer(material: Material) -> Layer | None:
    """The highest layer that has a usable cell: what clients of the cluster see."""
    for layer in TOP_DOWN:
        cells = [s for s in material.summaries.cells if s.cell.conditions.layer is layer]
        if any(material.stamp(s).mark not in NO_NUMBER for s in cells):
            return layer
    return None


def what_it_does(material: Material) -> str:
    """4K QD1 write latency and IOPS, deep writes, MB/s; of the highest layer that was measured."""
    layer = main_layer(material)
    if layer is None:
        return "Nothing was measured that could be judged."
    parts = [*_single_write(material, layer), *_deep_write(material, layer), *_large_blocks(material, layer)]
    subject = {Layer.RBD: "Through RBD this cluster", Layer.RADOS: "Through RADOS this cluster"}
    if not parts and (found := sentences(response_curves(material.study, material.summaries))):
        return " ".join(found)
    if not parts and (best := _fastest(material, layer)):
        return f"{LAYER_TITLES[layer]} reached {best}."
    if not parts:
        return f"{LAYER_TITLES[layer]} was measured, but no cell gave a number."
    return f"{subject.get(layer, 'The disk (no cluster was measured)')} {_clauses(parts)}."


def which_layer_costs(ladder: Ladder) -> str:
    """As strongly as the intervals allow: "takes most" only when no other step comes near."""
    missing = tuple(LAYER_TITLES[s.layer] for s in ladder.steps if s.missing)
    most = costliest(ladder)
    if most is None or ladder.total is None:
        gap = f": {listed(missing)} {'is' if len(missing) == 1 else 'are'} missing" if missing else ""
        return f"This study cannot tell which layer costs most{gap}."
    assert most.step.lost is not None
    cost = f"{milliseconds(most.step.lost.value)} of {milliseconds(ladder.peak_s)} ms ({percent(most.share)})"
    doubt = f"; this rests on a doubtful cell ({most.step.doubtful})" if most.step.doubtful else ""
    if not most.certain:
        rival = _rival_words(most)
        return f"Of one 4K write the largest part seems to be {_step_words(most.step.covers)}: {cost}{rival}{doubt}."
    return f"Of one 4K write, {_step_words(most.step.covers)} takes the largest part: {cost}{doubt}."


def how_sure(material: Material) -> str:
    """How many cells are within the asked precision, what is doubtful, and what kind of place it was."""
    marks = Counter(material.stamp(s).mark for s in material.summaries.cells)
    total = len(material.summaries.cells)
    if not total:
        return "There are no cells in this study."
    asked = asked_words(material.summaries.precision)
    good = f"{marks[Mark.OK]} of {counted(total, 'cell')} reached {asked} and passed all checks"
    others = [
        f"{marks[mark]} {mark}"
        for mark in (Mark.UNDECIDED, Mark.DOUBTFUL, Mark.INVALID, Mark.FAILED, Mark.WITHHELD)
        if marks[mark]
    ]
    rest = f"; {listed(tuple(others))}" if others else ""
    caveats = [*_place_caveat(material), *_drift_caveat(material)]
    if not material.study.complete:
        caveats.append("the study was interrupted")
    tail = f"; {'; '.join(caveats)}" if caveats else ""
    return f"{good}{rest}{tail}."


def headline_figures(material: Material) -> tuple[tuple[str, str, Figure], ...]:
    """Label, unit and figure of the numbers that people quote, of the highest layer measured."""
    layer = main_layer(material)
    if layer is None or not material.face.headline:
        return ()
    prefix = LAYER_TITLES[layer]
    single = _usable(material, one_at_a_time(material.summaries, layer, writes=True))
    rows: list[tuple[str, str, Figure]] = []
    if single is not None:
        rows.append((f"{prefix} 4K write, QD1", "ms", figure(io_latency(single), milliseconds, "ms")))
        rows.append((f"{prefix} 4K write, QD1", "IOPS", figure(single.iops, iops, "IOPS")))
    for writes in (True, False):
        deep = _usable(material, deepest(material.summaries, layer, writes=writes))
        if deep is not None:
            label = f"{prefix} 4K {_verb(writes)}, QD{deep.cell.conditions.in_flight}"
            rows.append((label, "IOPS", figure(deep.iops, iops, "IOPS")))
    for writes in (True, False):
        big = _usable(material, large(material.summaries, layer, writes=writes))
        if big is not None:
            block = format_block(big.cell.conditions.block_bytes or 0)
            label = f"{prefix} {block} {_verb(writes)}"
            rows.append((label, "MB/s", figure(big.bandwidth_bytes_per_s, megabytes, "MB/s")))
    return tuple(row for row in rows if row[2].known)


def _single_write(material: Material, layer: Layer) -> list[str]:
    cell = _usable(material, one_at_a_time(material.summaries, layer, writes=True))
    if cell is None:
        return []
    latency, rate = figure(io_latency(cell), milliseconds, "ms"), figure(cell.iops, iops, "IOPS")
    if latency.known and rate.known:
        return [f"answers one 4K write in {latency.text} ms on average ({rate.with_spread} IOPS)"]
    return [f"does {rate.with_spread} IOPS of single 4K writes"] if rate.known else []


def _deep_write(material: Material, layer: Layer) -> list[str]:
    cell = _usable(material, deepest(material.summaries, layer, writes=True))
    rate = figure(cell.iops if cell else None, iops, "IOPS")
    if cell is None or not rate.known:
        return []
    return [f"reaches {rate.with_spread} write IOPS with {cell.cell.conditions.in_flight} in flight"]


def _large_blocks(material: Material, layer: Layer) -> list[str]:
    speeds = []
    for writes, verb in ((True, "writes"), (False, "reads")):
        cell = _usable(material, large(material.summaries, layer, writes=writes))
        if cell is not None and isinstance(cell.bandwidth_bytes_per_s, Estimate):
            speeds.append(f"{verb} {megabytes(cell.bandwidth_bytes_per_s.value)} MB/s")
    return [f"in large blocks {' and '.join(speeds)}"] if speeds else []


def _fastest(material: Material, layer: Layer) -> str:
    """The cell with the most IOPS, for a study without any of those that are quoted."""
    known = [
        (summary.iops.value, figure(summary.iops, iops, "IOPS").with_spread, summary.cell.title)
        for summary in material.summaries.cells
        if summary.cell.conditions.layer is layer and isinstance(summary.iops, Estimate)
        if material.stamp(summary).mark not in NO_NUMBER
    ]
    if not known:
        return ""
    _, rate, title = max(known)
    return f"{rate} IOPS at most: {title}"


def _rival_words(most: Costliest) -> str:
    """Why the largest step may not be the largest."""
    if most.rival.lost is None or most.step.lost is None:
        return ""
    if isinstance(most.step.lost.interval, Undecided) or isinstance(most.rival.lost.interval, Undecided):
        return f", but without intervals nothing separates it from {step_title(most.rival)}"
    return f", but the intervals do not separate it from {step_title(most.rival)}"


def _step_words(covers: tuple[Layer, ...]) -> str:
    alone = {
        Layer.DISK: "the disk's durable write",
        Layer.NETWORK: "the network",
        Layer.RADOS: "the work of the OSDs (RADOS beyond disk and network)",
        Layer.RBD: "RBD on top of RADOS",
    }
    if len(covers) == 1:
        return alone[covers[0]]
    return f"{listed(tuple(LAYER_TITLES[layer] for layer in covers))} together"


def _place_caveat(material: Material) -> list[str]:
    if material.study.sandbox is None:
        return []
    return [
        "the cluster is a sandbox on one machine, so its numbers compare with each other and not with real hardware"
    ]


def _drift_caveat(material: Material) -> list[str]:
    drift = material.summaries.host_drift
    if drift is None or isinstance(drift, Undecided):
        return []
    return [f"the host's own speed varied by {percent(abs(drift.value))} (one standard deviation) meanwhile"]


def _usable(material: Material, summary: CellSummary | None) -> CellSummary | None:
    if summary is None or material.stamp(summary).mark in NO_NUMBER:
        return None
    return summary


def _clauses(parts: list[str]) -> str:
    """Clauses that hold an "and" themselves, so that the last one needs a comma before its own."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}, and {parts[-1]}"


def _verb(writes: bool) -> str:
    return "write" if writes else "read"


def prepare(material: Material) -> Values:
    sentences = tuple(unbroken(sentence) for sentence in write_verdict(material))
    return {"sentences": sentences, "figures": headline_figures(material)}


def unbroken(sentence: str) -> str:
    """No line ends between a number and its unit."""
    return re.sub(r"(?<=[\d?]) (?=%|ms|IOPS|MB/s)", "\N{NO-BREAK SPACE}", sentence)


SECTION = Section("verdict", prepare)
