"""The journal: what stands is known after any death."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from radoscope.ceph import Cluster
from radoscope.errors import SiteError, StoreError
from radoscope.run.cleaning import clean
from radoscope.run.journal import Entry, Journal, journals

pytestmark = pytest.mark.usefixtures("home")


def test_what_was_made_and_not_removed_stands_newest_first() -> None:
    journal = Journal.begin("r1")
    pool, user, file = Entry("pool", "p", {"run": "r1"}), Entry("user", "u"), Entry("file", "/x")
    for entry in (pool, user, file):
        journal.will_create(entry)
    journal.removed(user)
    assert journal.standing() == (file, pool)


def test_a_line_cut_off_by_a_power_loss_is_passed_over() -> None:
    journal = Journal.begin("r1")
    journal.will_create(Entry("pool", "p"))
    with journal.path.open("a") as file:
        file.write('{"act": "create", "kind": "us')
    assert [entry.name for entry in journal.standing()] == ["p"]


def test_the_owner_lives_while_this_process_does() -> None:
    assert Journal.begin("r1").owner_lives()


def test_a_pid_that_came_back_to_another_process_is_not_the_owner() -> None:
    journal = Journal.begin("r1")
    begin, *rest = journal.path.read_text().splitlines()
    changed = {**json.loads(begin), "pid_started": "another boot/1"}
    journal.path.write_text("\n".join([json.dumps(changed), *rest]) + "\n")
    assert not journal.owner_lives()


def test_a_run_that_ended_well_leaves_no_journal() -> None:
    journal = Journal.begin("r1")
    journal.end()
    assert journals() == ()


def test_journals_of_all_runs_are_found() -> None:
    for run in ("r1", "r2"):
        Journal.begin(run).will_create(Entry("pool", run))
    assert {journal.run_id for journal in journals()} == {"r1", "r2"}


def test_on_a_full_disk_what_was_removed_no_longer_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal.begin("r1")
    pool, user = Entry("pool", "p"), Entry("user", "u")
    journal.will_create(pool)
    journal.will_create(user)

    def full(line: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(journal, "_append", full)
    journal.removed(user)
    assert journal.standing() == (pool,)
    with pytest.raises(StoreError, match="No space left"):
        journal.will_create(user)


def test_what_stood_in_a_sandbox_that_is_gone_is_gone(home: Path) -> None:
    journal = Journal.begin("r1")
    journal.will_create(Entry("pool", "radoscope-r1", {"cluster": {"conf": str(home / "sandboxes/x/ceph.conf")}}))
    assert clean(journal, lambda words: None) == ()
    assert not journal.path.exists()


def test_a_cluster_that_does_not_answer_is_asked_once_however_much_is_in_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []

    def silent(cluster: Cluster, timeout_s: float) -> None:
        asked.append(cluster.conf)
        raise SiteError("no answer in time")

    monkeypatch.setattr(Cluster, "connection", silent)
    journal = Journal.begin("r1")
    for kind, name in (("pool", "radoscope-r1"), ("user", "client.radoscope-r1"), ("crush-rule", "radoscope-host-r1")):
        journal.will_create(Entry(kind, name, {"cluster": {"conf": "/nowhere/ceph.conf"}, "run": "r1"}))
    journal.will_create(Entry("file", str(home / "radoscope-r1.dat")))
    assert clean(journal, lambda words: None) == (
        "crush-rule radoscope-host-r1: no answer in time",
        "user client.radoscope-r1: no answer in time",
        "pool radoscope-r1: no answer in time",
    )
    assert asked == [Path("/nowhere/ceph.conf")]


def test_without_a_journal_nothing_is_begun(home: Path) -> None:
    home.parent.mkdir(exist_ok=True)
    home.write_text("a file where the folder should be")
    with pytest.raises(StoreError, match="cannot write the journal"):
        Journal.begin("r1")
