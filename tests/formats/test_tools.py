"""iperf, ping, dd, hdparm, ioping, rbd bench, OSD bench, CrystalDiskMark and the state of a cluster."""

from __future__ import annotations

import pytest

from radoscope.formats.tools import osd_bench
from tests.formats.readings import brief, read_all

MIB = 2**20


@pytest.mark.parametrize(
    ("line", "rate", "runtime_s"),
    [
        ("1073741824 bytes (1.1 GB) copied, 9.21 s, 117 MB/s", 117e6, 9.21),
        ("1073741824 Bytes (1,1 GB, 1,0 GiB) kopiert, 8,24321 s, 130 MB/s", 130e6, 8.24321),
        ("1073741824字节（1.1 GB，1.0 GiB）已复制，2.31 s，465 MB/s", 465e6, 2.31),
        ("1073741824 バイト (1.1 GB, 1.0 GiB) コピーされました、 2.31 秒、 465 MB/秒", 465e6, 2.31),
        ("1073741824 байт (1,1 GB, 1,0 GiB) скопирован, 12,5 s, 85,9 MB/s", 85.9e6, 12.5),
        ("1048576000 bytes transferred in 1.25 secs (838860800 bytes/sec)", 838860800, 1.25),
        ("1048576000 bytes (1000.0MB) copied, 8.241 seconds, 121.3MB/s", 121.3 * MIB, 8.241),
    ],
)
def test_dd_is_read_in_every_language(line: str, rate: float, runtime_s: float) -> None:
    ((found, time),) = brief(line, "bw_bytes_per_s", "runtime_s")
    assert (found, time) == (pytest.approx(rate), runtime_s)


def test_the_progress_of_dd_is_no_result() -> None:
    text = (
        "$ dd if=/dev/zero of=x bs=1M count=30 status=progress\n"
        "10485760 bytes (10 MB, 10 MiB) copied, 1 s, 10.5 MB/s\r20971520 bytes (21 MB, 20 MiB) copied, 2 s, 10.4 MB/s\n"
        "30+0 records in\n30+0 records out\n31457280 bytes (31 MB, 30 MiB) copied, 3.1 s, 10.1 MB/s\n"
    )
    assert brief(text, "op", "block_bytes", "bytes") == [("write", MIB, 31457280)]


def test_iperf3s_receiver_sums_are_the_result() -> None:
    text = (
        "[  4]   0.00-10.00  sec  5.47 GBytes  4.70 Gbits/sec    3             sender\n"
        "[  4]   0.00-10.00  sec  5.47 GBytes  4.69 Gbits/sec                  receiver\n"
        "[  6]   0.00-10.00  sec  5.47 GBytes  4.70 Gbits/sec    9             sender\n"
        "[  6]   0.00-10.00  sec  5.47 GBytes  4.69 Gbits/sec                  receiver\n"
        "[SUM]   0.00-10.00  sec  10.9 GBytes  9.40 Gbits/sec   12             sender\n"
        "[SUM]   0.00-10.00  sec  10.9 GBytes  9.38 Gbits/sec                  receiver\n"
    )
    assert brief(text, "tool", "op", "jobs", "bw_bytes_per_s", "retransmits") == [("iperf3", "recv", 2, 9.38e9 / 8, 12)]


def test_an_iperf3_run_that_was_cut_off_has_no_result() -> None:
    assert read_all("[  4]   0.00-1.00   sec   560 MBytes  4.70 Gbits/sec    0    500 KBytes\n") == []


def test_iperf_2_is_told_by_its_one_decimal() -> None:
    text = "Client connecting to 10.0.0.1, TCP port 5001\n[  3]  0.0-10.0 sec  1.10 GBytes   941 Mbits/sec\n"
    assert brief(text, "tool", "op", "bw_bytes_per_s") == [("iperf", "send", 941e6 / 8)]


def test_ping_of_bsd_windows_and_a_dead_host() -> None:
    text = (
        "PING 10.0.0.2 (10.0.0.2): 56 data bytes\n3 packets transmitted, 3 packets received, 0.0% packet loss\n"
        "round-trip min/avg/max/stddev = 0.151/0.201/0.241/0.037 ms\n\n"
        "    Packets: Sent = 4, Received = 3, Lost = 1 (25% loss),\n"
        "    Minimum = 0ms, Maximum = 3ms, Average = 1ms\n\n"
        "--- 10.1.1.1 ping statistics ---\n5 packets transmitted, 0 received, 100% packet loss, time 4090ms\n"
    )
    assert brief(text, "lat_mean_ns", "rtt_max_ns", "packets_rx", "loss_pct") == [
        (201000, 241000, 3, 0),
        (1000000, 3000000, 3, 25),
        (None, None, 0, 100),
    ]


def test_hdparm_tells_the_cache_and_timed_reads() -> None:
    text = (
        "/dev/sda:\n setting drive write-caching to 0 (off)\n write-caching =  0 (off)\n/dev/sdb:\n"
        " Timing cached reads:   21930 MB in  1.99 seconds = 11015.31 MB/sec\n"
        " Timing buffered disk reads: 1556 MB in  3.00 seconds = 518.51 MB/sec\n"
    )
    assert brief(text, "device", "write_cache", "bw_bytes_per_s", "runtime_s") == [
        ("/dev/sda", "off", None, None),
        ("/dev/sdb", None, pytest.approx(11015.31 * MIB), 1.99),
        ("/dev/sdb", None, pytest.approx(518.51 * MIB), 3),
    ]


def test_rbd_bench_write_of_old_clusters() -> None:
    text = (
        "bench-write  io_size 4096 io_threads 16 bytes 1073741824 pattern seq\n  SEC       OPS   OPS/SEC   BYTES/SEC\n"
        "    1     12345  12350.10  50586009.6\n"
        "elapsed:    21  ops:   262144  ops/sec: 12312.10  bytes/sec: 50430361.60\n"
    )
    assert brief(text, "op", "block_bytes", "queue_depth", "iops", "bw_bytes_per_s", "runtime_s") == [
        ("write", 4096, 16, 12312.1, 50430361.6, 21)
    ]


def test_osd_bench_of_all_osds_and_in_the_cluster_log() -> None:
    text = (
        'osd.3: {\n "bytes_written": 1073741824,\n "blocksize": 4194304,\n "bytes_per_sec": "172361045.000000"}\n'
        "10 : [INF] osd.4 bench: wrote 1024 MB in blocks of 4096 KB in 5.3 sec at 191 MB/sec\n"
    )
    assert brief(text, "osd", "block_bytes", "bw_bytes_per_s") == [
        (3, 4 * MIB, 172361045),
        (4, 4 * MIB, 191 * MIB),
    ]


def test_crystaldiskmark_of_three_versions() -> None:
    text = (
        "    Random Read 4KB (QD=1) :    30.2 MB/s [  7376.7 IOPS]\n\n"
        "  Random Write 4KiB (Q=  8,T= 8) :   301.000 MB/s [  73486.3 IOPS]\n\n[Write]\n"
        "  SEQ    1MiB (Q=  8, T= 1):  3200.000 MB/s [   3051.8 IOPS] <  2600.00 us>\n"
    )
    assert brief(text, "op", "block_bytes", "queue_depth", "jobs", "bw_bytes_per_s", "iops", "lat_mean_ns") == [
        ("randread", 4096, 1, None, 30.2e6, 7376.7, None),
        ("randwrite", 4096, 8, 8, 301e6, 73486.3, None),
        ("write", MIB, 8, 1, 3.2e9, 3051.8, 2600000),
    ]


def test_fio_cdm_leaves_question_marks_null() -> None:
    text = (
        "|Name        |  Read(MB/s)| Write(MB/s)|\n|------------|------------|------------|\n"
        "|RND4K Q? T? |           ?|           ?|\n|. IOPS      |    97000.00|    20000.00|\n|. latency ms|        1.5|  ?|\n"  # noqa: E501
    )
    assert brief(text, "op", "queue_depth", "jobs", "bw_bytes_per_s", "iops", "lat_mean_ns") == [
        ("randread", None, None, None, 97000, 1500000),
        ("randwrite", None, None, None, 20000, None),
    ]


def test_the_status_and_tree_of_an_old_cluster() -> None:
    text = (
        "    cluster 3d0a7d5c-8a9c-4f4b-9f7e-3f9d6f1c2b11\n     health HEALTH_WARN\n     monmap e1: 3 mons at {a=1}\n"
        "     osdmap e53: 12 osds: 11 up, 12 in\n      pgmap v1: 192 pgs, 3 pools, 100 GB data, 2500 objects\n"
        "            300 GB used, 5000 GB / 6000 GB avail\n  client io 1024 kB/s rd, 20 MB/s wr, 100 op/s rd, 200 op/s wr\n"  # noqa: E501
        "# id    weight  type name       up/down reweight\n-1      3.64    root default\n-2      1.82            host n1\n"  # noqa: E501
        "0       1.82                    osd.0   up      1\n1       1.82                    osd.1   down    0\n"
    )
    status, tree = (each["extra"] for each in read_all(text))
    assert (status["health"], status["mons"], status["osds_up"], status["pools"]) == ("HEALTH_WARN", 3, 11, 3)
    assert (status["avail_bytes"], status["client_wr_iops"]) == (5000 * 2**30, 200)
    assert (tree["osds"], tree["osds_up"], tree["hosts"]) == (2, 1, 1)


def test_single_writes_of_the_osds_own_bench_are_times_and_no_rates() -> None:
    """Printed by OSDs of Ceph 16.2.15, on shared and busy processors."""
    text = "\n".join((
        'osd.0: {"bytes_written": 4096, "blocksize": 4096, "elapsed_sec": 0.005328614, "bytes_per_sec": '
        '768680.1858794801, "iops": 187.66606100573244}',
        'osd.6: {"bytes_written": 4096, "blocksize": 4096, "elapsed_sec": 0.015291125, "bytes_per_sec": '
        '267867.7991318494, "iops": 65.39741189742416}',
        'osd.0: {"bytes_written": 4096, "blocksize": 4096, "elapsed_sec": 0.012588652, "bytes_per_sec": '
        '325372.4068311682, "iops": 79.43662276151568}',
    ))  # fmt: skip
    first, second = osd_bench.read_single_writes(text)
    assert (first.extra["osd"], first.iops, first.bandwidth_bytes_per_s) == (0, None, None)
    assert first.latency is not None and second.latency is not None
    assert first.latency.samples == 2
    assert first.latency.mean_s == pytest.approx((0.005328614 + 0.012588652) / 2)
    assert second.latency.mean_s == pytest.approx(0.015291125)
    older = '{"bytes_written": 4096, "blocksize": 4096, "bytes_per_sec": 409600.0}'
    [luminous] = osd_bench.read_single_writes(older)
    assert luminous.latency is not None and luminous.latency.mean_s == pytest.approx(0.01)
