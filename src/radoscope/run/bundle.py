"""The bundle: a folder with the manifest and every raw file. Written here, never edited again, read by archives."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from radoscope import __version__, paths
from radoscope.errors import StoreError
from radoscope.records.manifest import MANIFEST, Manifest, SegmentEntry, as_json
from radoscope.records.study import Cell


class Bundle:
    """One study's folder while it is being written. The manifest on disk is complete after every segment."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest
        self._has_answers = False

    @classmethod
    def create(cls, manifest: Manifest) -> Bundle:
        """Make the folder, seen once its manifest is there. Raises StoreError when it exists or cannot be written."""
        folder, fresh = paths.studies() / manifest.id, paths.begun_study(manifest.id)
        if folder.exists():
            raise StoreError(f"there is a study {manifest.id} already", "radoscope list shows all studies.")
        bundle = cls(fresh, manifest)
        try:
            fresh.mkdir(parents=True, exist_ok=True)
            bundle.save()
            fresh.replace(folder)
        except StoreError:
            shutil.rmtree(fresh, ignore_errors=True)
            raise
        except OSError as error:
            raise StoreError(
                f"cannot make {folder}: {error.strerror}", "Set RADOSCOPE_HOME to a folder with space."
            ) from None
        bundle.folder = folder
        return bundle

    def add_segment(self, entry: SegmentEntry) -> None:
        self.manifest = replace(self.manifest, segments=(*self.manifest.segments, entry))
        self.save()

    def add_capture(self, name: str, text: str) -> None:
        """Keep a raw text of the environment under a name."""
        file = self.folder / "environment" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        captures = {**self.manifest.captures, name: str(file.relative_to(self.folder))}
        self.manifest = replace(self.manifest, captures=captures)

    def add_answer(self, name: str, text: str) -> None:
        """The same for what was measured without a segment: an answer to a question."""
        self.add_capture(name, text)
        self._has_answers = True
        self.save()

    @property
    def holds_results(self) -> bool:
        return self._has_answers or bool(self.manifest.segments)

    def change(self, **fields: Any) -> None:
        """Replace fields of the manifest (complete, seconds, notes ...) and save it."""
        self.manifest = replace(self.manifest, **fields)
        self.save()

    def save(self) -> None:
        """Write the manifest so that a crash leaves the old or the new one, never half. Raises StoreError."""
        path = self.folder / MANIFEST
        fresh = path.with_suffix(".new")
        try:
            fresh.write_bytes(as_json().dump_json(self.manifest, indent=1))
            with fresh.open("rb") as file:
                os.fsync(file.fileno())
            fresh.replace(path)
        except OSError as error:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise cannot_write(path, error) from None


def cannot_write(what: Path | str, error: OSError) -> StoreError:
    """A full or broken disk in the middle of a study."""
    hint = "Everything measured so far is kept. Free space, then resume or start again."
    return StoreError(f"cannot write {what}: {error.strerror}", hint)


def new_manifest(
    study_id: str, plan: dict[str, Any], target: str, created_at_s: float, cells: tuple[Cell, ...], **more: Any
) -> Manifest:
    return Manifest(
        id=study_id,
        plan=plan,
        target=target,
        created_at_s=created_at_s,
        cells=cells,
        radoscope_version=__version__,
        **more,
    )
