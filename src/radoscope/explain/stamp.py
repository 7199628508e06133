"""The validity stamp of a cell: which rules were asked, what they found, and which could not be asked."""

from __future__ import annotations

from dataclasses import dataclass

from radoscope.explain.finding import Finding, Severity

_WORDS = {None: "valid", Severity.NOTE: "valid", Severity.DOUBTFUL: "doubtful", Severity.INVALID: "invalid"}
_ORDER = (Severity.INVALID, Severity.DOUBTFUL, Severity.NOTE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """What a cell's number is worth. decided: it is as precise as was asked.

    passed: names of the rules that found nothing. fired: what the others found. unchecked: rule -> the missing fact.
    """

    cell: str
    passed: tuple[str, ...] = ()
    fired: tuple[Finding, ...] = ()
    unchecked: tuple[tuple[str, str], ...] = ()
    decided: bool = True

    @property
    def worst(self) -> Severity | None:
        found = {finding.severity for finding in self.fired}
        return next((severity for severity in _ORDER if severity in found), None)

    @property
    def word(self) -> str:
        """ "valid", "undecided", "doubtful" or "invalid"; notes leave a number valid."""
        word = _WORDS[self.worst]
        return "undecided" if word == "valid" and not self.decided else word

    @property
    def sentence(self) -> str:
        """ "doubtful: 14 checks passed, 1 not (client-cpu), 2 not possible"."""
        parts = [f"{len(self.passed)} checks passed"]
        objections = [finding.rule for finding in self.fired if finding.severity is not Severity.NOTE]
        notes = len(self.fired) - len(objections)
        if objections:
            parts.append(f"{len(objections)} not ({', '.join(objections)})")
        if notes:
            parts.append("1 remark" if notes == 1 else f"{notes} remarks")
        if self.unchecked:
            parts.append(f"{len(self.unchecked)} not possible")
        return f"{self.word}: {', '.join(parts)}"
