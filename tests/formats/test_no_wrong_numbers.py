"""Texts out of which a wrong number was read once: no number is better."""

from __future__ import annotations

import pytest

from radoscope.archives import paste
from tests.formats.readings import brief, read_all

MIB = 2**20
READS = (
    "Total time run:       10.1\nTotal reads made:     1000\nRead size:            4194304\n"
    "Bandwidth (MB/sec):   396.04\nAverage IOPS:         99\nAverage Latency(s):   0.16\n"
)


def test_seconds_of_a_run_that_was_cut_off_are_no_table() -> None:
    text = (
        "  sec Cur ops   started  finished  avg MB/s  cur MB/s last lat(s)  avg lat(s)\n"
        "    1      16       100        84   335.955       336    0.123456\n"
        "    2      16       200       184   367.955       400    0.123456\n"
    )
    page = paste.read_page(text)
    assert page.results == ()
    [unread] = page.unread
    assert (unread.reader, unread.first_line, unread.last_line) == ("rados-bench", 1, 3)


def test_progress_of_fio_is_no_result_and_is_listed() -> None:
    page = paste.read_page("Jobs: 1 (f=1): [w(1)][50.0%][w=12.4MiB/s][w=3175 IOPS][eta 00m:30s]\n")
    assert page.results == ()
    assert [each.reader for each in page.unread] == ["fio_text"]


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        ("1073741824 bytes (1,1 GB, 1,0 GiB) copied, 587,077 s, 1,8 MB/s", 587.077),
        ("1073741824 bytes (1.1 GB, 1.0 GiB) copied, 3.077 s, 349 MB/s", 3.077),
        ("1073741824 bytes (1,1 GB) kopiert, 5,16 s, 208 MB/s", 5.16),
    ],
)
def test_bytes_and_rate_tell_how_the_time_of_dd_was_written(line: str, seconds: float) -> None:
    assert brief(line, "runtime_s") == [(seconds,)]


def test_a_size_is_never_a_rate() -> None:
    text = "| Message size (MB) | Block size (MB) | Bandwidth (MB/s) |\n|---|---|---|\n| 4 | 1 | 512 |\n"
    assert [each["bw_bytes_per_s"] for each in read_all(text)] == [512e6]


def test_the_heading_above_a_run_is_nearer_than_a_list_of_commands_above_all() -> None:
    text = f"rados bench -p x 10 seq\nrados bench -p x 10 rand\n\nSequential read\n{READS}\nRandom read\n{READS}"
    assert brief(text, "op") == [("read",), ("randread",)]


def test_rows_of_an_old_crystaldiskmark_but_seq_are_random() -> None:
    text = (
        "|        | Read [MB/s] | Write [MB/s] |\n|---|---|---|\n| Seq    | 450.1 | 410.2 |\n"
        "| 512K   | 350.5 | 310.3 |\n"
        "| 4K     | 20.11 | 55.31 |\n| 4KQD32 | 210.7 | 180.4 |\n"
    )
    assert brief(text, "op", "block_bytes", "queue_depth")[::2] == [
        ("read", None, None), ("randread", 524288, None), ("randread", 4096, None), ("randread", 4096, 32),
    ]  # fmt: skip


def test_a_row_of_dashes_and_a_first_row_of_data_are_no_headings() -> None:
    text = "| Test | Read | Write |\n|--|--|--|\n| -- | -- | -- |\n| 4k rand | 1000 IOPS | 500 IOPS |\n"
    assert brief(text, "op", "iops") == [("randread", 1000), ("randwrite", 500)]
    text = "| 4k randread | 1000 | 4.1 | 0.9 |\n|---|---|---|---|\n| 4k randwrite | 500 | 2.0 | 1.9 |\n"
    assert read_all(text) == []


def test_two_claims_on_one_line_cost_that_line_only() -> None:
    text = (
        "Total time run:         10.1\nTotal writes made:      1000\nWrite size:             4194304\n"
        "1073741824 bytes (1.1 GB) copied, 9.21 s, 117 MB/s\n"
        "Bandwidth (MB/sec):     396.04\nAverage Latency(s):     0.16\n"
    )
    assert sorted(each["tool"] for each in read_all(text)) == ["dd", "rados-bench"]


def test_a_unit_that_may_mean_bits_is_proven_or_left_out() -> None:
    head = "| Test | IOPS | Mb/s |\n|---|---|---|\n"
    assert brief(head + "| 4k randread | 1000 | 4.096 |\n", "bw_bytes_per_s") == [(4.096e6,)]
    assert brief(head + "| 4k randread | 1000 | 32.77 |\n", "bw_bytes_per_s") == [(pytest.approx(32.77e6 / 8),)]
    assert brief(head + "| randread | 1000 | 32.77 |\n", "bw_bytes_per_s") == [(None,)]


def test_a_latency_beside_reads_and_writes_could_be_of_either() -> None:
    text = "| Test | Read IOPS | Write IOPS | Latency (ms) |\n|---|---|---|---|\n| 4k | 700 | 300 | 1.5 |\n"
    assert brief(text, "op", "iops", "lat_mean_ns") == [("read", 700, None), ("write", 300, None)]


def test_a_block_size_from_a_caption_that_the_numbers_disprove_is_not_taken() -> None:
    text = "fio 4k random read, QD32\n\n| Pool | IOPS | MB/s |\n|---|---|---|\n| a | 1000 | 4.1 |\n| b | 500 | 32.8 |\n"
    assert brief(text, "label", "block_bytes") == [("a", 4096), ("b", None)]


def test_what_was_before_and_what_is_now_are_two_results() -> None:
    line = "Reads went from 100 MB/s to 200 MB/s.\n"
    assert brief(line, "op", "bw_bytes_per_s") == [("read", 1e8), ("read", 2e8)]


@pytest.mark.parametrize(
    "line",
    [
        "You should get at least 500 MB/s read with these drives.",
        "The SSD is rated at 550 MB/s read and 520 MB/s write.",
        "I expect 20k IOPS read.",
        "Reads range from 100 MB/s to 200 MB/s.",
        "Read is between 100 MB/s and 200 MB/s.",
        "Is 300 MB/s write normal?",
        "client:   2.0 MiB/s rd, 2.4 MiB/s wr, 275 op/s rd, 590 op/s wr",
        "The link is 10 Gbit/s, reads are slow.",
        "write back cache, 12000 IOPS",
    ],
)
def test_wishes_limits_and_states_are_no_results(line: str) -> None:
    assert read_all(line + "\n") == []


@pytest.mark.parametrize(
    "line",
    [
        "The standard plan of the hosting company has 3000 IOPS read and 900 IOPS write.",
        "標準プランでは読み込みIOPS 3000、書き出しIOPS 900でした。",
        "Laut Handbuch: 3000 IOPS lesen, 900 IOPS schreiben",
    ],
)
def test_what_a_provider_sells_is_no_result(line: str) -> None:
    assert paste.read_page(line + "\n").results == ()


def test_thousands_of_iops_are_thousands_however_they_are_written() -> None:
    text = (
        "4k random read, QD32\n\n| pool | IOPS |\n|---|---|\n| a | 182 kIOPS |\n| b | 61 KIOPS |\n| c | 1.5k iops |\n"
    )
    assert [result.iops for result in paste.read(text)] == [182_000, 61_000, 1500]


def test_a_depth_that_a_variable_of_a_script_holds_is_not_known() -> None:
    text = (
        "for q in 1 4; do fio --name=x --rw=randread --bs=4k --group_reporting --iodepth=$q --numjobs=$n; done\n"
        "  read: IOPS=10.1k, BW=39.4MiB/s (41.3MB/s)(788MiB/20001msec)\n"
    )
    assert [(result.queue_depth, result.jobs) for result in paste.read(text)] == [(None, None)]


def test_before_and_after_of_two_quantities_are_two_runs() -> None:
    text = "4k random writes went from 3200 IOPS to 18500 IOPS, the mean latency from 2.5 ms to 0.43 ms.\n"
    found = [(result.iops, result.latency and result.latency.mean_s) for result in paste.read(text)]
    assert found == [(3200, 0.0025), (18500, pytest.approx(0.00043))]


def test_a_range_and_what_a_shop_lists_are_named_with_their_reasons() -> None:
    text = (
        "4k random read:\n- guest A: 92k - 101k IOPS\n\n"
        "Capacity: 2 TB\nForm factor: M.2\nWarranty: 5 years\nRead: 6100 MB/s\n"
    )
    page = paste.read_page(text)
    assert page.results == ()
    assert [(each.lines, each.why) for each in page.unread] == [
        ("2", "a range, and no single value"),
        ("7", "asked for, sold, or of memory: no measurement of a drive"),
    ]


@pytest.mark.parametrize(
    ("table", "lines"),
    [
        ("| test | IOPS |\n|---|---|\n| 4k randread | 120k |\n| 4k randwrite | 3,000 ~ 3,500 |\n", ["6"]),
        ("| test | Rate |\n|---|---|\n| seq read | 120-140 MB/s |\n| seq write | 80 MB/s |\n", ["5"]),
        ("| test | IOPS | BW |\n|---|---|---|\n| 4k randread | 12000 | 45-50 MB/s |\n", ["5"]),
        ("| | randread | randwrite |\n|---|---|---|\n| IOPS | 1.2k–1.5k | |\n| MB/s | 5 | 4 |\n", ["5"]),
        ("test          IOPS\n4k randread   1.2k-1.5k\n4k randwrite  900\n4k rw         300-310\n", ["4", "6"]),
        ("test IOPS lat\nrandread 1200-1300 3\nrandwrite 900 4\n", ["4"]),
        ("| test | IOPS |\n|---|---|\n" + "| 4k randread | 3000-3500 |\n" * 9, ["5-13"]),  # of ranges alone
    ],
)
def test_a_range_in_a_table_is_listed_with_its_line(table: str, lines: list[str]) -> None:
    page = paste.read_page("fio results\n\n" + table)
    assert [(each.lines, each.why) for each in page.unread] == [
        (line, "a range, and no single value") for line in lines
    ]


@pytest.mark.parametrize(
    "table",
    [
        "| bs | IOPS |\n|---|---|\n| 4k-16k | 12000 |\n",
        "| test | IOPS | min-max |\n|---|---|---|\n| 4k randread | 12000 | 11,500-12,400 |\n",
        "| nodes | OSDs | randread IOPS |\n|---|---|---|\n| 1-3 | 0-11 | 12000 |\n",
    ],
)
def test_a_range_beside_a_value_or_of_something_else_is_nothing_that_was_not_read(table: str) -> None:
    page = paste.read_page("fio results\n\n" + table)
    assert [result.iops for result in page.results] == [12000]
    assert page.unread == ()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Latency by class:\n\n| Class | small | large |\n|---|---|---|\n| a | 1.4 ms | 2.5 ms |\n", ["5"]),
        ("Latency requirements by class:\n\n| Class | small | large |\n|---|---|---|\n| a | 1.4 ms | 2 ms |\n", []),
        ("| Class | Network (Mbps) |\n|---|---|\n| a | 1,000 |\n| b | 10,000 |\n", []),
        ("The new pool:\n\n- fsync latency: 2858 us\n- expected latency: 2 ms\n- latency: <1 ms\n", ["3"]),
    ],
)
def test_a_number_of_a_named_quantity_that_gave_nothing_is_listed(text: str, lines: list[str]) -> None:
    page = paste.read_page(text)
    assert page.results == ()
    assert [each.lines for each in page.unread] == lines


def test_a_range_beside_a_result_that_is_doubted_for_it_is_listed_once() -> None:
    (unread,) = paste.read_page("fio\n\n| test | IOPS | lat ms |\n|---|---|---|\n| 4k randread | 900 | 1-2 |\n").unread
    assert unread.result is not None
    assert unread.number == "900 IOPS"


def test_rows_beyond_the_most_that_are_read_are_listed() -> None:
    rows = "".join(f"| 4k randread {at} | {1000 + at} |\n" for at in range(5100))
    page = paste.read_page(f"fio\n\n| test | IOPS |\n|---|---|\n{rows}\n4k random write: 45k IOPS\n")
    assert [page.results[0].iops, page.results[-1].iops] == [1000, 45_000]
    (rest,) = page.unread
    assert (rest.first_line, rest.last_line) == (len(page.results) + 4, 5104)
    assert rest.why == "of so long a table the first rows alone are read"


def test_of_rows_that_name_their_units_as_many_are_read_and_the_others_listed() -> None:
    page = paste.read_page("".join(f"4k randread {at}  IOPS={1000 + at}, lat=1.{at % 10}ms\n" for at in range(5100)))
    assert len(page.results) == 5000
    (rest,) = page.unread
    assert (rest.first_line, rest.last_line) == (5001, 5100)
    assert rest.reason == "only the first 5000 lines with rates are read"


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("IOPS: 18.2k, QD=3", (18200, None, None)),
        ("IOPS: 18.2k, QD=32,", (18200, 32, None)),
        ("IOPS: 18.2k, BW: 7", (18200, None, None)),
        ("IOPS: 18.2k, BW: 74.5 MB/s, jobs=4,", (18200, None, 74.5e6)),
    ],
)
def test_what_may_have_lost_its_end_is_no_number(cell: str, found: tuple[float | None, ...]) -> None:
    text = f"| Load | Notes |\n|---|---|\n| randread 4k | IOPS: 9,100 |\n| randwrite 4k | {cell}\n"
    assert brief(text, "iops", "queue_depth", "bw_bytes_per_s") == [(9100, None, None), found]


@pytest.mark.parametrize(
    ("cell", "found"), [("1,8", []), ("820", []), ("1,820 IOPS", [(1820,)]), ("1,820 |", [(1820,)])]
)
def test_a_last_cell_that_is_open_may_be_a_part_of_a_number(cell: str, found: list[tuple[float]]) -> None:
    text = f"| Load | IOPS |\n|---|---|\n| randread 4k | 9100 |\n| randwrite 4k | {cell}"
    assert brief(text, "iops") == [(9100,), *found]


def test_a_bar_in_front_of_a_row_without_a_label_is_the_end_of_its_empty_cell() -> None:
    text = "Test | IOPS | MB/s\n---|---|---\nrand read 4k | 41000 | 160\n | 43000 | 168\nrand write 4k | 9000 | 35\n"
    assert brief(text, "iops") == [(41000,), (43000,), (9000,)]


@pytest.mark.parametrize(
    "text",
    [
        "| Port | Speed |\n|---|---|\n| eth0 | 25 Gbit/s |\n\niperf3 -c host -t 10\n",
        "| Port | Speed |\n|---|---|\n| eth0 | 9.4 Gbit/s |\n\n## Next\n\niperf3 -c host -t 10\n",
        "| Test | Result |\n|---|---|\n| seq read | 3.2 Gbit/s |\n\niperf3 -c host -t 10\n",
        "For the write path, we use a journal. With fio the disk does 12k IOPS.\n",
        "For writes, we use a journal. The disk does 12k IOPS.\n",
        "We should receive 500 MB/s for reads.\n",
        "Results (IOPS)\nhost read 4k write\na 100 200\nb 120 220\n",
        "Expected throughput MiB/s\nSetup 4K READ 4K WRITE\nPlain 1210 640\nThin 505 33\n",
        "We compared random read random write\nand it took 2019\n",
        "It was copied, 3 s, 90 MB/s and slower.\ndd: about 3 s, 90 MB/s\n",
    ],
)
def test_sold_wished_and_ambiguous_numbers_give_no_result(text: str) -> None:
    assert paste.read_page(text).results == ()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Results with fio:\n\n| Host | Read | Write |\n|---|---|---|\n| a | 412 | 388 |\n", ["5"]),
        ("Results (IOPS)\nhost read 4k write\na 100 200\nb 120 220\n", ["3-4"]),
        ("iperf3 between them:\n\nLAN: 9.4 Gbit/s, 10 Gbit/s, 25 Gbit/s\n", ["3"]),
        ("SATA of 6 Gbit/s, a link of 10 Gbit/s\n", []),
        ("| fio | Read | Write |\n|---|---|---|\n| rights | 1 | 0 |\n", []),
        ("| Test | Result |\n|---|---|\n| randread 4k | 900 IOPS |\n| what it says | 720 MB/s |\n", ["4"]),
        (
            "Random write 4k, fio\n\ndepth   avg (us)   max (us)\n1       412        9120\n8       913        11200\n",
            ["4-5"],
        ),
        ("Build times\n\nstep   avg (s)   max (s)\nlink   412       9120\ntest   913       11200\n", []),
    ],
)
def test_what_looks_like_a_result_is_listed(text: str, lines: list[str]) -> None:
    assert [each.lines for each in paste.read_page(text).unread if each.result is None] == lines


def test_progress_of_dd_counts_where_its_total_is_missing() -> None:
    progress = "314572800 bytes (315 MB, 300 MiB) copied, 3 s, 105 MB/s\n"
    records = "600+0 records in\n600+0 records out\n"
    total = "629145600 bytes (629 MB, 600 MiB) copied, 6.2 s, 101 MB/s\n"
    assert brief(progress + records + total, "bw_bytes_per_s") == [(101e6,)]
    assert brief(progress + records, "bw_bytes_per_s", "runtime_s") == [(105e6, 3)]


def test_a_hash_heads_a_section_but_in_the_code_of_a_shell() -> None:
    command = "fio --rw=randwrite --bs=8k --name=x\n\n# Sequential read 4k\n\nIOPS: 4100\n"
    assert brief(f"```bash\n{command}```\n", "op") == [("read",)]  # the line names a load, whatever it is
    assert brief(f"```bash\n{command}", "op", "block_bytes") == [("read", 4096)]
    comment = "fio --rw=randwrite --bs=8k --name=x\n\n# Result:\n# IOPS: 4100\n"
    assert brief(f"# Random read\n\n```bash\n{comment}```\n", "op", "block_bytes") == [("randwrite", 8192)]


@pytest.mark.parametrize("head", ["## Random write 8k IOPS", "Random write 8k IOPS"])
def test_the_blocks_of_a_heading_are_no_iops(head: str) -> None:
    assert [each["iops"] for each in read_all(f"{head}\n\n| Tier | north |\n|---|---|\n| a | 12,417 |\n")] == [12417]


def test_a_unit_behind_settings_is_not_theirs() -> None:
    text = "| Test | window | r1 | r2 | unit |\n|---|---|---|---|---|\n| seq write | 300 | 212.4 | 208.1 | MB/s |\n"
    assert [each["bw_bytes_per_s"] for each in read_all(text)] == [212.4e6, 208.1e6]
    text = "| Test | window | result | unit |\n|---|---|---|---|\n| seq write | 400000 | 212.4 | MB/s |\n"
    page = paste.read_page(text)
    assert page.results == ()
    assert [each.first_line for each in page.unread] == [3]


@pytest.mark.parametrize("cell", ["10 Gbits/sec", "100 Gbits/sec", "25 Gbits/sec", "9.41 Gbit/s", "9.41 GB/s"])
def test_what_iperf_does_not_print_so_is_no_rate_of_a_network(cell: str) -> None:
    assert paste.read(f"| Path | Value |\n|---|---|\n| a - b | {cell} |\n| a - c | {cell} |\n") == ()


def test_a_long_paragraph_on_one_line_is_not_dropped_silently() -> None:
    line = f"The weather was fine. {'Nothing happened for a long time. ' * 12}We get a result of 149207 IOPS. So be it."
    assert [each.first_line for each in paste.read_page(line).unread] == [1]


@pytest.mark.parametrize("label", ["worker02 -> edge", "worker2", "worker 2"])
def test_the_name_of_a_host_is_no_number_of_jobs(label: str) -> None:
    text = f"| Path | random write 4k IOPS |\n|---|---|\n| {label} | 1234 |\n"
    assert [each["jobs"] for each in read_all(text)] == [None]


@pytest.mark.parametrize(
    ("text", "rates"), [("iperf3: 14 233 Mbit/s", [1779125000]), ("iperf3 on port 7 233 Mbit/s", [])]
)
def test_thousands_of_a_network_that_blanks_part_are_one_number_or_none(text: str, rates: list[float]) -> None:
    assert [each["bw_bytes_per_s"] for each in read_all(text)] == rates


@pytest.mark.parametrize("row", ["x | seq write 1 | 203 | MB/s", "seq write 1 | x | 203 | MB/s"])
def test_a_name_that_ends_in_a_number_takes_no_unit(row: str) -> None:
    found = read_all(f"| Id | Test | a | unit |\n|---|---|---|---|\n| {row} |\n")
    assert {each["bw_bytes_per_s"] for each in found} <= {203e6}


def test_rows_that_do_not_fit_below_a_table_are_listed() -> None:
    text = """4k random read

host         IOPS     MB/s
alder        12000    49.2
birch-with-a-long-name and more 13000 53.2
hazel gave 14000 57.3
"""
    page = paste.read_page(text.replace("more 13000", "more (13000)"))
    assert [each.iops for each in page.results] == [12000]
    assert [each.lines for each in page.unread] == ["6"]
