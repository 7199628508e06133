"""From values and a load to a result: what tables and lists have in common."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from radoscope import patterns as re
from radoscope.formats.context.by_kind import Told, opposed, sizes_by_kind
from radoscope.formats.grammar.phrases import BANDWIDTH, IOPS, LATENCY, Load, Value, heading_of
from radoscope.formats.grammar.quantities import BITS, MIB, latency, scaled
from radoscope.records.extra import Extra
from radoscope.records.measurement import Latency, Result, Source
from radoscope.words import N_

NAME = "table"
A_RANGE = N_("a range, and no single value")
NO_UNIT = N_("the operation, or the unit of a number, is missing")
"""Why a number was not read."""
_OF_MIB, _MB = re.compile(r"\bhdpara?m\b|\bbuffered disk reads\b|\brados[ -]bench\b", re.IGNORECASE), 1e6
""" "Buffered disk reads" are hdpara?m's words."""
_TOOL = re.compile(
    rf"(?P<mib>{_OF_MIB.pattern})|\b(?:dd|fio|cdm|crystal ?disk ?mark|bonnie|iozone|gnome|disks)\b", re.IGNORECASE
)
_OF_HDPARM = re.compile(r"hdpara?m|buffered disk reads", re.IGNORECASE)
_OF_RADOS = re.compile(r"\brados bench\b", re.IGNORECASE)
_BINARY = {1e3: 1.024, 1e6: 1.048576, 1e9: 1.073741824}
_SMALLEST_BLOCK = 4096
"""Of random I/O: where IOPS and bandwidth differ a thousandfold, the unit of one of them was misread."""
_FEWEST_RATES, _PLAIN = 2, 1.02
_IN_MS, _SAME = 1000.0, 0.05
_OPERATIONS = ("read", "write", "random", "sequential", "mixed")
"""Tokens that name a load."""
_LARGEST_IO = 2.0**30
"""No I/O is so large: the IOPS lost their unit."""
_Spread = Literal[
    "iops_min", "iops_max", "iops_stddev", "bw_min_bytes_per_s", "bw_max_bytes_per_s", "bw_stddev_bytes_per_s"
]
_SPREADS: Mapping[tuple[str, str], _Spread] = {
    (IOPS, "min"): "iops_min", (IOPS, "max"): "iops_max", (IOPS, "stddev"): "iops_stddev",
    (BANDWIDTH, "min"): "bw_min_bytes_per_s", (BANDWIDTH, "max"): "bw_max_bytes_per_s",
    (BANDWIDTH, "stddev"): "bw_stddev_bytes_per_s",
}  # fmt: skip
OF_SYNCS = "sync "
"""In front of the statistic of what the calls of fsync took, which is no part of the time of a write."""
_NAMES = {"op": "way", "block_bytes": "block_bytes", "queue_depth": "depth", "jobs": "jobs"}


@dataclass(frozen=True, slots=True)
class Draft:
    """A result, and the factor from its printed bandwidth to bytes/s. unsure: the unit may mean bits."""

    result: Result
    rate_factor: float | None
    unsure: bool = False


def built(
    own: Load,
    above: Load,
    values: Mapping[tuple[str, str], Value],
    source: Source,
    label: str,
    *,
    said: bool = False,
    told: Sequence[Told] = (),
) -> Draft:
    """values: (kind, statistic) -> value. above: what only a caption says; it is named in the result's context.

    told: what is said of each kind of test.
    """
    if opposed(own, above):
        above = Load()
    if agree(values, above.block_bytes) and not agree(values, own.block_bytes):
        own = own._replace(block_bytes=None)  # a size of something else: "recordsize"
    may_be_kib = own.block_bytes is not None and (own.block_bytes < _SMALLEST_BLOCK or not own.random)
    may_be_kib = may_be_kib and heading_of(label).load.block_bytes is None  # that names its unit
    if own.block_bytes and may_be_kib and not agree(values, own.block_bytes) and agree(values, own.block_bytes * 1024):
        own = own._replace(block_bytes=own.block_bytes * 1024)  # a column of KiB does not say so
    above = sizes_by_kind(own.over(above), told, {kind for kind, _ in values}).over(above)
    full = own.over(above)
    rate, rates = _rates_of(values)
    if own.block_bytes is None and _contradict(rate, rates, full.block_bytes):
        full = full._replace(block_bytes=None)
    context = [
        ours for ours, theirs in _NAMES.items() if getattr(own, theirs) is None and getattr(full, theirs) is not None
    ]
    result = Result(
        tool=NAME,
        op=full.op,
        block_bytes=full.block_bytes,
        queue_depth=full.depth,
        jobs=full.jobs,
        iops=rates.value if rates else None,
        bandwidth_bytes_per_s=rate.value if rate else None,
        latency=_latency(values),
        sync=_latency(
            {(kind, name.removeprefix(OF_SYNCS)): v for (kind, name), v in values.items() if OF_SYNCS in name}
        ),
        source=source,
        context=tuple(context),
        extra=_extra_of(full, values, label, said),
    )
    return Draft(result, rate.factor if rate else None, bool(rate and rate.bits))


def _rates_of(values: Mapping[tuple[str, str], Value]) -> tuple[Value | None, Value | None]:
    """(bandwidth, IOPS), without IOPS of nearly none: "96.0 MB/s (0.04 IOPS)"."""
    rate, rates = values.get((BANDWIDTH, "mean")), values.get((IOPS, "mean"))
    is_none = rate and rates and rates.value < 1 and rate.value / (rates.value or 1.0) > _LARGEST_IO
    return rate, None if is_none else rates


def _extra_of(load: Load, values: Mapping[tuple[str, str], Value], label: str, said: bool) -> Extra:
    extra: Extra = {"label": label} if label else {}
    if load.mixed:
        extra["mixed"] = True
    if said:
        extra["said"] = True
    for name, key in _SPREADS.items():
        if name in values:
            extra[key] = values[name].value
    return extra


def with_peaks(
    load: Load, values: Mapping[tuple[str, str], Value], *, is_tested: bool = False
) -> Mapping[tuple[str, str], Value]:
    """ "max IOPS (depth=256, jobs=8)": the most that this load reached, where there is no mean of it.

    A data sheet names no jobs, nor the latency at its peak beside a load's block: "4096_read | 63,495 IOPS | 3 ms".
    is_tested: the words around it name a test, so that this is no data sheet.
    """
    means = {kind for kind, statistic in values if statistic == "mean"}
    if means == {LATENCY}:
        if load.way is None or load.block_bytes is None:
            return values
    elif means or (None in (load.depth, load.jobs) and not is_tested):
        return values
    peak = {"max": "mean"}
    return {(kind, name if kind == LATENCY else peak.get(name, name)): each for (kind, name), each in values.items()}


def _latency(values: Mapping[tuple[str, str], Value]) -> Latency | None:
    times = {name: value.value for (kind, name), value in values.items() if kind == LATENCY and value.value > 0}
    return latency(
        min_s=times.get("min"),
        mean_s=times.get("mean"),
        max_s=times.get("max"),
        stddev_s=times.get("stddev"),
        percentiles_s={float(key[1:]): value for key, value in times.items() if key.startswith("p")},
    )


def _contradict(rate: Value | None, rates: Value | None, block: int | None) -> bool:
    """IOPS x block size and the bandwidth of one line differ by more than units and rounding explain."""
    if rate is None or rates is None or not block or not rate.value or not rates.value:
        return False
    return not 0.85 <= rates.value * block / rate.value <= 1.18


def agree(values: Mapping[tuple[str, str], Value], block: int | None) -> bool:
    """Whether IOPS and bandwidth of one line are those of this block size."""
    rate, rates = values.get((BANDWIDTH, "mean")), values.get((IOPS, "mean"))
    known = bool(rate and rates and block and rate.value and rates.value)
    return known and not _contradict(rate, rates, block)


def with_proven_units(drafts: Sequence[Draft], *, are_of_rados: bool = False, are_of_mib: bool = False) -> list[Result]:
    """MB that are MiB, and bits that are bytes, where IOPS x block size of the whole table say so.

    A unit that may mean either and that nothing proves gives no number. are_of_rados: rados bench is the one tool that
    is named above them; are_of_mib: their MB are MiB unless
    IOPS say otherwise.
    """
    proven = _with_proven_times([each for draft in drafts if (each := _with_sure_unit(draft)) is not None])
    asked = moved = 0.0
    proving: list[Draft] = []
    for draft in proven:
        result = draft.result
        rate = _rate_of(result)
        if rate and result.block_bytes and result.bandwidth_bytes_per_s and draft.rate_factor in _BINARY:
            moved += result.bandwidth_bytes_per_s
            asked += rate * result.block_bytes / _BINARY[draft.rate_factor]
            proving.append(draft)
    is_sum = bool(asked) and abs(moved / asked - 1) <= 0.006 and not _most_rows_are_plain(proven)
    subjects = set(_subjects_of_rados(proven))
    is_sum = is_sum or (are_of_rados and _are_of_one_object(proven))
    if are_of_mib and (not asked or moved / asked < _PLAIN):
        return [in_mib(draft).result if draft.rate_factor == _MB else draft.result for draft in proven]
    if not is_sum and not _proven_by_whole_iops(proven):
        return [_in_units_of_mib(draft, subjects).result for draft in proven]
    are_of_tool = bool(proving) and all(_is_of_mib(draft, ()) for draft in proving)
    told = {"", *subjects} if are_of_tool else {_subject_of(_label_of(draft)) for draft in proven}
    return [
        replace(draft.result, bandwidth_bytes_per_s=_binary(draft)) if _is_of_mib(draft, told) else draft.result
        for draft in proven
    ]


def _with_proven_times(drafts: Sequence[Draft]) -> list[Draft]:
    """Milliseconds that are seconds, where in each row IOPS x latency are a thousandth of what was in flight: then the
    head is wrong, and what was called jobs beside another depth is the depth."""
    flights = [_in_flight_of(each.result) for each in drafts]
    if len(drafts) < _FEWEST_RATES or None in flights:
        return list(drafts)
    pairs = zip(drafts, filter(None, flights), strict=True)
    return [replace(draft, result=_in_seconds(draft.result, *flying)) for draft, flying in pairs]


def _in_flight_of(result: Result) -> tuple[int | None, int | None] | None:
    """(depth, jobs) that were in flight if its times were seconds; None where they are what they say."""
    mean = result.latency.mean_s if result.latency else None
    flying = (mean or 0.0) * _IN_MS * (result.iops or 0.0)
    may_be = [(result.queue_depth, result.jobs), (result.jobs, None), (result.queue_depth, None)]
    return next(
        (each for each in may_be if flying and any(each) and abs(flying / math.prod(filter(None, each)) - 1) < _SAME),
        None,
    )


def _in_seconds(result: Result, depth: int | None, jobs: int | None) -> Result:
    said = result.latency
    times = said and latency(
        min_s=scaled(said.min_s, _IN_MS),
        mean_s=scaled(said.mean_s, _IN_MS),
        max_s=scaled(said.max_s, _IN_MS),
        stddev_s=scaled(said.stddev_s, _IN_MS),
        percentiles_s={key: value * _IN_MS for key, value in said.percentiles_s.items()},
    )
    return replace(result, latency=times, queue_depth=depth, jobs=jobs)


def in_mib(draft: Draft) -> Draft:
    """Of a tool whose MB are MiB: "hdparm gives 188 MB/s"."""
    if draft.rate_factor not in _BINARY:
        return draft
    return replace(draft, result=replace(draft.result, bandwidth_bytes_per_s=_binary(draft)), rate_factor=None)


def names_tool_of_mib(text: str, rate: float) -> bool:
    """Whether the tool that a text names last before a number counts MiB; where it names one alone, it may stand
    behind."""
    named = list(_TOOL.finditer(text))
    if len(named) < 2 or all(match["mib"] for match in named):
        return bool(named) and named[0]["mib"] is not None
    ends = [*(match.start() for match in named[1:]), len(text)]
    own = (text[match.start() : end].replace(",", ".") for match, end in zip(named, ends, strict=True) if match["mib"])
    return any(re.search(rf"(?<![\d.]){re.escape(f'{rate:.10g}')}(?!\d)", part) for part in own)


def _subjects_of_rados(drafts: Sequence[Draft]) -> Iterator[str]:
    """ "Ceph write (rados bench)", "Ceph read": what rows tell of, of which one names the tool, and none another."""
    tools: dict[str, set[str]] = {}
    for draft in drafts:
        label = _label_of(draft)
        tools.setdefault(_subject_of(label), set()).update(match[0].lower() for match in _TOOL.finditer(label))
    yield from (subject for subject, own in tools.items() if subject and own and all(map(_OF_RADOS.fullmatch, own)))


def _subject_of(label: str) -> str:
    """What stands in front of the load that a label names."""
    phrase = heading_of(label)
    first = next((token.start for token in phrase.tokens if token.kind in _OPERATIONS), 0)
    return phrase.text[:first].strip(" ,:-–—(").lower()


def _label_of(draft: Draft) -> str:
    return "" if "said" in draft.result.extra else str(draft.result.extra.get("label", ""))


def _is_of_mib(draft: Draft, subjects: Container[str]) -> bool:
    """Of a row that is named after such a tool, or tells of one of these."""
    label = _label_of(draft)
    return _OF_MIB.search(label) is not None or _subject_of(label) in subjects


def _in_units_of_mib(draft: Draft, subjects: Container[str]) -> Draft:
    if draft.rate_factor != _MB or not _label_of(draft) or not _is_of_mib(draft, subjects):
        return draft
    return replace(draft, result=replace(draft.result, bandwidth_bytes_per_s=_binary(draft)), rate_factor=MIB)


def _rate_of(result: Result) -> float | None:
    """Operations a second; of one after another the time of each tells them, and of rados bench, which always has as
    many in flight, the time of each and their number."""
    mean = result.latency.mean_s if result.latency else None
    depth = result.queue_depth or 1
    is_table = "said" not in result.extra
    is_steady = depth == 1 or (is_table and _OF_RADOS.search(str(result.extra.get("label", ""))))
    return result.iops or (depth / mean if mean and is_steady else None)


def _most_rows_are_plain(drafts: Sequence[Draft]) -> bool:
    """One row that is wrong on the page may bring the sum to MiB, though most rows are nearer to MB."""
    shares = [
        (result.bandwidth_bytes_per_s / rate / result.block_bytes, _BINARY[factor])
        for result, factor in ((each.result, each.rate_factor) for each in drafts)
        if (rate := _rate_of(result)) and result.block_bytes and result.bandwidth_bytes_per_s and factor in _BINARY
    ]
    plain = sum(1 for share, binary in shares if abs(math.log(share)) < abs(math.log(share * binary)))
    return len(shares) > 2 and 2 * plain > len(shares)


def _proven_by_whole_iops(drafts: Sequence[Draft]) -> bool:
    """IOPS are cut or rounded to whole numbers: whether each row is right with MiB and none with MB."""
    rows = [
        (result.bandwidth_bytes_per_s / result.block_bytes, result.iops, _BINARY[factor])
        for result, factor in ((each.result, each.rate_factor) for each in drafts)
        if result.iops and result.block_bytes and result.bandwidth_bytes_per_s and factor in _BINARY
    ]
    agree_so = [(iops - 0.5 <= rate < iops + 1, iops - 0.5 <= rate * binary < iops + 1) for rate, iops, binary in rows]
    return bool(rows) and all(so for _, so in agree_so) and not any(plain for plain, _ in agree_so)


def rados_alone_above(lines: Sequence[str]) -> Callable[[Sequence[str], int, int], bool]:
    """Whether the captions of a table name rados bench, and no tool beside it; or, where they name none, the lines of
    the page above it do. The table itself, from its first line to its end, names no other one then."""
    named = [(at, _are_of_rados([line])) for at, line in enumerate(lines) if _TOOL.search(line)]
    first_of_rados, first_other = (
        next((at for at, is_it in named if is_it == each), len(lines)) for each in (True, False)
    )

    def is_alone(captions: Sequence[str], first: int, end: int) -> bool:
        if any(map(_TOOL.search, captions)):
            return _are_of_rados(captions)
        return first_of_rados < first and end <= first_other

    return is_alone


def names_hdparm_alone(lines: Sequence[str]) -> bool:
    """Whether these lines name no other tool. Its MB are MiB; those of rados bench are typed off by hand as often."""
    named = [match[0] for line in lines for match in _TOOL.finditer(line) if match[0].lower() != "disks"]
    return bool(named) and all(map(_OF_HDPARM.fullmatch, named))


def _are_of_rados(lines: Iterable[str]) -> bool:
    return all(_OF_RADOS.match(match[0]) for line in lines for match in _TOOL.finditer(line))


def _are_of_one_object(drafts: Sequence[Draft]) -> bool:
    """Whether in all rows rates of MiB are IOPS, which are whole numbers, x one power of two, of which no row tells:
    rados bench's MB are MiB, and its objects are such."""
    rates = [(each.result.bandwidth_bytes_per_s, each.result.iops, each.rate_factor) for each in drafts]
    known = [(rate * MIB / _MB, iops) for rate, iops, factor in rates if rate and iops and factor == _MB]
    if len(known) < _FEWEST_RATES or len(known) < len(drafts) or any(each.result.block_bytes for each in drafts):
        return False
    size = 2.0 ** round(math.log2(max(rate / iops for rate, iops in known)))
    return all(iops - 0.5 <= rate / size < iops + 1 for rate, iops in known)


def _with_sure_unit(draft: Draft) -> Draft | None:
    result = draft.result
    if draft.rate_factor in BITS and result.iops and result.block_bytes and result.bandwidth_bytes_per_s:
        share = result.iops * result.block_bytes / result.bandwidth_bytes_per_s
        if 0.95 <= share / 8 <= 1.05:  # "Mbps" of scripts that count bytes
            return replace(draft, result=replace(result, bandwidth_bytes_per_s=result.bandwidth_bytes_per_s * 8))
    if not draft.unsure or result.bandwidth_bytes_per_s is None:
        return draft
    if result.iops and result.block_bytes:
        share = result.iops * result.block_bytes / result.bandwidth_bytes_per_s
        if 0.9 <= share <= 1.1:
            return replace(draft, unsure=False)
        if 0.9 <= share * 8 <= 1.1:
            return replace(
                draft, result=replace(result, bandwidth_bytes_per_s=result.bandwidth_bytes_per_s / 8), unsure=False
            )
    bare = replace(result, bandwidth_bytes_per_s=None)
    return Draft(bare, None) if bare.iops is not None or bare.latency is not None else None


def _binary(draft: Draft) -> float | None:
    rate = draft.result.bandwidth_bytes_per_s
    if re.match(r"dd\b", str(draft.result.extra.get("label", "")), re.IGNORECASE):
        return rate  # its MB are 1,000,000 bytes whatever the tools beside it print
    return None if rate is None else rate * _BINARY.get(draft.rate_factor or 0.0, 1.0)
