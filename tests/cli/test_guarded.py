"""A study whose progress nobody can read any more: it goes on, cleans up, and keeps its bundle."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest

from radoscope.run.cleaning import labelled_processes

PLAN = """
name = "pings"
rounds = 3
seconds = "300ms"
at_most = "1ms"
file_size = "16MiB"
[[cells]]
layer = "network"
tool = "ping"
[[cells]]
layer = "disk"
op = "randwrite"
block = "4K"
"""
Stream = int | IO[Any]


@pytest.fixture
def begin(tmp_path: Path) -> Callable[..., subprocess.Popen[bytes]]:
    """Start a study of this host alone, with these streams as its output."""
    (tmp_path / "plan.toml").write_text(PLAN)

    def begun(out: Stream, err: Stream, **options: Any) -> subprocess.Popen[bytes]:
        argv = [sys.executable, "-m", "radoscope", "study", "--plan", str(tmp_path / "plan.toml")]
        environment = {**os.environ, "RADOSCOPE_HOME": str(tmp_path / "home"), "COLUMNS": "120"}
        return subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment, **options)

    return begun


def manifest(home: Path) -> dict[str, Any]:
    [path] = (home / "studies").glob("*/manifest.json")
    kept: dict[str, Any] = json.loads(path.read_text())
    return kept


def wait_for_segments(home: Path, count: int) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if list((home / "studies").glob("*/manifest.json")) and len(manifest(home)["segments"]) >= count:
            return
        time.sleep(0.02)  # another process writes the file; there is nothing to wait on
    raise AssertionError("the study did not get that far")


def nothing_is_left(home: Path) -> None:
    assert labelled_processes(manifest(home)["id"]) == ()
    assert list((home / "journal").glob("*")) == []
    assert list(home.rglob("*.dat")) == []


def test_a_terminal_that_goes_away_does_not_end_the_study(
    begin: Callable[..., subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    """Its other end is closed, and no signal comes: every write fails with EIO."""
    here, there = pty.openpty()
    running = begin(there, there, start_new_session=True)
    os.close(there)
    wait_for_segments(tmp_path / "home", 2)
    os.close(here)
    assert running.wait(timeout=120) == 1, "its results could not be written"
    kept = manifest(tmp_path / "home")
    assert kept["complete"]
    assert len(kept["segments"]) == 6
    nothing_is_left(tmp_path / "home")


def test_a_terminal_that_hangs_up_ends_the_study_in_order(
    begin: Callable[..., subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    """As when ssh drops: SIGHUP comes, and what is said of it cannot be written."""
    here, there = pty.openpty()
    running = begin(there, there, start_new_session=True)
    os.close(there)
    wait_for_segments(tmp_path / "home", 2)
    os.close(here)
    running.send_signal(signal.SIGHUP)
    assert running.wait(timeout=120) == 128 + signal.SIGHUP
    kept = manifest(tmp_path / "home")
    assert not kept["complete"]
    assert len(kept["segments"]) >= 2
    nothing_is_left(tmp_path / "home")


def test_a_pipe_whose_reader_goes_away_does_not_end_the_study(
    begin: Callable[..., subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    running = begin(subprocess.PIPE, subprocess.PIPE)
    assert running.stdout is not None
    assert running.stderr is not None
    running.stderr.readline()
    running.stdout.close()
    running.stderr.close()
    assert running.wait(timeout=120) == 141
    assert manifest(tmp_path / "home")["complete"]
    nothing_is_left(tmp_path / "home")


def test_a_full_disk_behind_the_output_is_told_and_ends_nothing(
    begin: Callable[..., subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    with Path("/dev/full").open("wb") as full:
        running = begin(full, subprocess.PIPE)
        _, err = running.communicate(timeout=120)
    assert running.returncode == 1
    assert b"standard output cannot be written: No space left on device" in err
    assert manifest(tmp_path / "home")["complete"]
    nothing_is_left(tmp_path / "home")


def test_the_reader_of_a_list_may_leave_early(tmp_path: Path) -> None:
    """As with `| head`: no traceback, and the exit code of any tool."""
    argv = [sys.executable, "-m", "radoscope", "catalogue", "drives"]
    running = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stdout is not None
    running.stdout.close()
    _, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (141, b"")
