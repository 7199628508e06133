"""What a section of the report is: a name, and a function from the material to the values of its template."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from radoscope.report.material import Material

Values = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Section:
    """name: of its template, of its anchor, and of its words in languages/. prepare: None where there is no data."""

    name: str
    prepare: Callable[[Material], Values | None]

    @property
    def template(self) -> str:
        return f"{self.name}.html.j2"
