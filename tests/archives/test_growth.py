"""Reading three times as much text costs about three times as much, whatever the text is."""

from __future__ import annotations

import base64
import random
import time
from collections.abc import Callable

import pytest

from radoscope.archives import clean, paste

_SHORT, _TIMES, _MOST_GROWTH = 60_000, 3, 5.0
_LOWEST_S = 1.0
"""What is read so fast is measured badly, and no harm."""
_SENTENCE = "the cluster reads about 500 MB/s with 4k random writes and 1200 IOPS at 3 ms while it was slow"


def _prose(size: int) -> str:
    own, words = random.Random(1), _SENTENCE.split()
    return "\n".join(" ".join(own.choices(words, k=12)) for _ in range(size // 60))


def _noise(size: int) -> str:
    letters = [*map(chr, range(32, 127)), "\n", "\n"]
    return "".join(random.Random(1).choices(letters, k=size))


def _with_rates(text: str) -> str:
    return "".join(f"{line}\n{'' if at % 50 else '512 MB/s'}" for at, line in enumerate(text.split("\n")))


def _encoded(size: int) -> str:
    return base64.encodebytes(random.Random(1).randbytes(size * 3 // 4)).decode()


def _repeated(line: str) -> Callable[[int], str]:
    return lambda size: f"{line}\n" * (size // len(line))


@pytest.mark.parametrize(
    "text_of",
    [
        _prose,
        _noise,
        _encoded,
        _repeated("Test            IOPS     MB/s    Lat (ms)"),
        _repeated("Device            r/s     rkB/s   r_await     w/s     wkB/s   %util"),
        _repeated("Average IOPS:           85"),
        _repeated("| random read IOPS | 41230 | 52110 |"),
        _repeated("osd_memory_target = 4294967296"),
        _repeated("- reads reach 512 MB/s"),
    ],
)
def test_three_times_the_text_costs_about_three_times_the_time(text_of: Callable[[int], str]) -> None:
    assert not all(_grows_faster(text_of, at) for at in range(2)), "a busy machine may do so once"


def test_a_table_of_a_wiki_that_does_not_end_is_cleaned_in_linear_time() -> None:
    started = time.process_time()
    clean.clean("{|\n| a\n" + "words below a cell of it\n" * 200_000)
    assert time.process_time() - started < 5


def test_a_rate_that_is_there_by_chance_keeps_nothing_of_an_encoded_text() -> None:
    text = "Reads reach 512 MB/s here.\n\n" + _encoded(2_000_000)
    (far,) = [each for each in paste.read_page(text).unread if "only lines near a rate are read" in each.words]
    assert far.first_line < 300
    assert far.last_line > 20_000


def test_what_stands_beside_a_tools_output_of_a_long_text_is_kept() -> None:
    fio = "  write: IOPS=2210, BW=8841KiB/s (9053kB/s)(86.3MiB/10001msec); 0 zone resets\n"
    text = "nothing to see here\n" * 25_000 + "## With the new drives\n\nfio, 4k random writes, QD1:\n\n" + fio
    (result,) = paste.read_page(text).results
    assert (result.op, result.queue_depth) == ("randwrite", 1)


def test_lines_are_counted_as_in_the_text_behind_what_was_left_out() -> None:
    fio = "  write: IOPS=2210, BW=8841KiB/s (9053kB/s)(86.3MiB/10001msec); 0 zone resets"
    text = "- 4k random read, QD1: 702 IOPS\n" + "nothing to see here\n" * 25_000 + f"{fio}\n" + "more of it\n" * 40_000
    said, measured = paste.read_page(text).results
    assert (said.iops, said.source and said.source.first_line) == (702, 1)
    assert (measured.iops, measured.source and measured.source.first_line) == (2210, 25_002)


@pytest.fixture
def few_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the limit, for a tenth of the time."""
    monkeypatch.setattr(paste, "_MOST_WORDS", 30_000)


def test_of_a_long_text_its_first_words_are_read_and_the_rest_is_listed(few_words: None) -> None:
    line = "The cluster reads 4k blocks at random with QD1, as we saw, and that gave {} IOPS, which is what it is.\n"
    text = "".join(line.format(1000 + at) for at in range(400))
    page = paste.read_page(text)
    assert page.results[0].iops == 1000
    (rest,) = [each for each in page.unread if "only its first lines near a rate are read" in each.words]
    assert rest.first_line < 350
    assert rest.last_line == 400


def test_what_is_behind_the_first_words_of_a_long_text_costs_little(few_words: None) -> None:
    short, long = (_cost(_with_rates(_noise(size))) for size in (28_000, 280_000))
    assert long < 3 * short


def _grows_faster(text_of: Callable[[int], str], at: int) -> bool:
    short, long = (_cost(f"{at}\n\n{text_of(size)}") for size in (_SHORT, _TIMES * _SHORT))
    return long > max(_MOST_GROWTH * short, _LOWEST_S)


def _cost(text: str) -> float:
    """Of a page that was not read before, for the last one is kept."""
    started = time.process_time()
    paste.read_page(text)
    return time.process_time() - started
