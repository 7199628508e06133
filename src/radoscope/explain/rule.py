"""A rule: a question about a cell, a study, its surroundings or an imported result, and its three answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace

from radoscope.explain.evidence import CellEvidence, ResultEvidence, StudyEvidence
from radoscope.explain.finding import Finding
from radoscope.records.conditions import Conditions, Layer
from radoscope.records.environment import Environment


@dataclass(frozen=True, slots=True)
class Unchecked:
    """The question could not be asked: which fact is missing."""

    because: str


Verdict = Finding | Unchecked | None
"""A finding, or why the question could not be asked, or None: asked, and nothing found."""


def every_cell(conditions: Conditions) -> bool:
    return True


def ceph_cell(conditions: Conditions) -> bool:
    """Cells whose I/O goes through Ceph to its OSDs."""
    return conditions.layer.on_pool


def pool_cell(conditions: Conditions) -> bool:
    """Those in the pool whose settings are on record; a file system and a gateway have pools of their own."""
    return conditions.layer.on_own_pool


def reads_ceph(conditions: Conditions) -> bool:
    return ceph_cell(conditions) and conditions.op.reads


def writes_ceph(conditions: Conditions) -> bool:
    return ceph_cell(conditions) and conditions.op.writes


def storage_cell(conditions: Conditions) -> bool:
    """Cells that read or write something that stays."""
    return conditions.layer is not Layer.NETWORK


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its name (the anchor of its docs), its question, and how each kind of evidence answers it.

    pitfalls: the rows of the field's list of mistakes that it detects. concerns: to which cells the question applies;
    it is asked of a cell (`cell`) or of the surroundings that the cell shares with others (`environment`).
    """

    name: str
    question: str
    _: KW_ONLY
    pitfalls: tuple[int, ...] = ()
    concerns: Callable[[Conditions], bool] = every_cell
    cell: Callable[[CellEvidence], Verdict] | None = None
    study: Callable[[StudyEvidence], Verdict] | None = None
    environment: Callable[[Environment], Verdict] | None = None
    result: Callable[[ResultEvidence], Verdict] | None = None

    def __post_init__(self) -> None:
        if not (self.cell or self.study or self.environment or self.result):
            raise ValueError(f"rule {self.name} asks nothing")

    def signed(self, verdict: Verdict, *cells: str) -> Verdict:
        """A finding as this rule's, about the cell or result that was asked about where it names none itself."""
        return (
            replace(verdict, rule=self.name, cells=verdict.cells or cells) if isinstance(verdict, Finding) else verdict
        )
