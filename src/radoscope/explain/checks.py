"""What was asked about a cell: which rules found nothing, what the others found, and which could not be asked."""

from __future__ import annotations

from dataclasses import dataclass

from radoscope.explain.finding import Finding, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """passed: names of the rules that found nothing. fired: what others found. unchecked: rule -> the missing fact.

    What the cell's number is worth then, one word for all, is the stamp of `report.material`.
    """

    cell: str
    passed: tuple[str, ...] = ()
    fired: tuple[Finding, ...] = ()
    unchecked: tuple[tuple[str, str], ...] = ()

    @property
    def sentence(self) -> str:
        """ "14checks passed, 1 not (client-cpu), 2 not possible"."""
        parts = [f"{len(self.passed)}checks passed"]
        objections = [finding.rule for finding in self.fired if finding.severity is not Severity.NOTE]
        notes = len(self.fired) - len(objections)
        if objections:
            parts.append(f"{len(objections)} not ({', '.join(objections)})")
        if notes:
            parts.append("1 remark" if notes == 1 else f"{notes} remarks")
        if self.unchecked:
            parts.append(f"{len(self.unchecked)} not possible")
        return ", ".join(parts)
