"""What the tests on beds share: a plan of seconds, a command as a user starts it, what a bed's host says."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.small_plans import DISK, RBD, cell, endless_plan, network, tiny_plan

BEDS = Path(os.environ.get("BEDS", Path.home() / ".cache/radoscope/beds"))

WITH_FIO = ("--image", "localhost/load:20")
"""Beside the cluster's own image, which has none, as those of Ceph."""

_CELLS = (DISK, network("ping"), cell("rados", op="write", queue_depth=4), RBD)
PLAN = tiny_plan(*_CELLS, name="bed", rounds=1, seconds="2s", ramp="500ms", at_most="2s")
ENDLESS = endless_plan(*_CELLS, name="bed", seconds="2s", ramp="500ms")


@dataclass(frozen=True)
class Bed:
    """script: beside this file. state: where it keeps what it has started."""

    script: Path
    state: Path

    def is_up(self, host: str) -> bool:
        return (self.state / f"{host}.pid").exists()

    def radoscope(self, *words: str) -> list[str]:
        """The argv of radoscope on this machine, with the network of the bed's hosts."""
        return [str(self.script), "in", sys.executable, "-m", "radoscope", *words]

    def says(self, *words: str, timeout: float = 60) -> str:
        """What a command of the bed prints, such as `run c1 CMD`."""
        argv = [str(self.script), *words]
        return subprocess.run(argv, capture_output=True, text=True, timeout=timeout, check=True).stdout


def refused(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """Told in a few sentences with a hint, and no trace."""
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr, done.stderr
    error = done.stderr.strip().split("error")[-1]
    assert len(error) < 900, done.stderr


CEPHADM = Bed(Path(__file__).with_name("bed"), BEDS / "state")
KUBERNETES = Bed(Path(__file__).with_name("kube"), BEDS / "kubernetes/state")
