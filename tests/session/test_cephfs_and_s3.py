"""Files in CephFS and objects over S3 on a real cluster: measured beside RADOS, and nothing left of them."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from radoscope import sandbox
from radoscope.ceph import Cluster, file_systems
from radoscope.errors import SiteError
from radoscope.run.cleaning import clean_dead
from radoscope.run.journal import Journal
from radoscope.sandbox import Sandbox, SandboxSpec, faults
from radoscope.sandbox.processes import end_labelled
from radoscope.session.file_system import check_can_mount
from radoscope.session.removers import REMOVERS
from tests.on_ceph import Start, WritePlan, json_of, launch, nothing_is_left, radoscope
from tests.small_plans import cell, endless_plan, gentle_plan, tiny_plan


def why_not() -> str:
    tools = ("ceph-mds", "ceph-fuse", "radosgw", "radosgw-admin")
    if missing := [tool for tool in tools if shutil.which(tool) is None]:
        return f"not installed: {', '.join(missing)}"
    try:
        check_can_mount()
    except SiteError as error:
        return error.message
    return ""


pytestmark = [pytest.mark.ceph, pytest.mark.slow, pytest.mark.skipif(bool(why_not()), reason=why_not())]

CELLS = (
    cell("rados", op="write"),
    cell("cephfs", op=["randwrite", "randread"]),
    cell("cephfs", op="randwrite", jobs=2, images=2),
    cell("s3", op=["write", "randread"], block="64K", queue_depth=2),
)


@pytest.fixture(scope="module")
def above(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RADOSCOPE_HOME", str(tmp_path_factory.mktemp("home")))
        up = sandbox.up(SandboxSpec(name="above", cephfs=True, rgw=True))
        # How long Ceph waits before it calls a lone MDS laggy, and for clients that died, is not the subject here.
        with up.ceph.connected() as cluster:
            cluster.ceph_text("config", "set", "mon", "mds_beacon_mon_down_grace", "20")
            cluster.ceph_text("config", "set", "mds", "mds_reconnect_timeout", "5")
        yield up
        sandbox.down("above")


@pytest.fixture
def home(above: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RADOSCOPE_HOME", str(above.directory.parent.parent))
    return above.directory.parent.parent


def subvolumes(cluster: Cluster) -> tuple[str, ...] | None:
    """None where the manager cannot make any: that of Debian 13."""
    try:
        return file_systems.subvolumes(cluster, "cephfs")
    except SiteError as error:
        if "its module volumes has not loaded" not in error.message:
            raise
        return None


def measurable(up: Sandbox) -> tuple[str, ...]:
    return CELLS if subvolumes(up.ceph) is not None else (CELLS[0], CELLS[-1])


def left_in(up: Sandbox) -> dict[str, object]:
    with up.ceph.connected() as cluster:
        users = [user["entity"] for user in cluster.ceph("auth", "ls")["auth_dump"]]
        return {
            "subvolumes": list(subvolumes(cluster) or ()),
            "S3 users": json.loads(cluster.radosgw_admin("user", "list")),
            "buckets": json.loads(cluster.radosgw_admin("bucket", "list")),
            "users": [user for user in users if user.startswith("client.radoscope")],
            "pools": [pool for pool in cluster.ceph("osd", "pool", "ls") if pool.startswith("radoscope")],
            "mounts": [one for one in Path("/proc/mounts").read_text().splitlines() if str(up.directory.parent) in one],
        }


NOTHING: dict[str, list[str]] = {key: [] for key in ("subvolumes", "S3 users", "buckets", "users", "pools", "mounts")}


def test_files_and_objects_are_measured_beside_rados(above: Sandbox, home: Path, plan: WritePlan) -> None:
    measured = measurable(above)
    told = json_of("study", "--sandbox", "above", "--plan", plan(gentle_plan(*measured)), timeout=600)
    cells = {cell["cell"]: cell for cell in told["cells"]}
    in_files = {f"cephfs-4k-{name}-rate100" for name in ("randwrite-qd1", "randread-qd1", "randwrite-qd1-j2-n2")}
    of_all = {"rados-4k-write-qd1", *in_files, "s3-64k-put-qd2", "s3-64k-get-qd2"}
    assert set(cells) == (of_all if measured == CELLS else of_all - in_files)
    assert {name: (cell["segments"], cell["problems"]) for name, cell in cells.items()} == dict.fromkeys(cells, (2, []))
    assert all(cell["iops"]["value"] > 0 for cell in cells.values())
    assert left_in(above) == NOTHING
    nothing_is_left(home, told["study"])
    for raw in (home / "studies" / told["study"]).rglob("*"):
        assert raw.is_dir() or b"X-Amz-Signature" not in raw.read_bytes(), "requests stay out of the bundle"


def reaches_nothing_else(conf: Path, user: str, folder: Path) -> None:
    for words in (("-p", "cephfs.data", "ls"), ("-p", "cephfs.meta", "ls"), ("-p", "default.rgw.buckets.data", "ls")):
        tried = subprocess.run(("rados", "-c", conf, "-n", user, *words), capture_output=True, timeout=60)
        assert tried.returncode != 0, words
    mount = ("unshare", "--mount", "timeout", "30", "ceph-fuse", "-c", conf, "-n", user, "-r", "/", folder)
    assert subprocess.run(mount, capture_output=True, timeout=60).returncode != 0


def test_its_user_reaches_its_folder_alone_and_after_kill_9_nothing_is_left(
    above: Sandbox, home: Path, plan: WritePlan, start: Start
) -> None:
    running, study = launch(
        start, home, "--sandbox", "above", "--plan", plan(endless_plan(*measurable(above)[1:])), segments=2
    )
    if subvolumes(above.ceph) is not None:  # S3 needs no user of Ceph
        reaches_nothing_else(home / "journal" / f"{study}.work" / "ceph.conf", f"client.radoscope-{study}", home)
    running.kill()
    running.communicate()
    assert clean_dead(Journal.of(study), lambda words: None, REMOVERS) == ()
    assert left_in(above) == NOTHING
    nothing_is_left(home, study)


@pytest.mark.parametrize(
    ("daemon", "cells", "said"),
    [
        ("mds.a", "cephfs-*", "the file system cephfs has no active MDS"),
        ("rgw.a", "s3-*", "cannot be measured: it does not answer: Connection refused"),
    ],
)
def test_without_its_daemon_a_study_ends_soon_with_a_word(
    above: Sandbox, home: Path, plan: WritePlan, start: Start, daemon: str, cells: str, said: str
) -> None:
    if cells == "cephfs-*" and subvolumes(above.ceph) is None:
        pytest.skip("the manager of this release cannot make a subvolume")
    running, study = launch(start, home, "--sandbox", "above", "--plan", plan(endless_plan(*CELLS)), "--cells", cells)
    end_labelled(above.label, daemon)
    _, err = running.communicate(timeout=300)
    assert running.returncode == 3, err
    assert said in err
    assert "Traceback" not in err
    faults.heal(above)
    if (journal := Journal.of(study)).standing():  # a subvolume stands as long as no MDS can remove it
        assert clean_dead(journal, lambda words: None, REMOVERS) == ()
    assert left_in(above) == NOTHING
    nothing_is_left(home, study)


def test_where_no_subvolume_can_be_made_files_are_refused_before_anything_is_made(
    above: Sandbox, home: Path, plan: WritePlan
) -> None:
    if subvolumes(above.ceph) is not None:
        pytest.skip("the manager of this release makes subvolumes")
    done = radoscope("study", "--sandbox", "above", "--plan", plan(tiny_plan(*CELLS)), timeout=300)
    assert done.returncode == 3
    assert "its module volumes has not loaded" in done.stderr
    assert "creating" not in done.stderr
    assert left_in(above) == NOTHING
