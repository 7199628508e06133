"""Asks the rules: of each cell, of the study, of its surroundings, of imported results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from radoscope.explain.evidence import CellEvidence, ResultEvidence, StudyEvidence
from radoscope.explain.finding import Checks, Finding, Role, Severity
from radoscope.explain.neighbours import MeasuredDrive, Neighbours, Published
from radoscope.explain.ranking import bounded, ranked
from radoscope.explain.rule import Unchecked, Verdict, ceph_cell
from radoscope.explain.rules import RULES
from radoscope.explain.rules.standing import untold
from radoscope.records.environment import Environment
from radoscope.records.measurement import Result
from radoscope.records.study import Study
from radoscope.stats.values import Summaries
from radoscope.words import _, joined

MOST_JUDGED = 5000
_MOST_FACTS = 6
"""At most this many facts per finding, so that a study of forty cells does not fill a page with one claim."""
_MOST_NAMES = 3


def check(
    study: Study, summaries: Summaries, drives: Sequence[MeasuredDrive] = (), published: Sequence[Published] = ()
) -> tuple[Finding, ...]:
    """All that the rules find in a study, the answer first; one claim about several cells is one finding.

    drives: published ones, among which the study's own drive is placed. published: results, beside those of an import.
    """
    about_all = StudyEvidence(study, summaries, drives)
    asked = [rule.signed(rule.study(about_all)) for rule in RULES if rule.study is not None]
    found = [verdict for verdict in asked if isinstance(verdict, Finding)]
    found += [finding for one in check_cells(study, summaries) for finding in one.fired]
    if study.imported:
        told = _judged_cells(study, drives, published)
        rules = {one.rule for one in told}
        found = [*told, *(one for one in found if one.rule not in rules)]
    titles = {cell.name: cell.title for cell in study.cells}
    return _in_order(merged(bounded(found), titles), sum(ceph_cell(cell.conditions) for cell in study.cells))


def check_cells(study: Study, summaries: Summaries) -> tuple[Checks, ...]:
    """What was asked about each cell, in the study's order."""
    return tuple(_asked_about(CellEvidence(study, cell, summaries.of(cell.name), summaries)) for cell in study.cells)


def check_environment(environment: Environment) -> tuple[Finding, ...]:
    """The rules that need no measurement: settings, drives, hosts, health. The gravest first."""
    verdicts = (rule.signed(rule.environment(environment)) for rule in RULES if rule.environment is not None)
    return _in_order(verdict for verdict in verdicts if isinstance(verdict, Finding))


def judge(
    results: Sequence[Result], published: Sequence[Published] = (), drives: Sequence[MeasuredDrive] = ()
) -> tuple[Finding, ...]:
    """All that the rules find in imported results, gravest first; cells name results: "result 3 (lines 40-71)".

    Only the first MOST_JUDGED are looked at: a text with more is no report of a person, and must not hang anybody.
    """
    judged = _judged(results, published, drives)
    found = merged((finding for found in judged for finding in found), {})
    if results and not any(_answers(one) for one in found):
        found = (*found, untold(results))
    return _in_order(found)


def _answers(finding: Finding) -> bool:
    """Whether it says why, what is doubtful, or how it compares: no mere remark."""
    return finding.role is not Role.REMARK or finding.severity is not Severity.NOTE or finding.rule == "drive-standing"


def _judged(
    results: Sequence[Result], published: Sequence[Published], drives: Sequence[MeasuredDrive]
) -> list[list[Finding]]:
    """By result."""
    neighbours = Neighbours(results[:MOST_JUDGED], published)
    judged = []
    for number, result in enumerate(neighbours.results, start=1):
        evidence = ResultEvidence(result, number, neighbours, drives)
        verdicts = (rule.signed(rule.result(evidence), evidence.name) for rule in RULES if rule.result is not None)
        judged.append([verdict for verdict in verdicts if isinstance(verdict, Finding)])
    return judged


def _judged_cells(study: Study, drives: Sequence[MeasuredDrive], published: Sequence[Published]) -> list[Finding]:
    """What was said of an import's results when it was read, about its cells."""
    results = [
        (cell.name, one) for cell in study.cells for each in study.segments_of(cell.name) for one in each.results
    ]
    judged = _judged([result for _cell, result in results], published, drives)
    return [
        replace(one, cells=(cell,)) for (cell, _result), found in zip(results, judged, strict=False) for one in found
    ]


def _asked_about(evidence: CellEvidence) -> Checks:
    passed: list[str] = []
    fired: list[Finding] = []
    unchecked: list[tuple[str, str]] = []
    for rule in RULES:
        if not rule.concerns(evidence.conditions):
            continue
        verdicts: list[Verdict] = []
        if rule.cell is not None:
            verdicts.append(rule.signed(rule.cell(evidence), evidence.cell.name))
        if rule.environment is not None:
            # What is wrong with the surroundings is about the cells that they touch, and about no others.
            verdicts.append(rule.signed(rule.environment(evidence.environment), evidence.cell.name))
        for verdict in verdicts:
            if isinstance(verdict, Finding):
                fired.append(verdict)
            elif isinstance(verdict, Unchecked):
                unchecked.append((rule.name, verdict.because))
            else:
                passed.append(rule.name)
    return Checks(cell=evidence.cell.name, passed=tuple(passed), fired=tuple(fired), unchecked=tuple(unchecked))


def merged(findings: Iterable[Finding], titles: dict[str, str]) -> tuple[Finding, ...]:
    """Findings that say the same become one, about all of their cells, with the facts of each."""
    together: dict[tuple[str, str, str, Role], list[Finding]] = {}
    for finding in findings:
        together.setdefault((finding.rule, finding.claim, finding.severity, finding.role), []).append(finding)
    return _without_echoes([_one(alike, titles) for alike in together.values()], titles)


def _without_echoes(findings: Sequence[Finding], titles: dict[str, str]) -> tuple[Finding, ...]:
    """A bound that leaves too little in some cells is a line of the cause that it is in others."""
    bounds = [(one.rule, one.claim, one) for one in findings if one.at_most]
    causes = {(rule, claim): one for rule, claim, one in bounds if one.role is Role.CAUSE}
    echoes = {
        causes[rule, claim]: one for rule, claim, one in bounds if one.role is Role.REMARK and (rule, claim) in causes
    }

    def whole(finding: Finding) -> Finding:
        if finding not in echoes:
            return finding
        fact = _("{cells}: a small part of an I/O's time", cells=_names(echoes[finding].cells, titles))
        return replace(finding, because=(*finding.because, fact))

    return tuple(whole(finding) for finding in findings if finding not in echoes.values())


def _one(alike: list[Finding], titles: dict[str, str]) -> Finding:
    """The first of them, about all cells. Cells with the same facts share a line."""
    cells = tuple(dict.fromkeys(cell for finding in alike for cell in finding.cells))
    shares = [finding.explains.value * max(1, len(finding.cells)) for finding in alike if finding.explains is not None]
    first = replace(max(alike, key=_known_share), cells=cells, everywhere=sum(shares) if shares else None)
    sharing: dict[tuple[str, ...], list[str]] = {}
    for finding in sorted(alike, key=_known_share, reverse=True):
        sharing.setdefault(finding.because, []).extend(finding.cells)
    if len(sharing) == 1:
        return first
    facts = [f"{_names(about, titles)}: {joined(because)}" for because, about in sharing.items()]
    if len(facts) > _MOST_FACTS:
        facts = [*facts[: _MOST_FACTS - 1], _("and {n} more", n=len(facts) - _MOST_FACTS + 1)]
    return replace(first, because=tuple(facts))


def _known_share(finding: Finding) -> float:
    return finding.explains.value if finding.explains is not None else 0.0


def _names(cells: Sequence[str], titles: dict[str, str]) -> str:
    named = [titles.get(cell, cell) for cell in dict.fromkeys(cells)]
    more = _(" and {n} more", n=len(named) - _MOST_NAMES) if len(named) > _MOST_NAMES else ""
    return ", ".join(named[:_MOST_NAMES]) + more


def _in_order(findings: Iterable[Finding], cells: int = 0) -> tuple[Finding, ...]:
    return ranked(findings, {rule.name: place for place, rule in enumerate(RULES)}, cells)
