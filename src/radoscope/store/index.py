"""The store: an SQLite index over the folder of bundles. It follows it: bundles are added, changed, removed."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

from radoscope.errors import RadoscopeError, StoreError
from radoscope.records.fields import RESULT_FIELDS, Plain
from radoscope.records.manifest import MANIFEST
from radoscope.records.study import Study

_PATIENCE_S = 30.0
REBUILD = "radoscope import --again rebuilds it from the bundles."


def connect(path: Path) -> sqlite3.Connection:
    """The index at `path`, made where there is none. Raises StoreError where it cannot be opened or is too new."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=_PATIENCE_S)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        _migrate(connection, path)
    except OSError as error:
        raise StoreError(f"cannot make {path.parent}: {error.strerror}", "Set RADOSCOPE_HOME to a folder.") from None
    except sqlite3.Error as error:
        raise StoreError(f"the index {path} cannot be opened: {error}", REBUILD) from None
    return connection


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Run each script that the index has not seen, each in a transaction of its own, against other processes too."""
    scripts = sorted((f for f in resources.files("radoscope.store").joinpath("schema").iterdir()), key=lambda f: f.name)
    newest = len(scripts)
    if _version(connection) > newest:
        connection.close()
        raise StoreError(f"the index {path} was written by a newer radoscope", REBUILD)
    while (version := _version(connection)) < newest:
        script = scripts[version].read_text(encoding="utf-8")
        guarded = f"BEGIN EXCLUSIVE; {script}; PRAGMA user_version = {version + 1}; COMMIT;"
        try:
            connection.executescript(guarded)
        except sqlite3.OperationalError:
            connection.rollback()
            if _version(connection) == version:  # else another process was faster, which is as well
                raise


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


Row = dict[str, Plain]


def cell_rows(study: Study) -> Iterator[Row]:
    for position, cell in enumerate(study.cells):
        asked = cell.conditions
        yield {
            "study": study.id,
            "position": position,
            "name": cell.name,
            "title": cell.title,
            "layer": asked.layer.value,
            "place": cell.where,
            "sync": asked.sync.value,
            "clients": asked.clients,
            "rate_iops": asked.rate_iops,
        }


def result_rows(study: Study) -> Iterator[Row]:
    """Numbered over the whole study in the order of its segments."""
    each = ((segment, result) for segment in study.segments for result in segment.results)
    for number, (segment, result) in enumerate(each, start=1):
        yield {
            "study": study.id,
            "number": number,
            "cell": segment.cell,
            "round": segment.round,
            "outcome": segment.outcome.value,
            "started_at_s": segment.started_at_s,
            **{field.name: _storable(field.read(result)) for field in RESULT_FIELDS},
        }


def _storable(value: Plain) -> Plain:
    """SQLite's integers have 63 bits; a count beyond them, as a hostile text may hold, is kept as a float."""
    return float(value) if isinstance(value, int) and abs(value) >= 2**63 else value


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredStudy:
    """One line of `radoscope list`. kind: of run, "import" or "damaged"; problem: why a damaged one cannot be read."""

    id: str
    kind: str
    title: str
    target: str
    created_at_s: float
    seconds: float
    complete: bool
    version: str
    cells: int
    results: int
    content_hash: str | None = None
    problem: str = ""


class Store:
    """path: the index. studies: the folder of bundles. read: a bundle's folder -> its Study (the archives' work)."""

    def __init__(self, path: Path, studies: Path, read: Callable[[Path], Study]) -> None:
        self._path = path
        self._studies = studies
        self._read = read

    @contextmanager
    def _index(self) -> Iterator[sqlite3.Connection]:
        """The index, open for one transaction. Raises StoreError where SQLite fails."""
        with closing(connect(self._path)) as index:
            try:
                with index:
                    yield index
            except sqlite3.Error as error:
                raise StoreError(f"the index {self._path} failed: {error}", REBUILD) from None

    def list(self) -> tuple[StoredStudy, ...]:
        """All bundles, the newest first."""
        self.refresh()
        with self._index() as index:
            rows = index.execute(
                "SELECT study.*, (SELECT count(*) FROM cell WHERE cell.study = study.id) AS cells,"
                " (SELECT count(*) FROM result WHERE result.study = study.id) AS results"
                " FROM study ORDER BY created_at_s DESC, id DESC"
            ).fetchall()
        return tuple(_entry(row) for row in rows)

    def find(self, name: str) -> StoredStudy:
        """The one bundle with this id, or this beginning of an id; "last" is the newest. Raises StoreError."""
        entries = {entry.id: entry for entry in self.list()}
        return entries[pick(tuple(entries), name)]

    def with_hash(self, content_hash: str) -> StoredStudy | None:
        """The import of this very text, None where it was never imported."""
        return next((entry for entry in self.list() if entry.content_hash == content_hash), None)

    def results(self, names: Iterable[str]) -> tuple[dict[str, Any], ...]:
        """One flat row a result, with what its cell says, of the named bundles in order."""
        known = [entry.id for entry in self.list()]
        ids = [pick(known, name) for name in names]
        with self._index() as index:
            rows = [row for each in ids for row in index.execute(_FLAT, (each,)).fetchall()]
        return tuple(dict(row) for row in rows)

    def add(self, folder: Path) -> StoredStudy:
        """Read one bundle into the index, in place of what stood there of it. A damaged one is listed as such."""
        manifest, stamp = _manifest(folder), _stamp(folder)
        try:
            study = replace(self._read(folder), id=folder.name)  # a folder that was renamed is found by its new name
        except RadoscopeError as error:
            row, cells, results = _damaged_row(folder, manifest, error.message), [], []
        else:
            row, cells, results = _study_row(study, manifest), list(cell_rows(study)), list(result_rows(study))
        with self._index() as index:
            _forget(index, str(row["id"]))
            _insert(index, "study", [{**row, "stamp": stamp}])
            _insert(index, "cell", cells)
            _insert(index, "result", results)
        return _entry({**row, "cells": len(cells), "results": len(results)})

    def remove(self, name: str) -> StoredStudy:
        """Delete a bundle with all its raw files, and forget it. Raises StoreError."""
        entry = self.find(name)
        folder = self._studies / entry.id
        try:
            folder.unlink() if folder.is_symlink() else shutil.rmtree(folder)
        except FileNotFoundError:
            pass
        except OSError as error:
            raise StoreError(f"cannot remove {folder}: {error.strerror}") from None
        with self._index() as index:
            _forget(index, entry.id)
        return entry

    def rebuild(self) -> tuple[StoredStudy, ...]:
        """Discard the index and read every bundle again, for example after a reader was fixed."""
        self._path.unlink(missing_ok=True)
        return self.list()

    def refresh(self) -> None:
        """Bring the index in line with the folder; only bundles that are new or changed are read."""
        present = {path.parent.name: path.parent for path in self._studies.glob(f"[!.]*/{MANIFEST}")}
        with self._index() as index:
            known = dict(index.execute("SELECT id, stamp FROM study").fetchall())
            for gone in known.keys() - present.keys():
                _forget(index, gone)
        for name, folder in sorted(present.items()):
            if known.get(name) != _stamp(folder):
                self.add(folder)


_FLAT = (
    "SELECT result.*, study.kind, study.title AS study_title, study.target, cell.title AS cell_title, cell.layer,"
    " cell.sync, cell.clients, cell.rate_iops"
    " FROM result JOIN study ON study.id = result.study"
    " LEFT JOIN cell ON cell.study = result.study AND cell.name = result.cell"
    " WHERE result.study = ? ORDER BY result.number"
)


def pick(ids: Sequence[str], name: str) -> str:
    """The id that is this name, or the only one that begins so; "last" is the newest. ids: the newest first.

    Raises StoreError.
    """
    if name == "last" and ids:
        return ids[0]
    fitting = [name] if name in ids else [one for one in ids if name and one.startswith(name)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise StoreError(f"{name!r} matches {len(fitting)} studies", "Give more of the id: radoscope list shows them.")
    newest = f"The newest: {', '.join(ids[:3])}. radoscope list shows all." if ids else "There is none yet."
    raise StoreError(f"there is no study {name!r}", newest)


def _entry(row: Row | sqlite3.Row) -> StoredStudy:
    fields: Any = {name: row[name] for name in StoredStudy.__slots__}
    return StoredStudy(**{**fields, "complete": bool(row["complete"])})


def _study_row(study: Study, manifest: dict[str, Any]) -> Row:
    return {
        "id": study.id,
        "kind": str(manifest.get("kind") or "study"),
        "title": study.plan,
        "target": study.target,
        "created_at_s": study.created_at_s,
        "seconds": study.seconds,
        "complete": int(study.complete),
        "version": study.radoscope_version,
        "content_hash": manifest.get("sha256"),
        "problem": "",
    }


def _damaged_row(folder: Path, manifest: dict[str, Any], problem: str) -> Row:
    """What is still known of a bundle that cannot be read."""
    return {
        "id": folder.name,
        "kind": "damaged",
        "title": "",
        "target": str(manifest.get("target") or manifest.get("source") or ""),
        "created_at_s": created_at_s(folder, manifest),
        "seconds": 0.0,
        "complete": 0,
        "version": str(manifest.get("radoscope_version") or ""),
        "content_hash": None,
        "problem": problem,
    }


def created_at_s(folder: Path, manifest: dict[str, Any] | None = None) -> float:
    """When a bundle was made: by its manifest, else by the folder's own time, 0 where that went away just now.

    Ids cannot tell: imports of older versions bear local time, studies UTC.
    """
    created = (_manifest(folder) if manifest is None else manifest).get("created_at_s")
    if isinstance(created, int | float):
        return float(created)
    return folder.stat().st_mtime if folder.exists() else 0.0


def _manifest(folder: Path) -> dict[str, Any]:
    """The manifest as plain JSON; empty where it is none, which its reader will say."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return {}
    return manifest if isinstance(manifest, dict) else {}


def _stamp(folder: Path) -> str:
    """Changes with every save of the manifest; empty where it went away just now."""
    try:
        state = (folder / MANIFEST).stat()
    except OSError:
        return ""
    return f"{state.st_mtime_ns}/{state.st_size}"


def _forget(index: sqlite3.Connection, study: str) -> None:
    index.execute("DELETE FROM study WHERE id = ?", (study,))


def _insert(index: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    for row in rows:
        names = ", ".join(row)
        places = ", ".join(f":{name}" for name in row)
        index.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", row)
