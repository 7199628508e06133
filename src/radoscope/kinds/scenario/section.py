"""A scenario in a report and on the terminal: the rate of a load around a fault, with a line at each event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from radoscope.kinds.rounds.show import print_study
from radoscope.kinds.scenario.analyse import Transient, analyse
from radoscope.kinds.scenario.record import Moment, Scenario, scenario_of
from radoscope.kinds.scenario.words import PHASE_COLUMNS, passages, phase_rows, scenario_json, scenario_verdict
from radoscope.records.study import Study
from radoscope.report.charts import svg
from radoscope.report.markdown import bullets, escape_markdown, table
from radoscope.report.material import Material, Section, Sentences, Values, target_words
from radoscope.stats.values import Undecided
from radoscope.words import N_

WIDTH, LEFT, RIGHT, ROW_PX, PLOT_PX, BENEATH_PX = 1100.0, 62.0, 16.0, 17.0, 180.0, 44.0


@dataclass(frozen=True, slots=True)
class EventMark:
    """An event. at_s: seconds since the first fault."""

    at_s: float
    words: str


def draw_scenario(
    points: tuple[tuple[float, float], ...], marks: tuple[EventMark, ...], usual: float | None, *, label: str
) -> Markup:
    """points: (seconds since the first fault, I/Os a second), two at least. usual: the rate before, None if undecided.

    Each event has a row of its own above the curve, so that words never cover each other.
    """
    top = 8.0 + ROW_PX * len(marks)
    bottom = top + PLOT_PX
    across = svg.Linear(points[0][0] - 0.5, points[-1][0] + 0.5, LEFT, WIDTH - RIGHT)
    up = svg.Linear(0.0, svg.round_up(max(value for _, value in points)), bottom, top)
    parts = [_axes(across, up, bottom)]
    if usual is not None:
        parts.append(
            svg.with_tip("the rate before", svg.line(LEFT, up.at(usual), across.end, up.at(usual), "mean rbd"))
        )
    parts.append(svg.path([(across.at(time), up.at(value)) for time, value in points], "curve rbd"))
    parts += [_mark(mark, number, across, bottom) for number, mark in enumerate(marks)]
    return svg.chart(WIDTH, bottom + BENEATH_PX, label, *parts, kind="clock")


def _mark(mark: EventMark, number: int, across: svg.Linear, bottom: float) -> Markup:
    """A line from its words down to the axis; the words stand left of it where there is no room to the right."""
    x, y = across.at(min(max(mark.at_s, across.low), across.high)), 8.0 + ROW_PX * number
    words = f"{mark.words}, {mark.at_s:.1f} s"
    fits = x + 6 + svg.CHARACTER_PX * len(words) < WIDTH
    side = svg.text(x + 5 if fits else x - 5, y + 9, words, anchor="start" if fits else "end", class_="small")
    return svg.with_tip(words, svg.line(x, y, x, bottom, "ideal"), side)


def _axes(across: svg.Linear, up: svg.Linear, bottom: float) -> Markup:
    parts = [svg.line(LEFT, bottom, across.end, bottom, "base")]
    parts.append(svg.axis_beside(up, up.ticks(4), LEFT, across.end, gap=6))
    for tick in across.ticks(12):
        parts.append(svg.centred(across.at(tick), bottom + 17, svg.tick_text(tick), "tick"))
    middle = (across.start + across.end) / 2
    parts.append(svg.centred(middle, bottom + 35, "seconds since the fault; I/Os per second", "axis"))
    return svg.join(*parts)


def verdict(material: Material) -> Sentences:
    """What the deed did, instead of what the cluster does: the load is limited and says nothing of its speed."""
    scenario = scenario_of(material.study)
    return scenario_verdict(scenario, analyse(scenario))


def to_json(study: Study) -> dict[str, Any]:
    scenario = scenario_of(study)
    return {"scenario": scenario_json(scenario, analyse(scenario))}


def repeat(study: Study) -> tuple[str, ...]:
    return ("scenario", scenario_of(study).name, *target_words(study))


def prepare(material: Material) -> Values:
    scenario = scenario_of(material.study)
    transient = analyse(scenario)
    return {
        "title": f"{scenario.name}: {scenario.title}",
        "chart": _chart(scenario, transient),
        "passages": passages(scenario, transient),
        "columns": PHASE_COLUMNS,
        "rows": phase_rows(transient),
    }


def markdown(material: Material) -> list[str]:
    scenario = scenario_of(material.study)
    transient = analyse(scenario)
    blocks = [escape_markdown(f"{scenario.name}: {scenario.title}.")]
    for passage in passages(scenario, transient):
        blocks.append(f"**{escape_markdown(passage.title)}**")
        blocks += bullets(tuple(f"{label}: {words}" for label, words in passage.facts))
    return [*blocks, table(PHASE_COLUMNS, phase_rows(transient))]


def _chart(scenario: Scenario, transient: Transient) -> object:
    if not transient.dips or len(transient.rates.values) < 2:
        return None
    origin = transient.dips[0].event.time_s
    points = tuple(
        (time - origin + 0.5, value)
        for time, value in zip(transient.rates.times_s, transient.rates.values, strict=True)
    )
    marks = [
        EventMark(event.time_s - origin, event.words) for event in scenario.events if event.moment is not Moment.ENDED
    ]
    if not isinstance(transient.whole_after_first_s, Undecided):
        marks.append(EventMark(transient.whole_after_first_s, "HEALTH_OK"))
    usual = None if isinstance(transient.steady, Undecided) else transient.steady.rate_per_s
    return draw_scenario(points, tuple(marks), usual, label=f"{scenario.name}: I/Os per second over time")


SECTION = Section(
    "scenario",
    prepare,
    package=__package__ or "",
    title=N_("A fault in the middle of the load"),
    short=N_("Fault"),
    lead=N_(
        "I/Os per second; time 0 is the fault. This is one run of one event: how much another run would differ is "
        "not known."
    ),
    markdown=markdown,
)


def print_scenario(material: Material) -> None:
    """Passage by passage, the table of latencies, then the load as any study shows its cells."""
    _print_passages(scenario_of(material.study))
    print_study(material)


def _print_passages(scenario: Scenario) -> None:
    from rich.console import Console  # start-up time
    from rich.markup import escape
    from rich.table import Table

    transient = analyse(scenario)
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 140
    console.print(f"\n[bold]{escape(scenario.name)}[/]: {escape(scenario.title)}\n")
    for passage in passages(scenario, transient):
        console.print(f"[bold]{escape(passage.title)}[/]")
        for label, words in passage.facts:
            console.print(f"  {escape(label):16} {escape(words)}", soft_wrap=True)
    table = Table(box=None, padding=(0, 2, 0, 0), title="Latency of I/Os completed in each phase")
    table.title_justify = "left"
    for number, column in enumerate(PHASE_COLUMNS):
        table.add_column(column, justify="left" if number == 0 else "right")
    for row in phase_rows(transient):
        table.add_row(*map(escape, row))
    console.print()
    console.print(table)
    console.print("[dim]One run of one event: another run will differ, by an unknown amount.[/]\n")
