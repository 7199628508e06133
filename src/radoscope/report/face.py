"""How one kind of run shows itself in a report, where it differs from a study of cells. The kinds bring theirs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from radoscope.records.study import Study
from radoscope.report.repeat import study_words
from radoscope.report.section import Section

if TYPE_CHECKING:
    from radoscope.report.material import Material

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
