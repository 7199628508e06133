"""What one operation costs, where: what crosses a wire, what a drive keeps up, what reads reach it."""

from dataclasses import replace
from typing import Any

import pytest

from radoscope.predict.constants import documented
from radoscope.predict.defaults import fill
from radoscope.predict.demands import Costs, costs
from radoscope.predict.facts import Facts
from radoscope.predict.setting import FLOATS

MIB = 1 << 20
C = documented()


def cost(facts: Facts) -> Costs:
    return costs(fill(facts)[0], C, FLOATS)


def capacity(facts: Facts, station: str) -> float:
    """Operations per second at which the station is full."""
    return next(float(one.capacity) for one in cost(facts).stations if one.name == station)


def large(facts: Facts, op: str, **changes: Any) -> Facts:
    return replace(facts, op=op, block_bytes=4 * MIB, queue_depth=16, clients=1, **changes)


def test_copies_that_share_a_host_cross_no_line(facts: Facts) -> None:
    """On one storage host a write of size 3 comes in once; on three hosts it comes in three times."""
    one, three = (large(facts, "seq_write", nodes=nodes, osds_per_node=12 / nodes) for nodes in (1, 3))
    line = 25e9 / 8 * C.line_osd
    assert capacity(one, "network into OSD hosts") == pytest.approx(line / (4 * MIB), rel=1e-3)
    assert capacity(three, "network into OSD hosts") == pytest.approx(3 * line / (3 * 4 * MIB), rel=1e-3)


def test_copies_partly_share_hosts_where_there_are_fewer_hosts_than_copies(facts: Facts) -> None:
    two = large(facts, "seq_write", nodes=2, osds_per_node=4)
    copied = 2 * (1 - 3 / 7)  # of the 7 other OSDs 3 are on the primary's host
    line = 25e9 / 8 * C.line_osd
    assert capacity(two, "network into OSD hosts") == pytest.approx(2 * line / (4 * MIB * (1 + copied)), rel=1e-3)


def test_the_primary_of_a_coded_pool_gets_the_whole_object_and_sends_all_parts_but_its_own(facts: Facts) -> None:
    coded = large(facts, "seq_write", nodes=6, pool_size=None, ec_profile="4+2")
    line = 6 * 25e9 / 8
    assert capacity(coded, "network into OSD hosts") == pytest.approx(line * C.line_osd / (4 * MIB * 2.25), rel=1e-3)
    assert capacity(coded, "network out of OSD hosts") == pytest.approx(line * C.line_out / (4 * MIB * 1.25), rel=1e-3)


@pytest.mark.parametrize(("version", "k", "asked"), [("20.2", 2, 1 / 2), ("20.2", 6, 5 / 6), ("18.2", 6, 1)])
def test_a_small_read_of_a_coded_pool_comes_by_way_of_the_primary(
    facts: Facts, version: str, k: int, asked: float
) -> None:
    """Since Tentacle one shard is read, which the primary holds one time in k; before, all of them are."""
    copies = replace(facts, op="rand_read", ceph_version=version, nodes=8)
    coded = replace(copies, pool_size=None, ec_profile=f"{k}+2")
    trips = cost(coded).network - cost(copies).network
    assert trips == pytest.approx(asked * (facts.rtt_us or 0) * 1e-6, rel=0.2)  # and some bytes
    work = capacity(copies, "OSD CPU") / capacity(coded, "OSD CPU")
    assert work == pytest.approx(1 + 0.8 * (asked if version > "20" else k - 1), rel=0.08)  # bytes cost the same


@pytest.mark.parametrize(("version", "block", "shards"), [("18.2", 4096, 4), ("20.2", 4096, 1), ("18.2", 16384, 4)])
def test_a_read_of_a_stripe_is_one_of_each_shard(facts: Facts, version: str, block: int, shards: int) -> None:
    disks = replace(facts, osd_device_model=None, osd_device_class="hdd", device_plp=False, nodes=8)
    copies = replace(disks, op="rand_read", ceph_version=version, block_bytes=block)
    coded = replace(copies, pool_size=None, ec_profile="4+2")
    assert capacity(copies, "drives") / capacity(coded, "drives") == pytest.approx(shards)


def test_what_a_page_says_was_cached_reaches_no_drive(facts: Facts) -> None:
    read = replace(facts, op="rand_read", variant="cached")
    assert cost(read).media == 0
    assert capacity(read, "drives") > 1e9
    assert cost(replace(read, variant="drive caches on")).media > 0


def test_copies_leave_the_primary_one_after_the_other(facts: Facts) -> None:
    slow = large(facts, "seq_write", network_Gbps=1, rtt_us=0.0)
    on_the_wire = 4 * MIB / (1e9 / 8)
    assert cost(slow).network == pytest.approx(3 * on_the_wire)  # to the primary, and two copies
    assert cost(replace(slow, pool_size=2)).network == pytest.approx(2 * on_the_wire)


def test_rados_bench_compares_what_it_reads_and_so_reads_slower_than_an_image(facts: Facts) -> None:
    bench, image = (large(facts, "seq_read", access=access) for access in ("rados_bench", "librbd_fio"))
    assert capacity(bench, "client") < capacity(image, "client") / 1.5
    bench, image = (replace(one, op="seq_write") for one in (bench, image))
    assert capacity(bench, "client") == pytest.approx(capacity(image, "client"), rel=0.1)


def test_a_client_drive_keeps_a_part_of_its_write_rate_and_all_of_its_read_rate(facts: Facts) -> None:
    known = replace(facts, osd_device_model=None, device_seq_read_MBps=3000, device_seq_write_MBps=2000)
    protected, client = (large(known, "seq_write", device_plp=plp) for plp in (True, False))
    assert capacity(client, "drives") == pytest.approx(capacity(protected, "drives") * C.client_share, rel=1e-3)
    protected, client = (replace(one, op="seq_read") for one in (protected, client))
    assert capacity(client, "drives") == pytest.approx(capacity(protected, "drives"))


def test_a_sata_drive_with_protection_writes_at_nearly_the_rate_of_its_line(facts: Facts) -> None:
    sata = replace(facts, osd_device_model=None, osd_device_class="sata_ssd")
    sata = large(sata, "seq_write", device_seq_read_MBps=540, device_seq_write_MBps=500, pool_size=1)
    written = capacity(sata, "drives") * 4 * MIB * C.write_amplification / 16  # bytes/s to each of 16 drives
    assert written == pytest.approx(500e6 * C.sata_share, rel=1e-3)


def test_small_reads_of_filestore_come_from_the_page_cache(facts: Facts) -> None:
    disks = replace(facts, osd_device_model=None, osd_device_class="hdd", device_plp=False, op="rand_read")
    filestore, bluestore = (capacity(replace(disks, backend=name), "drives") for name in ("filestore", "bluestore"))
    assert filestore == pytest.approx(bluestore / C.page_cache)


def test_large_reads_reach_the_drive_more_often_than_small_ones(facts: Facts) -> None:
    setting = fill(large(facts, "seq_read"))[0]
    read = capacity(large(facts, "seq_read"), "drives") * 4 * MIB * (C.miss**0.5)
    assert read == pytest.approx(setting.devices * setting.seq_read * C.device_share, rel=1e-3)


def test_a_faster_clock_moves_an_image_less_than_it_moves_an_osd(facts: Facts) -> None:
    slow, fast = (replace(facts, cpu_model=None, cpu_GHz=ghz) for ghz in (2.0, 4.0))
    image, osd = (capacity(fast, name) / capacity(slow, name) for name in ("client", "OSD threads"))
    assert 1 < image < osd
    assert image == pytest.approx(osd**0.5)
