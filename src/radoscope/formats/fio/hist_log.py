"""fio's histogram logs (`write_hist_log`, `log_hist_msec`) -> counts per bin, and percentiles over time.

A line is `time (msec), direction, block size, count of bin 0, count of bin 1, ...`: some 1,856 counts, nearly all zero.
Ten minutes of eight jobs are 27 MB of "0, ", so the zeros are never parsed, only counted by their width.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from radoscope import patterns as re
from radoscope.errors import UnreadableFile
from radoscope.formats.fio.words import DIRECTIONS
from radoscope.records.fields import latency_field
from radoscope.records.measurement import Histogram, Latency, Series

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NAME = "fio_hist_log"

_LEADING_COLUMNS = 3
_GROUPS = (29, 19, 20, 21, 22, 23, 24, 25, 26)
"""FIO_IO_U_PLAT_GROUP_NR: 29 in fio 3.x, 19 in 2.x; the others for those who compiled their own."""
_GROUPS_OF_FIO_2 = 19
_BINS_PER_GROUP = 64
_COARSEST = 8
_LONGEST_NUMBER = 18
_EARLIEST_EPOCH_MS = 10**11
_LEAD_MS = 20
"""So long before the first entry the first interval may begin, as in fiologparser_hist.py."""
_SHORTEST_INTERVAL_S = 0.01
_SPAN = 4096
"""So many intervals are held at once; 60 MB with all bins."""
_CLEAN_LINE = re.compile(rb"\d+(?:, \d+)+")


@dataclass(frozen=True, slots=True)
class HistogramLog:
    """The nonzero counts of one log. Shapes: (n,) of the rows: times_ms, directions; (m,) of the counts: the rest."""

    bins: int
    times_ms: Ints
    directions: Ints
    entry_rows: Ints
    entry_bins: Ints
    entry_counts: Ints


def read_histograms(text: str | bytes) -> HistogramLog:
    """One `..._clat_hist.N.log`. Damaged lines (the last of a killed run) are left out. Raises UnreadableFile."""
    encoded = _clean(text.encode("ascii", "replace") if isinstance(text, str) else text)
    columns = _column_count(encoded)
    row_columns, token_rows, token_columns, numbers = _nonzero_numbers(encoded)
    good = row_columns == columns
    kept = good[token_rows] & (token_columns < columns)
    renumbered = np.cumsum(good) - 1
    token_rows, token_columns, numbers = renumbered[token_rows[kept]], token_columns[kept], numbers[kept]
    leads = token_columns < _LEADING_COLUMNS
    leading = np.zeros((int(np.count_nonzero(good)), _LEADING_COLUMNS), dtype=np.int64)
    leading[token_rows[leads], token_columns[leads]] = numbers[leads]
    if not len(leading):
        raise UnreadableFile("no line of this histogram log of fio is whole")
    counts = ~leads
    return HistogramLog(
        bins=columns - _LEADING_COLUMNS,
        times_ms=leading[:, 0],
        directions=leading[:, 1],
        entry_rows=token_rows[counts],
        entry_bins=token_columns[counts] - _LEADING_COLUMNS,
        entry_counts=numbers[counts],
    )


def percentiles_over_time(
    logs: Sequence[HistogramLog],
    percentiles: Sequence[float],
    interval_s: float = 1.0,
    direction: str | None = None,
) -> tuple[Series, ...]:
    """One series a percentile: completion latency in seconds at the end of each interval, all logs together.

    direction: "read", "write" or "trim"; None takes all. The method is that of fio's own fiologparser_hist.py, so that
    both give the same numbers: a count belongs to the time from its I/O's start to the log entry's time and is shared
    out over the intervals by overlap; percentiles are interpolated between bins in the cumulative distribution. Its
    value of a bin is the middle between the bin's lower and the next bin's upper edge, so up to one bin (1.6 %) above
    the value with which fio itself names that bin. Raises UnreadableFile.
    """
    if interval_s < _SHORTEST_INTERVAL_S:
        raise UnreadableFile(f"{interval_s} s is too short an interval", "fio logs histograms every 10 ms at best.")
    values_ns = bin_values_ns(_same_bins(logs))
    interval_ms = interval_s * 1000
    names = [latency_field(percent) for percent in percentiles]
    times: list[float] = []
    columns: list[Floats] = []
    for end_ms, weights in _weights_per_interval(logs, values_ns, interval_ms, direction):
        cumulative = 100 * (weights.cumsum() - weights / 2) / weights.sum()
        times.append(end_ms / 1000)
        columns.append(np.interp(percentiles, cumulative, values_ns) * 1e-9)
    absolute = any(log.times_ms[0] >= _EARLIEST_EPOCH_MS for log in logs)
    table = np.array(columns).reshape(len(times), len(names))
    return tuple(
        Series(name, "s", tuple(times), tuple(table[:, place].tolist()), absolute) for place, name in enumerate(names)
    )


def directions_of(logs: Sequence[HistogramLog]) -> tuple[str, ...]:
    """The directions in which there was any I/O."""
    seen = {int(one) for log in logs for one in log.directions[log.entry_rows]}
    return tuple(name for number, name in enumerate(DIRECTIONS) if number in seen)


def latency_of(logs: Sequence[HistogramLog], percentiles: Sequence[float], direction: str) -> Latency:
    """All I/Os of one direction and of all logs together; bins stand for their middles, as in fio's own output.

    What fio did after its last line of a log is not in it. Raises UnreadableFile.
    """
    edges = _edges_ns(_same_bins(logs))
    _, bins, counts = _entries(logs, direction)
    totals = np.bincount(bins, counts, len(edges) - 1).astype(np.int64)
    middles_s = (edges[:-1] + edges[1:]) / 2 * 1e-9
    kept = np.flatnonzero(totals)
    reached = totals[kept].cumsum() / max(1, totals.sum())
    places = np.minimum(np.searchsorted(reached, np.array(percentiles) / 100 - 1e-12), len(kept) - 1)
    return Latency(
        samples=int(totals.sum()),
        percentiles_s=dict(zip(percentiles, middles_s[kept][places].tolist(), strict=True)),
        histogram=Histogram(tuple(middles_s[kept].tolist()), tuple(totals[kept].tolist())),
    )


def bin_values_ns(bins: int) -> Floats:
    """The latency in ns that stands for each bin, coarse logs (log_hist_coarseness) included; shape (bins,)."""
    groups, coarseness = _layout(bins)
    stride = 1 << coarseness
    index = np.arange(bins, dtype=np.int64) * stride
    return (_edge(index, 0.0) + _edge(index + stride, 1.0)) / 2 * _unit_ns(groups)


def _edges_ns(bins: int) -> Floats:
    """Lower edges of all bins, and the upper one of the last; shape (bins + 1,)."""
    groups, coarseness = _layout(bins)
    return _edge(np.arange(bins + 1, dtype=np.int64) << coarseness, 0.0) * _unit_ns(groups)


def _unit_ns(groups: int) -> float:
    return 1000.0 if groups == _GROUPS_OF_FIO_2 else 1.0


def _same_bins(logs: Sequence[HistogramLog]) -> int:
    if not logs or len({log.bins for log in logs}) != 1:
        raise UnreadableFile("these histogram logs of fio have different bins", "Give logs of one run.")
    return logs[0].bins


def _layout(bins: int) -> tuple[int, int]:
    """Groups and coarseness of a log with so many bins. Raises UnreadableFile where there are none."""
    for groups in _GROUPS:
        for coarseness in range(_COARSEST + 1):
            if bins << coarseness == groups * _BINS_PER_GROUP:
                return groups, coarseness
    raise UnreadableFile(f"no histogram of fio has {bins} bins", "A histogram log is called ..._clat_hist.N.log.")


def _edge(index: Ints, share: float) -> Floats:
    """The latency at a share of each bin's width; fio's plat_idx_to_val."""
    exact = index < 2 * _BINS_PER_GROUP
    error_bits = np.where(exact, 0, index // _BINS_PER_GROUP - 1).astype(np.float64)
    width = np.exp2(error_bits)
    coarse = width * _BINS_PER_GROUP + (index % _BINS_PER_GROUP + share) * width
    return np.where(exact, index.astype(np.float64), coarse)


def _clean(encoded: bytes) -> bytes:
    """The same lines, separated by ", " and ended by a line feed, without those that are no numbers."""
    if not encoded.translate(None, b"0123456789, \n") and encoded.count(b", ") == encoded.count(b","):
        return encoded if encoded.endswith(b"\n") else encoded + b"\n"
    lines = (line.strip() for line in encoded.replace(b" ", b"").replace(b",", b", ").splitlines())
    return b"\n".join(line for line in lines if _CLEAN_LINE.fullmatch(line)) + b"\n"


def _column_count(encoded: bytes) -> int:
    """Columns of the first line, which must be a time, a direction, a size, and bins that fio knows."""
    first = encoded[: encoded.find(b"\n")]
    columns = first.count(b",") + 1
    _layout(columns - _LEADING_COLUMNS)
    return columns


def _nonzero_numbers(encoded: bytes) -> tuple[Ints, Ints, Ints, Ints]:
    """All numbers that are not 0: the columns of each row, and for each number its row, column and value.

    Each column is one digit and ", ", three bytes, but for the numbers of more digits; a position in a row less those
    further digits is thus three times its column. A row in which that does not come out even gets -1 columns.
    """
    text = np.frombuffer(encoded, dtype=np.uint8)
    row_ends = np.flatnonzero(text == ord("\n"))
    row_starts = np.concatenate(([0], row_ends[:-1] + 1))
    nonzero = np.flatnonzero((text - np.uint8(ord("1"))) < 9)
    before = text[np.maximum(nonzero - 1, 0)]
    starts = nonzero[(before < ord("0")) | (nonzero == 0)]
    numbers, lengths = _parsed(text, starts)
    rows = np.searchsorted(row_ends, starts)
    further_digits = np.concatenate(([0], np.cumsum(lengths - 1)))
    first_of_row = np.searchsorted(starts, row_starts)
    end_of_row = np.concatenate((first_of_row[1:], [len(starts)]))
    widths = starts - row_starts[rows] - (further_digits[:-1] - further_digits[first_of_row[rows]])
    row_widths = row_ends - row_starts - (further_digits[end_of_row] - further_digits[first_of_row]) + 2
    row_columns = np.where(row_widths % 3 == 0, row_widths // 3, -1)
    row_columns[rows[(widths % 3 != 0) | (lengths > _LONGEST_NUMBER)]] = -1
    return row_columns, rows, widths // 3, numbers


def _parsed(text: NDArray[np.uint8], starts: Ints) -> tuple[Ints, Ints]:
    """Value and length of the decimal numbers that start at these places; values past 18 digits are not to be used."""
    numbers = text[starts].astype(np.int64) - ord("0")
    lengths = np.ones(len(starts), dtype=np.int64)
    growing = np.arange(len(starts))
    for place in range(1, _LONGEST_NUMBER + 2):
        digits = text[starts[growing] + place]  # a line feed ends the text, so this stays within it
        more = digits >= ord("0")
        growing = growing[more]
        if not growing.size:
            break
        lengths[growing] += 1
        numbers[growing] = (numbers[growing] % 10**17) * 10 + (digits[more].astype(np.int64) - ord("0"))
    return numbers, lengths


def _weights_per_interval(
    logs: Sequence[HistogramLog], values_ns: Floats, interval_ms: float, direction: str | None
) -> Iterator[tuple[float, Floats]]:
    """The end of each interval in ms, and how many I/Os of each bin fell into it; intervals without I/O left out."""
    ends, bins, counts = _entries(logs, direction)
    if not ends.size:
        return
    starts = ends - 0.5 * interval_ms - values_ns[bins] / 1e6
    first = _first_interval(min(int(log.times_ms.min()) for log in logs), interval_ms)
    last = int(np.ceil(ends.max() / interval_ms)) - 1
    for begin in _spans(starts, ends, first, interval_ms):
        size = min(_SPAN, last + 1 - begin)
        here = np.flatnonzero((ends > begin * interval_ms) & (starts < (begin + size) * interval_ms))
        table = _shared_out(
            starts[here], ends[here], bins[here], counts[here], begin, size, len(values_ns), interval_ms
        )
        for place in np.flatnonzero(table.any(axis=1)):
            yield float((begin + place + 1) * interval_ms), table[place]


def _spans(starts: Floats, ends: Floats, first: int, interval_ms: float) -> list[int]:
    """The first interval of each span in which there is I/O; where times jump, what lies between is skipped."""
    opening = np.maximum(np.floor(starts / interval_ms) - first, 0) // _SPAN
    closing = np.maximum(np.ceil(ends / interval_ms) - 1 - first, 0) // _SPAN
    reached = [np.minimum(opening + step, closing) for step in range(int((closing - opening).max()) + 1)]
    return [first + int(span) * _SPAN for span in np.unique(np.concatenate(reached))]


def _shared_out(
    starts: Floats, ends: Floats, bins: Ints, counts: Ints, begin: int, size: int, width: int, interval_ms: float
) -> Floats:
    """Counts shared out over `size` intervals from `begin` on, by overlap, in ms; shape (size, width)."""
    total = np.zeros(size * width)
    rates = counts / (ends - starts)
    interval = np.maximum(np.floor(starts / interval_ms).astype(np.int64) - begin, 0)
    while interval.size:
        low = (interval + begin) * interval_ms
        high = low + interval_ms
        overlap = np.maximum(np.minimum(ends, high) - np.maximum(starts, low), 0.0)
        total += np.bincount(interval * width + bins, rates * overlap, size * width)
        lasting = (ends > high) & (interval + 1 < size)
        starts, ends, bins, rates = starts[lasting], ends[lasting], bins[lasting], rates[lasting]
        interval = interval[lasting] + 1
    return total.reshape(size, width)


def _entries(logs: Sequence[HistogramLog], direction: str | None) -> tuple[Floats, Ints, Ints]:
    """All counts of the asked direction: the time in ms at which they were logged, their bin, and the count."""
    ends, bins, counts = [], [], []
    for log in logs:
        asked = np.ones(len(log.times_ms), dtype=bool)
        if direction is not None:
            asked = log.directions == DIRECTIONS.index(direction)
        kept = asked[log.entry_rows]
        ends.append(log.times_ms[log.entry_rows[kept]].astype(np.float64))
        bins.append(log.entry_bins[kept])
        counts.append(log.entry_counts[kept])
    return np.concatenate(ends), np.concatenate(bins), np.concatenate(counts)


def _first_interval(earliest_ms: int, interval_ms: float) -> int:
    """Intervals are multiples of their width; a log on the Unix clock begins shortly before its first entry."""
    begin_ms = earliest_ms - _LEAD_MS
    return int(begin_ms // interval_ms) if begin_ms > interval_ms else 0
