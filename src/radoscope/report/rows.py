"""Words of tables that a terminal and a page show alike: imported results, and two sides of a comparison."""

from __future__ import annotations

from collections.abc import Sequence

from radoscope.records.fields import PERCENT_OF
from radoscope.records.measurement import Latency, Result
from radoscope.stats.compare import ComparedFigure, Comparison
from radoscope.stats.ratio import Ratio
from radoscope.stats.values import Estimate, Undecided
from radoscope.stats.verdict import Equivalent, Faster, NotComparable, Slower, Verdict
from radoscope.units import format_block, format_bytes, format_count, format_seconds
from radoscope.words import N_, _, joined

COLUMNS = (
    "",
    N_("lines"),
    N_("tool"),
    "op",
    N_("block"),
    "QD",
    "jobs",
    "IOPS",
    "MB/s",
    N_("mean"),
    "p99",
    "p99.9",
    "fsync",
    N_("time"),
    N_("label"),
)
LEFT = ("lines", "tool", "op", "label")
"""Those of the columns that stand to the left; numbers stand to the right."""
MOST_ROWS = 200
_LONGEST_LABEL = 32
_ANYTHING = 2.0  # on logs: a factor of 7 either way
_NAMES = {"iops": "IOPS", "bandwidth_bytes_per_s": N_("bandwidth"), "latency_mean_s": N_("mean latency")}


def unsaid(results: Sequence[Result]) -> str:
    """That conditions are missing, for rules need them: an empty judgement of a number without any is no praise."""
    loads = [result for result in results if result.iops is not None or result.bandwidth_bytes_per_s is not None]
    bare = [result for result in loads if result.op is None or result.block_bytes is None or result.queue_depth is None]
    if not bare:
        return ""
    said = sum(1 for result in bare if result.extra.get("said"))
    if not said:
        return _(
            "{bad} of {all} results lack operation, block size or queue depth, and most rules cannot judge them.",
            bad=len(bare),
            all=len(loads),
        )
    return _(
        "{bad} of {all} results, {said} of them taken from prose, lack operation, block size or queue depth, and most "
        "rules cannot judge them.",
        bad=len(bare),
        all=len(loads),
        said=said,
    )


def result_row(number: int, result: Result) -> tuple[str, ...]:
    """What is not known stays empty."""
    rate = result.bandwidth_bytes_per_s
    return (
        str(number),
        result.source.lines if result.source else "",
        result.tool,
        result.op or "",
        format_block(result.block_bytes) if result.block_bytes else "",
        str(result.queue_depth or ""),
        str(result.jobs or ""),
        format_count(result.iops) if result.iops is not None else "",
        format_count(rate / 1e6) if rate is not None else "",
        _mean(result.latency or result.completion),
        _percentile(result, 99.0),
        _percentile(result, 99.9),
        _mean(result.sync),
        format_seconds(result.runtime_s) if result.runtime_s is not None else "",
        _label(result),
    )


def _label(result: Result) -> str:
    """The words of the page that tell a result from its neighbours; what was only told in words is marked."""
    said = ["(said)"] if result.extra.get("said") else []
    label = str(result.extra.get("label") or "")
    short = label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1] + "…"
    return " ".join([*said, short]).strip()


def _mean(latency: Latency | None) -> str:
    return format_seconds(latency.mean_s) if latency and latency.mean_s is not None else ""


def _percentile(result: Result, percent: float) -> str:
    for latency in (result.completion, result.latency):
        if latency and (value := latency.percentiles_s.get(percent)) is not None:
            return format_seconds(value)
    return ""


def figure_name(figure: ComparedFigure) -> str:
    if figure.quantity in _NAMES:
        return _(_NAMES[figure.quantity])
    return f"p{PERCENT_OF[figure.quantity]:g}"


def value_text(estimate: Estimate | Undecided, quantity: str) -> str:
    """A value with its unit and its relative half-width."""
    if isinstance(estimate, Undecided):
        return "-"
    if quantity == "iops":
        text = format_count(estimate.value)
    elif quantity == "bandwidth_bytes_per_s":
        text = f"{format_bytes(estimate.value)}/s"
    else:
        text = format_seconds(estimate.value)
    half = estimate.relative_half_width
    return text if half is None else f"{text} ±{half:.1%}"


def ratio_text(ratio: Ratio | Undecided) -> str:
    if isinstance(ratio, Undecided):
        return "-"
    if ratio.half_width > _ANYTHING:
        return _("{ratio:.3f} (very uncertain)", ratio=ratio.value)
    return _(
        "{ratio:.3f} ({low:.3f} to {high:.3f})", ratio=ratio.value, low=ratio.interval.low, high=ratio.interval.high
    )


def verdict_words(verdict: Verdict) -> str:
    if isinstance(verdict, Faster):
        return _("faster, {by:.1%}", by=verdict.by)
    if isinstance(verdict, Slower):
        return _("slower, {by:.1%}", by=verdict.by)
    if isinstance(verdict, Equivalent):
        return _("equivalent within {margin:.1%}", margin=verdict.margin)
    return _("not comparable") if isinstance(verdict, NotComparable) else _("undecided")


def why_words(verdict: Verdict) -> str:
    """Why it is undecided, and what would help, or not comparable; empty where it is neither."""
    if isinstance(verdict, Undecided):
        return joined((verdict.because, *((_("needs {more}", more=verdict.needs),) if verdict.needs else ())))
    return joined(verdict.reasons) if isinstance(verdict, NotComparable) else ""


def only_words(comparison: Comparison) -> list[str]:
    """The cells that one side alone has, a sentence a side."""
    alone = ((comparison.a, comparison.only_in_a), (comparison.b, comparison.only_in_b))
    return [_("Only in {study}: {cells}", study=name, cells=", ".join(cells)) for name, cells in alone if cells]


def filled_rows(results: Sequence[Result]) -> tuple[tuple[str, ...], list[list[str]]]:
    """(the headings of columns that have any figure, the rows of the first results): an empty column only takes room
    from the others."""
    rows = [result_row(number, result) for number, result in enumerate(results[:MOST_ROWS], start=1)]
    filled = [place for place in range(len(COLUMNS)) if any(row[place] for row in rows)]
    return tuple(COLUMNS[place] for place in filled), [[row[place] for place in filled] for row in rows]
