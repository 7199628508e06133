"""One answer: findings in the order in which they explain what was measured. The only place that orders them.

First what makes a number another one than it seems. Then causes, by the share of the latency or of the missing rate
that they explain. Where there is none: that nothing is wrong. Then limits, doubts, symptoms and remarks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from radoscope.explain.finding import WORTH_NAMING, Finding, Role, Severity
from radoscope.words import _

_UNKNOWN = 0.3
"""The weight of a cause whose share cannot be told, and the most of one whose share may be 0 by its interval: behind
what surely explains a third, before what is small."""
_OF_A_BOUND = 0.5
"""What is only known to be at most so much counts as the middle between that and nothing beside what was seen."""
_GRAVITY = {Severity.INVALID: 0, Severity.DOUBTFUL: 1, Severity.NOTE: 2}
_ORDER = {Role.LIMIT: 4, Role.REMARK: 5, Role.SYMPTOM: 6}


def ranked(findings: Iterable[Finding], places: Mapping[str, int], cells: int = 0) -> tuple[Finding, ...]:
    """The first is the answer. places: rule -> its place among the rules, which decides where all else is equal.

    cells: on how many cells causes could have been found; what slows all of them weighs twice what slows one of many.
    """
    told = _without_followers(tuple(findings))
    if any(is_cause(finding) for finding in told):
        told = tuple(finding for finding in told if finding.role is not Role.SOUND)
    told = tuple(finding for finding in told if not _told_already(finding, told))
    return tuple(sorted(told, key=lambda finding: (*_place(finding, cells), places.get(finding.rule, len(places)))))


def bounded(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Findings about single cells, before they are merged: of each cell, bounds get what is left beside what was seen.

    Other processes may take at most so much; what the load was seen to wait for a drive or a line is not theirs.
    A bound that leaves too little to be a cause makes no number doubtful.
    """
    return tuple(_bounded(finding, findings) if finding.at_most else finding for finding in findings)


def _bounded(finding: Finding, findings: Sequence[Finding]) -> Finding:
    seen = [
        other.explains.value
        for other in findings
        if other.role is Role.CAUSE and not other.at_most and other.explains is not None
        if other.rule not in finding.hides and not set(other.cells).isdisjoint(finding.cells)
    ]
    if finding.explains is None:
        return finding
    left = finding.explains.within(1 - max(seen, default=0.0))
    if left.value >= WORTH_NAMING:
        return replace(finding, explains=left)
    because = (*finding.because, _("that is at most {left} of an I/O's time", left=left))
    return replace(finding, role=Role.REMARK, severity=Severity.NOTE, explains=None, because=because)


def is_cause(finding: Finding) -> bool:
    """Whether it answers "why is it slow?" by itself."""
    return finding.role is Role.CAUSE and not finding.is_small


def weight(finding: Finding) -> float:
    share = finding.explains
    if share is None:
        return _UNKNOWN
    return share.value if share.low > 0 else min(share.value, _UNKNOWN)


def _over_all(finding: Finding, cells: int) -> float:
    """Its weight over all cells on average; it has none in those that it is not about."""
    if not finding.cells or not cells:
        return weight(finding)
    in_all = weight(finding) * len(finding.cells) if finding.everywhere is None else finding.everywhere
    return min(weight(finding), in_all / cells)


def _place(finding: Finding, cells: int) -> tuple[float, ...]:
    gravity = _GRAVITY[finding.severity]
    if finding.severity is Severity.INVALID and finding.role is not Role.SYMPTOM:
        return (0, gravity)
    if finding.role is Role.ARTEFACT and finding.severity is Severity.DOUBTFUL:
        return (2, gravity)
    if is_cause(finding):
        surely = _OF_A_BOUND if finding.at_most else 1.0
        return (1, -surely * (weight(finding) + _over_all(finding, cells)))
    if finding.role is Role.SOUND:
        return (3,)
    role = Role.LIMIT if finding.role is Role.CAUSE else finding.role
    return (_ORDER.get(role, 5), gravity)


def _without_followers(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """What follows from another cause, on some of the same cells or about the same things, is its symptom and no cause
    beside it; so is what one rule says of a part of the things that it accuses."""
    causes = [finding for finding in findings if is_cause(finding)]
    return tuple(
        replace(finding, role=Role.SYMPTOM) if any(_follows(finding, cause) for cause in causes) else finding
        for finding in findings
    )


def _told_already(finding: Finding, told: Sequence[Finding]) -> bool:
    """A limit beside a cause, the answer that nothing is wrong, or a limit of more cells, about the same resource."""
    if finding.role is not Role.LIMIT or not finding.resource:
        return False
    same = [other for other in told if other is not finding and other.resource == finding.resource]
    limits = [other for other in told if other.role is Role.LIMIT and other.resource == finding.resource]
    first = max(limits, key=lambda other: len(other.cells))
    return first is not finding or any(other.role in (Role.CAUSE, Role.SOUND) for other in same)


def _osds(things: set[str]) -> bool:
    return bool(things) and all(thing.startswith("osd.") for thing in things)


def _follows(finding: Finding, cause: Finding) -> bool:
    if finding is cause or finding.role not in (Role.CAUSE, Role.LIMIT):
        return False
    named, others = (set(one.resource.split(", ")) - {""} for one in (finding, cause))
    if finding.rule == cause.rule:
        return bool(named) and named < others
    if finding.rule not in cause.hides:
        return False
    if named and named <= others:
        return True
    if not cause.cells and _osds(named) and _osds(others):
        return False  # what is known of these OSDs in all cells says nothing of another one
    return not cause.cells or not finding.cells or not set(cause.cells).isdisjoint(finding.cells)
