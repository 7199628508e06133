"""Bundles that are kept as captures, unpacked where a test wants them."""

from __future__ import annotations

import tarfile
from pathlib import Path

CAPTURES = Path(__file__).parents[1] / "captures" / "bundles" / "kinds-of-0.1.0"


def unpacked(name: str, folder: Path) -> Path:
    """The folder of one of the bundles; see tests/captures/bundles/kinds-of-0.1.0/ORIGIN.md."""
    with tarfile.open(CAPTURES / f"{name}.tar.gz") as archive:
        archive.extractall(folder, filter="data")
        return folder / archive.getnames()[0].split("/")[0]
