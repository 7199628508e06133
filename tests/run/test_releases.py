"""What three releases of Ceph print is read alike: the captures of docs/releases.md."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from radoscope import explain
from radoscope.archives.environment import environment_from
from radoscope.explain import check_environment
from radoscope.formats.fio import json_report as fio_json
from radoscope.formats.tools import historic_ops, osd_bench, rados_bench
from radoscope.kinds.ab import experiments
from radoscope.records.health import amiss
from radoscope.records.telemetry import COUNTERS
from radoscope.run.governor import Limits, harm_in
from radoscope.run.others import ages_of
from radoscope.run.telemetry import slim

RELEASES = sorted((Path(__file__).parents[1] / "captures" / "releases").iterdir())
POOL = "captured"
SINCE_20 = {"ms_client_throttle_retry_time_interval"}
"""Of the options that rules name, those that have no predecessor."""

pytestmark = pytest.mark.parametrize("release", RELEASES, ids=lambda folder: folder.name)


def captured(release: Path, name: str) -> Any:
    return json.loads((release / name).read_text("utf-8"))


def test_every_fact_of_a_cluster_is_found(release: Path) -> None:
    captures = {path.name: json.loads(path.read_text("utf-8")) for path in release.glob("ceph-*.json")}
    cluster = environment_from(captures, POOL).cluster
    assert cluster is not None
    assert cluster.pool is not None
    assert (cluster.version, cluster.mons, cluster.osds, cluster.osds_up, cluster.hosts) == (release.name, 1, 3, 3, 1)
    assert (cluster.pool.size, cluster.pool.min_size, cluster.pool.pg_num) == (3, 2, 8)
    assert cluster.pool.crush_rule == "replicated_rule"
    assert cluster.device_classes == {"ssd": 3}
    assert cluster.total_bytes is not None
    assert cluster.used_bytes is not None
    assert 0 < cluster.used_bytes < cluster.total_bytes


def test_no_rule_speaks_against_a_cluster_that_is_as_it_should_be(release: Path) -> None:
    captures = {path.name: json.loads(path.read_text("utf-8")) for path in release.glob("ceph-*.json")}
    findings = check_environment(environment_from(captures, POOL))
    assert [finding.rule for finding in findings if finding.severity != "note"] == []


def test_it_is_whole_and_the_governor_lets_the_load_go_on(release: Path) -> None:
    status = captured(release, "ceph-status.json")
    assert amiss(status) == ()
    assert harm_in(status, Limits(foreign=True)) == ""


def test_every_counter_is_there_and_of_its_kind(release: Path) -> None:
    dump = captured(release, "osd-perf-dump.json")
    for counter in COUNTERS:
        sections = [dump[name] for name in dump if name.partition("::")[0] == counter.section]
        values = [next((section[one] for one in counter.fields if one in section), None) for section in sections]
        assert values and all(isinstance(one, dict if counter.is_time else int) for one in values), counter.name


def test_times_are_in_seconds(release: Path) -> None:
    latency = captured(release, "osd-perf-dump.json")["osd"]["op_w_latency"]
    assert latency["avgcount"] > 100
    assert 1e-5 < latency["sum"] / latency["avgcount"] < 1


def test_operations_in_flight_are_of_their_pool_and_have_an_age_in_seconds(release: Path) -> None:
    pools = captured(release, "ceph-osd-dump.json")["pools"]
    number = next(pool["pool"] for pool in pools if pool["pool_name"] == POOL)
    in_flight = captured(release, "osd-dump-ops-in-flight.json")
    ages = list(ages_of(in_flight, frozenset({number})))
    assert ages
    assert all(0 <= age < 10 for age in ages)
    assert list(ages_of(in_flight, frozenset({number + 1}))) == []


def test_its_rados_bench_and_its_osd_bench_are_read(release: Path) -> None:
    [written] = rados_bench.read((release / "rados-bench-write.txt").read_text("utf-8"))
    [read] = rados_bench.read((release / "rados-bench-rand.txt").read_text("utf-8"))
    [bench] = osd_bench.read((release / "osd-bench.json").read_text("utf-8"))
    assert (written.op, written.block_bytes, written.queue_depth) == ("write", 4096, 16)
    assert read.op == "read"  # the output does not tell seq from rand
    for result in (written, read, bench):
        assert result.iops is not None
        assert result.iops > 10


def test_its_fio_is_read(release: Path) -> None:
    results = fio_json.read((release / "fio-rbd.json").read_text("utf-8"))
    assert sorted(str(result.op) for result in results) == ["randread", "randwrite"]
    for result in results:
        assert (result.block_bytes, result.queue_depth) == (4096, 4)
        assert result.iops is not None
        assert result.iops > 10
        assert result.latency is not None
        assert result.latency.mean_s is not None
        assert 1e-5 < result.latency.mean_s < 1


def test_its_slowest_operations_are_read(release: Path) -> None:
    kept = slim(captured(release, "osd-historic-ops.json"), 0.0)
    slow = historic_ops.read({"0": json.loads(json.dumps(kept))})
    assert len(slow) == 2
    for one in slow:
        assert 0 < one.seconds < 10
        assert sum(seconds for _, seconds in one.stretches) == pytest.approx(one.seconds, abs=1e-3)


def test_what_its_osds_were_set_to_and_how_soon_their_peers_answer_is_read(release: Path) -> None:
    captures = {path.name: json.loads(path.read_text("utf-8")) for path in release.glob("*.json")}
    cluster = environment_from(captures, POOL).cluster
    assert cluster is not None
    options = cluster.each_osd[0].options
    assert options["osd_memory_target"] == captures["osd-config-show.json"]["osd_memory_target"]
    answers = cluster.each_osd[0].answers_s
    assert set(answers) <= {1, 2}
    assert all(1e-5 < seconds < 1 for seconds in answers.values())
    assert answers


def test_every_option_that_a_rule_names_is_one_of_its_osds(release: Path) -> None:
    known = {one.name: frozenset(captured(one, "osd-config-show.json")) for one in RELEASES}
    named = options_named() & frozenset[str]().union(*known.values())
    assert len(named) > 20
    assert named - SINCE_20 <= known[release.name]


def options_named() -> frozenset[str]:
    """Words of the rules and of the ready-made experiments that look like an option."""
    files = [file for folder in (explain, experiments) for file in Path(str(folder.__file__)).parent.rglob("*.py")]
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8"))))
    words = (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return frozenset(word for text in words for word in re.findall(r"[a-z0-9]+(?:_[a-z0-9]+)+", text))


def test_a_capture_names_its_origin(release: Path) -> None:
    assert release.name in (release / "ORIGIN.md").read_text("utf-8")
