"""A fault in the middle of the load: the rate over time, what each deed did, and the proof that no data was lost."""

from __future__ import annotations

from radoscope.records.scenario import Moment, Scenario
from radoscope.report.charts.scenario import Mark, draw_scenario
from radoscope.report.material import Material
from radoscope.report.section import Section, Values
from radoscope.report.transient import PHASE_COLUMNS, passages, phase_rows
from radoscope.stats.transient import Transient, analyse
from radoscope.stats.values import Undecided


def prepare(material: Material) -> Values | None:
    scenario = material.study.scenario
    if scenario is None:
        return None
    transient = analyse(scenario)
    return {
        "title": f"{scenario.name}: {scenario.title}",
        "chart": _chart(scenario, transient),
        "passages": passages(scenario, transient),
        "columns": PHASE_COLUMNS,
        "rows": phase_rows(transient),
    }


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


SECTION = Section("scenario", prepare)
