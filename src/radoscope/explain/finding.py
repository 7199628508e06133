"""A finding: a claim, its evidence, its limits, and a next step."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """What a finding does to the numbers it is about."""

    INVALID = "invalid"
    DOUBTFUL = "doubtful"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that the evidence shows.

    rule: the rule's name, the anchor of its docs. cells: the names of the cells it is about, empty for the whole
    study. because: cited facts ("clients' CPU 97 % busy, OSDs 31 %"). unless: when the claim would not hold.
    try_next: a step, as a command where there is one.
    """

    rule: str
    claim: str
    because: tuple[str, ...]
    severity: Severity = Severity.NOTE
    cells: tuple[str, ...] = ()
    unless: str = ""
    try_next: str = ""
