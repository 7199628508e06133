"""fio's histogram logs in a folder -> latencies over time, all jobs of a run together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from radoscope import patterns as re
from radoscope.errors import UnreadableFile
from radoscope.records.measurement import PERCENTILES, Result, Series, Source

if TYPE_CHECKING:
    from radoscope.formats.fio.hist_log import HistogramLog

OVER_TIME: tuple[float, ...] = (50.0, 99.0, 99.9)
"""The percentiles that are followed over time, in percent."""

_NAME = re.compile(r"(?P<run>.+)_clat_hist(?:\.\d+)?\.log(?P<host>\.[\w.-]+)?")
_MOST_INTERVALS = 2000


def runs_of(names: Iterable[str]) -> dict[str, list[str]]:
    """The names of histogram logs by the run that they belong to: "out_clat_hist.1.log" and ".2.log" are one's."""
    runs: dict[str, list[str]] = {}
    for name in sorted(names):
        if match := _NAME.fullmatch(name):
            runs.setdefault(match["run"], []).append(name)
    return runs


def read_run(folder: Path, names: Sequence[str], source: str) -> tuple[Result, ...]:
    """One result a direction: completion latency of all jobs, and its percentiles over time. Raises UnreadableFile.

    Neither the rate nor the load is in a histogram log: these stay unknown. source: the file to be named.
    """
    from radoscope.formats.fio import hist_log as fio_hist_log  # start-up time: it loads numpy

    logs = read_logs(folder, names)
    return tuple(
        Result(
            tool="fio",
            op=direction,
            jobs=len(logs),
            latency=fio_hist_log.latency_of(logs, PERCENTILES, direction),
            series=over_time(logs, direction),
            source=Source(reader=fio_hist_log.NAME, file=source),
            extra={"pattern_unknown": True},
        )
        for direction in fio_hist_log.directions_of(logs)
    )


def read_logs(folder: Path, names: Sequence[str]) -> tuple[HistogramLog, ...]:
    """Raises UnreadableFile."""
    from radoscope.formats.fio import hist_log as fio_hist_log

    try:
        return tuple(fio_hist_log.read_histograms((folder / name).read_bytes()) for name in names)
    except OSError as error:
        raise UnreadableFile(f"it cannot be opened: {error.strerror}") from None


def over_time(logs: Sequence[HistogramLog], direction: str) -> tuple[Series, ...]:
    """Series latency_p50_s, latency_p99_s, latency_p999_s, one value a second, fewer of a run of hours."""
    from radoscope.formats.fio import hist_log as fio_hist_log

    begun, ended = (int(pick(log.times_ms[place] for log in logs)) for pick, place in ((min, 0), (max, -1)))
    interval_s = max(1.0, float(-(-(ended - begun) // (1000 * _MOST_INTERVALS))))
    return fio_hist_log.percentiles_over_time(logs, OVER_TIME, interval_s, direction)
