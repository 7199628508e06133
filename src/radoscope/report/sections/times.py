"""Where the time of an I/O went, from the client to the medium."""

from __future__ import annotations

from radoscope.report.material import Material, Section, Values
from radoscope.report.times import HEADER, NOTE, rows


def prepare(material: Material) -> Values | None:
    found = rows(material)
    return {"header": HEADER, "rows": found, "note": NOTE} if found else None


SECTION = Section("times", prepare)
