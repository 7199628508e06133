"""What tells results of a table apart: labels decide whether numbers are taken for repeats of one run."""

from __future__ import annotations

import pytest

from radoscope.archives import paste
from radoscope.explain import judge
from tests.formats.readings import brief

NODES = """
4k, QD 32, 60 s:

{head}   Random write (IOPS)   Random read (IOPS)
3        14400                 51200
4        17900                 60900
5        22050                 74010
"""


def labels(text: str) -> list[str | None]:
    return [result.extra.get("label") for result in paste.read(text)]


def is_pooled(text: str) -> bool:
    return any(finding.rule == "repeats-differ" for finding in judge(paste.read(text)))


@pytest.mark.parametrize("head", ["Nodes", "VMs", "Clients", "MTU", "Nodos", "节点数", "osd_op_num_shards"])
def test_rows_of_numbers_have_the_name_of_what_they_count_and_are_no_repeats(head: str) -> None:
    text = NODES.format(head=head)
    assert labels(text) == [f"{head} {count}" for count in (3, 3, 4, 4, 5, 5)]
    assert not is_pooled(text)


@pytest.mark.parametrize("head", ["Run", "#", "No.", "Lauf", "Test 3", "第3回", "Essai", "回数"])
def test_rows_that_number_repeats_are_repeats(head: str) -> None:
    text = NODES.format(head=head)
    assert set(labels(text)) == {None}
    assert is_pooled(text)


def test_a_second_column_counts_where_the_first_is_the_same() -> None:
    text = """4k random write, QD 64:

| Nodes | OSDs | IOPS |
|---|---|---|
| 3 | 12 | 14400 |
| 3 | 24 | 18900 |
| 6 | 24 | 27050 |
"""
    assert labels(text) == ["Nodes 3, OSDs 12", "Nodes 3, OSDs 24", "Nodes 6, OSDs 24"]


def test_a_section_of_a_table_tells_its_rows_from_those_of_another() -> None:
    text = """
| Test | BS | QD | IOPS |
|---|---|---|---|
| NVMe pool | | | |
| rand read | 4k | 32 | 70100 |
| HDD pool | | | |
| rand read | 4k | 32 | 1210 |
"""
    assert labels(text) == ["NVMe pool, rand read", "HDD pool, rand read"]
    assert not is_pooled(text)


def test_tables_of_the_same_rows_stand_below_their_names() -> None:
    table = "MiB/s Host Guest\nRandom read {} {}\nSequential write {} {}\n\n"
    text = f"fio on the host and in the guest:\n\nbcache\n\n{table}dm-cache\n\n{table}"
    text = text.format(811, 302, 1208, 955, 790, 288, 1150, 902)
    assert brief(text, "op", "section")[::4] == [("randread", "bcache"), ("randread", "dm-cache")]
    assert not is_pooled(text)


def test_what_a_page_folds_away_stands_below_its_summary() -> None:
    table = "| job | IOPS |\n|---|---|\n| randwrite 4k qd1 | {} |"
    part = f"<details><summary>{{}} the upgrade</summary>\n\n{table}\n\n</details>\n\n"
    text = part.format("Before", 611) + part.format("After", 488)
    assert brief(text, "iops", "section") == [(611, "Before the upgrade"), (488, "After the upgrade")]


def test_a_name_further_above_counts_where_the_nearest_is_that_of_another_table_too() -> None:
    table = "IOPS(k)\n\ntype      before   after\nrand-read {}     {}\n\n"
    text = f"bs=4k iodepth=128\n\nloop target, the backend is a file.\n\n{table}null target\n\n{table}"
    sections = brief(text.format(52.0, 54.1, 61.2, 63.0), "section")
    assert sections == [("loop target, the backend is a file",)] * 2 + [("null target",)] * 2


def test_a_line_that_leads_to_outputs_parts_them_whatever_is_in_it() -> None:
    without = "On md3 without bitmap (mdadm --grow --bitmap=none /dev/md3):\nREAD: IOPS=1351K\n"
    text = f"On md3 (14TB):\nREAD: IOPS=1100K\n\n{without}"
    assert len(set(brief(text, "section"))) == 2


@pytest.mark.parametrize(("head", "who"), [("Winner", "🧱 Cellar +51%"), ("Sieger", "Dach 6.2×"), ("勝者", "地下室")])
def test_a_column_of_winners_names_no_row(head: str, who: str) -> None:
    text = f"""
| Test | Cellar zfs | Roof btrfs | {head} |
|---|---|---|---|
| Sequential write | 811 MB/s | 504 MB/s | {who} |
| Sequential read | 1,288 MB/s | 602 MB/s | {who} |
"""
    assert labels(text) == [f"Sequential {way}, {pool}" for way in ("write", "read") for pool in HOUSES]


HOUSES = ("Cellar zfs", "Roof btrfs")


def test_queues_of_a_device_name_columns_beside_a_depth() -> None:
    text = """
| Workload (4K, QD=16) | Q=1 | Q=8 |
|---|---|---|
| randread | 301k IOPS | 702k IOPS |
"""
    assert labels(text) == ["randread, Q=1", "randread, Q=8"]


def test_a_missing_value_is_no_label() -> None:
    text = """
| What | Tool | Idle | Busy |
|---|---|---|---|
| Disk write | fio | N/A | 185 MB/s |
"""
    assert labels(text) == ["Disk write, fio, Busy"]


@pytest.mark.parametrize("name", ["**xfs**:", "xfs:", "**xfs:**", "`xfs`:"])
def test_the_name_of_an_item_is_its_label(name: str) -> None:
    text = f"Copies of files, measured with dd\n\n- {name} 511 MB/s write, 720 MB/s read\n"
    assert labels(text) == ["xfs", "xfs"]


def test_the_load_of_an_item_is_no_name() -> None:
    assert labels("Measured with fio\n\n- 4k random: 41200 IOPS write\n") == [None]


def test_a_remark_behind_a_drive_is_its_label() -> None:
    text = """
/dev/sdd: (the slow one)
 Timing buffered disk reads:  412 MB in  3.01 seconds = 136.88 MB/sec
"""
    assert labels(text) == ["the slow one"]


def test_a_column_that_says_who_wins_names_no_run() -> None:
    text = (
        "4k random reads with fio:\n\n| Metric | Alpha | Beta | Winner | Gap |\n|---|---|---|---|---|\n"
        "| IOPS | 1,480 | 4,260 | Beta | 188% more |\n| Latency | 2.70 ms | 0.94 ms | Beta | 65% less |\n"
    )
    assert brief(text, "iops", "label") == [(1480, "Alpha"), (4260, "Beta")]


def test_what_an_option_was_set_to_tells_columns_apart() -> None:
    table = "| metric | 64K | 256K | best |\n|---|---|---|---|\n| BW | 611 | 702 | 256K |\n"
    text = f"## --max-readahead compared\n\n### randread, bs=16k (MiB/s)\n\n{table}"
    assert brief(text, "block_bytes", "label") == [(16384, "64K"), (16384, "256K")]
