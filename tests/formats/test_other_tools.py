"""Tools beside fio and Ceph's own, in the layouts that they print; their units are checked against one another."""
# ruff: noqa: E501

from __future__ import annotations

import pytest

from radoscope.archives import paste
from tests.formats.readings import brief, read_all

MIB = 2**20

KBENCH = """
=====================
FIO Benchmark Summary
For: volume-a
=====================
IOPS (Read/Write)
        Random:           18,211 / 4,720
    Sequential:          31,400 / 9,310
  CPU Idleness:                      81%

Bandwidth in KiB/sec (Read/Write)
        Random:        901,120 / 204,800
  CPU Idleness:                      80%

Latency in ns (Read/Write)
        Random:      412,007 / 1,730,220
"""
DISKSPD = """
		using random I/O (alignment: 4KiB)
		block size: 4KiB
		number of outstanding I/O operations per thread: 16
		threads per file: 2
actual test time:	20.00s
Total IO
thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file
--------------------------------------------------------------------------------------------------
     0 |       819200000 |       200000 |      39.06 |   10000.00 |    3.200 |     0.100 | D:\\t.dat
--------------------------------------------------------------------------------------------------
total:         819200000 |       200000 |      39.06 |   10000.00 |    3.200 |     0.100

Read IO
thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file
--------------------------------------------------------------------------------------------------
     0 |       573440000 |       140000 |      27.34 |    7000.00 |    3.000 |     0.100 | D:\\t.dat
--------------------------------------------------------------------------------------------------
total:         573440000 |       140000 |      27.34 |    7000.00 |    3.000 |     0.100

Write IO
thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file
--------------------------------------------------------------------------------------------------
     0 |       245760000 |        60000 |      11.72 |    3000.00 |    3.600 |     0.100 | D:\\t.dat
--------------------------------------------------------------------------------------------------
total:         245760000 |        60000 |      11.72 |    3000.00 |    3.600 |     0.100

  %-ile |  Read (ms) | Write (ms) | Total (ms)
----------------------------------------------
   50th |      2.900 |      3.400 |      3.100
   99th |      6.100 |      7.700 |      6.500
3-nines |      9.100 |     11.200 |      9.800
"""


def test_kbenchs_metrics_come_from_runs_of_their_own() -> None:
    found = brief(KBENCH, "tool", "op", "iops", "bw_bytes_per_s", "lat_mean_ns")
    assert found == [
        ("kbench", "randread", 18211, None, None), ("kbench", "randwrite", 4720, None, None),
        ("kbench", "read", 31400, None, None), ("kbench", "write", 9310, None, None),
        ("kbench", "randread", None, 901120 * 1024, None), ("kbench", "randwrite", None, 204800 * 1024, None),
        ("kbench", "randread", None, None, 412007), ("kbench", "randwrite", None, None, 1730220),
    ]  # fmt: skip


def test_a_comparison_of_kbench_gives_both_sides_under_their_names() -> None:
    text = "For: local vs ceph\n\nIOPS (Read/Write)\n        Random:   90,100 / 80,200 vs  20,300 / 5,400 : -77.47% / -93.27%\n"
    assert brief(text, "label", "op", "iops") == [
        ("local", "randread", 90100), ("local", "randwrite", 80200), ("ceph", "randread", 20300), ("ceph", "randwrite", 5400),
    ]  # fmt: skip


def test_dbench_shares_its_pairs_among_reads_and_writes() -> None:
    text = (
        "Random Read/Write IOPS: 71.2k/9210. BW: 512MiB/s / 208MiB/s\nAverage Latency (usec) Read/Write: 512.20/1890.10\n"
        "Sequential Read/Write: 1024MiB/s / 311MiB/s\nMixed Random Read/Write IOPS: 9012/3010\n"
    )
    found = brief(text, "op", "iops", "bw_bytes_per_s", "lat_mean_ns", "mixed")
    assert ("randread", 71200, None, None, None) in found
    assert ("randwrite", None, 208 * MIB, None, None) in found
    assert ("randwrite", None, None, 1890100, None) in found
    assert ("write", None, 311 * MIB, None, None) in found
    assert ("randwrite", 3010, None, None, True) in found
    assert len(found) == 10


def test_megabytes_of_diskspd_are_mebibytes_and_its_reads_and_writes_are_parted() -> None:
    fields = ("op", "block_bytes", "queue_depth", "jobs", "iops", "lat_mean_ns", "lat_p999_ns", "total_ios")
    assert brief(DISKSPD, *fields) == [
        ("randread", 4096, 16, 2, 7000, 3000000, 9100000, 140000), ("randwrite", 4096, 16, 2, 3000, 3600000, 11200000, 60000),
    ]  # fmt: skip
    for result in read_all(DISKSPD):
        assert result["bw_bytes_per_s"] == pytest.approx(result["iops"] * 4096, rel=0.001)


def test_perftests_megabytes_are_mebibytes_and_its_gigabits_are_decimal() -> None:
    head = "                    RDMA_Write BW Test\n #bytes     #iterations    BW peak[{}]    BW average[{}]   MsgRate[Mpps]\n"
    mib = head.format("MB/sec", "MB/sec") + " 65536      5000             11000.00           10990.00     0.175840\n"
    gbit = head.format("Gb/sec", "Gb/sec") + " 65536      5000             92.30              92.19        0.175840\n"
    for text in (mib, gbit):
        [result] = read_all(text)
        assert (result["op"], result["block_bytes"]) == ("write", 65536)
        assert result["bw_bytes_per_s"] == pytest.approx(result["iops"] * 65536, rel=0.001)


def test_warp_of_2020_and_of_today_is_read() -> None:
    text = (
        "Operation: PUT. Concurrency: 20\n* Average: 120.50 MiB/s, 12.05 obj/s\n\nThroughput, split into 59 x 1s:\n"
        " * Fastest: 150.1MiB/s, 15.01 obj/s\n * 50% Median: 119.0MiB/s, 11.90 obj/s\n\n"
        "Report: GET (7750 reqs). Ran Duration: 1m58s\n * Objects per request: 1. Size: 1048576 bytes. Concurrency: 32.\n"
        " * Average: 301.00 MiB/s, 301.00 obj/s (118s)\n * Reqs: Avg: 24.1ms, 50%: 20.0ms, 99%: 60.2ms, Fastest: 2.1ms\n"
    )
    assert brief(text, "op", "queue_depth", "iops", "bw_bytes_per_s", "lat_p99_ns", "block_bytes", "runtime_s") == [
        ("write", 20, 12.05, 120.5 * MIB, None, None, None), ("read", 32, 301, 301 * MIB, 60200000, MIB, 118),
    ]  # fmt: skip


def test_elbenchos_last_column_is_the_result() -> None:
    text = (
        "$ elbencho -r --rand -b 4K -t 8 --iodepth 16 --direct /dev/rbd0\n"
        "OPERATION   RESULT TYPE         FIRST DONE   LAST DONE\n=========== ================    ==========   =========\n"
        "READ        Elapsed time     :     10.100s   1m10.200s\n            IOPS             :       40000       39000\n"
        "            Throughput MiB/s :         156         152\n            IO latency       : [ min=90us avg=3.2ms max=21.0ms ]\n---\n"
    )
    fields = ("op", "block_bytes", "queue_depth", "jobs", "iops", "bw_bytes_per_s", "lat_mean_ns", "runtime_s")
    assert brief(text, *fields) == [("randread", 4096, 16, 8, 39000, 152 * MIB, 3200000, 70.2)]


IOZONE_HEAD = "              kB  reclen    write  rewrite    read    reread    read     write     read\n"


def test_a_number_of_iozone_belongs_to_the_name_that_ends_above_it() -> None:
    full = IOZONE_HEAD + "         1048576    1024   120345   110234   345678   345670   210111    99887\n"
    assert [each[0] for each in brief(full, "op")] == ["write", "write", "read", "read", "randread", "randwrite"]
    without_reads = IOZONE_HEAD + "         1048576    1024   120345   110234                     210111    99887\n"
    assert brief(without_reads, "op", "bw_bytes_per_s")[-1] == ("randwrite", 99887 * 1024)
    page = paste.read_page(IOZONE_HEAD + "1048576 1024 120345 110234 210111 99887\n")
    assert page.results == () and len(page.unread) == 1


def test_children_of_iozone_see_the_sum() -> None:
    text = "Children see throughput for  4 random writers  =  204800.00 kB/sec\nMin throughput per process  =  51200.00 kB/sec\n"
    assert brief(text, "tool", "op", "jobs", "bw_bytes_per_s") == [("iozone", "randwrite", 4, 204800 * 1024)]


def test_bonnies_blocks_and_seeks_count_and_plus_signs_are_unknown() -> None:
    text = """Version 2.00       ------Sequential Output------ --Sequential Input- --Random-
                    -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--
Name:Size etc        /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP
box          32G      710k  98  412m  31  190m  22 1310k  97  880m  40  2101  31
Latency             15040us     210ms     330ms   10310us   52000us   13000us
"""
    assert brief(text, "op", "iops", "bw_bytes_per_s") == [
        ("write", None, 412 * MIB), ("read", None, 880 * MIB), ("randrw", 2101, None),
    ]  # fmt: skip


def test_vdbenchs_average_is_the_result() -> None:
    text = """
Jan 02, 2024    interval        i/o   MB/sec   bytes   read     resp     read    write     read    write     resp  queue  cpu%  cpu%
                               rate  1024**2     i/o    pct     time     resp     resp      max      max   stddev  depth sys+u   sys
16:24:32.018           1     5000.0    39.06    8192 100.00    1.600    1.600    0.000    20.11     0.00    0.800    8.0   9.0   3.5
16:24:35.009     avg_2-5     5100.0    39.84    8192 100.00    1.570    1.570    0.000    22.05     0.00    0.790    8.0   9.5   3.0
"""
    assert brief(text, "op", "block_bytes", "iops", "bw_bytes_per_s", "lat_mean_ns") == [
        ("read", 8192, 5100, 39.84 * MIB, 1570000)
    ]


def test_pveperf_gives_reads_and_fsyncs() -> None:
    text = "CPU BOGOMIPS:      9600.00\nBUFFERED READS:    100.00 MB/sec\nAVERAGE SEEK TIME: 0.10 ms\nFSYNCS/SECOND:     800.00\n"
    assert brief(text, "op", "iops", "bw_bytes_per_s", "sync_mean_ns") == [
        ("read", None, 100 * MIB, None), ("write", 800, None, 1250000),
    ]  # fmt: skip


def test_s3bench_means_mebibytes_and_seconds() -> None:
    text = (
        "Test parameters\nobjectSize:       4.0000 MB\nnumClients:       16\n\n\nResults Summary for Write Operation(s)\n"
        "Total Transferred: 8000.000 MB\nTotal Throughput:  412.31 MB/s\nTotal Duration:    19.403 s\nNumber of Errors:  0\n"
        "------------------------------------\nWrite times Max:       0.611 s\nWrite times 99th %ile: 0.402 s\n"
        "Write times 50th %ile: 0.149 s\nWrite times Min:       0.066 s\n\n\nResults Summary for Read Operation(s)\n"
        "Total Throughput:  1090.18 MB/s\nRead times 99th %ile: 0.140 s\n"
    )
    assert brief(text, "tool", "op", "block_bytes", "bw_bytes_per_s", "lat_p50_ns", "lat_p99_ns") == [
        ("s3bench", "write", 4 * MIB, pytest.approx(412.31 * MIB), 149e6, 402e6),
        ("s3bench", "read", 4 * MIB, pytest.approx(1090.18 * MIB), None, 140e6),
    ]


def test_crystaldiskmark_in_japanese_names_its_sections() -> None:
    text = (
        "[読み込み]\n  SEQ 1MiB (Q= 8, T= 1):  560.3 MB/s [ 534.3 IOPS]\n\n"
        "[書き込み]\n  ランダム 4KiB (Q= 1, T= 1):  102.4 MB/s [ 25000.0 IOPS] <  39.10 us>\n"
    )
    assert brief(text, "op", "block_bytes", "queue_depth", "jobs", "bw_bytes_per_s", "iops", "lat_mean_ns") == [
        ("read", MIB, 8, 1, 560.3e6, 534.3, None), ("randwrite", 4096, 1, 1, 102.4e6, 25000, pytest.approx(39100)),
    ]  # fmt: skip


def test_each_command_of_fio_speaks_for_the_line_below_it() -> None:
    text = "".join(
        f"# fio -filename=/dev/vdb -direct=1 -iodepth={depth} -rw={rw} -bs=4k -numjobs=1 -group_reporting -name=t | grep IOPS\n"
        f"  {rw.removeprefix('rand')}: IOPS={iops}, BW=46.4MiB/s (48.7MB/s)(2787MiB/60005msec)\n"
        for depth, rw, iops in ((64, "randwrite", 11900), (16, "randread", 11901))
    )
    assert brief(text, "op", "queue_depth", "jobs", "iops") == [("randwrite", 64, 1, 11900), ("randread", 16, 1, 11901)]


def test_sysbench_of_2012_says_what_all_requests_were() -> None:
    text = (
        "Number of threads: 1\n\nBlock size 16Kb\nDoing random r/w test\n\nOperations performed:  600 Read, 400 Write, 128 Other = 1128 Total\n"
        "Read 9.375Mb  Written 6.25Mb  Total transferred 15.625Mb  (1.5625Mb/sec)\n  100.00 Requests/sec executed\n"
        "Test execution summary:\n    total time:                          10.0000s\n"
    )
    assert brief(text, "op", "block_bytes", "iops", "bw_bytes_per_s") == [("randrw", 16384, 100, 1.5625 * MIB)]


def test_kubestr_names_each_job() -> None:
    text = "JobName: write_iops\n  blocksize=4K filesize=2G iodepth=64 rw=randwrite\nwrite:\n  IOPS=410.50 BW(KiB/s)=1658\n"
    assert brief(text, "jobname", "op", "block_bytes", "queue_depth", "iops", "bw_bytes_per_s") == [
        ("write_iops", "randwrite", 4096, 64, 410.5, 1658 * 1024)
    ]


IOMETER = """'Access specifications
'Access specification name,default assignment
4K mixed,1
'size,% of size,% reads,% random,delay,burst,align,reply
4096,100,70,100,0,1,4096,0
'End access specifications
'Target Type,Target Name,Access Specification Name,# Managers,# Workers,# Disks,IOps,Read IOps,Write IOps,MBps,Read MBps,Write MBps,Average Response Time,Average Read Response Time,Average Write Response Time,Queue Depth
ALL,All,4K mixed,1,1,1,1000,700,300,3.90625,2.734375,1.171875,3.2,3,3.6,8
MANAGER,BOX,4K mixed,,1,1,1000,700,300,3.90625,2.734375,1.171875,3.2,3,3.6,8
DISK,E:,4K mixed,,,1,1000,700,300,3.90625,2.734375,1.171875,3.2,3,3.6,8
"""


def test_iometers_totals_are_parted_into_reads_and_writes_and_its_megabytes_are_mebibytes() -> None:
    assert brief(IOMETER, "op", "block_bytes", "queue_depth", "iops", "bw_bytes_per_s", "lat_mean_ns") == [
        ("randread", 4096, 8, 700, 700 * 4096, 3000000), ("randwrite", 4096, 8, 300, 300 * 4096, 3600000),
    ]  # fmt: skip


def test_iometers_load_is_null_where_it_is_a_mix_of_sizes() -> None:
    text = IOMETER.replace("4096,100,70", "4096,50,70").replace("'End access", "8192,50,70,100,0,1,8192,0\n'End access")
    assert brief(text, "op", "block_bytes", "pattern_unknown") == [("read", None, True), ("write", None, True)]


def test_two_tables_of_ceph_are_states_and_no_results() -> None:
    text = (
        "osd  commit_latency(ms)  apply_latency(ms)\n  2                  41                 41\n  0                   3                  3\n\n"
        "NAME                 WR    RD   WR_BYTES   RD_BYTES      WR_LAT    RD_LAT\n"
        "vms/vm-101-disk-0  1.2k/s  31/s  1.9 MiB/s  510 KiB/s    3.21 ms   0.61 ms\nvms/b  44/s   2/s  0 B/s   0 B/s    3.90 ms   0.00 ns\n"
    )
    fields = ("tool", "iops", "osd_commit_s", "images", "client_wr_iops", "client_wr_bytes_per_s")
    assert brief(text, *fields) == [
        ("ceph-osd-perf", None, {"osd.2": 0.041, "osd.0": 0.003}, None, None, None),
        ("rbd-perf", None, None, 2, 1244.0, 1.9 * MIB),
    ]


def test_a_clock_is_no_mix_of_reads_and_writes() -> None:
    text = "Sun Jan  7 10:00:00 UTC 2024\nserial array read\naverage speed is 231.4 MB/sec per disk\n"
    assert brief(text, "op") == [("read",)]


def test_only_the_totals_of_hsbench_count_and_its_megabytes_are_mebibytes() -> None:
    line = "2026/01/02 03:04:05 Loop: 0, Int: {}, Dur(s): 10.0, Mode: PUT, Ops: 10000, MB/s: 3.90625, IO/s: 1000, Lat(ms): [ min: 0.4, avg: 3.3, 99%: 12.4, max: 220.1 ], Slowdowns: 0\n"
    found = brief(
        line.format(0) + line.format("TOTAL"), "tool", "op", "iops", "bw_bytes_per_s", "lat_mean_ns", "lat_p99_ns"
    )
    assert found == [("hsbench", "write", 1000, 4096000, 3300000, 12400000)]


def test_what_hsbench_was_asked_for_stands_above_its_totals() -> None:
    text = (
        "2026/01/02 03:04:00 Hotsauce S3 Benchmark Version 0.1\n2026/01/02 03:04:00 threads=12\n"
        "2026/01/02 03:04:00 size=64K\n2026/01/02 03:04:01 Loop: 0, Int: TOTAL, Dur(s): 0.0, Mode: BCLR, Ops: 0, MB/s: "
        "0.00, IO/s: 0\n2026/01/02 03:04:05 Loop: 0, Int: TOTAL, Dur(s): 4.0, Mode: GET, Ops: 4000, MB/s: 62.50, "
        "IO/s: 1000\n"
    )
    assert brief(text, "op", "block_bytes", "jobs", "iops") == [("read", 65536, 12, 1000)]


WEED = """weed benchmark -master=m:9333 -c 4 -n 1000{}

------------ Writing Benchmark ----------
Concurrency Level:      4
Time taken for tests:   2.000 seconds
Completed requests:      1000
Failed requests:        0
Total transferred:      1055000 bytes
Requests per second:    500.00 [#/sec]
Transfer rate:          515.14 [Kbytes/sec]

Connection Times (ms)
              min      avg        max      std
Total:        0.5      7.9       60.0      4.4

Percentage of the requests served within a certain time (ms)
   50%      6.6 ms
  100%     60.0 ms

------------ Randomly Reading Benchmark ----------
Concurrency Level:      4
Requests per second:    2000.00 [#/sec]
Transfer rate:          2060.55 [Kbytes/sec]
"""


def test_each_phase_of_weed_benchmark_is_a_result_and_its_kilobytes_are_kibibytes() -> None:
    fields = ("op", "block_bytes", "jobs", "iops", "bw_bytes_per_s", "lat_mean_ns", "lat_p50_ns", "total_ios")
    assert brief(WEED.format(" -size=2048"), *fields) == [
        ("write", 2048, 4, 500, pytest.approx(515.14 * 1024), 7900000, 6600000, 1000),
        ("randread", 2048, 4, 2000, pytest.approx(2060.55 * 1024), None, None, None),
    ]
    assert brief(WEED.format(" -readSequentially"), "op", "block_bytes") == [("write", 1024), ("read", 1024)]


def test_yabs_tells_what_each_host_sent_received_and_how_far_it_is() -> None:
    head = "Provider | Location (Link) | Send Speed | Recv Speed{}\n----- | ----- | ---- | ----{}\n"
    rows = "Near | Oslo, NO (10G) | 8.00 Gbits/sec | busy{}\nFar | Lima, PE (1G) | 80.0 Mbits/sec | 40.0 Mbits/sec{}\n"
    fields = ("tool", "op", "bw_bytes_per_s", "lat_mean_ns")
    rates = [("iperf3", "send", 1e9, None), ("iperf3", "send", 1e7, None), ("iperf3", "recv", 5e6, None)]
    assert brief((head + rows).format("", "", "", ""), *fields) == rates
    near, far = ("ping", "rtt", None, 2000000), ("ping", "rtt", None, 180000000)
    text = (head + rows).format(" | Ping", " | ----", " | 2.0 ms", " | 180 ms")
    assert brief(text, *fields) == [rates[0], near, *rates[1:], far]


def test_the_total_of_spdks_perf_is_the_result_and_its_megabytes_are_mebibytes() -> None:
    head = "Device Information                     :       IOPS      MiB/s    Average        min        max\n"
    row = "PCIE (0000:5e:00.0) NSID 1 from core  {}:   90112.00     352.00     355.10      60.20    2410.70\n"
    total = "=====\nTotal                                  :  180224.00     704.00     355.10      60.20    2410.70\n"
    command = "./build/bin/spdk_nvme_perf -q 64 -o 4096 -w randread -t 10 -r 'trtype:PCIe'\n"
    fields = ("op", "block_bytes", "queue_depth", "iops", "bw_bytes_per_s", "lat_mean_ns")
    assert brief(command + head + row.format(0) + row.format(1) + total, *fields) == [
        ("randread", 4096, 64, 180224, 704 * MIB, 355100)
    ]
    alone = brief(head + row.format(0) + row.format(1), *fields)
    assert alone == [(None, None, None, 90112, 352 * MIB, 355100)] * 2


def test_each_loop_of_s3_benchmark_has_the_parameters_above_it() -> None:
    text = (
        "S3 benchmark program v3.0\n"
        "Parameters: url=http://10.0.0.4:9000, bucket=b, duration=30, threads=8, loops=1, size=64k\n"
        "Mon, 04 May 2026 10:00:00 GMT Loop 1: PUT time 30.0 secs, objects = 24000, speed = 50MB/sec, 800.0 operations/sec.\n"
        "Mon, 04 May 2026 10:00:40 GMT Loop 1: GET time 30.0 secs, objects = 48000, speed = 100MB/sec, 1600.0 operations/sec.\n"
        "Mon, 04 May 2026 10:01:00 GMT Loop 1: DELETE time 12.0 secs, 2000.0 operations/sec.\n"
    )
    assert brief(text, "op", "block_bytes", "queue_depth", "iops", "bw_bytes_per_s", "total_ios", "runtime_s") == [
        ("write", 65536, 8, 800, 50 * MIB, 24000, 30),
        ("read", 65536, 8, 1600, 100 * MIB, 48000, 30),
    ]


def test_minios_speedtest_is_read_where_its_json_is_cut_off() -> None:
    text = """{
    "servers": 2,
    "size": 8388608,
    "concurrent": 16,
    "PUTStats": {
        "throughputPerSec": 838860800,
        "objectsPerSec": 100,
        "servers": [
            {
                "endpoint": "http://a:9000",
                "throughputPerSec": 419430400,
                "objectsPerSec": 50
            }
        ]
    },
    "GETStats": {
        "throughputPerSec": 1677721600,
        "objectsPerSec": 200,
        "servers": [
            {
"""
    assert brief(text, "op", "block_bytes", "queue_depth", "iops", "bw_bytes_per_s") == [
        ("write", 8388608, 16, 100, 838860800),
        ("read", 8388608, 16, 200, 1677721600),
    ]


def test_sizes_of_iops_are_powers_of_two_written_in_thousands() -> None:
    row = "  {} blocks:  120.4 IO/s, {} (  1.0 Mbit/s)\n"
    head = "/dev/sda,   1.00 TB, 16 threads:\n"
    fields = ("tool", "op", "block_bytes", "jobs", "bw_bytes_per_s")
    text = head + row.format("131 kB", "15.8 MB/s") + row.format("64 KiB", "7.5 MiB/s") + row.format("5 kB", "0.6 MB/s")
    assert brief(text, *fields) == [
        ("iops", "randread", 131072, 16, 15.8e6),
        ("iops", "randread", 65536, 16, 7.5 * MIB),
        ("iops", "randread", None, 16, 0.6e6),
    ]
    assert brief(row.format("0 kB", "1.0 MB/s"), *fields) == [("iops", "read", None, None, 1e6)]


def test_the_head_of_iops_tells_the_order() -> None:
    text = (
        "/dev/vdb,  21.47 G, sectorsize=512B, #threads=2, pattern=sequential:\n"
        "   1 MB blocks:  120.4 IO/s, 126.2 MB/s (  1.0 Gbit/s)\n"
    )
    assert brief(text, "op", "block_bytes", "jobs") == [("read", MIB, 2)]


def test_a_summary_of_rados_bench_names_its_units_behind_the_values_or_others() -> None:
    rows = "| Total time run | 30.0 sec |\n| Total writes made | 4500 |\n| Bandwidth (MB/sec) | {} |\n"
    head = "`rados bench -p lab 30 write`\n\n| Metric | Value |\n|---|---|\n"
    assert brief(head + rows.format("600.5 MB/sec"), "bw_bytes_per_s") == [(600.5 * MIB,)]
    assert 0.6 * MIB not in {rate for (rate,) in brief(head + rows.format("0.6 GB/s"), "bw_bytes_per_s")}


def test_ends_of_totals_of_dd_have_times_as_far_as_they_are_certain() -> None:
    assert brief("dd: 12.04 s, 89.2 MB/s\n", "op", "bw_bytes_per_s", "runtime_s") == [(None, 89.2e6, 12.04)]
    assert brief("4.0 GiB) copied, 9,31 s, 461 MB/s\n", "bw_bytes_per_s") == [(461e6,)]


def test_a_name_in_front_of_round_trips_is_their_label() -> None:
    text = "over LTE: rtt min/avg/max/mdev = 20.1/31.4/60.9/8.0 ms\n"
    assert brief(text, "op", "lat_mean_ns", "label") == [("rtt", 31.4e6, "over LTE")]


def test_netperf_is_read_where_a_mail_broke_the_line_of_its_hosts() -> None:
    text = """> MIGRATED TCP STREAM TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET
> to netbox.lab (10.7.0.2) port 0 AF_INET : demo
> Recv   Send    Send
> Socket Socket  Message  Elapsed
> Size   Size    Size     Time     Throughput
> bytes  bytes   bytes    secs.    10^6bits/sec
>
> 131072  16384  16384    5.00     8000.00
"""
    assert brief(text, "tool", "op", "block_bytes", "bw_bytes_per_s") == [("netperf", "send", 16384, 1e9)]


@pytest.mark.parametrize(
    ("mean", "one_way"), [("avg-latency=30.500", True), ("avg-lat= 30.500", True), ("avg-rtt=30.500", False)]
)
def test_sockperfs_mean_stands_twice_and_one_is_enough(mean: str, one_way: bool) -> None:
    text = f"""$ sockperf ping-pong -i 10.7.0.2 -m 64 -t 5
sockperf: [Valid Duration] RunTime=4.500 sec; SentMessages=70000; ReceivedMessages=70000
sockperf: ====> {mean} (std-dev=2.100)
sockperf: ---> <MAX> observation = **410.250**
sockperf: ---> percentile 99.000 =   55.125
sockperf: ---> <MIN> observation =   20.000
"""
    fields = ("op", "block_bytes", "lat_mean_ns", "lat_p99_ns", "total_ios", "runtime_s", "one_way")
    assert brief(text, *fields) == [("rtt", 64, 30500, 55125, 70000, 4.5, one_way)]


def test_the_head_of_perftests_latencies_names_its_columns() -> None:
    text = """RDMA_Read Latency Test
 #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]
 8       1000          1.80           5.40         1.90               1.95           0.10            2.20                   4.10
"""
    less = "RDMA_Read Latency Test\n#bytes #iterations    t_typical[usec]    t_avg[usec]\n8       1000          1.90           1.95\n"
    fields = ("op", "lat_mean_ns", "lat_p50_ns", "lat_p99_ns", "lat_p999_ns")
    assert brief(text, *fields) == [("read", 1950, 1900, 2200, 4100)]
    assert brief(less, *fields) == [("read", 1950, 1900, None, None)]


def test_elbencho_counts_objects_where_these_are_its_operations() -> None:
    text = """OPERATION   RESULT TYPE         FIRST DONE   LAST DONE
=========== ================    ==========   =========
READ        Elapsed time     :      2.000s      2.500s
            Objects/s        :         450         400
            Throughput MiB/s :          45          40
            Total MiB        :          90         100
            Objects total    :         900        1000
"""
    assert brief(text, "op", "iops", "total_ios") == [("read", 400, 1000)]
    assert brief(
        text.replace("Throughput", "IOPS             :        1800        1600\n            Throughput"),
        "iops",
        "total_ios",
    ) == [(1600, None)]


@pytest.mark.parametrize("broken", ["1.50 k iops, 6.00\nMiB/s", "1.50 k\niops, 6.00 MiB/s", "1.50 k iops,\n6.00 MiB/s"])
def test_iopings_requests_count_where_a_mail_broke_their_line(broken: str) -> None:
    text = f"""--- /srv/vm (ext4 /dev/vdb 100 GiB) ioping statistics ---
9 requests completed in 6.00 ms, 36 KiB read, {broken}
generated 10 requests in 9.00 s, 40 KiB, 1 iops, 4.44 KiB/s
min/avg/max/mdev = 500.0 us / 666.7 us / 900.0 us / 120.0 us
"""
    assert brief(text, "op", "iops", "bw_bytes_per_s", "lat_mean_ns") == [("read", 1500, 6 * MIB, 666700)]


@pytest.mark.parametrize(
    ("command", "op"),
    [
        ("dd if=rescue.img of=/dev/sdq bs=1M", "write"), ("dd if=rescue.img of=/dev/rdisk4 bs=1M", "write"),
        ("dd if=/dev/sdq of=/dev/sdr bs=1M", None), ("dd if=/dev/sdq of=copy.img bs=1M", None),
        ("dd if=a.img of=b.img bs=1M", None),
    ],
)  # fmt: skip
def test_dd_of_an_image_onto_a_drive_writes(command: str, op: str | None) -> None:
    text = f"# {command}\n100+0 records in\n100+0 records out\n104857600 bytes (105 MB) copied, 4.2 s, 25.0 MB/s\n"
    assert brief(text, "op", "bw_bytes_per_s") == [(op, 25e6)]


def test_threads_that_do_io_are_jobs_and_no_depth() -> None:
    text = """Tiotest results for 8 concurrent io threads:
,----------------------------------------------------------------------.
| Item                  | Time     | Rate         | Usr CPU  | Sys CPU |
+-----------------------+----------+--------------+----------+---------+
| Write          80 MBs |    0.5 s | 160.500 MB/s |   9.0 %  |  80.0 % |
| Random Read    31 MBs |    0.2 s | 150.250 MB/s |   8.0 %  |  70.0 % |
`----------------------------------------------------------------------'
"""
    assert brief(text, "op", "jobs", "queue_depth", "bw_bytes_per_s") == [
        ("write", 8, None, 160.5e6), ("randread", 8, None, 150.25e6),
    ]  # fmt: skip
