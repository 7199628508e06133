"""Charts: values -> SVG."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from radoscope.records.measurement import Histogram
from radoscope.report.charts.bars import Bar as PlainBar
from radoscope.report.charts.bars import Group, draw_bars
from radoscope.report.charts.curves import Curve, draw_curves
from radoscope.report.charts.scaling import Line, Point, draw_scaling
from radoscope.report.charts.svg import Linear, Log, element, round_up, spread_labels, tick_text
from radoscope.report.charts.timeline import Timeline, draw_clock, draw_timeline, split_runs
from radoscope.report.charts.waterfall import Bar, draw_waterfall
from radoscope.report.sections.latency import ENOUGH, percentile_points
from radoscope.report.sections.series import MOST_POINTS, thin

from .conftest import CheckGolden

POINTS = tuple((float(second), 100.0 + second % 3) for second in (0, 1, 2, 60, 61, 62))
CURVE = Curve("RBD write QD1", ((0.5, 0.7), (0.1, 1.0), (0.01, 2.0), (0.001, 9.0)))
CHARTS = {
    "waterfall": lambda: draw_waterfall(
        (
            Bar(label="Disk", hue="disk", end=0.07, ends=(0.069, 0.071), value="0.0700 ms", tip="disk"),
            Bar(label="Network", hue="network", start=0.07, end=0.07, note="no such cell in this study"),
            Bar(
                label="RADOS",
                with_label="with Network",
                hue="rados",
                start=0.07,
                end=0.64,
                value="+0.570 ms",
                detail="±? · 89 %",
            ),
            Bar(label="RBD", hue="rbd", start=0.64, end=0.6, value="−0.0400 ms"),
        ),
        label="a ladder",
        unit="ms",
    ),
    "bars": lambda: draw_bars(
        (
            Group("Disk", (PlainBar(label="written", hue="disk", value=489.0, ends=(480.0, 498.0), text="489"),)),
            Group("RBD", (PlainBar(label="no such cell", hue="rbd", value=None),)),
        ),
        label="bars",
        unit="MB/s",
    ),
    "curves": lambda: draw_curves((CURVE, Curve("<b>", CURVE.points[:2])), label="curves"),
    "timeline": lambda: draw_timeline(
        Timeline(label="one cell", hue="rbd", points=POINTS, mean=101.0, band=(100.0, 102.0))
    ),
    "clock": lambda: draw_clock(
        (
            Timeline(label="one cell", hue="rbd", points=POINTS, failed_s=(30.0,)),
            Timeline(label="host", hue="host", points=POINTS),
        ),
        label="clock",
        length_s=70.0,
    ),
    "scaling": lambda: draw_scaling(
        (Line("", "rbd", (Point(n=1, value=100.0, ends=(95.0, 105.0), text="100"), Point(n=8, value=600.0))),),
        label="scaling",
        unit="IOPS",
        ideal=True,
    ),
}


@pytest.mark.parametrize("name", sorted(CHARTS))
def test_a_chart_is_the_golden_one_and_well_formed(name: str, golden: CheckGolden) -> None:
    drawn = CHARTS[name]()
    ElementTree.fromstring(drawn)
    golden(f"charts/{name}.svg", drawn.replace("><", ">\n<") + "\n")


def test_texts_and_attributes_are_escaped() -> None:
    made = element("text", "<script>&", aria_label='"><x', class_="a")
    assert made == '<text aria-label="&#34;&gt;&lt;x" class="a">&lt;script&gt;&amp;</text>'
    assert element("g", Markup("<b/>")) == "<g><b/></g>"


@given(st.lists(st.floats(0, 250), min_size=1, max_size=12))
def test_labels_keep_their_distance_and_their_order(wanted: list[float]) -> None:
    placed = spread_labels(wanted, 17.0, 0.0, 300.0)
    by_place = sorted(placed)
    assert all(after - before > 16.9 for before, after in pairwise(by_place))
    assert sorted(range(len(wanted)), key=lambda i: (wanted[i], placed[i])) == sorted(
        range(len(wanted)), key=lambda i: placed[i]
    )


@given(st.floats(1e-6, 1e12))
def test_an_axis_reaches_a_little_beyond_its_largest_value(value: float) -> None:
    top = round_up(value)
    assert value <= top * 1.000001
    assert top <= value * 1.51


def test_ticks_are_round_and_inside() -> None:
    assert Linear(0, 0.75, 0, 100).ticks(4) == pytest.approx((0, 0.2, 0.4, 0.6))
    assert Log(0.3, 40, 0, 100).ticks() == pytest.approx((0.5, 1, 2, 5, 10, 20))
    assert [tick_text(value) for value in (0.02, 2.5, 1500, 1_000_000)] == ["0.02", "2.5", "1,500", "1,000,000"]


def test_a_pause_parts_two_stretches() -> None:
    assert [len(run) for run in split_runs(POINTS)] == [3, 3]


def test_a_curve_ends_where_too_few_slower_ones_remain() -> None:
    histogram = Histogram((0.001, 0.002, 0.003, 0.004), (500, 400, 95, 5))
    points = percentile_points(histogram)
    assert points == ((0.5, 1.0), (0.1, 2.0))
    assert all(share * histogram.total >= ENOUGH for share, _ in points)


def test_long_series_are_averaged_and_say_by_how_much() -> None:
    size, points = thin([(float(second), 1.0) for second in range(2 * MOST_POINTS)])
    assert (size, len(points)) == (2, MOST_POINTS)
    assert thin([]) == (1, ())
