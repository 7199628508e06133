"""A study's or an import's raw files as one file, to be handed on; with or without names."""

from __future__ import annotations

import gzip
import os
import tarfile
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from radoscope.errors import StoreError
from radoscope.kinds import read as read_study
from radoscope.records.study import Study
from radoscope.run.journal import check_not_running
from radoscope.store import plain_files
from radoscope.workflow.assess import study_folder


@dataclass(frozen=True, slots=True)
class Packed:
    """What was packed. replaced: how many things lost their name."""

    files: int
    size_bytes: int
    replaced: int = 0


def pack(study: str, output: Path, *, anonymous: bool = False) -> Packed:
    """Write a bundle as .tar.gz: one folder, called like the study. `output` is there whole, or as it was before.

    study: an id, the beginning of one, a path, or "last". Raises StoreError when it cannot be found, read or written,
    is being measured, or when a name cannot be taken out; PlanError for the names in an import's text.
    """
    folder = study_folder(study).resolve()
    read = read_study(folder)
    name = Path(read.id).name.strip(".") or folder.name
    check_not_running([name])
    if output.exists() and not output.is_file():
        raise StoreError(f"{output} is not a regular file", "Name another one with -o.")
    if folder in output.resolve().parents:
        raise StoreError(f"{output} lies within the study", "Raw files stay as they are. Name another file with -o.")
    try:
        with TemporaryDirectory(prefix=f".{output.name}-", dir=output.parent) as beside:
            replaced, whole = 0, Path(beside, "whole")
            if anonymous:
                folder, name, replaced = _nameless(folder, read, name, Path(beside, "nameless"))
            files = _write(folder, name, whole, max(0, int(read.created_at_s)))
            packed = Packed(files, whole.stat().st_size, replaced)
            whole.replace(output)
    except OSError as error:
        raise StoreError(f"cannot write {output}: {error.strerror or error}", "Name another file with -o.") from None
    return packed


def _nameless(folder: Path, study: Study, name: str, target: Path) -> tuple[Path, str, int]:
    from radoscope.workflow.nameless import names_of, write_nameless  # start-up time

    names = names_of({folder: study})
    write_nameless(folder, study, target, names)
    return target, names.replace_in(name), names.replaced()


def _write(folder: Path, name: str, output: Path, made_at_s: int) -> int:
    """The same bytes for the same files, whoever packs them and when. Returns how many files there are."""
    count = 0
    with output.open("wb") as file:
        with (
            gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as zipped,
            tarfile.open(fileobj=zipped, mode="w|", format=tarfile.PAX_FORMAT) as archive,
        ):
            for path in plain_files(folder):
                entry = tarfile.TarInfo(f"{name}/{path.relative_to(folder).as_posix()}")
                entry.size, entry.mtime, entry.mode = path.stat().st_size, made_at_s, 0o644
                with path.open("rb") as content:
                    archive.addfile(entry, content)
                count += 1
        file.flush()
        os.fsync(file.fileno())
    return count
