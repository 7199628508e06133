"""`ping` of iputils, busybox, BSD, macOS and Windows: round-trip times and loss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.quantities import latency, number, scaled, seconds, series
from radoscope.records.extra import Extra
from radoscope.records.measurement import Result, Series, Source

NAME = "ping"

_LONGEST_LINE = 500
_HEAD = re.compile(
    r"\s*PING\s+\S+.*?(?P<payload>\d{1,6})(?:\(\d+\))?\s+(?:data\s+)?(?:bytes|octets|Bytes)", re.IGNORECASE
)
_REPLY = re.compile(
    r"\s*(?:\[[\d.]+\]\s*)?\d{1,6} (?:bytes|octets) (?:from|de|von|desde|da) .{0,200}?seq[=:]?\s?(?P<seq>\d+)"
    r".*?\b(?:time|temps|Zeit|tiempo|tempo|время)"
    r"\s?[=:<]\s?(?P<time>[\d.,]+)\s?ms",
    re.IGNORECASE,
)
_STATISTICS = re.compile(
    r"\s*-{2,4}\s?(?P<host>\S{1,255}).{0,40}\bping\b.{0,60}?-{2,4}\s*$|.*ping statistics", re.IGNORECASE
)
_PACKETS = re.compile(r"\s*(?P<tx>\d+)\s+\D{0,60}?,\s*(?P<rx>\d+)\s+[^\d,]{0,60},(?P<rest>.*?(?P<loss>[\d.,]+)\s?%.*)")
_TIME = re.compile(r"\b(?:time|temps|Zeit|tiempo|tempo|время|ti?d|czas)\s+(?P<ms>\d+)\s?ms", re.IGNORECASE)
_ASKS = re.compile(r"\s*Sending \d{1,6}, \d{1,6}-byte ICMP Echos? to \S", re.IGNORECASE)
_SUCCESS = re.compile(
    r"[\s>|*•`-]{0,20}Success rate is \d{1,3} percent \((?P<answered>\d{1,6})/(?P<asked>\d{1,6})\)", re.IGNORECASE
)
"""As routers print it; nothing follows where nobody answered."""
_ROUND_TRIP = re.compile(
    r"(?:[^=]{1,120}?,\s{1,4})??"
    r"[\s>|*•`-]{0,20}(?:(?P<name>[^\d\s=/(][^=/()]{0,40}?)(?:[:：]\s*|\s+))??(?:rtt|round-trip|approximate)\s*"
    r"(?:\((?P<unit_in_front>ms|us|µs|s)\)\s*)?\(?(?P<names>min/(?:avg|moy|mean)/max(?:/(?:mdev|stddev|std-dev))?)\)?\s*=\s*"
    r"(?P<values>[\d.,]+(?:/[\d.,]+|/nan){2,3})\s*(?:(?P<unit>ms|us|µs|s)\b|(?(unit_in_front)(?![\d.,/])|(?!)))",
    re.IGNORECASE,
)
_WINDOWS_PACKETS = re.compile(
    r"\s*\S{1,20}: [^\d=]{1,20} = (?P<tx>\d+), [^\d=]{1,20} = (?P<rx>\d+), [^\d=]{1,20} = \d+ ?\((?P<loss>\d+)\s?%"
)
_WINDOWS_TIMES = re.compile(
    r"\s*(?:Minimum|最短|最小|Minimal|Mínimo|Minimo|Минимальное) = (?P<min>\d+)\s?\S{1,6}, "
    r"\S{1,20} = (?P<max>\d+)\s?\S{1,6}, [^=]{1,20} = (?P<mean>\d+)\s?\S{1,6}\s*"
)
SIGNS = ("min/avg/max", "min/moy/max", "min/mean/max", "inim", "最短 = ", "最小 = ", "ínimo = ", "ping statistics",
          "percent (0/")  # fmt: skip


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Runs end with the line of round-trip times; they begin with `PING`, or at the statistics if that is cut off."""
    begin = 0
    for at, line in enumerate(lines):
        if _summary_of(line) is not None or _all_lost(lines, at):
            yield _beginning(lines, begin, at), at + 1
            begin = at + 1


def _all_lost(lines: Sequence[str], at: int) -> bool:
    """The packets' line of a run without any reply: no times follow it."""
    line = lines[at]
    if "percent (0/" in line and len(line) <= _LONGEST_LINE:
        success = _SUCCESS.match(line)
        return success is not None and not line[success.end() :].strip()
    if len(line) > _LONGEST_LINE or "100%" not in line or not _PACKETS.match(line):
        return False
    return any(_STATISTICS.match(above[:_LONGEST_LINE]) for above in lines[max(0, at - 2) : at])


def _summary_of(line: str) -> re.Match[str] | None:
    if len(line) > _LONGEST_LINE or "=" not in line or ("/" not in line and "," not in line):
        return None
    return (_ROUND_TRIP.match(line) if "in/" in line or "IN/" in line else None) or _WINDOWS_TIMES.match(line)


def _beginning(lines: Sequence[str], lowest: int, at: int) -> int:
    """Upwards over replies, statistics and blanks; a `PING` line ends the search."""
    first, strange = at, 0
    for above in range(at - 1, lowest - 1, -1):
        line = lines[above][:_LONGEST_LINE]
        if _HEAD.match(line) or _ASKS.match(line) or line.startswith(("Pinging ", "Ping wird ausgeführt")):
            return above
        if _REPLY.match(line) or _STATISTICS.match(line) or _PACKETS.match(line) or _WINDOWS_PACKETS.match(line):
            first, strange = above, 0
        elif line.strip():
            strange += 1
            if strange > 4:
                break
    return first


def read(text: str) -> tuple[Result, ...]:
    """Every run of the text. Raises UnreadableFile where there is none."""
    lines = text.splitlines()
    results = (_read_run(lines, first, end) for first, end in find(lines))
    return required(results, "no statistics of ping in this text", "They end with a line `rtt min/avg/max/mdev = ...`.")


def _read_run(lines: Sequence[str], first: int, end: int) -> Result:
    extra: Extra = {}
    runtime: float | None = None
    for line in lines[first:end]:
        line = line[:_LONGEST_LINE]
        head, packets = _HEAD.match(line), _PACKETS.match(line) or _WINDOWS_PACKETS.match(line)
        if head:
            extra["payload_bytes"] = int(head["payload"])
        elif packets:
            extra |= {
                "packets_tx": int(packets["tx"]),
                "packets_rx": int(packets["rx"]),
                "loss_pct": number(packets["loss"]),
            }
            time = _TIME.search(line)
            runtime = int(time["ms"]) * 1e-3 if time else None
    summary = _summary_of(lines[end - 1])
    if (router := _SUCCESS.match(lines[end - 1][:_LONGEST_LINE])) and int(router["asked"]):
        asked, answered = int(router["asked"]), int(router["answered"])
        extra |= {"packets_tx": asked, "packets_rx": answered, "loss_pct": 100.0 * (asked - answered) / asked}
    low, mean, high, deviation = _round_trip(summary) if summary else (None, None, None, None)
    if summary is not None and summary.re.pattern == _ROUND_TRIP.pattern and summary["name"]:
        extra["label"] = summary["name"]  # of several lines that somebody has put below each other
    return Result(
        tool=NAME,
        op="rtt",
        latency=latency(min_s=low, mean_s=mean, max_s=high, stddev_s=deviation),
        runtime_s=runtime,
        series=_series(lines[first:end]),
        source=Source(reader=NAME, first_line=first + 1, last_line=end),
        extra=extra,
    )


def _round_trip(match: re.Match[str]) -> tuple[float | None, ...]:
    """(min, mean, max, deviation) in seconds."""
    if match.re.pattern == _WINDOWS_TIMES.pattern:
        return int(match["min"]) * 1e-3, int(match["mean"]) * 1e-3, int(match["max"]) * 1e-3, None
    found = [seconds(number(cell), match["unit"] or match["unit_in_front"]) for cell in match["values"].split("/")]
    return found[0], found[1], found[2], found[3] if len(found) > 3 else None


def _series(lines: Sequence[str]) -> tuple[Series, ...]:
    """The time of each reply over its sequence number: ping does not say when it came."""
    replies = [match for line in lines if (match := _REPLY.match(line[:_LONGEST_LINE]))]
    return series("latency_s", "s", ((float(match["seq"]), scaled(number(match["time"]), 1e-3)) for match in replies))
