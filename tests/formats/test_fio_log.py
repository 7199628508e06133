"""fio's logs over time."""

from __future__ import annotations

import pytest

from radoscope.errors import UnreadableFile
from radoscope.formats.fio import log as fio_log
from tests.formats.fio_captures import text_of


def test_an_averaged_log_of_reads_and_writes_gives_a_series_each() -> None:
    text = text_of("3.33/logs", "out_iops.1.log")
    found = fio_log.read_all_series(text, "iops")
    assert list(found) == ["read", "write"]
    lines = [[int(word) for word in line.split(",")] for line in text.strip().split("\n")]
    assert found["write"].values == tuple(line[1] for line in lines if line[2] == 1)
    assert found["write"].times_s == tuple(line[0] / 1000 for line in lines if line[2] == 1)
    assert (found["read"].unit, found["read"].absolute) == ("1/s", False)


def test_bandwidth_is_bytes_and_latency_is_seconds() -> None:
    bandwidth = fio_log.read_series("1000, 800, 0, 0, 0\n", "bw")
    latency = fio_log.read_series("1000, 13036, 1, 0, 0\n", "lat")
    assert (bandwidth.values, bandwidth.unit) == ((819200.0,), "bytes/s")
    assert latency.values == pytest.approx((13.036e-6,))


def test_a_log_on_the_unix_clock_is_absolute() -> None:
    series = fio_log.read_series(text_of("3.33/logs_unix_epoch", "out_iops.1.log"), "iops")
    assert series.absolute
    assert series.times_s[0] > 1.7e9


def test_rates_of_jobs_that_share_a_log_add_up_and_latencies_do_not() -> None:
    text = "1000, 10, 0, 0\n1000, 20, 0, 0\n2000, 5, 0, 0\n"
    assert fio_log.read_series(text, "iops").values == (30.0, 5.0)
    assert len(fio_log.read_series(text, "lat").values) == 3


def test_a_mixed_log_must_be_asked_for_one_direction() -> None:
    text = "1000, 10, 0, 0\n1000, 20, 1, 0\n"
    assert fio_log.read_series(text, "iops", "write").values == (20.0,)
    for direction in (None, "trim"):
        with pytest.raises(UnreadableFile):
            fio_log.read_series(text, "iops", direction)


def test_damaged_lines_are_left_out() -> None:
    text = "1000, 10, 0, 0\nnan, 1, 0, 0\n2000, 1e400, 0, 0\n2000, -4, 0, 0\n3000, 12, 0, 0, 0x0000\n4000, 1"
    assert fio_log.read_series(text, "iops").values == (10.0, 12.0)


def test_a_log_with_average_and_maximum_gives_the_average() -> None:
    assert fio_log.read_series("1000, 500, 900, 1, 0, 0\n", "lat").values == pytest.approx((500e-9,))


def test_what_is_no_log_is_unreadable() -> None:
    for text, kind in (("", "iops"), ("prose, really", "iops"), ("1000, 1, 0, 0", "speed")):
        with pytest.raises(UnreadableFile):
            fio_log.read_all_series(text, kind)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a_iops.1.log", "iops"),
        ("randread-iodepth-1-numjobs-2_bw.2.log", "bw"),
        ("a_iops.log", "iops"),
        ("output.0_clat.1.log.ceph1.example.net", "clat"),
        ("a_clat_hist.1.log", "hist"),
        ("fio.log", None),
        ("a_iops.txt", None),
    ],
)
def test_the_name_says_what_a_log_holds(name: str, kind: str | None) -> None:
    assert fio_log.kind_of(name) == kind
