"""Histogram logs of fio in a folder: percentiles of all jobs together, over the whole run and over time."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from radoscope.archives.folders import read_folder
from radoscope.archives.hist_logs import OVER_TIME, runs_of
from radoscope.archives.imported import study_of
from radoscope.errors import UnreadableFile
from radoscope.formats.fio import hist_log as fio_hist_log
from radoscope.records.fields import latency_field
from radoscope.stats.summarise import summarise
from radoscope.stats.values import Estimate, LatencySummary

CAPTURES = Path(__file__).parents[1] / "captures" / "fio" / "3.33"
LOGS = ("out_clat_hist.1.log", "out_clat_hist.2.log")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in LOGS:
        shutil.copy(CAPTURES / "hist_log" / name, tmp_path)
    return tmp_path


def counts(direction: int) -> dict[int, int]:
    """Bin -> I/Os of one direction, of both jobs, counted line by line."""
    total: dict[int, int] = {}
    for name in LOGS:
        for line in (CAPTURES / "hist_log" / name).read_text().splitlines():
            words = [int(word) for word in line.split(",")]
            if words[1] == direction:
                for bin_, count in enumerate(words[3:]):
                    total[bin_] = total.get(bin_, 0) + count
    return {bin_: count for bin_, count in total.items() if count}


def test_a_folder_of_nothing_but_logs_gives_one_result_a_direction_with_all_jobs_together(folder: Path) -> None:
    read, write = read_folder(folder).results
    for result, direction in ((read, 0), (write, 1)):
        assert (result.tool, result.jobs, result.iops, result.queue_depth) == ("fio", 2, None, None)
        assert result.latency is not None and result.latency.histogram is not None
        assert sorted(result.latency.histogram.counts) == sorted(counts(direction).values())
        assert result.latency.samples == sum(counts(direction).values())
    assert (read.op, write.op) == ("read", "write")


def test_its_percentiles_are_those_of_all_ios_sorted(folder: Path) -> None:
    read = read_folder(folder).results[0]
    assert read.latency is not None
    ends_ns = fio_hist_log.bin_values_ns(1856 >> 2)
    every = np.sort(np.repeat([ends_ns[bin_] for bin_ in counts(0)], list(counts(0).values())))
    for percent in (50.0, 99.0, 99.9):
        expected = every[int(np.ceil(len(every) * percent / 100)) - 1] * 1e-9
        assert read.latency.percentiles_s[percent] == pytest.approx(expected, rel=0.04)  # half a bin of a coarse log


def test_percentiles_are_followed_over_time(folder: Path) -> None:
    for result in read_folder(folder).results:
        assert [one.name for one in result.series] == [latency_field(percent) for percent in OVER_TIME]
        assert result.series[0].times_s == (1.0, 2.0, 3.0)
        lows, tails = (np.array(one.values) for one in (result.series[0], result.series[2]))
        assert np.all(lows < tails)


def test_as_a_study_it_has_the_percentiles_that_the_logs_have(folder: Path) -> None:
    results = read_folder(folder).results
    summary = summarise(study_of(results, id="x", source="x", created_at_s=0.0)).cells[0]
    assert isinstance(summary.latency, LatencySummary) and results[0].latency is not None
    p99 = summary.latency.percentiles_s[99.0]
    assert isinstance(p99, Estimate)
    assert p99.value == pytest.approx(results[0].latency.percentiles_s[99.0])


def test_beside_an_output_of_the_run_the_logs_are_its_percentiles_over_time(folder: Path) -> None:
    shutil.copy(CAPTURES / "randrw_grouped" / "output.json", folder / "out.json")
    found = read_folder(folder)
    assert {result.source.file for result in found.results if result.source} == {"out.json"}
    series = {one.name for result in found.results for one in result.series}
    assert latency_field(99.0) in series


def test_logs_of_one_run_differ_in_the_number_of_the_job_alone() -> None:
    names = ["a_clat_hist.1.log", "a_clat_hist.2.log", "b_clat_hist.log", "a_iops.1.log", "a.json"]
    assert runs_of(names) == {"a": ["a_clat_hist.1.log", "a_clat_hist.2.log"], "b": ["b_clat_hist.log"]}


def test_a_damaged_log_is_named_and_no_result(tmp_path: Path) -> None:
    (tmp_path / "x_clat_hist.1.log").write_text("prose\n")
    with pytest.raises(UnreadableFile, match="no result"):
        read_folder(tmp_path)
