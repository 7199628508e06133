"""What the tests of whole studies share."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


@pytest.fixture
def plan(tmp_path: Path) -> Callable[[str], str]:
    """Write a plan, and say where."""

    def written(text: str) -> str:
        path = tmp_path / "plan.toml"
        path.write_text(text)
        return str(path)

    return written


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start the command in the background; what still runs when the test is over is ended in order."""
    running: list[subprocess.Popen[str]] = []

    def started(*words: str) -> subprocess.Popen[str]:
        argv = [sys.executable, "-m", "radoscope", *words]
        pipe = subprocess.PIPE
        running.append(subprocess.Popen(argv, stdout=pipe, stderr=pipe, text=True, stdin=subprocess.DEVNULL))
        return running[-1]

    yield started
    for process in running:
        if process.poll() is None:
            process.terminate()
            process.communicate(timeout=120)
