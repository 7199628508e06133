"""A whole session replayed from a recorded bundle: what is measured next, when it ends, what it refuses, how long it
says it will take. No cluster, no tool, no waiting."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from radoscope import paths
from radoscope.archives.bundle import read_manifest, read_study
from radoscope.errors import PlanError, SiteError, StoreError
from radoscope.kinds.ab.run import compared, rehearsed, run_ab
from radoscope.kinds.rounds.budget import ALLOCATION, EVERY
from radoscope.kinds.rounds.run import resumed, run_study
from radoscope.plan import load
from radoscope.records.study import Outcome, Segment, Study
from radoscope.records.telemetry import STRANGERS_CPU
from radoscope.run.events import Ended, RunEvent, Started, Step, Warning_
from radoscope.session.rehearsal import Rehearsal
from radoscope.session.request import StudyRequest
from radoscope.session.session import StudyDone
from radoscope.session.target import Permissions, Target
from radoscope.stats.summarise import summarise
from radoscope.stats.verdict import Slower
from tests.kinds.bundles import unpacked

LIGHT, DEEP = "rbd-4k-randwrite-qd1", "rbd-4k-randwrite-qd16"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A study of seven cells and three rounds, on a sandbox."""
    return unpacked("rounds", tmp_path / "recorded")


class Heard:
    """A listener that keeps all events, and asks for an end after so many segments."""

    def __init__(self, most: int = 10_000) -> None:
        self.events: list[RunEvent] = []
        self.stop = threading.Event()
        self._most = most

    def __call__(self, event: RunEvent) -> None:
        self.events.append(event)
        if len(self.of(Ended)) >= self._most:
            self.stop.set()

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def cells(self) -> list[str]:
        """The cells in the order in which they were measured."""
        return [event.cell.name for event in self.of(Ended)]

    @property
    def words(self) -> str:
        return "\n".join(event.words for event in (*self.of(Step), *self.of(Warning_)))


def play(folder: Path, heard: Heard | None = None, **changes: Any) -> tuple[StudyDone, Study]:
    """Rehearse a bundle. changes: of the plan."""
    hands, heard = Rehearsal(folder), heard or Heard()
    request = hands.request()
    assert request.plan is not None
    request = replace(request, plan=request.plan.model_copy(update=changes))
    done = run_study(request, heard, heard.stop, hands)
    return done, read_study(done.folder)


def edit(folder: Path, change: Callable[[dict[str, Any]], None], file: str = "manifest.json") -> None:
    path = folder / file
    kept = json.loads(path.read_text())
    change(kept)
    path.write_text(json.dumps(kept))


def test_it_replays_every_recorded_segment_and_says_what_it_is(recorded: Path) -> None:
    done, study = play(recorded)
    assert done.complete
    before = read_study(recorded)
    for cell in before.cells:
        then = [one.results[0].iops for one in sorted(before.segments_of(cell.name), key=lambda one: one.round)]
        assert [one.results[0].iops for one in study.segments_of(cell.name)][: len(then)] == then
    assert study.target.startswith(f"rehearsal of {before.id}: ")
    assert "Nothing was measured" in study.notes[0]
    assert study.environment == before.environment
    assert {cell.name: cell.where for cell in study.cells} == {cell.name: cell.where for cell in before.cells}
    assert list(paths.journal().glob("*")) == []


def _times(segment: Segment) -> list[float]:
    series = (*segment.telemetry, *(series for result in segment.results for series in result.series))
    return [time for one in series for time in one.times_s]


def test_times_are_those_of_the_rehearsal_and_segments_follow_one_another(recorded: Path) -> None:
    _, study = play(recorded)
    for one, following in zip(study.segments, study.segments[1:], strict=False):
        assert following.started_at_s == pytest.approx(one.started_at_s + one.seconds)
    before = read_study(recorded)
    for cell in before.cells:
        firsts = (next(one for one in study.segments_of(cell.name) if one.round == 1) for study in (before, study))
        then, now = ([time - one.started_at_s for time in _times(one)] for one in firsts)
        assert now == pytest.approx(then, abs=1e-3)


def test_a_cell_gets_rounds_until_it_is_precise_and_no_more_than_its_time_allows(recorded: Path) -> None:
    _, few = play(recorded, precision=0.9, at_most=1000.0)
    _, many = play(recorded, precision=0.01, at_most=20.0)
    longest = max(one.seconds for one in many.segments)
    for cell in many.cells:
        assert sum(one.seconds for one in many.segments_of(cell.name)) <= 20.0 + longest
        assert len(many.segments_of(cell.name)) > 3
    assert len(few.segments) > 21, "some cell scatters by more than 90 % after three rounds"
    assert len(few.segments_of("network-ping")) < len(many.segments_of("network-ping"))


def test_a_budget_is_used_and_goes_where_it_tells_most(recorded: Path) -> None:
    heard = Heard()
    _, study = play(recorded, heard, budget=120.0, precision=0.05)
    spent = sum(one.seconds for one in study.segments)
    each = {cell.name: len(study.segments_of(cell.name)) for cell in study.cells}
    assert 120.0 - max(one.seconds for one in study.segments) <= spent <= 120.0
    assert heard.of(Started)[0].eta_s == pytest.approx(120.0)
    assert re.search(r"decided: of one 4K write, .+ costs most, \d+%", heard.words), heard.words
    assert max(each.values()) >= 1.5 * min(each.values()), each
    for cell in study.cells:
        rounds = [one.round for one in study.segments_of(cell.name)]
        assert rounds[:3] == [1, 2, 3]
        assert all(after - before <= EVERY for before, after in pairwise(rounds)), "no cell is forgotten"
    kept = json.loads((paths.studies() / study.id / ALLOCATION).read_text())
    assert [one["round"] for one in kept] == list(range(4, 4 + len(kept)))
    for one in kept:
        measured = {segment.cell for segment in study.segments if segment.round == one["round"]}
        assert measured == {*one["chosen"], *one["overdue"]} or one["left_s"] < 20.0


def test_what_a_budget_chooses_is_the_same_for_the_same_segments(recorded: Path) -> None:
    first, second = (play(recorded, budget=60.0)[1] for _ in range(2))
    assert [(one.cell, one.round) for one in first.segments] == [(one.cell, one.round) for one in second.segments]


def test_a_budget_gives_a_complete_study_more_rounds(recorded: Path) -> None:
    done, before = play(recorded, at_most=0.1)
    edit(done.folder, lambda manifest: manifest.update(rehearses=""))
    with pytest.raises(StoreError, match="is complete") as refused:
        resumed(done.folder, {})
    assert "--budget" in refused.value.hint
    request = resumed(done.folder, {}, budget_s=40.0)
    again = run_study(request, Heard(), threading.Event(), Rehearsal(recorded))
    after = read_study(again.folder)
    new = after.segments[len(before.segments) :]
    assert again.complete
    assert after.segments[: len(before.segments)] == before.segments
    assert 30.0 <= sum(one.seconds for one in new) <= 40.0
    assert min(one.round for one in new) == 4


def _others_take(folder: Path, cores: dict[tuple[str, int], float]) -> None:
    """Of the host, in the recorded segments of a cell and a round; elsewhere a tenth of a core."""
    for one in read_manifest(folder).segments:
        assert one.telemetry is not None
        taken = [0.1 if one.round != 2 else 0.2, cores.get((one.cell, one.round), 0.1)]
        series = {"name": STRANGERS_CPU.name, "unit": "1", "times_s": [one.started_at_s] * 2, "values": taken}

        def change(kept: dict[str, Any], series: dict[str, Any] = series) -> None:
            kept["series"] = [*(old for old in kept["series"] if old["name"] != series["name"]), series]

        edit(folder, change, one.telemetry)


def test_a_segment_during_which_others_took_the_host_is_measured_again_and_both_are_kept(recorded: Path) -> None:
    _others_take(recorded, {(LIGHT, 2): 3.0})
    _, study = play(recorded, at_most=1000.0, precision=0.9)
    marked = [one for one in study.segments if one.disturbed]
    assert {one.cell for one in marked} == {LIGHT}
    assert "others used 1.6 cores, usually 0.1" in marked[0].disturbed
    calm = [one for one in study.segments_of(LIGHT) if not one.disturbed]
    assert len(calm) >= 3, "it got another round"
    summary = summarise(study).of(LIGHT)
    assert summary is not None
    assert (summary.segments, summary.failed) == (len(calm), 0)
    assert f"{len(marked)} of {len(calm) + len(marked)} segments do" in summary.remarks[0]
    assert "with the segments during which others used the host" in summary.remarks[1]


def test_what_others_take_all_the_time_disturbs_nothing(recorded: Path) -> None:
    _others_take(recorded, {(one.cell, one.round): 3.0 for one in read_manifest(recorded).segments})
    _, study = play(recorded, at_most=0.1)
    assert not any(one.disturbed for one in study.segments)


def test_a_budget_that_is_too_short_for_an_interval_is_refused() -> None:
    plan = load("quick").model_copy(update={"budget": 20.0})
    with pytest.raises(PlanError, match="a budget of 20 s is too short: 3 rounds of 19 cells") as refused:
        StudyRequest.build(plan, Target())
    assert "--budget" in refused.value.hint


def test_every_round_has_each_cell_once_in_an_order_of_its_own(recorded: Path) -> None:
    heard = Heard()
    play(recorded, heard, at_most=0.1)
    rounds = [heard.cells[number : number + 7] for number in (0, 7, 14)]
    assert len(heard.cells) == 21
    assert all(sorted(one) == sorted(rounds[0]) for one in rounds)
    assert rounds[0] != rounds[1]


def test_an_interrupt_keeps_what_was_measured_and_the_study_goes_on_later(recorded: Path) -> None:
    heard = Heard(most=5)
    done, study = play(recorded, heard)
    assert (done.interrupted, done.complete, len(study.segments)) == (True, False, 5)
    hands = Rehearsal(recorded)
    again = replace(hands.request(), study_id=done.folder.name, resume=True)
    later = Heard()
    done = run_study(again, later, later.stop, hands)
    whole = read_study(done.folder)
    assert done.complete
    assert whole.segments[:5] == study.segments
    for cell in whole.cells:
        assert len({one.round for one in whole.segments_of(cell.name)}) == len(whole.segments_of(cell.name))
        taken = [one.seconds for one in whole.segments_of(cell.name)][:3]
        assert len(set(taken)) == 3, "no recorded segment is played twice while others wait"


def test_a_listener_that_cannot_write_stops_neither_the_study_nor_its_clean_up(recorded: Path) -> None:
    heard = list[RunEvent]()

    def listener(event: RunEvent) -> None:
        heard.append(event)
        if isinstance(event, Ended):
            raise BrokenPipeError(32, "Broken pipe")

    hands = Rehearsal(recorded)
    done = run_study(hands.request(), listener, threading.Event(), hands)
    assert done.complete
    assert isinstance(heard[-1], Ended)
    assert sum(isinstance(event, Ended) for event in heard) == 1
    assert list(paths.journal().glob("*")) == []


def test_a_rehearsal_is_never_gone_on_with_for_real(recorded: Path) -> None:
    done, _ = play(recorded, Heard(most=2))
    with pytest.raises(StoreError, match="is a rehearsal"):
        resumed(done.folder, {})


def _going_on_elsewhere(recorded: Path, target: Target) -> tuple[Rehearsal, StudyRequest]:
    """A study that was begun, and a cluster with another fsid."""
    done, _ = play(recorded, Heard(most=2))
    edit(recorded, lambda status: status.update(fsid="0000"), "environment/ceph-status.json")
    hands = Rehearsal(recorded)
    return hands, replace(hands.request(), study_id=done.folder.name, resume=True, target=target)


def test_it_does_not_go_on_with_another_cluster(recorded: Path) -> None:
    hands, request = _going_on_elsewhere(recorded, Target(conf=Path("/etc/ceph/ceph.conf")))
    with pytest.raises(PlanError, match="measured another cluster"):
        run_study(request, Heard(), threading.Event(), hands)


def test_a_cluster_that_went_with_its_study_is_replaced_and_that_is_said(recorded: Path) -> None:
    hands, request = _going_on_elsewhere(recorded, Target())
    done = run_study(request, Heard(), threading.Event(), hands)
    assert any("another cluster of the same shape" in note for note in read_study(done.folder).notes)


def _sick(status: dict[str, Any]) -> None:
    check = {"severity": "HEALTH_WARN", "summary": {"message": "1 osds down", "count": 1}}
    status["health"] = {"status": "HEALTH_WARN", "checks": {"OSD_DOWN": check}}


def test_a_cluster_that_is_not_well_is_refused_and_leaves_nothing(recorded: Path) -> None:
    edit(recorded, _sick, "environment/ceph-status.json")
    with pytest.raises(SiteError, match="1 osds down"):
        play(recorded)
    assert not list(paths.studies().glob("*"))
    assert not list(paths.journal().glob("*"))


def test_it_is_measured_all_the_same_where_the_user_allows_it(recorded: Path) -> None:
    edit(recorded, _sick, "environment/ceph-status.json")
    hands, heard = Rehearsal(recorded), Heard()
    done = run_study(hands.request(Permissions(allow_unhealthy=True)), heard, heard.stop, hands)
    assert done.complete
    assert "1 osds down" in heard.words


def _mark(outcome: Outcome, cell: str) -> Callable[[dict[str, Any]], None]:
    def change(manifest: dict[str, Any]) -> None:
        for one in manifest["segments"]:
            if one["cell"] == cell:
                one.update(outcome=outcome.value, problem=f"{outcome.value} in the record")

    return change


def test_a_load_that_is_taken_away_is_not_tried_again_nor_is_a_heavier_one(recorded: Path) -> None:
    edit(recorded, _mark(Outcome.WITHHELD, LIGHT))
    edit(recorded, lambda manifest: manifest.update(sandbox=None))
    heard = Heard()
    done, _ = play(recorded, heard)
    assert done.complete
    assert heard.cells.count(LIGHT) == 1
    assert DEEP not in heard.cells
    assert f"{LIGHT}-n2" not in heard.cells
    assert heard.cells.count("rbd-4k-randread-qd1") >= 3


def test_on_a_cluster_that_others_use_the_first_round_goes_from_light_to_heavy(recorded: Path) -> None:
    edit(recorded, lambda manifest: manifest.update(sandbox=None))
    gentle, hard = Heard(), Heard()
    play(recorded, gentle)
    hands = Rehearsal(recorded)
    run_study(hands.request(Permissions(as_hard_as_it_goes=True)), hard, hard.stop, hands)
    in_flight = [event.cell.conditions.in_flight for event in gentle.of(Ended)[:7]]
    assert in_flight == sorted(in_flight)
    assert [event.cell.conditions.in_flight for event in hard.of(Ended)[:7]] != in_flight


def test_a_cell_that_keeps_failing_is_given_up_and_the_others_go_on(recorded: Path) -> None:
    edit(recorded, _mark(Outcome.FAILED, DEEP))
    heard = Heard()
    done, study = play(recorded, heard)
    assert done.complete
    assert [one.outcome for one in study.segments_of(DEEP)] == [Outcome.FAILED] * 2
    assert heard.cells.count(LIGHT) >= 3


def test_the_time_that_is_left_counts_down_to_what_the_last_segment_takes(recorded: Path) -> None:
    heard = Heard()
    play(recorded, heard, at_most=0.1)
    starts, ends = heard.of(Started), heard.of(Ended)
    assert [one.done for one in starts] == list(range(21))
    assert {one.planned for one in starts} == {21}
    assert all(one.eta_high_s >= one.eta_s > 0 for one in starts)
    assert starts[-1].eta_s == pytest.approx(ends[-1].segment.seconds, rel=0.5)
    for number in (7, 14):  # once each cell was seen, what is left is what follows, within the scatter of a cell
        truth = sum(one.segment.seconds for one in ends[number:])
        assert starts[number].eta_s == pytest.approx(truth, rel=0.25)


def test_the_upper_end_of_the_time_left_is_what_cells_may_use(recorded: Path) -> None:
    heard = Heard()
    _, study = play(recorded, heard, precision=0.01, at_most=10.0)
    first = heard.of(Started)[0]
    spent = sum(one.seconds for one in study.segments)
    assert first.eta_s < spent <= first.eta_high_s * 1.25
    assert heard.of(Started)[-1].planned == len(study.segments)


def test_an_experiment_looks_where_it_was_planned_and_finds_the_slower_side(tmp_path: Path) -> None:
    a, b = (unpacked(f"ab-{side}", tmp_path / side) for side in ("a", "b"))
    hands, heard = Rehearsal(a, b), Heard()
    request = rehearsed(hands.request(kind="ab"), a, budget_s=100.0, settle_s=1.0, margin=0.05)
    done = run_ab(request, heard, heard.stop, hands)
    assert done.complete
    assert done.restored
    assert done.schedule is not None
    assert done.pairs in done.schedule.looks
    assert done.seconds <= 100.0
    reads = next(one for one in done.judgements if "randread" in one.cell.name)
    assert isinstance(reads.verdict, Slower)
    assert reads.verdict.by == pytest.approx(1 - 0.49, abs=0.06), "as the experiment itself found"
    comparison = compared(done, 0.05)
    assert comparison is not None
    assert done.folder_b is not None
    assert {read_manifest(folder).kind for folder in (done.folder, done.folder_b)} == {"ab"}


def test_what_has_no_segments_of_cells_cannot_be_rehearsed(tmp_path: Path) -> None:
    for name in ("osd-bench",):
        with pytest.raises(StoreError, match="cannot be rehearsed"):
            Rehearsal(unpacked(name, tmp_path / name))
