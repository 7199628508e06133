"""What a study says of its cluster, for what-if: read and computed once, and kept as its report is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from radoscope import catalogue
from radoscope.archives import clean
from radoscope.explain.finding import Severity
from radoscope.predict.facts import Facts
from radoscope.predict.measured import CellRate, facts_of
from radoscope.report.material import Material
from radoscope.store.texts import IMPORTED_TEXT
from radoscope.workflow import assess, kept, load_study
from radoscope.workflow.known import cells_of

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_RELEASE = re.compile(r"\bceph\b[^\n\d]{0,12}\b((?:1[2-9]|2\d)\.\d{1,2}(?:\.\d{1,2})?)\b", re.IGNORECASE)
_MODEL = re.compile(r"\b[A-Za-z]{1,4}-?\d{2,4}[A-Za-z]*\b")
"""How drives are called: PM983, S4500, MX500, CD6 is too short to be sure of."""
_MOST = 5000


@dataclass(frozen=True, slots=True)
class Measured:
    """title: for people. cells: rates. facts: what was captured on the hosts and from the monitors; None for a text,
    whose cluster has to be described. fields: of the form, as far as it says them. drives: all that a text names.
    invalid: cells whose rates are not what they seem, by the judgement."""

    title: str
    cells: tuple[CellRate, ...]
    facts: Facts | None
    fields: Mapping[str, str]
    drives: tuple[str, ...] = ()
    invalid: frozenset[str] = frozenset()


def measured(folder: Path) -> Measured:
    """Of the bundle in a folder. Raises StoreError."""
    text = kept.recall(_place(folder))
    if text is not None:
        with suppress(ValueError):  # damaged: computed anew
            return _form().validate_json(text)
    return keep(folder, assess(load_study(str(folder))))


def keep(folder: Path, material: Material) -> Measured:
    """The same of a study that is at hand."""
    raw = b""
    with suppress(OSError):
        raw = (folder / IMPORTED_TEXT).read_bytes()
    found = measured_of(material, raw)
    kept.keep(_place(folder), _form().dump_json(found).decode(), _MOST)
    return found


def measured_of(material: Material, text: bytes) -> Measured:
    """text: that was imported; empty for a folder, and for a study of ours."""
    study = material.study
    cells = cells_of(study, material.summaries)
    invalid = frozenset(cell for one in material.findings if one.severity is Severity.INVALID for cell in one.cells)
    if study.imported:
        return Measured(study.target, cells, None, *_of_text(clean.decode(text)), invalid)
    facts, _lacking = facts_of(study, cells)
    return Measured(study.target, cells, facts, _fields(facts), (), invalid)


def _place(folder: Path) -> Path:
    return kept.place_of(folder, "measured").with_suffix(".facts")


@cache
def _form() -> TypeAdapter[Measured]:
    from pydantic import TypeAdapter  # start-up time

    return TypeAdapter(Measured)


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
