"""What a kind of run is: its name in the manifest, how its bundle is read, what it shows, and how it prints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from radoscope.records.study import Study
from radoscope.report.material import Face, Material


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(Face):
    """name: in the manifest. read: the payload in a bundle's folder, None where it has none of this kind or it is
    damaged; study: the same bundle's cells and segments. show: print it for people.
    """

    name: str
    show: Callable[[Material], None]
    read: Callable[[Path, Study], object] = lambda folder, study: None
