"""Sentences and lists as people write them: which number is of which run."""

from __future__ import annotations

import pytest

from radoscope.archives import paste
from radoscope.formats.tables.reader import ROUGH


def runs(text: str) -> list[tuple[str | None, int | None, int | None, float]]:
    """Operation, block size, queue depth, and IOPS or MB/s of each result."""
    return [
        (each.op, each.block_bytes, each.queue_depth, each.iops or round((each.bandwidth_bytes_per_s or 0.0) / 1e6, 1))
        for each in paste.read(text)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "4K randwrite, qd=32, three runs each:\n\nwithout the patch: 51.2k, 52.9k, 51.8k IOPS\n",
            [("randwrite", 4096, 32, 51200.0), ("randwrite", 4096, 32, 52900.0), ("randwrite", 4096, 32, 51800.0)],
        ),
        (
            "Vorher 310 IOPS, jetzt 1.870 IOPS (4k randwrite, QD1, fsync=1).",
            [("randwrite", 4096, 1, 310.0), ("randwrite", 4096, 1, 1870.0)],
        ),
        (
            "Got 550 MB/s read and 480 MB/s write with cache, without cache it's 510/220 MB/s.",
            [
                ("read", None, None, 550.0),
                ("read", None, None, 510.0),
                ("write", None, None, 480.0),
                ("write", None, None, 220.0),
            ],
        ),
        (
            "dd if=/dev/zero of=f bs=1M oflag=direct on the PVC says 188 MB/s, the same on hostPath 1.1 GB/s.",
            [("write", 2**20, None, 188.0), ("write", 2**20, None, 1100.0)],
        ),
        (
            "4k rand read QD32 x 4 jobs: 310k IOPS\n4k rand read QD1: 3,900 IOPS\n",
            [("randread", 4096, 32, 310000.0), ("randread", 4096, 1, 3900.0)],
        ),
        (
            "Our fio run of random reads reached 900 MB/s on a Solidigm P5520 (4k, QD 64).",
            [("randread", 4096, 64, 900.0)],
        ),
    ],
)
def test_each_number_goes_to_its_run(
    text: str, expected: list[tuple[str | None, int | None, int | None, float]]
) -> None:
    assert runs(text) == expected


def test_a_time_on_a_line_below_joins_the_run_of_its_direction() -> None:
    text = (
        "fio, 4k, iodepth=16:\n- random read: 14,300 IOPS\n- random write: 3,260 IOPS\n- mean write latency: 4.9 ms\n"
    )
    read, write = paste.read(text)
    assert read.latency is None
    assert write.latency is not None
    assert write.latency.mean_s == pytest.approx(4.9e-3)


def test_whole_iops_prove_that_mb_are_mib() -> None:
    text = "`rados bench -p p 30 write -b 4M -t 16`:\n\n| node | MB/s | IOPS |\n"
    text += "|--|--|--|\n| a | 221.4 | 55 |\n| b | 97.3 | 24 |\n"
    assert runs(text.replace("IOPS", "x")) == [("write", 2**22, 16, 221.4), ("write", 2**22, 16, 97.3)]
    rates = [each.bandwidth_bytes_per_s for each in paste.read(text)]
    assert rates == [pytest.approx(221.4 * 2**20), pytest.approx(97.3 * 2**20)]


def test_a_size_that_rates_disprove_is_none_of_io() -> None:
    text = "fio randread, bs=8k, iodepth=1:\n\n"
    text += "| recordsize | IOPS | BW |\n|--|--|--|\n| 8K | 61.3k | 479MiB/s |\n| 1M | 1630 | 12.7MiB/s |\n"
    assert [each.block_bytes for each in paste.read(text)] == [8192, 8192]


def test_percentiles_of_fsync_stay_together_though_one_is_longer_than_a_second() -> None:
    text = (
        "| phase | seen |\n|---|---|\n| sequential write | 31 MB/s |\n| fdatasync of 4 KiB | p50 212 ms, p99 1.21 s |\n"
    )
    (synced,) = (result for result in paste.read(text) if result.sync)
    assert synced.latency is None
    assert synced.sync and dict(synced.sync.percentiles_s) == pytest.approx({50.0: 0.212, 99.0: 1.21})


def test_rough_values_of_which_nothing_says_that_they_were_measured_are_listed() -> None:
    table = "| stage | seq read (MB/s) | write IOPS |\n|---|---|---|\n| a | ~7.4 | ~670 |\n| b | ~7.1 | ~7900 |\n"
    page = paste.read_page(table)
    assert not page.results
    assert [(each.first_line, each.last_line, each.reason) for each in page.unread] == [(3, 4, ROUGH)]
    assert len(paste.read(f"fio, 4K blocks, iodepth=1\n\n{table}")) == 4
