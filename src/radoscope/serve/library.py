"""The library: what was measured and imported, with tags and notes; reports in place; two or more compared."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from radoscope import paths
from radoscope.errors import PlanError, StoreError
from radoscope.records.manifest import MANIFEST
from radoscope.report.document import policy, when
from radoscope.report.rows import figure_name, only_words, ratio_text, value_text, verdict_words, why_words
from radoscope.report.words import layer_title, with_layer
from radoscope.run.journal import running_now
from radoscope.serve import headlines, reports
from radoscope.serve.page import page
from radoscope.stats.compare import ComparedFigure, Comparison
from radoscope.stats.ratio import Ratio
from radoscope.stats.verdict import Equivalent, Faster, NotComparable, Slower
from radoscope.units import parse_share
from radoscope.words import N_, _
from radoscope.workflow import compare_studies, load_study
from radoscope.workflow.library import open_store

_ID = re.compile(r"\w[\w.-]*")
KINDS = {
    "rounds": N_("study"),
    "ab": N_("A/B experiment"),
    "scenario": N_("scenario"),
    "osd-bench": N_("OSD bench"),
    "import": N_("import"),
    "damaged": N_("damaged"),
}
_MOST_SIDES = 12
_MOST_DIFFERENCES = 60
_WRITING = threading.Lock()
_MARKS: Mapping[type, str] = {Faster: "ok", Slower: "invalid", Equivalent: "note", NotComparable: "doubtful"}
_POLICY = policy("'unsafe-inline' 'self'").replace("form-action 'none'", "form-action 'self'; img-src 'self'")
_REPORT_HEADERS = {"content-security-policy": _POLICY}


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryLine:
    """One line of the library. running: it is being measured now."""

    id: str
    kind: str
    what: str
    when: str
    created_at_s: float
    results: int
    complete: bool
    problem: str
    running: bool
    tags: tuple[str, ...] = ()
    note: str = ""

    @property
    def measured(self) -> bool:
        """Whether it has, or may have, a figure that people quote."""
        return not (self.running or self.problem or self.kind in ("import", "damaged"))

    def fits(self, query: str) -> bool:
        """Whether every word of the query stands somewhere in it."""
        said = " ".join((self.id, self.kind, self.what, self.when, self.note, *self.tags)).lower()
        return all(word in said for word in query.lower().split())


def entries() -> list[LibraryLine]:
    """All studies and imports, the newest first."""
    notes = _notes()
    now = running_now()
    return [
        LibraryLine(
            id=one.id,
            kind=one.kind,
            what=one.target if one.kind in ("import", "damaged") else f"{one.title}: {one.target}",
            when=when(one.created_at_s).removesuffix(" UTC"),
            created_at_s=one.created_at_s,
            results=one.results,
            complete=one.complete,
            problem=one.problem,
            running=one.id in now,
            tags=tuple(map(str, notes.get(one.id, {}).get("tags", ()))),
            note=str(notes.get(one.id, {}).get("note", "")),
        )
        for one in open_store().list()
    ]


def entry(name: str) -> LibraryLine:
    """Raises StoreError."""
    for one in entries():
        if one.id == name:
            return one
    raise _missing(name)


def folder(name: str) -> Path:
    """Of a study or an import, by its whole id: the list, which reads what is new of all, is not asked. Raises
    StoreError."""
    found = paths.studies() / name
    if not _ID.fullmatch(name) or not (found / MANIFEST).is_file():
        raise _missing(name)
    return found


def _missing(name: str) -> StoreError:
    return StoreError(_("there is no study {name!r}", name=name[:80]), _("The library lists all studies and imports."))


def write_note(name: str, tags: tuple[str, ...], note: str) -> None:
    """Tags and note of a study, beside the bundles and not in them: raw files stay as they are. Raises StoreError."""
    with _WRITING:
        kept = {**_notes(), name: {"tags": list(tags), "note": note}}
        fresh = paths.notes().with_suffix(".new")
        try:
            fresh.write_text(json.dumps(kept, indent=1, ensure_ascii=False), encoding="utf-8")
            fresh.replace(paths.notes())
        except OSError as error:
            raise StoreError(
                _("cannot write {file}: {reason}", file=paths.notes(), reason=error.strerror), _("Is the disk full?")
            ) from None


def _notes() -> Mapping[str, Mapping[str, Any]]:
    try:
        kept = json.loads(paths.notes().read_bytes())
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


async def shown(request: Request) -> Response:
    """The list, with a search and those that are to be compared."""
    query, kind = request.query_params.get("q", "")[:200], request.query_params.get("kind", "")
    found = await to_thread.run_sync(entries)
    figures, waiting = await to_thread.run_sync(headlines.known, [one.id for one in found if one.measured])
    fitting = [one for one in found if one.fits(query) and kind in ("", one.kind)]
    chosen = request.query_params.getlist("with")
    return page("library.html.j2", here="library", entries=fitting, figures=figures, waiting=waiting, q=query,
                kind=kind, kinds=KINDS, chosen=chosen)  # fmt: skip


async def report(request: Request) -> Response:
    """A study's or an import's report, as `radoscope report` writes it, with the bar of these pages above it."""
    name = request.path_params["name"]
    found = folder(name)
    if name in running_now():
        return RedirectResponse(f"/live/{quote(name)}", 303)
    text = await to_thread.run_sync(reports.report, found, reports.SHOWN)
    return HTMLResponse(text, headers=_REPORT_HEADERS)


async def saved(request: Request) -> Response:
    """The same as one file, to be handed on."""
    text = await to_thread.run_sync(reports.report, folder(request.path_params["name"]), reports.SAVED)
    return HTMLResponse(text, headers={"content-disposition": "attachment", **_REPORT_HEADERS})


async def notes(request: Request) -> Response:
    """Tags and a note: read, and written."""
    found = await to_thread.run_sync(entry, request.path_params["name"])
    if request.method == "GET":
        return page("notes.html.j2", here="library", entry=found)
    async with request.form() as form:
        tags = tuple(dict.fromkeys(filter(None, (one.strip()[:40] for one in str(form.get("tags", "")).split(",")))))
        note = str(form.get("note", "")).strip()[:5000]
    await to_thread.run_sync(write_note, found.id, tags[:20], note)
    return RedirectResponse(f"/library#{found.id}", 303)


async def compared(request: Request) -> Response:
    """Two or more studies, cell by cell; the oldest is A."""
    names = list(dict.fromkeys(request.query_params.getlist("study")))
    margin = request.query_params.get("margin", "5%")
    if not 2 <= len(names) <= _MOST_SIDES:
        raise PlanError(_("a comparison needs two studies or more"), _("Choose them in the library."))
    known = {one.id: one for one in await to_thread.run_sync(entries)}
    found = await to_thread.run_sync(_compared, names, margin, known)
    sides = [_side(one) for one in found]
    return page("compare.html.j2", here="library", comparisons=sides, chosen=names, margin=margin,
                whats={name: known[name].what for name in names}, correction=_(found[0].correction))  # fmt: skip


def _compared(names: list[str], margin: str, known: Mapping[str, LibraryLine]) -> tuple[Comparison, ...]:
    if missing := [name for name in names if name not in known]:
        raise _missing(missing[0])
    first, *others = [load_study(name) for name in sorted(names, key=lambda name: known[name].created_at_s)]
    return compare_studies([first], [[one] for one in others], margin=parse_share(margin))


def _side(comparison: Comparison) -> dict[str, Any]:
    """One comparison in words."""
    cells = [
        (
            with_layer(layer_title(cell.cell.conditions.layer), cell.cell.title),
            [
                _row(one)
                for one in (cell.headline, *cell.others)
                if one is cell.headline or isinstance(one.ratio, Ratio)
            ],
        )
        for cell in comparison.cells
    ]
    return {
        "a": comparison.a,
        "b": comparison.b,
        "cells": cells,
        "differences": comparison.differences[:_MOST_DIFFERENCES],
        "remarks": [*only_words(comparison), *comparison.remarks],
    }


def _row(figure: ComparedFigure) -> dict[str, str]:
    return {
        "quantity": figure_name(figure),
        "a": value_text(figure.a, figure.quantity),
        "b": value_text(figure.b, figure.quantity),
        "ratio": ratio_text(figure.ratio),
        "verdict": verdict_words(figure.verdict),
        "mark": _MARKS.get(type(figure.verdict), ""),
        "why": why_words(figure.verdict),
    }


ROUTES = (
    Route("/library", shown),
    Route("/study/{name}", report),
    Route("/study/{name}/report.html", saved),
    Route("/study/{name}/notes", notes, methods=["GET", "POST"]),
    Route("/compare", compared),
)
