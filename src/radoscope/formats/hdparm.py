"""`hdparm -W` (the drive's write cache) and `hdparm -t`, `-T` (timed reads; MB are MiB)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from radoscope.errors import UnreadableFile
from radoscope.formats.quantities import MIB, number, scaled
from radoscope.records.measurement import Result, Source

NAME = "hdparm"
SIGNS = ("write-caching", "Timing ")

_LONGEST_LINE = 300
_DEVICE = re.compile(r"\s*(?P<device>/dev/[\w/.-]{1,60}):\s*$")
_CACHE = re.compile(r"\s*write-caching\s*=\s*(?P<value>[01])\s*(?:\((?P<word>on|off)\))?")
_SETTING = re.compile(r"\s*setting (?:drive )?\S+ ")
_TIMING = re.compile(
    r"\s*Timing (?P<what>(?:O_DIRECT )?(?:buffered disk|cached|disk|buffer-cache) reads)\s*:\s*"
    r"(?P<amount>[\d.,]+)\s*(?P<mega>[MGk]B) in\s+"
    r"(?P<time>[\d.,]+) seconds\s*=\s*(?P<rate>[\d.,]+)\s*(?P<unit>[MGk]B)/sec",
    re.IGNORECASE,
)
_FACTOR = {"k": 1024.0, "m": MIB, "g": 1024 * MIB}


def recognises(head: str) -> bool:
    return any(sign in head for sign in SIGNS)


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges: the device's line where it is there, and one answer behind it."""
    device: int | None = None
    for at, line in enumerate(lines):
        if len(line) > _LONGEST_LINE or not line.strip():
            continue
        if _CACHE.match(line) or _TIMING.match(line):
            yield at if device is None else device, at + 1
            device = None
        elif _DEVICE.match(line):
            device = at
        elif not _SETTING.match(line):
            device = None


def read(text: str) -> tuple[Result, ...]:
    """Every answer of the text. Raises UnreadableFile where there is none."""
    lines = text.splitlines()
    device: str | None = None
    results = []
    for first, end in find(lines):
        if named := _DEVICE.match(lines[first]):
            device = named["device"]
        elif first > 0 and not any(_TIMING.match(line) for line in lines[first - 1 : first]):
            device = None
        source = Source(reader=NAME, first_line=first + 1, last_line=end)
        results.append(_read_answer(lines[end - 1], device, source))
    if not results:
        raise UnreadableFile("no answer of hdparm in this text", "It says `write-caching = ...` or `Timing ... reads`.")
    return tuple(results)


def _read_answer(line: str, device: str | None, source: Source) -> Result:
    extra: dict[str, object] = {"device": device} if device else {}
    if cache := _CACHE.match(line):
        extra["write_cache"] = "on" if cache["value"] == "1" else "off"
        return Result(tool=NAME, source=source, extra=extra)
    match = _TIMING.match(line)
    if match is None:
        raise UnreadableFile("no answer of hdparm in this text")
    extra["test"] = match["what"].lower()
    extra["bytes"] = scaled(number(match["amount"]), _FACTOR[match["mega"][0].lower()])
    return Result(
        tool=NAME,
        op="read",
        bandwidth_bytes_per_s=scaled(number(match["rate"]), _FACTOR[match["unit"][0].lower()]),
        runtime_s=number(match["time"]),
        source=source,
        extra=extra,
    )
