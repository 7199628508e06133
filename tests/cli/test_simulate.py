"""`radoscope simulate`: answers, and nonsense with all its faults at once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from radoscope.cli.simulate import command
from radoscope.errors import PlanError
from radoscope.predict.simulate import compiling

CLUSTER = """
[cluster]
nodes = 3
osds_per_node = 2
drive = "Samsung PM863 1.92TB"
cores_per_node = 16
network_Gbps = 10
pg_num = 64
size = {size}
"""


@pytest.fixture
def cluster(tmp_path: Path) -> str:
    path = tmp_path / "cluster.toml"
    path.write_text(CLUSTER.format(size=3))
    return str(path)


@pytest.fixture(autouse=True)
def interpreted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short runs need no compilation."""
    if "kernel_cache" not in request.fixturenames:
        monkeypatch.setattr(compiling, "can_compile", lambda: False)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(command, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def fails(*arguments: str) -> PlanError:
    with pytest.raises(PlanError) as caught:
        CliRunner().invoke(command, list(arguments), catch_exceptions=False, standalone_mode=False)
    return caught.value


def test_a_table_of_rates_latencies_and_stations(cluster: str) -> None:
    text = run(cluster, "--workload", "4k-randrw70-qd4", "--seconds", "20ms")
    for word in ("4k-randrw70-qd4 read", "4k-randrw70-qd4 write", "OSD processor", "p99", "Little's law"):
        assert word in text


def test_json_holds_histograms_and_series_and_is_reproducible(cluster: str) -> None:
    arguments = (cluster, "--workload", "4k-randread-qd2", "--seconds", "20ms", "--seed", "4", "--json")
    one, other = json.loads(run(*arguments)), json.loads(run(*arguments))
    route = one["routes"][0]
    assert sum(route["latency"]["histogram"]["counts"]) == route["ops"] > 0
    assert [series["name"] for series in route["series"]] == ["iops", "latency_s", "max_latency_s"]
    assert one["routes"] == other["routes"]


def test_two_loads_run_at_the_same_time(cluster: str) -> None:
    text = run(cluster, "--workload", "4k-randread-qd2", "--workload", "4k-randwrite-qd1@500", "--seconds", "20ms")
    assert "4k-randread-qd2 read" in text
    assert "4k-randwrite-qd1 write" in text


def test_an_osd_lost_and_back(cluster: str) -> None:
    times = ("--detect", "5ms", "--peering", "5ms", "--return-after", "20ms")
    text = run(cluster, "--workload", "4k-randwrite-qd4", "--seconds", "60ms", "--lose-osd", "1@20ms", *times)
    for word in ("recovery", "before the loss", "outage", "degraded"):
        assert word in text


def test_replications_have_intervals_and_their_seeds_repeat_each_run(cluster: str) -> None:
    arguments = (cluster, "--workload", "4k-randread-qd2", "--seconds", "10ms", "--replications", "3")
    text, several = run(*arguments), json.loads(run(*arguments, "--json"))
    assert "+-" in text
    assert "3 replications" in text
    last = several["runs"][2]
    again = json.loads(run(*arguments[:5], "--seed", str(last["seed"]), "--json"))
    assert again["routes"] == last["routes"]
    low, high = (several["routes"][0]["iops"][end] for end in ("low", "high"))
    assert low < sum(one["iops"] for one in several["runs"]) / 3 < high


def test_all_faults_are_said_at_once(tmp_path: Path) -> None:
    nonsense = ("--seconds", "-1", "--seed", "x", "--slice", "7", "--lose-osd", "a@b", "--stalls", "many")
    fault = fails(str(tmp_path / "none.toml"), "--workload", "4k-foo", "--workload", "4k-read-qd1@0", *nonsense)
    for word in ("none.toml", "4k-foo", "rate '0'", "--seconds", "--seed", "--slice", "--lose-osd", "--stalls"):
        assert word in fault.message
    assert "NAME@5000" in fault.hint


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "--workload: none is given"),
        (("--workload", "4k-read-qd1", "--warm-up", "2s"), "not shorter than the run"),
        (("--workload", "4k-read-qd1", "--lose-osd", "6@10ms"), "there is no OSD 6, the last is 5"),
        (("--workload", "4k-read-qd1", "--lose-osd", "1@9s"), "after the run"),
        (("--workload", "4k-read-qd1", "--return-after", "1s"), "no OSD is lost"),
        (("--workload", "4k-read-qd1", "--mclock", "fast"), "'fast' is no profile of mclock"),
        (("--workload", "4k-read-qd1", "--replications", "0"), "is not between 1 and 1000"),
        (("--workload", "4k-read-qd1", "--slice", "0.4"), "leaves 1 of 3 hosts for 3 copies"),
        (("--workload", "4k-read-qd32-x64", "--seconds", "1h"), "minutes"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(cluster: str, arguments: tuple[str, ...], says: str) -> None:
    assert says in fails(cluster, *arguments).message


def test_a_pool_without_a_second_copy_cannot_lose_an_osd(tmp_path: Path) -> None:
    path = tmp_path / "one.toml"
    path.write_text(CLUSTER.format(size=1))
    assert "no second copy" in fails(str(path), "--workload", "4k-read-qd1", "--lose-osd", "1@1ms").message


def test_help_loads_neither_numpy_nor_numba() -> None:
    program = (
        "import sys\nfrom radoscope.cli.simulate import command\n"
        "try:\n    command(['--help'])\nexcept SystemExit:\n    pass\n"
        "assert not {'numpy', 'numba'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)


STUDY = """
nodes = 4
osds_per_node = 1
drive = "Intel SSD DC P3700 800GB"
cpu = "Xeon E5-2650 v3"
cores_per_node = 10
network_Gbps = 40
ceph_version = "18.2"
size = 3
pg_num = 128
"""


@pytest.mark.parametrize(
    ("profile", "kept"),
    [("balanced", 0.52), ("high_client_ops", 0.515), ("high_recovery_ops", 0.51), ("none", 0.12), ("wpq", 0.84)],
)
def test_clients_keep_what_ceph_s_own_study_found_while_data_are_copied(
    tmp_path: Path, kernel_cache: None, profile: str, kept: float
) -> None:
    """ceph.io, QoS study with mClock and WPQ schedulers: shares of the rate before, within 20 %."""
    path = tmp_path / "study.toml"
    path.write_text(STUDY)
    loss = ("--lose-osd", "1@1s", "--out-after", "400ms", "--detect", "50ms", "--peering", "50ms")
    load = ("--workload", "4k-randwrite-qd64", "--seconds", "3s", "--mclock", profile, "--json")
    phases = {one["name"]: one["iops"] for one in json.loads(run(str(path), *load, *loss))["phases"]}
    assert phases["recovering"] / phases["before the loss"] == pytest.approx(kept, rel=0.2)


def test_two_osds_or_a_host_can_be_lost(cluster: str) -> None:
    load = ("--workload", "4k-randwrite-qd4", "--seconds", "60ms", "--detect", "1ms", "--peering", "1ms")
    two = run(cluster, *load, "--lose-osd", "1@10ms", "--lose-osd", "2@20ms")
    host = run(cluster, *load, "--lose-node", "0@10ms")
    assert "fewer than 2 OSDs (min_size)" in two, "1 and 2 are on two hosts: some groups lose two of three copies"
    assert "min_size" not in host, "each group has one copy on a host"
    assert "degraded" in host
    assert "there is no host 3, the last is 2" in fails(cluster, *load, "--lose-node", "3@10ms").message
    assert "none can take" in fails(cluster, *load, "--lose-node", "0@10ms", "--out-after", "10ms").message


def test_mclock_keeps_its_one_backfill(cluster: str) -> None:
    many = ("--workload", "4k-read-qd1", "--max-backfills", "4")
    assert "mclock" in fails(cluster, *many).message
