"""What every section gets: study, summaries, findings, stamps, the command; and what a section is."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from radoscope.explain.finding import Finding, Severity
from radoscope.records.conditions import Layer
from radoscope.records.manifest import OWN_SANDBOX
from radoscope.records.study import Outcome, Study
from radoscope.report.numbers import figure, significant
from radoscope.report.words import asked_words
from radoscope.stats.values import CellSummary, Summaries, Undecided
from radoscope.words import N_, _, joined, unended

if TYPE_CHECKING:
    from markupsafe import Markup


def study_words(study: Study) -> tuple[str, ...]:
    """`study ...` with the same plan and the same kind of target."""
    limits = dict.fromkeys(cell.limit.words for cell in study.cells if cell.limit is not None)
    limit = ("--limit", *limits) if len(limits) == 1 else ()
    return ("study", *target_words(study), *limit, "--plan", study.plan)


def target_words(study: Study) -> tuple[str, ...]:
    """The options that name the cluster.

    A cluster or a pool that radoscope made for this study alone is not named: the next run makes its own.
    """
    words: list[str] = []
    if study.sandbox is not None:
        words += [] if study.sandbox.startswith(OWN_SANDBOX) else ["--sandbox", study.sandbox]
    elif study.environment.cluster is not None:
        words += ["--at", study.at] if study.at else ["--conf", "/etc/ceph/ceph.conf"]
        pool = study.environment.cluster.pool
        if pool is not None and not pool.own:
            words += ["--pool", pool.name]
    return (*words, *(word for client in study.clients for word in ("--client", client)))


class Mark(StrEnum):
    """How far a cell's numbers may be believed; the value is the word for it, in English."""

    OK = N_("ok")
    WIDE = N_("wide")
    DOUBTFUL = N_("doubtful")
    INVALID = N_("invalid")
    FAILED = N_("failed")
    WITHHELD = N_("withheld")


NO_NUMBER = frozenset({Mark.INVALID, Mark.FAILED, Mark.WITHHELD})
"""The marks of cells that have no number which may be used."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """A mark with its reasons; an ok has none. findings: the numbers, in this report, of those that gave it."""

    mark: Mark
    reasons: tuple[str, ...] = ()
    findings: tuple[int, ...] = ()

    @property
    def reason(self) -> str:
        """For the middle of a sentence."""
        return joined(unended(reason) for reason in self.reasons)

    @property
    def text(self) -> str:
        """ "doubtful 2": the mark and the findings that gave it."""
        return " ".join((_(self.mark.value), ", ".join(map(str, self.findings)))).strip()


Values = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Section:
    """name: of its template and its anchor. prepare: None where there is no data.

    short: its title in the navigation, where it has a place there. lead: stands below the title. nothing: stands in
    place of the section where there is no data; without these words it is left out. Those that a kind of run brings
    have their template, section.html.j2, in its package. markdown: their blocks below the title in the Markdown report.
    """

    name: str
    prepare: Callable[[Material], Values | None]
    title: str
    package: str = ""
    short: str = ""
    lead: str = ""
    nothing: str = ""
    markdown: Callable[[Material], list[str]] = lambda material: []

    @property
    def template(self) -> str:
        return f"{self.package}/section.html.j2" if self.package else f"{self.name}.html.j2"


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart below a title that states its message; what limits it follows below."""

    title: str
    chart: Markup
    limits: tuple[str, ...] = ()


Sentences = tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """verdict: three sentences in place of those about cells. sections: stand after the verdict.

    headline: whether the figures that people quote say something of the cluster's speed. repeat: the words of the
    command that measures it again, after `radoscope`. to_json: what `--json` adds.
    """

    verdict: Callable[[Material], Sentences] | None = None
    sections: tuple[Section, ...] = ()
    headline: bool = True
    repeat: Callable[[Study], tuple[str, ...]] = study_words
    to_json: Callable[[Study], Mapping[str, Any]] = lambda study: {}


CELLS = Face()
"""A study of cells, and nothing beside."""


@dataclass(frozen=True, slots=True)
class Material:
    """The input of every section of a report. face: of the study's kind."""

    study: Study
    summaries: Summaries
    findings: tuple[Finding, ...] = ()
    face: Face = CELLS

    @property
    def command(self) -> str:
        """The command that measures the study again."""
        return shlex.join(("radoscope", *self.face.repeat(self.study)))

    @property
    def cells(self) -> list[CellSummary]:
        """From the device up, those of a layer in the order of the study."""
        layers = list(Layer)
        return sorted(self.summaries.cells, key=lambda summary: layers.index(summary.cell.conditions.layer))

    def stamp(self, summary: CellSummary) -> Stamp:
        """The worst that is known about a cell: withheld, failed, invalid, doubtful, wide, else ok."""
        if summary.segments == 0 and (spared := self._spared(summary.cell.name)):
            return Stamp(Mark.WITHHELD, (spared,))
        if summary.segments == 0:
            return Stamp(Mark.FAILED, self._problems(summary.cell.name))
        for severity, mark in ((Severity.INVALID, Mark.INVALID), (Severity.DOUBTFUL, Mark.DOUBTFUL)):
            if found := self._findings_on(summary.cell.name, severity):
                return Stamp(mark, tuple(finding.claim for _, finding in found), tuple(number for number, _ in found))
        if not summary.precise:
            return Stamp(Mark.WIDE, (self._width(summary),))
        return Stamp(Mark.OK)

    def _findings_on(self, cell: str, severity: Severity) -> tuple[tuple[int, Finding], ...]:
        """Findings without cells are about all of them."""
        numbered = enumerate(self.findings, start=1)
        return tuple((n, f) for n, f in numbered if f.severity is severity and (not f.cells or cell in f.cells))

    def _problems(self, cell: str) -> tuple[str, ...]:
        segments = self.study.segments_of(cell)
        problems = dict.fromkeys(s.problem for s in segments if s.outcome is not Outcome.DONE and s.problem)
        return tuple(problems) or (_("no segment was measured") if not segments else _("no segment gave a result"),)

    def _spared(self, cell: str) -> str:
        """Why this load was kept from the cluster for the sake of its other clients; an empty text where it was not."""
        segments = self.study.segments_of(cell)
        if taken := [one for one in segments if one.outcome is Outcome.WITHHELD]:
            return taken[-1].problem
        if segments:
            return ""
        elsewhere = next((one for one in self.study.segments if one.outcome is Outcome.WITHHELD), None)
        if elsewhere is None:
            return ""
        lighter = next(each.title for each in self.study.cells if each.name == elsewhere.cell)
        return _("not started, because other clients of the cluster already suffered from {lighter}", lighter=lighter)

    def _width(self, summary: CellSummary) -> str:
        """How wide the interval is, or why there is none."""
        if spared := self._spared(summary.cell.name):
            return spared
        judged, asked = summary.judged, asked_words(self.study.precision)
        missing = judged if isinstance(judged, Undecided) else judged.interval
        if isinstance(missing, Undecided):
            return _("no interval: {reason}", reason=missing.because)
        spread = figure(judged, significant, "").spread
        if spread == asked:  # both are rounded
            return _("just wider than {asked}", asked=asked)
        return _("{spread}, wider than {asked}", spread=spread, asked=asked) if spread else _("nothing moved")
