"""`radoscope compare` on studies that are there."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from radoscope import workflow
from radoscope.cli.compare import GATE_CLOSED, read_gate
from radoscope.cli.main import command
from radoscope.cli.promises import read_promise
from radoscope.errors import PlanError
from radoscope.records.environment import ClusterFacts, Environment
from radoscope.records.study import Study
from radoscope.words import LANGUAGES

from ..stats.building import a_cell, a_latency, a_result, a_segment, a_study


def study(
    name: str, means: dict[int, float], version: str = "16.2.15", spread: float = 0.01, start: float = 0
) -> Study:
    """Cells with 1, 2... clients; latencies of 1 ms."""
    rng = random.Random(name)
    cells = tuple(a_cell(f"4k-x{count}", clients=count) for count in means)
    segments = tuple(
        a_segment(
            *[a_result(mean / count * rng.gauss(1, spread), latencies_s=[0.001] * 300)] * count,
            cell=f"4k-x{count}",
            number=number,
            started_at_s=1000 + start + 60 * number,
        )
        for count, mean in means.items()
        for number in range(10)
    )
    where = Environment(cluster=ClusterFacts(fsid="x", health="HEALTH_OK", version=version))
    return a_study(*((cell, []) for cell in cells), name=name, segments=segments, environment=where)


STUDIES = {
    "before": study("before", {1: 1000, 2: 1900, 4: 2400}),
    "after": study("after", {1: 1000, 2: 1600, 4: 3000}, version="17.2.7", start=5000),
    "again": study("again", {1: 1040, 2: 1850, 4: 2450}, start=9000),
    "jobs": a_study((a_cell("one"), [900.0] * 8), (a_cell("four", jobs=4), [1400.0] * 8), name="jobs"),
    "other": a_study((a_cell("64k", block_bytes=65536), [100.0] * 8), name="other"),
}


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workflow, "load_study", STUDIES.__getitem__)


def run(*words: str) -> Result:
    return CliRunner().invoke(command, ["compare", *words], catch_exceptions=False)


def test_each_cell_has_a_ratio_and_a_verdict_and_what_differs_is_listed() -> None:
    shown = run("before", "after").output
    assert "equivalent within 5.0%" in shown
    assert "slower, 15" in shown or "slower, 16" in shown
    assert "faster, 2" in shown
    assert "16.2.15" in shown
    assert "17.2.7" in shown
    assert "Holm" in shown
    assert "one run each" in shown


@pytest.mark.parametrize(
    ("asked", "german"),
    [
        (("before", "after"), "gleichwertig innerhalb von"),
        (("before", "jobs"), "Nur in before"),
        (("--pool-runs", "before", "again"), "zwischen Läufen"),
        (("before",), "Effizienz"),
        (("before", "--target", "sakura-standard"), "wie viele Clients zugleich"),
    ],
)
def test_every_reader_sees_the_same_figures_in_words_of_their_own(asked: tuple[str, ...], german: str) -> None:
    told = {language: run(*asked, "--lang", language).output for language in LANGUAGES}
    assert german in told["de"]
    assert len(set(told.values())) == len(LANGUAGES)
    english = _figures(told["en"])
    assert english
    assert {language for language, text in told.items() if _figures(text) != english} == set()


def _figures(text: str) -> list[str]:
    """Without regard to where a language puts them in a sentence."""
    return sorted(re.findall(r"\d+(?:[.,]\d+)*", text))


def test_json_holds_the_same() -> None:
    told = json.loads(run("before", "after", "--json").output)
    assert (told["schema"], told["kind"]) == ("radoscope/2", "comparison")
    [comparison] = told["comparisons"]
    first = comparison["cells"][0]["figures"][0]
    assert (first["quantity"], first["verdict"]["is"]) == ("iops", "equivalent")
    assert first["ratio"]["low"] < 1 < first["ratio"]["high"]
    assert {"what": "cluster: version", "a": "16.2.15", "b": "17.2.7"} in comparison["differences"]
    verdicts = {figure["verdict"]["is"] for cell in comparison["cells"] for figure in cell["figures"]}
    assert verdicts == {"equivalent", "slower", "faster", "undecided"}


def test_three_studies_are_two_comparisons() -> None:
    assert len(json.loads(run("before", "after", "again", "--json").output)["comparisons"]) == 2


def test_a_gate_closes_on_a_slower_cell_and_stays_open_otherwise() -> None:
    closed = run("before", "after", "--fail-if", "slower > 5%")
    assert closed.exit_code == GATE_CLOSED
    assert "4k-x2: slower > 5%" in closed.output
    assert run("before", "after", "--fail-if", "slower > 50%").exit_code == 0
    assert run("before", "before", "--fail-if", "different").exit_code == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("slower > 5%", ("headline", "slower", 0.05)),
        ("p99 slower > 10%", ("latency_p99_s", "slower", 0.1)),
        ("p99.9 slower", ("latency_p999_s", "slower", 0.0)),
        ("mean faster", ("latency_mean_s", "faster", 0.0)),
        ("not comparable", ("headline", "not comparable", 0.0)),
    ],
)
def test_gates_are_read(text: str, expected: tuple[str, str, float]) -> None:
    gate = read_gate(text)
    assert (gate.quantity, gate.verdict, gate.beyond) == expected


def test_a_gate_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(PlanError, match="not understood"):
        read_gate("worse than ever")
    with pytest.raises(PlanError, match="p42 is not reported"):
        read_gate("p42 slower")


def test_studies_without_a_common_cell_are_refused() -> None:
    with pytest.raises(PlanError, match="no cell in common"):
        run("before", "other")


def test_runs_of_one_side_are_pooled() -> None:
    assert "pooled" in run("before+again", "after+again", "--json").output
    shown = run("--pool-runs", "before", "again").output
    assert "2 runs together" in shown
    assert "between runs" in shown


def test_one_study_alone_shows_what_more_clients_bring() -> None:
    shown = run("before").output
    assert "1 to 2" in shown
    assert "95%" in shown
    with pytest.raises(PlanError, match="nothing to compare"):
        run("other")


def test_a_target_says_how_many_clients_can_have_it() -> None:
    told = json.loads(run("before", "--target", "sakura-standard", "--json").output)
    clients = told["studies"][0]["answers"][0]["clients"]
    assert "more than 4" in clients["needs"]
    assert "undecided" in run("before", "--target", "sakura-standard").output


def test_each_load_of_a_target_has_a_label_of_its_own_and_none_is_an_answer() -> None:
    shown = run("jobs", "--target", "ebs-gp3").output
    assert "4K random write, QD16, 4 jobs" in shown
    rows = [line for line in shown.splitlines() if "random write" in line]
    assert len(rows) == len({row.split("  ")[0] for row in rows}) == 2
    assert all(" none" in row for row in rows)
    assert "undecided" not in shown


def test_a_target_may_be_a_file(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('title = "Ours"\nwrite_iops = 800\nlatency = "5ms"\npercentile = 50\n', encoding="utf-8")
    asked = read_promise(str(file))
    assert (asked.name, asked.write_iops, asked.latency_s) == ("ours", 800, 0.005)
    answer = json.loads(run("before", "--target", str(file), "--json").output)["studies"][0]["answers"][0]
    assert 2 < answer["clients"]["value"] < 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("reads_iops = 5", "reads_iops: unknown key, did you mean read_iops?"),
        ("title = 'x'", "states no rate"),
        ("write_iops = '5'", "write_iops: Input should be a valid number, not '5'"),
        ("write_iops = 5\nblock = '4 MB'", "block: '4 MB' is not a size"),
        ("write_iops = -1\nlatency = 'soon'", "2 faults"),
        ("=", "not TOML"),
    ],
)
def test_a_bad_target_file_is_refused(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(PlanError) as told:
        read_promise(str(file))
    assert said in told.value.message


def test_an_unknown_target_names_the_known_ones() -> None:
    with pytest.raises(PlanError) as told:
        read_promise("nothing-like-it")
    assert "ebs-gp3" in told.value.hint


def test_a_sample_of_latencies_is_a_latency() -> None:
    assert a_latency([0.001, 0.003]).mean_s == pytest.approx(0.002)
