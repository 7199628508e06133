from __future__ import annotations

from pathlib import Path

import pytest

from radoscope.errors import UnreadableFile
from radoscope.formats.tools import rados_bench
from tests.formats.readings import brief, read_all

MIB = 2**20

WRITE = """\
hints = 1
Maintaining 4 concurrent writes of 65536 bytes to objects of size 65536 for up to 3 seconds or 0 objects
Object prefix: benchmark_data_host_1
  sec Cur ops   started  finished  avg MB/s  cur MB/s last lat(s)  avg lat(s)
    0       0         0         0         0         0           -           0
    1       4       104       100      6.25      6.25   0.0103681  0.00866873
    2       4       254       250   7.8125     9.375    0.011505  0.00909253
2020-01-01T10:00:20.000000+0000 min lat: 0.001 max lat: 0.5 avg lat: 0.13
  sec Cur ops   started  finished  avg MB/s  cur MB/s last lat(s)  avg lat(s)
    3       4       304       300      6.25     3.125   0.0341031   0.0108495
Total time run:         3.01
Total writes made:      304
Write size:             65536
Object size:            65536
Bandwidth (MB/sec):     6.31
Stddev Bandwidth:       1.2
Max bandwidth (MB/sec): 9.375
Min bandwidth (MB/sec): 3.125
Average IOPS:           100
Stddev IOPS:            20.5
Max IOPS:               150
Min IOPS:               50
Average Latency(s):     0.0389
Stddev Latency(s):      0.01
Max latency(s):         0.5
Min latency(s):         0.001
"""


def test_a_run_is_read_with_its_units() -> None:
    (result,) = rados_bench.read(WRITE)
    assert (result.op, result.block_bytes, result.queue_depth) == ("write", 65536, 4)
    assert result.bandwidth_bytes_per_s == pytest.approx(6.31 * MIB)
    assert result.latency is not None and result.latency.mean_s == pytest.approx(0.0389)
    assert result.source is not None and (result.source.first_line, result.source.last_line) == (1, 26)
    assert result.context == ()


def test_iops_are_as_printed_and_exact_in_extra() -> None:
    (result,) = rados_bench.read(WRITE)
    assert result.iops == 100
    assert result.extra["iops_exact"] == pytest.approx(304 / 3.01)


def test_the_series_of_seconds_counts_what_was_finished_in_each() -> None:
    (result,) = rados_bench.read(WRITE)
    iops, bandwidth = result.series
    assert (iops.times_s, iops.values) == ((1, 2, 3), (100, 150, 50))
    assert bandwidth.values == (6.25 * MIB, 9.375 * MIB, 3.125 * MIB)


def test_hammers_layout_has_a_blank_line_and_no_iops_lines() -> None:
    text = (Path(__file__).parent / "texts" / "rados_hammer_quoted.txt").read_text("utf-8")
    write, read = read_all(text)
    assert (write["op"], write["queue_depth"], write["total_ios"]) == ("write", 16, 98)
    assert write["iops"] == pytest.approx(98 / 3.512345)
    assert write["lat_mean_ns"] == 551_200_000
    assert (read["op"], read["lat_mean_ns"]) == ("read", 195_000_000)


@pytest.mark.parametrize(("word", "op"), [("seq", "read"), ("rand", "randread")])
def test_reads_are_sequential_or_random_by_the_command_above(word: str, op: str) -> None:
    text = f"$ rados bench -p x 10 {word} -t 32\nTotal time run: 1\nTotal reads made: 50\nRead size: 4096\nAverage IOPS: 50\n"  # noqa: E501
    (result,) = rados_bench.read(text)
    assert (result.op, result.queue_depth) == (op, 32)
    assert result.context == ("op", "queue_depth")


def test_a_command_that_contradicts_the_output_is_not_its_command() -> None:
    (result,) = rados_bench.read("$ rados bench -p x 10 seq -t 99\n" + WRITE)
    assert (result.op, result.queue_depth) == ("write", 4)


def test_of_columns_side_by_side_a_damaged_cell_stays_null() -> None:
    text = (
        "\tone\ttwo\nTotal time run\t60,1\t60,2\nTotal writes made\t600\t1.200\nWrite size\t4096\t4096\n"
        "Bandwidth (MB/sec)\t1,23\t2,46\nAverage IOPS\t` '\t19\nAverage Latency(s)\t0,1\t\n"
    )
    assert brief(text, "label", "iops", "lat_mean_ns", "runtime_s") == [
        ("one", None, 100_000_000, 60.1),
        ("two", 19, None, 60.2),
    ]


def test_columns_whose_blanks_collapsed_lose_rows_with_too_few_cells() -> None:
    text = "Total time run 60.1 60.2\nTotal writes made 600 700\nBandwidth (MB/sec) 40.1 41.2\nAverage IOPS 10\n"
    assert brief(text, "bw_bytes_per_s", "iops") == [(40.1 * MIB, None), (41.2 * MIB, None)]


def test_json_numbers_are_texts_and_an_overflowed_deviation_is_dropped() -> None:
    text = (
        '{"concurrent_ios":"2","object_size":"8192","op_size":"8192","datas":[{"sec":"1","cur_ops":"2","started":"12",'
        '"finished":"10","avg_bw":"1","cur_bw":"1.5","last_lat":"0.1","avg_lat":"0.1"}],"total_time_run":"1.5",'
        '"total_writes_made":"15","write_size":"8192","bandwidth":"0.078","average_iops":"10","max_iops":"11",'
        '"stddev_iops":"1759945648","average_latency":"0.003","max_latency":"nan","min_latency":"1e400"}'
    )
    (result,) = rados_bench.read(text)
    assert (result.queue_depth, result.iops, result.block_bytes) == (2, 10, 8192)
    assert "iops_stddev" not in result.extra
    assert result.latency is not None and (result.latency.max_s, result.latency.min_s) == (None, None)
    assert result.series[0].values == (10,)


def test_prose_about_bandwidth_is_no_run() -> None:
    text = "The average IOPS: 36\nBandwidth is fine: 30 MB/s\nMax latency: high\nmax latency: 5 ms\n"
    assert read_all(text) == []
    with pytest.raises(UnreadableFile):
        rados_bench.read(text)


def test_a_command_may_go_on_in_the_next_line() -> None:
    text = "$ rados bench -p x 10 seq \\\n   -t 32 --no-cleanup\nTotal time run: 1\nTotal reads made: 50\nRead size: 4096\n"  # noqa: E501
    (result,) = rados_bench.read(text)
    assert (result.op, result.queue_depth) == ("read", 32)


def test_what_a_command_printed_stands_below_it_as_remarks_of_a_script() -> None:
    text = """```bash
rados -p tank bench 30 write --no-cleanup
# Bandwidth (MB/sec): 614.08
# Average IOPS:       153
# Max bandwidth:      702 MB/s
```
"""
    assert brief(text, "op", "iops", "bw_bytes_per_s") == [("write", 153, 614.08 * 2**20)]
