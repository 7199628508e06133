"""Pleas for help as people paste them: the first finding is what it turned out to be, or what to measure next.

Each is a twin, in words and numbers of its own, of a kind of plea that trackers and forums know; where one thread was
the model, it is named. Whole pages stand in pleas.txt: `=== thread | rules that may come first | what it turned out to
be`, and what was pasted. what-limits among the rules: that it cannot be told from this, and what to measure.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from radoscope.archives.paste import read_page
from radoscope.explain import judge

RADOS_HEAD = """hints = 1
Maintaining 16 concurrent writes of {size} bytes to objects of size {size} for up to {seconds} seconds or 0 objects
Object prefix: benchmark_data_node_4711
  sec Cur ops   started  finished  avg MB/s  cur MB/s last lat(s)  avg lat(s)
"""
RADOS_TAIL = """Total time run:         {seconds}.02
Total writes made:      {made}
Write size:             {size}
Object size:            {size}
Bandwidth (MB/sec):     {mib}
Stddev Bandwidth:       {spread}
Max bandwidth (MB/sec): {most}
Min bandwidth (MB/sec): {least}
Average IOPS:           {iops}
Stddev IOPS:            {spread_iops}
Max IOPS:               {most_iops}
Min IOPS:               {least_iops}
Average Latency(s):     {latency}
Stddev Latency(s):      0.1
Max latency(s):         1.2
Min latency(s):         0.001
"""


def rados_write(each_second: list[int], size: int) -> str:
    """Objects finished in each second."""
    most, least = (f"{each * size / 2**20:g}" for each in (max(each_second), min(each_second)))
    done, rows = 0, ["    0       0         0         0         0         0           -           0"]
    for second, count in enumerate(each_second, start=1):
        done += count
        mean, now = done * size / second / 2**20, count * size / 2**20
        rows.append(f"{second:5d}      16 {done + 16:9d} {done:9d} {mean:9.5g} {now:9.5g}      0.0100      0.0100")
    seconds, mib = len(each_second), done * size / len(each_second) / 2**20
    tail = RADOS_TAIL.format(
        seconds=seconds,
        made=done,
        size=size,
        mib=f"{mib:.6g}",
        spread="1",
        most=most,
        least=least,
        iops=done // seconds,
        spread_iops=1,
        most_iops=max(each_second),
        least_iops=min(each_second),
        latency=f"{16 * seconds / done:.6f}",
    )
    return RADOS_HEAD.format(size=size, seconds=seconds) + "\n".join(rows) + "\n" + tail


FSYNC_SLOW = """\
rw: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=1
fio-3.33
Starting 1 process
rw: (groupid=0, jobs=1): err= 0: pid=911: Mon Feb  3 10:00:00 2025
  write: IOPS=430, BW=1720KiB/s (1761kB/s)(101MiB/60002msec); 0 zone resets
    slat (usec): min=3, max=90, avg= 8.10, stdev= 2.00
    clat (usec): min=20, max=900, avg=61.00, stdev=11.00
     lat (usec): min=25, max=950, avg=69.10, stdev=11.10
  fsync/fdatasync/sync_file_range:
    sync (usec): min=1100, max=9100, avg=2251.00, stdev=402.00
  cpu          : usr=0.30%, sys=1.10%, ctx=51000, majf=0, minf=11
"""
IPERF_RESENDING = """Connecting to host 192.0.2.12, port 5201
[  5] local 192.0.2.11 port 40022 connected to 192.0.2.12 port 5201
[ ID] Interval           Transfer     Bitrate         Retr  Cwnd
[  5]   0.00-1.00   sec   188 MBytes  1.58 Gbits/sec  610   41.0 KBytes
[  5]   1.00-2.00   sec   191 MBytes  1.60 Gbits/sec  577   39.6 KBytes
- - - - - - - - - - - - - - - - - - - - - - - - -
[ ID] Interval           Transfer     Bitrate         Retr
[  5]   0.00-10.00  sec  1.85 GBytes  1.59 Gbits/sec  5803             sender
[  5]   0.00-10.04  sec  1.85 GBytes  1.58 Gbits/sec                  receiver

iperf Done.
"""


def fio(
    rw: str, iops: int, lat_us: float, engine: str = "libaio", depth: int = 1, sync_us: float = 0, cmd: str = ""
) -> str:
    """4K, for a minute."""
    way, size = "write" if "write" in rw else "read", iops * 4096
    spread = f"max={lat_us * 9:.0f}, avg={{:.2f}}, stdev={lat_us * 0.2:.2f}"
    sync = "  fsync/fdatasync/sync_file_range:\n"
    sync += f"    sync (usec): min=1, max={sync_us * 4:.0f}, avg={sync_us:.2f}, stdev={sync_us * 0.1:.2f}\n"
    return f"""{cmd}
job: (g=0): rw={rw}, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine={engine}, iodepth={depth}
fio-3.35
Starting 1 process
job: (groupid=0, jobs=1): err= 0: pid=4242: Tue Mar  4 11:11:11 2025
  {way}: IOPS={iops}, BW={size / 2**20:.1f}MiB/s ({size / 1e6:.1f}MB/s)({size * 60 / 2**20:.0f}MiB/60000msec)
    slat (usec): min=1, max=99, avg= 3.00, stdev= 1.00
    clat (usec): min=1, {spread.format(lat_us - 3)}
     lat (usec): min=1, {spread.format(lat_us)}
{sync if sync_us else ""}  cpu          : usr=0.50%, sys=1.00%, ctx=5100, majf=0
"""


def iperf(gbit: float) -> str:
    moved = f"{gbit / 8 * 1e10 / 2**30:.2f} GBytes  {gbit:.2f} Gbits/sec"
    return f"""Connecting to host 198.51.100.7, port 5201
[ ID] Interval           Transfer     Bitrate         Retr
[  5]   0.00-10.00  sec  {moved}  0             sender
[  5]   0.00-10.00  sec  {moved}                  receiver

iperf Done.
"""


def ping(received: int) -> str:
    lost = 100 - received
    return f"""PING 198.51.100.7 (198.51.100.7) 56(84) bytes of data.
64 bytes from 198.51.100.7: icmp_seq=1 ttl=64 time=0.21 ms
--- 198.51.100.7 ping statistics ---
100 packets transmitted, {received} received, {lost}% packet loss, time 99150ms
rtt min/avg/max/mdev = 0.150/0.201/0.402/0.041 ms
"""


def rbd_bench(rate: int) -> str:
    rows = "".join(f"    {second}  {rate * second:8d}  {rate:.2f}  {rate * 4096:.2f}\n" for second in range(1, 6))
    return f"""bench  type write io_size 4096 io_threads 16 bytes 1073741824 pattern sequential
  SEC       OPS   OPS/SEC   BYTES/SEC
{rows}elapsed: 6   ops: 262144   ops/sec: {rate:.2f}   bytes/sec: {rate * 4096:.2f}
"""


def osd_bench(osd: int, iops: float, block: int, moved: int) -> str:
    return f"""$ ceph tell osd.{osd} bench
{{
    "bytes_written": {moved},
    "blocksize": {block},
    "elapsed_sec": {moved / block / iops:.9f},
    "bytes_per_sec": {iops * block:.6f},
    "iops": {iops:.12f}
}}
"""


def dd(seconds: float, flags: str = "") -> str:
    """One GiB."""
    return f"""$ dd if=/dev/zero of=/mnt/volume/testfile bs=1M count=1024 {flags}
1024+0 records in
1024+0 records out
1073741824 bytes (1.1 GB, 1.0 GiB) copied, {seconds} s, {1073.741824 / seconds:.0f} MB/s
"""


def status(reason: str) -> str:
    return f"""  cluster:
    id:     0b1e7c0e-1111-2222-3333-444455556666
    health: HEALTH_WARN
            {reason}

  services:
    mon: 3 daemons, quorum a,b,c (age 3d)
    osd: 12 osds: 12 up (since 3d), 12 in (since 3w)

  data:
    pools:   2 pools, 129 pgs
    usage:   14 TiB used, 30 TiB / 44 TiB avail
    pgs:     129 active+clean
"""


OBJECTS_4M = rados_write([40, 22, 18, 35] * 15, 4 << 20)
SYNCED = "fio --ioengine=libaio --direct=1 --sync=1 --rw=write --bs=4K --numjobs=1 --iodepth=1 --runtime=60 --name=job"
PLEAS = {
    "4M objects written as fast as 1 Gbit/s goes, second by second": (
        rados_write([28, 28, 28, 28] * 15, 4 << 20),
        "network-full",
    ),
    "a run of twelve seconds that found its pace only after four": (
        rados_write([1200, 590, 860, 390, *[10_100] * 8], 4096),
        "not-settled",
    ),
    "a drive that flushes in two milliseconds": (FSYNC_SLOW, "power-loss-protection"),
    "a link of 10 Gbit/s that loses packets": (IPERF_RESENDING, "network-path"),
    "small objects and nothing beside them": (rados_write([830, 790, 860, 810] * 15, 4096), "what-limits"),
    "a slow drive beside the cluster that waits for it": (
        FSYNC_SLOW + "\n" + rados_write([1400, 1390, 1420] * 20, 4096),
        "power-loss-protection",
    ),
    "rook 15036: a drive syncs 75,000 a second, a pod's volume 700; it went through the wrong card": (
        fio("write", 75_600, 13, cmd=f"{SYNCED} --filename=/dev/nvme0n1")
        + fio("write", 700, 1428, cmd=f"{SYNCED} --filename=/data/test --size=1G"),
        "what-limits",
    ),
    "rook 8120: iperf3 sends again by the thousand": (IPERF_RESENDING + OBJECTS_4M, "network-path"),
    "rook 13483: four slow seconds of ten": (
        rados_write([1181, 571, 855, 388, 10152, 10245, 10209, 10000, 10052, 9490], 4096)
        + osd_bench(0, 150, 4096, 12_288_000),
        "not-settled",
    ),
    "talos 9754: slow in the guest, quick on the host; it went through the wrong card": (
        dd(107.5, "oflag=direct") + dd(1.9, "oflag=direct"),
        "what-limits",
    ),
    "two cards of 1 Gbit/s and large disks": (
        rados_write([28, 28, 27, 28] * 15, 4 << 20) + iperf(0.941),
        "network-full",
    ),
    "rook 14245: 4K in sequence is quick with a cache in front": (rbd_bench(42145), "cached-writes"),
    "rook 14999: 66 a second, of 4 MiB each": (
        osd_bench(0, 66.46, 4 << 20, 1 << 30)
        + osd_bench(1, 69.86, 4 << 20, 1 << 30)
        + osd_bench(2, 130.88, 4 << 20, 1 << 30),
        "too-short",
    ),
    "rook 1657: a file is quick at first, slow when it is written again": (dd(1.47) + dd(21.0), "cached-writes"),
    "4K synced by a drive without protection, and the cluster on it": (
        fio("randwrite", 380, 60, sync_us=2570) + rados_write([310, 300, 305] * 20, 4096),
        "power-loss-protection",
    ),
    "a line of 10 Gbit/s is well, and the objects are slow": (OBJECTS_4M + iperf(9.41), "what-limits"),
    "a depth of 64 by an engine that waits for each": (fio("randread", 900, 1110, "psync", 64), "synchronous-engine"),
    "reads as quick as memory": (fio("randread", 412_000, 2.3), "cached-reads"),
    "an image that nobody wrote": (fio("randread", 98_000, 40, "rbd", 4), "unwritten-reads"),
    "a cluster that lacks copies": (
        status("Degraded data redundancy: 12345/3600000 objects degraded (0.343%), 13 pgs degraded") + OBJECTS_4M,
        "health",
    ),
    "a cluster whose label is missing": (
        status("1 pool(s) do not have an application enabled") + OBJECTS_4M,
        "what-limits",
    ),
    "operations that Ceph calls slow": (
        status("12 slow ops, oldest one blocked for 42 sec, osd.3 has slow ops") + OBJECTS_4M,
        "what-limits",
    ),
    "pings that get lost": (ping(93) + OBJECTS_4M, "network-path"),
    "one OSD's bench is a tenth of its peers'": (
        "".join(osd_bench(osd, rate, 4096, 48 << 20) for osd, rate in enumerate([21000, 20500, 2100, 20900, 21200])),
        "osds-apart",
    ),
    "a guest that syncs to a hard disk": (fio("randwrite", 25, 40_000, sync_us=39_000), "power-loss-protection"),
    "600 writes a second, one at a time": (fio("randwrite", 600, 1660, "rbd"), "what-limits"),
    "9,000 writes a second over a short way": (fio("randwrite", 9000, 3550, "rbd", 32) + ping(100), "what-limits"),
    "cards of 2.5 Gbit/s": (rados_write([70] * 60, 4 << 20), "network-full"),
    "exoscale, harvester: 57 kbit/s through cards of 10 Gbit/s; an offload broke large packets": (
        re.sub(r"1.85 GBytes  1.5[89] Gbits/sec", "70.1 KBytes  57.4 Kbits/sec", IPERF_RESENDING) + OBJECTS_4M,
        "network-path",
    ),
    "rook 2057: a fifth of the drive's speed in the volume": (
        dd(53.7, "oflag=direct") + dd(8.26, "oflag=direct"),
        "what-limits",
    ),
    "ceph 5013: 900 reads a second, one at a time; processors that sleep": (
        fio("randread", 900, 1108, "rbd"),
        "what-limits",
    ),
    "a drive alone, and two OSDs on it": (
        dd(6.5, "oflag=direct") + dd(59.6, "oflag=direct") + dd(60.1, "oflag=direct"),
        "what-limits",
    ),
    "one path of 1 Gbit/s among those of 10": (
        iperf(9.4) + iperf(0.94) + rados_write([27, 28, 28, 27] * 15, 4 << 20),
        "network-full",
    ),
}


@pytest.mark.parametrize("plea", PLEAS)
def test_the_first_finding_is_what_it_turned_out_to_be(plea: str) -> None:
    text, expected = PLEAS[plea]
    found = judge(read_page(text).results)
    assert found[0].rule == expected, [finding.rule for finding in found]


def _threads() -> dict[str, tuple[str, list[str]]]:
    pages = re.split(r"^=== ", (Path(__file__).parent / "pleas.txt").read_text("utf-8"), flags=re.MULTILINE)[1:]
    heads = [(page.partition("\n")[0].split(" | "), page.partition("\n")[2]) for page in pages]
    return {f"{thread}: {end}": (text, rules.split()) for (thread, rules, end), text in heads}


THREADS = _threads()


@pytest.mark.parametrize("thread", THREADS)
def test_of_a_thread_nothing_else_is_said_first(thread: str) -> None:
    text, expected = THREADS[thread]
    found = judge(read_page(text).results)
    assert found, "nothing is said"
    assert found[0].rule in expected, [finding.rule for finding in found]


def test_what_cannot_be_told_says_what_to_measure() -> None:
    (found, *_) = judge(read_page(PLEAS["small objects and nothing beside them"][0]).results)
    assert "a drive's synced 4K writes" in found.because[0]
    assert found.try_next.startswith("iperf3")


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (dd(59.6, "oflag=direct"), "the same load one layer below; a drive's synced 4K writes; the network's"),
        (iperf(9.4), "what each interface lost meanwhile"),
        ("| Load | IOPS |\n|---|---|\n| 4K random write | 1,200 |\n", "the same load one layer below"),
    ],
)
def test_where_nothing_explains_it_what_to_measure_next_is_the_answer(text: str, missing: str) -> None:
    (found, *_) = judge(read_page(text).results)
    assert found.rule == "what-limits"
    assert missing in found.because[0]
    assert found.try_next
