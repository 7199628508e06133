"""Benches of single OSDs: who is sick, who is well, and when that cannot be told."""

from __future__ import annotations

import pytest

from radoscope.kinds.osd_bench.judge import OsdFigure, judge_osds
from radoscope.stats.values import Estimate, Undecided

WELL = [1000.0, 1010.0, 990.0, 1005.0, 995.0]
SSD = dict.fromkeys(range(9), "ssd")


def judged(*rates: list[float]) -> tuple[OsdFigure, ...]:
    return judge_osds(dict(enumerate(rates)), SSD)


def test_an_osd_at_half_the_rate_of_its_peers_is_sick_and_gets_no_setting() -> None:
    *others, slow = judged(WELL, WELL, WELL, [value / 2 for value in WELL])
    assert slow.sick is True
    assert slow.of_peers == pytest.approx(0.5)
    assert not slow.fit_to_set
    assert [one.sick for one in others] == [False] * 3
    assert all(one.fit_to_set for one in others)


def test_an_osd_that_scatters_is_neither_sick_nor_well() -> None:
    scattered = judged(WELL, WELL, [300.0, 1300.0, 500.0, 1100.0, 800.0])[2]
    assert isinstance(scattered.sick, Undecided)
    assert not scattered.fit_to_set


def test_two_osds_cannot_say_which_one_is_odd() -> None:
    assert all(isinstance(one.sick, Undecided) for one in judged(WELL, [value / 2 for value in WELL]))


def test_only_osds_of_one_device_class_are_peers() -> None:
    slow = [value / 50 for value in WELL]
    classes = {0: "ssd", 1: "ssd", 2: "ssd", 3: "hdd", 4: "hdd", 5: "hdd"}
    found = judge_osds(dict(enumerate([WELL, WELL, WELL, slow, slow, slow])), classes)
    assert [one.sick for one in found] == [False] * 6


@pytest.mark.parametrize("rates", [[], [1000.0], [1000.0, 1010.0]])
def test_an_osd_with_too_few_benches_is_undecided(rates: list[float]) -> None:
    found = judged(WELL, WELL, rates)[2]
    assert isinstance(found.sick, Undecided)
    assert not isinstance(found.iops, Estimate) or isinstance(found.iops.interval, Undecided)
