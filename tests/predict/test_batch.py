"""The batch interface: one object a line in, one a line out, whatever comes."""

import json
from pathlib import Path

from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from radoscope.catalogue import results
from radoscope.cli.predict import command
from radoscope.predict.known import forecast_lines
from tests.examples import examples

KEYS = ["id", "iops", "iops_low", "iops_high", "MBps", "lat_ms_avg", "bottleneck", "assumed"]


def test_every_published_record_is_answered() -> None:
    lines = [json.dumps(dict(result.fields)) for result in results()]
    answers = list(forecast_lines(lines))
    assert [answer["id"] for answer in answers] == [result.id for result in results()]
    assert not [answer for answer in answers if "unsupported" in answer]
    for answer in answers:
        assert list(answer) == KEYS
        assert 0 < answer["iops_low"] < answer["iops"] < answer["iops_high"]


def test_rate_times_latency_is_what_is_in_flight() -> None:
    row = {"id": "x", "op": "rand_read", "queue_depth": 16, "clients": 4, "nodes": 3, "osd_device_class": "nvme"}
    answer = next(forecast_lines([json.dumps(row)]))
    assert abs(answer["iops"] * answer["lat_ms_avg"] / 1e3 / 64 - 1) < 0.01


def test_what_cannot_be_answered_says_why() -> None:
    lines = ['{"id": 1}', "not json", "[1]", '{"id": 4, "op": "rand_read", "nodes": 0, "queue_depth": -1}']
    answers = list(forecast_lines(lines))
    assert "operation" in answers[0]["unsupported"]
    assert "line 2" in answers[1]["unsupported"]
    assert "line 3" in answers[2]["unsupported"]
    assert "nodes" in answers[3]["unsupported"] and "queue_depth" in answers[3]["unsupported"]


def test_an_access_path_without_a_name_counts_as_not_stated() -> None:
    answer = next(forecast_lines(['{"id": 1, "op": "rand_read", "access": "iscsi", "osd_device_class": "pmem"}']))
    assert answer["iops"] > 0


def test_a_missing_fact_is_named_and_widens_the_interval() -> None:
    row = {
        "id": 1,
        "op": "rand_write",
        "block_bytes": 4096,
        "queue_depth": 1,
        "clients": 1,
        "nodes": 3,
        "cores_per_node": 16,
    }
    row |= {"osd_device_class": "nvme", "device_plp": False}
    without = next(forecast_lines([json.dumps(row)]))
    given = next(forecast_lines([json.dumps(row | {"device_4k_sync_write_iops": 600})]))
    assert any(item.startswith("device_4k_sync_write=") for item in without["assumed"])
    assert without["iops_high"] / without["iops_low"] > given["iops_high"] / given["iops_low"]


FIELDS = ["op", "nodes", "access", "ec_profile", "pool_size", "queue_depth", "block_bytes", "cpu_model", "variant"]
ANYTHING = st.one_of(
    st.none(), st.integers(-5, 100), st.floats(), st.text(max_size=8), st.booleans(), st.just("rand_read")
)


@settings(max_examples=examples(100))
@given(st.dictionaries(st.sampled_from(FIELDS), ANYTHING))
def test_no_record_makes_it_fail(row: dict[str, object]) -> None:
    answers = list(forecast_lines([json.dumps(row)]))
    assert len(answers) == 1


def test_the_verb_reads_a_file_and_answers_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "facts.jsonl"
    file.write_text('{"id": "a", "op": "rand_read"}\n\n{"id": "b"}\n', encoding="utf-8")
    done = CliRunner().invoke(command, ["--batch", str(file), "--json"], catch_exceptions=False)
    rows = [json.loads(line) for line in done.output.splitlines()]
    assert [row["id"] for row in rows] == ["a", "b"]
    assert "unsupported" in rows[1]
