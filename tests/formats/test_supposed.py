"""Numbers that nobody measured are told from the measured ones of the same sentence."""

from __future__ import annotations

import re

import pytest

from radoscope.formats.supposed import without_supposed


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("The drives are rated for 550 MB/s; in reality a write reaches 310 MB/s.", ["310 MB/s"]),
        ("Reads run at 111 MB/s, so I think the link is the limit.", ["111 MB/s"]),
        ("I get 92 MB/s over a 1 GbE link.", ["92 MB/s"]),
        ("We need at least 20k random write IOPS.", []),
        ("It does not reach 10k IOPS.", []),
        ("Would 2.5 GbE bring 250 MB/s?", []),
        ("Writes are faster by 300 MB/s now: 900 MB/s.", ["900 MB/s"]),
        ("标称读7000MB/s、写3900MB/s", []),
        ("The reads go up to 402 kIOPS.", ["402 kIOPS"]),
        ("순차 쓰기는 제조사 스펙(3,200 MB/s)에 가깝습니다.", []),
        ("client: 12 MiB/s rd, 4 MiB/s wr", []),
    ],
)
def test_only_what_was_measured_stays_legible(text: str, left: list[str]) -> None:
    assert re.findall(r"\d[\d.]*k? ?(?:[MG]B/s|MiB/s|k?IOPS)", without_supposed(text)) == left
