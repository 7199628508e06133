"""Where radoscope keeps its things on this host. One folder, one variable: RADOSCOPE_HOME.

home/studies/<id>/   raw bundles, the truth
home/index.sqlite    an index over them, can be rebuilt
home/notes.json      what people say of them: tags and notes
home/shown/          what `radoscope show` printed, can be removed
home/scratch/        folders of what is at work, gone when it ends
home/serve/          what the pages started: its words and its output
home/journal/        what was created and is not yet removed, and what the run that did it tells meanwhile
home/sandboxes/<name>/   embedded clusters
"""

from __future__ import annotations

import os
from pathlib import Path


def home() -> Path:
    """RADOSCOPE_HOME, else the XDG data folder of the user: ~/.local/share/radoscope.

    Without links, for what runs on this host carries the name of the folder to which it belongs.
    """
    if chosen := os.environ.get("RADOSCOPE_HOME"):
        return Path(chosen).resolve()
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return (Path(data) / "radoscope").resolve()


def studies() -> Path:
    return home() / "studies"


def begun_study(run: str) -> Path:
    """Of a study whose manifest is being written: whoever looks for studies does not see it."""
    return studies() / f".{run}.new"


def begun_studies() -> tuple[tuple[str, Path], ...]:
    """(run, folder) of all of them."""
    return tuple((folder.stem[1:], folder) for folder in studies().glob(".*.new"))


def index() -> Path:
    return home() / "index.sqlite"


def notes() -> Path:
    return home() / "notes.json"


def shown() -> Path:
    return home() / "shown"


def scratch() -> Path:
    return home() / "scratch"


def served() -> Path:
    return home() / "serve"


def journal() -> Path:
    return home() / "journal"


def sandboxes() -> Path:
    return home() / "sandboxes"
