"""Damaged texts: a reader raises nothing but UnreadableFile, gives finite numbers, and ends soon."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from radoscope import wire
from radoscope.archives import clean, paste
from radoscope.errors import UnreadableFile
from radoscope.formats.readers import Reader
from radoscope.formats.tables import reader as tables
from radoscope.formats.tools import (
    as_ssd,
    cdm,
    ceph_status,
    ceph_tables,
    dd,
    drive_tests,
    hdparm,
    ioping,
    ior,
    iperf3,
    network_benches,
    osd_bench,
    pg_test_fsync,
    ping,
    rados_bench,
    rbd_bench,
    s3_load,
)
from tests.examples import examples

READERS = (
    rados_bench, rbd_bench, osd_bench, cdm, iperf3, ping, dd, hdparm, ioping, ceph_status, ceph_tables, s3_load, tables,
    as_ssd, drive_tests, ior, pg_test_fsync, network_benches,
)  # fmt: skip
TEXTS = [path.read_text("utf-8") for path in sorted((Path(__file__).parent / "texts").glob("*.txt"))]
HOSTILE = (
    "nan", "inf", "1e400", "-1", "9" * 400, "0", "|", "\t", "{", "}", '"', "[", "\r", "\x1b[31m", "=", ">", "<td>", "&#0;",  # noqa: E501
    "<script>alert(1)</script>", "٣", "²", "\ud83d", " / ", "%", "osd.", "(", ")",
)  # fmt: skip


def mutated(text: str, dice: random.Random) -> str:
    """The text with a few cuts, swaps and hostile insertions."""
    for _ in range(dice.randint(1, 12)):
        at = dice.randrange(len(text) + 1)
        choice = dice.randrange(5)
        if choice == 0:
            text = text[:at] + dice.choice(HOSTILE) + text[at:]
        elif choice == 1:
            text = text[:at] + text[at + dice.randint(1, 60) :]
        elif choice == 2:
            text = text[:at] + text[dice.randrange(len(text) + 1) :][:400] + text[at:]
        elif choice == 3:
            text = text.replace(dice.choice("0123456789.,:|/ "), dice.choice(HOSTILE), dice.randint(1, 9))
        else:
            text = text[:at].replace("\n", dice.choice(["\r\n", " ", "\n\n", "\r"])) + text[at:]
    return text or " "


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: str(reader.NAME))
def test_a_damaged_text_raises_nothing_but_unreadable_file(reader: Reader) -> None:
    dice = random.Random(4)
    for _ in range(60):
        text = mutated(dice.choice(TEXTS), dice)
        for first, end in reader.find(text.splitlines()):
            assert 0 <= first < end <= len(text.splitlines())
        try:
            results = reader.read(text)
        except UnreadableFile:
            continue
        json.dumps([wire.exchanged(result) for result in results], allow_nan=False)


def test_a_damaged_page_is_read_with_lines_inside_it() -> None:
    dice = random.Random(5)
    for _ in range(60):
        text = mutated(dice.choice(TEXTS), dice)
        count = max(text.count("\n"), text.count("\r")) + 1
        for result in paste.read(text):
            source = result.source
            assert source is not None and source.first_line is not None and source.last_line is not None
            assert 1 <= source.first_line <= source.last_line <= count
            json.dumps(wire.exchanged(result), allow_nan=False)


@settings(max_examples=examples(80), suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=400))
def test_any_text_at_all_can_be_read(text: str) -> None:
    paste.read(text)


@settings(max_examples=examples(100))
@given(st.binary(max_size=400))
def test_any_bytes_at_all_can_be_decoded(raw: bytes) -> None:
    assert isinstance(clean.decode(raw), str)


@pytest.mark.parametrize(
    "line",
    [
        "{", '{"a": [', '{"total_time_run": ', "| IOPS | MB/s |", "IOPS - ave BW (MB/s)", "<tr><td>IOPS</td>", "a\t1\tIOPS",  # noqa: E501
        "Total time run: 1", "[  5]   0.00-1.00   sec  1 MBytes  1 Mbits/sec", "1 1 1 1 1 1 - 1", "ID CLASS WEIGHT TYPE NAME",  # noqa: E501
        "PING " + "x" * 300, "(" * 300, "1024 bytes (" * 30, "  " * 400 + "|", "=3D" * 100, "-" * 500, "write: io=" * 40,  # noqa: E501
    ],
)  # fmt: skip
def test_one_line_repeated_thousands_of_times_is_read_in_seconds(line: str) -> None:
    text = "\n".join([line] * (250_000 // len(line)))
    started = time.process_time()
    paste.read(text)
    assert time.process_time() - started < 10


def test_thousands_of_different_times_of_fsync_are_read_in_seconds() -> None:
    one = "log {0}\n  sync (usec): min=488, max=21904, avg={0}.62, stdev=1190.05\n\nwords\nof\nsomebody\nelse\n"
    text = "".join(one.format(1000 + number) for number in range(8000))
    started = time.process_time()
    assert len(paste.read(text)) == 8000
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    ("row", "head", "why"),
    [
        (
            "| 4k random {0} | {1} IOPS | 1.2 ms |",
            "| test | rate | latency |\n|---|---|---|\n",
            "of so long a table the first rows alone are read",
        ),
        ("Job {0} wrote {1} MB/s.", "", "only the first 5000 lines with rates are read"),
    ],
)
def test_rows_and_sentences_without_end_are_read_as_far_as_people_write_and_the_rest_is_listed(
    row: str, head: str, why: str
) -> None:
    """Thirty thousand take as long as the five thousand that are read: on a slow machine other hundreds tell it."""

    def read(first: int, count: int) -> tuple[float, paste.Page]:
        text = "fio\n\n" + head + "\n".join(row.format(n, 1000 + n) for n in range(first, first + count))
        started = time.process_time()
        page = paste.read_page(text)
        return time.process_time() - started, page

    hundred_s = min(read(first, 100)[0] for first in (50_000, 60_000, 70_000))
    took_s, page = read(0, 30_000)
    assert took_s < max(15, 2 * 50 * hundred_s)
    assert page.results
    assert page.unread[-1].last_line == 2 + head.count("\n") + 30_000
    assert page.unread[-1].reason == why


def test_ten_megabytes_of_bytes_are_told_at_once_and_a_page_behind_some_is_read() -> None:
    noise = random.Random(3).randbytes(10_000_000).decode("latin-1")
    started = time.process_time()
    page = paste.read_page(noise)
    assert time.process_time() - started < 1.0
    assert not page.results
    assert page.unread[0].why == "these bytes are not text"
    report = "4k randwrite QD1: 702 IOPS\n" * 3000
    assert paste.read(noise[:30_000] + "\n" + report)
