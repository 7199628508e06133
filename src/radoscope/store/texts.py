"""Imported texts and folders as bundles: verbatim copies and a manifest. Nothing here reads what they mean."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from radoscope.errors import StoreError
from radoscope.records.manifest import MANIFEST
from radoscope.units import format_bytes

IMPORTED_TEXT = "text.txt"
IMPORTED_FOLDER = "files"
_MOST_BYTES = 4 * 2**30


def text_hash(raw: bytes) -> str:
    """SHA-256 of the bytes as they were given: the identity of an import."""
    return hashlib.sha256(raw).hexdigest()


def keep_text(raw: bytes, source: str, studies: Path, *, now_s: float, version: str) -> Path:
    """Write a bundle of kind "import" below `studies` and return its folder; its name is the import's id.

    source: where the text came from, in words (a file's name, "standard input"). Raises StoreError.
    """
    bundle, manifest = _new_bundle(text_hash(raw), source, studies, now_s, version)
    try:
        bundle.mkdir(parents=True, exist_ok=True)
        (bundle / IMPORTED_TEXT).write_bytes(raw)
        _save(bundle, {**manifest, "text": IMPORTED_TEXT})
    except OSError as error:
        raise StoreError(f"cannot write {bundle}: {error.strerror}", "Set RADOSCOPE_HOME to a folder.") from None
    return bundle


def folder_hash(folder: Path) -> str:
    """SHA-256 over the names and contents of all plain files: the same for a copy of the folder. Raises StoreError."""
    digest = hashlib.sha256()
    for path in plain_files(folder):
        digest.update(f"{path.relative_to(folder).as_posix()}\0{path.stat().st_size}\0".encode())
        try:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as error:
            raise StoreError(f"cannot read {path}: {error.strerror}") from None
    return digest.hexdigest()


def keep_folder(folder: Path, digest: str, studies: Path, *, now_s: float, version: str) -> Path:
    """Copy a result folder into a bundle of kind "import"; links are left out. Raises StoreError."""
    size = sum(path.stat().st_size for path in plain_files(folder))
    if size > _MOST_BYTES:
        raise StoreError(f"{folder} holds {format_bytes(size)}", "Import the part of it that holds the results.")
    bundle, manifest = _new_bundle(digest, folder.name, studies, now_s, version)
    try:
        for path in plain_files(folder):
            kept = bundle / IMPORTED_FOLDER / path.relative_to(folder)
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, kept)
        _save(bundle, {**manifest, "folder": IMPORTED_FOLDER})
    except OSError as error:
        raise StoreError(f"cannot write {bundle}: {error.strerror}", "Set RADOSCOPE_HOME to a folder.") from None
    return bundle


def plain_files(folder: Path) -> Iterator[Path]:
    """In the order of their paths; neither links nor devices nor pipes."""
    for parent, folders, names in os.walk(folder, followlinks=False):
        folders.sort()
        for path in (Path(parent, name) for name in sorted(names)):
            if path.is_file() and not path.is_symlink():
                yield path


def _new_bundle(digest: str, source: str, studies: Path, now_s: float, version: str) -> tuple[Path, dict[str, object]]:
    name = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(now_s))}-import-{digest[:8]}"
    manifest: dict[str, object] = {
        "kind": "import",
        "version": 1,
        "id": name,
        "source": source,
        "sha256": digest,
        "created_at_s": now_s,
        "radoscope_version": version,
    }
    return studies / name, manifest


def _save(bundle: Path, manifest: dict[str, object]) -> None:
    """Last, and at once: a folder without a manifest is no bundle."""
    fresh = bundle / f"{MANIFEST}.new"
    fresh.write_text(json.dumps(manifest, indent=1, ensure_ascii=False), encoding="utf-8")
    fresh.replace(bundle / MANIFEST)
