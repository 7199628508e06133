"""fio's normal output: every capture, and the same through all that mails, pages and terminals do to it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable

import pytest

from radoscope.errors import UnreadableFile
from radoscope.formats.fio import text as fio_text
from tests.formats.fio_captures import cases, differences, expected_of, text_of, told


@pytest.mark.parametrize("case", cases("output.txt"))
def test_each_result_of_a_capture_is_read_as_expected(case: str) -> None:
    results = fio_text.read(text_of(case, "output.txt"))
    wrong = [
        differences(result, expected, as_text=True) for result, expected in zip(results, expected_of(case), strict=True)
    ]
    assert not any(wrong), wrong


def _wrapped(width: int) -> Callable[[str], str]:
    def wrap(text: str) -> str:
        lines = text.split("\n")
        return "\n".join(part for line in lines for part in textwrap.wrap(line, width, break_on_hyphens=False) or [""])

    return wrap


DAMAGES: dict[str, Callable[[str], str]] = {
    "leading blanks lost": lambda text: "\n".join(line.strip() for line in text.split("\n")),
    "blanks collapsed": lambda text: "\n".join(re.sub(r"\s+", " ", line) for line in text.split("\n")),
    "all on one line": lambda text: re.sub(r"\s+", " ", text),
    "an empty line after each": lambda text: text.replace("\n", "\n\n"),
    "empty lines lost": lambda text: re.sub(r"\n+", "\n", text),
    "wrapped at 72": _wrapped(72),
    "wrapped at 60": _wrapped(60),
    "in a box": lambda text: "\n".join(f"│ {line:<110} │" for line in text.split("\n")),
    "no-break blanks": lambda text: text.replace(" ", "\u00a0"),
    "prose around": lambda text: f"Hi,\n\n$ fio --name=x --rw=read\n{text}\n\nSlow, isn't it? I expected more.\nBob\n",
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("case", cases("output.txt"))
def test_what_pages_do_to_a_text_changes_no_result(case: str, damage: str) -> None:
    text = text_of(case, "output.txt")
    before = fio_text.read(text)
    after = fio_text.read(DAMAGES[damage](text))
    assert [told(result) for result in after] == [told(result) for result in before]
    assert [result.extra for result in after] == [result.extra for result in before]


@pytest.mark.parametrize("case", cases("output.txt"))
def test_a_text_that_was_cut_off_never_says_anything_else(case: str) -> None:
    text = text_of(case, "output.txt")
    whole = [told(result) for result in fio_text.read(text)]
    for end in range(0, len(text), 97):
        try:
            cut = fio_text.read(text[:end])
        except UnreadableFile:
            continue
        for found, full in zip(cut, whole, strict=False):
            assert (found.iops, found.jobs) in ((full["iops"], full["jobs"]), (None, full["jobs"])) or text[
                end - 1
            ] in "0123456789."


def test_the_lines_of_a_result_are_those_of_its_group() -> None:
    text = text_of("3.33/stonewalled", "output.txt")
    lines = text.split("\n")
    for result in fio_text.read(text):
        assert result.source is not None and result.source.first_line and result.source.last_line
        assert f"{result.extra['jobname']}: (groupid=" in lines[result.source.first_line - 1]
        assert "latency   : target" in lines[result.source.last_line - 1]


def test_one_line_alone_is_a_result_whose_pattern_is_not_known() -> None:
    (result,) = fio_text.read("  write: IOPS=574, BW=2297KiB/s (2352kB/s)(33.7MiB/15001msec); 0 zone resets")
    assert (result.op, result.iops, result.runtime_s) == ("write", 574, 15.001)
    assert (result.queue_depth, result.jobs, result.block_bytes) == (None, None, 4096)
    assert result.extra == {"derived": ("block_bytes",), "pattern_unknown": True}


def test_a_size_is_derived_only_from_numbers_that_are_fine_enough() -> None:
    (result,) = fio_text.read("read: IOPS=5, BW=22KiB/s (23kB/s)(228KiB/10001msec)")
    assert result.block_bytes is None


def test_the_totals_of_a_group_are_a_result_where_nothing_else_was_pasted() -> None:
    total = (
        "WRITE: bw=143MiB/s (150MB/s), 143MiB/s-143MiB/s (150MB/s-150MB/s), io=2144MiB (2248MB), run=15001-15001msec"
    )
    (result,) = fio_text.read(f"Run status group 0 (all jobs):\n  {total}\n")
    assert (result.op, result.bandwidth_bytes_per_s, result.runtime_s) == ("write", 143 * 2**20, 15.001)
    assert result.iops is None


def test_a_damaged_bandwidth_is_taken_from_the_totals_of_its_group() -> None:
    text = text_of("3.33/randread", "output.txt")
    damaged = re.sub(r"BW=\S+ \(\S+\)", "BW=4?#6KiB/s (??)", text, count=1)
    before, after = fio_text.read(text)[0], fio_text.read(damaged)[0]
    assert after.bandwidth_bytes_per_s == before.bandwidth_bytes_per_s


def test_damaged_cells_are_null_and_the_others_stay() -> None:
    text = text_of("3.33/fsync", "output.txt")
    damaged = re.sub(r"99\.00th=\[\s*\d+\]", "99.00th=[ 4#7]", re.sub(r"IOPS=\d+", "IOPS=1o2", text))
    (result,) = fio_text.read(damaged)
    assert result.iops is None
    assert result.completion is not None and 99.0 not in result.completion.percentiles_s
    assert 99.9 in result.completion.percentiles_s
    assert result.total_ios == fio_text.read(text)[0].total_ios


@pytest.mark.parametrize("number", ["nan", "inf", "1e400", "-5", "٣", "9" * 30])
def test_what_is_no_number_is_refused_as_one(number: str) -> None:
    (result,) = fio_text.read(f"read: IOPS={number}, BW={number}KiB/s ({number}kB/s)(12MiB/1001msec)")
    assert (result.iops, result.bandwidth_bytes_per_s) == (None, None)


def test_an_error_is_kept_with_its_words() -> None:
    text = text_of("3.33/randread", "output.txt").replace(
        "err= 0", "err=28 (file:io_u.c:1747, func=io_u error, error=No space left on device)", 1
    )
    (result,) = fio_text.read(text)
    assert result.extra["error"] == 28
    assert "No space left on device" in result.extra["error_text"]


def test_of_interim_reports_only_the_last_counts() -> None:
    text = text_of("3.33/randread", "output.txt")
    heading, report = text.split("rr: (groupid=0", 1)
    report = f"rr: (groupid=0{report}"
    early = re.sub(r"/\d+msec\)", "/400msec)", re.sub(r"total=\d+", "total=480", report))
    (result,) = fio_text.read(f"{heading}{early}\n{report}")
    assert result.total_ios == fio_text.read(text)[0].total_ios


def test_the_same_job_run_again_is_a_result_of_its_own() -> None:
    text = text_of("3.33/randread", "output.txt")
    assert len(fio_text.read(text + text)) == 2
    assert len(list(fio_text.find((text + text).split("\n")))) == 2


def test_progress_lines_and_headings_alone_are_no_results() -> None:
    heading = text_of("3.33/randread", "output.txt").split("\n")[0]
    progress = "Jobs: 1 (f=1): [r(1)][12.0%][r=4796KiB/s][r=1199 IOPS][eta 00m:53s]"
    for text in ("", heading, progress, f"{heading}\nfio-3.33\nStarting 1 process\n{progress}", "read: 5, write: 7"):
        with pytest.raises(UnreadableFile):
            fio_text.read(text)


def test_find_leaves_prose_and_commands_outside() -> None:
    run = text_of("3.33/randread", "output.txt").rstrip("\n").split("\n")
    lines = ["Results:", "fio --name=rr --rw=randread", *run, "So what?", "It is slow.", "Is it the bw: 100 or so?"]
    assert list(fio_text.find(lines)) == [(2, 2 + len(run))]


def test_in_normal_and_json_output_the_block_reaches_over_the_json() -> None:
    heading, report = text_of("3.33/randread", "output.txt").split("rr: (groupid=0", 1)
    text = f"{heading}{text_of('3.33/randread', 'output.json')}\nrr: (groupid=0{report}"
    assert len(list(fio_text.find(text.split("\n")))) == 1
    (result,) = fio_text.read(text)
    assert (result.op, result.queue_depth) == ("randread", 4)


def test_full_width_punctuation_and_blanks_around_equals_signs_change_nothing() -> None:
    text = text_of("3.33/fsync", "output.txt")
    before = fio_text.read(text)[0]
    for damaged in (text.replace(", ", "，").replace(": ", "："), text.replace("=", "= ")):
        assert told(fio_text.read(damaged)[0]) == told(before)


def test_numbers_and_marks_in_front_of_each_line_are_no_part_of_a_name() -> None:
    lines = text_of("3.33/fsync", "output.txt").split("\n")
    for marked in (
        [f"{number}: {line.strip()}" for number, line in enumerate(lines, 1)],
        [f"- {line}" for line in lines],
        [f"<ceph1> {line}" for line in lines],
    ):
        (result,) = fio_text.read("\n".join(marked))
        assert result.extra["jobname"] == "sync"


def test_a_blank_before_a_comma_hides_no_result() -> None:
    text = "seq: (groupid=0, jobs=1): err= 0: pid=77\n  write: io=1024.0MB, bw=51200KB/s, iops=12 , runt= 20480msec\n"
    (result,) = fio_text.read(text)
    assert (result.op, result.iops, result.bandwidth_bytes_per_s) == ("write", 12, 51200 * 1024)
