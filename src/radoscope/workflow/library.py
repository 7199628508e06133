"""The store of this host with its reader, and the import of texts and folders into it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from radoscope import __version__, paths

if TYPE_CHECKING:
    from radoscope.archives.paste import Unread
    from radoscope.explain.finding import Finding
    from radoscope.records.measurement import Result
    from radoscope.store import Store, StoredStudy


@dataclass(frozen=True, slots=True)
class Imported:
    """What was read. unread: in words. blocks: of a text, where that is. entry: None where nothing was kept, which is
    always so without a result."""

    results: tuple[Result, ...]
    unread: tuple[str, ...]
    findings: tuple[Finding, ...]
    blocks: tuple[Unread, ...] = ()
    entry: StoredStudy | None = None
    new: bool = False


def open_store() -> Store:
    """The index over this host's studies and imports."""
    from radoscope.archives.imported import read_bundle  # start-up time
    from radoscope.store import Store

    return Store(paths.index(), paths.studies(), read_bundle)


def read_text(raw: bytes) -> Imported:
    """Read and judge a text, and keep nothing."""
    from radoscope.archives import clean, paste  # start-up time

    page = paste.read_page(clean.decode(raw))
    unread = tuple(block.words for block in page.unread)
    return Imported(page.results, unread, judged(page.results), page.unread)


def import_text(raw: bytes, source: str) -> Imported:
    """Read, judge and keep a text; the same bytes twice are one study. Raises StoreError."""
    from radoscope.store import keep_text, text_hash  # start-up time

    return _kept(
        read_text(raw),
        text_hash(raw),
        lambda: keep_text(raw, source, paths.studies(), now_s=time.time(), version=__version__),
    )


def read_results(folder: Path) -> Imported:
    """Read and judge a folder: a CBT archive, bench-fio's, or plain files; keep nothing. Raises UnreadableFile."""
    from radoscope.archives.folders import read_folder  # start-up time

    found = read_folder(folder)
    unread = tuple(f"{file.file}: {file.why}" for file in found.unread)
    return Imported(found.results, unread, judged(found.results))


def import_folder(folder: Path) -> Imported:
    """Read, judge and keep a folder. Raises StoreError, UnreadableFile."""
    from radoscope.store import folder_hash, keep_folder  # start-up time

    read, digest = read_results(folder), folder_hash(folder)
    return _kept(
        read, digest, lambda: keep_folder(folder, digest, paths.studies(), now_s=time.time(), version=__version__)
    )


def judged(results: tuple[Result, ...]) -> tuple[Finding, ...]:
    """What the rules say of results, in the reader's language."""
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
