"""The index over raw bundles: which studies and imports there are, and what is in them. Bundles stay the truth."""

from radoscope.store.index import Entry, Store
from radoscope.store.texts import IMPORTED_TEXT, keep_text, text_hash

__all__ = ["IMPORTED_TEXT", "Entry", "Store", "keep_text", "text_hash"]
