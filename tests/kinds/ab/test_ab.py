"""Experiments from beginning to end, rehearsed: a `ping` of the test's own answers as the state tells it to.

By the clock of these tests a pair takes half a second: a budget of 5 s is ten pairs.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import pytest

from radoscope import paths
from radoscope.errors import Interrupted, PlanError, ToolFailed
from radoscope.kinds.ab import side
from radoscope.kinds.ab.experiments import of_commands
from radoscope.kinds.ab.pairs import order, schedule
from radoscope.kinds.ab.run import AbRequest, compared, run_ab
from radoscope.plan.schema import Plan, check_plan
from radoscope.run import probes
from radoscope.run.events import Ended, RunEvent, Step, Warning_
from radoscope.session.hands import Real
from radoscope.session.request import StudyRequest
from radoscope.session.target import Target
from radoscope.stats.values import Undecided
from radoscope.stats.verdict import Equivalent, Faster, Slower
from radoscope.workflow import load_study
from tests.decided import known

# Answers with a round trip that wanders by 2 %, and is as long as the file `rtt` says; counts its calls.
PING = """#!/bin/sh
echo >> {folder}/calls
rtt=$(cat {folder}/rtt)
test "$rtt" = fail && { echo cannot >&2; exit 1; }
awk -v rtt="$rtt" -v n="$(wc -l < {folder}/calls)" 'BEGIN {
  srand(n); mean = rtt * (0.98 + 0.04 * rand())
  print "20 packets transmitted, 20 received, 0% packet loss, time 190ms"
  printf "rtt min/avg/max/mdev = %.6f/%.6f/%.6f/0.001 ms\\n", mean / 2, mean, mean * 2
}'
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path / "home"))
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "ping").write_text(PING.replace("{folder}", str(tmp_path)))
    (tools / "ping").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    (tmp_path / "rtt").write_text("1.0")
    monkeypatch.setattr(probes.host, "capture", lambda site: {})  # its commands take longer than all segments
    ticks = count(step=0.5)
    monkeypatch.setattr(Real, "clock", lambda self: next(ticks))
    return tmp_path


@pytest.fixture
def plan() -> Plan:
    return check_plan({"name": "pings", "seconds": "10ms", "cells": [{"layer": "network", "tool": "ping"}]}, "test")


class Heard:
    """A listener that keeps all events, and can act on one of them."""

    def __init__(self, act: Callable[[RunEvent, Heard], None] = lambda event, heard: None) -> None:
        self.events: list[RunEvent] = []
        self._act = act

    def __call__(self, event: RunEvent) -> None:
        self.events.append(event)
        self._act(event, self)

    def words(self) -> str:
        return "\n".join(event.words for event in self.events if isinstance(event, Step | Warning_))

    def segments(self) -> int:
        return sum(isinstance(event, Ended) for event in self.events)


def an_experiment(folder: Path, plan: Plan, rtt: str = "1.0", *, budget_s: float = 60.0, **commands: str) -> AbRequest:
    setting = folder / "rtt"
    given = {"a": f"echo 1.0 > {setting}", "b": f"echo {rtt} > {setting}", "show": f"cat {setting}", **commands}
    return AbRequest(
        study=StudyRequest.build(plan, Target()),
        experiment=of_commands(given["a"], given["b"], given["show"]),
        budget_s=budget_s,
        settle_s=0.0,
    )


def run(request: AbRequest, heard: Heard | None = None, stop: threading.Event | None = None) -> Any:
    return run_ab(request, heard or Heard(), stop or threading.Event())


def restored(folder: Path) -> bool:
    return (folder / "rtt").read_text() == "1.0\n" and not list(paths.journal().glob("*"))


def test_a_slower_b_is_found_and_a_is_restored(folder: Path, plan: Plan) -> None:
    done = run(an_experiment(folder, plan, "1.5", budget_s=5))
    [judged] = done.judgements
    assert isinstance(judged.verdict, Slower)
    assert judged.verdict.by == pytest.approx(0.5, abs=0.05)
    assert not judged.higher_is_better
    assert done.complete
    assert restored(folder)
    assert (done.shown, done.shown_b, done.restored) == ("1.0", "1.5", True)


def test_a_faster_b_is_faster_and_the_same_is_equivalent(folder: Path, plan: Plan) -> None:
    [faster] = run(an_experiment(folder, plan, "0.8", budget_s=5)).judgements
    [same] = run(an_experiment(folder, plan, "1.0", budget_s=5, b="true")).judgements
    assert isinstance(faster.verdict, Faster)
    assert isinstance(same.verdict, Equivalent)


def test_both_sides_are_studies_that_compare_gives_the_same_verdict(folder: Path, plan: Plan) -> None:
    done = run(an_experiment(folder, plan, "1.5", budget_s=5))
    assert done.folder_b == done.folder.with_name(f"{done.folder.name}-b")
    a, b = load_study(str(done.folder)), load_study(str(done.folder_b))
    assert [s.round for s in sorted(a.segments, key=lambda s: s.round)] == list(range(1, done.pairs + 1))
    assert len(a.segments) == len(b.segments)
    assert "State A of an A/B experiment" in a.notes[0]
    assert a.id in b.notes[0]
    from radoscope.stats.compare import compare

    [later] = compare([a], [[b]])
    now = compared(done, 0.05)
    assert now is not None
    assert type(later.cells[0].verdict) is type(now.cells[0].verdict) is Slower
    assert "paired" in known(later.cells[0].headline.ratio).method
    assert known(later.cells[0].headline.ratio).value == pytest.approx(known(now.cells[0].headline.ratio).value)
    assert "Kim and DeMets" in now.correction


def test_states_that_are_conditions_are_kept_with_the_segments_of_each(
    folder: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "radoscope.kinds.ab.run.instead", lambda cell, other: replace(cell, conditions=other, title="B")
    )
    asked = an_experiment(folder, plan, budget_s=5)
    states = of_commands(": none", ": writeback", None)
    experiment = replace(states, name="vm-cache writeback", b_of=lambda asked: replace(asked, cache="writeback"))
    done = run(replace(asked, experiment=experiment))
    a, b = load_study(str(done.folder)), load_study(str(done.folder_b))
    assert [(study.cells[0].title, study.cells[0].conditions.cache) for study in (a, b)][1] == ("B", "writeback")
    assert a.cells[0].conditions.cache == ""
    assert a.cells[0].name == b.cells[0].name
    assert len(a.segments) == len(b.segments) > 0
    [judged] = done.judgements
    assert isinstance(judged.verdict, Equivalent)
    repeated = side.repeat(replace(b, payload=side.read(done.folder_b, b)))
    assert repeated[-3:] == ("--experiment", "vm-cache", "writeback")


def test_each_block_of_two_pairs_holds_both_orders_and_the_seed_fixes_them() -> None:
    orders = [order("seed", pair) for pair in range(1, 201)]
    for first, second in zip(orders[::2], orders[1::2], strict=True):
        assert first == second[::-1]
    assert orders == [order("seed", pair) for pair in range(1, 201)]
    starts = [first[0] for first in orders[::2]]
    assert 30 < starts.count("a") < 70


@pytest.mark.parametrize("pairs", [5, 6, 9, 11, 12, 23, 40, 53, 200, 1000])
def test_looks_come_early_then_further_apart_and_the_last_is_the_end(pairs: int) -> None:
    looks = schedule(pairs).looks
    assert 5 <= looks[0] <= 6
    assert pairs - 1 <= looks[-1] <= pairs
    gaps = [after - before for before, after in pairwise(looks)]
    assert all(gap >= 2 for gap in gaps)
    assert all(gap <= max(2, 0.5 * look) for gap, look in zip(gaps, looks, strict=False))
    assert len(looks) < 22


def test_the_segments_before_the_first_pair_are_not_counted(folder: Path, plan: Plan) -> None:
    heard = Heard()
    done = run(an_experiment(folder, plan, "1.5", budget_s=5), heard)
    calls = len((folder / "calls").read_text().splitlines())
    assert heard.segments() == 2 * done.pairs
    assert calls == heard.segments() + 2


def test_states_that_look_the_same_are_told(folder: Path, plan: Plan) -> None:
    heard = Heard()
    run(an_experiment(folder, plan, "1.0", budget_s=5), heard)
    assert "A and B look identical" in heard.words()


def test_when_a_is_not_what_was_found_it_is_told(folder: Path, plan: Plan) -> None:
    (folder / "rtt").write_text("7.0")
    heard = Heard()
    run(an_experiment(folder, plan, "1.5", budget_s=5), heard)
    assert "before state A" in heard.words()
    assert "'7.0'" in heard.words()
    assert restored(folder)


@pytest.mark.parametrize("where", ["b", "a", "show"])
def test_a_state_command_that_fails_from_the_beginning_leaves_nothing(folder: Path, plan: Plan, where: str) -> None:
    broken: dict[str, Any] = {where: "echo broken >&2; exit 7"}
    with pytest.raises(ToolFailed, match="exit code 7: broken"):
        run(an_experiment(folder, plan, "1.5", **broken))
    assert (folder / "rtt").read_text().strip() == "1.0"
    assert not list(paths.journal().glob("*"))
    assert not list(paths.studies().glob("*"))


def test_a_state_command_that_fails_later_keeps_what_was_measured(folder: Path, plan: Plan) -> None:
    twice = f"echo >> {folder}/tries; test $(wc -l < {folder}/tries) -lt 4 && echo 1.5 > {folder}/rtt"
    done = run(an_experiment(folder, plan, b=twice))
    assert done.problem is not None
    assert done.problem.exit_code == 4
    assert "state B was not reached" in done.problem.message
    assert not done.complete
    assert done.pairs >= 2
    assert [one.pairs for one in done.judgements] == [done.pairs]
    assert isinstance(done.judgements[0].verdict, Undecided) == (done.pairs < 5)
    assert restored(folder)
    assert load_study(str(done.folder)).segments


def test_a_state_command_that_hangs_is_ended_and_a_restored(folder: Path, plan: Plan) -> None:
    request = replace(an_experiment(folder, plan, b="sleep 100"), longest_switch_s=0.5)
    with pytest.raises(ToolFailed, match="did not end within"):
        run(request)
    assert (folder / "rtt").read_text().strip() == "1.0"


def test_a_that_cannot_be_restored_is_told_and_stays_known(folder: Path, plan: Plan) -> None:
    twice = f"echo >> {folder}/tries; test $(wc -l < {folder}/tries) -lt 3 && echo 1.0 > {folder}/rtt"
    done = run(an_experiment(folder, plan, "1.5", budget_s=5, a=twice))
    assert not done.restored
    assert done.problem is not None
    [left] = done.left
    assert "state A was not reached" in left
    assert [path.suffix for path in paths.journal().glob("*")] == [".jsonl"]


def test_an_interrupt_keeps_whole_pairs_and_restores_a(folder: Path, plan: Plan) -> None:
    before_the_first_look = 11  # segments: a look at six pairs may decide and end it
    stop = threading.Event()
    heard = Heard(lambda event, heard: stop.set() if heard.segments() == before_the_first_look else None)
    done = run(an_experiment(folder, plan, "1.02"), heard, stop)
    assert done.interrupted
    assert not done.complete
    assert done.pairs == 5
    assert done.judgements[0].pairs == 5
    assert restored(folder)


def test_an_interrupt_before_the_first_pair_leaves_nothing(folder: Path, plan: Plan) -> None:
    stop = threading.Event()
    heard = Heard(lambda event, heard: stop.set() if "state B" in heard.words() else None)
    with pytest.raises(Interrupted):
        run(an_experiment(folder, plan, "1.5"), heard, stop)
    assert (folder / "rtt").read_text().strip() == "1.0"
    assert not list(paths.studies().glob("*"))


def test_a_cell_that_fails_twice_in_a_row_is_given_up(folder: Path, plan: Plan) -> None:
    done = run(an_experiment(folder, plan, b=f"echo fail > {folder}/rtt"))
    [judged] = done.judgements
    assert isinstance(judged.verdict, Undecided)
    assert "in state B it failed twice in a row" in judged.verdict.because
    assert "cannot" in judged.verdict.because
    assert restored(folder)


def test_time_that_is_too_short_for_a_look_is_refused_before_anything_is_made(folder: Path, plan: Plan) -> None:
    with pytest.raises(PlanError, match="too short") as caught:
        run(an_experiment(folder, plan, budget_s=0.5))
    assert "--budget" in caught.value.hint
    assert not paths.studies().exists()


def test_the_journal_restores_a_after_a_death(folder: Path, plan: Plan) -> None:
    """What a dead run leaves: B stands, and its journal. `radoscope clean` reads nothing else."""
    from radoscope.run.journal import Journal
    from radoscope.run.state import Switch, begin
    from radoscope.workflow.leftovers import clean_up, what_is_left

    journal = Journal.begin("dead")
    switch = Switch(a=f"echo 1.0 > {folder}/rtt", b=f"echo 1.5 > {folder}/rtt", show=f"cat {folder}/rtt")
    begin(switch, journal)
    switch.to("b")
    lines = journal.path.read_text().splitlines()
    owner = {**json.loads(lines[0]), "pid_started": "another boot/1"}
    journal.path.write_text("\n".join([json.dumps(owner), *lines[1:]]) + "\n")
    left = what_is_left()
    mine = replace(left, sandbox_parts=(), folders=())
    assert [[entry.kind for entry in entries] for _, entries in mine.journals] == [["state"]]
    assert clean_up(mine, lambda words: None) == ()
    assert restored(folder)
