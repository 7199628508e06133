"""Summaries that benchmark pods print: Longhorn's kbench, dbench, and kubestr. All of them run fio.

IOPS, bandwidth and latency of kbench and dbench come from runs of their own, so each is a result of its own. kbench's
bandwidth is KiB/s and its latency ns; both stand in its headings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required
from radoscope.formats.grammar.phrases import BANDWIDTH, IOPS, LATENCY, Quantity, heading_of, rate_factor
from radoscope.formats.grammar.quantities import latency, number, scaled
from radoscope.records.extra import Extra
from radoscope.records.measurement import Result, Source

NAME = "kubernetes-fio"
SIGNS = ("(Read/Write)", "Read/Write", "JobName:", "FIO Benchmark")

_LONGEST_LINE = 300
_HEADING = re.compile(r"\s*(?P<what>IOPS(?: in ops)?|Bandwidth in \S+|Latency in \S+) \(Read/Write\)\s*$")
_NUMBER = r"[\d.,]+"
_KBENCH = re.compile(
    rf"\s*(?P<order>Random|Sequential):\s*(?P<read>{_NUMBER}|-)\s*/\s*(?P<write>{_NUMBER}|-)(?P<rest>.*)"
)
_OF_ALL = re.compile(r"\s*(?P<what>IOPS|Bandwidth in \S+|Latency in \S+)\s*$")
_CPU = r"\s*(?:\([^()]{1,60}\))?"
_ONE_WAY = re.compile(
    rf"\s*(?P<order>Random|Sequential) (?P<way>Rr?ead|Write):\s*(?P<value>{_NUMBER}){_CPU}"
    rf"(?:\s*vs\s*(?P<other>{_NUMBER}){_CPU})?\s*(?::.{{0,120}})?$"
)
"""Of kbench that tells each run's processor time: a line a direction, below heads without "(Read/Write)"."""
_COMPARED = re.compile(rf"\s*vs\s*(?P<read>{_NUMBER}|-)\s*/\s*(?P<write>{_NUMBER}|-)")
_NAMES = re.compile(r"\s*For:\s*(?P<name>.{1,100}?)\s*$")
_SUMMARY = re.compile(r"\s*FIO Benchmark\b.{0,60}\bSummary\s*$")
"""Its head says whether its latencies are means or a percentile."""
_IDLE = re.compile(r"\s*(?:CPU Idleness\b|Size:|Quick Mode:)", re.IGNORECASE)
_DBENCH = re.compile(
    r"\s*(?P<mixed>Mixed )?(?P<order>Random"
    r"|Sequential) Read/Write(?P<iops> IOPS)?:\s*(?P<read>\S+?)\s*/\s*(?P<write>[^\s.]+(?:\.\d[^\s.]*)?)?\.?"
    r"(?:\s+BW:\s*(?P<read_bw>\S+)\s*/\s*(?P<write_bw>\S+))?\s*$"
)
_DBENCH_LATENCY = re.compile(
    r"\s*Average Latency \((?P<unit>\w+)\) Read/Write:\s*(?P<read>[\d.]*)\s*/\s*(?P<write>[\d.]*)\s*$"
)
_JOB = re.compile(r"\s*JobName:\s*(?P<name>\S{1,100})")
_OPTIONS = re.compile(r"\s*blocksize=\S+")
_WAY = re.compile(r"\s*(?P<way>read|write):\s*$")
_RATES = re.compile(r"\s*IOPS=(?P<iops>[\d.]+)\s+BW\((?P<unit>\S+?)\)=(?P<rate>[\d.]+)")
_SPREAD = re.compile(r"\s*(?:iops|bw\(\S+\)): min=")
_OURS = (
    *(_SUMMARY, _NAMES, _HEADING, _OF_ALL, _KBENCH, _ONE_WAY, _IDLE, _DBENCH, _DBENCH_LATENCY),
    *(_JOB, _OPTIONS, _WAY, _RATES, _SPREAD),
)


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of lines that these summaries are made of, where they hold a result."""
    first: int | None = None
    last = 0
    for at, line in enumerate([*lines, ""]):
        ours = at < len(lines) and len(line) <= _LONGEST_LINE and any(each.match(line) for each in _OURS)
        if ours:
            first, last = at if first is None else first, at
        elif first is not None and (line.strip() or at == len(lines)) and (at - last > 2 or at == len(lines)):
            if _results(lines[first : last + 1], first):
                yield first, last + 1
            first = None


def read(text: str) -> tuple[Result, ...]:
    """Every figure of every summary. Raises UnreadableFile where there is none."""
    return required(_results(text.split("\n"), 0), "no summary of kbench, dbench or kubestr in this text")


def _results(lines: Sequence[str], offset: int) -> list[Result]:
    results: list[Result] = []
    quantity: Quantity | None = None
    percentile: float | None = None
    names: list[str] = []
    job, options, way = "", "", ""
    for at, line in enumerate(lines):
        line = line[:_LONGEST_LINE]
        source = Source(reader=NAME, first_line=at + 1, last_line=at + 1)
        if _SUMMARY.match(line):
            percentile = next((float(each[1:]) for each in heading_of(line).statistics if each.startswith("p")), None)
        elif match := _NAMES.match(line):
            names = re.split(r"\s+vs\s+", match["name"])
        elif match := _HEADING.match(line) or _OF_ALL.match(line):
            found = heading_of(match["what"].removesuffix(" in ops").replace(" in ", " (") + ")").quantities
            quantity = found[0] if found and found[0].factor else None
        elif (match := _KBENCH.match(line)) and quantity is not None:
            results += (_at_percentile(each, percentile) for each in _kbench(match, quantity, names, source))
        elif (match := _ONE_WAY.match(line)) and quantity is not None:
            results += (_at_percentile(each, percentile) for each in _one_way(match, quantity, names, source))
        elif match := _DBENCH.match(line):
            results += _dbench(match, source)
        elif match := _DBENCH_LATENCY.match(line):
            unit = heading_of(f"({match['unit']})").quantities
            results += [
                _result("dbench", "rand" + each, unit[0], match[each], source)
                for each in ("read", "write")
                if match[each] and unit
            ]  # fmt: skip
        elif match := _JOB.match(line):
            job, options = match["name"], ""
        elif _OPTIONS.match(line):
            options = line
        elif match := _WAY.match(line):
            way = match["way"]
        elif (match := _RATES.match(line)) and way:
            results.append(_kubestr(match, job, options, way, source))
    return results


def _kbench(match: re.Match[str], quantity: Quantity, names: Sequence[str], source: Source) -> Iterator[Result]:
    """One result a direction; a comparison has a second pair behind "vs"."""
    order = "rand" if match["order"] == "Random" else ""
    other = _COMPARED.match(match["rest"])
    for place, pair in enumerate([match, other] if other else [match]):
        for way in ("read", "write"):
            if number(pair[way]) is not None:
                yield _result("kbench", order + way, quantity, pair[way], source, _label(names, place))


def _one_way(match: re.Match[str], quantity: Quantity, names: Sequence[str], source: Source) -> Iterator[Result]:
    op = ("rand" if match["order"] == "Random" else "") + ("write" if match["way"] == "Write" else "read")
    for place, value in enumerate((match["value"], match["other"])):
        if value is not None:
            yield _result("kbench", op, quantity, value, source, _label(names, place))


def _label(names: Sequence[str], place: int) -> Extra:
    return {"label": names[place]} if place < len(names) else {}


def _at_percentile(result: Result, percentile: float | None) -> Result:
    mean = result.latency.mean_s if result.latency else None
    if percentile is None or mean is None:
        return result
    return replace(result, latency=latency(percentiles_s={percentile: mean}))


def _dbench(match: re.Match[str], source: Source) -> Iterator[Result]:
    order = "rand" if match["order"] == "Random" else ""
    more: Extra = {"mixed": True} if match["mixed"] else {}
    for way in ("read", "write"):
        pairs = [(match[way], IOPS if match["iops"] else BANDWIDTH), (match[f"{way}_bw"], BANDWIDTH)]
        for text, kind in pairs:
            if text is None:
                continue
            parts = re.fullmatch(r"(?P<number>[\d.]+)(?P<unit>\D*)", text.rstrip("."))
            factor = None if parts is None else _dbench_factor(parts["unit"], kind)
            if parts is not None and factor is not None:
                yield _result("dbench", order + way, Quantity(kind, factor), parts["number"], source, more)


def _dbench_factor(unit: str, kind: str) -> float | None:
    if kind == IOPS:
        return {"": 1.0, "k": 1e3, "M": 1e6}.get(unit)
    return rate_factor(unit)[0] if unit else None


def _kubestr(match: re.Match[str], job: str, options: str, way: str, source: Source) -> Result:
    load = heading_of(options.replace("blocksize=", "bs=")).load
    factor = rate_factor(match["unit"])[0]
    return Result(
        tool="kubestr",
        op=("rand" if load.random else "") + way if load.way else None,
        block_bytes=load.block_bytes,
        queue_depth=load.depth,
        iops=number(match["iops"]),
        bandwidth_bytes_per_s=None if factor is None else scaled(number(match["rate"]), factor),
        source=source,
        extra={"jobname": job, **({"mixed": True} if load.way == "mix" else {})},
    )


def _result(tool: str, op: str, quantity: Quantity, text: str, source: Source, extra: Extra | None = None) -> Result:
    value = scaled(number(text), quantity.factor or 1.0)
    return Result(
        tool=tool,
        op=op,
        iops=value if quantity.kind == IOPS else None,
        bandwidth_bytes_per_s=value if quantity.kind == BANDWIDTH else None,
        latency=latency(mean_s=value) if quantity.kind == LATENCY else None,
        source=source,
        extra=extra or {},
    )
