"""Where what-if begins: at a paste or a study, with what was measured there and what it says of the cluster."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from radoscope import catalogue, predict, workflow
from radoscope.archives import clean
from radoscope.archives.imported import study_of
from radoscope.predict import Facts, Known, Seen
from radoscope.serve import library, paste
from radoscope.store.texts import IMPORTED_TEXT
from radoscope.units import format_count
from radoscope.workflow.known import cells_of

_PASTE = re.compile(r"[0-9a-f]{32}")
_RELEASE = re.compile(r"\bceph\b[^\n\d]{0,12}\b((?:1[2-9]|2\d)\.\d{1,2}(?:\.\d{1,2})?)\b", re.IGNORECASE)
_MODEL = re.compile(r"\b[A-Za-z]{1,4}-?\d{2,4}[A-Za-z]*\b")
"""How drives are called: PM983, S4500, MX500, CD6 is too short to be sure of."""
_MOST = 30


@dataclass(frozen=True, slots=True)
class Origin:
    """name: in the address. title: for people. href: its page. fields: of the form, as far as the origin says them.
    drives: all that a text names. cells: what was measured. facts: of a study, whose cluster needs no describing; None
    for a text."""

    name: str
    title: str
    href: str
    fields: Mapping[str, str]
    drives: tuple[str, ...]
    cells: tuple[Seen, ...]
    facts: Facts | None

    @property
    def known(self) -> tuple[str, ...]:
        """The rates that are known, in words, in the order of `given`."""
        return tuple(f"{one.name}: {format_count(one.iops)} IOPS" for one in self._rates(Facts()))

    def given(self, facts: Facts, without: frozenset[int]) -> tuple[Facts, tuple[Known, ...]]:
        """(the facts with what was measured of drive and network, the known rates but for those without)."""
        facts, _words = predict.with_lower_layers(facts, self.cells)
        return facts, tuple(one for at, one in enumerate(self._rates(facts)) if at not in without)

    def _rates(self, facts: Facts) -> tuple[Known, ...]:
        return predict.known_rates(facts, self.cells)[:_MOST]


@lru_cache(16)
def origin(name: str) -> Origin:
    """By the key of a paste or the name of a study. Raises StoreError."""
    if _PASTE.fullmatch(name):
        pasted = paste.TABLE.find(name)
        study = study_of(pasted.read.results, id=name, source=pasted.name, created_at_s=0.0)
        raw = pasted.text or b""
        href = f"/paste/{name}"
    else:
        entry = library.entry(name)
        folder = workflow.study_folder(entry.id)
        study = workflow.load_study(str(folder))
        raw = _bytes(folder / IMPORTED_TEXT) if study.imported else b""
        href = f"/study/{entry.id}"
    cells = cells_of(study)
    if study.imported:
        return Origin(name, study.target, href, *_of_text(clean.decode(raw)), cells, None)
    facts, _lacking = predict.facts_of(study, cells)
    return Origin(name, study.target, href, _fields(facts), (), cells, facts)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _of_text(text: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """What a text says once and for all: a release and a drive, each where it names one alone."""
    releases = set(_RELEASE.findall(text))
    words = {
        drive.model: word
        for word in dict.fromkeys(_MODEL.findall(text)[:2000])
        if (drive := catalogue.match_drive(word)) is not None
    }
    drives = tuple(words.values())[:8]
    release = releases.pop() if len(releases) == 1 else ""
    return {"ceph_version": release, "drive": drives[0] if len(drives) == 1 else "", "network_Gbps": ""}, drives


def _fields(facts: Facts) -> dict[str, str]:
    """What was captured on the hosts and from the monitors, as the form has it."""
    model = facts.osd_device_model
    said = {
        "nodes": facts.nodes,
        "drives_per_node": facts.osd_devices_per_node,
        "network_Gbps": facts.network_Gbps,
        "cores_per_node": facts.cores_per_node,
        "drive": model if model and catalogue.match_drive(model) else "",
        "ceph_version": (facts.ceph_version or "").split(" ")[0],
        "protection": facts.ec_profile or facts.pool_size,
    }
    return {name: f"{value:g}" if isinstance(value, int | float) else value or "" for name, value in said.items()}
