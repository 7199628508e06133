"""Clusters that radoscope did not make: set up by hand, with pools, classes, flags and rights as people have them."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from radoscope.ceph import Cluster
from radoscope.records import health
from radoscope.sandbox.waiting import Deadline, wait_until
from tests.on_ceph import WritePlan, contents, radoscope, standing, succeed
from tests.session.by_hand import cluster_by_hand
from tests.small_plans import RBD, cell, gentle_plan

pytestmark = [pytest.mark.ceph, pytest.mark.slow, pytest.mark.release]

_OBJECTS = (cell("rados", op="write"), cell("rados", op="randread", block="64K"))  # fewer objects to write first
SMALL = gentle_plan(*_OBJECTS, RBD)
OBJECTS = gentle_plan(*_OBJECTS)
LIMIT, FAST = "rbd_qos_iops_limit", "osd_pool_default_flag_ec_optimizations"
UNSPLIT = "--autoscale-mode=off"
"""Where the manager loads its autoscaler, this would split the groups of a new pool while it is measured."""


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster_by_hand(tmp_path_factory.mktemp("hand")) as made, made.connected() as cluster:
        cluster.ceph_text("config", "set", "mon", "mon_allow_pool_delete", "true")
        yield cluster


@pytest.fixture
def attach(theirs: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """The words that name it, with a home of one's own."""
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path / "home"))
    return ("--conf", str(theirs.conf), "--keyring", str(theirs.keyring))


def failures_and_rates(told: str) -> list[tuple[int, bool]]:
    """(segments that failed, whether there is a rate) of each cell of a study's JSON."""
    return [(cell["failed"], cell["iops"].get("value") is not None) for cell in json.loads(told)["cells"]]


def found_in(cluster: Cluster) -> dict[str, list[str]]:
    """What stands in it, without the pool that its manager makes for itself whenever it has come so far."""
    seen = standing(cluster)
    return {**seen, "pools": [pool for pool in seen["pools"] if pool not in (".mgr", "device_health_metrics")]}


@contextmanager
def flag(cluster: Cluster, name: str) -> Iterator[None]:
    cluster.ceph_text("osd", "set", name)
    try:
        yield
    finally:
        cluster.ceph_text("osd", "unset", name)


@contextmanager
def set_for(cluster: Cluster, who: str, option: str, value: str) -> Iterator[None]:
    cluster.ceph_text("config", "set", who, option, value)
    try:
        yield
    finally:
        cluster.ceph_text("config", "rm", who, option)


def test_it_is_measured_with_noout_set_and_nothing_is_left(
    theirs: Cluster, attach: tuple[str, ...], plan: WritePlan, tmp_path: Path
) -> None:
    """Also where its configuration names a data pool for images, in which the run's own user may do nothing."""
    before = found_in(theirs)
    with flag(theirs, "noout"), set_for(theirs, "client", "rbd_default_data_pool", "elsewhere"):
        done = radoscope("study", *attach, "--plan", plan(SMALL), "--json")
    assert done.returncode == 0, done.stderr
    assert "OSDMAP_FLAGS: noout flag(s) set" in done.stderr
    told = json.loads(done.stdout)
    assert told["environment"]["cluster"]["health"] == "HEALTH_WARN"
    assert "health" not in {finding["rule"] for finding in told["findings"]}
    assert failures_and_rates(done.stdout) == [(0, True)] * 3
    assert found_in(theirs) == before
    assert list((tmp_path / "home" / "journal").glob("*")) == []


def test_under_a_flag_that_hides_failures_it_is_not_measured(
    theirs: Cluster, attach: tuple[str, ...], plan: WritePlan
) -> None:
    with flag(theirs, "nodown"):
        done = radoscope("study", *attach, "--plan", plan(SMALL))
    assert done.returncode == 3
    assert "OSDMAP_FLAGS: nodown flag(s) set (under such a flag a failure is not noticed" in done.stderr


def test_with_an_osd_down_it_is_not_measured_and_the_doctor_says_so_too(
    theirs: Cluster, attach: tuple[str, ...], plan: WritePlan
) -> None:
    with flag(theirs, "noup"):
        theirs.ceph_text("osd", "down", "2")
        wait_for(theirs, down=True)
        done = radoscope("study", *attach, "--plan", plan(SMALL))
        asked = radoscope("doctor", "--cluster", *attach)
    wait_for(theirs, down=False)
    assert done.returncode == 3
    assert "OSD_DOWN: 1 osds down" in done.stderr
    assert "disks are missing" in asked.stdout
    assert asked.stdout.splitlines()[-1].startswith("Not ready: ")
    assert asked.returncode != 0


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("--replicas", "9"), "by the CRUSH rule replicated_rule there are OSDs for 3 of the 9 copies of a new pool"),
        (("--crush-rule", "fast drives"), "specified rule fast drives doesn't exist"),
    ],
    ids=["copies", "rule"],
)
def test_a_pool_that_crush_cannot_place_is_refused_at_once(
    theirs: Cluster, attach: tuple[str, ...], plan: WritePlan, options: tuple[str, ...], fault: str
) -> None:
    before = found_in(theirs)
    done = radoscope("study", *attach, *options, "--plan", plan(SMALL))
    assert done.returncode == 3
    assert fault in done.stderr
    assert re.search(r"--crush-rule[:;] .*replicated_rule\.", done.stderr)
    assert "waiting" not in done.stderr
    assert found_in(theirs) == before


def wait_for(cluster: Cluster, *, down: bool) -> None:
    """Until the cluster's health tells of an OSD that is down, or until nothing is amiss any more."""
    deadline = time.monotonic() + 120
    while True:
        checks = {check.code for check in health.amiss(cluster.ceph("status"))}
        if "OSD_DOWN" in checks if down else not checks:
            return
        assert time.monotonic() < deadline, checks
        time.sleep(0.2)  # the monitors tell nobody of their health


def test_an_administrator_who_may_only_read_is_refused_with_a_hint(
    theirs: Cluster, attach: tuple[str, ...], plan: WritePlan, tmp_path: Path
) -> None:
    keyring = tmp_path / "reader.keyring"
    caps = ("mon", "allow r", "mgr", "allow r", "osd", "allow r")
    keyring.write_text(theirs.ceph_text("auth", "get-or-create", "client.reader", *caps))
    before = found_in(theirs)
    reader = ("--conf", str(theirs.conf), "--id", "reader", "--keyring", str(keyring))
    done = radoscope("study", *reader, "--plan", plan(SMALL))
    assert done.returncode == 3
    assert "does not let client.reader" in done.stderr
    assert "needs client.admin" in done.stderr
    assert found_in(theirs) == before
    theirs.ceph_text("auth", "rm", "client.reader")


def test_a_pool_with_a_cache_tier_is_refused_by_its_name(
    theirs: Cluster, attach: tuple[str, ...], plan: WritePlan, tmp_path: Path
) -> None:
    made = [("pool", "create", pool, "8", UNSPLIT) for pool in ("cold", "hot")]
    try:
        for words in (*made, ("tier", "add", "cold", "hot"), ("tier", "cache-mode", "hot", "proxy")):
            theirs.ceph_text("osd", *words)
        theirs.ceph_text("osd", "tier", "set-overlay", "cold", "hot")
        for pool, why in (("cold", "has a cache tier: hot"), ("hot", "is a cache tier")):
            done = radoscope("study", *attach, "--plan", plan(OBJECTS), "--pool", pool)
            assert done.returncode != 0
            assert why in done.stderr and "remove-overlay" in done.stderr
    finally:
        theirs.ceph_text("osd", "tier", "remove-overlay", "cold")
        theirs.ceph_text("osd", "tier", "remove", "cold", "hot")
        for pool in ("cold", "hot"):
            theirs.ceph_text("osd", "pool", "delete", pool, pool, "--yes-i-really-really-mean-it")
    assert list((tmp_path / "home" / "journal").glob("*")) == []


def test_where_osds_may_hold_few_more_groups_the_pool_has_fewer(
    theirs: Cluster, attach: tuple[str, ...], plan: WritePlan
) -> None:
    """Also where the cluster gives each new pool flags against being deleted or getting another size."""
    before = found_in(theirs)
    with ExitStack() as stack:
        stack.enter_context(set_for(theirs, "global", "mon_max_pg_per_osd", "20"))
        for flag_of_pools in ("nodelete", "nosizechange"):
            stack.enter_context(set_for(theirs, "global", f"osd_pool_default_flag_{flag_of_pools}", "true"))
        done = succeed("study", *attach, "--replicas", "2", "--plan", plan(OBJECTS), "--json")
    assert "placement groups instead of" in done.stderr
    assert failures_and_rates(done.stdout) == [(0, True)] * 2
    assert found_in(theirs) == before


def waits_to_move(cluster: Cluster) -> bool:
    return "backfill_wait" in str(cluster.ceph("status")["pgmap"]["pgs_by_state"])


def test_a_cluster_that_waits_to_be_rebalanced_is_measured(
    theirs: Cluster, attach: tuple[str, ...], plan: WritePlan
) -> None:
    """Objects of another pool are misplaced and stay so under norebalance: nothing moves, so nothing disturbs."""
    theirs.ceph_text("osd", "pool", "create", "ballast", "16", "16", "--size=2", UNSPLIT)
    theirs.ceph_text("osd", "pool", "application", "enable", "ballast", "rbd")
    write = ("bench", "3", "write", "-b", "4096", "--no-cleanup", "-p", "ballast")
    with ExitStack() as stack:  # of what a group's log still has, a copy is made at once, flag or not
        for option, most in (("max_pg_log_entries", "4"), ("min_pg_log_entries", "2"), ("pg_log_trim_min", "1")):
            stack.enter_context(set_for(theirs, "osd", f"osd_{option}", most))
        subprocess.run(["rados", *theirs.arguments(), *write], check=True, capture_output=True, timeout=60)
    try:
        with flag(theirs, "norebalance"):
            theirs.ceph_text("osd", "set-require-min-compat-client", "luminous", "--yes-i-really-mean-it")
            for group in theirs.ceph("pg", "ls-by-pool", "ballast")["pg_stats"]:
                (spare,) = {0, 1, 2} - set(group["up"])
                theirs.ceph_text("osd", "pg-upmap-items", group["pgid"], str(group["up"][1]), str(spare))
            wait_until(lambda: waits_to_move(theirs), "groups that wait to be moved", Deadline(60))
            done = succeed("study", *attach, "--plan", plan(SMALL), "--json")
            assert waits_to_move(theirs)
        assert failures_and_rates(done.stdout) == [(0, True)] * 3
        assert "background-work" not in {finding["rule"] for finding in json.loads(done.stdout)["findings"]}
    finally:
        theirs.ceph_text("osd", "pool", "delete", "ballast", "ballast", "--yes-i-really-really-mean-it")


@pytest.mark.parametrize(("what", "most"), [("max_bytes", "40000000"), ("max_objects", "500")])
def test_a_pool_whose_quota_the_run_could_reach_is_refused(
    theirs: Cluster, attach: tuple[str, ...], plan: WritePlan, what: str, most: str
) -> None:
    """Whoever else writes to it would stand still."""
    theirs.ceph_text("osd", "pool", "create", "narrow", "8", UNSPLIT)
    try:
        theirs.ceph_text("osd", "pool", "set-quota", "narrow", what, most)
        done = radoscope("study", *attach, "--plan", plan(SMALL), "--pool", "narrow")
        assert done.returncode != 0
        assert f"pool 'narrow' has a quota of {int(most):,} {what.partition('_')[2]}" in done.stderr
        assert contents(theirs, "narrow") == []
    finally:
        theirs.ceph_text("osd", "pool", "delete", "narrow", "narrow", "--yes-i-really-really-mean-it")


@pytest.mark.parametrize("kind", ["compressed", "erasure", "one-copy-enough", "ssds-alone"])
def test_in_a_pool_of_theirs_objects_are_measured_and_the_pool_is_as_it_was(
    theirs: Cluster, attach: tuple[str, ...], plan: WritePlan, kind: str
) -> None:
    make_pool(theirs, kind)
    try:
        before = found_in(theirs), theirs.ceph("osd", "pool", "get", kind, "min_size")
        done = succeed("study", *attach, "--pool", kind, "--plan", plan(OBJECTS), "--json")
        assert failures_and_rates(done.stdout) == [(0, True)] * 2
        assert contents(theirs, kind) == []
        assert (found_in(theirs), theirs.ceph("osd", "pool", "get", kind, "min_size")) == before
    finally:
        theirs.ceph_text("osd", "pool", "delete", kind, kind, "--yes-i-really-really-mean-it")


@pytest.mark.parametrize("how", ["erasure", "fast-erasure"])
def test_images_whose_data_are_in_an_erasure_coded_pool(
    theirs: Cluster, attach: tuple[str, ...], plan: WritePlan, how: str
) -> None:
    if how == "fast-erasure" and FAST not in theirs.ceph("config", "ls"):
        pytest.skip("this release has no fast erasure coding")
    make_pool(theirs, "metadata")
    make_pool(theirs, how)
    theirs.ceph_text("osd", "pool", "set", how, "allow_ec_overwrites", "true")
    theirs.rbd("config", "pool", "set", "metadata", LIMIT, "400")
    try:
        before = found_in(theirs)
        done = succeed("study", *attach, "--pool", "metadata", "--data-pool", how, "--plan", plan(SMALL), "--json")
        assert failures_and_rates(done.stdout) == [(0, True)] * 3
        told = json.loads(done.stdout)
        pool = told["environment"]["cluster"]["pool"]
        assert (pool["name"], pool["erasure_profile"]) == (how, "ec21")
        assert told["environment"]["notes"] == []
        assert told["environment"]["cluster"]["changed_options"][f"pool metadata/{LIMIT}"] == "400"
        assert set(contents(theirs, how)) <= {"\trbd_info"}, "which librbd itself writes once into any pool of images"
        assert not [name for name in contents(theirs, "metadata") if "radoscope" in name]
        assert found_in(theirs) == before
    finally:
        for pool in ("metadata", how):
            theirs.ceph_text("osd", "pool", "delete", pool, pool, "--yes-i-really-really-mean-it")


def make_pool(cluster: Cluster, kind: str) -> None:
    if kind in ("erasure", "fast-erasure"):
        cluster.ceph_text("osd", "erasure-code-profile", "set", "ec21", "k=2", "m=1", "crush-failure-domain=osd")
        cluster.ceph_text("osd", "pool", "create", kind, "8", "8", "erasure", "ec21", UNSPLIT)
    else:
        cluster.ceph_text("osd", "pool", "create", kind, "8", "8", UNSPLIT)
    cluster.ceph_text("osd", "pool", "application", "enable", kind, "rbd")
    if kind == "fast-erasure":
        cluster.ceph_text("osd", "pool", "set", kind, "allow_ec_optimizations", "true")
    if kind == "ssds-alone":
        cluster.ceph_text("osd", "crush", "rule", "create-replicated", "fast", "default", "osd", "ssd")
        cluster.ceph_text("osd", "pool", "set", kind, "size", "2")
        cluster.ceph_text("osd", "pool", "set", kind, "crush_rule", "fast")
    if kind == "compressed":
        cluster.ceph_text("osd", "pool", "set", kind, "compression_mode", "aggressive")
    if kind == "one-copy-enough":
        cluster.ceph_text("osd", "pool", "set", kind, "min_size", "1")


def test_the_doctor_names_both_device_classes_and_says_whether_it_may_be_measured(
    theirs: Cluster, attach: tuple[str, ...]
) -> None:
    done = radoscope("doctor", "--cluster", *attach)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "hdd" in done.stdout
    assert "ssd" in done.stdout
    assert done.stdout.splitlines()[-1] == "Ready: this host and the cluster."
