"""Reports as pages, computed once: each is kept until its study or the program changes, with what what-if asks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from radoscope.explain.finding import Finding
from radoscope.kinds import kind_of
from radoscope.records.study import Study
from radoscope.report import render_html
from radoscope.serve import measured
from radoscope.stats.values import Summaries
from radoscope.workflow import assess, kept, load_study

SHOWN = "radoscope.serve.templates/report.html.j2"
"""With the bar of the pages above it."""
SAVED = "page.html.j2"
"""As one file, to be handed on."""


def report(folder: Path, template: str) -> str:
    """In the reader's language."""
    text = kept.recall(kept.place_of(folder, template))
    if text is not None:
        return text
    study = load_study(str(folder))
    return keep(folder, study, *assess(study), (template,))[template]


def ready(folder: Path) -> None:
    """Both, before anybody asks."""
    study = load_study(str(folder))
    keep(folder, study, *assess(study))


def keep(
    folder: Path,
    study: Study,
    summaries: Summaries,
    findings: tuple[Finding, ...],
    templates: tuple[str, ...] = (SHOWN, SAVED),
) -> Mapping[str, str]:
    """The same of a study that is at hand with its findings, by template: to read it is most of the work."""
    texts = {name: render_html(study, summaries, findings, kind_of(study), name) for name in templates}
    for name, text in texts.items():
        kept.keep(kept.place_of(folder, name), text)
    measured.keep(folder, study, summaries, findings)
    return texts
