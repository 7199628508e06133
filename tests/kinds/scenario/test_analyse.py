"""What a deed did to a steady load: made completions with known answers."""

from __future__ import annotations

import numpy as np
import pytest

from radoscope.kinds.scenario.analyse import (
    LEAST_BEFORE_S,
    Dip,
    Steady,
    analyse,
    dip_after,
    percentile_of,
    steady_before,
    whole_from,
)
from radoscope.kinds.scenario.record import Event, Moment, ReadBack, Scenario
from radoscope.records.measurement import Series
from radoscope.stats.values import Undecided

RATE = 100
DEED = Event(Moment.DEED, "kill -9 of osd.2", 1010.0)


def every(rate: float, begin: float, end: float) -> np.ndarray:
    """Completions at even distances, the first half a distance after `begin`."""
    return begin + (np.arange(round((end - begin) * rate)) + 0.5) / rate


def steady() -> Steady:
    found = steady_before(every(RATE, 1000.0, 1010.0), DEED.time_s)
    assert isinstance(found, Steady)
    return found


def dip(*stretches: np.ndarray, until: float = 1030.0) -> Dip:
    times = np.concatenate((every(RATE, 1000.0, 1010.0), *stretches))
    return dip_after(times, DEED, until, steady())


def test_the_load_before_is_its_whole_seconds_but_the_first() -> None:
    found = steady()
    assert found.rate_per_s == pytest.approx(RATE)
    assert found.seconds == 8  # of ten, the first is warming up; 8.995 s are left
    assert found.longest_silence_s == pytest.approx(0.01)


def test_a_standstill_is_found_with_its_begin_its_length_and_the_first_io_after_it() -> None:
    found = dip(every(RATE, 1010.0, 1011.0), every(RATE, 1014.5, 1030.0))
    assert found.still_s == pytest.approx(3.51, abs=0.001)
    assert found.still_from_s == pytest.approx(0.995, abs=0.001)
    assert found.first_io_s == pytest.approx(4.505, abs=0.001)
    assert found.lowest_per_s == 0
    assert found.depth == pytest.approx(1.0)
    assert found.back_s == pytest.approx(5.0)


def test_a_slower_stretch_is_a_dip_but_no_standstill() -> None:
    found = dip(every(40, 1010.0, 1016.0), every(RATE, 1016.0, 1030.0))
    assert found.depth == pytest.approx(0.6)
    assert found.back_s == pytest.approx(6.0)
    assert isinstance(found.still_s, Undecided)
    assert "never stood still" in found.still_s.because


def test_a_load_that_nothing_happened_to_has_no_dip() -> None:
    found = dip(every(RATE, 1010.0, 1030.0))
    assert found.lowest_per_s == pytest.approx(RATE)
    assert isinstance(found.depth, Undecided)
    assert isinstance(found.back_s, Undecided)


def test_a_rate_that_scattered_as_much_before_is_not_called_a_dip() -> None:
    before = np.concatenate([every(RATE + (30 if n % 2 else -30), 1000.0 + n, 1001.0 + n) for n in range(10)])
    scattered = steady_before(before, DEED.time_s)
    assert isinstance(scattered, Steady)
    times = np.concatenate((before, every(60, 1010.0, 1030.0)))
    assert isinstance(dip_after(times, DEED, 1030.0, scattered).depth, Undecided)


def test_a_standstill_of_a_load_that_scatters_widely_is_a_dip_all_the_same() -> None:
    rates = (30, 170, 40, 160, 35, 165, 30, 170, 40, 160)
    before = np.concatenate([every(rate, 1000.0 + n, 1001.0 + n) for n, rate in enumerate(rates)])
    noisy = steady_before(before, DEED.time_s)
    assert isinstance(noisy, Steady)
    assert noisy.usual_low(20) == 0
    found = dip_after(np.concatenate((before, every(RATE, 1020.0, 1030.0))), DEED, 1030.0, noisy)
    assert found.depth == 1.0
    assert isinstance(found.back_s, Undecided)
    assert "any rate" in found.back_s.because
    without = dip_after(np.concatenate((before, every(20, 1010.0, 1030.0))), DEED, 1030.0, noisy)
    assert isinstance(without.depth, Undecided)


def test_a_load_that_never_comes_back_has_no_first_io_and_no_time_until_it_was_back() -> None:
    found = dip(every(RATE, 1010.0, 1012.0))
    assert found.still_s == pytest.approx(18.0, abs=0.01)
    assert isinstance(found.first_io_s, Undecided)
    assert isinstance(found.back_s, Undecided)


def test_a_rate_that_is_back_for_two_seconds_only_is_not_back() -> None:
    found = dip(every(10, 1010.0, 1012.0), every(RATE, 1012.0, 1014.0), every(10, 1014.0, 1020.0))
    assert isinstance(found.back_s, Undecided)


@pytest.mark.parametrize("begin", [1010.0 - LEAST_BEFORE_S, 1009.5])
def test_too_short_a_time_before_is_undecided_and_says_what_is_needed(begin: float) -> None:
    found = steady_before(every(RATE, begin, 1010.0), DEED.time_s)
    assert isinstance(found, Undecided)
    assert "--seconds" in found.needs
    assert isinstance(dip_after(every(RATE, begin, 1030.0), DEED, 1030.0, found).depth, Undecided)


def test_no_io_before_the_deed_is_undecided() -> None:
    assert isinstance(steady_before(every(RATE, 1011.0, 1020.0), DEED.time_s), Undecided)


def test_the_usual_range_widens_with_the_number_of_seconds_that_are_compared() -> None:
    scattered = Steady(rate_per_s=1000.0, deviation_per_s=50.0, seconds=10, longest_silence_s=0.02)
    assert scattered.usual_low(60) < scattered.usual_low(5) < 1000.0


def test_seconds_like_those_before_are_called_a_dip_in_one_of_twenty_runs_at_most() -> None:
    """Independent normal seconds, the case for which the bound is made."""
    random = np.random.default_rng(1)
    runs, false = 2000, 0
    for _ in range(runs):
        before, after = random.normal(1000.0, 50.0, 10), random.normal(1000.0, 50.0, 30)
        made = Steady(rate_per_s=before.mean(), deviation_per_s=before.std(ddof=1), seconds=10, longest_silence_s=0.01)
        false += after.min() < made.usual_low(30)
    assert false / runs < 0.06


def test_the_cluster_is_whole_from_the_first_look_after_the_last_broken_one() -> None:
    looks = Series("whole", "1", (1.0, 2.0, 3.0, 4.0, 5.0, 6.0), (1.0, 0.0, 1.0, 0.0, 1.0, 1.0), absolute=True)
    assert whole_from(looks, 1.5) == 5.0


@pytest.mark.parametrize(
    ("values", "because"),
    [((1.0, 1.0), "in every sample"), ((0.0, 0.0), "not healthy again within"), ((), "was not observed")],
)
def test_a_cluster_that_was_never_or_always_whole_has_no_time_to_it(values: tuple[float, ...], because: str) -> None:
    looks = Series("whole", "1", tuple(range(2, 2 + len(values))), values, absolute=True)
    found = whole_from(looks, 1.0)
    assert isinstance(found, Undecided)
    assert because in found.because


def test_a_percentile_needs_ten_ios_beyond_it() -> None:
    latencies = np.arange(1, 1001) / 1000
    assert percentile_of(latencies, 99.0) == pytest.approx(0.99)
    assert isinstance(percentile_of(latencies, 99.9), Undecided)


def test_a_whole_scenario_has_a_dip_a_deed_and_a_stretch_between_all_events() -> None:
    mended = Event(Moment.MENDED, "osd.2 starts again", 1020.0)
    times = np.concatenate((every(RATE, 1000.0, 1010.0), every(RATE, 1012.0, 1020.0), every(50, 1020.0, 1040.0)))
    values = np.where(times < 1020.0, 0.001, 0.010)
    looks = Series("whole", "1", tuple(np.arange(1000.0, 1040.0)), tuple(np.repeat([1.0, 0.0, 1.0], (10, 20, 10))))
    found = analyse(
        Scenario(
            name="lose-an-osd",
            title="",
            events=(mended, DEED, Event(Moment.ENDED, "the end", 1040.0)),
            latencies=Series("latency_s", "s", tuple(times[::-1]), tuple(values[::-1]), absolute=True),
            looks=(looks,),
            read_back=ReadBack(written=len(times), read=len(times), errors=0),
        )
    )
    assert [one.event for one in found.dips] == [DEED, mended]
    assert found.dips[0].first_io_s == pytest.approx(2.005, abs=0.001)
    assert found.dips[1].depth == pytest.approx(0.5)
    assert (found.whole_s, found.whole_after_first_s) == (10.0, 20.0)
    assert [phase.name for phase in found.phases] == ["before", DEED.words, mended.words, "whole again"]
    assert [phase.ios for phase in found.phases] == [1000, 800, 500, 500]
    assert found.phases[2].percentiles_s[50.0] == pytest.approx(0.010)
    assert sum(found.rates.values) == pytest.approx(len(times), abs=2 * RATE)


def test_a_scenario_without_a_single_completion_is_undecided_throughout() -> None:
    nothing = Series("latency_s", "s", (), (), absolute=True)
    found = analyse(Scenario(name="x", title="", events=(DEED,), latencies=nothing, read_back=ReadBack(written=0)))
    assert isinstance(found.steady, Undecided)
    assert isinstance(found.dips[0].depth, Undecided)
    assert found.phases == ()
    assert not ReadBack(written=0, read=0, errors=0).proved
