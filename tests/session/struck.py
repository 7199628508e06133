"""A study that a fault strikes while it measures."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from radoscope.archives.bundle import read_study
from radoscope.records.study import Outcome
from tests.on_ceph import launch, succeed

CELLS = ("--cells", "r*-4k*write*")


@dataclass(frozen=True)
class Ended:
    """How a study ended after the fault. seconds: from the fault to the end of the process."""

    study: str
    seconds: float
    code: int
    err: str


def struck(
    start: Callable[..., subprocess.Popen[str]], home: Path, words: tuple[str, ...], fault: Callable[[], object]
) -> Ended:
    """Start a study that would go on for an hour, let it measure two segments, inflict a fault, wait for its end."""
    running, study = launch(start, home, *words, *CELLS, segments=2)
    begun = time.monotonic()
    fault()
    _, err = running.communicate(timeout=180)
    return Ended(study, time.monotonic() - begun, running.returncode, err)


def is_kept(home: Path, study: str) -> None:
    """The cells that were measured before the fault are there, and `radoscope show` shows them."""
    kept = read_study(home / "studies" / study)
    assert sum(one.outcome is Outcome.DONE for one in kept.segments) >= 2
    assert not kept.complete
    shown = succeed("show", study)
    assert any(cell.title in shown.stdout or cell.name in shown.stdout for cell in kept.cells)


def check_ended(ended: Ended, within_s: float, *words: str) -> None:
    assert ended.code == 3, ended.err
    assert ended.seconds < within_s
    for each in (*words, "hint:", "--resume"):
        assert each in ended.err, ended.err
    assert "Traceback" not in ended.err
