"""`hdparm -W` (the drive's write cache) and `hdparm -t`, `-T` (timed reads; MB are MiB)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.quantities import number, prefixed
from radoscope.records.extra import Extra
from radoscope.records.measurement import Result, Source

NAME = "hdparm"
SIGNS = ("write-caching", "Timing ")

_LONGEST_LINE = 300
_DEVICE = re.compile(
    r"\s*(?P<device>/dev/[\w/.-]{1,60}):\s*(?:[(\[](?P<remark>[^()\[\]]{1,60})[)\]]|[#–—-]\s?(?P<note>[^#:]{1,60}))?\s*$"
)
"""Behind it some write which drive that is."""
_CACHE = re.compile(r"\s*write-caching\s*=\s*(?P<value>[01])\s*(?:\((?P<word>on|off)\))?")
_SETTING = re.compile(r"\s*setting (?:drive )?\S+ ")
_TIMING = re.compile(
    r"(?:\W{0,12}?(?:(?P<device>/dev/[\w/.-]{1,60})|(?P<remark>[^\W\d][\w ./()+#-]{0,40}))(?::| ?[-=]>)\W{0,4})?"
    r"\s*(?:#\s{0,8})?"
    r"Timing (?P<what>(?:O_DIRECT )?(?:buffered disk|cached|disk|buffer-cache) reads)\s*:\s*"
    r"(?P<amount>[\d.,]+)\s*(?P<mega>[MGk]B) in\s+"
    r"(?P<time>[\d.,]+) seconds\s*=\s*(?P<rate>[\d.,]+)\s*(?P<unit>[MGk]B)/sec",
    re.IGNORECASE,
)


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges: the device's line where it is there, and the answers behind it."""
    first: int | None = None
    end: int | None = None
    for at, line in enumerate(lines):
        if len(line) <= _LONGEST_LINE and not line.strip():
            continue
        if len(line) <= _LONGEST_LINE and (_CACHE.match(line) or _TIMING.match(line)):
            first, end = at if first is None else first, at + 1
            continue
        names, sets = _DEVICE.match(line[:_LONGEST_LINE]), _SETTING.match(line[:_LONGEST_LINE])
        if first is not None and end is not None and not sets:
            yield first, end
        if not sets:
            first, end = (at if names else None), None
    if first is not None and end is not None:
        yield first, end


def read(text: str) -> tuple[Result, ...]:
    """Every answer of the text. Raises UnreadableFile where there is none."""
    lines = text.splitlines()
    results = []
    for first, end in find(lines):
        named = _DEVICE.match(lines[first])
        begin = first
        for at in range(first, end):
            if answers := _answers(lines[at]):
                source = Source(reader=NAME, first_line=begin + 1, last_line=at + 1)
                own = _TIMING.match(lines[at])
                named = own if named is None or _names_of(own) else named
                results += [_read_answer(answer, _names_of(named), source) for answer in answers]
                begin = at + 1
    return required(results, "no answer of hdparm in this text", "It says `write-caching = ...` or `Timing ... reads`.")


def _names_of(named: re.Match[str] | None) -> Extra:
    """The device, and what somebody wrote behind it."""
    words = named.groupdict() if named else {}
    names: Extra = {"device": words["device"]} if words.get("device") else {}
    if remark := words.get("remark") or words.get("note"):
        names["label"] = remark.strip()
    return names


def _answers(line: str) -> Sequence[re.Match[str]]:
    """A page may have joined the lines of a drive."""
    answer = _CACHE.match(line) or _TIMING.match(line)
    return list(_TIMING.finditer(line)) or [answer] if answer else []


def _read_answer(match: re.Match[str], names: Extra, source: Source) -> Result:
    extra: Extra = {**names}
    if match.re.pattern == _CACHE.pattern:
        extra["write_cache"] = "on" if match["value"] == "1" else "off"
        return Result(tool=NAME, source=source, extra=extra)
    extra["test"] = match["what"].lower()
    extra["bytes"] = prefixed(match["amount"], match["mega"], 1024.0)
    return Result(
        tool=NAME,
        op="read",
        bandwidth_bytes_per_s=prefixed(match["rate"], match["unit"], 1024.0),
        runtime_s=number(match["time"]),
        source=source,
        extra=extra,
    )
