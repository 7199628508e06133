"""The kinds of run, each with a room of its own: what it measures, how its bundle is read, judged and shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from radoscope.archives.imported import read_bundle
from radoscope.kinds import ab, osd_bench, rounds, scenario
from radoscope.kinds.kind import Kind
from radoscope.records.study import Study

KINDS: tuple[Kind, ...] = (rounds.KIND, ab.KIND, scenario.KIND, osd_bench.KIND)


def read(folder: Path) -> Study:
    """The study in a bundle's folder, whatever its kind. Raises StoreError."""
    study = read_bundle(folder)
    for kind in KINDS if study.kind == "study" else (kind_of(study),):
        if (payload := kind.read(folder, study)) is not None:
            return replace(study, kind=kind.name, payload=payload)
    return replace(study, kind=rounds.KIND.name) if study.kind == "study" else study


def kind_of(study: Study) -> Kind:
    """Its kind; what is measured elsewhere and imported shows its cells as one of rounds does."""
    return next((kind for kind in KINDS if kind.name == study.kind), rounds.KIND)
