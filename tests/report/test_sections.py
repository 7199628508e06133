"""What single sections say."""

from __future__ import annotations

import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from radoscope.archives.imported import read_bundle
from radoscope.explain.finding import Finding, Role, Share
from radoscope.records.study import Outcome
from radoscope.report.charts.curves import Curve
from radoscope.report.markdown import render_markdown
from radoscope.report.material import Material
from radoscope.report.sections import SECTIONS, findings, ladder, latency, series, table, times
from radoscope.report.sections.findings import about
from radoscope.report.sections.latency import _message
from radoscope.report.sections.table import build_rows, gather_notes, note_lines
from radoscope.report.words import with_layer
from radoscope.stats.summarise import summarise
from radoscope.stats.values import Estimate, Summaries, Undecided

from .example_study import make_findings, make_material, make_study, make_summaries

CAUSES = Path(__file__).parents[1] / "captures" / "causes"


def test_every_section_prepares_the_example_and_survives_nothing() -> None:
    empty = Material(replace(make_study(), cells=(), segments=()), Summaries(cells=()))
    for section in SECTIONS:
        assert section.prepare(make_material()) is not None or not section.nothing
        section.prepare(empty)


def test_the_picture_of_the_time_shows_each_part_of_an_io_as_its_share(tmp_path: Path) -> None:
    """In a cluster whose one slow drive was planted, the drive and the replicas that wait for it take the most."""
    with tarfile.open(CAUSES / "slow-osd.tar.xz") as packed:
        packed.extractall(tmp_path, filter="data")
    study = read_bundle(tmp_path / "slow-osd")
    material = Material(study, summarise(study))
    for row in times.rows(material):
        assert sum(part.seconds for part in row.water.parts) == pytest.approx(row.water.total_s)
    assert (values := times.prepare(material)) is not None
    assert "store and drive" in str(values["picture"])
    assert str(values["picture"]).count('class="value"') == len(times.rows(material))


def test_a_study_without_counters_has_no_picture_of_the_time() -> None:
    assert times.prepare(make_material()) is None


def test_a_study_where_every_cell_failed_still_has_its_rows() -> None:
    gone = Undecided("no segment gave a result")
    cells = tuple(
        replace(s, iops=gone, bandwidth_bytes_per_s=gone, latency=gone, sync=None, segments=0, failed=3, series=())
        for s in make_summaries().cells
    )
    material = Material(make_study(), Summaries(cells=cells))
    assert table.prepare(material) is not None
    assert ladder.prepare(material) is None
    assert latency.prepare(material) is None
    assert series.prepare(material) is None


def test_a_curve_with_few_ios_is_not_left_out_of_the_message() -> None:
    short = Curve("RBD write QD16", ((0.5, 400.0), (0.1, 500.0)))
    long = Curve("Disk read QD8", ((0.5, 9.0), (0.1, 14.0), (0.01, 27.0)))
    assert _message((short, long)) == "one in 10 takes longer than 500 ms (RBD write QD16)"


def test_skipped_segments_do_not_stretch_the_clock() -> None:
    study = make_study()
    late = replace(study.segments[-1], outcome=Outcome.SKIPPED, started_at_s=study.segments[-1].started_at_s + 9000)
    stretched = Material(replace(study, segments=(*study.segments, late)), make_summaries())
    assert series._clock_span(stretched) == series._clock_span(make_material())


def test_a_finding_names_few_cells_one_by_one_and_all_of_them_as_all() -> None:
    every = tuple(cell.name for cell in make_study().cells)
    (first, *_) = make_findings()
    assert about(make_material(), first) == "Network: Stream"
    assert about(make_material(), replace(first, cells=every)) == "all cells"
    assert about(make_material(), replace(first, cells=every[:8])).endswith("and 2 more")


def test_a_cell_has_one_stamp_on_the_whole_page() -> None:
    in_table = [row.stamp.mark.value for row in build_rows(make_material())]
    said = findings.prepare_checks(make_material())
    assert said is not None
    rows = said["rows"]
    assert isinstance(rows, list | tuple)
    words = [sentence.partition(":")[0] for _, sentence in rows]
    assert sorted(words) == sorted(in_table)


def test_findings_keep_the_order_in_which_they_were_ranked() -> None:
    prepared = findings.prepare(make_material())
    assert prepared is not None
    numbered = prepared["findings"]
    assert isinstance(numbered, tuple)
    assert [(number, finding) for number, finding, *_ in numbered] == list(enumerate(make_material().findings, start=1))


def test_a_cause_says_what_it_explains_and_a_remark_does_not() -> None:
    cause = Finding(claim="It is slow.", because=("seen",), role=Role.CAUSE, explains=Share(0.62, 0.55, 0.7))
    assert findings.weight(cause) == "62% (55 to 70) where it weighs most"
    assert findings.weight(replace(cause, at_most=True)) == "at most 62% (55 to 70) where it weighs most"
    assert findings.weight(replace(cause, role=Role.REMARK)) == ""
    material = Material(make_study(), make_summaries(), (cause,))
    assert "- Explains: 62% (55 to 70) where it weighs most" in render_markdown(material)


def test_a_title_that_names_its_layer_is_not_given_it_again() -> None:
    assert with_layer("RADOS", "rados bench write 4M") == "rados bench write 4M"
    assert with_layer("RADOS", "4M write") == "RADOS: 4M write"


def test_what_many_cells_share_is_said_once() -> None:
    cells = tuple(
        replace(s, precise=False, needs=f"about 3 more rounds, {number} s", remarks=("alike",))
        for number, s in enumerate(make_summaries().cells)
        if s.segments
    )
    rows = build_rows(Material(make_study(), Summaries(cells=cells)))
    shared = gather_notes(rows).shared
    assert shared == ("25 cells: alike",)
    assert next(line for line in note_lines(rows) if line.startswith("Network")).endswith(
        "wide: ±2.0 %, wider than ±5 %"
    )
    assert tuple(line for line in note_lines(rows)[1:] if not line.startswith("Network")) == (
        "Disk: 4K random write, fsync, QD1: the fsync after each write took 0.0551 ms (±1.2 %) more",
    )


def test_a_rate_with_a_wide_interval_needs_no_note_but_one_without_does() -> None:
    summaries = make_summaries()
    deep = summaries.of("rbd-4k-qd128-randwrite")
    assert deep is not None and isinstance(deep.iops, Estimate)
    bare = replace(deep, iops=replace(deep.iops, interval=Undecided("2 segments; at least 3 are needed", "1 more")))
    for cell, said in ((deep, ()), (bare, ("wide: no interval: 2 segments; at least 3 are needed",))):
        rows = build_rows(Material(make_study(), Summaries(cells=(cell,))))
        assert gather_notes(rows).own[deep.cell.name] == said


def test_what_one_cell_has_alone_stands_at_the_cell() -> None:
    rows = build_rows(make_material())
    assert gather_notes(rows).own["rados-4k-qd16-rand"] == (
        "failed: rados bench found no objects to read: the pool was empty",
    )
