"""Result folders of CBT, bench-fio and plain fio."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from radoscope.archives.folders import read_folder
from radoscope.archives.imported import study_of
from radoscope.errors import UnreadableFile
from radoscope.records.conditions import Layer

CAPTURES = Path(__file__).parents[1] / "captures" / "fio"
RANDREAD = CAPTURES / "3.33" / "randread" / "output.json"
WITHOUT_OPTIONS = CAPTURES / "2.2.10" / "json_randread" / "output.json"
LOGS = CAPTURES / "3.33" / "logs"


def cbt_archive(root: Path) -> Path:
    """An archive as CBT leaves it: the output of fio in both formats, CBT's copy of its JSON, logs with the host."""
    run = root / "results" / "00000001" / "id-1a2b3c4d" / "op_size-00004096" / "iodepth-016" / "randread"
    run.mkdir(parents=True)
    document = RANDREAD.read_text()
    normal = RANDREAD.with_name("output.txt").read_text()
    (run / "output.0.ceph1").write_text(f"Starting 1 process\n{document}\n{normal}")
    (run / "json_output.0.ceph1").write_text(document)
    (run / "output.1.ceph1").write_text(WITHOUT_OPTIONS.read_text())
    (run / "output.0_iops.1.log.ceph1").write_text((LOGS / "out_iops.1.log").read_text())
    (run / "collectl.log").write_text("nothing to see")
    config = "cluster:\n  benchmark: librbdfio\n  iodepth: [16, 32]\n  numjobs: 3\n"
    (root / "results" / "00000001" / "id-1a2b3c4d" / "benchmark_config.yaml").write_text(config)
    return root


def test_a_cbt_archive_gives_each_volume_once(tmp_path: Path) -> None:
    found = read_folder(cbt_archive(tmp_path))
    assert (found.tool, found.unread) == ("cbt", ())
    assert [(result.extra["volume"], result.extra["host"]) for result in found.results] == [(0, "ceph1"), (1, "ceph1")]
    assert found.results[0].extra["iteration"] == 1
    source = found.results[0].source
    assert source is not None and source.file is not None and source.file.endswith("randread/output.0.ceph1")


def test_what_a_file_says_wins_and_folder_names_fill_the_rest(tmp_path: Path) -> None:
    first, second = read_folder(cbt_archive(tmp_path)).results
    assert (first.queue_depth, first.context) == (4, ())
    assert (second.op, second.queue_depth, second.jobs) == ("randread", 16, 3)
    assert second.context == ("op", "queue_depth", "jobs")


def test_logs_beside_an_output_become_its_series(tmp_path: Path) -> None:
    first, second = read_folder(cbt_archive(tmp_path)).results
    assert [series.name for series in first.series] == ["iops"]
    assert second.series == ()


def test_bench_fio_folders_give_device_and_conditions(tmp_path: Path) -> None:
    for folder in (tmp_path / "md0" / "4k", tmp_path / "md0" / "randread75" / "8k" / "run-1"):
        folder.mkdir(parents=True)
        (folder / "randread-32-8.json").write_text(WITHOUT_OPTIONS.read_text())
    found = read_folder(tmp_path)
    assert found.tool == "bench-fio"
    for result in found.results:
        assert (result.op, result.queue_depth, result.jobs) == ("randread", 32, 8)
        assert result.extra["device"] == "md0"
    study = study_of(found.results, id="x", source="md0", created_at_s=0.0)
    assert {(cell.conditions.layer, cell.conditions.in_flight) for cell in study.cells} == {(Layer.DISK, 256)}


def test_a_plain_folder_of_fio_files_is_read_too(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(RANDREAD.with_name("output.txt").read_text())
    (tmp_path / "b.terse").write_text((CAPTURES / "3.33" / "terse_v3" / "output.txt").read_text())
    (tmp_path / "notes.md").write_text("The disk was full.")
    found = read_folder(tmp_path)
    assert found.tool == ""
    assert [result.op for result in found.results] == ["randread", "read", "write"]


def test_a_damaged_file_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text(RANDREAD.read_text())
    (tmp_path / "empty.json").write_text(json.dumps({"fio version": "fio-3.33", "jobs": []}))
    (tmp_path / "bytes.bin").write_bytes(os.urandom(5000))
    found = read_folder(tmp_path)
    assert len(found.results) == 1
    assert [unread.file for unread in found.unread] == ["empty.json"]


def test_a_folder_without_results_is_unreadable(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(UnreadableFile):
            read_folder(folder)


def test_files_of_other_tools_in_a_folder_are_read_and_notes_are_no_fault(tmp_path: Path) -> None:
    (tmp_path / "osd.3.json").write_text(
        '{"bytes_written": 12288000, "blocksize": 4096, "elapsed_sec": 3.0, "bytes_per_sec": 4096000.0, "iops": 1000.0}'
    )
    (tmp_path / "iperf.txt").write_text(
        "[  5]   0.00-10.00  sec  10.9 GBytes  9.38 Gbits/sec                  receiver\n"
    )
    (tmp_path / "notes.txt").write_text("Random thoughts about Sequential reads, 9 Gbits/sec\n")
    found = read_folder(tmp_path)
    assert sorted(result.tool for result in found.results) == ["iperf3", "osd-bench"]
    assert found.unread == ()
