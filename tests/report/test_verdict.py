"""The verdict in three sentences, and the table for the terminal."""

from __future__ import annotations

from dataclasses import replace

from radoscope.explain.finding import Finding, Role, Severity, Share
from radoscope.records.conditions import Layer
from radoscope.records.study import Outcome
from radoscope.report.material import Mark, Material
from radoscope.report.sections.table import COLUMNS, build_rows, row_texts
from radoscope.report.sections.verdict import headline_figures, what_it_does, write_verdict
from radoscope.stats.values import Summaries

from .conftest import CheckGolden
from .example_study import make_material, make_study, make_summaries


def only(*layers: str) -> Material:
    summaries = make_summaries()
    cells = tuple(s for s in summaries.cells if s.cell.conditions.layer.value in layers)
    return Material(make_study(), replace(summaries, cells=cells))


def test_the_terminal_shows_the_golden_table(golden: CheckGolden) -> None:
    rows = build_rows(make_material())
    sentences = write_verdict(make_material())
    lines = [*sentences, "", " | ".join(COLUMNS), *(" | ".join(row_texts(row)) for row in rows)]
    golden("verdict.txt", "\n".join(lines) + "\n")


def test_every_row_has_a_text_for_every_column() -> None:
    for row in build_rows(make_material()):
        assert len(row_texts(row)) == len(COLUMNS)


def test_the_first_sentence_speaks_of_the_highest_layer_that_was_measured() -> None:
    assert what_it_does(only("disk", "rados", "rbd")).startswith("Through RBD this cluster answers one 4K write")
    assert what_it_does(only("disk", "rados")).startswith("Through RADOS this cluster answers one 4K write")
    assert what_it_does(only("disk")).startswith("The disk (no cluster was measured)")
    assert what_it_does(only()) == "Nothing was measured that could be judged."


def test_a_study_without_the_loads_that_are_quoted_tells_of_its_fastest_cell() -> None:
    summaries = make_summaries()
    reads = tuple(s for s in summaries.cells if s.cell.conditions.layer is Layer.RBD and s.cell.conditions.clients > 1)
    words = what_it_does(Material(make_study(), replace(summaries, cells=reads)))
    assert words.startswith("RBD reached ")
    assert any(summary.cell.title in words for summary in reads)


def test_a_load_that_was_taken_away_for_others_is_withheld_and_so_is_a_heavier_one_that_was_not_begun() -> None:
    harm = "taken away: operations of other clients had been waiting for 400 ms (before the load: 9 ms an operation)"
    study, summaries = make_study(), make_summaries()
    light, heavy, other = (summary.cell.name for summary in summaries.cells[:3])
    segments = [one for one in study.segments if one.cell not in (light, heavy)]
    taken = replace(study.segments_of(light)[0], outcome=Outcome.WITHHELD, results=(), problem=harm)
    cells = tuple(replace(s, segments=0) if s.cell.name in (light, heavy) else s for s in summaries.cells)
    material = Material(replace(study, segments=(*segments, taken)), replace(summaries, cells=cells))
    marks = {summary.cell.name: material.stamp(summary) for summary in cells}
    assert (marks[light].mark, marks[light].reason) == (Mark.WITHHELD, harm)
    assert marks[heavy].mark is Mark.WITHHELD
    assert summaries.cells[0].cell.title in marks[heavy].reason
    assert marks[other].mark is Mark.OK
    assert "2 withheld" in write_verdict(material)[2]


def test_an_invalid_cell_gives_no_headline() -> None:
    finding = Finding(rule="r", claim="No.", because=(), severity=Severity.INVALID, cells=("rbd-4m-write",))
    labels = [label for label, _, _ in headline_figures(Material(make_study(), make_summaries(), (finding,)))]
    assert "RBD 4M read" in labels
    assert "RBD 4M write" not in labels


def test_the_third_sentence_counts_what_is_not_ok() -> None:
    sure = write_verdict(make_material())[2]
    assert sure.startswith(
        "22 of 26 cells reached ±5 % and passed all checks; 1 wide (up to ±9.2 %), 1 doubtful, 1 invalid and 1 failed"
    )


def test_a_sandbox_is_named_as_one() -> None:
    study = replace(make_study(), sandbox="demo")
    assert "sandbox on one machine" in write_verdict(Material(study, make_summaries()))[2]


def test_a_finding_without_cells_marks_all_of_them() -> None:
    finding = Finding(rule="r", claim="Recovery ran.", because=(), severity=Severity.DOUBTFUL)
    rows = build_rows(Material(make_study(), make_summaries(), (finding,)))
    assert {row.stamp.mark for row in rows} == {Mark.DOUBTFUL, Mark.FAILED}
    assert all(row.stamp.findings == (1,) for row in rows if row.stamp.mark is Mark.DOUBTFUL)


def test_the_worst_mark_wins_and_failed_names_the_problem() -> None:
    material = make_material()
    marks = {s.cell.name: material.stamp(s) for s in make_summaries().cells}
    assert marks["rbd-4k-qd1-seqread"].mark is Mark.INVALID
    assert marks["rbd-4k-qd128-randwrite"].reason == "±9.2 %, wider than ±5 %"
    assert marks["rados-4k-qd16-rand"].reason == "rados bench found no objects to read: the pool was empty"


def test_nothing_at_all_still_makes_three_sentences() -> None:
    study = replace(make_study(), cells=(), segments=())
    assert all(write_verdict(Material(study, Summaries(cells=()))))


def test_the_verdict_says_the_answer_where_there_is_one() -> None:
    cause = Finding(
        rule="sick-osd",
        claim="osd.3 is slower than its peers.",
        because=("seen",),
        role=Role.CAUSE,
        explains=Share(0.62, 0.55, 0.7),
    )
    sentences = write_verdict(Material(make_study(), make_summaries(), (cause,)))
    assert sentences[1] == (
        "osd.3 is slower than its peers: it explains 62% (55 to 70) where it weighs most; "
        "without it about 2.6 times as much there (1.5 to 5.7)."
    )
    bound = write_verdict(Material(make_study(), make_summaries(), (replace(cause, at_most=True),)))
    assert "it explains at most 62% (55 to 70)" in bound[1]
    assert "up to 2.6 times as much." in bound[1]
    little = replace(cause, explains=Share(0.05, 0.04, 0.06))
    assert "osd.3" not in write_verdict(Material(make_study(), make_summaries(), (little,)))[1]


def test_a_doubt_about_a_few_cells_is_not_the_answer() -> None:
    material = Material(make_study(), make_summaries())
    names = [summary.cell.name for summary in material.summaries.cells]
    cached = Finding(claim="From memory.", because=(), role=Role.ARTEFACT, severity=Severity.DOUBTFUL)
    few, most = (replace(material, findings=(replace(cached, cells=tuple(cells)),)) for cells in (names[:2], names[2:]))
    assert write_verdict(few)[1] == write_verdict(material)[1]
    assert write_verdict(most)[1] == "From memory."
