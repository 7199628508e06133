from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from radoscope.cli.import_ import command

TEXT = "1073741824 bytes (1.1 GB) copied, 9.21 s, 117 MB/s\n"


def test_json_prints_one_array_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "page.txt"
    path.write_text(TEXT)
    outcome = CliRunner().invoke(command, ["--json", str(path)])
    (result,) = json.loads(outcome.stdout)
    assert (result["tool"], result["bw_bytes_per_s"], result["extra"]["lines"]) == ("dd", 117000000, [1, 1])
    assert result["iops"] is None


def test_json_reads_the_standard_input() -> None:
    outcome = CliRunner().invoke(command, ["--json", "-"], input=TEXT)
    assert [each["tool"] for each in json.loads(outcome.stdout)] == ["dd"]


def test_a_page_without_results_is_an_empty_array() -> None:
    assert json.loads(CliRunner().invoke(command, ["--json", "-"], input="We want 3000 IOPS.\n").stdout) == []


def test_a_file_that_is_not_there_is_a_sentence_and_not_a_traceback(tmp_path: Path) -> None:
    outcome = CliRunner().invoke(command, ["--json", str(tmp_path / "none.txt")])
    assert "cannot read" in str(outcome.exception)


def test_what_looks_like_results_is_listed_even_where_none_was_read(tmp_path: Path) -> None:
    path = tmp_path / "page.txt"
    path.write_text("Seq: 502 MB/s\n4K: 21 MB/s\n")
    outcome = CliRunner().invoke(command, [str(path)], env={"RADOSCOPE_HOME": str(tmp_path)})
    assert "no benchmark result" in str(outcome.exception)
    assert "lines 1-2" in outcome.stdout


def test_a_label_is_shown_and_what_was_only_told_is_marked(tmp_path: Path) -> None:
    path = tmp_path / "page.txt"
    path.write_text("| Pool | 4k randread IOPS |\n|---|---|\n| fast | 9000 |\n\nWe got 110 MB/s write.\n")
    outcome = CliRunner().invoke(command, [str(path)], env={"RADOSCOPE_HOME": str(tmp_path)})
    assert "fast" in outcome.stdout
    assert "(said)" in outcome.stdout


def test_no_condition_gives_way_to_long_labels_and_a_column_without_figures_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "page.txt"
    head = "| Drive | Test | Block | QD | IOPS | MB/s | avg latency | p99 | p99.9 |\n" + "|---" * 9 + "|\n"
    row = "| a drive with a very long name of its kind | {} | 4k | 32 | 40000 | 160 | 0.8 ms | 2.1 ms | 3.5 ms |\n"
    path.write_text(head + "".join(row.format(op) for op in ("randread", "randwrite")))
    outcome = CliRunner().invoke(command, [str(path)], env={"RADOSCOPE_HOME": str(tmp_path)})
    lines = outcome.stdout.splitlines()
    assert lines[0].split() == ["lines", "tool", "op", "block", "QD", "IOPS", "MB/s", "mean", "p99", "p99.9", "label"]
    assert [line.split()[2:6] for line in lines if "40,000" in line] == [
        ["table", op, "4K", "32"] for op in ("randread", "randwrite")
    ]
