"""What tests of radoscope on a real cluster share: a tiny plan, the command as a user starts it, what may stay."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from radoscope.ceph import Cluster
from radoscope.run.cleaning import labelled_processes
from tests.conftest import host_to_itself
from tests.small_plans import DISK, cell, endless_plan, gentle_plan, network, tiny_plan

WritePlan = Callable[[str], str]
"""The fixture `plan`: the text of a plan -> the path of its file."""
Start = Callable[..., subprocess.Popen[str]]
"""The fixture `start`: the words of a command -> the running command."""

_CELLS = (
    DISK,
    network("iperf3"),
    network("ping"),
    cell("rados", op="write", queue_depth=16),
    cell("rados", op=["read", "randread"], block="64K", queue_depth=16),  # sixteen times fewer objects to write first
    cell("rbd", op=["randwrite", "randread"]),
    cell("rbd", op="randwrite", images=2),
)
TINY = tiny_plan(*_CELLS)
GENTLE = gentle_plan(*_CELLS)
ENDLESS = endless_plan(*_CELLS)


def standing(cluster: Cluster) -> dict[str, list[str]]:
    """All that a study could leave in a cluster."""
    with cluster.connected() as asked:
        return {
            "pools": sorted(asked.ceph("osd", "pool", "ls") or []),
            "users": sorted(user["entity"] for user in asked.ceph("auth", "ls")["auth_dump"]),
            "rules": sorted(rule["rule_name"] for rule in asked.ceph("osd", "crush", "rule", "dump")),
            "settings": sorted(f"{one['section']} {one['name']}" for one in asked.ceph("config", "dump") or []),
        }


def contents(cluster: Cluster, pool: str) -> list[str]:
    """Every object of a pool, in whatever namespace."""
    return sorted(cluster.rados("-p", pool, "--all", "ls").splitlines())


def radoscope(*words: str, timeout: float = 240) -> subprocess.CompletedProcess[str]:
    """The command as a user starts it. Cleaning that names no run looks at the whole host: nobody may leave a wreck."""
    argv = [sys.executable, "-m", "radoscope", *words]
    with host_to_itself() if words[0] == "clean" and words[1].startswith("-") else nullcontext():
        return subprocess.run(argv, capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL)


def succeed(*words: str, timeout: float = 240) -> subprocess.CompletedProcess[str]:
    """The same; it fails the test where the command fails."""
    done = radoscope(*words, timeout=timeout)
    assert done.returncode == 0, done.stderr
    return done


def json_of(*words: str, timeout: float = 240) -> Any:
    """What it prints with --json."""
    return json.loads(succeed(*words, "--json", timeout=timeout).stdout)


def wait_for_segments(home: Path, count: int, known: set[str], running: subprocess.Popen[str]) -> str:
    """Wait until a new study has measured that many segments; its id. One that does not get there is heard."""
    deadline = time.monotonic() + 300  # the machine may be busy; a study that does not run is found all the same
    while time.monotonic() < deadline:
        ended = running.poll() is not None
        for manifest in (home / "studies").glob("*/manifest.json"):
            if manifest.parent.name not in known and manifest.read_text().count('"outcome"') >= count:
                return manifest.parent.name
        if ended:
            break
        time.sleep(0.05)  # another process writes the file; there is nothing to wait on
    raise AssertionError(f"the study did not get that far: {_last_words(running)}")


def launch(start: Start, home: Path, *words: str, segments: int = 1) -> tuple[subprocess.Popen[str], str]:
    """A study that goes on, once it has measured so many segments; and its id."""
    known = studies(home)
    running = start("study", *words)
    return running, wait_for_segments(home, segments, known, running)


def _last_words(running: subprocess.Popen[str]) -> str:
    """What a process has said so far, interrupted if it still runs."""
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=120)
    return f"{out}\n{err}"


def studies(home: Path) -> set[str]:
    return {path.name for path in (home / "studies").glob("*")}


def nothing_is_left(home: Path, study: str) -> None:
    assert labelled_processes(study) == ()
    assert list((home / "journal").glob("*")) == []
    assert list(home.rglob("radoscope-*.dat")) == []
