"""Paste: a text, files or a folder are read and judged at once, and kept when somebody says so."""

from __future__ import annotations

import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from radoscope.archives import clean, incoming
from radoscope.archives.paste import Unread
from radoscope.errors import PlanError, StoreError, UnreadableFile
from radoscope.records.measurement import span
from radoscope.report.rows import LEFT, MOST_ROWS, filled_rows, unsaid
from radoscope.report.sections.findings import some
from radoscope.serve import library
from radoscope.serve.guard import LARGEST_BODY
from radoscope.serve.page import page
from radoscope.words import _, reader
from radoscope.workflow.library import Imported, import_folder, import_text, judged, read_results, read_text
from radoscope.workflow.scratch import scratch

_MOST_FILES = 5_000
_MOST_LINES = 3_000
_LONGEST_LINE = 2_000
_AROUND = 3
"""Lines shown before and after those that are marked."""
_FOLDED = 8
"""Lines between them, from which on they are folded."""
_LONGEST_NAME = 70
_READERS = CapacityLimiter(2)
"""Reading takes a core: a hundred texts at once wait for their turn, and pages are answered meanwhile."""


@dataclass(frozen=True, slots=True)
class Pasted:
    """What somebody handed over. files: contents by their paths; one without a folder is a text. kept: its id.
    language: of those who handed it over: the findings are in it."""

    name: str
    files: Mapping[str, bytes]
    read: Imported
    kept: str = ""
    language: str = "en"

    @property
    def text(self) -> bytes | None:
        """None for a folder."""
        first = next(iter(self.files))
        return self.files[first] if len(self.files) == 1 and "/" not in first else None

    @property
    def size(self) -> int:
        return sum(map(len, self.files.values()))


class Table:
    """The newest things that were pasted and not kept: they lie here, in memory, and nowhere else."""

    MOST, MOST_BYTES = 200, 200_000_000

    def __init__(self) -> None:
        self._lying: OrderedDict[str, Pasted] = OrderedDict()
        self._lock = threading.Lock()
        self.keeping = threading.Lock()

    def lay(self, pasted: Pasted) -> str:
        """Its key: the same for the same content."""
        digest = hashlib.sha256()
        for name, raw in sorted(pasted.files.items()):
            digest.update(f"{name}\0{len(raw)}\0".encode("utf-8", "surrogateescape") + raw)
        key = digest.hexdigest()[:32]
        with self._lock:
            self._lying[key] = pasted
            self._lying.move_to_end(key)
            while len(self._lying) > self.MOST or sum(one.size for one in self._lying.values()) > self.MOST_BYTES:
                if len(self._lying) == 1:
                    break
                self._lying.popitem(last=False)
        return key

    def find(self, key: str) -> Pasted:
        """Raises StoreError."""
        with self._lock:
            if key not in self._lying:
                raise StoreError(_("this paste is no longer here"), _("What was not kept is gone. Paste it again."))
            return self._lying[key]


TABLE = Table()


async def start(request: Request) -> Response:
    """The first page of all."""
    entries = await to_thread.run_sync(lambda: library.entries()[:5])
    return page("paste.html.j2", here="paste", entries=entries)


async def receive(request: Request) -> Response:
    async with request.form(max_files=_MOST_FILES, max_fields=20, max_part_size=LARGEST_BODY) as form:
        name, files = await _handed_over(form)
    key = await to_thread.run_sync(partial(judge, name, files), limiter=_READERS)
    return RedirectResponse(f"/paste/{key}", 303)


async def show(request: Request) -> Response:
    key = request.path_params["key"]
    return page("judged.html.j2", here="paste", **await to_thread.run_sync(lambda: _shown(key, TABLE.find(key))))


async def keep(request: Request) -> Response:
    """Into the library, once however often somebody says so."""
    key = request.path_params["key"]
    kept = await to_thread.run_sync(_keep, key, limiter=_READERS)
    then = f"/library?with={kept}" if request.query_params.get("then") == "compare" else f"/paste/{key}"
    return RedirectResponse(then, 303)


async def _handed_over(form: FormData) -> tuple[str, dict[str, bytes]]:
    """(a name, contents by path). Raises PlanError where nothing was handed over."""
    text = form.get("text")
    files = {
        _safe_path(one.filename): await one.read()
        for one in form.getlist("file")
        if isinstance(one, UploadFile) and one.filename
    }
    if isinstance(text, str) and text.strip() and not files:
        return _name(text), {"text.txt": text.replace("\r\n", "\n").encode("utf-8", "replace")}
    if not files:
        raise PlanError(_("nothing was pasted"), _("Paste a text, or choose a file or a folder."))
    return _common_name(list(files)), files


def _name(text: str) -> str:
    """A text is called by its first line that says something."""
    lines = (" ".join(line.split()) for line in text[:10_000].splitlines())
    first = next((line for line in lines if len(re.findall(r"\w", line)) > 2), _("pasted text"))
    return first if len(first) <= _LONGEST_NAME else first[: _LONGEST_NAME - 1].rstrip() + "…"


def _safe_path(said: str) -> str:
    """A path below a folder, whatever somebody calls a file. Raises PlanError for one that leads out of it."""
    parts = [part for part in PurePosixPath(said.replace("\\", "/").replace("\0", "")).parts if part not in ("/", ".")]
    if not parts or ".." in parts or len(parts) > 40 or any(len(part.encode()) > 255 for part in parts):
        none = _("{name!r} is not a valid path within a folder", name=said[:80])
        raise PlanError(none, _("Rename it, and choose it again."))
    return "/".join(parts)


def _common_name(paths: Sequence[str]) -> str:
    if len(paths) == 1:
        return PurePosixPath(paths[0]).name
    top = {path.split("/", 1)[0] for path in paths}
    return top.pop() if len(top) == 1 else f"{len(paths)} files"


def judge(name: str, files: Mapping[str, bytes]) -> str:
    """Read what was handed over, and lay it on the table; its key there."""
    pasted = Pasted(name, files, Imported((), (), ()))
    raw = pasted.text
    if raw is None:
        with _as_folder(pasted) as folder:
            read = read_results(folder / _inside(pasted))
    else:
        if len(raw) > incoming.LARGEST_BYTES:
            large = _("{name} is larger than {size} MB", name=name, size=incoming.LARGEST_BYTES // 1_000_000)
            raise UnreadableFile(large, _("Cut out the part with the results."))
        incoming.check_text(raw, name)
        read = read_text(raw)
    return TABLE.lay(replace(pasted, read=read, language=reader()))


def _keep(key: str) -> str:
    pasted = TABLE.find(key)
    with TABLE.keeping:
        raw = pasted.text
        if raw is not None:
            kept = import_text(raw, pasted.name)
        else:
            with _as_folder(pasted) as folder:
                kept = import_folder(folder / _inside(pasted))
    if kept.entry is None:
        raise UnreadableFile(_("there is no benchmark result in it"), _("Only texts with results are kept."))
    TABLE.lay(replace(pasted, kept=kept.entry.id))
    return kept.entry.id


def _inside(pasted: Pasted) -> str:
    """The folder that was chosen, so that it is read and called as on the command line."""
    return pasted.name if all(path.startswith(f"{pasted.name}/") for path in pasted.files) else "."


@contextmanager
def _as_folder(pasted: Pasted) -> Iterator[Path]:
    with scratch() as folder:
        try:
            for name, raw in pasted.files.items():
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(raw)
        except OSError as error:
            none = _("these files make no folder: {reason}", reason=error.strerror)
            raise PlanError(none, _("Two of them have the same name. Rename one.")) from None
        yield folder


def _shown(key: str, pasted: Pasted) -> dict[str, Any]:
    read, raw = pasted.read, pasted.text
    findings = read.findings if pasted.language == reader() else judged(read.results)
    heads, rows = filled_rows(read.results)
    return {
        "key": key,
        "name": pasted.name,
        "kept": pasted.kept,
        "total": len(read.results),
        "heads": heads,
        "rows": rows,
        "left": LEFT,
        "findings": [(one, some(one.cells)) for one in findings],
        "unsaid": unsaid(read.results),
        "unread": read.unread,
        "missed": _missed(read),
        "stretches": _stretches(clean.decode(raw), read) if raw is not None else (),
    }


def _stretches(text: str, read: Imported) -> list[dict[str, Any]]:
    """The text by lines, in stretches: what has a mark, with some lines around it, is open; the rest is folded, and of
    a very long text left out."""
    text = text.removeprefix("\ufeff")
    lines = text.split("\n" if "\n" in text else "\r")
    marks = _marks(read)
    near = {at + by for at in (*marks, 1) for by in range(-_AROUND, _AROUND + 1)}
    found: list[dict[str, Any]] = []
    for is_near, group in groupby(range(1, len(lines) + 1), near.__contains__):
        numbers = list(group)
        state = "open" if is_near or len(numbers) < _FOLDED else "folded" if len(lines) <= _MOST_LINES else "left out"
        if found and found[-1]["state"] == state == "open":
            found[-1]["lines"] += _numbered(lines, numbers, marks)
        else:
            shown = [] if state == "left out" else _numbered(lines, numbers, marks)
            found.append({"state": state, "span": span(numbers[0], numbers[-1]), "lines": shown})
    return found


def _numbered(
    lines: Sequence[str], numbers: Sequence[int], marks: Mapping[int, dict[str, str]]
) -> list[dict[str, Any]]:
    return [
        {"number": at, "text": lines[at - 1].rstrip("\r")[:_LONGEST_LINE], **marks.get(at, _PLAIN)} for at in numbers
    ]


def _missed(read: Imported) -> list[tuple[str, list[Unread]]]:
    """Blocks of a text that were not read, by the reason."""
    found: dict[str, list[Unread]] = {}
    for block in read.blocks:
        found.setdefault(f"{_(block.reader)}: {block.reason}", []).append(block)
    return list(found.items())


_PLAIN = {"mark": "", "says": "", "why": ""}


def _marks(read: Imported) -> dict[int, dict[str, str]]:
    """By line: whether it was read, or only looks like a result, and at the first line of each what it is."""
    marks: dict[int, dict[str, str]] = {}
    for block in read.blocks:
        for at in range(block.first_line, block.last_line + 1):
            marks[at] = {"mark": "missed", "says": "", "why": block.reason}
        marks[block.first_line]["says"] = f"{_(block.reader)}: {block.reason}"
    for number, result in enumerate(read.results, start=1):
        source = result.source
        if source is None or source.first_line is None:
            continue
        for at in range(source.first_line, (source.last_line or source.first_line) + 1):
            marks.setdefault(at, {**_PLAIN})["mark"] = "read"
        if number <= MOST_ROWS:
            first = marks[source.first_line]
            first["says"] = f"{first['says']}, {number}" if first["says"] else f"{result.tool}, {number}"
    return marks


ROUTES = (
    Route("/", start),
    Route("/paste", receive, methods=["POST"]),
    Route("/paste/{key}", show),
    Route("/paste/{key}/keep", keep, methods=["POST"]),
)
