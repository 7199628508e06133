"""Outputs that were really made are read as their expected.json says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radoscope import wire
from radoscope.archives import paste
from tests.archives.scoring import score

CAPTURES = Path(__file__).parents[1] / "captures"
FOLDERS = [
    path.parent
    for tool in (
        "rados_bench",
        "rbd_bench",
        "osd_bench",
        "ceph_status",
        "ceph_osd_tree",
        "ceph_osd_df",
        "ceph_osd_perf",
        "rbd_perf",
    )
    for path in sorted((CAPTURES / tool).glob("*/*/expected.json"))
]
OTHERS = [
    path.parent
    for tool in ("sysbench", "qperf", "sockperf", "ioping", "bonnie++", "netperf")
    for path in sorted((CAPTURES / tool).glob("*/*/expected.json"))
]


def test_each_tool_of_ceph_has_a_capture() -> None:
    assert len({folder.parents[1].name for folder in FOLDERS}) == 8


@pytest.mark.parametrize("folder", [*FOLDERS, *OTHERS], ids=lambda folder: str(folder.relative_to(CAPTURES)))
def test_a_real_output_is_read_as_it_was_printed(folder: Path) -> None:
    text = next(folder.glob("output.*")).read_text("utf-8")
    found = [wire.exchanged(result) for result in paste.read(text)]
    result = score(found, json.loads((folder / "expected.json").read_text("utf-8")))
    assert result.is_perfect, f"\n{result}"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(CAPTURES)))
def test_a_capture_names_its_origin(folder: Path) -> None:
    assert "16.2.15" in (folder / "ORIGIN.md").read_text("utf-8")


@pytest.mark.parametrize("folder", OTHERS, ids=lambda folder: str(folder.relative_to(CAPTURES)))
def test_a_capture_of_another_tool_names_its_version(folder: Path) -> None:
    assert folder.parent.name in (folder / "ORIGIN.md").read_text("utf-8")
