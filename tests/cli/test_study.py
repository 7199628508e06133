"""`radoscope study` as it is called: what has moved, what is refused, and a rehearsal from its command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from radoscope.cli.main import command
from radoscope.cli.study import overridden
from radoscope.errors import PlanError, StoreError
from radoscope.plan import load
from tests.kinds.bundles import CAPTURES

ROUNDS = str(CAPTURES / "rounds.tar.gz")


pytestmark = pytest.mark.usefixtures("home")


def radoscope(*words: str) -> Result:
    return CliRunner().invoke(command, words)


@pytest.mark.parametrize(
    ("words", "verb"),
    [
        (("--scenario", "lose-an-osd"), "radoscope scenario lose-an-osd"),
        (("--sandbox", "lab", "--scenario", "recover"), "radoscope scenario recover"),
        (("--osd-bench",), "radoscope osd-bench"),
    ],
)
def test_what_has_become_a_verb_is_refused_with_its_name(words: tuple[str, ...], verb: str) -> None:
    refused = radoscope("study", *words).exception
    assert isinstance(refused, PlanError)
    assert verb in refused.hint


@pytest.mark.parametrize("verb", ["scenario", "osd-bench"])
def test_a_verb_has_no_option_that_it_does_not_understand(verb: str) -> None:
    for option in ("--client", "--limit", "--resume", "--pool"):
        assert option not in radoscope(verb, "--help").output


def test_dry_runs_of_the_verbs_do_nothing(home: Path) -> None:
    assert "3 rounds over all OSDs" in radoscope("osd-bench", "--rounds", "3", "--dry-run").output
    assert "Scenario lose-an-osd" in radoscope("scenario", "lose-an-osd", "--dry-run").output
    assert "rbd-4k-randwrite-qd1" in radoscope("study", "--dry-run").output
    assert not home.exists()


def test_a_rehearsal_prints_the_study_that_it_replays_and_is_listed(home: Path) -> None:
    done = radoscope("study", "--rehearse", ROUNDS, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["precision"] == 0.6
    assert told["complete"]
    [listed] = json.loads(radoscope("list", "--kind", "rounds", "--json").stdout)["entries"]
    assert listed["id"] == told["study"]
    assert listed["target"].startswith("rehearsal of ")


def test_the_example_that_comes_with_radoscope_shows_every_layer() -> None:
    done = radoscope("study", "--rehearse", "example", "--json")
    assert done.exit_code == 0, done.output
    assert {cell["layer"] for cell in json.loads(done.stdout)["cells"]} == {"disk", "network", "rados", "rbd"}


def test_a_rehearsal_of_an_experiment_prints_its_verdicts(home: Path) -> None:
    sides = (str(CAPTURES / f"ab-{side}.tar.gz") for side in ("a", "b"))
    done = radoscope("ab", "--rehearse", *sides, "--budget", "100s", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["restored"]
    assert told["pairs"] >= 5
    assert not list((home / "journal").glob("*"))


@pytest.mark.parametrize("words", [("--plan", "quick"), ("--cells", "x"), ("--sandbox", "lab"), ("--resume", "x")])
def test_a_rehearsal_heeds_nothing_that_says_what_to_measure(words: tuple[str, str]) -> None:
    refused = radoscope("study", "--rehearse", ROUNDS, *words).exception
    assert isinstance(refused, PlanError)
    assert words[0] in refused.message


def test_a_file_that_is_no_packed_study_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.tar.gz").write_text("no")
    assert isinstance(radoscope("study", "--rehearse", str(tmp_path / "x.tar.gz")).exception, StoreError)


def test_who_says_how_many_rounds_or_how_long_a_cell_has_no_budget() -> None:
    quick = load("quick")
    assert quick.budget is not None
    assert overridden(quick).budget == quick.budget
    assert overridden(quick, rounds=4).budget is None
    assert overridden(quick, at_most="60s").budget is None
    assert overridden(quick, rounds=4, budget="5m").budget == 300
