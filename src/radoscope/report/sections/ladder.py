"""The ladder: two waterfalls of one 4K I/O, and what large blocks keep."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from radoscope.records.conditions import Layer
from radoscope.report.charts.bars import Bar as LargeBar
from radoscope.report.charts.bars import Group, draw_bars
from radoscope.report.charts.waterfall import Bar, draw_waterfall
from radoscope.report.ladder import Ladder, Step, build_ladder, costliest
from radoscope.report.material import Mark, Material
from radoscope.report.numbers import figure, megabytes, milliseconds, percent
from radoscope.report.pick import large
from radoscope.report.section import Section, Values
from radoscope.report.words import LAYER_TITLES, LAYERS, load_words
from radoscope.stats.values import Estimate, Interval


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart under a title that states its message; limits stand beneath it."""

    title: str
    chart: Markup
    limits: tuple[str, ...]


def prepare(material: Material) -> Values | None:
    pictures = [_waterfall(build_ladder(material, writes=writes)) for writes in (True, False)]
    shown = [picture for picture in (*pictures, _large_blocks(material)) if picture is not None]
    return {"pictures": tuple(shown)} if shown else None


def _waterfall(ladder: Ladder) -> Picture | None:
    if not ladder.measured:
        return None
    title = _title(ladder)
    bars = tuple(_bar(ladder, step) for step in ladder.steps)
    label = f"{title}. " + "; ".join(f"{bar.label}: {bar.value or bar.note}" for bar in bars)
    return Picture(title, draw_waterfall(bars, label=label, unit="ms"), ladder.limits)


def _title(ladder: Ladder) -> str:
    verb = "written" if ladder.writes else "read"
    if ladder.total is None or ladder.top is None:
        return f"One 4K block {verb}: the ladder has no upper end"
    whole = f"One 4K block {verb} through {LAYER_TITLES[ladder.top]}: {milliseconds(ladder.total.value)} ms"
    most = costliest(ladder)
    if most is None or not most.certain:
        return whole
    return f"{whole}, {percent(most.share)} of it {_spent(most.step)}"


def _spent(step: Step) -> str:
    alone = {
        Layer.DISK: "on the disk",
        Layer.NETWORK: "on the network",
        Layer.RADOS: "in the OSDs",
        Layer.RBD: "in RBD",
    }
    return alone[step.layer] if len(step.covers) == 1 else f"in {step.title}"


def _bar(ladder: Ladder, step: Step) -> Bar:
    hue = step.layer.value
    if step.lost is None:
        return Bar(label=step.title, hue=hue, note=_brief(step.missing), tip=step.missing)
    shown = figure(step.lost, milliseconds, "ms")
    share = ladder.share(step)
    interval = step.lost.interval if isinstance(step.lost.interval, Interval) else None
    plus = "" if step.from_s == 0 or step.lost.value < 0 else "+"
    details = (shown.spread, percent(share) if share is not None else "")
    return Bar(
        label=step.title,
        hue=hue,
        start=step.from_s * 1e3,
        end=step.to_s * 1e3,
        low=(step.from_s + interval.low) * 1e3 if interval else None,
        high=(step.from_s + interval.high) * 1e3 if interval else None,
        value=f"{plus}{shown.text} ms",
        detail=" · ".join(part for part in details if part),
        tip=f"{step.title}: {plus}{shown.plain} ms ({shown.note})",
    )


def _brief(reason: str, limit: int = 44) -> str:
    """A reason as long as the picture has room for; the whole of it is in the tooltip."""
    return reason if len(reason) <= limit else f"{reason[: limit - 1].rstrip()}…"


def _large_blocks(material: Material) -> Picture | None:
    groups = tuple(Group(LAYER_TITLES[layer], _large_bars(material, layer)) for layer in LAYERS)
    values = {(group.label, bar.label): bar for group in groups for bar in group.bars if bar.value is not None}
    if not values:
        return None
    top = next(
        LAYER_TITLES[layer] for layer in reversed(LAYERS) if any(key[0] == LAYER_TITLES[layer] for key in values)
    )
    said = [f"{bar.text} MB/s {bar.label}" for key, bar in values.items() if key[0] == top]
    title = f"Large blocks through {top}: {' and '.join(said)}"
    chart = draw_bars(groups, label=title, unit="MB/s")
    note = "One disk, one link and one client each; a replicated write crosses the network once more for each replica."
    return Picture(title, chart, (note,))


def _large_bars(material: Material, layer: Layer) -> tuple[LargeBar, ...]:
    if layer is Layer.NETWORK:
        return (_large_bar(material, layer, writes=True, label="sent"),)
    return tuple(_large_bar(material, layer, writes=w, label="written" if w else "read") for w in (True, False))


def _large_bar(material: Material, layer: Layer, *, writes: bool, label: str) -> LargeBar:
    summary = large(material.summaries, layer, writes=writes)
    light = not writes
    if summary is None:
        return LargeBar(label=label, hue=layer.value, value=None, note="no such cell", light=light)
    stamp, speed = material.stamp(summary), summary.bandwidth_bytes_per_s
    if stamp.mark in (Mark.FAILED, Mark.INVALID) or not isinstance(speed, Estimate):
        return LargeBar(label=label, hue=layer.value, value=None, note=_brief(stamp.reason or "undecided"), light=light)
    shown = figure(speed, megabytes, "MB/s")
    interval = speed.interval if isinstance(speed.interval, Interval) else None
    return LargeBar(
        label=label,
        hue=layer.value,
        value=speed.value / 1e6,
        low=interval.low / 1e6 if interval else None,
        high=interval.high / 1e6 if interval else None,
        text=shown.text,
        tip=f"{load_words(summary.cell.conditions)}: {shown.plain} MB/s ({shown.note})",
        light=light,
    )


SECTION = Section("ladder", prepare)
