"""A fault in the middle of the load: what the page, the Markdown, the JSON and the command to repeat it say."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np

from radoscope.kinds.scenario import KIND
from radoscope.kinds.scenario.record import Event, Moment, ReadBack, Scenario, scenario_of
from radoscope.kinds.scenario.section import EventMark, draw_scenario
from radoscope.kinds.scenario.words import proof
from radoscope.records.measurement import Series
from radoscope.records.study import Study
from radoscope.report.document import render_html
from radoscope.report.machine import study_json
from radoscope.report.markdown import render_markdown
from radoscope.report.sections.verdict import headline_figures, write_verdict
from tests.report.example_study import make_material, make_study


def a_study(words: str = "kill -9 of osd.2", found: ReadBack | None = None) -> Study:
    times = np.concatenate((np.arange(1000.0, 1010.0, 0.01), np.arange(1012.0, 1030.0, 0.01)))
    looks = Series("whole", "1", (1009.0, 1015.0, 1020.0, 1025.0), (1.0, 0.0, 1.0, 1.0), absolute=True)
    scenario = Scenario(
        name="lose-an-osd",
        title="An OSD is killed",
        events=(Event(Moment.DEED, words, 1010.0), Event(Moment.ENDED, "the end", 1030.0)),
        latencies=Series("latency_s", "s", tuple(times), tuple(np.full(len(times), 0.002)), absolute=True),
        looks=(looks,),
        read_back=found or ReadBack(written=len(times), read=len(times), errors=0),
    )
    return replace(make_study(), kind="scenario", payload=scenario)


def test_the_page_has_the_section_its_chart_and_the_proof() -> None:
    page = render_html(make_material(a_study(), KIND))
    assert '<section id="scenario">' in page
    assert "I/Os per second over time" in page
    assert "read back as written" in page


def test_a_study_without_a_scenario_has_no_such_section() -> None:
    assert 'id="scenario"' not in render_html(make_material())


def test_what_the_study_says_is_escaped() -> None:
    page = render_html(make_material(a_study("<script>alert(1)</script>"), KIND))
    assert "<script>alert(1)" not in page


def test_markdown_json_and_the_command_know_the_scenario() -> None:
    material = make_material(a_study(), KIND)
    assert "**kill -9 of osd.2**" in render_markdown(material)
    told = json.loads(json.dumps(study_json(material)))["scenario"]
    assert told["dips"][0]["depth"] == 1.0
    assert told["whole_s"] == 10.0
    assert told["read_back"]["proved"]
    assert "radoscope scenario lose-an-osd" in material.command


def test_the_proof_is_said_as_strongly_as_it_stands() -> None:
    assert proof(ReadBack(written=10, read=10, errors=2)).startswith("2 of 10")
    assert proof(ReadBack(written=10, read=10, errors=0)).startswith("all 10")
    assert proof(ReadBack(written=10, problem="fio was killed")) == "undecided: fio was killed"


def _verdict(study: Study) -> tuple[str, str, str]:
    return write_verdict(make_material(study, KIND))


def test_the_verdict_tells_what_the_deed_did_when_it_was_over_and_whether_anything_was_lost() -> None:
    seen, over, sure = _verdict(a_study())
    assert "kill -9 of osd.2: it stood still for 2 s, first I/O after 2 s" in seen
    assert over.startswith("HEALTH_OK: 10 s after the last event; no data was lost: all 2,800")
    assert "one run of one event" in sure


def test_the_verdict_does_not_praise_a_cluster_that_lost_something() -> None:
    _, over, _ = _verdict(a_study(found=ReadBack(written=10, read=10, errors=2)))
    assert "data was lost: 2 of 10" in over


def test_the_verdict_does_not_claim_a_proof_that_was_not_made() -> None:
    _, over, _ = _verdict(a_study(found=ReadBack(written=10, problem="fio was killed")))
    assert "whether data was lost: undecided: fio was killed" in over


def test_the_verdict_names_what_went_otherwise_than_it_should() -> None:
    study = a_study()
    troubled = replace(study, payload=replace(scenario_of(study), problem="the cluster was not whole in time"))
    assert "the cluster was not whole in time" in _verdict(troubled)[2]


def test_a_load_that_is_limited_on_purpose_gives_no_headline_figures() -> None:
    assert headline_figures(make_material())
    assert not headline_figures(make_material(a_study(), KIND))


def test_the_chart_is_well_formed_with_marks_beyond_its_ends() -> None:
    drawn = draw_scenario(
        ((-2.0, 100.0), (5.0, 0.0)), (EventMark(-9.0, "<early>"), EventMark(99.0, "late")), None, label="x"
    )
    ElementTree.fromstring(drawn)
