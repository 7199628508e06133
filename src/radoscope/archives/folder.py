"""Any bundle -> Study: our own by their manifest, imported texts by reading them again."""

from __future__ import annotations

import json
from pathlib import Path

from radoscope.archives.bundle import read_study
from radoscope.archives.imported import read_import
from radoscope.records.manifest import MANIFEST
from radoscope.records.study import Study


def read(folder: Path) -> Study:
    """The study in a bundle's folder. Raises StoreError."""
    return read_import(folder) if kind_of(folder) == "import" else read_study(folder)


def kind_of(folder: Path) -> str:
    """ "study" or "import", as in the manifest; "study" if it does not say, and its reader reports the fault."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return "study"
    return str(manifest.get("kind", "study")) if isinstance(manifest, dict) else "study"
