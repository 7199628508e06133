from __future__ import annotations

import pytest

from radoscope.archives import paste
from radoscope.formats.grammar.phrases import cell_of, heading_of, phrase_of
from tests.formats.readings import brief, read_all


def test_a_row_with_its_own_load() -> None:
    text = "| Test | IOPS | MB/s | lat (ms) | p99 (us) |\n|---|---|---|---|---|\n| 4k randwrite QD8 | 12.5k | 51.2 | 0.64 | 1,900 |\n"  # noqa: E501
    assert brief(text, "op", "block_bytes", "queue_depth", "iops", "bw_bytes_per_s", "lat_mean_ns", "lat_p99_ns") == [
        ("randwrite", 4096, 8, 12500, 51.2e6, 640000, 1900000)
    ]


def test_headings_name_the_direction() -> None:
    text = (
        "| Load | Read IOPS | Write IOPS | Read MB/s | Write MB/s | Latency (ms) |\n|---|---|---|---|---|---|\n"
        "| 4k random | 52k | 18k | 213 | 73.7 | 0.6 |\n| Improvement | 12 | 8 | 1 | 1 | 1 |\n"
    )
    assert brief(text, "op", "iops", "bw_bytes_per_s", "lat_mean_ns") == [
        ("randread", 52000, 213e6, None),
        ("randwrite", 18000, 73.7e6, None),
    ]


def test_quantities_at_the_left_make_columns_the_runs() -> None:
    text = "| | HDD | SSD |\n|---|---|---|\n| IOPS | 312 | 21,400 |\n| Bandwidth MB/s | 1.28 | 87.7 |\n| Latency ms | 51.2 | 0.75 |\n"  # noqa: E501
    assert brief(text, "label", "iops", "bw_bytes_per_s", "lat_mean_ns") == [
        ("HDD", 312, 1.28e6, 51200000),
        ("SSD", 21400, 87.7e6, 750000),
    ]


def test_cells_may_carry_their_unit() -> None:
    text = "| | Ceph | local |\n|---|---|---|\n| 4k randwrite QD1 | 1,200 IOPS | 35.1k IOPS |\n"
    assert brief(text, "op", "iops") == [("randwrite", 1200), ("randwrite", 35100)]


@pytest.mark.parametrize(
    ("text", "op", "iops"),
    [
        ("| 操作 | 块大小 | IOPS |\n|---|---|---|\n| 随机写 | 4K | 584 |\n", "randwrite", 584),
        ("| 項目 | ブロックサイズ | IOPS |\n|---|---|---|\n| ランダムリード | 4K | 584 |\n", "randread", 584),
        (
            "| Messung | Blockgröße | IOPS |\n|---|---|---|\n| Zufälliges Schreiben | 4 KiB | 6.717,4 |\n",
            "randwrite",
            6717.4,
        ),
        ("| Тест | IOPS | Задержка, мс |\n|---|---|---|\n| Случайная запись 4К | 1 250 | 0,79 |\n", "randwrite", 1250),
    ],
)
def test_headings_in_other_languages(text: str, op: str, iops: float) -> None:
    assert brief(text, "op", "block_bytes", "iops") == [(op, 4096, iops)]


def test_a_table_of_blanks_takes_its_load_from_the_heading_above() -> None:
    text = "Random Write 4KB iodepth=1\n\n項目 IOPS - ave BW (MB/s) - ave Latency (msec) - max Latency (msec) - ave\nA 1391 5.698 15.88 0.71824\n"  # noqa: E501
    (result,) = read_all(text)
    assert (result["op"], result["block_bytes"], result["queue_depth"]) == ("randwrite", 4096, 1)
    assert result["extra"]["context"] == ["op", "block_bytes", "queue_depth"]
    assert (result["lat_mean_ns"], result["extra"]["lat_max_ns"]) == (718240, 15880000)


def test_megabytes_are_mebibytes_where_iops_and_size_prove_it() -> None:
    text = "| Test | IOPS | MB/s |\n|---|---|---|\n| 64K write | 584 | 36.5 |\n| 64K read | 4981 | 311.3 |\n"
    assert brief(text, "bw_bytes_per_s") == [(36.5 * 2**20,), (pytest.approx(311.3 * 2**20),)]


@pytest.mark.parametrize(
    "text",
    [
        "| Drive | Random read IOPS | Endurance |\n|---|---|---|\n| X1 | 95000 | 3 DWPD |\n",
        "Spec sheet\n\n| Drive | Random read IOPS |\n|---|---|\n| X1 | 95000 |\n",
        "| NIC | Speed |\n|---|---|\n| X540 | 10 Gbit/s |\n",
        "| Service | required IOPS |\n|---|---|\n| db | 5000 |\n",
        "| Plan | IOPS | Price |\n|---|---|---|\n| gp3 | 3000 | $ 5 |\n",
        "Device            r/s     rMB/s   w/s   wMB/s  await  %util\nsda              12.0      0.5    30.0  1.2     3.1    12.0\n",  # noqa: E501
        "| Test | Read | Write |\n|---|---|---|\n| 4k | 100 | 200 |\n",
        "| Test | Latency |\n|---|---|\n| 4k | 1.5 |\n",
        "| Test | IOPS |\n|---|---|\n| 4k | 100-200 |\n| 8k | nan |\n| 16k | 1e400 |\n| 32k | 12% |\n",
        "We reached 12345 IOPS and 48 MB/s at 0.5 ms latency.\nIOPS went from 100 to 200.\n",
        "IOPS\n1000\n",
    ],
)
def test_what_was_not_measured_or_has_no_unit_is_left_alone(text: str) -> None:
    assert read_all(text) == []


def test_a_short_line_above_may_name_the_quantity() -> None:
    text = "Throughput in MB/s\n\n| Block | Read | Write |\n|---|---|---|\n| 1M | 950 | 620 |\n"
    assert brief(text, "op", "block_bytes", "bw_bytes_per_s") == [("read", 2**20, 950e6), ("write", 2**20, 620e6)]


def test_a_list_of_hardware_is_no_table_of_results() -> None:
    text = "| Hardware | Value |\n|---|---|\n| CPU | 2x Xeon |\n| Disk | 550 MB/s |\n| Network | 10 Gbit/s |\n"
    assert read_all(text) == []


def test_what_is_hardly_a_table_raises_nothing() -> None:
    assert paste.read("| IOPS | Latency (ms) |\n|---|---|\n\n") == ()
    assert paste.read("| 4k randread IOPS | 4k randwrite IOPS |\n| a | b |\n|---|---|\n") == ()
    paste.read("R/W 12 MB/s 31 MB/s 4k\n")


@pytest.mark.parametrize("unit", ["", " KiB/s", "MB/s", " GiB/s", "ms", " us", " IOPS", "IOPS", "k"])
def test_a_plain_value_is_what_the_grammar_makes_of_it(unit: str) -> None:
    """A blank behind it makes the grammar read it."""
    for number in ("0", "4", "64", "99", "512", "1005", "4096", "123456789", "0.5", "1.2", "99.99", "12.345", "4096.5"):
        text = number + unit
        assert [read(text) for read in (phrase_of, heading_of, cell_of)] == [
            read(text + " ") for read in (phrase_of, heading_of, cell_of)
        ]
