"""Units: what people write, and what they read."""

from __future__ import annotations

import pytest

from radoscope.errors import PlanError
from radoscope.units import (
    format_block,
    format_bytes,
    format_count,
    format_seconds,
    parse_bytes,
    parse_seconds,
    parse_share,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4k", 4096),
        ("4K", 4096),
        ("4KiB", 4096),
        ("4 MiB", 4 << 20),
        ("1G", 1 << 30),
        ("512", 512),
        (4096, 4096),
        ("1.5k", 1536),
    ],
)
def test_sizes(text: str | int, value: int) -> None:
    assert parse_bytes(text) == value


@pytest.mark.parametrize("text", ["4MB", "x", "", "-4k", "4kk", "0.3", "nan", "1e400"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(PlanError):
        parse_bytes(text)


@pytest.mark.parametrize(
    ("text", "value"), [("30s", 30), ("2m", 120), ("500ms", 0.5), ("1h", 3600), (3, 3), ("10us", 1e-5)]
)
def test_times(text: str | float, value: float) -> None:
    assert parse_seconds(text) == pytest.approx(value)


@pytest.mark.parametrize("text", ["3 parsecs", "", "-1s", "inf"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(PlanError):
        parse_seconds(text)


def test_shares() -> None:
    assert parse_share("5%") == parse_share("0.05") == 0.05
    for text in ("0", "100%", "five", "1.5"):
        with pytest.raises(PlanError):
            parse_share(text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.00053, "0.53 ms"),
        (95, "1 min 35 s"),
        (0, "0 µs"),
        (1.5, "1.5 s"),
        (4e-5, "40 µs"),
        (7260, "2 h 1 min"),
        (60, "1 min"),
    ],
)
def test_seconds_for_people(value: float, text: str) -> None:
    assert format_seconds(value) == text


def test_other_figures_for_people() -> None:
    assert format_bytes(4096) == "4 KiB"
    assert format_block(4096) == "4K"
    assert format_block(4 << 20) == "4M"
    assert format_count(31700.4) == "31,700"
    assert format_count(45.678) == "45.7"
