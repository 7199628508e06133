"""What radoscope's own load over S3 wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radoscope.errors import UnreadableFile
from radoscope.formats.tools import s3_load

CAPTURE = Path(__file__).parents[1] / "captures/s3_load/16.2.15/get"


def test_a_capture_is_read_as_it_was_written() -> None:
    text, expected = (CAPTURE / "output.txt").read_text(), json.loads((CAPTURE / "expected.json").read_text())
    (result,) = s3_load.read(text)
    assert (result.tool, result.op, result.block_bytes, result.queue_depth) == ("s3-load", "randread", 4096, 4)
    assert result.total_ios == expected["requests"]
    assert result.iops == pytest.approx(expected["iops"])
    assert result.bandwidth_bytes_per_s == pytest.approx(expected["bandwidth"])
    assert result.latency is not None
    assert result.latency.mean_s == pytest.approx(expected["mean_s"])
    assert result.latency.percentiles_s[50.0] == pytest.approx(expected["p50_s"])
    assert result.latency.percentiles_s[99.0] == pytest.approx(expected["p99_s"])
    (series,) = result.series
    assert series.absolute
    assert sum(series.values) * 0.5 == pytest.approx(expected["requests"])


@pytest.mark.parametrize(
    "text", ["", "{}", '{"s3_load": 1}', '{"s3_load": 1, "method": "DELETE"}', '{"s3_load": 1, "method": ["PUT"]}']
)
def test_another_text_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableFile):
        s3_load.read(text)


@pytest.mark.parametrize(
    "damage",
    [
        {"seconds": 0},
        {"seconds": "nan"},
        {"requests": -3},
        {"latency_s": [1]},
        {"latency_s": {"bins": [[1], ["x", 2], [0, 5]]}},
        {"answered": ["x"]},
        {"interval_s": -1},
    ],
)
def test_damaged_values_give_no_numbers_and_no_trace(damage: dict[str, object]) -> None:
    whole = json.loads((CAPTURE / "output.txt").read_text())
    (result,) = s3_load.read(json.dumps({**whole, **damage}))
    assert result.iops is None or result.iops >= 0
