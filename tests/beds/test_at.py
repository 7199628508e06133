"""`--at` on a real cephadm cluster of three hosts that `tests/beds/bed` has started: `make bed-cephadm`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.beds.on_bed import CEPHADM, ENDLESS, PLAN, WITH_FIO, refused
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


def run(*words: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, timeout=timeout, check=False)


def measured(way: tuple[str, ...], folder: Path, *more: str) -> dict[str, Any]:
    """The cells of a study of seconds, each measured once."""
    (folder / "plan.toml").write_text(PLAN)
    done = run(*words(way[0], "study", "--plan", str(folder / "plan.toml"), *way[1:], *more, "--json"), timeout=400)
    assert done.returncode == 0, done.stderr
    cells = {cell["cell"]: cell for cell in json.loads(done.stdout)["cells"]}
    assert all(cell["segments"] == 1 for cell in cells.values()), cells
    return cells


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    before = standing()
    yield
    assert standing() == before


@pytest.mark.parametrize("way", [("ssh:c1",), ("cephadm+ssh:c1", *WITH_FIO)])
def test_a_study_with_its_ladder(way: tuple[str, ...], tmp_path: Path) -> None:
    cells = measured(way, tmp_path, "--disk-folder", "/var/tmp")
    assert {cell["layer"] for cell in cells.values()} == {"disk", "network", "rados", "rbd"}
    assert "c2" in cells["network-ping"]["where"], "a round trip to another host, never the loopback"


def test_an_image_without_fio_as_ceph_has_them(tmp_path: Path) -> None:
    cells = measured(("cephadm+ssh:c1",), tmp_path)
    tools = {cell["layer"]: cell["tool"] for cell in cells.values()}
    assert tools == {"osd": "osd-bench", "network": "ping", "rados": "rados-bench", "rbd": "rbd-bench"}


@pytest.mark.parametrize("way", WAYS)
def test_kill_9_and_clean_from_another_host(way: str, tmp_path: Path, home: Path) -> None:
    (tmp_path / "plan.toml").write_text(ENDLESS)
    argv = words(way, "study", "--plan", str(tmp_path / "plan.toml"))
    running = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
    study = wait_for_segments(home, 1, set(), running)
    running.send_signal(signal.SIGKILL)
    running.wait()
    deadline = time.monotonic() + 30
    while on_c1("pgrep -x 'fio|rados|rbd' || true").strip():
        assert time.monotonic() < deadline, "the load ends with its connection"
        time.sleep(0.2)  # processes of another host tell nobody that they end
    other = {**os.environ, "RADOSCOPE_HOME": str(tmp_path / "another host")}
    cleaned = subprocess.run(
        words(way, "clean", study, "--yes"), env=other, capture_output=True, text=True, timeout=120
    )
    assert cleaned.returncode == 0, cleaned.stderr
    assert f"removing pool radoscope-{study}" in cleaned.stdout


@pytest.fixture
def plan(tmp_path: Path) -> str:
    (tmp_path / "plan.toml").write_text(PLAN)
    return str(tmp_path / "plan.toml")


@pytest.mark.parametrize(
    ("way", "more", "told"),
    [
        ("cephadm+ssh:c1", ("--image", "localhost/none:1"), ("localhost/none:1", "--image names another one")),
        ("cephadm+ssh:c2", (), ("c2 has no /etc/ceph/ceph.", "ceph orch host label add")),
        ("cephadm+ssh:c1", ("--conf", "/nowhere.conf"), ("c1 has no /nowhere.conf",)),
        ("cephadm+ssh:c9", (), ("client host c9 cannot be reached", "Is the name right?")),
        ("ssh:c1", ("--conf", "/nowhere.conf"), ("/nowhere.conf",)),
        ("ssh:c1", ("--id", "nobody"), ("client.nobody",)),
        ("ssh:c1", ("--disk-folder", "/nowhere"), ("/nowhere on c1 cannot be used",)),
        ("pve:c1", (), ("c1 is no node of Proxmox VE", "ssh:[USER@]HOST")),
        ("ssh:c1", ("--client", "ssh:c9"), ("c9",)),
        ("ssh:c1", ("--osd-host", "ssh:c1"), ("no OSD of the cluster is there, or the load comes from it",)),
    ],
)
def test_what_stands_against_it_is_told(plan: str, way: str, more: tuple[str, ...], told: tuple[str, ...]) -> None:
    refused(run(*words(way, "study", "--plan", plan, *more)), *told)


def test_a_key_that_is_refused_is_told(plan: str, tmp_path: Path) -> None:
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "other"))
    config = (CEPHADM.state / "ssh_config").read_text().replace(str(CEPHADM.state / "id"), str(tmp_path / "other"))
    (tmp_path / "config").write_text(config)
    asked = CEPHADM.radoscope("study", "--at", "ssh:c1", "--ssh-config", str(tmp_path / "config"), "--plan", plan)
    refused(run(*asked), "client host c1 cannot be reached", "ssh c1 true", "with a key or an agent")


@pytest.fixture
def full_tmp() -> Iterator[None]:
    """/tmp of c1 on a disk of its own, with nothing free."""
    on_c1("mount -t tmpfs -o size=1m tmpfs /tmp && dd if=/dev/zero of=/tmp/full bs=4k 2>/dev/null || true")
    yield
    on_c1("umount /tmp")


@pytest.mark.usefixtures("full_tmp")
def test_a_full_disk_is_told(plan: str) -> None:
    refused(
        run(*words("ssh:c1", "study", "--plan", plan)),
        "c1",
        "No space left on device",
        "Is /tmp writable there, and not full?",
    )
