"""The index over raw bundles: which studies and imports there are, and what is in them. Bundles stay the truth."""

from radoscope.store.index import Store, StoredStudy, created_at_s, pick
from radoscope.store.texts import folder_hash, keep_folder, keep_text, plain_files, text_hash

__all__ = [
    "Store",
    "StoredStudy",
    "created_at_s",
    "folder_hash",
    "keep_folder",
    "keep_text",
    "pick",
    "plain_files",
    "text_hash",
]
