"""The search for the most IOPS under a latency limit as a part of a study: what it measures next, and on real Ceph."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from radoscope.kinds.rounds.search import Search, searches_of
from radoscope.plan.expand import at_rate, cells_of
from radoscope.plan.load import load_text
from radoscope.plan.schema import Plan
from radoscope.records.measurement import Latency, Result
from radoscope.records.study import Cell, Outcome, Segment
from radoscope.sandbox import Sandbox
from tests.on_ceph import Start, WritePlan, launch, nothing_is_left, radoscope, succeed
from tests.stats.building import a_segment

STEEP = """
name = "steep"
seconds = "1s"
ramp = "200ms"
at_most = "20s"
image_size = "32MiB"
[[cells]]
layer = "rbd"
op = "randwrite"
block = "4K"
queue_depth = 32
rate_iops = [20, 40]
limit = "mean <= 0.01ms"
"""


def a_search(at_most: str = "60s") -> tuple[Plan, Search]:
    text = STEEP.replace('"20s"', f'"{at_most}"').replace("[20, 40]", "[100, 200, 400, 800]").replace("0.01ms", "5ms")
    plan = load_text(text, "t")
    [search] = searches_of(plan, cells_of(plan))
    return plan, search


def answered(cell: Cell, number: int, outcome: Outcome = Outcome.DONE) -> Segment:
    """Of a queue M/M/1 that serves 1000 a second."""
    rate = cell.conditions.rate_iops or 0.0
    latency = Latency(mean_s=1 / (1000 - rate) * (1 + 0.02 * (number % 3 - 1)), samples=int(rate))
    result = Result(tool="fio", iops=rate, latency=latency, runtime_s=4.0)
    results = (result,) if outcome is Outcome.DONE else ()
    begun_at_s = 1000.0 + 6 * number
    return a_segment(*results, cell=cell.name, number=number, outcome=outcome, started_at_s=begun_at_s, seconds=5.0)


def measured(search: Search, most: int = 100) -> dict[str, list[Segment]]:
    """Run a search on that queue until it asks for no more."""
    segments: dict[str, list[Segment]] = {}
    count = 0
    while count < most and (cells := search.next_cells(segments)):
        for cell in cells:
            count += 1
            segments.setdefault(cell.name, []).append(answered(cell, count))
    return segments


def test_it_climbs_the_ladder_and_adds_rates_near_the_answer() -> None:
    plan, search = a_search()
    segments = measured(search)
    rates = {search.cells[name].conditions.rate_iops for name in segments}
    assert {100.0, 200.0, 400.0, 800.0} <= rates
    assert len(rates - {100.0, 200.0, 400.0, 800.0}) >= 1
    assert all(search.cells[name].limit == cells_of(plan)[0].limit for name in segments)


def test_it_ends_with_its_time() -> None:
    _, search = a_search(at_most="8s")
    segments = measured(search)
    assert sum(len(some) for some in segments.values()) * 5.0 <= 8 * 4


def test_a_study_that_is_resumed_goes_on_where_it_was() -> None:
    plan, search = a_search()
    half = measured(search, most=8)
    [again] = searches_of(plan, tuple(search.cells.values()))
    assert [cell.name for cell in again.ladder] == [cell.name for cell in search.ladder]
    assert [cell.name for cell in again.next_cells(half)] == [cell.name for cell in search.next_cells(half)]


def test_it_gives_up_when_segments_fail_twice() -> None:
    _, search = a_search()
    first = search.ladder[0]
    failed = {first.name: [answered(first, number, Outcome.FAILED) for number in (1, 2)]}
    assert search.next_cells(failed) == ()


def test_two_loads_are_two_searches() -> None:
    plan = load_text(STEEP.replace('"randwrite"', '["randwrite", "randread"]'), "t")
    assert len(searches_of(plan, cells_of(plan))) == 2
    assert at_rate(cells_of(plan)[0], 28).name == "rbd-4k-randwrite-qd32-rate28"


@pytest.mark.ceph
@pytest.mark.slow
def test_a_search_on_ceph_is_interrupted_resumed_and_read_again(
    home: Path, sandbox: Sandbox, plan: WritePlan, start: Start
) -> None:
    running, study = launch(start, home, "--sandbox", "shared", "--plan", plan(STEEP))
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=90)
    assert running.returncode == 130, err
    done = succeed("study", "--sandbox", "shared", "--resume", study, "--json")
    told = json.loads(done.stdout)
    [curve] = told["response_curves"]
    assert told["complete"]
    assert curve["most_iops"] == {"value": None, "below": 20.0}
    assert "even the lowest rate exceeds the limit" in curve["said"]
    assert [point["rate_iops"] for point in curve["points"]] == [20.0]
    assert "rate40" not in done.stdout
    again = radoscope("show", study, "--json")
    assert json.loads(again.stdout)["response_curves"] == [curve]
    nothing_is_left(home, study)
