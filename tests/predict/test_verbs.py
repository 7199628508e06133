"""`radoscope predict` and `radoscope catalogue` as a user types them."""

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from radoscope.cli import catalogue, predict
from radoscope.errors import PlanError

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "cluster.toml")


def run(*arguments: str) -> str:
    return CliRunner().invoke(predict.command, arguments, catch_exceptions=False).output


def test_a_cluster_file_gives_a_table_a_budget_and_what_was_assumed() -> None:
    said = run(EXAMPLE)
    assert "80 % interval" in said
    assert "OSD software" in said and "█" in said
    assert "Assumed" in said
    assert "p99 lies somewhere" in said


@pytest.mark.parametrize("arguments", [[], ["--what-if", "nodes = 6"], ["--json"]])
def test_a_prediction_waits_for_no_numba_no_fitting_library_and_no_studies(arguments: list[str]) -> None:
    program = (
        f"import sys\nfrom radoscope.cli.predict import command\nsys.argv[1:] = {[EXAMPLE, *arguments]!r}\n"
        "try:\n    command()\nexcept SystemExit as end:\n    assert not end.code\n"
        "assert not {'numba', 'scipy', 'radoscope.records.study'} & set(sys.modules)\n"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 2.0  # 0.4 s on a calm machine


def test_budget_parts_sum_to_the_latency() -> None:
    told = json.loads(run(EXAMPLE, "--workload", "4k-randwrite-qd1", "--json"))
    assert (told["schema"], told["kind"]) == ("radoscope/2", "forecast")
    [row] = told["forecasts"]
    total = sum(part["seconds"] for part in row["budget"])
    assert total == pytest.approx(row["latency_mean_s"], rel=0.01)
    assert row["iops"]["low"] < row["iops"]["value"] < row["iops"]["high"]


def test_what_ifs_are_told_one_by_one_and_together() -> None:
    said = json.loads(
        run(EXAMPLE, "--what-if", "nodes = 6", "--what-if", "size = 2", "--workload", "4k-randwrite-qd32-x32", "--json")
    )
    assert [row["changes"] for row in said["forecasts"][0]["what_if"]] == [
        ["nodes = 6"],
        ["size = 2"],
        ["nodes = 6", "size = 2"],
    ]


def test_a_target_names_changes_and_their_effort() -> None:
    said = run(EXAMPLE, "--target", "400 clients x 500 write IOPS")
    assert "Wanted: 200,000 IOPS" in said
    assert "effort" in said


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("nowhere.toml",),
        ("--batch", "nowhere.jsonl"),
        (EXAMPLE, "--target", "fast"),
        (EXAMPLE, "--workload", "quick"),
    ],
)
def test_nonsense_is_refused_with_a_hint(arguments: tuple[str, ...]) -> None:
    done = CliRunner().invoke(predict.command, arguments)
    assert isinstance(done.exception, PlanError)
    assert done.exception.hint


def test_drives_and_results_can_be_listed() -> None:
    drives = CliRunner().invoke(catalogue.command, ["drives", "Kioxia"], catch_exceptions=False).output
    assert "Kioxia CD6" in drives
    results = (
        CliRunner()
        .invoke(catalogue.command, ["results", "--source", "seed001", "--json"], catch_exceptions=False)
        .output
    )
    assert len(results.splitlines()) == 24


def test_an_unknown_source_is_refused_with_the_known_ones() -> None:
    done = CliRunner().invoke(catalogue.command, ["results", "--source", "nobody"])
    assert isinstance(done.exception, PlanError)
    assert "seed001" in done.exception.hint


def test_what_would_be_ignored_is_refused(tmp_path: Path) -> None:
    batch = tmp_path / "facts.jsonl"
    batch.write_text('{"op": "rand_read"}\n')
    with pytest.raises(PlanError, match="CLUSTER and --what-if cannot go with --batch"):
        run(EXAMPLE, "--batch", str(batch), "--what-if", "nodes = 6")
    with pytest.raises(PlanError, match="--target cannot go with a study"):
        run("some-study", "--target", "200 clients x 500 write IOPS")


def test_a_line_that_is_no_text_spoils_no_other(tmp_path: Path) -> None:
    batch = tmp_path / "facts.jsonl"
    batch.write_bytes(b'{"id": 1, "op": "rand_read"}\n\xff\xfe{\n{"id": 3, "op": "rand_read"}\n')
    rows = [json.loads(line) for line in run("--batch", str(batch)).splitlines()]
    assert [row["id"] for row in rows] == [1, None, 3]
    assert rows[1]["unsupported"].startswith("line 2 is not JSON")
    assert rows[0]["iops"] == rows[2]["iops"] > 0
