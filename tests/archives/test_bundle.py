"""Our own bundles: raw files and manifest -> Study, also when parts are damaged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radoscope.archives.bundle import read_manifest, read_study
from radoscope.errors import StoreError
from radoscope.plan import cells_of, load
from radoscope.records.manifest import ProcessEntry, SegmentEntry
from radoscope.records.study import Outcome
from radoscope.run.bundle import Bundle, new_manifest
from tests.archives.example_outputs import RADOS


@pytest.fixture
def bundle(home: Path) -> Bundle:
    plan = load("seed-004")
    return Bundle.create(new_manifest("s1", plan.model_dump(mode="json"), "somewhere", 1000.0, cells_of(plan)))


def add(bundle: Bundle, output: str, *, reader: str = "rados_bench", argv: tuple[str, ...] = ("rados",)) -> None:
    cell = bundle.manifest.cells[0].name
    name = f"segments/{len(bundle.manifest.segments)}.out"
    (bundle.folder / "segments").mkdir(exist_ok=True)
    (bundle.folder / name).write_text(output)
    process = ProcessEntry(argv=argv, reader=reader, output=name, stdout=name, stderr=name, exit_code=0)
    entry = SegmentEntry(
        cell=cell, round=1, outcome=Outcome.DONE, started_at_s=1000.0, seconds=3.0, processes=(process,)
    )
    bundle.add_segment(entry)


def test_what_is_written_comes_back_the_same(bundle: Bundle) -> None:
    add(bundle, RADOS)
    assert read_manifest(bundle.folder) == bundle.manifest


def test_rados_bench_keeps_its_exact_rate_and_one_clock(bundle: Bundle) -> None:
    add(bundle, RADOS)
    [segment] = read_study(bundle.folder).segments
    [result] = segment.results
    assert result.iops == pytest.approx(404 / 2.00413)
    series = next(one for one in result.series if one.name == "iops")
    assert series.absolute
    assert min(series.times_s) >= 1000.0


@pytest.mark.parametrize(
    ("total", "mean_s", "max_s", "rate"),
    [
        (84, 0.38, 0.5, 42.0),
        (34, 4.2, 4.6, 16 / 4.2),  # a queue that was submitted at once, and two more
        (84, 0.38, 2.4, 42.0),  # but one was late: the queue was never full
    ],
)
def test_fios_rate_is_what_was_submitted_in_the_time_that_was_asked_for(
    bundle: Bundle, total: int, mean_s: float, max_s: float, rate: float
) -> None:
    """16 in flight, 2 s: fio's own figures were 39.4 (its IOPS) and 46.9 (its bytes)."""
    latency = {"min": 1, "max": max_s * 1e9, "mean": mean_s * 1e9, "stddev": 0.1, "N": 100}
    write = {
        "io_bytes": 100 << 22, "total_ios": total, "iops": 39.399625, "bw_bytes": 46.9 * (1 << 22), "bw": 192102,
        "runtime": 2132, "lat_ns": latency, "clat_ns": latency,
    }  # fmt: skip
    options = {"rw": "write", "bs": "4194304", "iodepth": "16"}
    job = {"jobname": "x", "job options": options, "write": write, "job_runtime": 2132}
    add(
        bundle,
        json.dumps({"fio version": "fio-3.33", "jobs": [job]}),
        reader="fio_json",
        argv=("fio", "--runtime=2000ms"),
    )
    [result] = read_study(bundle.folder).segments[0].results
    assert result.iops == pytest.approx(rate, rel=0.01)
    assert result.bandwidth_bytes_per_s == pytest.approx(rate * (1 << 22), rel=0.01)


@pytest.mark.parametrize(("entries", "summed_ms", "in_flight"), [(1, 20000, 64), (4, 9000, 16)])
def test_all_jobs_of_an_entry_fill_the_queue_though_their_run_times_differ(
    bundle: Bundle, entries: int, summed_ms: int, in_flight: int
) -> None:
    """Four jobs of 16, as one sum whose run times tell of no four, or as four entries: fio 3.33 prints these."""
    latency = {"min": 1, "max": 4.6e9, "mean": 4.2e9, "stddev": 0.1, "N": 100}
    write = {"total_ios": 136, "iops": 30, "bw_bytes": 30 << 22, "bw": 1, "runtime": 9000, "lat_ns": latency}
    options = {"rw": "write", "bs": "4194304", "iodepth": "16", "numjobs": "4"}
    job = {"jobname": "x", "job options": options, "write": write, "job_runtime": summed_ms}
    text = json.dumps({"fio version": "fio-3.33", "jobs": [job] * entries})
    add(bundle, text, reader="fio_json", argv=("fio", "--runtime=2000ms", "--numjobs=4", "--group_reporting"))
    results = read_study(bundle.folder).segments[0].results
    assert [result.iops for result in results] == [pytest.approx(in_flight / 4.2, rel=0.01)] * entries


@pytest.mark.parametrize("damaged", ["", "\x00\xff", "{", "Total time run: nan"])
def test_a_damaged_raw_file_makes_a_failed_segment_not_a_lost_study(bundle: Bundle, damaged: str) -> None:
    add(bundle, RADOS)
    add(bundle, damaged)
    good, bad = read_study(bundle.folder).segments
    assert good.outcome is Outcome.DONE
    assert bad.outcome is Outcome.FAILED
    assert bad.problem


def test_a_raw_file_that_is_gone_is_named(bundle: Bundle) -> None:
    add(bundle, RADOS)
    (bundle.folder / "segments" / "0.out").unlink()
    [segment] = read_study(bundle.folder).segments
    assert segment.outcome is Outcome.FAILED
    assert "0.out" in segment.problem


def test_a_damaged_manifest_is_refused_with_a_hint(bundle: Bundle) -> None:
    (bundle.folder / "manifest.json").write_text('{"id": 3')
    with pytest.raises(StoreError, match="damaged"):
        read_study(bundle.folder)


def test_secrets_in_a_configuration_never_reach_a_bundle() -> None:
    from radoscope.run.probes.cluster import _without_secrets

    dump = [{"name": "rgw_keystone_admin_password", "value": "hunter2"}, {"name": "osd_memory_target", "value": "4"}]
    assert "hunter2" not in json.dumps(_without_secrets(dump))
    assert _without_secrets(dump)[1]["value"] == "4"
