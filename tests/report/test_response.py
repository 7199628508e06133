"""Latency against load: the answer of a search, its picture and its figures, in every form of the report."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import cast
from xml.etree import ElementTree

import numpy as np

from radoscope.plan.expand import cells_of
from radoscope.plan.load import load_text
from radoscope.records.measurement import Histogram, Latency
from radoscope.records.study import Cell, Segment, Study
from radoscope.report.document import render_html
from radoscope.report.machine import study_json
from radoscope.report.markdown import render_markdown
from radoscope.report.material import Material, Values, study_words
from radoscope.report.sections.response import answer_words, sentences
from radoscope.report.sections.verdict import write_verdict
from radoscope.stats.latency_limit import Below
from radoscope.stats.response import ResponseCurve, response_curves
from radoscope.stats.summarise import summarise
from radoscope.stats.values import Estimate, Undecided

from ..stats.building import a_result, a_segment
from .conftest import CheckGolden

RATES = (100.0, 200.0, 400.0, 600.0, 800.0)
FULL = 700.0
SEGMENT_S = 4.0


def repeated(study: Study) -> str:
    return shlex.join(("radoscope", *study_words(study)))


def a_plan(limit: str) -> str:
    lines = ['name = "curve"', "[[cells]]", 'layer = "rbd"', 'op = "randwrite"', 'block = "4K"', "queue_depth = 64"]
    lines += [f"rate_iops = {[int(rate) for rate in RATES]}", f'limit = "{limit}"' if limit else ""]
    return "\n".join(lines)


def measured(cell: Cell, number: int, at: int) -> Segment:
    """Exponential latencies of an M/M/1 that serves FULL a second; no more than that comes out."""
    rng, rate = np.random.default_rng(100 * number + at), cell.conditions.rate_iops or 0.0
    achieved = min(rate, 0.9 * FULL)
    mean_s = 1 / (FULL - achieved) * (1 + 0.03 * (number - 2))
    latencies = np.round(rng.exponential(mean_s, int(achieved * SEGMENT_S)), 4) + 1e-4
    values, counts = np.unique(latencies, return_counts=True)
    latency = Latency(
        min_s=float(values[0]),
        mean_s=float(latencies.mean()),
        max_s=float(values[-1]),
        samples=len(latencies),
        histogram=Histogram(tuple(map(float, values)), tuple(map(int, counts))),
    )
    result = a_result(achieved, latency=latency, runtime_s=SEGMENT_S, total_ios=len(latencies))
    begun_at_s = 1_770_000_000.0 + 40 * number + 6 * at
    return a_segment(result, cell=cell.name, number=number, started_at_s=begun_at_s, seconds=5.5)


def a_study(limit: str = "p99 <= 20ms", rates: Sequence[float] = RATES) -> Study:
    cells = tuple(cell for cell in cells_of(load_text(a_plan(limit), "t")) if cell.conditions.rate_iops in rates)
    segments = tuple(measured(cell, number, at) for number in range(1, 5) for at, cell in enumerate(cells))
    return Study(
        id="s", plan="curve", target="a test", created_at_s=1_770_000_000.0, cells=cells, segments=segments, seconds=130
    )


def the_curve(study: Study) -> ResponseCurve:
    [curve] = response_curves(study, summarise(study))
    return curve


def test_the_answer_has_an_interval_that_holds_the_truth() -> None:
    """p99 of an exponential is ln(100) times its mean: 20 ms are reached at FULL - ln(100) / 20 ms."""
    curve = the_curve(a_study())
    assert isinstance(curve.found, Estimate)
    assert not curve.found.interval.excludes(FULL - np.log(100) / 0.020)  # type: ignore[union-attr]
    words = answer_words(curve)
    assert words.startswith("most IOPS with p99 at or below 20 ms: ")
    assert " to " in words


def test_a_rate_that_was_not_achieved_is_marked() -> None:
    curve = the_curve(a_study())
    assert [point.saturated for point in curve.points] == [False, False, False, False, True]


def test_a_limit_below_the_gentlest_load_says_so() -> None:
    curve = the_curve(a_study("mean <= 0.5ms"))
    assert curve.found == Below(100.0, 4)
    assert answer_words(curve).endswith("below 100 IOPS: even the lowest rate exceeds the limit")


def test_a_limit_beyond_all_rates_is_undecided_with_its_reason() -> None:
    curve = the_curve(a_study("mean <= 500ms", rates=RATES[:3]))
    assert isinstance(curve.found, Undecided)
    assert "undecided, because the limit holds even at 400 IOPS" in answer_words(curve)


def test_a_percentile_of_its_own_is_drawn_beside_the_mean() -> None:
    curve = the_curve(a_study("p95 <= 15ms"))
    assert curve.percentile == 95.0
    assert all(isinstance(point.tail_s, Estimate) for point in curve.points)


def test_a_plain_curve_has_its_picture_and_no_answer() -> None:
    study = a_study("")
    assert sentences(response_curves(study, summarise(study))) == ()
    page = render_html(Material(study, summarise(study)))
    assert '<section id="response">' in page
    assert "at 800 IOPS requested it is saturated: 630 came out" in page


def test_a_study_without_rates_has_no_such_section() -> None:
    study = a_study("")
    cells = tuple(replace(cell, conditions=replace(cell.conditions, rate_iops=None)) for cell in study.cells[:1])
    closed = replace(study, cells=cells, segments=study.segments_of(cells[0].name))
    material = Material(closed, summarise(closed))
    assert 'id="response"' not in render_html(material)
    assert "response_curves" not in study_json(material)


def test_the_picture_is_sound_svg_with_limit_answer_and_saturation(golden: CheckGolden) -> None:
    from radoscope.report.sections.response import SECTION

    study = a_study()
    values = SECTION.prepare(Material(study, summarise(study)))
    assert values is not None
    [curve] = cast("tuple[Values, ...]", values["curves"])
    text = str(curve["chart"])
    ElementTree.fromstring(text)
    for words in ("p99 at or below 20 ms", 'class="cross"', "IOPS achieved", 'class="ideal"', 'class="band rados"'):
        assert words in text
    golden("response.svg", text.replace("><", ">\n<"))


def test_markdown_json_and_terminal_say_the_same() -> None:
    study = a_study()
    material = Material(study, summarise(study))
    [sentence] = sentences(response_curves(study, material.summaries))
    assert write_verdict(material)[0] == sentence
    markdown = render_markdown(material)
    assert sentence in markdown
    assert "| saturated |" in markdown
    [told] = json.loads(json.dumps(study_json(material)))["response_curves"]
    assert told["said"] in sentence
    assert told["limit"] == {"metric": "p99", "latency_s": 0.02}
    assert told["most_iops"]["low"] < told["most_iops"]["value"] < told["most_iops"]["high"]
    assert [point["saturated"] for point in told["points"]] == [False] * 4 + [True]


def test_the_command_to_repeat_it_has_the_limit() -> None:
    assert repeated(a_study("p99.9 <= 20ms")).endswith("--limit 'p99.9 <= 20ms' --plan curve")
