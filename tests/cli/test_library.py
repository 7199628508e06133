"""import, list, rm and export as a user types them, on real output of fio."""

from __future__ import annotations

import csv
import io
import json
import sys
import time
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from radoscope.cli.export import command as export
from radoscope.cli.import_ import command as import_
from radoscope.cli.list_ import command as list_
from radoscope.cli.main import command as radoscope
from radoscope.cli.next_steps import complete_study
from radoscope.cli.rm import command as rm
from radoscope.errors import PlanError, StoreError, ToolFailed, UnreadableFile
from radoscope.run.journal import Journal
from radoscope.store import keep_text
from radoscope.workflow import load_study

CAPTURES = Path(__file__).parents[1] / "captures" / "fio" / "3.33"
TEXT = CAPTURES / "several_jobs" / "output.txt"
OTHER = CAPTURES / "clat_only" / "output.txt"


pytestmark = pytest.mark.usefixtures("home")


def run(command: Any, *words: str, given: str | bytes | None = None) -> Result:
    """What the command printed; errors of radoscope come out as they were raised."""
    return CliRunner().invoke(command, list(words), input=given, catch_exceptions=False)


def listed() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run(list_, "--json").stdout)["entries"]
    return found


def test_an_import_prints_results_judgement_and_where_it_is_kept(home: Path) -> None:
    told = run(import_, str(TEXT)).stdout
    assert "5-24   fio   randread" in told
    assert "Judgement" in told
    assert "[too-short]" in told
    (entry,) = listed()
    assert f"Kept as {entry['id']}." in told
    assert (home / "studies" / entry["id"] / "text.txt").read_bytes() == TEXT.read_bytes()


def test_the_same_text_twice_is_one_study() -> None:
    run(import_, str(TEXT))
    again = run(import_, "-", given=TEXT.read_bytes())
    assert len(listed()) == 1
    assert f"Already kept as {listed()[0]['id']}." in again.stdout


def test_last_is_one_study_for_all_verbs_even_where_an_old_import_has_an_id_of_local_time(home: Path) -> None:
    run(import_, str(TEXT))
    (old,) = listed()
    later = home / "studies" / f"29990101-000000-import-{old['content_hash'][:8]}"
    (home / "studies" / old["id"]).rename(later)
    manifest = json.loads((later / "manifest.json").read_text())
    (later / "manifest.json").write_text(json.dumps(manifest | {"created_at_s": manifest["created_at_s"] - 3600}))
    run(import_, str(OTHER))
    newest = listed()[0]["id"]
    assert load_study("last").id == newest != later.name
    assert f"the newest is {newest}." in CliRunner().invoke(radoscope, []).output
    assert complete_study(click.Context(export), export.params[0], "") == [newest, later.name, "last"]
    assert {row["study"] for row in json.loads(run(export, "last", "-f", "json").stdout)["results"]} == {newest}


def test_an_import_is_named_by_the_time_of_greenwich_as_studies_are(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert keep_text(b"x", "x", home, now_s=0.0, version="0").name.startswith("19700101-000000-")
    finally:
        monkeypatch.undo()
        time.tzset()


def test_json_prints_and_keeps_nothing() -> None:
    assert isinstance(json.loads(run(import_, "--json", str(TEXT)).stdout), list)
    assert listed() == []


def test_histogram_logs_of_a_folder_are_shown_as_percentiles_over_time(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in (1, 2):
        name = f"out_clat_hist.{number}.log"
        (logs / name).write_bytes((CAPTURES / "hist_log" / name).read_bytes())
    told = run(import_, str(logs)).stdout
    assert "Result 1: latency over time" in told
    assert [line.split()[:2] for line in told.splitlines() if " s " in line][:3] == [["1", "s"], ["2", "s"], ["3", "s"]]
    with pytest.raises(UnreadableFile) as caught:
        run(import_, str(logs / "out_clat_hist.1.log"))
    assert "Import the folder" in caught.value.hint


def test_a_text_without_a_result_is_refused_and_not_kept() -> None:
    with pytest.raises(UnreadableFile, match="no benchmark result"):
        run(import_, "-", given="Dear list, my cluster is slow. What should I do?")
    assert listed() == []


@pytest.mark.parametrize("words", [(), ("--again", "x.txt")])
def test_import_wants_either_a_text_or_again(words: tuple[str, ...]) -> None:
    with pytest.raises(PlanError):
        run(import_, *words)


def test_again_reads_everything_anew(home: Path) -> None:
    run(import_, str(TEXT))
    results = listed()[0]["results"]
    (home / "index.sqlite").write_bytes(b"broken beyond repair" * 99)
    told = run(import_, "--again").stdout
    assert f"Read 1 studies and imports again, {results} results." in told
    assert listed()[0]["results"] == results


def test_names_in_a_text_cannot_steer_the_terminal(home: Path) -> None:
    document = json.loads((CAPTURES / "several_jobs" / "output.json").read_text())
    for job in document["jobs"]:
        job["jobname"] = "\x1b]0;owned\x07\x1b[2J"
    told = run(import_, "-", given=json.dumps(document)).stdout
    assert "\x1b" not in told
    assert "\x07" not in told


def test_a_folder_of_results_is_copied_read_and_kept_once(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bench"
    (folder / "deep").mkdir(parents=True)
    for number in range(2):
        (folder / "deep" / f"job{number}.json").write_bytes((CAPTURES / "several_jobs" / "output.json").read_bytes())
    (folder / "link.json").symlink_to("/etc/hostname")
    told = run(import_, str(folder)).stdout
    (entry,) = listed()
    kept = home / "studies" / entry["id"] / "files"
    assert f"Kept as {entry['id']}." in told
    assert sorted(path.name for path in kept.rglob("*.json")) == ["job0.json", "job1.json"]
    assert len(json.loads(run(import_, "--json", str(folder)).stdout)) == entry["results"]
    assert "Already kept" in run(import_, str(folder)).stdout
    (folder / "deep" / "job1.json").unlink()
    run(import_, str(folder))
    assert len(listed()) == 2


def test_list_shows_every_import_and_filters_by_kind() -> None:
    run(import_, str(TEXT))
    run(import_, str(OTHER))
    told = run(list_).stdout
    assert all(entry["id"] in told for entry in listed())
    assert json.loads(run(list_, "--json", "--kind", "study").stdout)["entries"] == []


def test_an_empty_list_says_how_to_begin() -> None:
    assert "radoscope study" in run(list_).stdout


def test_rm_asks_and_a_no_removes_nothing() -> None:
    run(import_, str(TEXT))
    assert run(rm, listed()[0]["id"], given="n\n").exit_code == 1
    assert len(listed()) == 1


def test_rm_removes_what_it_was_told_and_nothing_else(home: Path) -> None:
    run(import_, str(TEXT))
    first = listed()[0]["id"]
    run(import_, str(OTHER))
    run(rm, first, "--yes")
    assert [entry["id"] for entry in listed()] != [first]
    assert len(listed()) == 1
    assert not (home / "studies" / first).exists()


def test_rm_of_two_of_which_one_is_unknown_removes_none() -> None:
    run(import_, str(TEXT))
    with pytest.raises(StoreError, match="no study"):
        run(rm, listed()[0]["id"], "nonsense", "--yes")
    assert len(listed()) == 1


@pytest.mark.parametrize("suffix", ["", "-b"])
def test_rm_leaves_a_study_alone_that_is_running(home: Path, suffix: str) -> None:
    run(import_, str(TEXT))
    name = listed()[0]["id"]
    (home / "studies" / name).rename(home / "studies" / f"{name}{suffix}")
    journal = Journal.begin(name)
    with pytest.raises(StoreError, match="is running"):
        run(rm, f"{name}{suffix}", "--yes")
    assert (home / "studies" / f"{name}{suffix}").is_dir()
    journal.end()
    run(rm, f"{name}{suffix}", "--yes")
    assert listed() == []


def test_json_and_csv_hold_the_same_rows() -> None:
    run(import_, str(TEXT))
    name = listed()[0]["id"]
    told = json.loads(run(export, name).stdout)
    assert (told["schema"], told["kind"]) == ("radoscope/2", "results")
    objects = told["results"]
    rows = list(csv.DictReader(io.StringIO(run(export, name, "-f", "csv").stdout)))
    assert len(objects) == len(rows) == listed()[0]["results"] > 0
    assert [float(row["iops"]) for row in rows] == [one["iops"] for one in objects]
    assert objects[0]["tool"] == "fio"


def test_parquet_keeps_types_and_the_suffix_chooses_the_format(home: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the export extra is not installed")
    run(import_, str(TEXT))
    run(export, "--all", "-o", str(home / "all.parquet"))
    table = parquet.read_table(home / "all.parquet")
    assert table.num_rows == listed()[0]["results"]
    assert str(table.schema.field("iops").type) == "double"
    assert str(table.schema.field("queue_depth").type) == "int64"


def test_parquet_without_pyarrow_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    run(import_, str(TEXT))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ToolFailed) as caught:
        run(export, "--all", "-f", "parquet")
    assert "radoscope[export]" in caught.value.hint


def test_export_wants_names_or_all() -> None:
    with pytest.raises(PlanError):
        run(export)
    with pytest.raises(StoreError, match="no result"):
        run(export, "--all")


def test_a_formula_in_a_file_name_stays_text_in_a_spreadsheet(tmp_path: Path) -> None:
    named = tmp_path / "=HYPERLINK(1).txt"
    named.write_bytes(TEXT.read_bytes())
    run(import_, str(named))
    rows = list(csv.DictReader(io.StringIO(run(export, "--all", "-f", "csv").stdout)))
    assert rows[0]["target"].startswith("'=")
