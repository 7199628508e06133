"""Real pages as they are: how many results of which tool, and the cells that must stay empty."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from radoscope import wire
from radoscope.archives import clean, paste

SEEDS = Path(__file__).parents[3] / "shared" / "seeds"
pytestmark = pytest.mark.skipif(not SEEDS.is_dir(), reason="the shared pages are not beside this repository")

TOOLS = {
    "000": {"hdparm": 1, "table": 19},
    "001": {"table": 7, "rados-bench": 24},
    "002": {"fio": 3},
    "003": {"iperf3": 1, "ping": 1, "ceph-status": 1, "ceph-osd-tree": 3, "fio-cdm": 84},
    "004": {"rados-bench": 4},
}


def results_of(number: str) -> list[dict[str, Any]]:
    (path,) = SEEDS.glob(f"{number}_*.txt")
    return [wire.exchanged(result) for result in paste.read(clean.decode(path.read_bytes()))]


@pytest.mark.parametrize("number", sorted(TOOLS))
def test_every_result_of_a_page_is_found_and_none_is_invented(number: str) -> None:
    assert Counter(each["tool"] for each in results_of(number)) == TOOLS[number]


def test_damaged_cells_of_24_runs_side_by_side_are_null() -> None:
    runs = [each for each in results_of("001") if each["tool"] == "rados-bench"]
    assert [each["lat_mean_ns"] for each in runs[:4]] == [None, None, 46840400, None]
    assert [each["extra"].get("lat_max_ns") for each in runs[8:12]] == [444184000, 745490000, None, None]
    assert [each["iops"] for each in runs[:4]] == [252, 306, 341, 378]
    assert {each["queue_depth"] for each in runs} == {16}
    assert Counter(each["op"] for each in runs) == {"write": 12, "read": 12}


def test_a_data_sheet_in_a_page_of_results_is_left_alone() -> None:
    assert not any(each["iops"] in (95000, 90000, 72000, 33000) for each in results_of("000"))


def test_random_reads_are_told_by_the_command_far_above() -> None:
    assert [(each["op"], each["iops"]) for each in results_of("004")] == [
        ("write", 36), ("write", 915), ("read", 11491), ("randread", 14475),
    ]  # fmt: skip
