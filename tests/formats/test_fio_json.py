"""fio's JSON: every field of every capture, and what is left of damaged documents."""

from __future__ import annotations

import json

import pytest

from radoscope.errors import UnreadableFile
from radoscope.formats.fio import json_report as fio_json
from tests.decided import known
from tests.formats.fio_captures import cases, differences, expected_of, text_of


@pytest.mark.parametrize("case", cases("output.json"))
def test_each_result_of_a_capture_is_read_as_expected(case: str) -> None:
    results = fio_json.read(text_of(case, "output.json"))
    wrong = [differences(result, expected) for result, expected in zip(results, expected_of(case), strict=True)]
    assert not any(wrong), wrong


def test_a_warning_before_the_document_is_passed_over_and_the_lines_are_those_of_the_document() -> None:
    text = text_of("3.33/json_after_warning", "output.json")
    (result,) = fio_json.read(text)
    assert result.source is not None
    assert result.source.first_line == 2
    assert text.split("\n")[known(result.source.last_line) - 1] == "}"


def test_documents_that_follow_one_another_are_all_read() -> None:
    text = text_of("3.33/randread", "output.json")
    first, second = fio_json.read(text + "\nnext run:\n" + text)
    assert first.iops == second.iops
    assert known(known(second.source).first_line) > known(known(first.source).last_line)


def test_json_plus_gives_a_histogram_that_holds_every_io() -> None:
    read, write = fio_json.read(text_of("3.33/json_plus", "output.json"))
    for result in (read, write):
        assert result.completion is not None and result.completion.histogram is not None
        assert result.completion.histogram.total == result.total_ios
        assert list(result.completion.histogram.values_s) == sorted(result.completion.histogram.values_s)


def test_four_clones_reported_as_a_group_are_one_result_of_four_jobs() -> None:
    (result,) = fio_json.read(text_of("3.33/json_grouped", "output.json"))
    assert result.jobs == 4


def test_two_sections_reported_as_a_group_are_two_jobs_though_no_option_says_so() -> None:
    (result,) = fio_json.read(text_of("3.33/json_two_sections_grouped", "output.json"))
    assert result.jobs == 2


def test_clones_that_are_not_grouped_are_one_job_each() -> None:
    results = fio_json.read(text_of("3.33/several_jobs", "output.json"))
    assert [result.jobs for result in results] == [1, 1]


def test_a_depth_that_was_not_asked_for_is_fios_default_and_named_as_context() -> None:
    (result,) = fio_json.read(text_of("3.33/fsync", "output.json"))
    assert (result.queue_depth, result.context) == (1, ("queue_depth",))


def test_a_document_that_was_cut_off_keeps_the_numbers_that_are_there() -> None:
    text = text_of("3.33/randread", "output.json")
    whole = fio_json.read(text)[0]
    (cut,) = fio_json.read(text[: text.index('"bw_min"')])
    assert (cut.iops, cut.latency, cut.completion) == (whole.iops, whole.latency, whole.completion)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "-5", '"fast"', "true", "[1]"])
def test_what_is_no_number_is_refused_as_one(number: str) -> None:
    text = text_of("3.33/randread", "output.json")
    iops = json.loads(text)["jobs"][0]["read"]["iops"]
    (result,) = fio_json.read(text.replace(f'"iops" : {iops:f}', f'"iops" : {number}'))
    assert result.iops is None
    assert result.total_ios is not None


def test_one_job_cut_out_of_a_document_is_read() -> None:
    job = json.loads(text_of("3.33/randread", "output.json"))["jobs"][0]
    (result,) = fio_json.read(json.dumps(job))
    assert (result.op, result.block_bytes, result.queue_depth) == ("randread", 4096, 4)


def test_all_clients_is_a_sum_and_no_result_beside_the_clients() -> None:
    job = json.loads(text_of("3.33/randread", "output.json"))["jobs"][0]
    sum_line = {**job, "jobname": "All clients"}
    clients = [{**job, "hostname": "ceph1"}, {**job, "hostname": "ceph2"}, sum_line]
    results = fio_json.read(json.dumps({"fio version": "fio-3.33", "client_stats": clients}))
    assert [result.extra["hostname"] for result in results] == ["ceph1", "ceph2"]


def test_other_json_is_unreadable() -> None:
    for text in ("", "{}", '{"a": [1, 2]}', "prose", '{"fio version": "fio-3.33", "jobs": []}'):
        with pytest.raises(UnreadableFile):
            fio_json.read(text)


def test_find_gives_the_documents_among_prose() -> None:
    text = text_of("3.33/randread", "output.json").rstrip("\n").split("\n")
    lines = ["Hello {world", "see below", "", *text, "and that was it", '{"other": 1}']
    assert list(fio_json.find(lines)) == [(3, 3 + len(text))]


def test_find_ends_a_document_that_was_cut_off_where_prose_begins() -> None:
    text = text_of("3.33/randread", "output.json").split("\n")[:60]
    lines = [*text, "Thanks for reading.", "What do you think?", "Bob", "more"]
    assert list(fio_json.find(lines)) == [(0, 60)]
