"""What a page says beside a result and no reader understood keeps it from being stamped as read."""

from __future__ import annotations

import pytest

from radoscope.archives import paste

RUN = "fio 3.33, bs=4k, iodepth=32, numjobs=4\n\n"


def stamped(text: str) -> list[float | None]:
    return [each.iops for each in paste.read(text)]


def reasons(text: str) -> list[str]:
    return [each.words for each in paste.read_page(text).unread if each.result]


def table(heads: str, *rows: str, above: str = RUN, below: str = "") -> str:
    rule = "|".join("---" for _ in heads.split("|"))
    return above + "".join(f"| {line} |\n" for line in (heads, rule, *rows)) + below


def test_a_number_without_an_operation_or_a_test_near_it_is_listed() -> None:
    text = table("Tier | IOPS | MB/s", "small | 3500 | 250", "large | 9000 | 500", above="Our volume types\n\n")
    assert stamped(text) == []
    assert "neither an operation nor a test" in reasons(text)[0]
    assert "3,500 IOPS" in reasons(text)[0]


def test_a_number_without_an_operation_below_a_test_is_read() -> None:
    assert stamped(table("Setup | IOPS | avg lat (ms)", "a | 3500 | 1.1", above="Measured with fio:\n\n")) == [3500]


def test_exact_numbers_below_the_name_of_a_test_need_no_operation_and_round_ones_do() -> None:
    rows = "a | 52,417 | 61,903", "b | 1,207 | 8,115"
    assert stamped(table("Tier | north | south", *rows, above="## Random 4k IOPS\n\n")) == [52417, 61903, 1207, 8115]
    rows = "100 GB | 3,000 | 6,000", "500 GB | 7,500 | 16,000"
    text = table("Size | small | large", *rows, above="## Random 4k IOPS\n\n")
    assert stamped(text) == []
    assert len(reasons(text)) == 4


def test_a_cell_that_nobody_understood_makes_its_row_doubtful_and_no_other() -> None:
    text = table("Test | IOPS | MB/s", "randread | 21000 | 82.0", "randwrite | 8000 | 31 of 45 MB/s")
    assert stamped(text) == [21000]
    assert reasons(text) == [
        "line 6: 8,000 IOPS is not read with certainty: 31 of 45 MB/s beside it was not understood"
    ]


@pytest.mark.parametrize("cell", ["+12 %", "1.4x", "", "-"])
def test_a_comparison_or_a_gap_is_no_doubt(cell: str) -> None:
    assert stamped(table("Test | MB/s | IOPS | Note", f"randread | 429.5 | 104858 | {cell}")) == [104858]


def test_a_sum_of_reads_and_writes_is_no_doubt() -> None:
    text = table("bs | read IOPS | write IOPS | all IOPS", "4k | 700 | 300 | 1,000")
    assert stamped(text) == [700, 300]


def test_two_results_of_a_row_that_nothing_tells_apart_are_listed() -> None:
    text = table("Drive | write | write", "sda | 900 IOPS | 410 IOPS")
    assert "nothing tells it from" in reasons(text)[0]


def test_a_depth_that_no_result_took_is_a_doubt_for_those_without_one() -> None:
    items = "fio results on the pool, bs=4k:\n\n- randread: 21,000 IOPS\n- randwrite: 8,000 IOPS\n"
    near = items + "\nI used 8 jobs, each with queue depth 16 or 32.\n"
    assert stamped(near) == []
    assert "of line 6 holds for it is not certain" in reasons(near)[0]
    assert stamped(items) == [21000, 8000]


def test_rates_of_a_table_are_read_without_a_depth_that_is_only_said_around_it() -> None:
    rows = ("randread | 21000", "randwrite | 8000")
    below = "\nI used 8 jobs, each with queue depth 16 or 32.\n"
    near = paste.read(table("Test | IOPS", *rows, above="fio, bs=4k\n\n", below=below))
    assert [each.iops for each in near] == [21000, 8000]
    assert {(each.queue_depth, each.jobs) for each in near} == {(None, None)}


def test_a_number_of_a_sentence_that_nobody_took_is_a_doubt() -> None:
    text = "With fio at 4k random write QD1 I get 1,240 IOPS (2,900 IOPS and 880 IOPS elsewhere)."
    assert stamped(text) == []
    assert "beside it was not understood" in reasons(text)[0]


def test_the_same_rate_in_another_unit_is_no_doubt() -> None:
    text = "- Sequential 1 MiB QD32: 412 MiB/s read (0.40 GiB/s)\n"
    assert [each.op for each in paste.read(text)] == ["read"]


def test_iops_and_a_bandwidth_of_another_block_size_are_listed() -> None:
    text = "With fio at 4k random write QD 1 I get 1,240 IOPS, and the other box does 560 MB/s somehow."
    assert stamped(text) == []
    assert "do not agree" in reasons(text)[0]


def test_iops_and_a_latency_with_hardly_anything_in_flight_are_listed() -> None:
    text = table("Test | IOPS | Latency (ns)", "randread 4k | 21000 | 140", "randwrite 4k | 8000 | 380")
    assert stamped(text) == []
    assert "do not agree" in reasons(text)[0]


def test_rates_that_are_none_of_a_drive_are_listed() -> None:
    text = table("Test | Bandwidth (kB/s)", "randread 4k | 0.21", "randwrite 4k | 0.08")
    assert stamped(text) == []
    assert "the unit of a number" in reasons(text)[0]
    slow = table("Test | IOPS | Latency (s)", "randread 4k | 2.1 | 210", "randwrite 4k | 1.4 | 330")
    assert stamped(slow) == []


def test_a_time_on_the_next_line_that_nobody_took_is_a_doubt() -> None:
    text = "- 4k random read QD32: 9,200 IOPS, 3.4 ms\n  - tail 9.11 ms\n"
    assert stamped(text) == []
    assert stamped(text.replace("  - tail 9.11 ms\n", "")) == [9200]


def test_what_a_tool_prints_with_its_own_words_is_never_doubted() -> None:
    text = "Average time 9 ms, queue depth 64\nTotal time run: 10.1\nTotal writes made: 505\nWrite size: 4194304\n"
    text += "Bandwidth (MB/sec): 200\nAverage IOPS: 50\nAverage Latency(s): 0.3\n"
    assert [each.tool for each in paste.read(text)] == ["rados-bench"]


def test_what_is_listed_is_everything_that_is_not_stamped() -> None:
    page = paste.read_page(table("Test | IOPS | MB/s", "randread | 21000 | 82.0", "randwrite | 8000 | 31 of 45 MB/s"))
    assert [each.iops for each in page.results] == [21000]
    assert [each.iops for each in page.everything] == [21000, 8000]


def test_a_number_of_350_digits_beside_a_result_is_a_doubt_and_no_fault() -> None:
    assert stamped(table("Test | IOPS | MB/s", "randread | 21000 | " + "9" * 350)) == []


def test_a_latency_of_no_load_among_rates_of_some_is_listed() -> None:
    rows = ("Sequential read 1M | 1.2 GB/s", "Random 4K write | 35K IOPS", "Average latency | 0.3 ms")
    text = table("Test | Result", *rows, above="Measured with fio:\n\n")
    assert stamped(text) == [None, 35000]
    assert "neither an operation" in reasons(text)[0]


def test_what_no_storage_reaches_is_listed_and_not_believed() -> None:
    page = paste.read_page("A direct write with 1MiB blocks:\n\nVanilla:\t1519.97 GiB/s\nPatched:\t812.26 GiB/s\n")
    assert [result.extra["label"] for result in page.results] == ["Patched"]
    assert [unread.why for unread in page.unread] == ["no storage is as fast: the unit may be wrong"]
