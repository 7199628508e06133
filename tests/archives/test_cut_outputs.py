"""Output of a tool that ends anywhere gives no number that the whole of it does not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from radoscope.archives import paste
from radoscope.wire import exchanged

CAPTURES = Path(__file__).parents[1] / "captures"
FOLDERS = ("fio/3.33", "sockperf/3.7", "qperf/0.4.11")
LARGEST = 12_000
OUTPUTS = sorted(
    output
    for folder in FOLDERS
    for output in CAPTURES.glob(f"{folder}/*/output.*")
    if output.stat().st_size <= LARGEST  # of each kind there is one
)
FIELDS = (
    "block_bytes",
    "queue_depth",
    "iops",
    "bw_bytes_per_s",
    "lat_p50_ns",
    "lat_p99_ns",
    "lat_p999_ns",
    "total_ios",
)
PLACES, ALIKE = 9, 0.02


def numbers(text: str) -> dict[str, list[float]]:
    results = [exchanged(result) for result in paste.read(text)]
    return {name: [each[name] for each in results if each[name] is not None] for name in FIELDS}


@pytest.mark.parametrize("output", OUTPUTS, ids=lambda output: f"{output.parent.name}{output.suffix}")
def test_a_cut_output_tells_nothing_else(output: Path) -> None:
    text = output.read_text()
    whole = numbers(text)
    for place in range(1, PLACES + 1):
        end = len(text) * place // (PLACES + 1)
        for name, found in numbers(text[:end]).items():
            for value in found:
                known = any(abs(value - other) <= ALIKE * abs(other) for other in whole[name])
                assert known, f"{name} is {value} where it ends with {text[:end][-40:]!r}"
