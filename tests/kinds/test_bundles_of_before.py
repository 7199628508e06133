"""Bundles that an older radoscope wrote read as they did then."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from radoscope.kinds import kind_of, read
from radoscope.report import render_html, render_markdown
from radoscope.stats.compare import compare
from radoscope.stats.ratio import Ratio
from radoscope.stats.summarise import summarise
from radoscope.stats.values import Estimate
from radoscope.workflow import assess, load_study
from tests.kinds.bundles import CAPTURES, unpacked

SAID = json.loads((CAPTURES / "said.json").read_text())
KINDS = {"rounds": "rounds", "scenario": "scenario", "osd-bench": "osd-bench", "ab-a": "rounds", "ab-b": "rounds"}


@pytest.mark.parametrize("name", KINDS)
def test_its_kind_is_known_though_its_manifest_says_only_study(name: str, tmp_path: Path) -> None:
    assert read(unpacked(name, tmp_path)).kind == KINDS[name]


def test_every_cell_has_the_rate_that_it_had(tmp_path: Path) -> None:
    summaries = summarise(read(unpacked("rounds", tmp_path)))
    assert {one.cell.name for one in summaries.cells} == set(SAID["rounds"]["cells"])
    for one in summaries.cells:
        then = SAID["rounds"]["cells"][one.cell.name]
        assert one.segments == then["segments"]
        assert (one.iops.value if isinstance(one.iops, Estimate) else None) == then["iops"]


def _said_of(name: str, folder: Path) -> dict[str, Any]:
    """What `--json` adds for its kind, as a reader of the JSON gets it."""
    study = read(unpacked(name, folder))
    added: dict[str, Any] = json.loads(json.dumps(kind_of(study).to_json(study)))
    return added


def test_a_scenario_says_what_it_said(tmp_path: Path) -> None:
    told = _said_of("scenario", tmp_path)["scenario"]
    assert {name: told[name] for name in SAID["scenario"]} == SAID["scenario"]


def test_every_osd_has_the_figures_that_it_had(tmp_path: Path) -> None:
    for now, then in zip(_said_of("osd-bench", tmp_path)["osds"], SAID["osd-bench"], strict=True):
        assert (now["osd"], now["device_class"]) == (then["osd"], then["device_class"])
        assert now["iops"]["value"] == then["iops"]["value"]
        # Student's quantile had eleven digits of a library that iterates.
        assert now["iops"]["low"] == pytest.approx(then["iops"]["interval"]["low"], rel=1e-10)
        assert now["of_peers"] == then["of_peers"]
        assert (now["sick"]["value"], bool(now["sick"]["undecided"])) == (None, bool(then["sick"]["because"]))


def test_two_sides_of_an_experiment_have_the_same_ratios(tmp_path: Path) -> None:
    [found] = compare([read(unpacked("ab-a", tmp_path))], [[read(unpacked("ab-b", tmp_path))]])
    ratios = {one.cell.name: one.headline.ratio for one in found.cells}
    for name, ratio in ratios.items():
        assert isinstance(ratio, Ratio)
        assert ratio.value == pytest.approx(SAID["ab"][name])


@pytest.mark.parametrize("name", KINDS)
def test_it_can_be_shown_in_every_form(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = load_study(str(unpacked(name, tmp_path)))
    material = assess(study)
    first = " ".join(render_markdown(material).split("\n\n")[2].split())
    assert first
    assert study.id in render_html(material)
    kind_of(study).show(material)
    assert capsys.readouterr().out.strip()


def test_the_asked_precision_is_the_one_that_its_cells_are_held_against(tmp_path: Path) -> None:
    study = load_study(str(unpacked("rounds", tmp_path)))
    material = assess(study)
    assert study.precision == SAID["rounds"]["precision"] == 0.6
    assert "±60 %" in render_markdown(material)
    assert "±5 %" not in render_markdown(material)
    # The bundle of an experiment has the same plan, ten segments a cell, and spreads between 5 and 60 %.
    precise = [one.precise for one in summarise(load_study(str(unpacked("ab-b", tmp_path)))).cells]
    assert any(precise)
