"""A scenario's raw files: what is read from them, and what is said when they are missing or damaged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radoscope.errors import UnreadableFile
from radoscope.kinds.scenario.read import SCENARIO, count_written, read_back_of, read_scenario
from radoscope.kinds.scenario.record import Moment

LOG = "1795302423447, 289852, 1, 4096, 0\n1795302423448, 127177, 1, 4096, 0\n1795302423450, 147035, 1, 4096, 0\n"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    folder = tmp_path / "segments"
    folder.mkdir()
    (folder / "load_lat.1.log").write_text(LOG)
    write_job(folder / "load.json", {"error": 0, "write": {"total_ios": 3}}, "fio: terminating on signal 2\n\n")
    write_job(folder / "read-back.json", {"error": 0, "total_err": 0, "read": {"total_ios": 3}})
    event = {"moment": "deed", "words": "kill -9 of osd.2", "time_s": 1795302423.4485}
    kept = {"name": "x", "title": "X", "events": [event], "folder": "segments", "written": 3, "problem": ""}
    (tmp_path / SCENARIO).write_text(json.dumps(kept))
    return tmp_path


def write_job(path: Path, job: dict[str, object], before: str = "") -> None:
    path.write_text(before + json.dumps({"fio version": "fio-3.33", "jobs": [job]}, indent=1))


def test_a_scenario_comes_back_with_its_events_completions_and_proof(bundle: Path) -> None:
    found = read_scenario(bundle, ())
    assert found is not None
    assert found.events[0].moment is Moment.DEED
    assert found.latencies.times_s == (1795302423.447, 1795302423.448, 1795302423.45)
    assert found.latencies.values[0] == pytest.approx(0.000289852)
    assert found.read_back.proved


def test_a_bundle_without_a_scenario_has_none(tmp_path: Path) -> None:
    assert read_scenario(tmp_path, ()) is None


@pytest.mark.parametrize("text", ["", "[]", '{"name": 3}', '{"name": "x", "title": "y", "events": [{}]}'])
def test_a_damaged_file_is_no_scenario(bundle: Path, text: str) -> None:
    (bundle / SCENARIO).write_text(text)
    assert read_scenario(bundle, ()) is None


def test_writes_are_counted_where_fio_and_its_log_agree(bundle: Path) -> None:
    assert count_written(bundle / "segments") == 3


@pytest.mark.parametrize(
    ("job", "said"),
    [
        ({"error": 0, "write": {"total_ios": 4}}, "issued 4 writes and logged 3"),
        ({"error": 5, "write": {"total_ios": 3}}, "error 5"),
    ],
)
def test_writes_of_which_not_all_were_acknowledged_are_not_counted(
    bundle: Path, job: dict[str, object], said: str
) -> None:
    write_job(bundle / "segments" / "load.json", job)
    with pytest.raises(UnreadableFile, match=said):
        count_written(bundle / "segments")


def test_a_load_that_was_killed_left_nothing_to_count(bundle: Path) -> None:
    (bundle / "segments" / "load.json").write_text("")
    with pytest.raises(UnreadableFile, match="stopped before"):
        count_written(bundle / "segments")


@pytest.mark.parametrize("job", [{"error": 84, "total_err": 2}, {"error": 0, "total_err": 2}])
def test_blocks_that_came_back_otherwise_are_counted(bundle: Path, job: dict[str, object]) -> None:
    write_job(bundle / "segments" / "read-back.json", {**job, "read": {"total_ios": 3}})
    found = read_back_of(bundle / "segments", 3)
    assert found.errors == 2
    assert not found.proved


@pytest.mark.parametrize(
    ("job", "said"),
    [
        ({"error": 5, "total_err": 1, "read": {"total_ios": 1}}, "error 5"),
        ({"error": 0, "total_err": 0, "read": {"total_ios": 2}}, "2 of 3"),
    ],
)
def test_a_comparison_that_did_not_end_proves_nothing(bundle: Path, job: dict[str, object], said: str) -> None:
    write_job(bundle / "segments" / "read-back.json", job)
    found = read_back_of(bundle / "segments", 3)
    assert not found.proved
    assert said in found.problem


def test_without_a_comparison_nothing_is_proved(tmp_path: Path) -> None:
    found = read_back_of(tmp_path, 3)
    assert found.errors is None
    assert not found.proved
