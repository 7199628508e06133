"""Hostile input: the readers of fio raise UnreadableFile or read, in a time that grows with the text and no faster."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radoscope.errors import UnreadableFile
from radoscope.formats.fio import hist_log as fio_hist_log
from radoscope.formats.fio import job as fio_job
from radoscope.formats.fio import json_report as fio_json
from radoscope.formats.fio import log as fio_log
from radoscope.formats.fio import terse as fio_terse
from radoscope.formats.fio import text as fio_text
from tests.examples import examples
from tests.formats.fio_captures import CAPTURES

READERS: dict[str, Callable[[str], object]] = {
    "json": fio_json.read,
    "text": fio_text.read,
    "terse": fio_terse.read,
    "job": fio_job.read_jobs,
    "log": lambda text: fio_log.read_all_series(text, "lat"),
    "hist": fio_hist_log.read_histograms,
}
FINDERS: tuple[ModuleType, ...] = (fio_json, fio_text, fio_terse, fio_job)
SEEDS = [path.read_text("utf-8") for path in sorted(CAPTURES.glob("*/*/*")) if path.suffix in (".txt", ".json", ".log")]
PIECES = [
    *("{", "}", "[", "]", '"', ":", ",", "\n", " ", "=", "%", ";", "-1", "1e400", "nan", "99999999999999999999999999"),
    *(
        "(groupid=0, jobs=",
        "read: IOPS=",
        "th=[",
        "(usec): min=",
        '"jobs"',
        '"fio version"',
        "3;fio-3.33;",
        "\\",
        "\x00",
    ),
    *("[global]\n", "rw=", "fio --name=", "\u0663", "\ud7ff", "Run status group 0", '"jobname"', "1000, 1, 0, 0"),
]


def must_not_crash(text: str) -> None:
    for read in READERS.values():
        try:
            read(text)
        except UnreadableFile:
            continue
    lines = text.split("\n")
    for module in FINDERS:
        end_before = 0
        for first, end in module.find(lines):
            assert end_before <= first < end <= len(lines)
            end_before = end


@settings(max_examples=examples(300))
@given(st.text(max_size=400))
def test_any_text_is_read_or_refused(text: str) -> None:
    must_not_crash(text)


@settings(max_examples=examples(300))
@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_any_heap_of_fios_own_words_is_read_or_refused(text: str) -> None:
    must_not_crash(text)


@pytest.mark.parametrize("seed", range(60))
def test_mutated_captures_are_read_or_refused(seed: int) -> None:
    source = random.Random(seed)
    text = source.choice(SEEDS)
    for _ in range(8):
        must_not_crash(mutated(text, source))


def mutated(text: str, source: random.Random) -> str:
    """Some pieces cut out, doubled, swapped for others or written over."""
    for _ in range(source.randint(1, 12)):
        start = source.randrange(len(text) + 1)
        end = min(len(text), start + source.choice((1, 1, 3, 20, 200)))
        replacement = source.choice(("", text[start:end] * 2, source.choice(PIECES), source.choice(PIECES) * 30))
        text = text[:start] + replacement + text[end:]
    return text


NOISES = {
    "opening brackets": "{" * 200_000,
    "lines of brackets": "{\n" * 100_000,
    "nested lists": "[" * 100_000 + '"jobname"',
    "marks without an end": '{"fio version" : ' * 20_000,
    "quotation marks": '"jobname' * 30_000,
    "headings cut off": "x: (g=0): rw=" * 20_000,
    "groups cut off": "x: (groupid=0, jobs=" * 20_000,
    "percentiles": "1.00th=[ 5], " * 20_000,
    "one long line": "a" * 1_000_000,
    "one long number": "1" * 1_000_000,
    "blanks": " " * 1_000_000,
    "semicolons": "3;fio-3.33;a;0;0;1" + ";1" * 200_000,
    "terse beginnings": "3;fio-3.33;a;0;0;1\n" * 20_000,
    "sections": "[a]\n" * 50_000,
    "commands": "fio --rw=read " * 20_000,
    "commands on lines": "fio --rw=read \\\n" * 20_000,
    "a section and blanks": "[a]\n" + "\n" * 200_000,
    "directions": "read: IOPS=" * 40_000,
    "totals": "READ: bw=1KiB/s " * 20_000,
}


@pytest.mark.parametrize("noise", NOISES)
def test_noise_is_passed_over_in_a_time_that_grows_with_it(noise: str) -> None:
    started = time.process_time()
    must_not_crash(NOISES[noise])
    assert time.process_time() - started < 5.0
