"""`--at` on a real cephadm cluster of three hosts that `tests/beds/bed` has started: `make bed-cephadm`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.beds.on_bed import CEPHADM, ENDLESS, PLAN
from tests.on_ceph import wait_for_segments

pytestmark = [
    pytest.mark.ceph,
    pytest.mark.slow,
    pytest.mark.skipif(not CEPHADM.is_up("c1"), reason="no bed is up: make bed-cephadm"),
]

WAYS = ("ssh:c1", "cephadm+ssh:c1")


def words(way: str, verb: str, *more: str) -> list[str]:
    return CEPHADM.radoscope(verb, "--at", way, "--ssh-config", str(CEPHADM.state / "ssh_config"), *more)


def on_c1(script: str) -> str:
    return CEPHADM.says("run", "c1", "sh", "-c", script)


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
