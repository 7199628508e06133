"""What came through a log is read as if its tool had just printed it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from radoscope.archives import paste
from radoscope.archives.log_lines import without_log_prefix
from radoscope.records.measurement import Result

CAPTURES = Path(__file__).parents[1] / "captures"
OUTPUTS = (
    "fio/3.33/randread/output.json",
    "fio/3.33/randrw_grouped/output.txt",
    "rados_bench/16.2.15/rand/output.txt",
    "rbd_bench/16.2.15/readwrite/output.txt",
    "osd_bench/16.2.15/small/output.txt",
    "ioping/1.3/reads/output.txt",
    "qperf/0.4.11/tcp_and_udp/output.txt",
)


def _each(front: str) -> Callable[[Sequence[str]], str]:
    return lambda lines: "\n".join((front.format(at % 60) + line).rstrip() for at, line in enumerate(lines))


def _as_strings(lines: Sequence[str]) -> str:
    return '"fio.stdout_lines": [\n' + ",\n".join("    " + json.dumps(line) for line in lines) + "\n]"


LOGS = {
    "kubectl logs --timestamps": _each("2026-11-28T07:00:{:02}.123456789Z "),
    "kubectl logs --prefix": _each("[pod/bench-7c9f/tool] "),
    "docker compose logs": _each("bench-1  | "),
    "docker compose logs --timestamps": _each("bench-1  | 2026-11-28T07:00:{:02}.123456789Z "),
    "journalctl": _each("Nov 28 07:00:{:02} pve1 bench.sh[1234]: "),
    "pdsh": _each("node-3: "),
    "ansible": _as_strings,
}


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("log", LOGS)
def test_it_is_read_as_without_the_log(log: str, output: str) -> None:
    text = (CAPTURES / output).read_text()
    assert _read(LOGS[log](text.splitlines())) == _read(text)
    assert _read(text)


def test_a_result_names_the_line_of_the_log() -> None:
    text = (CAPTURES / "fio/3.33/randread/output.json").read_text()
    (result,) = paste.read("what the pod says:\n\n" + LOGS["docker compose logs"](text.splitlines()))
    assert result.source
    assert result.source.first_line == 3


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"nvme | randread | {size} | {1000 + size} IOPS" for size in range(9)),
        "\n".join(f"2026-11-{day:02} 10:00 random read 4k: {700 + day} IOPS" for day in range(1, 10)),
        "\n".join(f"node-3: sequential write {400 + at} MB/s" for at in range(9)),
        "osd.1: 4k random write\nosd.2: 4k random write\n\nosd.3: 4k random write",
        '[\n  "read",\n  "write",\n  "randread",\n  "randwrite"\n]',
    ],
    ids=["rows", "dates", "hosts", "few", "strings"],
)
def test_lists_and_tables_keep_what_begins_their_lines(text: str) -> None:
    assert without_log_prefix(text.split("\n")) == text.split("\n")


def _read(text: str) -> list[tuple[object, ...]]:
    return [_numbers(result) for result in paste.read(text)]


def _numbers(result: Result) -> tuple[object, ...]:
    mean = result.latency.mean_s if result.latency else None
    return result.op, result.block_bytes, result.iops, result.bandwidth_bytes_per_s, mean
