"""The HTML page as a whole."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from radoscope.records.study import Study
from radoscope.report import render_html
from radoscope.report.document import is_command, mark_codes
from radoscope.report.material import Material
from radoscope.report.sections import SECTIONS
from radoscope.stats.values import Summaries

from .conftest import CheckGolden
from .example_study import make_material, make_study
from .hostile import hostile_report_input

VOID = {"meta", "br", "img", "input", "hr", "link"}


class _Reader(HTMLParser):
    """Collects tags and attributes, and checks that what is opened is closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(page: str) -> _Reader:
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def empty() -> Material:
    study = Study(id="20260101-empty", plan="quick", target="Nothing yet", created_at_s=0.0, cells=())
    return Material(study, Summaries(cells=()))


@pytest.fixture(scope="module")
def page() -> str:
    return render_html(make_material())


def test_the_page_of_the_example_is_the_golden_one(page: str, golden: CheckGolden) -> None:
    golden("full.html", page)


def test_the_golden_page_of_a_study_without_anything_says_so_in_each_section(golden: CheckGolden) -> None:
    page = render_html(empty())
    golden("empty.html", page)
    said = {section.name: section.nothing for section in SECTIONS}
    for name in ("ladder", "table", "latency", "series", "scaling", "findings", "place"):
        assert said[name] and said[name] in page


def test_each_section_has_its_anchor_and_the_navigation_leads_to_it(page: str) -> None:
    reader = read(page)
    anchors = {attrs.get("id") for _, attrs in reader.seen}
    assert {section.name for section in SECTIONS if section.nothing} <= anchors
    leads_to = {str(attrs["href"]).removeprefix("#") for tag, attrs in reader.seen if tag == "a"}
    assert leads_to <= anchors


def test_the_page_needs_nothing_from_a_network_or_another_file(page: str) -> None:
    for tag, attrs in read(page).seen:
        assert tag not in ("link", "iframe", "img", "object")
        assert "src" not in attrs
        assert str(attrs.get("href", "#")).startswith("#")
    assert "@import" not in page
    assert "url(" not in page


def test_only_our_own_script_may_run(page: str) -> None:
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 1
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert f"script-src &#39;sha256-{digest}&#39;" in page or f"script-src 'sha256-{digest}'" in page


def test_the_page_stays_small(page: str) -> None:
    assert len(page.encode()) < 1_000_000


def test_every_chart_is_well_formed_and_named_for_those_who_do_not_see_it(page: str) -> None:
    charts = re.findall(r'<svg class="chart.*?</svg>', page, re.DOTALL)
    assert len(charts) > 20
    for chart in charts:
        root = ElementTree.fromstring(chart)
        assert root.get("role") == "img"
        assert root.get("aria-label")
        assert "nan" not in chart


def test_a_hostile_study_adds_no_element_and_no_attribute(page: str) -> None:
    honest, attacked = read(page), read(render_html(hostile_report_input()))
    assert {tag for tag, _ in attacked.seen} <= {tag for tag, _ in honest.seen}
    known = {name for _, attrs in honest.seen for name in attrs}
    assert {name for _, attrs in attacked.seen for name in attrs} <= known
    assert not any(name.startswith("on") for name in known)
    assert sum(tag == "script" for tag, _ in attacked.seen) == 1


def test_template_code_in_a_name_is_not_run() -> None:
    material = make_material(replace(make_study(), target="{{ 7 * 7 }}"))
    assert "{{ 7 * 7 }}" in render_html(material)


def test_a_study_that_was_cut_off_says_so() -> None:
    page = render_html(make_material(replace(make_study(), complete=False)))
    assert "interrupted before its end" in page


def test_a_next_step_is_a_command_only_when_it_is_nothing_else() -> None:
    assert is_command("radoscope study --plan quick")
    assert not is_command("radoscope catalogue drives lists them with their sources.")
    assert not is_command("Repeat with twice the client hosts")


def test_words_in_backticks_become_code_and_nothing_else_does() -> None:
    assert mark_codes("run `ceph -s` & <b>") == "run <code>ceph -s</code> &amp; &lt;b&gt;"
