"""Reports as pages, computed once: each is kept until its study or the program changes, with what what-if asks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from radoscope.report import render_html
from radoscope.report.material import Material
from radoscope.serve import measured
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
    return keep(folder, assess(load_study(str(folder))), (template,))[template]


def ready(folder: Path) -> None:
    """Both, before anybody asks."""
    keep(folder, assess(load_study(str(folder))))


def keep(folder: Path, material: Material, templates: tuple[str, ...] = (SHOWN, SAVED)) -> Mapping[str, str]:
    """The same of a study that is at hand with its findings, by template: to read it is most of the work."""
    texts = {name: render_html(material, name) for name in templates}
    for name, text in texts.items():
        kept.keep(kept.place_of(folder, name), text)
    measured.keep(folder, material)
    return texts
