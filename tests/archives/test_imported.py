"""A kept text as a study: one cell a result, layers by tool and engine, nothing invented."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radoscope.archives import paste
from radoscope.archives.imported import read_bundle, study_of
from radoscope.errors import StoreError
from radoscope.records.conditions import Layer, Operation, Sync
from radoscope.records.measurement import Latency, Result, Source
from radoscope.records.study import Study
from radoscope.report.words import load_words
from radoscope.stats.pick import deepest
from radoscope.stats.summarise import summarise
from radoscope.store import keep_text

CAPTURES = Path(__file__).parents[1] / "captures" / "fio" / "3.33"


def of(*results: Result) -> Study:
    return study_of(results, id="i", source="a mail", created_at_s=5.0)


def test_each_result_is_a_cell_of_its_own() -> None:
    run = Result(tool="fio", op="randwrite", block_bytes=4096, queue_depth=32, jobs=4, iops=900.0)
    told = of(run, run)
    assert [cell.name for cell in told.cells] == ["fio-randwrite-4k-qd32-j4", "fio-randwrite-4k-qd32-j4-run2"]
    assert [segment.results for segment in told.segments] == [(run,), (run,)]


def test_the_layer_follows_from_tool_and_engine() -> None:
    told = of(
        Result(tool="rados-bench", op="write"),
        Result(tool="rbd-bench", op="write"),
        Result(tool="ping", op="rtt"),
        Result(tool="fio", op="read", extra={"ioengine": "rbd"}),
        Result(tool="fio", op="read", extra={"options": {"ioengine": "rados"}}),
        Result(tool="fio", op="read"),
    )
    layers = [cell.conditions.layer for cell in told.cells]
    assert layers == [Layer.RADOS, Layer.RBD, Layer.NETWORK, Layer.RBD, Layer.RADOS, Layer.DISK]


def test_a_depth_that_nobody_told_is_none() -> None:
    """It was called QD1, and stood for one I/O at a time."""
    untold, one = of(
        Result(tool="table", op="randread", block_bytes=4096, iops=12_000.0),
        Result(tool="table", op="randread", block_bytes=4096, queue_depth=1, iops=900.0),
    ).cells
    assert (load_words(untold.conditions), load_words(one.conditions)) == ("4K random read", "4K random read, QD1")
    assert (untold.conditions.one_at_a_time, one.conditions.one_at_a_time) == (False, True)


def test_what_a_table_tells_of_a_network_is_of_the_network() -> None:
    assert of(Result(tool="table", op="rtt", latency=Latency(mean_s=1e-4))).cells[0].conditions.layer is Layer.NETWORK


def test_a_printed_flush_makes_the_load_a_synced_one() -> None:
    told = of(Result(tool="fio", op="write", sync=Latency(mean_s=1e-3)))
    assert told.cells[0].conditions.sync is Sync.FSYNC


def test_what_is_no_load_is_a_note_and_no_cell() -> None:
    told = of(Result(tool="ceph-status", source=Source(reader="ceph_status", first_line=3, last_line=9)))
    assert told.cells == ()
    assert told.notes == ("ceph-status (lines 3-9): no load",)


def test_a_rate_without_an_operation_is_kept_but_is_no_cell() -> None:
    told = of(Result(tool="dd", bandwidth_bytes_per_s=1e8))
    assert told.cells == ()
    assert [segment.cell for segment in told.segments] == ["dd"]


def test_a_run_with_o_sync_or_held_at_a_rate_is_no_run_without() -> None:
    options: tuple[dict[str, str], ...] = ({}, {"sync": "1"}, {"rate_iops": "500"})
    runs = tuple(
        Result(tool="fio", op="randwrite", block_bytes=4096, queue_depth=1, iops=500.0, extra={"options": one})
        for one in options
    )
    cells = study_of(runs, id="x", source="x", created_at_s=0.0).cells
    assert [(cell.conditions.sync, cell.conditions.rate_iops) for cell in cells] == [
        (Sync.NONE, None),
        (Sync.OSYNC, None),
        (Sync.NONE, 500.0),
    ]


def test_a_kept_text_is_read_anew_from_its_folder(tmp_path: Path) -> None:
    raw = (CAPTURES / "several_jobs" / "output.txt").read_bytes()
    kept = keep_text(raw, "output.txt", tmp_path, now_s=1.8e9, version="0")
    told = read_bundle(kept)
    assert (told.id, told.target, told.created_at_s) == (kept.name, "output.txt", 1.8e9)
    assert len(told.cells) == len(told.segments) > 0


@pytest.mark.parametrize("manifest", ["{", "[]", json.dumps({"kind": "import"})])
def test_a_damaged_manifest_is_an_error_with_words(tmp_path: Path, manifest: str) -> None:
    (tmp_path / "manifest.json").write_text(manifest)
    with pytest.raises(StoreError):
        read_bundle(tmp_path)


def test_a_manifest_cannot_point_out_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("fio")
    kept = keep_text(b"fio", "x", tmp_path / "studies", now_s=0.0, version="0")
    manifest = json.loads((kept / "manifest.json").read_text())
    (kept / "manifest.json").write_text(json.dumps({**manifest, "text": "../../secret.txt"}))
    with pytest.raises(StoreError):
        read_bundle(kept)


def test_a_cell_has_the_name_that_its_page_gives_it() -> None:
    page = "MiB/s         Host    Guest\nseq read      2204    1733\n"
    study = study_of(paste.read(page), id="one", source="page", created_at_s=0.0)
    assert [cell.title for cell in study.cells] == ["read (seq read, Host)", "read (seq read, Guest)"]


def test_half_of_a_mixed_run_is_no_run_of_reads_or_writes_alone() -> None:
    """The first line of the report said that the disk reaches 4,000 write IOPS."""
    page = "fio, iodepth=32, single job\n\n- 4K randread: 13.3k IOPS\n- 4K randrw 70/30: read 9.2k / write 4.0k IOPS\n"
    study = of(*paste.read(page))
    assert [(cell.conditions.op, cell.conditions.mixed) for cell in study.cells] == [
        (Operation.RANDREAD, False), (Operation.RANDREAD, True), (Operation.RANDWRITE, True),
    ]  # fmt: skip
    summaries = summarise(study)
    assert deepest(summaries, Layer.DISK, writes=True) is None
    best = deepest(summaries, Layer.DISK, writes=False)
    assert best is not None and best.cell is study.cells[0]
    assert "randwrite" in study.cells[2].title
