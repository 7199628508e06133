"""What the tests of whole runs share; the conftest.py of their folders imports it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from radoscope.ceph import Cluster
from radoscope.sandbox import Sandbox
from tests.on_ceph import Start, WritePlan, contents, standing


@pytest.fixture
def plan(tmp_path: Path) -> WritePlan:
    """Write a plan, and say where."""

    def written(text: str) -> str:
        path = tmp_path / "plan.toml"
        path.write_text(text)
        return str(path)

    return written


@pytest.fixture
def start() -> Iterator[Start]:
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


@pytest.fixture
def home(sandbox_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the shared sandbox is registered, and where the command keeps everything."""
    monkeypatch.setenv("RADOSCOPE_HOME", str(sandbox_home))
    return sandbox_home


@pytest.fixture
def cluster(sandbox: Sandbox) -> Iterator[Cluster]:
    """The shared sandbox as its administrator reaches it."""
    with sandbox.connected(timeout_s=30) as connection:
        yield Cluster(conf=sandbox.conf, keyring=sandbox.keyring, tell=connection.tell)


@pytest.fixture
def bait(cluster: Cluster) -> Iterator[None]:
    """Things that somebody else has in the cluster: a pool, an object, an image, a user with names like ours."""
    cluster.ceph_text("osd", "pool", "create", "bait", "8", "8")
    cluster.ceph_text("osd", "pool", "application", "enable", "bait", "rbd")
    for image in ("radoscope-of-mine", "gone"):
        cluster.rbd("create", f"bait/{image}", "--size", "8M")
    cluster.rbd("rm", "--no-progress", "bait/gone")  # as in any pool that is in use, Ceph's own rbd_trash is there now
    cluster.rados("-p", "bait", "create", "benchmark_data_mine_1_object0")
    cluster.ceph_text("auth", "get-or-create", "client.bait", "mon", "allow r")
    before = standing(cluster), contents(cluster, "bait")
    yield
    assert (standing(cluster), contents(cluster, "bait")) == before
    cluster.ceph_text("osd", "pool", "delete", "bait", "bait", "--yes-i-really-really-mean-it")
    cluster.ceph_text("auth", "rm", "client.bait")
