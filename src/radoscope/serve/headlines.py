"""The figure that a report quotes first, of each study in the library, and how it went over time on the same target.

It is the report's own: computed once a study, behind the list and while nothing is measured, and kept.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from radoscope.errors import RadoscopeError
from radoscope.report.material import Material
from radoscope.report.sections.verdict import headline_figures
from radoscope.run.journal import running_now
from radoscope.serve import reports
from radoscope.words import reader, reading
from radoscope.workflow import assess, kept, load_study, study_folder

WIDTH, HEIGHT = 90, 22
"""Of a line over time, in units of its picture."""
_MOST = 5000
_AHEAD = 20
"""So many of the newest get their report with it: whoever opens one then waits for nothing."""
_filling = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """text: with its spread and unit; empty where the report quotes none. same: what studies have in common whose
    figures stand in one line: plan, target, cluster, figure."""

    label: str = ""
    text: str = ""
    value: float = 0.0
    created_at_s: float = 0.0
    same: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell of the list. line: points of all studies alike, empty for fewer than two; (x, y): this one's."""

    headline: Headline
    line: str = ""
    x: float = 0.0
    y: float = 0.0


def known(names: Sequence[str]) -> tuple[Mapping[str, Shown], bool]:
    """(the figures that are known now, by study; whether others are computed meanwhile, for the next look)."""
    found: dict[str, Headline] = {}
    missing: list[str] = []
    for name in names:
        with suppress(RadoscopeError):
            kept_one = _recalled(_place(study_folder(name)))
            if kept_one is None:
                missing.append(name)
            elif kept_one.text:
                found[name] = kept_one
    if missing and _filling.acquire(blocking=False):
        threading.Thread(target=_fill, args=(missing, reader()), daemon=True).start()
    shown = {
        name: _shown(one, [other for other in found.values() if other.same == one.same]) for name, one in found.items()
    }
    return shown, bool(missing)


def _fill(names: Sequence[str], language: str) -> None:
    try:
        with reading(language):
            for at, name in enumerate(names):
                if running_now():
                    return  # a study that runs is not disturbed
                with suppress(RadoscopeError):
                    folder = study_folder(name)
                    place = _place(folder)
                    material = assess(load_study(str(folder)))
                    kept.keep(place, json.dumps(asdict(_headline(material))), _MOST)
                    if at < _AHEAD:
                        reports.keep(folder, material)
    finally:
        _filling.release()


def _headline(material: Material) -> Headline:
    study, figures = material.study, headline_figures(material)
    if not figures:
        return Headline()
    label, unit, figure = figures[0]
    cluster = study.environment.cluster
    own = study.sandbox is not None or cluster is None
    alike = (study.kind, study.plan, study.target, "" if own or cluster is None else cluster.fsid, label, unit)
    return Headline(
        label=label,
        text=f"{figure.plain} {unit}",
        value=float(figure.text.replace(",", "")),
        created_at_s=study.created_at_s,
        same=hashlib.sha256(repr(alike).encode()).hexdigest()[:16],
    )


def _place(folder: Path) -> Path:
    return kept.place_of(folder, "headline").with_suffix(".json")


def _recalled(place: Path) -> Headline | None:
    try:
        return Headline(**json.loads(kept.recall(place) or ""))
    except (ValueError, TypeError):
        return None


def _shown(one: Headline, alike: Sequence[Headline]) -> Shown:
    """The line is over time, its scale begins at nothing: a small change looks small."""
    if len(alike) < 2:
        return Shown(one)
    times = [each.created_at_s for each in alike]
    first, span, highest = min(times), (max(times) - min(times)) or 1.0, max(each.value for each in alike) or 1.0

    def at(each: Headline) -> tuple[float, float]:
        x = 3 + (WIDTH - 6) * (each.created_at_s - first) / span
        return round(x, 1), round(HEIGHT - 3 - (HEIGHT - 6) * each.value / highest, 1)

    points = [at(each) for each in sorted(alike, key=lambda each: each.created_at_s)]
    return Shown(one, " ".join(f"{x},{y}" for x, y in points), *at(one))
