"""fio's histogram logs, and the percentiles over time that fio's own script gets out of them."""

from __future__ import annotations

import numpy as np
import pytest

from radoscope.errors import UnreadableFile
from radoscope.formats.fio import hist_log as fio_hist_log
from tests.formats.fio_captures import text_of

NAMES = ("out_clat_hist.1.log", "out_clat_hist.2.log")
TEXTS = [text_of("3.33/hist_log", name) for name in NAMES]


def test_every_count_is_read_at_its_place() -> None:
    for text in TEXTS:
        log = fio_hist_log.read_histograms(text)
        table = np.array([[int(word) for word in line.split(",")] for line in text.strip().split("\n")])
        dense = np.zeros((len(log.times_ms), log.bins), dtype=int)
        dense[log.entry_rows, log.entry_bins] = log.entry_counts
        assert np.array_equal(log.times_ms, table[:, 0])
        assert np.array_equal(log.directions, table[:, 1])
        assert np.array_equal(dense, table[:, 3:])


def test_percentiles_over_time_are_those_of_fios_own_script() -> None:
    logs = [fio_hist_log.read_histograms(text) for text in TEXTS]
    rows = text_of("3.33/hist_log", "percentiles.csv").strip().split("\n")[1:]
    theirs = np.array([[float(word) for word in row.split(",")] for row in rows])
    ours = fio_hist_log.percentiles_over_time(logs, [50, 90, 99, 99.9])
    assert ours[0].times_s == pytest.approx(theirs[:, 0] / 1000)
    for place, series in enumerate(ours):
        assert np.array(series.values) * 1e9 == pytest.approx(theirs[:, 5 + place], abs=0.001)


def test_one_direction_can_be_asked_for() -> None:
    logs = [fio_hist_log.read_histograms(text) for text in TEXTS]
    reads = fio_hist_log.percentiles_over_time(logs, [50], direction="read")[0]
    writes = fio_hist_log.percentiles_over_time(logs, [50], direction="write")[0]
    assert reads.values != writes.values
    assert fio_hist_log.percentiles_over_time(logs, [50], direction="trim")[0].values == ()


def test_full_logs_have_1856_bins_of_which_the_first_are_exact() -> None:
    values = fio_hist_log.bin_values_ns(1856)
    assert values[:3].tolist() == [0.5, 1.5, 2.5]
    assert np.all(np.diff(values) > 0)


def test_logs_of_fio_2_are_microseconds() -> None:
    assert fio_hist_log.bin_values_ns(1216)[10] == pytest.approx(1000 * fio_hist_log.bin_values_ns(1856)[10])


def test_other_blanks_and_line_ends_change_nothing() -> None:
    plain = fio_hist_log.read_histograms(TEXTS[0])
    for text in (TEXTS[0].replace(", ", ","), TEXTS[0].replace("\n", "\r\n"), TEXTS[0].rstrip("\n")):
        other = fio_hist_log.read_histograms(text)
        assert np.array_equal(other.entry_counts, plain.entry_counts)
        assert np.array_equal(other.entry_bins, plain.entry_bins)


def test_damaged_lines_are_left_out() -> None:
    lines = TEXTS[0].split("\n")
    damaged = "\n".join([lines[0], lines[1].replace(", 0, ", ", x, ", 1), lines[2][: len(lines[2]) // 2], lines[3]])
    log = fio_hist_log.read_histograms(damaged)
    assert log.times_ms.tolist() == [int(lines[0].split(",")[0]), int(lines[3].split(",")[0])]


def test_what_is_no_histogram_log_is_unreadable() -> None:
    for text in ("", "\n", "prose", "1000, 5, 0, 4096\n", "1000, 0, 4096" + ", 0" * 99, "1e400," * 1859, b"\xff" * 50):
        with pytest.raises(UnreadableFile):
            fio_hist_log.read_histograms(text)


def test_logs_of_different_bins_are_not_mixed() -> None:
    coarse = fio_hist_log.read_histograms(TEXTS[0])
    full = fio_hist_log.read_histograms("1000, 0, 4096" + ", 1" * 1856)
    with pytest.raises(UnreadableFile):
        fio_hist_log.percentiles_over_time([coarse, full], [50])


def test_a_time_that_jumps_by_years_costs_nothing() -> None:
    row = ", 0, 4096" + ", 0" * 800 + ", 5" + ", 0" * 1055
    log = fio_hist_log.read_histograms(f"1000{row}\n999999999999999{row}\n")
    (series,) = fio_hist_log.percentiles_over_time([log], [50])
    assert len(series.times_s) in (2, 3)
    assert series.values[0] == pytest.approx(series.values[-1])


def test_an_interval_too_short_for_fio_is_refused() -> None:
    logs = [fio_hist_log.read_histograms(text) for text in TEXTS]
    with pytest.raises(UnreadableFile):
        fio_hist_log.percentiles_over_time(logs, [50], interval_s=1e-6)
