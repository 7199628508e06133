"""One answer: which finding stands first, and what becomes of the others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from radoscope.explain.finding import Finding, Role, Severity, Share
from radoscope.explain.ranking import bounded, ranked


def found(rule: str, role: Role = Role.CAUSE, share: float | None = None, **fields: Any) -> Finding:
    explains = None if share is None else Share(share, share, share)
    return Finding(rule=rule, claim=rule, because=("seen",), role=role, explains=explains, **fields)


def order(*findings: Finding, cells: int = 0) -> list[str]:
    return [finding.rule for finding in ranked(findings, {}, cells)]


SOUND = found("sound", Role.SOUND)


def test_the_cause_that_explains_most_is_the_answer() -> None:
    assert order(SOUND, found("small", share=0.2), found("large", share=0.7)) == ["large", "small"]


def test_a_cause_of_unknown_share_stands_behind_a_large_one_and_before_a_small_one() -> None:
    assert order(found("small", share=0.2), found("unknown"), found("large", share=0.7)) == [
        "large",
        "unknown",
        "small",
    ]


def test_a_cause_that_may_explain_nothing_weighs_no_more_than_one_of_unknown_share() -> None:
    """Seen in one of two segments alone."""
    vague = found("vague", cells=("a",))
    vague = replace(vague, explains=Share(0.5, 0.0, 1.0))
    assert order(vague, found("unknown", cells=("a", "b")), cells=6) == ["unknown", "vague"]
    assert order(vague, found("sure", share=0.4, cells=("a",)), cells=6) == ["sure", "vague"]


def test_without_a_cause_worth_naming_nothing_is_wrong() -> None:
    assert order(found("tiny", share=0.05), SOUND, found("limit", Role.LIMIT)) == ["sound", "tiny", "limit"]


def test_a_cause_of_little_is_told_as_a_note() -> None:
    assert found("tiny", share=0.05).label == "note"
    assert found("tiny", share=0.05, severity=Severity.DOUBTFUL).label == "doubtful"
    assert [found("large", share=0.2).label, found("unknown").label] == ["cause", "cause"]


def test_what_limits_is_told_once_and_not_beside_a_cause_about_the_same() -> None:
    one = found("host-cpu", Role.LIMIT, resource="host CPU", cells=("a",))
    two = found("osd-cpu", Role.LIMIT, resource="host CPU", cells=("a", "b"))
    other = found("client", Role.LIMIT, resource="client CPU")
    assert order(one, two, other) == ["osd-cpu", "client"]
    assert order(one, two, other, found("others", share=0.5, resource="host CPU")) == ["others", "client"]
    assert order(one, found("sound", Role.SOUND, resource="host CPU")) == ["sound"]
    assert order(one, found("sound", Role.SOUND)) == ["sound", "host-cpu"]


def test_a_number_that_is_another_one_than_it_seems_comes_before_everything() -> None:
    fake = found("fake", Role.ARTEFACT, severity=Severity.INVALID)
    assert order(found("large", share=0.9), fake) == ["fake", "large"]


def test_a_symptom_is_never_the_answer_however_grave() -> None:
    failed = found("failed", Role.SYMPTOM, severity=Severity.INVALID)
    assert order(failed, found("small", share=0.2)) == ["small", "failed"]
    assert order(failed, SOUND) == ["sound", "failed"]


def test_what_follows_from_a_cause_on_the_same_cells_becomes_its_symptom() -> None:
    cause = found("drive", share=0.4, hides=("flush",), cells=("a", "b"))
    flush = found("flush", share=0.9, cells=("b",))
    first, second = ranked((flush, cause), {})
    assert (first.rule, second.rule, second.role) == ("drive", "flush", Role.SYMPTOM)


def test_a_bound_gets_what_is_left_beside_what_was_seen_in_the_same_cell() -> None:
    drive = found("drive", share=0.9, cells=("a",))
    here, there = (found("others", share=0.6, cells=(cell,), at_most=True) for cell in ("a", "b"))
    _, beside, alone = bounded((drive, here, there))
    assert (beside.role, beside.explains) == (Role.REMARK, None)
    assert beside.because[-1] == "that is at most 10% of an I/O's time"
    assert alone == there


def test_a_bound_that_leaves_little_makes_no_number_doubtful() -> None:
    (alone,) = bounded((found("others", share=0.1, cells=("a",), at_most=True, severity=Severity.DOUBTFUL),))
    assert (alone.role, alone.severity) == (Role.REMARK, Severity.NOTE)


def test_what_was_seen_comes_before_a_bound_that_is_a_little_larger() -> None:
    others, drive = found("others", share=0.6, at_most=True), found("drive", share=0.5)
    assert order(others, drive) == ["drive", "others"]
    assert order(others, found("small", share=0.2)) == ["others", "small"]


def test_what_a_cause_takes_of_each_of_its_cells_counts_and_not_the_worst_alone() -> None:
    cells = ("a", "b", "c", "d")
    unlike = found("unlike", share=0.6, cells=cells, everywhere=0.9)
    alike = found("alike", share=0.5, cells=cells, everywhere=2.0)
    assert order(unlike, alike, cells=4) == ["alike", "unlike"]


def test_what_is_about_the_same_thing_follows_in_whatever_cells() -> None:
    cause = found("unasked", share=0.4, hides=("sick",), cells=("a",), resource="osd.1")
    same, other = (found("sick", share=0.9, cells=("b",), resource=osd) for osd in ("osd.1", "osd.2"))
    assert [one.role for one in ranked((cause, same), {})] == [Role.CAUSE, Role.SYMPTOM]
    assert [one.role for one in ranked((cause, other), {})] == [Role.CAUSE, Role.CAUSE]


def test_what_is_known_of_one_osd_in_all_cells_says_nothing_of_another() -> None:
    loud = found("loud", hides=("sick", "slow"), resource="osd.1")
    same, other = (found("sick", share=0.9, cells=("b",), resource=osd) for osd in ("osd.1", "osd.2"))
    assert [one.role for one in ranked((loud, same), {})] == [Role.CAUSE, Role.SYMPTOM]
    assert [one.role for one in ranked((loud, other), {})] == [Role.CAUSE, Role.CAUSE]
    assert [one.role for one in ranked((loud, found("slow", share=0.9)), {})] == [Role.CAUSE, Role.SYMPTOM]


def test_a_part_of_what_a_rule_accuses_is_not_accused_again() -> None:
    both = found("sick", share=0.6, cells=("a",), resource="osd.2, osd.3")
    one, third = (found("sick", share=0.5, cells=("b",), resource=osd) for osd in ("osd.2", "osd.4"))
    assert [each.role for each in ranked((both, one), {})] == [Role.CAUSE, Role.SYMPTOM]
    assert [each.role for each in ranked((both, third), {})] == [Role.CAUSE, Role.CAUSE]


def test_what_happens_in_other_cells_does_not_follow() -> None:
    cause = found("drive", share=0.4, hides=("flush",), cells=("a",))
    assert [one.role for one in ranked((found("flush", share=0.9, cells=("b",)), cause), {})] == [Role.CAUSE] * 2


def test_what_slows_all_cells_weighs_more_than_what_slows_one_a_little_more() -> None:
    everywhere = found("everywhere", share=0.5, cells=("a", "b", "c", "d"))
    once = found("once", share=0.7, cells=("a",))
    assert order(once, everywhere, cells=4) == ["everywhere", "once"]
    assert order(found("once", share=0.9, cells=("a",)), found("everywhere", share=0.5, cells=("a", "b")), cells=4) == [
        "once",
        "everywhere",
    ]
