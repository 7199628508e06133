"""Opens the index and brings it to the newest schema: numbered .sql files, counted in SQLite's user_version."""

from __future__ import annotations

import sqlite3
from importlib import resources
from pathlib import Path

from radoscope.errors import StoreError

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
