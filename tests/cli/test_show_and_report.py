"""`radoscope show` and `radoscope report` on a study that is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from radoscope import workflow
from radoscope.cli.main import command
from radoscope.errors import StoreError
from radoscope.report import anonymise

from ..report.example_study import make_findings, make_material, make_study


@pytest.fixture(autouse=True)
def example(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The example study under every name: reading a bundle has tests of its own."""
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path_factory.mktemp("home")))
    folder = tmp_path_factory.mktemp("study")
    monkeypatch.setattr(workflow, "study_folder", lambda name: folder)
    monkeypatch.setattr(
        workflow, "load_study", lambda name, anonymous=False: anonymise(make_study()) if anonymous else make_study()
    )
    monkeypatch.setattr(workflow, "assess", make_material)


def run(*words: str) -> str:
    result = CliRunner().invoke(command, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_show_prints_the_verdict_every_cell_and_every_finding() -> None:
    shown = run("show", "last")
    assert "Through RBD this cluster answers one 4K write in 0.711 ms" in shown
    assert "33,096 ±9.2 %" in shown
    for finding in make_findings():
        assert finding.claim[:40] in shown


def test_show_json_is_json_with_all_cells() -> None:
    told = json.loads(run("show", "last", "--json"))
    assert len(told["cells"]) == len(make_study().cells)


def test_report_writes_one_page_and_one_text_and_says_where(tmp_path: Path) -> None:
    said = run("report", "last", "-o", str(tmp_path / "new"))
    page, text = (tmp_path / "new" / f"{make_study().id}{ending}" for ending in (".html", ".md"))
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert text.read_text(encoding="utf-8").startswith("# Cluster pve-b")
    assert str(page) in said


def test_a_place_that_is_named_as_a_page_is_the_page(tmp_path: Path) -> None:
    run("report", "last", "-o", str(tmp_path / "for the forum.html"))
    assert {path.name for path in tmp_path.iterdir()} == {"for the forum.html", "for the forum.md"}


def test_an_anonymous_report_names_no_host(tmp_path: Path) -> None:
    run("report", "last", "--anonymous", "-o", str(tmp_path))
    (page,) = tmp_path.glob("*.html")
    assert "6c0a8f9e-3b1d" not in page.read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_made_is_one_sentence_and_a_hint(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    result = CliRunner().invoke(command, ["report", "last", "-o", str(tmp_path / "file")])
    assert isinstance(result.exception, StoreError)
    assert "cannot be written" in result.exception.message
