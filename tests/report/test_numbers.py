"""Numbers as tables show them."""

from __future__ import annotations

import math

import pytest

from radoscope.report.numbers import Figure, align_columns, figure, milliseconds, percent, significant
from radoscope.report.words import load_beyond
from radoscope.stats.values import Estimate, Interval, Undecided

from .example_study import make_study


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.71824, "0.718"), (15.88, "15.9"), (154.19, "154"), (33096.4, "33,096"), (0, "0"), (0.0000123, "0.0000")],
)
def test_three_digits_and_never_an_exponent(value: float, text: str) -> None:
    assert significant(value) == text


def test_no_number_is_made_of_what_is_none() -> None:
    assert significant(math.nan) == significant(math.inf) == "–"


def test_percents_have_a_decimal_below_ten() -> None:
    assert [percent(share) for share in (0.0312, 0.0996, 0.62)] == ["3.1 %", "10 %", "62 %"]


def test_an_estimate_shows_its_spread_and_tells_its_interval() -> None:
    shown = figure(Estimate(0.7e-3, Interval(0.68e-3, 0.72e-3), 5, "t"), milliseconds, "ms")
    assert shown == Figure("0.700", "±2.9 %", "0.680 to 0.720 ms, 95% confidence; 5 observations; t")


def test_without_an_interval_the_reason_is_told() -> None:
    shown = figure(Estimate(1.0, Undecided("1 segment", "2 more")), significant, "1/s")
    assert (shown.spread, shown.note) == ("±?", "no interval: 1 segment; needs 2 more")
    assert shown.with_spread == "1.00"


def test_an_interval_wider_than_the_value_is_not_given_a_number() -> None:
    assert figure(Estimate(1.0, Interval(-4.0, 6.0)), significant, "1/s").spread == "±>100 %"


def test_what_is_undecided_is_a_dash_with_its_reason() -> None:
    shown = figure(Undecided("the tool counts no I/Os"), significant, "1/s")
    assert (shown.text, shown.note, shown.known) == ("–", "the tool counts no I/Os", False)


def test_decimal_points_stand_under_each_other() -> None:
    column = align_columns([(Figure("0.718"),), (Figure("15.9"),), (Figure("154"),), (Figure(),)])
    assert [row[0].ghost for row in column] == ["", "00", ".000", ""]


def test_a_title_is_completed_by_what_it_does_not_say() -> None:
    conditions = make_study().cell("disk-4k-fsync").conditions
    assert load_beyond("4K random write, fsync", conditions) == "QD1"
    assert load_beyond("4K random write, QD1, fsync after each", conditions) == ""
    assert load_beyond("rados bench write 4K, -t 1, fsync", conditions) == ""
