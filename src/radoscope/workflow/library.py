"""The store of this host with its reader, and the import of texts and folders into it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from radoscope import __version__, paths

if TYPE_CHECKING:
    from radoscope.explain.finding import Finding
    from radoscope.records.measurement import Result
    from radoscope.store import Store, StoredStudy


@dataclass(frozen=True, slots=True)
class Imported:
    """What was read. unread: in words. entry: None if no result was found and nothing was kept."""

    results: tuple[Result, ...]
    unread: tuple[str, ...]
    findings: tuple[Finding, ...]
    entry: StoredStudy | None = None
    new: bool = False


def open_store() -> Store:
    """The index over this host's studies and imports."""
    from radoscope.archives.folder import read  # start-up time
    from radoscope.store import Store

    return Store(paths.index(), paths.studies(), read)


def import_text(raw: bytes, source: str) -> Imported:
    """Read, judge and keep a text; the same bytes twice are one study. Raises StoreError."""
    from radoscope.archives import clean, paste  # start-up time
    from radoscope.store import keep_text, text_hash

    page = paste.read_page(clean.decode(raw))
    unread = tuple(
        f"lines {block.first_line}-{block.last_line} look like {block.reader}: {block.why}" for block in page.unread
    )
    read = Imported(page.results, unread, _judged(page.results))
    return _kept(
        read, text_hash(raw), lambda: keep_text(raw, source, paths.studies(), now_s=time.time(), version=__version__)
    )


def import_folder(folder: Path) -> Imported:
    """The same for a folder: a CBT archive, bench-fio's, or plain files. Raises StoreError, UnreadableFile."""
    from radoscope.archives.folders import read_folder  # start-up time
    from radoscope.store import folder_hash, keep_folder

    found = read_folder(folder)
    unread = tuple(f"{file.file}: {file.why}" for file in found.unread)
    digest = folder_hash(folder)
    read = Imported(found.results, unread, _judged(found.results))
    return _kept(
        read, digest, lambda: keep_folder(folder, digest, paths.studies(), now_s=time.time(), version=__version__)
    )


def _judged(results: tuple[Result, ...]) -> tuple[Finding, ...]:
    from radoscope import catalogue, explain  # start-up time

    return explain.judge(results, catalogue.results(), catalogue.drives())


def _kept(read: Imported, digest: str, keep: Callable[[], Path]) -> Imported:
    """With its entry in the store: the one that is there already, or a new one."""
    if not read.results:
        return read
    store = open_store()
    if known := store.with_hash(digest):
        return replace(read, entry=known)
    return replace(read, entry=store.add(keep()), new=True)
