"""Filling in: what is given is used, what is not is named, and odd names are understood."""

from dataclasses import replace

import pytest

from radoscope.predict.cluster import read_cluster
from radoscope.predict.defaults import fill
from radoscope.predict.facts import Facts, apply_workload, erasure_shape, read_facts, release
from radoscope.predict.outlook import forecast


def test_what_is_given_is_not_assumed(facts: Facts) -> None:
    _, assumed = fill(facts)
    assert assumed == ()


def test_each_missing_fact_is_named_with_its_value(facts: Facts) -> None:
    _, assumed = fill(replace(facts, pool_size=None, rtt_us=None))
    assert assumed == ("pool_size=3", "rtt_us=60")


@pytest.mark.parametrize(
    ("text", "year", "number"),
    [
        ("17.2.5", None, 17),
        ("18 dev (9d5a260e)", None, 18),
        ("12-15", None, 13.5),
        ("Reef", None, 18),
        (None, 2018, 12),
    ],
)
def test_a_release_is_read_from_what_people_write(text: str | None, year: int | None, number: float) -> None:
    assert release(text, year) == number


@pytest.mark.parametrize(
    ("profile", "shape"), [("4+2", (4, 2)), ("EC 8+3 (4K unit)", (8, 3)), ("k=4 m=2", (4, 2)), (None, (2, 2))]
)
def test_an_erasure_profile_is_read_from_what_people_write(profile: str | None, shape: tuple[int, int]) -> None:
    assert erasure_shape(profile) == shape


def test_a_single_host_with_its_own_client_crosses_no_line(facts: Facts) -> None:
    setting, _ = fill(replace(facts, nodes=1, hyperconverged=True, client_hosts=1, network_Gbps=None, pool_size=1))
    assert setting.one_host == 1.0


def test_the_kernel_client_never_has_more_than_128_in_flight(facts: Facts) -> None:
    setting, _ = fill(replace(facts, access="krbd_fio", clients=1, queue_depth=512))
    assert setting.in_flight == 128


def test_the_count_of_placement_groups_is_read_from_the_variant(facts: Facts) -> None:
    setting, _ = fill(replace(facts, variant="PG count 1024 for 16 OSDs"))
    assert setting.pgs_per_osd == pytest.approx(1024 * 3 / 16)


def test_a_disk_behind_an_ssd_cache_counts_as_one(facts: Facts) -> None:
    setting, assumed = fill(
        read_facts({"op": "rand_read", "osd_device_class": "hdd", "db_wal_device": "bcache on SSD"})
    )
    assert setting.hdd == 0.0
    assert any("SSD cache" in item for item in assumed)


def test_a_mix_that_does_not_say_its_share_of_reads_counts_as_seventy_percent(facts: Facts) -> None:
    setting, assumed = fill(replace(facts, op="mixed"))
    assert setting.read_share == 0.7
    assert assumed == ("read_fraction=0.7",)


def test_an_emulated_ide_disk_has_no_queue(facts: Facts) -> None:
    setting, _ = fill(replace(facts, variant="emulated IDE disk, rbd cache on"))
    assert setting.in_flight == facts.clients


def test_servers_before_pacific_ran_two_osds_on_an_nvme(facts: Facts) -> None:
    drives_alone = replace(facts, osds_per_node=None, osd_devices_per_node=6)
    assert fill(replace(drives_alone, ceph_version="12.2"))[0].osds == 48
    assert fill(replace(drives_alone, ceph_version="18.2"))[0].osds == 24


def test_a_guest_writes_large_blocks_behind_but_reads_them_one_by_one(facts: Facts) -> None:
    guest = replace(facts, access="vm_fio", clients=1, client_hosts=1, queue_depth=None, block_bytes=4 << 20)
    assert fill(replace(guest, op="seq_write"))[0].in_flight == 4
    assert fill(replace(guest, op="seq_read"))[0].in_flight == 1


@pytest.mark.parametrize(
    ("remark", "groups"),
    [("256K PGs, 8 shards", 262144), ("8 shards, 512 PGs", 512), ("PG count 1024", 1024), ("pg_num = 64", 64)],
)
def test_placement_groups_are_those_before_the_word(facts: Facts, remark: str, groups: int) -> None:
    setting, _ = fill(replace(facts, pg_num=None, variant=remark))
    assert setting.pgs_per_osd == pytest.approx(groups * 3 / 16)


def test_writes_of_whole_stripes_read_nothing(facts: Facts) -> None:
    """A stripe of 4+2 is 16 KiB before Tentacle, 64 KiB since."""
    old, new = (replace(facts, ec_profile="4+2", pool_size=None, nodes=8, ceph_version=v) for v in ("18.2", "20.2"))
    assert fill(old)[0].stripe == 4 * 4096
    assert fill(new)[0].stripe == 4 * 16384
    assert fill(replace(old, ec_profile="4+2 (16K unit)"))[0].stripe == 4 * 16384
    for size in (262144, 1 << 20):
        coded, copies = (
            forecast(replace(one, block_bytes=size, op="seq_write")).iops
            for one in (old, replace(old, ec_profile=None, pool_size=3))
        )
        assert coded > 0.95 * copies, "whole stripes cost half of the bytes that three copies do"


def rate(facts: Facts) -> float:
    return forecast(facts).iops


def disks(**more: object) -> Facts:
    return Facts(
        nodes=3, osds_per_node=8, osd_device_class="hdd", network_Gbps=10, pool_size=3, op="rand_write",
        block_bytes=4096, queue_depth=1, clients=1, **more,  # type: ignore[arg-type]
    )  # fmt: skip


def test_flash_for_the_database_and_a_safe_cache_lift_small_writes_on_disks() -> None:
    plain, flash = rate(disks()), rate(disks(db_wal_device="Intel P4600"))
    safe = rate(disks(db_wal_device="RAID controller with BBU, write-back cache"))
    assert flash > 4 * plain
    assert safe > 4 * plain


def test_a_cache_in_flash_is_as_good_as_its_drive() -> None:
    client, protected = (
        rate(disks(db_wal_device=f"bcache on {name}")) for name in ("Samsung 870 EVO", "Samsung PM893")
    )
    assert protected > 2 * client


@pytest.mark.parametrize(
    ("op", "depth", "figure"),
    [
        ("rand_read", 1, {"device_read_latency_us": 4500}),
        ("rand_read", 64, {"device_read_latency_us": 4500}),
        ("rand_read", 64, {"device_4k_randread_iops": 300}),
        ("rand_write", 64, {"device_4k_randwrite_iops": 300}),
    ],
)
def test_what_a_spinning_disk_was_measured_to_do_counts(op: str, depth: int, figure: dict[str, float]) -> None:
    """A disk that seeks twice as fast as the usual one."""
    slow, fast = (rate(replace(disks(**more), op=op, queue_depth=depth)) for more in ({}, figure))
    assert 1.3 < fast / slow < 2.2


def test_too_little_memory_sends_more_reads_to_the_drive(facts: Facts) -> None:
    reads = replace(facts, op="rand_read", queue_depth=1, clients=1, osd_device_class="sata_ssd")
    assert rate(replace(reads, ram_GB_per_node=4)) < rate(replace(reads, ram_GB_per_node=64)) == rate(reads)


def test_a_disk_of_a_cloud_provider_takes_milliseconds_and_keeps_its_rate() -> None:
    """Rook on Azure (mkyc_k8s_pv): 1.9 to 3.3 ms a read and 20 to 24 ms a write at depth 1 in guests."""
    guests = Facts(
        nodes=3, osds_per_node=1, osd_device_model="Azure managed disk", cpu_model="8 vCPU", access="krbd_fio"
    )
    own = replace(guests, osd_device_model="Samsung PM983", cpu_model=None)
    reads, writes = (1 / rate(apply_workload(guests, load)) for load in ("4k-randread-qd1", "4k-randwrite-qd1"))
    assert 0.5e-3 < reads < 3e-3
    assert 5e-3 < writes < 24e-3
    assert 1 / rate(apply_workload(own, "4k-randwrite-qd1")) < writes / 4
    assert any("cloud disk" in item for item in fill(apply_workload(guests, "4k-randread-qd1"))[1])
    found = read_cluster('nodes = 3\ndrive = "AWS gp3"').facts
    assert fill(apply_workload(found, "4k-randwrite-qd1"))[0].sync == 2e-3
