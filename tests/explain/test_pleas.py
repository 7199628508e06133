"""Pleas for help as people paste them: the first finding is what it turned out to be, or what to measure next.

Each is a twin, in words and numbers of its own, of a kind of plea that trackers and forums know.
"""

from __future__ import annotations

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
}


@pytest.mark.parametrize("plea", PLEAS)
def test_the_first_finding_is_what_it_turned_out_to_be(plea: str) -> None:
    text, expected = PLEAS[plea]
    found = judge(read_page(text).results)
    assert found[0].rule == expected, [finding.rule for finding in found]


def test_what_cannot_be_told_says_what_to_measure() -> None:
    (found, *_) = judge(read_page(PLEAS["small objects and nothing beside them"][0]).results)
    assert "a drive's synced 4K writes" in found.because[0]
    assert found.try_next.startswith("iperf3")
