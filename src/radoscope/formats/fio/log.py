"""fio's bandwidth, IOPS and latency logs (`write_bw_log`, `write_iops_log`, `write_lat_log`) -> series.

A line is `time (msec), value, direction, block size, ...`; fio 2.x prints four columns, 3.x five, and options add an
offset, a priority (in hex), an issue time or a second value. What the values are stands in the file's name, not in the
text, so that a log alone in a pasted page is no result: this module is no member of TOOLS.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath

from radoscope import patterns as re
from radoscope.errors import UnreadableFile
from radoscope.formats.fio.words import DIRECTIONS
from radoscope.records.measurement import Series

NAME = "fio_log"


@dataclass(frozen=True, slots=True)
class _Quantity:
    """What one kind of log holds. rate: values of the same moment add up. scale: fio's unit -> ours."""

    name: str
    unit: str
    scale: float
    rate: bool


QUANTITIES: Mapping[str, _Quantity] = {
    "bw": _Quantity("bandwidth_bytes_per_s", "bytes/s", 1024.0, rate=True),
    "iops": _Quantity("iops", "1/s", 1.0, rate=True),
    "lat": _Quantity("latency_s", "s", 1e-9, rate=False),
    "clat": _Quantity("completion_s", "s", 1e-9, rate=False),
    "slat": _Quantity("submission_s", "s", 1e-9, rate=False),
}

_LOG_NAME = re.compile(r"_(bw|iops|lat|clat|slat|clat_hist)(?:\.\d+)?\.log(?:\.[\w.-]+)?$")
_EARLIEST_EPOCH_MS = 10**11
"""Times from March 1973 on are Unix times: nobody runs fio for three years."""
_LATEST_MS = 10**14


def kind_of(file_name: str) -> str | None:
    """What a log holds, by its name: "a_iops.3.log" -> "iops", "a_clat_hist.1.log" -> "hist"; None if it is no log.

    CBT and fio's client mode append the host: "output.0_bw.1.log.ceph1".
    """
    match = _LOG_NAME.search(PurePath(file_name).name)
    if match is None:
        return None
    return "hist" if match[1] == "clat_hist" else match[1]


def read_series(text: str, kind: str, direction: str | None = None) -> Series:
    """One direction's values over time. kind: "bw", "iops", "lat", "clat", "slat".

    direction: "read", "write", "trim"; None takes the only one there is. With log_avg_msec a time is the end of the
    averaged window. Raises UnreadableFile, also when a log of several directions is read without naming one.
    """
    found = read_all_series(text, kind)
    if direction is None and len(found) == 1:
        return next(iter(found.values()))
    if direction is None or direction not in found:
        raise UnreadableFile(
            f"this fio log holds {' and '.join(found)}, not {direction or 'one direction only'}",
            "Name one of its directions.",
        )
    return found[direction]


def read_all_series(text: str, kind: str) -> dict[str, Series]:
    """Direction -> its values over time; rates of one moment (jobs that share a log) add up. Raises UnreadableFile."""
    quantity = QUANTITIES.get(kind)
    if quantity is None:
        raise UnreadableFile(f"{kind!r} is no kind of fio log", f"Kinds are {', '.join(QUANTITIES)}.")
    points: dict[str, list[tuple[int, int]]] = {}
    for line in text.splitlines():
        entry = _entry(line)
        if entry is not None:
            time_ms, value, direction = entry
            points.setdefault(DIRECTIONS[direction], []).append((time_ms, value))
    if not points:
        raise UnreadableFile(
            "there is no line of a fio log in this text", "A line begins: time, value, direction, size."
        )
    return {direction: _series(quantity, points[direction]) for direction in DIRECTIONS if direction in points}


def _entry(line: str) -> tuple[int, int, int] | None:
    """Time in msec, value and number of the direction; None for a damaged line, as a killed run leaves as its last."""
    parts = line.split(",", 4)
    if len(parts) < 4:
        return None
    words = [part.strip() for part in parts[:4]]
    if not all(word.isdecimal() and word.isascii() and len(word) < 20 for word in words):
        return None
    time_ms, value, direction, size_or_direction = (int(word) for word in words)
    if direction >= len(DIRECTIONS) and size_or_direction < len(DIRECTIONS):
        direction = size_or_direction  # log_window_value=both puts the maximum between value and direction
    if direction >= len(DIRECTIONS) or time_ms > _LATEST_MS:
        return None
    return time_ms, value, direction


def _series(quantity: _Quantity, points: list[tuple[int, int]]) -> Series:
    if quantity.rate:
        sums: dict[int, int] = {}
        for time_ms, value in points:
            sums[time_ms] = sums.get(time_ms, 0) + value
        points = list(sums.items())
    points.sort(key=lambda point: point[0])
    return Series(
        name=quantity.name,
        unit=quantity.unit,
        times_s=tuple(time_ms / 1000 for time_ms, _value in points),
        values=tuple(value * quantity.scale for _time_ms, value in points),
        absolute=points[0][0] >= _EARLIEST_EPOCH_MS,
    )
