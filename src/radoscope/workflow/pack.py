"""A study's or an import's raw files as one file, to be handed on.

Without names where that is asked, proven: every number reads as before, and none of the names is left.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from radoscope.archives.imported import kind_of
from radoscope.archives.names import read_names
from radoscope.errors import PlanError, RadoscopeError, StoreError
from radoscope.kinds import read
from radoscope.kinds import read as read_study
from radoscope.records.manifest import MANIFEST
from radoscope.records.study import Study
from radoscope.report.anonymous import REMOVED, Names, free_of_names, map_texts, names_in
from radoscope.run.journal import check_not_running
from radoscope.store import plain_files
from radoscope.workflow.assess import study_folder

_TOKEN = re.compile(r'("(?:[^"\\\n]|\\.)*+")(\s*:)?|[^"]+|"[^\n]*')
"""A text of JSON, a key if a colon follows; or what is between texts, or a text that does not end."""
_WORD = re.compile(r'"[\w ]*"')
_NUMBERS = re.compile(r"[\d\s,-]*")
_BETWEEN_TEXTS = re.compile(r"(?:[\d\s:,{}\[\]+-]|\.\d+(?!\.)|[eE][+-]?\d|true|false|null)*+")
"""What stands nowhere but in numbers and around them."""


def names_of(studies: Mapping[Path, Study]) -> Names:
    """All that is known by name in these bundles, as they were read. Raises PlanError for an import."""
    for folder in studies:
        if kind_of(folder) == "import":
            raise PlanError(
                f"{folder.name} is an import, written by others: radoscope cannot know which names it contains",
                "Remove the names from the text, and import it again.",
            )
    return Names(one for folder, study in studies.items() for one in (*names_in(study), *read_names(folder)))


def rows_without_names(rows: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Rows of the store, each with its study's id, without names; a thing keeps its stand-in over all studies."""
    folders = [study_folder(study) for study in dict.fromkeys(str(row["study"]) for row in rows)]
    names = names_of({folder: read(folder) for folder in folders})
    return tuple({column: map_texts(value, names.replace_in) for column, value in row.items()} for row in rows)


def write_nameless(folder: Path, study: Study, target: Path, names: Names) -> None:
    """Copy a study's bundle to `target` without names, its files' own names included; `folder` is only read.

    study: as it reads with them.
    Raises StoreError where a number would be another one afterwards, or a name would be left; OSError.
    """
    for path in plain_files(folder):
        name = path.relative_to(folder).as_posix()
        fresh = target / names.replace_in(name)
        fresh.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("xb") as file:  # two files never become one
            file.write(_without_names(name, path.read_bytes(), names))
    _check_numbers(study, target)
    _check_names(target, names)


def _without_names(name: str, raw: bytes, names: Names) -> bytes:
    text = raw.decode("utf-8", "surrogateescape")
    if _NUMBERS.fullmatch(text):
        return raw
    text = _without_asides(name, text)
    is_json = name.endswith(".json") or text.lstrip().startswith(("{", "["))
    text = _in_json(text, names, named_keys=name.startswith("environment/ceph-")) if is_json else names.replace_in(text)
    return text.encode("utf-8", "surrogateescape")


def _without_asides(name: str, text: str) -> str:
    """Boot parameters and most options may say anything, and no reader of results needs them.

    Neither does one need the way to the cluster: without names nobody can go on with the study.
    """
    if name != MANIFEST and not name.startswith("environment/"):
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return json.dumps({"error": "damaged"})  # nobody can tell which names stand in it
    if name == "environment/ceph-config-dump.json" and isinstance(value, list):
        value = [_without_value(option) if isinstance(option, dict) else option for option in value]
    elif name == MANIFEST:
        value |= {"said": None}
    elif isinstance(value, dict) and "cmdline" in value:
        value |= {"cmdline": REMOVED}
    return json.dumps(value, indent=1)


def _without_value(option: dict[str, Any]) -> dict[str, Any]:
    return {**option, "value": free_of_names(str(option.get("name")), str(option.get("value")))}


def _in_json(text: str, names: Names, *, named_keys: bool) -> str:
    """The same to the byte but for names, also where it is damaged.

    A key that is a plain word belongs to the format. named_keys: it may be a daemon or an application, as Ceph answers.
    """

    def changed(match: re.Match[str]) -> str:
        token, colon = match[1], match[2] or ""
        if token is None:
            return match[0] if _BETWEEN_TEXTS.fullmatch(match[0]) else names.replace_in(match[0])
        if colon and not named_keys and _WORD.fullmatch(token):
            return match[0]
        try:
            said = json.loads(token, strict=False)
        except ValueError:
            return names.replace_in(match[0])
        fresh = names.replace_in(said)
        return match[0] if fresh == said else json.dumps(fresh) + colon

    return _TOKEN.sub(changed, text)


def _check_numbers(plain: Study, nameless: Path) -> None:
    try:
        pairs = zip_longest(_numbers(plain), _numbers(read(nameless)))
        same = all(before == after for before, after in pairs)
    except (RadoscopeError, LookupError):  # the manifest's own words were taken for names
        same = False
    if not same:
        raise StoreError(
            f"without names {plain.id} would read differently: a host or a pool has the name of a keyword",
            "Nothing was written. Share the anonymous report instead: radoscope report STUDY --anonymous.",
        )


def _numbers(value: Any) -> Iterator[str]:
    """Everything in a study that is no text, in order, and how long each list and mapping is."""
    if is_dataclass(value):
        for field in fields(value):
            yield from _numbers(getattr(value, field.name))
    elif isinstance(value, Mapping | tuple | list):
        yield f"{len(value)} items"
        for item in value.items() if isinstance(value, Mapping) else value:
            yield from _numbers(item)
    elif isinstance(value, Enum) or not isinstance(value, str):
        yield repr(value)


def _check_names(folder: Path, names: Names) -> None:
    leaks = names.leaks()
    for path in plain_files(folder):
        name = path.relative_to(folder).as_posix()
        if leaks.search(name) or leaks.search(path.read_bytes().decode("utf-8", "surrogateescape")):
            raise StoreError(f"a name would remain in {name}", "Nothing was written. Please report this.")


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
