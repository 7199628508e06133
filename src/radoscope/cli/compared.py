"""What `radoscope compare` prints: tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from radoscope.cli.judgement import plain_console, printable
from radoscope.records.study import Cell, Study
from radoscope.report.rows import figure_name, only_words, ratio_text, value_text, verdict_words, why_words
from radoscope.report.words import load_words
from radoscope.stats.compare import ComparedFigure, Comparison
from radoscope.stats.pooling import Pooled
from radoscope.stats.ratio import Ratio
from radoscope.stats.scaling import ScalingStep
from radoscope.stats.targets import LIMITS, Answer, Promise
from radoscope.stats.values import Estimate, Interval, Undecided
from radoscope.stats.verdict import Equivalent, Faster, NotComparable, Slower, Verdict
from radoscope.units import format_count, format_seconds
from radoscope.words import _, ngettext

_MOST_DIFFERENCES = 60
_STYLES: dict[type, str] = {Faster: "green", Slower: "red", Equivalent: "cyan"}


def print_comparisons(comparisons: Sequence[Comparison]) -> None:
    console = plain_console()
    for comparison in comparisons:
        headlines = [(cell.cell.name, cell.headline) for cell in comparison.cells]
        console.print(_figures(_("B = {b} against A = {a}", b=comparison.b, a=comparison.a), headlines))
        # latency figures without a ratio are left out: a table of dashes says nothing
        others = [(cell.cell.name, one) for cell in comparison.cells for one in cell.others]
        latencies = [(name, one) for name, one in others if isinstance(one.ratio, Ratio)]
        console.print(_figures(_("Latency, from merged histograms"), latencies))
        _print_reasons(comparison)
        if comparison.differences:
            console.print(_difference_table(comparison))
        for remark in (*only_words(comparison), *comparison.remarks):
            click.echo(remark)
    click.echo(_("Corrected for the number of cells: {correction}.", correction=_(comparisons[0].correction)))


def _figures(title: str, rows: Sequence[tuple[str, ComparedFigure]]) -> Table:
    """rows: a cell's name and one of its figures."""
    table = _table(title, _("cell"), "", ">A", ">B", ">" + _("B/A, 95 %"), _("verdict"))
    for name, one in rows:
        sides = (value_text(side, one.quantity) for side in (one.a, one.b))
        table.add_row(printable(name), figure_name(one), *sides, ratio_text(one.ratio), verdict_text(one.verdict))
    return table


def _print_reasons(comparison: Comparison) -> None:
    """Why a cell is undecided or not comparable, and what would help."""
    for cell in comparison.cells:
        if isinstance(cell.verdict, Undecided):
            words = _("{cell}: undecided, {because}.", cell=printable(cell.cell.name), because=why_words(cell.verdict))
            click.echo(words)
        elif isinstance(cell.verdict, NotComparable):
            because = why_words(cell.verdict)
            click.echo(_("{cell}: not comparable, {because}.", cell=printable(cell.cell.name), because=because))


def _difference_table(comparison: Comparison) -> Table:
    table = _table(_("What else differs"), _("what"), "A", "B")
    for difference in comparison.differences[:_MOST_DIFFERENCES]:
        table.add_row(printable(difference.what), printable(difference.a), printable(difference.b))
    left_out = len(comparison.differences) - _MOST_DIFFERENCES
    if left_out > 0:
        table.add_row(_("and {number} more: --json shows all", number=left_out), "", "")
    return table


def print_pools(pools: Sequence[tuple[Cell, Pooled | Undecided]], runs: int) -> None:
    table = _table(
        ngettext("{number} run together", "{number} runs together", runs),
        _("cell"),
        ">" + _("mean, 95 %"),
        ">" + _("between runs"),
        ">" + _("of the spread"),
        ">" + _("one more run, 95 %"),
    )
    for cell, pool in pools:
        if isinstance(pool, Undecided):
            table.add_row(printable(cell.name), _("undecided: {because}", because=pool.because), "", "", "")
            continue
        table.add_row(
            printable(cell.name),
            _between(pool.estimate.interval, format_count, pool.estimate.value),
            f"±{pool.between:.1%}",
            _("unknown") if pool.between_share is None else f"{pool.between_share:.0%}",
            _between(pool.next_run, format_count),
        )
    plain_console().print(table)
    click.echo(
        _("Between runs: standard deviation from run to run; of the spread: the share that single runs do not explain.")
    )


def print_steps(steps: Sequence[ScalingStep]) -> None:
    table = _table(
        _("More clients"),
        _("cell"),
        ">" + _("clients"),
        ">" + _("times the smallest, 95 %"),
        ">" + _("efficiency, 95 %"),
    )
    for step in steps:
        efficiency = step.efficiency
        text = (
            efficiency.because
            if isinstance(efficiency, Undecided)
            else _between(efficiency.interval, "{:.0%}".format, efficiency.value)
        )
        clients = _("{low} to {high}", low=step.clients_before, high=step.clients)
        table.add_row(printable(step.cell), clients, ratio_text(step.speedup), text)
    plain_console().print(table)
    click.echo(_("Efficiency: 100 % means as much per client as in the smallest cell."))


def print_answers(study: Study, target: Promise, answers: Sequence[Answer]) -> None:
    table = _table(
        _("{target}: how many clients at once in {study}?", target=target.title or target.name, study=study.id),
        _("load"),
        ">" + _("IOPS asked"),
        ">" + _("clients, 95 %"),
        _("limit"),
        ">" + (_("mean there") if target.percentile == 0 else _("p{percent:g} there", percent=target.percentile)),
    )
    for found in answers:
        load = found.load
        clients = found.clients
        table.add_row(
            load_words(load),
            format_count(found.asked_iops),
            _answer_text(found),
            _(LIMITS[found.limit]) if isinstance(clients, Estimate) else "",
            "-" if found.latency_s is None else format_seconds(found.latency_s),
        )
    plain_console().print(table)


def _answer_text(found: Answer) -> str:
    if isinstance(found.clients, Undecided):
        return _("undecided: {because}", because=found.clients.because)
    if found.clients.value == 0:
        return _("none")
    return _between(found.clients.interval, lambda value: f"{value:.1f}", found.clients.value)


def verdict_text(verdict: Verdict) -> Text:
    return Text(verdict_words(verdict), style=_STYLES.get(type(verdict), "yellow"))


def _between(interval: Interval | Undecided, text: Any, value: float | None = None) -> str:
    head = "" if value is None else text(value)
    if isinstance(interval, Undecided):
        return head or "-"
    span = _("{low} to {high}", low=text(interval.low), high=text(interval.high))
    return f"{head} ({span})" if head else span


def _table(title: str, *columns: str) -> Table:
    """Columns whose name begins with > stand to the right."""
    table = Table(title=Text(title), title_justify="left", box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column.lstrip(">"), justify="right" if column.startswith(">") else "left")
    return table
