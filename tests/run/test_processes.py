"""Groups of processes: started together, stopped gently, never left behind. Real processes throughout."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from radoscope.errors import ToolFailed
from radoscope.run import processes
from radoscope.run.cleaning import labelled_processes, remove_entry
from radoscope.run.journal import Entry
from radoscope.run.prepared import LoadCommand
from radoscope.run.processes import Ahead, Placed, Ran, run_together
from radoscope.sites import Local
from radoscope.tools import call
from tests.labels import label_of


def shell(script: str, name: str = "client-0", timeout_s: float = 30) -> LoadCommand:
    return LoadCommand(argv=("sh", "-c", script), reader="", name=name, output=f"{name}.out", timeout_s=timeout_s)


def run(
    folder: Path,
    *commands: LoadCommand,
    stop: threading.Event | None = None,
    heard: list[tuple[int, str]] | None = None,
) -> Ran:
    return run_together(
        [Placed(command, Local()) for command in commands],
        folder=folder,
        label=label_of(folder),
        stop=stop or threading.Event(),
        on_text=lambda client, text: (heard if heard is not None else []).append((client, text)),
    )


def test_output_is_kept_verbatim_and_heard(tmp_path: Path) -> None:
    heard: list[tuple[int, str]] = []
    ran = run(tmp_path, shell("printf 'a\\rb'; echo c >&2"), heard=heard)
    assert ran == Ran((0,))
    assert (tmp_path / "client-0.out").read_bytes() == b"a\rb"
    assert (tmp_path / "client-0.err").read_bytes() == b"c\n"
    assert "".join(text for _, text in heard) == "a\rb"


def test_all_clients_run_at_the_same_time(tmp_path: Path) -> None:
    """Each waits for the other's file: one after the other would never end."""
    one = shell("touch one; until [ -e two ]; do sleep 0.01; done", "client-1")
    two = shell("touch two; until [ -e one ]; do sleep 0.01; done", "client-2")
    assert run(tmp_path, one, two).exit_codes == (0, 0)


def test_exit_codes_come_in_the_order_of_the_commands(tmp_path: Path) -> None:
    assert run(tmp_path, shell("exit 3", "a"), shell("exit 0", "b")).exit_codes == (3, 0)


def test_a_stop_lets_a_tool_write_its_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Of a machine that stands still for longer than the patience nothing is to be learnt here.
    monkeypatch.setattr(processes, "_PATIENCE_S", 60.0)
    stop = threading.Event()
    heard: list[tuple[int, str]] = []

    class Stopping(list[tuple[int, str]]):
        def append(self, item: tuple[int, str]) -> None:
            heard.append(item)
            stop.set()

    ran = run(
        tmp_path,
        shell("trap 'echo result; exit 0' INT; echo ready; while :; do sleep 0.05; done"),
        stop=stop,
        heard=Stopping(),
    )
    assert ran.stopped
    assert not ran.hung
    assert (tmp_path / "client-0.out").read_text() == "ready\nresult\n"


def state_of(pid: int) -> str:
    """One letter, as in ps: T is one that stands still."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_work_that_is_held_stands_still_and_its_time_with_it_and_then_goes_on(tmp_path: Path) -> None:
    begun: list[int] = []
    seen: list[str] = []

    def hold() -> bool:
        """For longer than the command's time: it is asked five times a second."""
        if begun and seen.count("T") < 12:
            seen.append(state_of(begun[0]))
        if seen.count("T") < 12:
            return True
        (tmp_path / "go").touch()
        return False

    ran = run_together(
        # Built-in commands alone: a shell that is stopped between vfork and exec of a child is in state D for ever.
        [Placed(shell("while [ ! -e go ]; do :; done; echo done", timeout_s=2.0), Local())],
        folder=tmp_path,
        label=label_of(tmp_path),
        stop=threading.Event(),
        on_text=lambda client, text: None,
        on_start=lambda running: begun.append(running[0].group),
        hold=hold,
    )
    assert ran == Ran((0,))


def test_a_stop_reaches_work_that_stands_still(tmp_path: Path) -> None:
    stop = threading.Event()
    held = iter((True, True, True))

    def hold() -> bool:
        if next(held, None) is None:
            stop.set()
        return True

    ran = run_together(
        [Placed(shell("trap 'echo result; exit 0' INT; while :; do sleep 0.05; done"), Local())],
        folder=tmp_path,
        label=label_of(tmp_path),
        stop=stop,
        on_text=lambda client, text: None,
        hold=hold,
    )
    assert ran.stopped
    assert not ran.hung
    assert (tmp_path / "client-0.out").read_text() == "result\n"


def test_a_tool_over_its_time_is_named_and_ended(tmp_path: Path) -> None:
    ran = run(tmp_path, shell("sleep 60", timeout_s=0.3))
    assert ran.hung == ("client-0",)
    assert ran.exit_codes[0] != 0


def test_a_tool_that_ignores_the_request_is_killed(tmp_path: Path) -> None:
    begun = time.monotonic()
    ran = run(tmp_path, shell("trap '' INT; while :; do sleep 0.2; done", timeout_s=0.2))
    assert ran.exit_codes == (-9,)
    assert time.monotonic() - begun < 15


def test_no_process_of_a_group_survives_an_error(tmp_path: Path) -> None:
    missing = LoadCommand(argv=("no-such-tool",), reader="", name="b", output="b.out", timeout_s=5)
    with pytest.raises(ToolFailed, match="no-such-tool is not installed"):
        run(tmp_path, shell("sleep 60", "a"), missing)
    assert labelled_processes(label_of(tmp_path)) == ()


def test_processes_of_a_dead_run_are_found_by_their_label_and_ended(tmp_path: Path) -> None:
    import os
    import subprocess

    from radoscope.run.processes import LABEL

    label = label_of(tmp_path)
    child = subprocess.Popen(
        ["sh", "-c", "echo begun; read -r line"],
        env={**os.environ, LABEL: label},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == b"begun\n", "in the middle of exec a process has no environment yet"
        assert labelled_processes(label) == (child.pid,)
        remove_entry(Entry("processes", label))
        assert labelled_processes(label) == ()
    finally:
        child.kill()
        child.wait()


def test_a_failing_command_tells_the_tools_own_last_words() -> None:
    with pytest.raises(ToolFailed, match="cannot do that"):
        call(["sh", "-c", "echo cannot do that >&2; exit 1"])


def test_a_command_that_does_not_end_is_given_up() -> None:
    with pytest.raises(ToolFailed, match="did not answer within"):
        call(["sleep", "60"], timeout_s=0.2)


def test_a_missing_tool_names_its_package() -> None:
    from radoscope.tools import missing

    assert "apt-get install ceph-common" in missing("rbd").hint


def gated(script: str, name: str = "client-0") -> LoadCommand:
    """As fio does it: connect, tell, wait for the line."""
    waits = f"touch {name}.ready; read -r line || exit 7; {script}"
    return LoadCommand(argv=("sh", "-c"), reader="", name=name, output=f"{name}.out", timeout_s=30, gate=(waits,))


def test_clients_that_wait_ready_begin_together_when_their_turn_comes(tmp_path: Path) -> None:
    placed = [Placed(gated("echo began", name), Local()) for name in ("client-0", "client-1")]
    assert Ahead.can(placed)
    ahead = Ahead(placed, tmp_path, label_of(tmp_path))
    ahead.await_ready(threading.Event())
    assert sorted(path.name for path in tmp_path.glob("*.ready")) == ["client-0.ready", "client-1.ready"]
    assert [(tmp_path / f"{name}.out").read_text() for name in ("client-0", "client-1")] == ["", ""]
    begun: list[int] = []
    ran = ahead.run(
        stop=threading.Event(), on_text=lambda client, text: None, on_start=lambda running: begun.append(len(running))
    )
    assert (ran.exit_codes, begun) == ((0, 0), [2])
    assert (tmp_path / "client-1.out").read_text() == "began\n"
    assert list(tmp_path.glob("*.ready")) == []


def test_clients_whose_turn_does_not_come_are_ended_and_do_nothing(tmp_path: Path) -> None:
    ahead = Ahead([Placed(gated("echo began"), Local())], tmp_path, label_of(tmp_path))
    ahead.await_ready(threading.Event())
    assert labelled_processes(label_of(tmp_path))
    ahead.close()
    assert not labelled_processes(label_of(tmp_path))
    assert (tmp_path / "client-0.out").read_text() == ""


def test_a_client_that_dies_before_its_turn_fails_its_segment(tmp_path: Path) -> None:
    broken = replace(gated("true"), gate=("echo no such image >&2; exit 3",))
    ahead = Ahead([Placed(broken, Local())], tmp_path, label_of(tmp_path))
    ahead.await_ready(threading.Event())
    ran = ahead.run(stop=threading.Event(), on_text=lambda client, text: None)
    assert (ran.exit_codes, ran.failed) == ((3,), 0)
    assert "no such image" in (tmp_path / "client-0.err").read_text()


def test_where_nobody_opens_the_gate_any_more_no_load_begins(tmp_path: Path) -> None:
    """As after a kill -9: the pipe closes without a line."""
    ahead = Ahead([Placed(gated("echo began"), Local())], tmp_path, label_of(tmp_path))
    ahead.await_ready(threading.Event())
    [client] = ahead._clients
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.process.wait(timeout=10) == 7
    ahead.close()
    assert (tmp_path / "client-0.out").read_text() == ""


def test_only_what_has_a_gate_and_is_here_can_wait(tmp_path: Path) -> None:
    assert not Ahead.can([Placed(shell("true"), Local())])
    assert not Ahead.can([Placed(gated("true"), Local(), folder=tmp_path)])
