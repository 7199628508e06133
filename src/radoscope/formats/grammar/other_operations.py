"""Whether a label tells of no reads and no writes: of deletions and listings, of what failed."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from radoscope import patterns as re
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.phrases import LABELS_KEPT, heading_of

_OTHER = Alternatives(words.OTHER_OPERATION)
_ALONE = re.compile(rf"[\W\d_]*(?:{words.OTHER_OPERATION_ALONE})[\W\d_]*", re.IGNORECASE)
_HEAD = re.compile(r"(?<![\w-])HEAD(?![\w-])")
"""Of an object, beside the other requests of object stores; elsewhere the newest state of a program."""
_REQUESTS = re.compile(r"(?<![\w-])(?:GET|PUT|LIST|DELETE|STAT)(?![\w-])")
_REQUEST = re.compile(words.OTHER_REQUEST, re.IGNORECASE)
_WORD = re.compile(rf"(?<![^\W_])(?:{words.OTHER_OPERATION_ALONE})(?![^\W_])", re.IGNORECASE)
_MEANWHILE = Alternatives(words.MEANWHILE)
_FAILED = re.compile(rf"(?:(?:{words.FAILED})\W*)+", re.IGNORECASE)
_LONGEST_LABEL = 80


@lru_cache(maxsize=LABELS_KEPT)
def names_other_operation(label: str) -> bool:
    """ "Oak DELETE small", "list objects", "stat files", and no direction: "snapshots deleted meanwhile" is none."""
    if len(label) > _LONGEST_LABEL or not _OTHER.search(label) or _MEANWHILE.search(label):
        return False
    return heading_of(label).load.way is None


@lru_cache(maxsize=LABELS_KEPT)
def may_name_request(label: str) -> bool:
    """A cheap look before the labels beside it are asked."""
    return len(label) <= _LONGEST_LABEL and (names_other_operation(label) or _WORD.search(label) is not None)


def names_one_of_requests(label: str, labels: Collection[str]) -> bool:
    """So, or in one word beside labels of reads and writes, or HEAD beside other requests."""
    if names_other_operation(label):
        return True
    if _ALONE.fullmatch(label):
        return any(heading_of(each).load.way or names_other_operation(each) for each in labels)
    if len(label) <= _LONGEST_LABEL and _WORD.search(label) and _is_beside_a_way(label, labels):
        return True
    return _HEAD.search(label) is not None and any(map(_REQUESTS.search, labels)) and not heading_of(label).load.way


def _is_beside_a_way(label: str, labels: Collection[str]) -> bool:
    """ "Oak löschen small" beside "Oak lesen small"."""
    name = heading_of(_WORD.sub(" ", label)).rest
    ways = (phrase for each in labels if (phrase := heading_of(each)).load.way)
    return heading_of(label).load.way is None and any(phrase.rest == name for phrase in ways)


@lru_cache(maxsize=LABELS_KEPT)
def heads_other_requests(heading: str) -> bool:
    """ "DELETE operations", above numbers of nothing else."""
    is_named = _REQUEST.search(heading) is not None and not _MEANWHILE.search(heading)
    return is_named and heading_of(heading).load.way is None


@lru_cache(maxsize=LABELS_KEPT)
def counts_failures(label: str) -> bool:
    """ "Failed ops/s", and not "IOPS, one failed drive"."""
    phrase = heading_of(label)
    return bool(phrase.quantities) and _FAILED.fullmatch(phrase.rest) is not None
