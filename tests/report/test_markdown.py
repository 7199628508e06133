"""The report as Markdown."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from radoscope.report import render_markdown
from radoscope.report.markdown import code_span, escape_markdown, fenced, table

from .conftest import CheckGolden
from .example_study import make_material
from .hostile import ATTACK, hostile_report_input
from .test_document import empty


@pytest.fixture(scope="module")
def text() -> str:
    return render_markdown(make_material())


def test_the_markdown_of_the_example_is_the_golden_one(text: str, golden: CheckGolden) -> None:
    golden("full.md", text)


def test_the_golden_text_of_a_study_without_anything_is_still_a_page(golden: CheckGolden) -> None:
    golden("empty.md", render_markdown(empty()))


def test_tables_are_aligned_in_a_fixed_width_font(text: str) -> None:
    blocks = [block for block in text.split("\n\n") if block.startswith("|")]
    assert len(blocks) >= 5
    for block in blocks:
        assert len({len(line) for line in block.splitlines()}) == 1


def test_wide_characters_count_as_two_columns() -> None:
    first, second = table(("項目",), [("IOPS",)]).splitlines()[0::2]
    assert first == "| 項目 |"
    assert second == "| IOPS |"


def test_there_is_no_html_in_it_even_from_a_hostile_study() -> None:
    parsed = MarkdownIt("commonmark").enable("table").parse(render_markdown(hostile_report_input()))
    tokens = [token for block in parsed for token in (block, *(block.children or ()))]
    assert not [token for token in tokens if token.type in ("html_block", "html_inline", "link_open", "image")]


def test_a_hostile_name_stays_in_its_cell() -> None:
    lines = table(("name", "value"), [(ATTACK, "1")]).splitlines()
    assert len(lines) == 3
    assert len(re.findall(r"(?<!\\)\|", lines[2])) == 3


@given(st.text())
def test_escaped_text_reads_as_it_was(text: str) -> None:
    inline = MarkdownIt("commonmark").parse("x " + escape_markdown(text))[1]
    kinds = {child.type for child in inline.children or ()}
    assert kinds <= {"text", "text_special"}


@given(st.text(alphabet="`ab \\"))
def test_code_keeps_its_backticks(text: str) -> None:
    blocks = MarkdownIt("commonmark").parse(fenced(text))
    assert [block.content for block in blocks if block.type == "fence"] == [text + "\n"]


def test_a_command_with_backticks_is_one_code_span() -> None:
    inline = MarkdownIt("commonmark").parse(code_span("echo `date`"))[1]
    assert [(child.type, child.content) for child in inline.children or ()] == [("code_inline", "echo `date`")]
