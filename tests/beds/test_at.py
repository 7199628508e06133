"""`--at` on a real cephadm cluster of three hosts that `tests/beds/bed` has started: `make beds`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.on_ceph import wait_for_segments
from tests.small_plans import DISK, FOR_EVER, RBD, cell, network, tiny_plan

BED = Path(__file__).with_name("bed")
STATE = Path(os.environ.get("BEDS", Path.home() / ".cache/radoscope/beds")) / "state"

pytestmark = [
    pytest.mark.ceph,
    pytest.mark.slow,
    pytest.mark.skipif(not (STATE / "c1.pid").exists(), reason="no bed is up: make beds"),
]

_CELLS = (DISK, network("ping"), cell("rados", op="write", queue_depth=4), RBD)
PLAN = tiny_plan(*_CELLS, name="bed", rounds=1, seconds="2s", ramp="500ms", at_most="2s")
ENDLESS = tiny_plan(*_CELLS, name="bed", seconds="2s", ramp="500ms", **FOR_EVER)
WAYS = ("ssh:c1", "cephadm+ssh:c1")


def words(way: str, verb: str, *more: str) -> list[str]:
    at = ("--at", way, "--ssh-config", str(STATE / "ssh_config"))
    return [str(BED), "in", sys.executable, "-m", "radoscope", verb, *at, *more]


def on_c1(script: str) -> str:
    done = subprocess.run(
        [BED, "run", "c1", "sh", "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


def standing() -> dict[str, list[str]]:
    """All that a study could leave in the cluster, on the host, and in its store of containers."""
    asked = {
        "pools": "ceph osd pool ls",
        "users": "ceph auth ls 2>/dev/null | grep -E '^[a-z]+[.]'",
        "rules": "ceph osd crush rule ls",
        "containers": "podman ps -a --filter label=radoscope --format '{{.Names}}'",
        "files": "ls -d /tmp/radoscope* /var/tmp/radoscope* 2>/dev/null || true",
        "processes": "grep -laz '^RADOSCOPE_RUN=' /proc/[0-9]*/environ 2>/dev/null || true",
    }
    return {name: sorted(on_c1(script).split()) for name, script in asked.items()}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    before = standing()
    yield
    assert standing() == before


@pytest.mark.parametrize("way", WAYS)
def test_a_study_with_its_ladder(way: str, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(PLAN)
    argv = words(way, "study", "--plan", str(tmp_path / "plan.toml"), "--disk-folder", "/var/tmp", "--json")
    done = subprocess.run(argv, capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == 0, done.stderr
    cells = {cell["cell"]: cell for cell in json.loads(done.stdout)["cells"]}
    assert {cell["layer"] for cell in cells.values()} == {"disk", "network", "rados", "rbd"}
    assert all(cell["segments"] == 1 for cell in cells.values()), cells
    assert "c2" in cells["network-ping"]["where"], "a round trip to another host, never the loopback"


@pytest.mark.parametrize("way", WAYS)
def test_kill_9_and_clean_from_another_host(way: str, tmp_path: Path, home: Path) -> None:
    (tmp_path / "plan.toml").write_text(ENDLESS)
    argv = words(way, "study", "--plan", str(tmp_path / "plan.toml"))
    running = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    study = wait_for_segments(home, 1, set())
    running.send_signal(signal.SIGKILL)
    running.wait()
    deadline = time.monotonic() + 30
    while on_c1("pgrep -x 'fio|rados' || true").strip():
        assert time.monotonic() < deadline, "the load ends with its connection"
        time.sleep(0.2)  # processes of another host tell nobody that they end
    other = {**os.environ, "RADOSCOPE_HOME": str(tmp_path / "another host")}
    cleaned = subprocess.run(words(way, "clean", "--yes"), env=other, capture_output=True, text=True, timeout=120)
    assert cleaned.returncode == 0, cleaned.stderr
    assert f"removing pool radoscope-{study}" in cleaned.stdout
