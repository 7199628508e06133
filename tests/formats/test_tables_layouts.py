"""Layouts of tables as people paste them into mails, forums and changelogs."""

from __future__ import annotations

import pytest

from radoscope.archives import paste
from radoscope.records.measurement import Result
from tests.formats.readings import brief


def told(text: str) -> list[tuple[str | None, int | None, float | None]]:
    return [(each.op, each.block_bytes, each.iops) for each in paste.read_page(text).everything]


def latency_us(result: Result) -> float | None:
    mean = result.latency.mean_s if result.latency else None
    return None if mean is None else round(mean * 1e6, 3)


def test_a_table_without_outer_bars_may_begin_with_an_empty_corner() -> None:
    text = """
                     |  IOPS   |  avg latency
      -----------------------------------------
       with the fix  |  310K   |  711.5 usec
       without it    |  295K   |  742.0 usec
    """
    results = paste.read_page(text).everything
    assert [each.iops for each in results] == [310_000, 295_000]
    assert [latency_us(each) for each in results] == [711.5, 742.0]


def test_a_merged_label_holds_for_the_rows_below_it() -> None:
    text = """
    size | mode  | IOPS
    -----|-------|------
    4k   | plain | 31.2k
         | fixed | 33.8k
    16k  | plain | 20.1k
         | fixed | 21.7k
    """
    assert told(text) == [
        (None, 4096, 31_200), (None, 4096, 33_800), (None, 16384, 20_100), (None, 16384, 21_700)
    ]  # fmt: skip


def test_lists_of_named_values_are_a_table_and_a_sentence_is_none() -> None:
    text = "> 4k  IOPS=81.5k, BW=318MiB/s, Lat=392.1usec\n> 64k  IOPS=20.3k, BW=1269MiB/s, Lat=1.57msec\n"
    first, second = paste.read_page(text).everything
    assert (first.block_bytes, first.iops, latency_us(first)) == (4096, 81_500, 392.1)
    assert (second.block_bytes, second.bandwidth_bytes_per_s, latency_us(second)) == (65536, 1269 * 2**20, 1570)
    assert paste.read("We saw IOPS=81.5k, BW=318MiB/s with 4k blocks, which is fine.\n") == ()


def test_a_cell_may_name_another_unit_than_its_heading_and_a_second_value_in_brackets() -> None:
    text = """
| test | iops/bandwidth | avg latency | v1<br>iops/bandwidth | v1<br>avg latency |
| --- | --- | --- | --- | --- |
| 4K randwrite, 64 depth | 88,000 iops | 0.7 ms | 61,000 iops | 1.0 ms |
| 512K read, 64 depth | 910 MB/s | 36 ms | 702 MB/s | 46 ms |
"""
    results = paste.read_page(text).everything
    assert [(each.op, each.queue_depth, each.iops, each.bandwidth_bytes_per_s) for each in results] == [
        ("randwrite", 64, 88_000, None),
        ("randwrite", 64, 61_000, None),
        ("read", 64, None, 910e6),
        ("read", 64, None, 702e6),
    ]
    text = "| device | baseline (4 KiB random write) |\n|---|---|\n| NVMe | 19000 IOPS (74.2 MiB/s) |\n"
    (result,) = paste.read_page(text).everything
    assert (result.iops, result.bandwidth_bytes_per_s) == (19_000, 74.2 * 2**20)


def test_block_sizes_over_columns_of_bandwidth_with_iops_in_brackets() -> None:
    text = """
Block Size | 4k            (IOPS) | 64k           (IOPS)
  ------   | ---            ----  | ----           ----
Read       | 212.40 MB/s  (53.1k) | 640.00 MB/s  (10.0k)
Write      | 213.10 MB/s  (53.2k) | 641.10 MB/s  (10.0k)
Total      | 425.50 MB/s (106.3k) | 1.28 GB/s    (20.0k)
           |                      |
Block Size | 512k          (IOPS) | 1m            (IOPS)
  ------   | ---            ----  | ----           ----
Read       | 700.12 MB/s   (1.3k) | 710.50 MB/s    (693)
Write      | 733.90 MB/s   (1.4k) | 755.00 MB/s    (737)
"""
    results = paste.read_page(text).everything
    assert [(each.op, each.block_bytes) for each in results] == [
        ("randread", 4096), ("randread", 65536), ("randwrite", 4096), ("randwrite", 65536),
        ("randread", 524288), ("randread", 2**20), ("randwrite", 524288), ("randwrite", 2**20),
    ]  # fmt: skip
    assert (results[0].iops, results[0].bandwidth_bytes_per_s) == (53_100, 212.4e6)
    assert (results[5].iops, results[5].bandwidth_bytes_per_s) == (693, 710.5e6)


def test_several_tabs_between_cells_part_them_once() -> None:
    text = "IOPS(k)\n\ntype\t\told\t\tnew\nseq-read\t41.5\t\t42.2\t\nrand-read\t39.8\t\t40.0\n"
    assert told(text) == [
        ("read", None, 41_500), ("read", None, 42_200), ("randread", None, 39_800), ("randread", None, 40_000)
    ]  # fmt: skip


def test_threads_and_products_of_sizes_say_nothing_of_a_load() -> None:
    text = "10 threads\n\n| operation | IOPS |\n|---|---|\n| create | 4100 |\n| 8*64MB buffers | 5200 |\n"
    assert told(text) == [(None, None, 4100), (None, None, 5200)]


def test_what_is_watched_or_changed_is_no_result() -> None:
    watched = """
|      Read |    Write |     Total | Read IOPS | Write IOPS | Total IOPS |
+-----------+----------+-----------+-----------+------------+------------+
| 100 MiB/s | 12 MiB/s | 112 MiB/s |        25 |          3 |         28 |
"""
    changed = " fs/abc/bios/submit.c | 36 +++++++++++-----\n fs/abc/iops.h        |  3 ++-\n 2 files changed\n"
    pinged = "| icmp_seq | Latency (ms) |\n|---|---|\n| 1 | 0.041 |\n"
    for text in (watched, changed, pinged):
        assert paste.read_page(text).everything == ()


def test_the_time_of_a_submission_is_no_latency() -> None:
    text = """
  sequential writes:
                 before              after
  throughput:    311 MiB/s           907 MiB/s
  iops:          79k                 232k
  slat (nsec)    2104                3290
"""
    found = brief(text, "op", "iops", "bw_bytes_per_s", "lat_mean_ns")
    assert found == [("write", 79000, 311 * 2**20, None), ("write", 232000, 907 * 2**20, None)]


def test_a_column_of_sums_beside_reads_and_writes_is_passed_over() -> None:
    text = "| bs | read IOPS | write IOPS | total IOPS |\n|---|---|---|---|\n| 4k | 700 | 300 | 1000 |\n"
    assert told(text) == [("read", 4096, 700), ("write", 4096, 300)]


def test_a_heading_over_several_columns_of_a_page_holds_for_each() -> None:
    text = """<table>
<tr><th rowspan=2>bs</th><th colspan="2">read</th><th colspan=2>write</th></tr>
<tr><th></th><th>IOPS</th><th>Latency (ms)</th><th>IOPS</th><th>Latency (ms)</th></tr>
<tr><td>4k</td><td>5100</td><td>0.4</td><td>2200</td><td>0.9</td></tr>
</table>
"""
    results = paste.read_page(text).everything
    assert [(each.op, each.iops, latency_us(each)) for each in results] == [("read", 5100, 400), ("write", 2200, 900)]


def test_runs_told_apart_only_in_brackets_and_millions_of_iops_are_read() -> None:
    text = """
|          | 9 OSDs (3x) | 9 OSDs (EC42) |
|----------|-------------|---------------|
| 4MB Read | 21 GiB/s    | 17 GiB/s      |
| 4KB Rand Read  | 1.3M IOPS | 0.4M IOPS |
"""
    results = paste.read_page(text).everything
    assert [each.bandwidth_bytes_per_s for each in results[:2]] == [21 * 2**30, 17 * 2**30]
    assert [each.iops for each in results[2:]] == [1.3e6, 0.4e6]


def test_a_page_that_ends_with_separated_cells_is_read() -> None:
    assert paste.read("Throughput in MB/s\n" + "some words\n" * 8 + "Disk;Read;Write;Mixed") == ()


def test_a_row_from_a_radio_to_a_nas_is_the_networks() -> None:
    text = """
| What | Value | How |
|---|---|---|
| Disks of the NAS | SSD 210 MB/s write; HDD 105 MB/s read | `dd` |
| Wi-Fi → NAS | 14.5 MB/s, 300 MB in 20.7 s | HTTP download |
"""
    assert brief(text, "op", "bw_bytes_per_s") == [("write", 210e6), ("read", 105e6), ("recv", 14.5e6)]


def test_beside_a_mean_the_spread_of_a_run_is_no_run_of_its_own() -> None:
    text = """
- Load:                  blobs-256k
  Operation Type:        READ
  Latency [us]:
    Avg:                 5210.4
    Min:                 810
    LoQ:                 2205
    Med:                 4090
    HiQ:                 7420
    Max:                 61230
"""
    assert brief(text, "op", "block_bytes", "lat_mean_ns") == [("read", 256 * 1024, pytest.approx(5210.4e3))]


@pytest.mark.parametrize(
    ("head", "labels"), [("Setup", ["14.2.16", "14.2.22"]), ("Kernel", ["6.8", "6.11"]), ("Run", ["1", "2"])]
)
def test_versions_tell_rows_apart_and_numbers_of_runs_do_not(head: str, labels: list[str]) -> None:
    text = f"| {head} | 4k randwrite QD4 IOPS |\n|---|---|\n| {labels[0]} | 69630 |\n| {labels[1]} | 97491 |\n"
    found = [result.extra.get("label") for result in paste.read_page(text).results]
    assert found == (labels if head != "Run" else [None, None])
