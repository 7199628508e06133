"""The whole report as one HTML file: no network, no other file, readable without JavaScript."""

from __future__ import annotations

import base64
import hashlib
import re
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from radoscope.report.material import Material, Section, Values
from radoscope.report.sections import SECTIONS
from radoscope.report.words import SEVERITIES
from radoscope.units import format_seconds
from radoscope.words import _, ngettext, reader

if TYPE_CHECKING:
    from jinja2 import Environment, Template
    from markupsafe import Markup

COMMANDS = ("radoscope", "ceph", "fio", "rados", "rbd", "hdparm", "iperf3", "ping")


def render_html(material: Material, template: str = "page.html.j2") -> str:
    """A self-contained page: opens from disk, light and dark, printable. All text of the study is escaped.

    template: another one that extends it, and its policy, may let it load more.
    """
    study, page = material.study, _environment().get_template(template)
    return page.render(
        study=study,
        when=when(study.created_at_s),
        lasted=format_seconds(study.seconds) if study.seconds else "",
        sections=_prepared(material),
        style=_safe(_part("style.css")),
        script=_safe(_part("tooltips.js")),
        policy=_safe(policy()),
    )


def _prepared(material: Material) -> list[tuple[Section, Values | None]]:
    """Those of the kind follow the verdict. What a text does not hold is not missed: it was never to be measured."""
    sections = (SECTIONS[0], *material.face.sections, *SECTIONS[1:])
    prepared = [(section, section.prepare(material)) for section in sections]
    return [
        (section, values)
        for section, values in prepared
        if values is not None or (section.nothing and not material.study.imported)
    ]


def when(unix_s: float) -> str:
    """Unix time -> "2026-03-14 09:26 UTC"."""
    return f"{datetime.fromtimestamp(unix_s, tz=UTC):%Y-%m-%d %H:%M} UTC"


@cache
def _environment() -> Environment:
    # jinja2 is imported here, because `radoscope show` needs the words of this package but no page
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update({"_": _, "ngettext": ngettext, "language": reader, "severities": SEVERITIES})
    environment.filters.update({"codes": mark_codes, "command": command, "is_command": is_command})
    return environment


def page_template(name: str) -> Template:
    """A template of another page in the same clothes; its text is escaped as ours is."""
    return _environment().get_template(name)


def style() -> Markup:
    return _safe(_part("style.css"))


def mark_codes(text: str) -> Markup:
    """`words in backticks` become <code>; everything is escaped first."""
    from markupsafe import Markup, escape

    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def command(text: str) -> Markup:
    """A command as code. Its words stay whole: a browser would part `--runtime` behind its hyphens."""
    from markupsafe import Markup, escape

    words = re.sub(r"\S*-\S*", r"<span>\g<0></span>", str(escape(text)))
    return Markup(f"<code>{words}</code>")


def is_command(text: str) -> bool:
    """Whether a next step is a command to copy rather than a sentence."""
    return text.split(" ", 1)[0] in COMMANDS and not text.endswith((".", "。")) and "\n" not in text


def _template(name: str) -> str:
    """By name, or as package/name where a kind of run brings it."""
    package, _, file = name.rpartition("/")
    return (files(package) / file).read_text(encoding="utf-8") if package else _part(file)


def _part(name: str) -> str:
    return (files("radoscope.report") / "templates" / name).read_text(encoding="utf-8")


def _safe(text: str) -> Markup:
    """Marks our own file as markup; never used for anything that comes from a study."""
    from markupsafe import Markup

    return Markup(text)


def policy(styles: str = "'unsafe-inline'") -> str:
    """What a browser lets a report do: run the one script that this names by its hash, and nothing from elsewhere."""
    script = base64.b64encode(hashlib.sha256(_part("tooltips.js").encode()).digest()).decode()
    return f"default-src 'none'; style-src {styles}; script-src 'sha256-{script}'; base-uri 'none'; form-action 'none'"
