"""QEMU's block layer and a guest on a real cluster: measured beside RBD, and nothing left when radoscope is killed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from radoscope.ceph import Cluster
from radoscope.run.cleaning import labelled_processes
from radoscope.run.engines.guest import QEMU
from radoscope.run.guest_image import LacksPart, find_kernel
from radoscope.sandbox import Sandbox
from radoscope.sandbox.waiting import Deadline, wait_until
from tests.on_ceph import Start, WritePlan, json_of, launch, nothing_is_left, radoscope, studies, succeed
from tests.small_plans import RBD, cell, endless_plan, gentle_plan, tiny_plan
from tests.sshd import Server, folders

pytestmark = [pytest.mark.ceph, pytest.mark.slow]
needs_daemon = pytest.mark.skipif(
    shutil.which("qemu-storage-daemon") is None, reason="qemu-storage-daemon is not installed"
)


def why_no_guest() -> str:
    if missing := [tool for tool in (QEMU, "busybox") if shutil.which(tool) is None]:
        return f"not installed: {', '.join(missing)}"
    try:
        find_kernel()
    except LacksPart as lack:
        return str(lack.args[0])
    return ""


needs_guest = pytest.mark.skipif(bool(why_no_guest()), reason=why_no_guest())

QEMU_CELLS = (RBD, cell("qemu", op="randwrite", cache=["none", "writeback"]))


@needs_daemon
@pytest.mark.release
def test_the_ladder_goes_on_above_rbd(home: Path, cluster: Cluster, plan: WritePlan, bait: None) -> None:
    told = json_of("study", "--sandbox", "shared", "--plan", plan(tiny_plan(*QEMU_CELLS)))
    cells = {cell["cell"]: cell for cell in told["cells"]}
    assert set(cells) == {"rbd-4k-randwrite-qd1", "qemu-4k-randwrite-qd1", "qemu-4k-randwrite-qd1-writeback"}
    assert {name: (cell["segments"], cell["problems"]) for name, cell in cells.items()} == dict.fromkeys(cells, (2, []))
    without, through = (cells[name]["iops"]["value"] for name in sorted(cells) if name.startswith("qemu"))
    assert through > without, "librbd's cache answers before the cluster does"
    assert "QEMU" in radoscope("show", told["study"]).stdout
    nothing_is_left(home, told["study"])


@needs_daemon
def test_after_kill_9_its_daemon_is_ended_as_well(
    home: Path, cluster: Cluster, plan: WritePlan, bait: None, start: Start
) -> None:
    endless = endless_plan(*QEMU_CELLS)
    running, study = launch(start, home, "--sandbox", "shared", "--plan", plan(endless), "--cells", "qemu-*")
    running.kill()
    running.communicate()
    succeed("clean", study, "--yes")
    assert not list(labelled_processes(study))
    nothing_is_left(home, study)


GUEST_CELLS = (
    RBD,
    cell("guest", op="randwrite", cache=["none", "writeback"]),
    cell("guest", op="randwrite", bus="virtio-blk", iothread=False),
)
GENTLE = "guest-4k-randwrite-qd1-rate100"


@needs_guest
def test_the_disk_in_a_guest_is_measured_beside_rbd(home: Path, cluster: Cluster, plan: WritePlan, bait: None) -> None:
    told = json_of("study", "--sandbox", "shared", "--plan", plan(tiny_plan(*GUEST_CELLS)), timeout=600)
    cells = {cell["cell"]: cell for cell in told["cells"]}
    plain = "guest-4k-randwrite-qd1"
    assert set(cells) == {"rbd-4k-randwrite-qd1", plain, f"{plain}-writeback", f"{plain}-virtio-blk-no-iothread"}
    assert {name: (cell["segments"], cell["problems"]) for name, cell in cells.items()} == dict.fromkeys(cells, (2, []))
    assert cells[f"{plain}-writeback"]["iops"]["value"] > cells[plain]["iops"]["value"], "its cache answers"
    guest = json.loads((home / "studies" / told["study"] / "environment" / "guest.json").read_text())
    emulated = [one for one in told["findings"] if one["rule"] == "guest-emulated"]
    assert bool(emulated) == (guest["accelerator"] == "tcg"), "and only then"
    nothing_is_left(home, told["study"])


@needs_guest
def test_two_cache_modes_are_compared_side_by_side_in_one_guest(
    home: Path, cluster: Cluster, plan: WritePlan, bait: None
) -> None:
    known = studies(home)
    words = ("--experiment", "vm-cache", "--cells", GENTLE, "--budget", "30s", "--settle", "0s")
    asked = ("--sandbox", "shared", "--plan", plan(gentle_plan(*GUEST_CELLS)), *words)
    succeed("ab", *asked, "--yes", "--json", timeout=600)
    a, b = (home / "studies" / name for name in sorted(studies(home) - known))
    caches = [json.loads((one / "manifest.json").read_text())["cells"][0]["conditions"]["cache"] for one in (a, b)]
    assert caches == ["none", "writeback"]
    assert "cache=writeback" in radoscope("show", b.name).stdout
    assert GENTLE in radoscope("compare", a.name, b.name).stdout
    nothing_is_left(home, a.name)


@needs_guest
def test_after_kill_9_the_guest_is_ended_as_well(
    home: Path, cluster: Cluster, plan: WritePlan, bait: None, start: Start
) -> None:
    endless = endless_plan(*GUEST_CELLS)
    running, study = launch(
        start, home, "--sandbox", "shared", "--plan", plan(endless), "--cells", "guest-*-writeback*"
    )
    running.kill()
    running.communicate()
    wait_until(lambda: not labelled_processes(study), "the end of the guest", Deadline(30))
    succeed("clean", study, "--yes")
    nothing_is_left(home, study)


@pytest.fixture
def at(sandbox: Sandbox, server: Server) -> tuple[str, ...]:
    files = ("--conf", str(sandbox.conf), "--keyring", str(sandbox.keyring))
    return ("--at", "ssh:node1", *files, "--ssh-config", str(server.config))


@needs_guest
def test_the_disk_in_a_guest_on_another_host(
    home: Path, cluster: Cluster, plan: WritePlan, at: tuple[str, ...], bait: None
) -> None:
    cells = (RBD, cell("guest", op="randwrite", cache=["none", "writeback"], images=[2]))
    done = succeed("study", *at, "--plan", plan(gentle_plan(*cells, rounds=1)), "--json", timeout=600)
    told = json.loads(done.stdout)
    cells_of = {cell["cell"]: cell for cell in told["cells"]}
    assert sum(name.startswith("guest-") for name in cells_of) == 2, done.stderr
    assert all((cell["segments"], cell["problems"]) == (1, []) for cell in cells_of.values()), told
    kept = json.loads((home / "studies" / told["study"] / "manifest.json").read_text())
    assert {one["host"] for segment in kept["segments"] for one in segment["processes"]} == {"node1"}
    assert folders(told["study"]) == []
    nothing_is_left(home, told["study"])


@needs_guest
def test_after_kill_9_the_guest_on_another_host_is_ended_as_well(
    home: Path, cluster: Cluster, plan: WritePlan, at: tuple[str, ...], bait: None, start: Start
) -> None:
    endless = endless_plan(*GUEST_CELLS)
    running, study = launch(start, home, *at, "--plan", plan(endless), "--cells", "guest-*-writeback*")
    running.kill()
    running.communicate()
    wait_until(lambda: not labelled_processes(study), "the end of the guest with its connection", Deadline(30))
    succeed("clean", study, "--yes")
    assert folders(study) == []
    nothing_is_left(home, study)
