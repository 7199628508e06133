"""Cluster files: a good one becomes facts, a bad one tells all its faults at once."""

from pathlib import Path

import pytest

from radoscope.catalogue import results
from radoscope.errors import PlanError
from radoscope.predict.cluster import read_cluster
from radoscope.predict.facts import Facts, apply_workload, read_facts
from radoscope.predict.whatif import KEYS, parse_changes

EXAMPLE = Path(__file__).parents[2] / "examples" / "cluster.toml"


def test_the_example_is_read() -> None:
    described = read_cluster(EXAMPLE.read_text(encoding="utf-8"))
    assert described.facts.nodes == 3
    assert described.facts.hyperconverged is True


def test_every_fault_is_told_at_once_with_its_place() -> None:
    text = """
[cluster]
nodes = 2
size = 3
drive = "Wundertüte 5000"
cores_per_node = 0
netwrk_Gbps = 10
[drive]
fsync_latency_us = -3
"""
    with pytest.raises(PlanError) as caught:
        read_cluster(text)
    said = caught.value.message
    for place in (
        "cluster.cores_per_node",
        "cluster.netwrk_Gbps",
        "network_Gbps?",
        "cluster.size",
        "cluster.drive",
        "drive.fsync",
    ):
        assert place in said


FLAT = """
nodes = 3
drive = "Kioxia CD6"
fsync_latency_us = 50
client_hosts = 2
network_Gbps = 25
workloads = ["4k-write-qd1"]
"""
IN_TABLES = """
workloads = ["4k-write-qd1"]
[cluster]
nodes = 3
drive = "Kioxia CD6"
network_Gbps = 25
[drive]
fsync_latency_us = 50
[clients]
hosts = 2
"""


def test_a_file_without_tables_says_the_same() -> None:
    assert read_cluster(FLAT) == read_cluster(IN_TABLES)


def test_a_key_in_two_places_is_a_fault() -> None:
    with pytest.raises(PlanError, match=r"cluster\.nodes: given twice"):
        read_cluster("nodes = 3\n[cluster]\nnodes = 4\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "cluster.nodes: is needed"),
        ("nodes = 3\ncpu_model = 'x'", "cpu_model: unknown key, did you mean cpu?"),
        ("nodes = 3\nnetwrk_Gbps = 10", "netwrk_Gbps: unknown key, did you mean network_Gbps?"),
        ("nodes = 3\n[cluster]\npool_size = 2", "cluster.pool_size: unknown key, did you mean size?"),
        ("nodes = 3\nclients = 4", "clients: is a table of keys, not 4"),
        ("nodes = 3\ndrive = 'Wundertüte 5000'", "the catalogue has no 'Wundertüte 5000'"),
        ("nodes = 0\nsize = 3", "cluster.nodes: must be more than 0, not 0"),
        ("nodes = 3\nxyz = 1", "xyz: unknown key; known: cluster, drive, clients, workloads, costs"),
    ],
)
def test_faults_of_a_file_without_tables_are_told_as_kindly(text: str, words: str) -> None:
    with pytest.raises(PlanError) as caught:
        read_cluster(text)
    assert words in caught.value.message


def test_copies_and_erasure_coding_exclude_each_other() -> None:
    with pytest.raises(PlanError, match="not both"):
        read_cluster('[cluster]\nnodes = 6\nsize = 3\nec_profile = "4+2"\n')


def test_what_is_no_toml_is_told_as_such() -> None:
    with pytest.raises(PlanError, match="not TOML"):
        read_cluster("nodes == 3")


def test_a_measured_fsync_wins_over_the_catalogue() -> None:
    described = read_cluster('[cluster]\nnodes = 3\ndrive = "Kioxia CD6"\n[drive]\nfsync_latency_us = 500\n')
    assert described.facts.device_4k_sync_write_iops == pytest.approx(2000)


def test_a_workload_is_read_by_its_name() -> None:
    loaded = apply_workload(Facts(), "4k-randrw70-qd32-x4")
    assert (loaded.op, loaded.read_fraction, loaded.block_bytes, loaded.queue_depth, loaded.clients) == (
        "mixed",
        0.7,
        4096,
        32,
        4,
    )


@pytest.mark.parametrize(
    "name",
    [
        "4k-randwrite-qd",
        "4k-randwrite",
        "4k-randrw-qd1",
        "4kB-read-qd1",
        "4k-read-qd0",
        "0k-read-qd1",
        "900G-write-qd1",
        "4k-randwrite-qd99999999999",
        "4k-randread-qd1-x0",
    ],
)
def test_a_workload_without_its_numbers_is_refused(name: str) -> None:
    with pytest.raises(PlanError):
        apply_workload(Facts(), name)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('ec_profile = "4+2"', "6 shards on 3 hosts"),
        ("size = 4", "4 copies on 3 hosts"),
        ('ceph_version = "99 banana"', "no release of Ceph"),
        ('size = 3\nec_profile = "2+1"', "not both"),
        ("size = 3\nosds_per_node = 0.5", "needs 3 OSDs, there are 1.5"),
    ],
)
def test_what_cannot_be_built_is_refused(line: str, fault: str) -> None:
    with pytest.raises(PlanError, match=fault):
        read_cluster(f"nodes = 3\n{line}\n")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("cpu_GHz = 3200", "cpu_GHz: must be 0.3 to 10 GHz, not 3,200"),
        ("network_Gbps = 10000", "network_Gbps: must be 0.001 to 800 Gbit/s"),
        ("network_Gbps = 1e10", "network_Gbps: must be"),
        ("fsync_latency_us = 0.0017", "fsync_latency_us: must be 1 to 1,000,000 microseconds"),
        ("rtt_us = 0.2", "rtt_us: must be 1 to 1,000,000 microseconds"),
        ("memory_GB_per_node = 65536", "memory_GB_per_node: must be 0.05 to 12,000 GB"),
        ("seq_write_MBps = 5e8", "seq_write_MBps: must be 0.5 to 60,000 MB/s"),
        ("cpu_taken = 40", "cpu_taken: must be 0 to 0.95 of the processors, not 40"),
        ('ec_profile = "0+2"', "ec_profile: must be 1+1 to 64 shards together"),
        ('ec_profile = "4-2"', "ec_profile: is written as 4+2, not '4-2'"),
    ],
)
def test_a_figure_in_another_unit_is_refused_with_ours(line: str, words: str) -> None:
    with pytest.raises(PlanError) as fault:
        read_cluster(f"nodes = 6\n{line}\n")
    assert words in fault.value.message
    assert "faults" not in fault.value.message, "one mistake is told once"
    if "ec_profile" not in line:
        key, value = (part.strip() for part in line.split("="))
        if key in KEYS:
            with pytest.raises(PlanError, match="must be"):
                parse_changes([f"{key} = {value}"])


def test_no_published_result_lies_outside() -> None:
    for row in results():
        read_facts(row.fields)
