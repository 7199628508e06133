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
    return read_import(folder) if _kind(folder) == "import" else read_study(folder)


def _kind(folder: Path) -> str:
    """What the manifest says it is; a study where it says nothing, for that reader tells what is wrong."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return "study"
    return str(manifest.get("kind", "study")) if isinstance(manifest, dict) else "study"
