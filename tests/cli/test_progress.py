"""What a run says while it goes on, heard from a rehearsed study."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import subprocess
import sys
import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from radoscope.cli.progress import Progress
from radoscope.cli.progress import drawn as table_of
from radoscope.kinds.rounds.run import run_study
from radoscope.records.study import Cell, Outcome
from radoscope.run.events import Ended, Now, RunEvent, Started, Step, Warning_
from radoscope.session.rehearsal import Rehearsal
from radoscope.session.standing import Kept, Standing, hearing, line_of, read_lines
from radoscope.stats.segments import rates_of
from radoscope.units import format_count, format_seconds
from tests.kinds.bundles import CAPTURES, unpacked


@pytest.fixture
def events(tmp_path: Path, home: Path) -> list[RunEvent]:
    """All that a study of seven cells and three rounds tells."""
    hands, heard = Rehearsal(unpacked("rounds", tmp_path)), list[RunEvent]()
    run_study(hands.request(), heard.append, threading.Event(), hands)
    return heard


def drawn(events: Iterable[RunEvent], cells: tuple[Cell, ...] = (), *, quiet: bool = False) -> None:
    with Progress(cells, quiet=quiet, to_stderr=True) as progress:
        for event in events:
            progress.on_event(event)


def test_each_segment_is_a_line_with_its_place_its_figure_and_the_time_left(
    events: list[RunEvent], capsys: pytest.CaptureFixture[str]
) -> None:
    drawn(events)
    out, err = capsys.readouterr()
    lines = re.findall(r"^\[\d\d:\d\d\] +(\d+)/(\d+) (\S+) .*(?:IOPS|µs|ms|MB/s) +(.+)$", err, re.MULTILINE)
    assert out == ""
    assert [int(place) for place, *_ in lines] == list(range(1, len(lines) + 1))
    assert {int(planned) for _, planned, *_ in lines} == {21}
    assert all(left.split(",")[0].endswith("left") for *_, left in lines)
    assert "7 s left" not in lines[0][3]
    assert len(lines) == sum(isinstance(event, Ended) for event in events)


def test_steps_and_warnings_are_said_with_the_time(capsys: pytest.CaptureFixture[str]) -> None:
    drawn([Step("making [the] pool"), Warning_("the cluster is HEALTH_WARN")])
    assert capsys.readouterr().err.splitlines() == [
        "[00:00] making [the] pool",
        "[00:00] note: the cluster is HEALTH_WARN",
    ]


def test_a_failed_segment_says_why_instead_of_a_figure(
    events: list[RunEvent], capsys: pytest.CaptureFixture[str]
) -> None:
    started = next(event for event in events if isinstance(event, Started))
    ended = next(event for event in events if isinstance(event, Ended))
    failed = replace(ended.segment, outcome=Outcome.FAILED, problem="fio ended with exit code 1: no space")
    drawn([started, replace(ended, segment=failed)])
    assert "fio ended with exit code 1: no space" in capsys.readouterr().err


def test_quiet_says_nothing(events: list[RunEvent], capsys: pytest.CaptureFixture[str]) -> None:
    drawn(events, quiet=True)
    assert capsys.readouterr() == ("", "")


def test_what_a_tool_prints_moves_the_bar_alone(events: list[RunEvent], capsys: pytest.CaptureFixture[str]) -> None:
    started = next(event for event in events if isinstance(event, Started))
    heard = list[RunEvent]()
    hearing("fio", heard.append)(0, "Jobs: 1 (f=1): [w(1)][50.0%][w=1234 IOPS][eta 00m:01s]")
    assert heard == [Now(1234.0)]
    drawn([started, *heard])
    assert capsys.readouterr().err == ""


def test_on_a_terminal_a_table_shows_the_cells_and_the_time_left(tmp_path: Path) -> None:
    here, there = pty.openpty()
    argv = [sys.executable, "-m", "radoscope", "study", "--rehearse", str(CAPTURES / "rounds.tar.gz")]
    environment = {**os.environ, "RADOSCOPE_HOME": str(tmp_path), "TERM": "xterm", "COLUMNS": "140"}
    running = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=there, stderr=there, env=environment)
    os.close(there)
    seen = b""
    try:
        while chunk := os.read(here, 65536):
            seen += chunk
    except OSError:
        pass  # the other end is closed: the command has ended
    os.close(here)
    assert running.wait(timeout=60) == 0
    assert re.search(r"\d+/21 segments, .*left.*; \d of 7 cells within ±", seen.decode())
    assert re.search(r"rbd-4k-randread-qd1 +[\d,]+ IOPS +±\d", seen.decode())
    assert not re.search(r"^\[\d\d:\d\d\] +\d+/21 rbd", seen.decode(), re.MULTILINE), "no line for each segment"


def test_the_table_says_of_each_cell_what_it_came_to(events: list[RunEvent]) -> None:
    ended = [event for event in events if isinstance(event, Ended)]
    seen = Standing()
    now = Started(ended[0].cell, 4, done=21, planned=22, eta_s=20.0, eta_high_s=20.0)
    for event in (*events, now, Now(1234.0)):
        seen.take(json.loads(json.dumps(line_of(event))))
    console = Console(width=120, file=io.StringIO())
    console.print(table_of(seen, [event.cell.name for event in ended[:7]], 0.5, "00:01"))
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    study_cells = {event.cell.name for event in ended}
    for cell in study_cells:
        own = [event.segment for event in ended if event.cell.name == cell]
        rate = sum(rates_of(own)) / len(own)
        figure = f"{format_count(rate)} IOPS" if own[0].results[0].iops is not None else format_seconds(rate)
        [line] = [line for line in shown.splitlines() if line.startswith(f"{cell} ")]
        assert f" {figure} " in line or "MB/s" in line
        assert f" {len(own)} " in f"{line} "
        assert ("1,234 IOPS" in line) == (cell == ended[0].cell.name)
    assert re.search(r"21/22 segments, 20 s left; \d of 7 cells within ±50 %", shown)


def test_another_process_sees_the_same_while_the_run_goes_on(events: list[RunEvent], tmp_path: Path) -> None:
    here, there, since = Standing(), Standing(), 0
    keep = Kept(tmp_path / "run.events")
    for event in events:
        keep(event)
        here.take(line_of(event))
        lines, since = read_lines(tmp_path / "run.events", since)
        for line in lines:
            there.take(line)
        assert there == here
    assert here.done == sum(isinstance(event, Ended) for event in events) == 21
    (tmp_path / "run.events").unlink()
    with pytest.raises(FileNotFoundError):
        keep(Step("too late"))
    assert read_lines(tmp_path / "run.events", since) == ([], since)


def test_nothing_of_it_is_left_when_the_run_has_ended(events: list[RunEvent], tmp_path: Path) -> None:
    assert events
    assert not list((tmp_path / "home" / "journal").iterdir())
