"""The states of an experiment: reached, shown, restored; and what is said when they are not."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from radoscope.errors import Interrupted, ToolFailed
from radoscope.run.cleaning import clean
from radoscope.run.journal import Journal
from radoscope.run.state import Switch, begin, restore

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "setting"
    path.write_text("found\n")
    return path


def switch(file: Path, **changed: object) -> Switch:
    values = {"a": f"echo a > {file}", "b": f"echo b > {file}", "show": f"cat {file}", **changed}
    return Switch(**values)  # type: ignore[arg-type]


def test_a_is_restored_from_the_journal_alone(file: Path) -> None:
    journal = Journal.begin("r1")
    begun = begin(switch(file), journal)
    assert (begun.found, begun.shown) == ("found", "a")
    switch(file).to("b")
    assert file.read_text() == "b\n"
    words: list[str] = []
    assert clean(Journal(journal.path), words.append, {"state": restore}) == ()
    assert file.read_text() == "a\n"
    assert words[0].startswith("restoring state A, which is `echo a")
    assert not journal.path.exists()


def test_a_state_that_does_not_come_back_is_told_and_stays_in_the_journal(file: Path) -> None:
    journal = Journal.begin("r1")
    once = f"test -e {file}.used || echo a > {file}; touch {file}.used"
    begin(switch(file, a=once), journal)
    switch(file).to("b")
    [left] = clean(journal, lambda words: None, {"state": restore})
    assert "state A was not restored" in left
    assert "'b'" in left
    assert "'a'" in left
    assert journal.standing()


def test_a_state_of_a_sandbox_that_was_taken_down_is_tried_once_and_then_no_longer_listed(
    file: Path, home: Path
) -> None:
    """Tried, for it may be a setting of this host."""
    conf = home / "sandboxes/x/ceph.conf"
    conf.parent.mkdir(parents=True)
    conf.write_text("[global]\n")
    journals = [Journal.begin(name) for name in ("r1", "r2")]
    in_cluster = switch(file, a=f"cat {conf}", show=None, environment=(("CEPH_CONF", str(conf)),))
    of_host = switch(file, environment=(("CEPH_CONF", str(conf)),))
    for journal, state in zip(journals, (in_cluster, of_host), strict=True):
        begin(state, journal)
        state.to("b")
    conf.unlink()
    words: list[str] = []
    assert [clean(journal, words.append, {"state": restore}) for journal in journals] == [(), ()]
    assert words[1].startswith("not restored, for its sandbox was taken down: state A")
    assert file.read_text() == "a\n"
    assert not any(journal.path.exists() for journal in journals)


def test_where_a_fails_nothing_was_switched_so_nothing_stands(file: Path) -> None:
    journal = Journal.begin("r1")
    with pytest.raises(
        ToolFailed, match="state A was not reached: `false` failed with exit code 1: it printed nothing"
    ):
        begin(switch(file, a="false"), journal)
    assert journal.standing() == ()


def test_before_a_there_may_be_nothing_to_show(file: Path) -> None:
    begun = begin(switch(file, show=f"grep -x a {file}"), Journal.begin("r1"))
    assert (begun.found, begun.shown) == (None, "a")


def test_what_a_command_says_when_it_fails_is_told() -> None:
    with pytest.raises(ToolFailed, match="exit code 3: no such pool") as caught:
        Switch(a="true", b="echo no such pool >&2; exit 3").to("b")
    assert "state B was not reached" in caught.value.message
    assert caught.value.hint


def test_a_command_that_hangs_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    hanging = f"sh -c 'echo $$ > {tmp_path}/pid; sleep 100' & wait"
    begun = time.monotonic()
    with pytest.raises(ToolFailed, match="did not end within 1 s"):
        Switch(a="true", b=hanging, longest_s=1.0).to("b")
    assert time.monotonic() - begun < 20
    pid = int((tmp_path / "pid").read_text())
    while not _gone(pid):  # it was killed, and dies when it is its turn
        assert time.monotonic() - begun < 20


def test_an_interrupt_ends_a_command_that_hangs() -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Interrupted):
        Switch(a="true", b="true; sleep 100").to("b", stop)


def test_a_command_that_leaves_a_daemon_behind_has_ended(tmp_path: Path) -> None:
    begun = time.monotonic()
    Switch(a="true", b=f"sleep 100 & echo $! > {tmp_path}/pid").to("b")
    assert time.monotonic() - begun < 20
    pid = int((tmp_path / "pid").read_text())
    assert not _gone(pid)

    os.kill(pid, 9)


def test_commands_find_the_cluster_in_their_environment(tmp_path: Path) -> None:
    to = Switch(a="true", b=f'echo "$CEPH_CONF" > {tmp_path}/x', environment=(("CEPH_CONF", "/etc/mine.conf"),))
    to.to("b")
    assert (tmp_path / "x").read_text() == "/etc/mine.conf\n"


def test_a_state_may_be_a_command_of_radoscope_wherever_that_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert Switch(a="true", b="true", show="radoscope --version").shown()


def test_commands_run_where_the_cluster_can_be_reached() -> None:
    assert Switch(a="true", b="true", show='echo "$WHERE"', prefix=("env", "WHERE=h1")).shown() == "h1"


def _gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"
