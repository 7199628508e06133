"""The store of this host with its reader, and the import of a text into it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from radoscope import __version__, paths

if TYPE_CHECKING:
    from radoscope.archives.paste import Page
    from radoscope.explain.finding import Finding
    from radoscope.store import Entry, Store


@dataclass(frozen=True, slots=True)
class Imported:
    """A text that was read. entry: None where it holds no result and was not kept. new: it was not here before."""

    page: Page
    findings: tuple[Finding, ...]
    entry: Entry | None
    new: bool


def open_store() -> Store:
    """The index over this host's studies and imports."""
    from radoscope.archives.folder import read  # start-up time
    from radoscope.store import Store

    return Store(paths.index(), paths.studies(), read)


def import_text(raw: bytes, source: str) -> Imported:
    """Read, judge and keep a text; the same bytes twice are one study. Raises StoreError."""
    from radoscope import catalogue, explain  # start-up time
    from radoscope.archives import clean, paste
    from radoscope.store import keep_text, text_hash

    page = paste.read_page(clean.decode(raw))
    findings = explain.judge(page.results, catalogue.results(), catalogue.drives())
    if not page.results:
        return Imported(page, findings, None, False)
    store = open_store()
    if known := store.with_hash(text_hash(raw)):
        return Imported(page, findings, known, False)
    folder = keep_text(raw, source, paths.studies(), now_s=time.time(), version=__version__)
    return Imported(page, findings, store.add(folder), True)
