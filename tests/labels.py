"""The label of processes that a test starts."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path


def label_of(folder: Path) -> str:
    """Of the whole path: labels are looked for on all of the host, where other workers have folders of that name."""
    return f"test-{sha256(str(folder).encode()).hexdigest()[:12]}"
