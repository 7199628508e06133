"""The study as a whole: stamps, merged findings, and docs that name every rule."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import radoscope.explain as explain
from radoscope.explain.asking import merged
from radoscope.explain.finding import Finding, Role, Severity, Share
from radoscope.explain.rules import RULES
from radoscope.records.environment import Environment
from radoscope.report.material import Material

from .build import Told, cell, cluster, segment, summary

READ = cell("rbd", "randread")
WRITE = cell("rbd", "randwrite")
PING = cell("network", "rtt", tool="ping", block=None)
DOCS = Path(__file__).parents[2] / "docs" / "rules.md"


def two_cells_with_a_full_client() -> Told:
    return Told(
        cells=(READ, WRITE, PING),
        segments=(
            segment(READ, telemetry={"client_cpu": (0.99, 0.98)}),
            segment(WRITE, telemetry={"client_cpu": (0.91, 0.9)}),
            segment(PING),
        ),
    )


def marks(told: Told) -> list[str]:
    """The stamp of each cell, as reports show it."""
    study, summaries = told.study(), told.all_summaries()
    material = Material(study, summaries, explain.check(study, summaries))
    return [material.stamp(one).mark.value for one in summaries.cells]


def test_one_claim_about_two_cells_is_one_finding_with_the_facts_of_both() -> None:
    told = two_cells_with_a_full_client()
    findings = explain.check(told.study(), told.all_summaries())
    client = [finding for finding in findings if finding.rule == "client-cpu"]
    assert len(client) == 1
    assert client[0].cells == (READ.name, WRITE.name)
    assert client[0].because[0].startswith(f"{READ.title}: ")


def test_where_a_bound_leaves_little_is_a_line_of_the_cause_that_it_is_elsewhere() -> None:
    """And nothing of its own: the same sentence twice on a page, once as a cause and once as a remark, reads as two."""
    some = Finding(rule="others", claim="Others use it.", because=("seen",), at_most=True, cells=("a",))
    there = replace(some, role=Role.CAUSE, severity=Severity.DOUBTFUL, explains=Share(0.6, 0.5, 0.7))
    here, alone = replace(some, cells=("b",)), replace(some, rule="drive")
    told = merged((there, here, alone), {"a": "4K read", "b": "4K write"})
    assert [(one.rule, one.role, one.cells) for one in told] == [
        ("others", Role.CAUSE, ("a",)),
        ("drive", Role.REMARK, ("a",)),
    ]
    assert told[0].because == ("seen", "4K write: a small part of an I/O's time")


def test_a_fact_that_all_cells_share_is_cited_once() -> None:
    cells = tuple(cell("rados", "write", block=block, tool="rados-bench") for block in (4096, 65536))
    told = Told(cells=cells, segments=tuple(segment(one) for one in cells))
    first_writes = [f for f in explain.check(told.study(), told.all_summaries()) if f.rule == "first-writes"]
    assert [finding.because for finding in first_writes] == [("each operation creates an object with its metadata",)]


def test_a_stamp_counts_what_passed_what_did_not_and_what_could_not_be_asked() -> None:
    told = two_cells_with_a_full_client()
    asked = explain.check_cells(told.study(), told.all_summaries())[0]
    assert asked.cell == READ.name
    assert marks(told)[0] == "doubtful"
    assert "1 not (client-cpu)" in asked.sentence
    assert f"{len(asked.passed)} checks passed" in asked.sentence
    assert f"{len(asked.unchecked)} not possible" in asked.sentence
    assert ("host-cpu", "the hosts' CPU time was not recorded") in asked.unchecked


def test_rules_about_ceph_are_not_asked_of_a_ping() -> None:
    told = two_cells_with_a_full_client()
    asked = explain.check_cells(told.study(), told.all_summaries())[2]
    questions = {*asked.passed, *(rule for rule, _ in asked.unchecked)}
    assert "too-short" in questions
    assert questions.isdisjoint({"background-work", "health", "pg-count", "cached-reads"})


def test_what_is_wrong_with_the_cluster_stands_on_each_of_its_cells() -> None:
    told = replace(two_cells_with_a_full_client(), environment=cluster(health="HEALTH_ERR"))
    assert marks(told) == ["invalid", "invalid", "ok"]
    healths = [f for f in explain.check(told.study(), told.all_summaries()) if f.rule == "health"]
    assert len(healths) == 1
    assert healths[0].cells == (READ.name, WRITE.name)


def test_a_cell_that_is_not_precise_is_wide_however_valid() -> None:
    told = Told(summaries=(summary(WRITE, width=0.3, precise=False),), segments=(segment(WRITE),))
    assert marks(told) == ["wide"]


def test_a_study_of_which_nothing_is_known_is_judged_without_a_fault() -> None:
    told = Told(cells=(READ, WRITE, PING), environment=Environment())
    findings = explain.check(told.study(), told.all_summaries())
    assert {finding.severity for finding in findings} <= {"note", "doubtful"}


def test_names_of_rules_are_unique_anchors() -> None:
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", name) for name in names)
    assert all(rule.question.endswith("?") for rule in RULES)


def test_every_rule_has_its_heading_in_the_docs() -> None:
    headings = re.findall(r"^### (\S+)$", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert headings == [rule.name for rule in RULES]


def test_the_docs_ask_the_questions_that_the_rules_ask() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for rule in RULES:
        kinds = (
            ("cells", rule.cell),
            ("whole studies", rule.study),
            ("surroundings", rule.environment),
            ("imported results", rule.result),
        )
        asked = ", ".join(words for words, function in kinds if function)
        assert f"### {rule.name}\n\n{rule.question} Applies to: {asked}.\n" in text


def test_every_pitfall_that_can_be_seen_has_a_rule() -> None:
    seen = {row for rule in RULES for row in rule.pitfalls}
    assert seen == set(range(1, 28))
