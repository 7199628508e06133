"""The first thing to read: what the cluster achieves, which layer costs most, how certain; the figures people quote."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.gains import gain_in, times
from radoscope.records.conditions import Layer
from radoscope.report.material import NO_NUMBER, Mark, Material, Section, Values
from radoscope.report.numbers import Figure, figure, iops, megabytes, milliseconds, percent
from radoscope.report.sections.ladder import build_ladder, step_title
from radoscope.report.sections.response import sentences
from radoscope.report.words import asked_words, layer_title
from radoscope.stats.enough import MOST_ROUNDS, RUNGS, seconds_to
from radoscope.stats.ladder import Costliest, Ladder, costliest, io_latency
from radoscope.stats.pick import quoted
from radoscope.stats.response import response_curves
from radoscope.stats.summarise import shared_prior
from radoscope.stats.values import CellSummary, Estimate, Undecided
from radoscope.units import format_block
from radoscope.words import N_, _, joined, listed, ngettext, unended

_ANSWERS = (Role.CAUSE, Role.ARTEFACT, Role.SOUND)
TOP_DOWN = (Layer.RBD, Layer.CEPHFS, Layer.S3, Layer.RADOS, Layer.DISK)


def write_verdict(material: Material) -> tuple[str, str, str]:
    """Three sentences, each true on its own; where evidence is missing the sentence says so."""
    if material.face.verdict is not None:
        return material.face.verdict(material)
    return what_it_does(material), the_answer(material), how_sure(material)


def the_answer(material: Material) -> str:
    """Why it is not faster: the first finding, where it is an answer; else which layer costs most."""
    first = next((finding for finding in material.findings if not _doubts_few(finding, material)), None)
    if first is None or first.role not in _ANSWERS or first.is_small:
        return which_layer_costs(build_ladder(material, writes=True))
    if first.explains is None:
        return first.claim
    claim, share = unended(first.claim), first.explains
    cells = first.cells or tuple(cell.name for cell in material.study.cells)
    gain = gain_in(material.study, cells, share)
    if first.at_most:
        bound = N_("{claim}: it explains at most {share} where it weighs most; without it up to {gain} times as much.")
        return _(bound, claim=claim, share=share, gain=times(gain.value))
    known = N_(
        "{claim}: it explains {share} where it weighs most; without it about {gain} times as much there "
        "({low} to {high})."
    )
    return _(known, claim=claim, share=share, gain=times(gain.value), low=times(gain.low), high=times(gain.high))


def _doubts_few(finding: Finding, material: Material) -> bool:
    """Whether it makes some numbers doubtful, and most of them not: the third sentence counts those."""
    doubts = finding.role is Role.ARTEFACT and finding.severity is Severity.DOUBTFUL
    return doubts and 0 < 2 * len(finding.cells) < len(material.summaries.cells)


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
        return _("Nothing was measured that could be judged.")
    single, deep, _deep_read, *big = _quoted(material, layer)
    parts = [*_single_write(single), *_deep_write(deep), *_large_blocks(big)]
    subject = {
        Layer.RBD: _("Through RBD this cluster"),
        Layer.CEPHFS: _("Through CephFS this cluster"),
        Layer.S3: _("Through S3 this cluster"),
        Layer.RADOS: _("Through RADOS this cluster"),
    }
    if not parts and (found := sentences(response_curves(material.study, material.summaries))):
        return " ".join(found)
    if not parts and (best := _fastest(material, layer)):
        return _("{layer} reached {best}.", layer=layer_title(layer), best=best)
    if not parts:
        return _("{layer} was measured, but no cell gave a number.", layer=layer_title(layer))
    who = subject.get(layer, _("The disk (no cluster was measured)"))
    return _("{who} {what}.", who=who, what=_clauses(parts))


def which_layer_costs(ladder: Ladder) -> str:
    """As strongly as the intervals allow: "takes most" only when no other step comes near."""
    missing = tuple(layer_title(s.layer) for s in ladder.steps if s.missing)
    most = costliest(ladder)
    if most is None or ladder.total is None:
        if len(missing) == len(ladder.steps):
            return _("Which layer costs most is not known: the latency of a single I/O was not measured.")
        if not missing:
            return _("This study cannot tell which layer costs most.")
        return ngettext(
            "This study cannot tell which layer costs most: {layers} is missing.",
            "This study cannot tell which layer costs most: {layers} are missing.",
            len(missing),
            layers=listed(missing),
        )
    assert most.step.lost is not None
    cost = _(
        "{lost} of {whole} ms ({share})",
        lost=milliseconds(most.step.lost.value),
        whole=milliseconds(ladder.peak_s),
        share=percent(most.share),
    )
    doubt = _("; this rests on a doubtful cell ({doubtful})", doubtful=most.step.doubtful) if most.step.doubtful else ""
    if not most.certain:
        rival = _rival_words(most)
        return _(
            "Of one 4K write the largest part seems to be {covers}: {cost}{rival}{doubt}.",
            covers=_step_words(most.step.covers),
            cost=cost,
            rival=rival,
            doubt=doubt,
        )
    return _(
        "Of one 4K write, {covers} takes the largest part: {cost}{doubt}.",
        covers=_step_words(most.step.covers),
        cost=cost,
        doubt=doubt,
    )


def how_sure(material: Material) -> str:
    """How many cells are within the asked precision, what is doubtful, and what kind of place it was."""
    marks = Counter(material.stamp(s).mark for s in material.summaries.cells)
    total = len(material.summaries.cells)
    if not total:
        return _("There are no cells in this study.")
    asked = asked_words(material.study.precision)
    good = _(
        "{good} of {cells} reached {asked} and passed all checks",
        good=marks[Mark.OK],
        cells=ngettext("{number} cell", "{number} cells", total),
        asked=asked,
    )
    others = [
        f"{marks[mark]} {_(mark.value)}{_widest(material) if mark is Mark.WIDE else ''}"
        for mark in (Mark.WIDE, Mark.DOUBTFUL, Mark.INVALID, Mark.FAILED, Mark.WITHHELD)
        if marks[mark]
    ]
    caveats = [*_place_caveat(material), *_drift_caveat(material)]
    if not material.study.complete:
        caveats.append(_("the study was interrupted"))
    return _("{facts}.", facts=joined([good, *([listed(tuple(others))] if others else []), *caveats]))


def headline_figures(material: Material) -> tuple[tuple[str, str, Figure], ...]:
    """Label, unit and figure of the numbers that people quote, of the highest layer measured."""
    layer = main_layer(material)
    if layer is None or not material.face.headline:
        return ()
    prefix = layer_title(layer)
    single, *others = _quoted(material, layer)
    rows: list[tuple[str, str, Figure]] = []
    if single is not None:
        label = f"{prefix} {_verb(True, '4K')}, QD1"
        rows.append((label, "ms", figure(io_latency(single), milliseconds, "ms")))
        rows.append((label, "IOPS", figure(single.iops, iops, "IOPS")))
    for writes, deep in zip((True, False), others[:2], strict=True):
        if deep is not None:
            label = f"{prefix} {_verb(writes, '4K')}, QD{deep.cell.conditions.in_flight}"
            rows.append((label, "IOPS", figure(deep.iops, iops, "IOPS")))
    for writes, big in zip((True, False), others[2:], strict=True):
        if big is not None:
            block = format_block(big.cell.conditions.block_bytes or 0)
            label = f"{prefix} {_verb(writes, block)}"
            rows.append((label, "MB/s", figure(big.bandwidth_bytes_per_s, megabytes, "MB/s")))
    return tuple(row for row in rows if row[2].known)


def more_time(material: Material) -> str:
    """What more time would bring for the figures that people quote; empty where it would bring nothing, or they are
    not known so."""
    layer, study = main_layer(material), material.study
    if layer is None or not study.can_go_on or not material.face.headline:
        return ""
    cells = [summary.cell.name for summary in _quoted(material, layer) if summary is not None]
    segments, prior = study.segments_of, shared_prior(study.cells, study.segments_of)
    for precision in RUNGS:
        seconds = [seconds_to(segments(name), precision, prior) for name in cells]
        known = [one for one in seconds if one is not None]
        if len(known) < len(cells):
            return ""
        if total := math.fsum(known):
            # A cluster must be prepared again, too.
            budget = format_budget(total + max(0.0, study.seconds - math.fsum(one.seconds for one in study.segments)))
            return _(
                "{precision} for the headline figures: about {time} more, {command}",
                precision=asked_words(precision),
                time=budget,
                command=f"radoscope study --resume {study.id} --budget {budget}",
            )
    return ""


def format_budget(seconds: float) -> str:
    """As --budget takes it, rounded up: "40s", "7m", "2h"."""
    if seconds <= 90:
        return f"{max(10, math.ceil(seconds / 10) * 10)}s"
    return f"{math.ceil(seconds / 60)}m" if seconds <= 2 * 3600 else f"{math.ceil(seconds / 3600)}h"


def _quoted(material: Material, layer: Layer) -> tuple[CellSummary | None, ...]:
    """Those of `quoted` whose stamp allows a number."""
    found = quoted(material.summaries, layer)
    return tuple(None if one is None or material.stamp(one).mark in NO_NUMBER else one for one in found)


def _widest(material: Material) -> str:
    """Of the cells that are wider than was asked: " (up to ±13 %)"."""
    judged = [s.judged for s in material.summaries.cells if material.stamp(s).mark is Mark.WIDE]
    widths = [one.relative_half_width for one in judged if isinstance(one, Estimate)]
    known = [width for width in widths if width is not None]
    if not known or len(known) < len(judged):
        return ""
    return _(" (up to {width})", width=f"±{percent(max(known))}")


def _single_write(cell: CellSummary | None) -> list[str]:
    if cell is None:
        return []
    latency, rate = figure(io_latency(cell), milliseconds, "ms"), figure(cell.iops, iops, "IOPS")
    if latency.known and rate.known:
        return [
            _(
                "answers one 4K write in {latency} ms on average ({rate} IOPS)",
                latency=latency.text,
                rate=rate.with_spread,
            )
        ]
    return [_("does {rate} IOPS of single 4K writes", rate=rate.with_spread)] if rate.known else []


def _deep_write(cell: CellSummary | None) -> list[str]:
    rate = figure(cell.iops if cell else None, iops, "IOPS")
    if cell is None or not rate.known:
        return []
    return [
        _(
            "reaches {rate} write IOPS with {in_flight} in flight",
            rate=rate.with_spread,
            in_flight=cell.cell.conditions.in_flight,
        )
    ]


def _large_blocks(cells: Sequence[CellSummary | None]) -> list[str]:
    speeds = []
    for writes, cell in zip((True, False), cells, strict=True):
        if cell is not None and isinstance(cell.bandwidth_bytes_per_s, Estimate):
            rate = megabytes(cell.bandwidth_bytes_per_s.value)
            speeds.append(_("writes {rate} MB/s", rate=rate) if writes else _("reads {rate} MB/s", rate=rate))
    return [_("in large blocks {speeds}", speeds=listed(tuple(speeds)))] if speeds else []


def _fastest(material: Material, layer: Layer) -> str:
    """The cell with the most IOPS, or else the most MB/s, for a study without any of those that are quoted."""
    cells = [
        summary
        for summary in material.summaries.cells
        if summary.cell.conditions.layer is layer and material.stamp(summary).mark not in NO_NUMBER
    ]
    rates = [(each.iops.value, each) for each in cells if isinstance(each.iops, Estimate)]
    if rates:
        _most, best = max(rates, key=lambda pair: pair[0])
        rate = figure(best.iops, iops, "IOPS").with_spread
        return _("{rate} IOPS at most: {title}", rate=rate, title=best.cell.title)
    moved = [
        (each.bandwidth_bytes_per_s.value, each) for each in cells if isinstance(each.bandwidth_bytes_per_s, Estimate)
    ]
    if moved:
        most, best = max(moved, key=lambda pair: pair[0])
        return _("{rate} MB/s at most: {title}", rate=megabytes(most), title=best.cell.title)
    return ""


def _rival_words(most: Costliest) -> str:
    """Why the largest step may not be the largest."""
    if most.rival.lost is None or most.step.lost is None:
        return ""
    if isinstance(most.step.lost.interval, Undecided) or isinstance(most.rival.lost.interval, Undecided):
        return _(", but without intervals nothing separates it from {rival}", rival=step_title(most.rival))
    near = _(", but the intervals do not separate it from {rival}", rival=step_title(most.rival))
    if most.contradicted:
        words = N_(", but it was larger than {rival} in only {won} of {rounds} rounds")
        near = _(words, rival=step_title(most.rival), won=most.won, rounds=most.rounds)
    if most.rounds_more >= MOST_ROUNDS:
        return near
    return near + ngettext(
        "; about {number} more round would tell", "; about {number} more rounds would tell", most.rounds_more
    )


def _step_words(covers: tuple[Layer, ...]) -> str:
    alone = {
        Layer.DISK: _("the disk's durable write"),
        Layer.OSD: _("the OSD's store on top of the disk"),
        Layer.NETWORK: _("the network"),
        Layer.RADOS: _("the work of the OSDs (RADOS beyond disk and network)"),
        Layer.RBD: _("RBD on top of RADOS"),
        Layer.QEMU: _("QEMU's block layer on top of RBD"),
        Layer.GUEST: _("the way into the guest (QEMU, virtio, the guest's kernel)"),
        Layer.CEPHFS: _("the CephFS client (FUSE, ceph-fuse) on top of RADOS"),
    }
    if len(covers) == 1:
        return alone[covers[0]]
    return _("{layers} together", layers=listed(tuple(layer_title(layer) for layer in covers)))


def _place_caveat(material: Material) -> list[str]:
    if material.study.sandbox is None:
        return []
    return [
        _("the cluster is a sandbox on one machine, so its numbers compare with each other and not with real hardware")
    ]


def _drift_caveat(material: Material) -> list[str]:
    drift = material.summaries.host_drift
    if drift is None or isinstance(drift, Undecided):
        return []
    return [
        _("the host's own speed varied by {drift} (one standard deviation) meanwhile", drift=percent(abs(drift.value)))
    ]


def _clauses(parts: list[str]) -> str:
    """Clauses that hold an "and" themselves, so that the last one needs a comma before its own."""
    return parts[0] if len(parts) == 1 else _("{several}, and {last}", several=_(", ").join(parts[:-1]), last=parts[-1])


def _verb(writes: bool, block: str) -> str:
    return _("{block} write", block=block) if writes else _("{block} read", block=block)


def prepare(material: Material) -> Values:
    sentences = tuple(unbroken(sentence) for sentence in write_verdict(material))
    return {"sentences": sentences, "figures": headline_figures(material), "more_time": more_time(material)}


def unbroken(sentence: str) -> str:
    """No line ends between a number and its unit."""
    return re.sub(r"(?<=[\d?]) (?=%|ms|IOPS|MB/s)", "\N{NO-BREAK SPACE}", sentence)


SECTION = Section("verdict", prepare, title=N_("Verdict"), nothing=N_("Nothing was measured."))
