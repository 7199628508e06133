"""Imported texts as bundles: the verbatim text and a manifest. Nothing here reads what the text means."""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path

from radoscope.errors import StoreError
from radoscope.records.manifest import MANIFEST

IMPORTED_TEXT = "text.txt"


def text_hash(raw: bytes) -> str:
    """SHA-256 of the bytes as they were given: the identity of an import."""
    return hashlib.sha256(raw).hexdigest()


def keep_text(raw: bytes, source: str, studies: Path, *, now_s: float, version: str) -> Path:
    """Write a bundle of kind "import" below `studies` and return its folder; its name is the import's id.

    source: where the text came from, in words (a file's name, "standard input"). Raises StoreError.
    """
    digest = text_hash(raw)
    name = f"{time.strftime('%Y%m%d-%H%M%S', time.localtime(now_s))}-import-{digest[:8]}"
    folder = studies / name
    manifest = {
        "kind": "import",
        "version": 1,
        "id": name,
        "source": source,
        "text": IMPORTED_TEXT,
        "sha256": digest,
        "created_at_s": now_s,
        "radoscope_version": version,
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / IMPORTED_TEXT).write_bytes(raw)
        fresh = folder / f"{MANIFEST}.new"
        fresh.write_text(json.dumps(manifest, indent=1, ensure_ascii=False), encoding="utf-8")
        fresh.replace(folder / MANIFEST)  # last, and at once: a folder without a manifest is no bundle
    except OSError as error:
        raise StoreError(f"cannot write {folder}: {error.strerror}", "Set RADOSCOPE_HOME to a folder.") from None
    return folder
