"""Studies on a real cluster, from the command line as a user starts them: what they measure, and what they leave."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from radoscope.ceph import Cluster
from radoscope.explain.times import OUTSIDE, PREPARE, QUEUE, REPLICAS, STORE, UNEXPLAINED, mean_waterfall
from radoscope.run.cleaning import labelled_processes
from radoscope.sandbox import Sandbox
from tests import small_plans
from tests.on_ceph import (
    ENDLESS,
    GENTLE,
    TINY,
    Start,
    WritePlan,
    json_of,
    launch,
    nothing_is_left,
    radoscope,
    standing,
    studies,
    succeed,
)

pytestmark = [pytest.mark.ceph, pytest.mark.slow]


@pytest.mark.release
def test_a_study_measures_every_layer_and_leaves_nothing(
    home: Path, cluster: Cluster, plan: WritePlan, bait: None, tmp_path: Path
) -> None:
    told = json_of("study", "--sandbox", "shared", "--plan", plan(TINY), "-o", str(tmp_path / "report"))
    cells = {cell["cell"]: cell for cell in told["cells"]}
    assert len(cells) == 9
    assert told["complete"]
    for name, cell in cells.items():
        assert cell["segments"] == 2, (name, cell["problems"])
        assert cell["commands"], name
        if cell["layer"] in ("rados", "rbd"):
            block = 4096 if "-4k-" in name else 65536
            assert cell["iops"]["value"] > 0
            assert cell["bandwidth_bytes_per_s"]["value"] == pytest.approx(cell["iops"]["value"] * block, rel=0.02)
            assert 0 < cell["latency_min_s"] <= cell["latency_mean_s"]["value"] <= cell["latency_max_s"]
        if cell["layer"] == "rbd":
            assert cell["series"][0]["values"]
    for percentile in ("p50", "p99", "p995", "p999", "p9995", "p9999"):
        assert f"latency_{percentile}_s" in cells["rbd-4k-randread-qd1"]
    assert cells["network-ping"]["latency_mean_s"]["value"] < 0.1
    assert told["environment"]["cluster"]["pool"]["size"] == 3
    assert "this machine" in told["target"]
    nothing_is_left(home, told["study"])
    [html] = (tmp_path / "report").glob("*.html")
    [markdown] = (tmp_path / "report").glob("*.md")
    assert "rbd" in html.read_text().lower()
    assert "|" in markdown.read_text()
    check_load_is_seen_by_the_osds(home, told["study"])
    check_no_key_is_kept(cluster, home / "studies" / told["study"])
    check_an_anonymous_export_names_nobody(cluster, told["study"], tmp_path)


def check_no_key_is_kept(cluster: Cluster, bundle: Path) -> None:
    """Neither the administrator's nor the study's own user's, which is gone and so is looked for by its shape."""
    assert cluster.keyring is not None
    [key] = re.findall(r"key = (\S+)", cluster.keyring.read_text())
    kept = [file for file in bundle.rglob("*") if file.is_file()]
    assert len(kept) > 20, "raw files of 9 cells, the environment, the manifest"
    for file in kept:
        text = file.read_text(errors="replace")
        assert key not in text, file
        assert not re.search(r"key = \S|\bA[Qg][A-Za-z0-9+/]{36,60}==?", text), file


def check_an_anonymous_export_names_nobody(cluster: Cluster, study: str, folder: Path) -> None:
    """What this cluster is called, in whatever place this release prints it."""
    succeed("export", study, "--anonymous", "-o", str(folder / "anonymous.tar.gz"))
    subprocess.run(["tar", "-xzf", "anonymous.tar.gz", "--one-top-level=anonymous"], cwd=folder, check=True)
    uuids = [osd["uuid"] for osd in cluster.ceph("osd", "dump")["osds"]]
    names = {cluster.ceph("status")["fsid"], *uuids, str(cluster.conf), *_told_of(socket.gethostname())}
    for file in (folder / "anonymous").rglob("*"):
        text = file.read_text(errors="replace") if file.is_file() else ""
        assert [name for name in names if name in text or name in file.name] == [], file
    check_no_key_is_kept(cluster, folder / "anonymous")


def _told_of(host: str) -> tuple[str, ...]:
    """A host's name, unless it may stand for something else, as "vm" or "localhost"."""
    return (host,) if len(host) > 4 and host != "localhost" else ()


def check_load_is_seen_by_the_osds(home: Path, study: str) -> None:
    """The OSDs' own counters agree that the clients' writes reached them: within a factor of the ramp's share."""
    from radoscope.archives.bundle import read_study

    read = read_study(home / "studies" / study)
    segment = read.segments_of("rbd-4k-randwrite-qd1")[0]
    writes = sum(result.total_ios or 0 for result in segment.results)
    assert segment.counters["osd.op_w"] >= writes
    assert any(series.name.startswith("osd_cpu") for series in segment.telemetry)
    ways = {cell: mean_waterfall(read.segments_of(f"rbd-4k-{cell}-qd1")) for cell in ("randwrite", "randread")}
    for cell, replicas in (("randwrite", [REPLICAS]), ("randread", [])):
        assert (way := ways[cell]) is not None, cell
        assert {OUTSIDE, QUEUE, PREPARE, STORE, *replicas} <= {part.name for part in way.parts}
        assert way.share(STORE) > 0
        assert abs(way.share(UNEXPLAINED)) < 0.2


def test_what_was_kept_reads_the_same_again(home: Path, sandbox: Sandbox, plan: WritePlan) -> None:
    before = studies(home)
    done = succeed("study", "--sandbox", "shared", "--plan", plan(GENTLE), "--cells", "rados-4k-write*", "--json")
    [study] = studies(home) - before
    again = succeed("show", study, "--json")
    first, second = json.loads(done.stdout), json.loads(again.stdout)
    assert first["cells"] == second["cells"]


@pytest.mark.release
def test_rbd_bench_measures_images_where_it_is_asked_for(home: Path, sandbox: Sandbox, plan: WritePlan) -> None:
    load = small_plans.cell("rbd", tool="rbd-bench", op=["randread", "write"], queue_depth=[1, 8])
    before = studies(home)
    done = succeed("study", "--sandbox", "shared", "--plan", plan(small_plans.tiny_plan(load)), "--json")
    [study] = studies(home) - before
    cells = {told["cell"]: told for told in json.loads(done.stdout)["cells"]}
    assert len(cells) == 4
    for name, told in cells.items():
        assert told["segments"] == 2, (name, told["problems"])
        rate, depth = told["iops"]["value"], 8 if "qd8" in name else 1
        assert told["bandwidth_bytes_per_s"]["value"] == pytest.approx(rate * 4096, rel=0.02)
        assert told["latency_mean_s"]["value"] == pytest.approx(depth / rate, rel=0.1), (
            "the mean of two, not its inverse"
        )
    nothing_is_left(home, study)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_study_that_is_interrupted_keeps_what_it_measured_and_can_go_on(
    home: Path, cluster: Cluster, plan: WritePlan, bait: None, start: Start, number: signal.Signals, code: int
) -> None:
    running, study = launch(
        start, home, "--sandbox", "shared", "--plan", plan(ENDLESS), "--cells", "r*-4k*write*", segments=3
    )
    running.send_signal(number)
    _, err = running.communicate(timeout=90)
    assert running.returncode == code, err
    assert "--resume" in err
    nothing_is_left(home, study)
    kept = json.loads((home / "studies" / study / "manifest.json").read_text())
    done = [segment for segment in kept["segments"] if segment["outcome"] == "done"]
    assert len(done) >= 3
    assert not kept["complete"]
    resume_and_interrupt(start, home, study, len(kept["segments"]))
    nothing_is_left(home, study)


def resume_and_interrupt(start: Start, home: Path, study: str, had: int) -> None:
    running = start("study", "--sandbox", "shared", "--resume", study)
    manifest = home / "studies" / study / "manifest.json"
    deadline = time.monotonic() + 120
    while manifest.read_text().count('"outcome"') <= had and time.monotonic() < deadline:
        time.sleep(0.05)  # another process writes the file
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=90)
    assert running.returncode == 130, err
    assert manifest.read_text().count('"outcome"') > had


@pytest.mark.release
def test_after_kill_9_clean_finds_and_removes_exactly_what_was_made(
    home: Path, cluster: Cluster, plan: WritePlan, bait: None, start: Start
) -> None:
    running, study = launch(start, home, "--sandbox", "shared", "--plan", plan(ENDLESS), segments=2)
    running.kill()
    running.communicate()
    assert f"radoscope-{study}" in standing(cluster)["pools"]
    listed = radoscope("clean", "--dry-run")
    assert f"pool radoscope-{study}" in listed.stdout
    succeed("clean", "--yes")
    nothing_is_left(home, study)


def test_a_killed_study_goes_on_without_a_clean_and_while_it_runs_nobody_else_takes_it(
    home: Path, cluster: Cluster, plan: WritePlan, bait: None, start: Start
) -> None:
    running, study = launch(start, home, "--sandbox", "shared", "--plan", plan(ENDLESS), "--cells", "rados-4k-write*")
    for words in (("study", "--sandbox", "shared", "--resume", study), ("rm", "--yes", study)):
        refused = radoscope(*words)
        assert refused.returncode == 6, refused.stderr
        assert "is running" in refused.stderr
    running.kill()
    running.communicate()
    kept = json.loads((home / "studies" / study / "manifest.json").read_text())
    resume_and_interrupt(start, home, study, len(kept["segments"]))
    nothing_is_left(home, study)


def test_a_run_of_another_host_is_found_by_its_mark_in_the_cluster(
    home: Path, cluster: Cluster, plan: WritePlan, sandbox: Sandbox, bait: None, start: Start
) -> None:
    running, study = launch(start, home, "--sandbox", "shared", "--plan", plan(ENDLESS), "--cells", "rados-4k-write*")
    running.kill()
    running.communicate()
    for pid in labelled_processes(study):
        os.kill(pid, signal.SIGKILL)
    for trace in (home / "journal").glob(f"{study}*"):  # as if it had been another host's
        subprocess.run(["rm", "-rf", str(trace)], check=True)
    there = ("--conf", str(sandbox.conf), "--keyring", str(sandbox.keyring))
    assert "may still go on; not touched" in succeed("clean", "--yes", *there).stdout
    cleaned = succeed("clean", "--yes", *there, study)
    assert f"removing pool radoscope-{study}" in cleaned.stdout
    assert "benchmark_data" not in cleaned.stderr


def test_in_a_pool_of_the_users_own_everything_but_the_pool_is_removed(
    home: Path, cluster: Cluster, plan: WritePlan, bait: None
) -> None:
    """Whatever its name is."""
    cluster.ceph_text("osd", "pool", "rename", "bait", odd := 'bait, "of" mine')
    try:
        succeed("study", "--sandbox", "shared", "--pool", odd, "--plan", plan(GENTLE), "--cells", "r*-4k-*write*")
    finally:
        cluster.ceph_text("osd", "pool", "rename", odd, "bait")
    assert cluster.rbd("ls", "bait").split() == ["radoscope-of-mine"]
    everywhere = cluster.rados("-p", "bait", "--all", "ls")
    assert "radoscope-2" not in everywhere


@pytest.mark.release
def test_the_load_user_can_do_nothing_outside_its_pool(
    home: Path, cluster: Cluster, plan: WritePlan, bait: None, tmp_path: Path, start: Start
) -> None:
    running, study = launch(start, home, "--sandbox", "shared", "--plan", plan(ENDLESS), "--cells", "rados-4k-write*")
    try:
        work = home / "journal" / f"{study}.work"
        assert (work / "keyring").stat().st_mode & 0o077 == 0
        load = ["-c", str(work / "ceph.conf"), "-n", f"client.radoscope-{study}"]
        (tmp_path / "x").write_text("x")
        for words in (
            ["ls"],
            ["get", "benchmark_data_mine_1_object0", "/dev/null"],
            ["put", "mine", str(tmp_path / "x")],
        ):
            tried = subprocess.run(["rados", *load, "-p", "bait", *words], capture_output=True, text=True, check=False)
            assert tried.returncode != 0, words
            assert "not permitted" in tried.stderr.lower() or "permission" in tried.stderr.lower()
        made = subprocess.run(
            ["ceph", *load, "osd", "pool", "create", "p2"], capture_output=True, text=True, check=False
        )
        assert made.returncode != 0
    finally:
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=90)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--pool", "nowhere"], 2, "there is no pool 'nowhere'"),
        (["--cells", "rbd-*, tape-*"], 2, "no cell matches tape-*"),
        (["--precision", "500%"], 2, "is not a share"),
        (["--disk-folder", "/nowhere/at all"], 3, "/nowhere/at all"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_hint(
    home: Path, sandbox: Sandbox, plan: WritePlan, words: list[str], code: int, message: str
) -> None:
    known = studies(home)
    done = radoscope("study", "--sandbox", "shared", "--plan", plan(TINY), *words)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert "hint:" in done.stderr
    assert "Traceback" not in done.stderr
    assert studies(home) == known


@pytest.mark.release
def test_a_wrong_keyring_and_a_missing_cluster_are_refused(
    home: Path, sandbox: Sandbox, plan: WritePlan, tmp_path: Path
) -> None:
    wrong = tmp_path / "keyring"
    wrong.write_text("[client.admin]\n\tkey = AQAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAA==\n")
    conf = str(sandbox.conf)
    done = radoscope("study", "--conf", conf, "--keyring", str(wrong), "--plan", plan(TINY), "--cells", "rados-*write*")
    assert done.returncode == 3, done.stderr
    assert "keyring" in done.stderr
    gone = radoscope("study", "--conf", str(tmp_path / "none.conf"), "--plan", plan(TINY))
    assert gone.returncode == 2
    assert "no such file" in gone.stderr
    assert "Traceback" not in done.stderr + gone.stderr


def test_a_prefill_that_does_not_fit_is_refused(home: Path, sandbox: Sandbox, plan: WritePlan) -> None:
    huge = TINY.replace('image_size = "32MiB"', 'image_size = "1TiB"')
    done = radoscope("study", "--sandbox", "shared", "--plan", plan(huge), "--cells", "rbd-*")
    assert done.returncode == 3, done.stderr
    assert "nearly full" in done.stderr


def test_a_dry_run_shows_the_commands_and_touches_nothing(home: Path, cluster: Cluster, plan: WritePlan) -> None:
    before = standing(cluster)
    done = succeed("study", "--sandbox", "shared", "--plan", plan(TINY), "--dry-run")
    assert "fio --name=disk-4k-randwrite-qd1-fsync" in done.stdout
    assert "bench 1 write -t 16 -b 4096" in done.stdout
    assert standing(cluster) == before
