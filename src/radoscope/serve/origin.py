"""Where what-if begins: at a paste or a study."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from radoscope.archives.imported import study_of
from radoscope.predict.facts import Facts
from radoscope.predict.measured import known_rates, with_lower_layers
from radoscope.predict.outlook import Known
from radoscope.serve import library, paste
from radoscope.serve.measured import Measured, measured, measured_of
from radoscope.units import format_count
from radoscope.words import _
from radoscope.workflow import assess

_PASTE = re.compile(r"[0-9a-f]{32}")
_MOST = 30


@dataclass(frozen=True, slots=True)
class Origin:
    """name: in the address. href: its page. measured: what it says, its name for people among it."""

    name: str
    href: str
    measured: Measured

    @property
    def known(self) -> tuple[str, ...]:
        """The rates that are known, in words, in the order of `given`."""
        mark = " (" + _("invalid") + ")"
        return tuple(
            f"{one.name}: {format_count(one.iops)} IOPS{mark if at in self.invalid else ''}"
            for at, one in enumerate(self._rates(Facts()))
        )

    @property
    def invalid(self) -> frozenset[int]:
        """The places of those that do not count unless somebody says so."""
        return frozenset(at for at, one in enumerate(self._rates(Facts())) if one.name in self.measured.invalid)

    def given(self, facts: Facts, without: frozenset[int]) -> tuple[Facts, tuple[Known, ...]]:
        """(the facts with what was measured of drive and network, the known rates but for those without)."""
        facts, _words = with_lower_layers(facts, self.measured.cells)
        return facts, tuple(one for at, one in enumerate(self._rates(facts)) if at not in without)

    def _rates(self, facts: Facts) -> tuple[Known, ...]:
        return known_rates(facts, self.measured.cells)[:_MOST]


def origin(name: str) -> Origin:
    """By the key of a paste or the name of a study. Raises StoreError."""
    if _PASTE.fullmatch(name):
        return Origin(name, f"/paste/{name}", _of_paste(name))
    return Origin(name, f"/study/{name}", measured(library.folder(name)))


@lru_cache(16)
def _of_paste(key: str) -> Measured:
    pasted = paste.TABLE.find(key)
    study = study_of(pasted.read.results, id=key, source=pasted.name, created_at_s=0.0)
    return measured_of(assess(study), pasted.text or b"")
