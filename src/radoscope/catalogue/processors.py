"""Processors: what a model name says about speed. Relative figures, from public specifications."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Processor:
    """One processor family.

    ghz: the clock it sustains on all cores under load. ipc: work per cycle relative to an Intel Broadwell core.
    cores: per socket where the name says so, else None.
    """

    name: str
    ghz: float
    ipc: float
    cores: int | None = None

    @property
    def speed(self) -> float:
        """GHz x relative work per cycle: the figure on which the model scales software."""
        return self.ghz * self.ipc


@lru_cache(maxsize=1)
def processors() -> tuple[tuple[str, Processor], ...]:
    """All families in the order in which they are tried: the most specific pattern first."""
    text = Path(__file__).with_name("data").joinpath("processors.toml").read_text(encoding="utf-8")
    rows = tomllib.loads(text)["processor"]
    return tuple((row["pattern"], Processor(row["name"], row["ghz"], row["ipc"], row.get("cores"))) for row in rows)


@lru_cache(maxsize=512)
def find_processor(name: str | None) -> Processor | None:
    """The family a printed model name belongs to ("2x Xeon E5-2630 v4"), or None."""
    if not name:
        return None
    found = (processor for pattern, processor in processors() if re.search(pattern, name, re.IGNORECASE))
    return next(found, None)  # start-up time: the patterns behind it are never compiled


def sockets(name: str | None) -> int:
    """ "2x Xeon ..." or "dual EPYC" -> 2; 1 where the name does not say."""
    match = re.search(r"\b([248])\s*[x×*]\s", f"{name or ''} ")
    if match:
        return int(match[1])
    return 2 if re.search(r"\bdual\b(?![- ]core)", name or "", re.IGNORECASE) else 1
