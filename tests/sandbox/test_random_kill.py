"""kill -9 at random moments: whatever is left is found by label and removed, and a bystander is left in peace.

RADOSCOPE_KILLS says how many moments are tried, RADOSCOPE_SEED which ones.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from radoscope import sandbox as sandboxes
from radoscope.sandbox import Sandbox, SandboxSpec, network, registry
from radoscope.sandbox.faults import amiss
from radoscope.sandbox.processes import labelled_processes
from radoscope.sandbox.waiting import Deadline, wait_until
from tests.conftest import radoscope_home

pytestmark = [pytest.mark.ceph, pytest.mark.usefixtures("alone_on_host")]

_KILLS = int(os.environ.get("RADOSCOPE_KILLS", "2"))
_SEED = int(os.environ.get("RADOSCOPE_SEED", "1"))
_LONGEST_START_S = 7.0
_LONGEST_ADD_S = 4.0
_ROOT = os.geteuid() == 0
_RADOSCOPE = (sys.executable, "-m", "radoscope", "sandbox")
_HOSTS = ("--hosts", "3", "--osds", "1") if _ROOT else ("--osds", "3")


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


@pytest.fixture(scope="module")
def growing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The home of a sandbox to which things are added."""
    with radoscope_home(tmp_path_factory.mktemp("growing")) as home:
        sandboxes.up(SandboxSpec(name="growing", hosts=3, osds=1) if _ROOT else SandboxSpec(name="growing"))
        yield home
        sandboxes.down("growing")
        assert _left(home) == []


@pytest.mark.parametrize("turn", range(_KILLS))
def test_after_a_kill_while_something_is_added_the_sandbox_is_whole_again(
    turn: int, sandbox: Sandbox, growing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RADOSCOPE_HOME", str(growing))
    moments, bystander = random.Random(_SEED * 1000 + turn), sandbox.pids()
    what = moments.choice(("osd", "host")) if _ROOT else "osd"
    _killed_while_adding(what, moments.uniform(0, _LONGEST_ADD_S))
    cleaned = subprocess.run((*_RADOSCOPE[:-1], "clean", "--yes"), capture_output=True, text=True, check=False)
    assert cleaned.returncode == 0, cleaned.stdout + cleaned.stderr
    grown = sandboxes.load("growing")
    assert [found for found in sandboxes.leftovers() if found.sandbox.startswith(str(growing))] == []
    _wait_until_whole(grown)
    _registered_is_what_stands(grown)
    assert sandbox.pids() == bystander


def _killed_while_adding(what: str, seconds: float) -> None:
    """Kill `add` that long after it has begun to add, which is seconds after it was started."""
    process = subprocess.Popen((*_RADOSCOPE, "add", "growing", what), stdout=subprocess.DEVNULL)
    while process.poll() is None and registry.entry("growing").before is None:
        time.sleep(0.01)  # another process writes the file
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=seconds)
    process.kill()
    process.wait()


def _wait_until_whole(grown: Sandbox) -> None:
    def whole() -> bool:
        with grown.connected(timeout_s=30) as cluster:
            return not amiss(grown, cluster.ask("status"))

    wait_until(whole, "HEALTH_OK", Deadline(120), every_s=0.3)


def _registered_is_what_stands(grown: Sandbox) -> None:
    """Processes, folders, namespaces, keys and the maps of the monitors all tell of the same hosts and OSDs."""
    osds = {osd.daemon for osd in grown.osds}
    assert {found.daemon for found in labelled_processes(grown.label)} == set(grown.daemons)
    assert {path.name for path in grown.directory.glob("osd.*")} == osds
    assert {path.name[5:-8] for path in grown.directory.glob("ceph.osd.*.keyring")} == osds
    hosts = {host.namespace for host in grown.hosts if host.namespace}
    switch = {network.switch_namespace(grown.identity)} if hosts else set()
    assert {name for name, label in network.namespaces() if label == grown.label} == hosts | switch
    with grown.connected(timeout_s=30) as cluster:
        users = {user["entity"] for user in cluster.ask("auth ls")["auth_dump"]}
        tree = cluster.ask("osd tree")["nodes"]
    assert {user for user in users if user.startswith("osd.")} == osds
    assert {node["name"] for node in tree if node["type"] == "osd"} == osds
    if hosts:
        assert {node["name"] for node in tree if node["type"] == "host"} == {osd.host for osd in grown.osds}


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
