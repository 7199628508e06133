"""Where it was measured: cluster, pool, hosts, devices, versions."""

from __future__ import annotations

from radoscope.report.facts import gather_facts
from radoscope.report.material import Material, Section, Values


def prepare(material: Material) -> Values | None:
    groups = gather_facts(material.study)
    return {"groups": groups} if groups else None


SECTION = Section("place", prepare)
