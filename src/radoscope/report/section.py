"""What a section of the report is: a name, and a function from the material to the values of its template."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from radoscope.report.material import Material

Values = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Section:
    """name: of its template, of its anchor, and of its words in languages/. prepare: None where there is no data.

    Those that a kind of run brings have their template, section.html.j2, in its package, and their own words: title,
    short, for the navigation, and lead. markdown: their blocks in the Markdown report.
    """

    name: str
    prepare: Callable[[Material], Values | None]
    package: str = ""
    title: str = ""
    short: str = ""
    lead: str = ""
    markdown: Callable[[Material], list[str]] = lambda material: []

    @property
    def template(self) -> str:
        return f"{self.package}/section.html.j2" if self.package else f"{self.name}.html.j2"
