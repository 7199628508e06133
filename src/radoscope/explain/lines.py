"""How full the lines were: bytes each way through each interface, beside what is known of the line behind it.

A line is known by the study's own iperf3, by what the kernel says of it, or it shows itself: a rate that stays at what
TCP gets through one of the usual lines, while all else has time to spare.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator
from dataclasses import dataclass

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.times import full_host
from radoscope.records.conditions import Layer
from radoscope.records.study import Segment
from radoscope.records.telemetry import NIC_RECEIVED, NIC_SENT
from radoscope.stats.values import CellSummary, Estimate
from radoscope.words import _

USUAL_BITS_PER_S = (1e8, 1e9, 2.5e9, 5e9, 10e9, 25e9, 40e9, 50e9, 100e9, 200e9)
"""Ethernet's."""
_OF_SERVERS = (10e9, 25e9, 100e9, 200e9, 400e9)
"""What one buys for a server."""
_PLATEAU = (0.935, 0.998)
"""What interfaces count at a full line: frames of 1,514 bytes take 1,538 on the wire, those of 9,014 take 9,038.
Measured through a 1 Gbit/s bucket, which has a segment's start and end in it: 0.944 to 0.958."""
_STEADY = 0.02
"""Two segments that a line limits agree to that; what processors or drives limit differed by 5 to 60 % here."""
_LEVEL, _WHOLE_SECONDS = 0.05, 4
_RECEIVED = "received"
_BULK_BYTES_PER_S = 5e6
"""Less fills no line that anybody has."""
_IPERF_SLACK, _KNOWN_SLACK = 0.93, 0.92
_NEARLY = 0.85
"""Of a line whose rate is known, in each segment's busiest second: large writes to hard disks at what 1 Gbit/s carries
came to 0.88 to 0.90, as single I/Os come and go."""
_MUCH_FASTER = 1.5
_TOO_MUCH = 1.1
"""Of a known rate: who carries more is not limited by it. A queue's rate, as tc sets it, is that of one way alone."""
_OFTEN = 0.8
"""Of the line, in the middle segment: on a busy host the one sample of a short segment may hold its idle start."""
_SPOKEN = re.compile(r"bandwidth (\S+) -> (\S+): ([0-9.]+) Gbit/s")


@dataclass(frozen=True, slots=True)
class Flow:
    """Bytes a second one way through an interface, at full load in each segment. interface: "h1:pub0", "eth0"."""

    interface: str
    way: str
    each: tuple[float, ...]

    @property
    def is_inbound(self) -> bool:
        return self.way == _RECEIVED

    @property
    def bytes_per_s(self) -> float:
        return statistics.median(self.each)

    @property
    def spread(self) -> float:
        return (max(self.each) - min(self.each)) / self.bytes_per_s if self.bytes_per_s else 0.0


@dataclass(frozen=True, slots=True)
class Full:
    """A flow that fills its line. line: bytes/s. known: how the line is known."""

    flow: Flow
    line: float
    known: str

    @property
    def usage(self) -> float:
        return self.flow.bytes_per_s / self.line


def flows(evidence: CellEvidence) -> tuple[Flow, ...]:
    """All flows worth the name, the busiest first. The most of a segment's samples: start and end of it are idle."""
    found: dict[tuple[str, str], list[float]] = {}
    for segment in evidence.segments:
        for interface, way, value in _peaks(segment):
            found.setdefault((interface, way), []).append(value)
    told = (Flow(interface, way, tuple(each)) for (interface, way), each in found.items() if max(each) > 0)
    bulk = (flow for flow in told if flow.bytes_per_s >= _BULK_BYTES_PER_S and not _is_loopback(flow.interface))
    return tuple(sorted(bulk, key=lambda flow: -flow.bytes_per_s))


def fullest(evidence: CellEvidence) -> Full | None:
    """The flow that comes nearest to filling its line, if one does."""
    found = [full for flow in flows(evidence) if (full := _full(evidence, flow)) is not None]
    return max(found, key=lambda full: (full.usage, full.flow.bytes_per_s), default=None)


def fullest_nearly(evidence: CellEvidence) -> Full | None:
    """The flow that leaves its line least to spare, where little is left."""
    found = [
        _known(flow, line)
        for flow, line in _rated_flows(evidence)
        if _NEARLY * line <= min(flow.each) <= _TOO_MUCH * line
    ]
    return max(found, key=lambda full: full.usage, default=None)


def on_average(evidence: CellEvidence, flow: Flow) -> float:
    """Bytes a second after the first, in the middle segment: a load that stalls at times fills its line at others."""
    means = (statistics.fmean(values[1:] or values) for values in _samples(evidence, flow))
    return statistics.median(means)


def faster_elsewhere(evidence: CellEvidence, full: Full) -> float | None:
    """Bytes a second of the fastest line behind an interface of this name on another host, where that is much more."""
    host, _, name = full.flow.interface.rpartition(":")
    links = (link for link in evidence.environment.links if link.name == name and host and link.host != host)
    fastest = max((link.bits_per_s / 8 for link in links if link.bits_per_s), default=0.0)
    return fastest if fastest >= _MUCH_FASTER * full.line else None


def faster_line(bytes_per_s: float) -> float:
    """Bits/s of the next line for servers that carries at least twice as much as this one."""
    return next((bits for bits in _OF_SERVERS if bits >= 2 * 8 * bytes_per_s), 2 * 8 * bytes_per_s)


def any_crowded(evidence: CellEvidence) -> bool:
    """Whether a known line was so full that its queue drops packets: then TCP sends again without any fault."""
    return any(_OFTEN * line <= max(flow.each) <= _TOO_MUCH * line for flow, line in _rated_flows(evidence))


def _full(evidence: CellEvidence, flow: Flow) -> Full | None:
    if rated := _rated(evidence, flow.interface):
        full = max(flow.each) >= _KNOWN_SLACK * rated and _OFTEN * rated <= flow.bytes_per_s <= _TOO_MUCH * rated
        return _known(flow, rated) if full else None
    for line, known in _measured(evidence):
        if _IPERF_SLACK * line <= flow.bytes_per_s <= 1.1 * line:
            return Full(flow, line, known)
    return _plateau(evidence, flow)


def _plateau(evidence: CellEvidence, flow: Flow) -> Full | None:
    """No line is known: the rate itself must look like one, in two segments at least, and stay there within each.

    Many a rate comes near one of the usual lines by chance: 295 and 297 MB/s that a pod wrote to a healthy cluster were
    "2.5 Gbit/s", though the same interface had received 1,065. A line is as wide the other way, so what any cell moved
    through the interface counts against it. Full processors make rates that return as well.
    """
    if len(flow.each) < 2 or flow.spread > _STEADY or any(map(full_host, evidence.segments)):
        return None
    line = next((one for one in USUAL_BITS_PER_S if _PLATEAU[0] <= flow.bytes_per_s * 8 / one <= _PLATEAU[1]), 0.0) / 8
    if not line or not _stays(evidence, flow) or _most(evidence, flow.interface) > _TOO_MUCH * line:
        return None
    return Full(flow, line, _("as much as a {bits} link carries, again and again", bits=gbit(line)))


def _most(evidence: CellEvidence, interface: str) -> float:
    """Bytes a second that any cell of the study moved through an interface, one way."""
    peaks = (peak for one in evidence.study.segments for peak in _peaks(one))
    return max((value for name, _way, value in peaks if name == interface), default=0.0)


def _stays(evidence: CellEvidence, flow: Flow) -> bool:
    """Whether most whole seconds of long segments are at the flow's rate; short ones have hardly any."""
    long = (values[1:-1] for values in _samples(evidence, flow))
    return all(
        statistics.median(inner) >= (1 - _LEVEL) * flow.bytes_per_s for inner in long if len(inner) >= _WHOLE_SECONDS
    )


def _samples(evidence: CellEvidence, flow: Flow) -> Iterator[tuple[float, ...]]:
    """Of each segment."""
    name = (NIC_RECEIVED if flow.is_inbound else NIC_SENT).about(flow.interface)
    return (one.values for seg in evidence.segments for one in seg.telemetry if one.name == name and one.values)


def _measured(evidence: CellEvidence) -> Iterator[tuple[float, str]]:
    """(bytes/s, how that is known), of the study's iperf3 cells and of the sandbox's own measurement."""
    for summary in evidence.summaries.cells if evidence.summaries else ():
        if (rate := _iperf(summary)) is not None:
            yield rate, _("iperf3 got {rate}", rate=gbit(rate))
    for note in evidence.study.notes:
        if told := _SPOKEN.match(note):
            rate = float(told[3]) * 1e9 / 8
            yield (
                rate,
                _(
                    "iperf3 got {rate} from {client} to {server} before the study",
                    rate=gbit(rate),
                    client=told[1],
                    server=told[2],
                ),
            )


def _iperf(summary: CellSummary) -> float | None:
    rate = summary.bandwidth_bytes_per_s
    is_network = summary.cell.conditions.layer is Layer.NETWORK
    return rate.value if is_network and isinstance(rate, Estimate) else None


def _peaks(segment: Segment) -> Iterator[tuple[str, str, float]]:
    for series in segment.telemetry:
        for quantity, way in ((NIC_RECEIVED, _RECEIVED), (NIC_SENT, "sent")):
            interface = quantity.thing(series.name)
            if interface and series.values:
                yield interface, way, max(series.values)


def _known(flow: Flow, line: float) -> Full:
    return Full(flow, line, _("its link carries {line}", line=gbit(line)))


def _rated_flows(evidence: CellEvidence) -> Iterator[tuple[Flow, float]]:
    """Those through interfaces whose line's rate is known, with that."""
    return ((flow, line) for flow in flows(evidence) if (line := _rated(evidence, flow.interface)))


def _rated(evidence: CellEvidence, interface: str) -> float | None:
    """Bytes a second by what the kernel says of the line behind an interface."""
    host, _, name = interface.rpartition(":")
    for link in evidence.environment.links:
        if link.name == name and (link.host == host or not host):
            return link.bits_per_s / 8 if link.bits_per_s else None
    return None


def _is_loopback(interface: str) -> bool:
    return interface.rpartition(":")[2] == "lo"


def gbit(bytes_per_s: float) -> str:
    return _("{bytes_per_s:.3g} Gbit/s", bytes_per_s=bytes_per_s * 8e-9)
