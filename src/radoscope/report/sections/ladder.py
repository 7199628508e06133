"""The ladder: what each layer adds, without numbers that a stamp forbids, and what limits the picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from radoscope.records.conditions import Layer
from radoscope.report.charts.bars import Bar as LargeBar
from radoscope.report.charts.bars import Group, draw_bars
from radoscope.report.charts.waterfall import Bar, draw_waterfall
from radoscope.report.material import NO_NUMBER, Mark, Material, Picture, Section, Values
from radoscope.report.numbers import figure, iops, megabytes, milliseconds, percent
from radoscope.report.words import layer_title, load_words
from radoscope.stats.ladder import Ladder, LadderStep, Rung, climb, costliest, layers_of, round_trips, rungs_of, ways_of
from radoscope.stats.pick import deepest, large, one_at_a_time
from radoscope.stats.values import CellSummary, Estimate, Interval, Undecided
from radoscope.words import N_, _, joined, listed, ngettext


def build_ladder(material: Material, *, writes: bool, way: Sequence[Layer] | None = None) -> Ladder:
    """The ladder of one 4K I/O in flight (stats.ladder.climb), by default the first of its ways."""
    trips = round_trips(material.study.environment, writes=writes)
    rungs = [
        _stamped(material, rung, writes=writes)
        for rung in rungs_of(material.summaries, material.study.environment, writes=writes, way=way)
    ]
    ladder = climb(rungs, trips, writes=writes)
    return replace(ladder, limits=_limits(material, ladder))


def every_ladder(material: Material) -> list[Ladder]:
    """Of a write and of a read, on each way."""
    ways = ways_of(material.summaries)
    return [build_ladder(material, writes=writes, way=way) for way in ways for writes in (True, False)]


def step_title(step: LadderStep) -> str:
    return listed(tuple(layer_title(layer) for layer in step.covers))


def _stamped(material: Material, rung: Rung, *, writes: bool) -> Rung:
    """The same without a number where the cell's stamp forbids one, and with the doubt that it names."""
    summary = one_at_a_time(material.summaries, rung.layer, writes=writes)
    if summary is None or rung.latency is None:
        return rung
    stamp = material.stamp(summary)
    if stamp.mark in NO_NUMBER:
        return Rung(rung.layer, missing=f"{_(stamp.mark.value)}: {stamp.reason}")
    return replace(rung, doubtful=stamp.reason if stamp.mark is Mark.DOUBTFUL and rung.latency else "")


def _limits(material: Material, ladder: Ladder) -> tuple[str, ...]:
    """What a reader must know before quoting the picture."""
    limits = []
    measured = {step.layer: step for step in ladder.measured}
    if Layer.DISK in measured:
        cell = one_at_a_time(material.summaries, Layer.DISK, writes=ladder.writes)
        where = f" ({cell.cell.where})" if cell is not None and cell.cell.where else ""
        kind = _("a durable write") if ladder.writes else _("a read")
        limits.append(
            _(
                "The disk step is {kind} to one disk{where}; an OSD adds its own metadata and log.",
                kind=kind,
                where=where,
            )
        )
    if Layer.OSD in measured:
        limits.append(
            _("The OSD step is a write within one OSD by its own bench (`ceph tell osd.N bench`): store and drive.")
        )
    if Layer.NETWORK in measured:
        twice = ladder.round_trips == 2
        what = _("two round trips (client to primary, primary to replicas)") if twice else _("one round trip")
        limits.append(
            _("The network step is the measured round trip times the trips an I/O waits for: {what}.", what=what)
        )
    if Layer.CEPHFS in measured:
        limits.append(
            _(
                "The CephFS step is the client's (FUSE and ceph-fuse): files are open and go to the OSDs directly, and "
                "the MDS is not on the way of their data."
            )
        )
    limits.extend(_below_zero(step) for step in ladder.measured if step.lost is not None and step.lost.value < 0)
    return (*limits, *_doubts(ladder.steps))


def _doubts(steps: Sequence[LadderStep]) -> list[str]:
    sentences = []
    for reason in dict.fromkeys(step.doubtful for step in steps if step.doubtful):
        layers = tuple(layer_title(step.layer) for step in steps if step.doubtful == reason)
        sentences.append(
            ngettext(
                "{layers} is doubtful: {reason}.",
                "{layers} are doubtful: {reason}.",
                len(layers),
                layers=listed(layers),
                reason=reason,
            )
        )
    return sentences


def _below_zero(step: LadderStep) -> str:
    """A negative loss is noise unless its interval says otherwise."""
    assert step.lost is not None
    title = step_title(step)
    if isinstance(step.lost.interval, Interval) and step.lost.interval.excludes(0.0):
        return _(
            "{title} is faster than the layers below it add up to: a cache answered, or the OSDs' disks are "
            "not the one that was measured.",
            title=title,
        )
    return _("The step of {title} is negative, but within its uncertainty: no loss was measured there.", title=title)


def prepare(material: Material) -> Values | None:
    pictures = [_waterfall(ladder) for ladder in every_ladder(material)]
    shown = [
        picture for picture in (*pictures, _many_in_flight(material), _large_blocks(material)) if picture is not None
    ]
    return {"pictures": tuple(shown)} if shown else None


def _waterfall(ladder: Ladder) -> Picture | None:
    if not ladder.measured:
        return None
    title = _title(ladder)
    bars = tuple(_bar(ladder, step) for step in ladder.steps)
    label = f"{title}. {joined(bar.tip for bar in bars)}"
    return Picture(title, draw_waterfall(bars, label=label, unit="ms"), ladder.limits)


def _title(ladder: Ladder) -> str:
    what = _("One 4K block written") if ladder.writes else _("One 4K block read")
    if ladder.total is None or ladder.top is None:
        return _("{what}: the ladder has no upper end", what=what)
    whole = _(
        "{what} through {layer}: {total} ms",
        what=what,
        layer=layer_title(ladder.top),
        total=milliseconds(ladder.total.value),
    )
    most = costliest(ladder)
    if most is None or not most.certain:
        return whole
    return _("{whole}, {share} of it {step}", whole=whole, share=percent(most.share), step=_spent(most.step))


def _spent(step: LadderStep) -> str:
    alone = {
        Layer.DISK: _("on the disk"),
        Layer.OSD: _("in the OSD's store"),
        Layer.NETWORK: _("on the network"),
        Layer.RADOS: _("in the OSDs"),
        Layer.RBD: _("in RBD"),
        Layer.QEMU: _("in QEMU's block layer"),
        Layer.GUEST: _("on the way into the guest"),
        Layer.CEPHFS: _("in CephFS"),
    }
    return alone[step.layer] if len(step.covers) == 1 else _("in {layers}", layers=step_title(step))


def _bar(ladder: Ladder, step: LadderStep) -> Bar:
    hue, name = step.layer.value, layer_title(step.layer)
    if step.lost is None:
        at = step.from_s * 1e3
        return Bar(label=name, hue=hue, start=at, end=at, note=_brief(step.missing), tip=f"{name}: {step.missing}")
    shown = figure(step.lost, milliseconds, "ms")
    share = ladder.share(step)
    ends = step.lost.times(1e3).ends
    if ends is not None:
        ends = step.from_s * 1e3 + ends[0], step.from_s * 1e3 + ends[1]
    plus = "" if step.from_s == 0 or step.lost.value < 0 else "+"
    details = (shown.spread, percent(share) if share is not None else "")
    return Bar(
        label=name,
        with_label=_with(step),
        hue=hue,
        start=step.from_s * 1e3,
        end=step.to_s * 1e3,
        ends=ends,
        value=f"{plus}{shown.text} ms",
        detail=" · ".join(part for part in details if part),
        tip=f"{step_title(step)}: {plus}{shown.plain} ms ({shown.note})",
    )


def _with(step: LadderStep) -> str:
    """Which missing steps are in this one, as short as the margin is narrow."""
    beneath = step.covers[:-1]
    if not beneath:
        return ""
    return _("with {layer}", layer=layer_title(beneath[0])) if len(beneath) == 1 else _("with all below")


def _brief(reason: str) -> str:
    """A reason, shortened to fit the chart; the tooltip has all of it."""
    return reason if len(reason) <= 44 else f"{reason[:43].rstrip()}…"


def _large_blocks(material: Material) -> Picture | None:
    def choose(layer: Layer, writes: bool) -> CellSummary | None:
        return large(material.summaries, layer, writes=writes) if layer is not Layer.NETWORK or writes else None

    groups = _groups(material, choose, _SPEED)
    note = _("One disk, one link and one client each; a replicated write crosses the network once more per replica.")
    return _bars(_("Large blocks"), groups, _SPEED, note)


def _many_in_flight(material: Material) -> Picture | None:
    def choose(layer: Layer, writes: bool) -> CellSummary | None:
        return None if layer is Layer.NETWORK else deepest(material.summaries, layer, writes=writes)

    groups = tuple(group for group in _groups(material, choose, _RATE) if group.label != layer_title(Layer.NETWORK))
    note = _("The layers were loaded at the depths shown beside them; compare only equal depths.")
    return _bars(_("4K blocks, many in flight"), groups, _RATE, note)


@dataclass(frozen=True, slots=True)
class _Quantity:
    """What the bars of a picture show."""

    unit: str
    scale: float
    show: Callable[[float], str]
    take: Callable[[CellSummary], Estimate | Undecided]


_SPEED = _Quantity("MB/s", 1e-6, megabytes, lambda summary: summary.bandwidth_bytes_per_s)
_RATE = _Quantity("IOPS", 1.0, iops, lambda summary: summary.iops)

_Choose = Callable[[Layer, bool], CellSummary | None]


def _groups(material: Material, choose: _Choose, quantity: _Quantity) -> tuple[Group, ...]:
    groups = []
    for layer in layers_of(material.summaries):
        chosen = [(writes, choose(layer, writes)) for writes in (True, False)]
        bars = tuple(
            _large_bar(material, summary, writes, quantity) for writes, summary in chosen if summary is not None
        )
        missing = LargeBar(label=_("no such cell"), hue=layer.value, value=None)
        groups.append(Group(layer_title(layer), bars or (missing,)))
    return tuple(groups)


def _bars(subject: str, groups: tuple[Group, ...], quantity: _Quantity, note: str) -> Picture | None:
    """The title says what the highest layer with a number reaches."""
    known = [(group.label, tuple(bar for bar in group.bars if bar.value is not None)) for group in groups]
    reached = [(label, bars) for label, bars in known if bars]
    if not reached:
        return None
    top, bars = reached[-1]
    figures = listed(tuple(f"{bar.text} {bar.label.split(',')[0]}" for bar in bars))
    title = _(
        "{subject} through {top}, {unit}: {figures}", subject=subject, top=top, unit=quantity.unit, figures=figures
    )
    return Picture(title, draw_bars(groups, label=title, unit=quantity.unit), (note,))


def _large_bar(material: Material, summary: CellSummary, writes: bool, quantity: _Quantity) -> LargeBar:
    conditions = summary.cell.conditions
    verb = _("one stream") if conditions.layer is Layer.NETWORK else (_("written") if writes else _("read"))
    label = f"{verb}, QD{conditions.in_flight}" if quantity is _RATE else verb
    stamp, estimate = material.stamp(summary), quantity.take(summary)
    hue, light = conditions.layer.value, not writes
    if stamp.mark in NO_NUMBER or not isinstance(estimate, Estimate):
        why = _brief(stamp.reason or _("undecided"))
        return LargeBar(label=f"{label}: {why}", hue=hue, value=None, light=light)
    shown, scaled = figure(estimate, quantity.show, quantity.unit), estimate.times(quantity.scale)
    return LargeBar(
        label=label,
        hue=hue,
        value=scaled.value,
        ends=scaled.ends,
        text=shown.text,
        tip=f"{load_words(conditions)}: {shown.plain} {quantity.unit} ({shown.note})",
        light=light,
    )


SECTION = Section(
    "ladder",
    prepare,
    title=N_("The ladder: disk, network, RADOS, RBD"),
    short=N_("Ladder"),
    lead=N_("What one I/O loses on its way up, and what large blocks keep. Whiskers are 95 % intervals."),
    nothing=N_("No cell of this study has one I/O in flight or large blocks, so there is no ladder to draw."),
)
