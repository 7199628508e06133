"""Microsoft's DISKSPD, text: the totals of its reads and writes. Its MB are MiB in every version; latencies are ms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.command_lines import nearest, size
from radoscope.formats.grammar.quantities import MIB, latency, number, scaled
from radoscope.records.measurement import Result, Source

NAME = "diskspd"
LOOKS_BACK = 60
SIGNS = ("Total IO", "Read IO", "Write IO", "I/O per s", "-nines")

_LONGEST_LINE = 300
_SECTION = re.compile(r"\s*(?P<what>Total|Read|Write) IO\s*$")
_HEAD = re.compile(r"\s*thread\s*\|\s*bytes\s*\|\s*I/Os\s*\|\s*(?:MB|MiB)/s\s*\|\s*I/O per s(?P<rest>.*)")
_THREAD = re.compile(r"\s*\d+\s*\|[\s\d]+\|[\s\d]+\|[\s\d.]+\|")
_TOTAL = re.compile(r"\s*[tT]otal:[\s|]*(?P<cells>\d[\d\s.]*\|[\d\s.]+\|.*)$")
_PERCENTILES = re.compile(r"\s*%-ile\s*\|")
_POINT = re.compile(
    r"\s*(?P<name>min|max|\d\dth|\d-nines)\s*\|\s*(?P<read>[\d.]+|N/A)\s*\|\s*(?P<write>[\d.]+|N/A)\s*\|"
)
_CONDITIONS = {
    "block": re.compile(r"\s*block size:\s*(\d+\s?[KMG]?(?:iB|B)?)\s*$"),
    "depth": re.compile(r"\s*number of outstanding I/O operations(?: per thread)?:\s*(\d+)"),
    "threads": re.compile(r"\s*(?:threads per file|thread count|total threads):\s*(\d+)"),
    "order": re.compile(r"\s*using (random|sequential|interlocked sequential)"),
    "time": re.compile(r"\s*actual test time:\s*([\d.]+)s"),
}
_COMMAND = re.compile(r"\bdiskspd(?:\.exe)?\s(?P<arguments>.*-\w.*)", re.IGNORECASE)
_FLAGS = re.compile(r"(?<!\S)-([bot])(\d{1,9}[kKmMgG]?)(?!\w)")
"""Large letters are other flags; of a size either will do."""
_RULE = re.compile(r"[\s|-]+$")
_WAYS = {"0": "read", "100": "write"}
"""By the share of writes that `-w` asks for."""
_NINES = {"3-nines": 99.9, "4-nines": 99.99, "5-nines": 99.999}


@dataclass(slots=True)
class _Report:
    first: int
    end: int
    totals: dict[str, list[float | None]] = field(default_factory=dict)
    columns: list[str] = field(default_factory=list)
    points: dict[str, dict[float, float]] = field(default_factory=lambda: {"read": {}, "write": {}})


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    for report in _reports(lines):
        yield report.first, report.end


def read(text: str) -> tuple[Result, ...]:
    """Reads and writes of each report; the total where nothing else was pasted. Raises UnreadableFile."""
    lines = text.split("\n")
    results: list[Result] = []
    above = 0
    for report in _reports(lines):
        results += _results(report, lines[max(above, report.first - LOOKS_BACK) : report.first])
        above = report.end
    return required(results, "no totals of DISKSPD in this text", "They stand below `Read IO` and `Write IO`.")


def _reports(lines: Sequence[str]) -> Iterator[_Report]:
    report: _Report | None = None
    section = ""
    for at, line in enumerate(lines):
        if len(line) > _LONGEST_LINE or not line.strip():
            continue
        line = _unframed(line)
        if match := _SECTION.match(line):
            if report is not None and (match["what"].lower() in report.totals or at - report.end > 12):
                yield report
                report = None
            report, section = report or _Report(at, at + 1), match["what"].lower()
        elif match := _HEAD.match(line):
            report = report or _Report(at, at + 1)
            section = section or "total"
            report.columns = [cell.strip().lower() for cell in match["rest"].split("|") if cell.strip()]
        elif _PERCENTILES.match(line):
            report = report or _Report(at, at + 1)
        elif report is None or at - report.end > 12:
            if report is not None:
                yield report
            report, section = None, ""
            continue
        elif match := _TOTAL.match(line):
            report.totals[section or "total"] = [number(cell) for cell in match["cells"].split("|")]
        elif match := _POINT.match(line):
            _add_point(report, match)
        elif not (_THREAD.match(line) or _RULE.match(line)):
            continue
        report.end = at + 1
    if report is not None:
        yield report


def _unframed(line: str) -> str:
    """A row of it in Markdown: "| Total: | 7864320000 | ... |"."""
    text = line.strip()
    return re.sub(r"(?<=:) *\|", " ", text.strip("|"), count=1) if text.startswith("|") else line


def _add_point(report: _Report, match: re.Match[str]) -> None:
    name = match["name"]
    percent = _NINES.get(name) or (float(name[:2]) if name.endswith("th") else None)
    for way in ("read", "write"):
        value = number(match[way])
        if percent is not None and value is not None:
            report.points[way][percent] = value / 1e3


def _results(report: _Report, before: Sequence[str]) -> list[Result]:
    facts: dict[str, str] = {}
    if command := nearest(before, _COMMAND):
        flags = dict(_FLAGS.findall(command["arguments"]))
        facts = {
            name: flags[flag] for name, flag in (("block", "b"), ("depth", "o"), ("threads", "t")) if flag in flags
        }
        facts["order"] = "random" if re.search(r"(?:^|\s)-r", command["arguments"]) else "sequential"
        share = re.search(r"(?:^|\s)-w(\d{1,3})(?!\S)", command["arguments"])
        facts["way"] = _WAYS.get(share[1], "rw") if share else "read"
    for line in before:
        for name, pattern in _CONDITIONS.items():
            if match := pattern.match(line[:_LONGEST_LINE]):
                facts[name] = match[1]
    ways: list[str] = [way for way in ("read", "write") if way in report.totals and any(report.totals[way][1:2])]
    if not report.totals:  # the percentiles alone were pasted
        ways = [way for way, points in report.points.items() if points]
    return [
        _result(report, way, facts, len(ways) > 1)
        for way in ways or [each for each in ("total",) if each in report.totals]
    ]


def _result(report: _Report, way: str, facts: dict[str, str], mixed: bool) -> Result:
    cells = [*report.totals.get(way, ()), None, None, None, None, None, None]
    columns = {name: cells[4 + at] for at, name in enumerate(report.columns) if 4 + at < len(cells)}
    order = facts.get("order")
    asked = facts.get("way") if way == "total" else way
    block, ios = facts.get("block"), cells[1]
    return Result(
        tool=NAME,
        op=("rand" if order == "random" else "") + asked if asked else None,
        block_bytes=size(re.sub(r"(?<=\d)$", "B", block.replace(" ", ""))) if block else None,
        queue_depth=int(facts["depth"]) if "depth" in facts else None,
        jobs=int(facts["threads"]) if "threads" in facts else None,
        iops=cells[3],
        bandwidth_bytes_per_s=scaled(cells[2], MIB),
        latency=latency(
            mean_s=scaled(columns.get("avglat"), 1e-3),
            stddev_s=scaled(columns.get("latstddev"), 1e-3),
            percentiles_s=report.points.get(way, {}),
        ),
        total_ios=None if ios is None else int(ios),
        runtime_s=number(facts.get("time", "")),
        source=Source(reader=NAME, first_line=report.first + 1, last_line=report.end),
        extra={"mixed": True} if mixed else {},
    )
