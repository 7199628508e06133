"""A finding: a claim, its evidence, its limits, and a next step; and what was asked of a cell."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from radoscope.words import _, ngettext


class Severity(StrEnum):
    """What a finding does to the numbers it is about."""

    INVALID = "invalid"
    DOUBTFUL = "doubtful"
    NOTE = "note"


class Role(StrEnum):
    """What a finding is to the question "why is it slow?".

    CAUSE: something that costs speed and can be changed. ARTEFACT: the number is not of what it seems to be of.
    SOUND: nothing is wrong. LIMIT: what healthy hardware of this kind runs into. SYMPTOM: shows that something is slow,
    and not why. REMARK: all else.
    """

    CAUSE = "cause"
    ARTEFACT = "artefact"
    SOUND = "sound"
    LIMIT = "limit"
    SYMPTOM = "symptom"
    REMARK = "remark"


@dataclass(frozen=True, slots=True)
class Share:
    """How much of a cell's latency, or of the rate that it misses, something explains: 0 to 1, with its interval."""

    value: float
    low: float
    high: float

    def within(self, most: float) -> Share:
        """The same share, where no more than that is left for it."""
        return Share(min(self.value, most), min(self.low, most), min(self.high, most))

    def part(self, factor: float) -> Share:
        """So much of it."""
        return Share(self.value * factor, self.low * factor, self.high * factor)

    def or_more(self) -> Share:
        """The same, where what waits elsewhere may wait because of it as well."""
        return Share(self.value, self.low, 1.0)

    def __str__(self) -> str:
        """ "62 % (55 to 70)"."""
        if self.high - self.low < 0.01:
            return f"{self.value:.0%}"
        return _("{share:.0%} ({low:.0f} to {high:.0f})", share=self.value, low=self.low * 100, high=self.high * 100)


WORTH_NAMING = 0.15
"""A cause that explains less is told, but is no answer to "why is it slow?"; segments alone differ by as much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that the evidence shows.

    rule: the rule's name, the anchor of its docs. cells: the names of the cells it is about, empty for the whole
    study. Who asks fills in the rule, and the cell or result that was asked about where the finding names none.
    because: cited facts ("clients' CPU 97 % busy, OSDs 31 %"). unless: when the claim would not hold.
    try_next: a step, as a command where there is one. resource: what it is about ("osd.3", "network of client1").
    explains: of the cell in which it weighs most; None where it cannot be told. everywhere: the sum of what it explains
    of each of its cells; None where that cannot be told. at_most: what it explains is a bound, so that what others are
    seen to take in the same cell is not its. hides: rules whose findings about the same cells follow from this one.
    """

    rule: str = ""
    claim: str
    because: tuple[str, ...]
    severity: Severity = Severity.NOTE
    cells: tuple[str, ...] = ()
    unless: str = ""
    try_next: str = ""
    role: Role = Role.REMARK
    resource: str = ""
    explains: Share | None = None
    everywhere: float | None = None
    at_most: bool = False
    hides: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """One word for people: what it is to the question "why?", where it is anything to it; else its severity."""
        told = self.severity is not Severity.INVALID and self.role in (Role.CAUSE, Role.SOUND, Role.LIMIT, Role.SYMPTOM)
        return self.role.value if told and not self.is_small else self.severity.value

    @property
    def is_small(self) -> bool:
        """A cause that is no answer: it explains too little."""
        return self.role is Role.CAUSE and self.explains is not None and self.explains.value < WORTH_NAMING


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """What was asked about a cell: rules that found nothing, what others found, and rule -> the missing fact.

    What the cell's number is worth then, one word for all, is the stamp of `report.material`.
    """

    cell: str
    passed: tuple[str, ...] = ()
    fired: tuple[Finding, ...] = ()
    unchecked: tuple[tuple[str, str], ...] = ()

    @property
    def sentence(self) -> str:
        """ "14 checks passed, 1 not (client-cpu), 2 not possible"."""
        parts = [ngettext("{number} check passed", "{number} checks passed", len(self.passed))]
        objections = [finding.rule for finding in self.fired if finding.severity is not Severity.NOTE]
        notes = len(self.fired) - len(objections)
        if objections:
            parts.append(_("{n} not ({objections})", n=len(objections), objections=", ".join(objections)))
        if notes:
            parts.append(ngettext("{number} remark", "{number} remarks", notes))
        if self.unchecked:
            parts.append(_("{n} not possible", n=len(self.unchecked)))
        return _(", ").join(parts)
