"""A fault in the middle of the load: the rate over time, each event's effect, and the proof that no data was lost."""

from __future__ import annotations

from typing import Any

from radoscope.kinds.scenario.analyse import Transient, analyse
from radoscope.kinds.scenario.chart import Mark, draw_scenario
from radoscope.kinds.scenario.record import Moment, Scenario, scenario_of
from radoscope.kinds.scenario.words import PHASE_COLUMNS, passages, phase_rows, scenario_json, scenario_verdict
from radoscope.records.study import Study
from radoscope.report.markdown import bullets, escape_markdown, table
from radoscope.report.material import Material, Section, Sentences, Values
from radoscope.report.repeat import target_words
from radoscope.stats.values import Undecided

TITLE = "A fault in the middle of the load"


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
    blocks = [f"## {TITLE}", escape_markdown(f"{scenario.name}: {scenario.title}.")]
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
    marks = [Mark(event.time_s - origin, event.words) for event in scenario.events if event.moment is not Moment.ENDED]
    if not isinstance(transient.whole_after_first_s, Undecided):
        marks.append(Mark(transient.whole_after_first_s, "HEALTH_OK"))
    usual = None if isinstance(transient.steady, Undecided) else transient.steady.rate_per_s
    return draw_scenario(points, tuple(marks), usual, label=f"{scenario.name}: I/Os per second over time")


SECTION = Section(
    "scenario",
    prepare,
    package=__package__ or "",
    title=TITLE,
    short="Fault",
    lead="I/Os per second; time 0 is the fault. This is one run of one event: how much another run would differ is "
    "not known.",
    markdown=markdown,
)
