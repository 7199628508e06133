"""Tools that people paste to show what a drive gives, in the layouts that their sources print."""
# ruff: noqa: E501

from __future__ import annotations

import pytest

from radoscope.archives import paste
from tests.formats.readings import brief

KIB, MIB = 2**10, 2**20


def test_f3probe_tells_its_speeds_twice_and_they_count_once() -> None:
    text = """
=> Usable size: 29.72 GB (62333952 blocks)
# I/O average speeds
=> Sequential write: 9.50 MB/s (262144 blocks / 0:13:28)
=> Random read: 1.25 MB/s (4096 blocks / 1.60s)

Good news: The device `/dev/sdk' is the real thing

I/O average speeds:
\tSequential write: 9.50 MB/s (262144 blocks / 0:13:28)
\t     Random read: 1.25 MB/s (4096 blocks / 1.60s)
"""
    assert brief(text, "tool", "op", "bw_bytes_per_s", "total_ios", "runtime_s") == [
        ("f3probe", "write", 9.5 * MIB, 262144, 808), ("f3probe", "randread", 1.25 * MIB, 4096, 1.6),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Creating file 1.h2w ... OK!\nFree space: 0.00 Byte\nAverage writing speed: 10.50 MB/s\n",
            ("f3", "write", 10.5 * MIB),
        ),
        ("$ f3read /mnt\nAverage reading speed: 830.00 KB/s\n", ("f3", "read", 830 * KIB)),
        ("Test finished without errors.\nWriting speed: 12.5 MByte/s\n", ("h2testw", "write", 12.5 * MIB)),
        ("Schreibrate: 11,5 MByte/s\n", ("h2testw", "write", 11.5 * MIB)),
        ("Leserate:  18,25 MByte/s\n", ("h2testw", "read", 18.25 * MIB)),
        ("> Disk  Sequential 64.0 Write                1500,50 MB/s          8,8\n", ("winsat", "write", 1500.5e6)),
        ("Disk  Random 16.0 Read                       317.33 MB/s\n", ("winsat", "randread", 317.33e6)),
        ("    **Average (W):    101,25 MB/sec**\n", ("nastester", "write", 101.25e6)),
        ("Measuring sequential read bandwidth: 480 MB/s (deviation 12%)\n", ("iotune", "read", 480 * MIB)),
        ("_Measuring sequential write bandwidth: 1024 MB/s_\n", ("iotune", "write", 1024 * MIB)),
    ],
)
def test_a_line_says_what_was_done_and_the_tool_what_its_mb_are(text: str, found: tuple[str, str, float]) -> None:
    assert brief(text, "tool", "op", "bw_bytes_per_s") == [found]


def test_what_a_person_writes_like_a_tool_has_mb_of_a_million() -> None:
    assert brief("Average reading speed: 95 MB/s\n", "op", "bw_bytes_per_s") == [("read", 95e6)]


def test_the_passes_of_the_nas_tester_are_no_results_but_their_average_is() -> None:
    text = """
Running a 400MB file write on N: 2 times...
Iteration 1:    95.10 MB/sec
Iteration 2:    97.30 MB/sec
-----------------------------
Average (W):    96.20 MB/sec
-----------------------------

Running a 400MB file read on N: 2 times...
Iteration 1:    88.40 MB/sec
"""
    assert brief(text, "op", "bw_bytes_per_s") == [("write", 96.2e6)]
    assert [each.lines for each in paste.read_page(text).unread] == ["9-10"]


def test_seeker_measures_random_reads() -> None:
    text = "Benchmarking /dev/sdq [228936MB], wait 30 seconds.....\nResults: 125 seeks/second, 8.00 ms random access time\n"
    assert brief(text, "op", "iops", "lat_mean_ns") == [("randread", 125, 8e6)]


def test_diskinfo_tells_seeks_transfers_and_what_newer_releases_add() -> None:
    text = """Seek times:
\tFull stroke:\t  250 iter in   5.000000 sec =   20.000 msec
\tSeq outer:\t 2048 iter in   0.204800 sec =    0.100 msec
Transfer rates:
\toutside:       102400 kbytes in   0.640000 sec =   160000 kbytes/sec
Asynchronous random reads:
\tsectorsize:       4096 ops in    3.000000 sec =     1365 IOPS
\t4 kbytes:         3000 ops in    3.000000 sec =     1000 IOPS
Synchronous random writes:
\t 4 kbytes:    500.0 usec/IO =      7.8 Mbytes/s
"""
    assert brief(text, "op", "block_bytes", "iops", "bw_bytes_per_s", "lat_mean_ns", "total_ios") == [
        ("randread", None, None, None, 20e6, 250), ("read", None, None, None, 1e5, 2048),
        ("read", None, None, 160000 * KIB, None, None), ("randread", None, 1365, None, None, 4096),
        ("randread", 4096, 1000, None, None, 3000), ("randwrite", 4096, None, 7.8 * MIB, 5e5, None),
    ]  # fmt: skip


def test_agnostics_rows_count_and_its_verdicts_where_these_are_missing() -> None:
    rows = "Run 1\nprepare-file;0;0;9800;19\nseq-write;0;0;10240;20\nrand-4k-write;0;0;2048;512\nrand-4k-read;6000;1500;0;0\n"
    verdicts = (
        "Sequential write speed 10240 KB/sec (target 10000) - PASS\nRandom read speed 1500 IOPS (target 1500) - PASS\n"
    )
    fields = ("op", "block_bytes", "iops", "bw_bytes_per_s")
    assert brief(rows + verdicts, *fields) == [
        ("write", None, 20, 10240 * KIB), ("randwrite", 4096, 512, 2048 * KIB), ("randread", 4096, 1500, 6000 * KIB),
    ]  # fmt: skip
    assert brief(verdicts, *fields) == [("write", None, None, 10240 * KIB), ("randread", None, 1500, None)]


def test_as_ssds_report_is_1024_based_and_scores_are_none() -> None:
    text = """AS SSD Benchmark 2.0.6821.41776
------------------------------
Name: Drive of ours
Offset: 1024 K - OK
Size: 465,76 GB
------------------------------
Sequential:
------------------------------
Read: 512,50 MB/s
Write: 480,00 MB/s
------------------------------
4K:
------------------------------
Read: 30,00 MB/s
------------------------------
4K-64Threads:
------------------------------
Write: 250,00 MB/s
------------------------------
Access Times:
------------------------------
Read: 0,080 ms
------------------------------
Score:
------------------------------
Read: 400
Total: 900
"""
    assert brief(text, "op", "block_bytes", "jobs", "bw_bytes_per_s", "lat_mean_ns") == [
        ("read", None, None, 512.5 * MIB, None), ("write", None, None, 480 * MIB, None),
        ("randread", 4096, None, 30 * MIB, None), ("randwrite", 4096, 64, 250 * MIB, None), ("randread", None, None, None, 8e4),
    ]  # fmt: skip


def test_pg_test_fsyncs_pairs_of_writes_name_no_block() -> None:
    text = """5 seconds per test
O_DIRECT supported on this platform for open_datasync and open_sync.

Compare file sync methods using one 8kB write:
(in wal_sync_method preference order, except fdatasync is Linux's default)
        open_datasync                      2000.500 ops/sec     500 usecs/op
        fsync_writethrough                              n/a

Compare file sync methods using two 8kB writes:
(in wal_sync_method preference order, except fdatasync is Linux's default)
        fdatasync                          1000,250 ops/sec    1000 usecs/op

Compare open_sync with different write sizes:
(This is designed to compare the cost of writing 16kB in different write
open_sync sizes.)
         1 * 16kB open_sync write          1600.000 ops/sec     625 usecs/op
         2 *  8kB open_sync writes          800.000 ops/sec    1250 usecs/op

Test if fsync on non-write file descriptor is honored:
(If the times are similar, fsync() can sync data written on a different
descriptor.)
        write, fsync, close                 900.000 ops/sec    1111 usecs/op

Non-sync'ed 8kB writes:
        write                            250000.000 ops/sec       4 usecs/op
"""
    assert brief(text, "op", "block_bytes", "iops", "lat_mean_ns", "label") == [
        ("write", 8192, 2000.5, 5e5, "open_datasync"), ("write", None, 1000.25, 1e6, "two writes, fdatasync"),
        ("write", 16384, 1600, 625e3, "1 * 16kB open_sync"), ("write", None, 800, 1.25e6, "2 * 8kB open_sync"),
        ("write", None, 900, 1.111e6, "write, fsync, close"), ("write", 8192, 250000, 4e3, "write"),
    ]  # fmt: skip


IOR_ROWS = """Options:
tasks               : 16
clients per node    : 4
ordering in a file  : random

Results:

access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter
------    ---------  ----       ----------  ---------- ---------  --------   --------   --------   --------   ----
Commencing write performance test: Fri Nov  7 10:00:00 2025
write     100.00     200.00     0.080000    1048576    512.00     0.010000   81.92      0.000400   82.00      0
remove    -          -          -           -          -          -          -          -          0.100000   0
write     104.00     208.00     0.077000    1048576    512.00     0.010000   78.77      0.000400   79.00      1
Max Write: 104.00 MiB/sec (109.05 MB/sec)
"""
IOR_SUMMARY = """
Summary of all tests:
Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   Min(OPs)  Mean(OPs)     StdDev    Mean(s) Test# #Tasks tPN reps fPP reord reordoff reordrand seed segcnt   blksiz    xsize aggs(MiB)   API RefNum
write         104.00     100.00     102.00       2.00     208.00     200.00     204.00       4.00   80.50000     0     16   4    2   1     0        1         0    0      1 1073741824   524288   16384.0 POSIX      0
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (IOR_ROWS, [("randwrite", 524288, 16, 200, 100 * MIB, 8e7), ("randwrite", 524288, 16, 208, 104 * MIB, 7.7e7)]),
        (IOR_ROWS + IOR_SUMMARY, [("randwrite", 524288, 16, 204, 102 * MIB, None)]),
        ("Max Read:  880.00 MiB/sec (922.75 MB/sec)\n", [("read", None, None, None, 880 * MIB, None)]),
        (
            "Operation  Max (MiB)  Min (MiB)  Mean (MiB)   Std Dev  Max (OPs)  Min (OPs)  Mean (OPs)   Std Dev  Mean (s)\n"
            "---------  ---------  ---------  ----------   -------  ---------  ---------  ----------   -------  --------\n"
            "read         50.00      48.00       49.00      1.00     50.00      48.00       49.00       1.00   20.00000\n",
            [("read", None, None, 49, 49 * MIB, None)],
        ),
        (
            "access,bw(MiB/s),IOPS,Latency,block(KiB),xfer(KiB),open(s),wr/rd(s),close(s),total(s),numTasks,iter\n"
            "write,300.0000,75.0000,0.106667,131072.0000,4096.0000,0.004,3.41,0.003,3.42,8,0\n",
            [("write", 2**22, 8, 75, 300 * MIB, 106667000)],
        ),
    ],
)  # fmt: skip
def test_iors_summary_counts_then_its_repetitions_then_the_best(text: str, found: list[tuple[object, ...]]) -> None:
    assert brief(text, "op", "block_bytes", "jobs", "iops", "bw_bytes_per_s", "lat_mean_ns") == found


# Captured from t/io_uring of fio 3.42 on a file in the page cache.
T_IO_URING = """\
# t/io_uring -d16 -b4096 -s4 -c4 -p0 -F1 -B1 -n1 -r3 f.bin
submitter=0, tid=10119, file=f.bin, nfiles=1, node=-1
polled=0, fixedbufs=1, register_files=1, buffered=0, QD=16
Engine=io_uring, sq_ring=16, cq_ring=16
IOPS=42856, BW=167MiB/s, IOS/call=4/3
IOPS=44688, BW=174MiB/s, IOS/call=4/3
Exiting on timeout
Maximum IOPS=44688
# t/io_uring -d8 -b16384 -p0 -n2 -R0 -t1 -r3 f.bin
submitter=0, tid=10866, file=f.bin, nfiles=1, node=-1
submitter=1, tid=10867, file=f.bin, nfiles=1, node=-1
polled=0, fixedbufs=1, register_files=1, buffered=0, QD=8
Engine=io_uring, sq_ring=8, cq_ring=8
IOPS=42848, BW=669MiB/s, IOS/call=8/8
IOPS=42920, BW=670MiB/s, IOS/call=8/8
Exiting on timeout
Maximum IOPS=42920
10866: Latency percentiles:
    percentiles (tsc ticks):
     |  1.0000th=[   440320],  5.0000th=[   514048], 10.0000th=[   522240],
     | 20.0000th=[   544768], 30.0000th=[   585728], 40.0000th=[   626688],
     | 99.9500th=[ 54788096], 99.9900th=[120061952]
"""
OF_T_IO_URING = ("op", "block_bytes", "queue_depth", "jobs", "iops", "bw_bytes_per_s")


def test_a_run_of_t_io_uring_is_the_mean_of_its_seconds_and_reads_at_random_unless_it_says_no() -> None:
    assert brief(T_IO_URING, *OF_T_IO_URING) == [
        ("randread", 4096, 16, 1, 43772, 170.5 * MIB),
        ("read", 16384, 8, 2, 42884, 669.5 * MIB),
    ]


def test_lines_of_t_io_uring_without_a_command_name_no_operation_and_its_gib_are_a_thousand_mib() -> None:
    before = "before:\nIOPS=6.10M, BW=2.98GiB/s, IOS/call=32/31\nIOPS=6.20M, BW=3.03GiB/s, IOS/call=32/32\n"
    after = "after:\nIOPS=6.60M, BW=3.22GiB/s, IOS/call=32/31\n"
    assert brief(before + after, *OF_T_IO_URING) == [
        (None, 512, None, None, pytest.approx(6.15e6), pytest.approx(3005 * MIB)),
        (None, 512, None, None, 6.6e6, pytest.approx(3220 * MIB)),
    ]


def test_what_t_io_uring_does_without_a_drive_is_no_read() -> None:
    text = "$ t/io_uring -d32 \\\n  -N1 -n4\nIOPS=31.2M, IOS/call=32/32\n"
    assert brief(text, *OF_T_IO_URING) == [(None, 4096, 32, 4, 31.2e6, None)]
