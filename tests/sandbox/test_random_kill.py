"""kill -9 at random moments: whatever is left is found by label and removed, and a bystander is left in peace.

RADOSCOPE_KILLS says how many moments are tried, RADOSCOPE_SEED which ones.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from radoscope import sandbox as sandboxes
from radoscope.sandbox import Sandbox, network
from radoscope.sandbox.labels import labelled_processes

pytestmark = pytest.mark.ceph

_KILLS = int(os.environ.get("RADOSCOPE_KILLS", "2"))
_SEED = int(os.environ.get("RADOSCOPE_SEED", "1"))
_LONGEST_START_S = 7.0
_RADOSCOPE = (sys.executable, "-m", "radoscope", "sandbox")
_HOSTS = ("--hosts", "3", "--osds", "1") if os.geteuid() == 0 else ("--osds", "3")


def _killed_after(seconds: float, *words: str) -> None:
    """Run radoscope and kill it at that moment, if it still runs then."""
    process = subprocess.Popen((*_RADOSCOPE, *words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _kill_one_daemon(home: Path, moments: random.Random) -> None:
    found = [process.pid for process in labelled_processes() if process.label.directory.is_relative_to(home)]
    if found:
        os.kill(moments.choice(found), 9)


def _left(home: Path) -> list[str]:
    processes = [str(found) for found in labelled_processes() if found.label.directory.is_relative_to(home)]
    namespaces = [name for name, label in network.namespaces() if label and label.directory.is_relative_to(home)]
    folders = [str(path) for path in (home / "sandboxes").glob("*") if path.name != ".lock"]
    return processes + namespaces + folders


@pytest.mark.parametrize("turn", range(_KILLS))
def test_after_a_kill_at_a_random_moment_all_of_it_can_be_removed(
    turn: int, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path))
    moments, bystander = random.Random(_SEED * 1000 + turn), sandbox.pids()
    _killed_after(moments.uniform(0.2, _LONGEST_START_S), "up", "victim", *_HOSTS)
    if moments.random() < 0.5:
        _kill_one_daemon(tmp_path, moments)
    if moments.random() < 0.5:
        _killed_after(moments.uniform(0.2, 1.0), "down", "victim")
    if "victim" in sandboxes.living():
        sandboxes.down("victim")  # it was up before the kill came
    for found in sandboxes.leftovers():
        if found.sandbox.startswith(str(tmp_path)):
            sandboxes.remove(found)
    assert _left(tmp_path) == []
    assert sandbox.pids() == bystander
