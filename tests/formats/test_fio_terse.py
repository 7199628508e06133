"""fio's terse lines, versions 2 to 5."""

from __future__ import annotations

import pytest

from radoscope.errors import UnreadableFile
from radoscope.formats.fio import terse as fio_terse
from radoscope.records.measurement import Result
from tests.formats.fio_captures import text_of

LINE = text_of("3.33/terse_v3", "output.txt").strip()


@pytest.mark.parametrize("version", [3, 4, 5])
def test_a_mixed_line_gives_a_result_a_direction(version: int) -> None:
    text = text_of(f"3.33/terse_v{version}", "output.txt")
    fields = next(line for line in text.split("\n") if line.startswith(f"{version};")).split(";")
    read, write = fio_terse.read(text)
    second = 5 + (47 if version == 5 else 41)
    for result, start in ((read, 5), (write, second)):
        assert result.bandwidth_bytes_per_s == int(fields[start + 1]) * 1024
        assert result.iops == int(fields[start + 2])
        assert result.runtime_s == int(fields[start + 3]) / 1000
        assert _mean_usec(result) == pytest.approx(float(fields[start + 34]))
        assert result.completion is not None and result.completion.mean_s is not None
        assert result.completion.mean_s * 1e6 == pytest.approx(float(fields[start + 10]))
        median = next(field for field in fields[start + 12 : start + 32] if field.startswith("50.000000%="))
        assert result.completion.percentiles_s[50.0] * 1e6 == pytest.approx(int(median.split("=")[1]))


def _mean_usec(result: Result) -> float:
    assert result.latency is not None and result.latency.mean_s is not None
    return result.latency.mean_s * 1e6


def test_a_line_says_neither_size_nor_depth_nor_pattern() -> None:
    read, _write = fio_terse.read(LINE)
    assert (read.op, read.block_bytes, read.queue_depth, read.jobs) == ("read", None, None, None)
    assert read.extra["pattern_unknown"]
    assert (read.extra["jobname"], read.extra["version"], read.extra["error"]) == ("mix", "3.33", 0)


def test_version_2_has_no_version_of_fio() -> None:
    line = LINE.replace("3;fio-3.33;", "2;", 1)
    assert [result.iops for result in fio_terse.read(line)] == [result.iops for result in fio_terse.read(LINE)]


def test_a_line_that_a_mail_wrapped_is_put_together() -> None:
    parts = [LINE[start : start + 76] for start in range(0, len(LINE), 76)]
    wrapped = fio_terse.read("\n".join(parts))
    assert [result.latency for result in wrapped] == [result.latency for result in fio_terse.read(LINE)]
    assert wrapped[0].source is not None and wrapped[0].source.last_line == len(parts)


def test_find_gives_the_lines_among_prose() -> None:
    lines = ["a; b; c", LINE, "and; that; was; it, see?", LINE]
    assert list(fio_terse.find(lines)) == [(1, 2), (3, 4)]


def test_a_table_of_semicolons_is_unreadable() -> None:
    for text in ("", "3;4;5", ";".join(["1"] * 130), LINE[:60]):
        with pytest.raises(UnreadableFile):
            fio_terse.read(text)
