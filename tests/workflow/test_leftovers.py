"""`radoscope clean RUN`: what this run left, and nothing of another one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from radoscope import paths
from radoscope.cli import clean
from radoscope.errors import StoreError
from radoscope.run.bundle import Bundle, new_manifest
from radoscope.run.journal import Journal
from radoscope.run.litter import Marked
from radoscope.run.state import Switch, begin
from radoscope.workflow import leftovers
from radoscope.workflow.leftovers import clean_up, left_by, what_is_left


@pytest.fixture
def dead(tmp_path: Path, home: Path) -> tuple[Path, ...]:
    """A file each that the runs "one" and "two" have changed and had to change back."""
    files = tuple(tmp_path / name for name in ("one", "two"))
    for file in files:
        journal = Journal.begin(file.name)
        switch = Switch(a=f"echo a > {file}", b=f"echo b > {file}", show=f"cat {file}")
        begin(switch, journal)
        switch.to("b")
        owner, *lines = journal.path.read_text().splitlines()
        owner = json.dumps({**json.loads(owner), "pid_started": "another boot/1"})
        journal.path.write_text("\n".join([owner, *lines]) + "\n")
    return files


def test_one_run_is_cleaned_and_the_other_left_as_it_is(dead: tuple[Path, ...]) -> None:
    done = CliRunner().invoke(clean.command, ["one", "--yes"])
    assert done.exit_code == 0, done.output
    assert [file.read_text() for file in dead] == ["a\n", "b\n"]
    assert clean_up(left_by(["two"]), lambda words: None) == ()
    assert [file.read_text() for file in dead] == ["a\n", "a\n"]


def test_a_run_that_goes_on_is_not_touched(dead: tuple[Path, ...]) -> None:
    journal = Journal.begin("goes-on")
    left = left_by(["goes-on"])
    assert not left.anything
    assert left.running == ("goes-on",)
    assert journal.path.exists()


def test_a_study_that_was_killed_before_its_manifest_was_whole_is_no_study_and_is_removed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """Nothing of the program runs behind it, as behind kill -9."""

    def save(bundle: Bundle) -> None:
        raise Killed

    monkeypatch.setattr(Bundle, "save", save)
    with pytest.raises(Killed):
        Bundle.create(new_manifest("cut-off", {}, "somewhere", 0.0, ()))
    (folder,) = what_is_left().folders
    assert list((home / "studies").glob("[!.]*")) == []
    assert clean_up(what_is_left(), lambda words: None) == ()
    assert not folder.exists()
    assert not what_is_left().anything


def test_a_study_that_begins_at_this_moment_is_left_alone(home: Path) -> None:
    Journal.begin("begins")
    paths.begun_study("begins").mkdir(parents=True)
    assert what_is_left().folders == ()


def test_a_run_that_left_nothing_is_named(dead: tuple[Path, ...]) -> None:
    with pytest.raises(StoreError, match="no run three has left anything here") as told:
        left_by(["one", "three"])
    assert "radoscope clean --dry-run" in told.value.hint


def test_a_run_that_is_named_beside_a_cluster_is_cleaned_by_its_journal(
    dead: tuple[Path, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clean, "_cluster", lambda conf, named: object())
    monkeypatch.setattr(leftovers, "_marked", lambda cluster, runs, hosts: Marked())
    done = CliRunner().invoke(clean.command, ["one", "--conf", "/etc/ceph/ceph.conf", "--yes"])
    assert done.exit_code == 0, done.output
    assert [file.read_text() for file in dead] == ["a\n", "b\n"]
