"""What `radoscope import` prints for people: the results, what could not be read, and the judgement."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import click

from radoscope.records.fields import PERCENT_OF
from radoscope.units import format_seconds
from radoscope.words import _

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from radoscope.explain.finding import Finding
    from radoscope.records.measurement import Result
    from radoscope.workflow.library import Imported

# rich and the words of tables are imported within the functions: --help and `list` do not need them.

_COLOURS = {"invalid": "red", "doubtful": "yellow", "note": "cyan"}
_MOST_UNREAD = 20
_PIPED_WIDTH = 120
_MOST_TIMES = 20
_EARLIEST_EPOCH_S = 1e8


def plain_console() -> Console:
    """For tables of what may come from anywhere: without markup, and of one width where nobody watches."""
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = _PIPED_WIDTH
    return console


def print_import(imported: Imported) -> None:
    from radoscope.explain.asking import MOST_JUDGED
    from radoscope.report.rows import MOST_ROWS, unsaid

    console, results = plain_console(), imported.results
    console.print(_table(results))
    if len(results) > MOST_ROWS:
        click.echo(_("... and {n} more: radoscope import --json shows all.", n=len(results) - MOST_ROWS))
    print_over_time(results[:MOST_ROWS])
    print_unread(imported.unread)
    if words := unsaid(results):
        click.echo(f"\n{words}")
    print_findings(imported.findings, console.width)
    if len(results) > MOST_JUDGED:
        click.echo(_("Only the first {most_judged} results were judged.", most_judged=MOST_JUDGED))
    if imported.entry is not None:
        name = imported.entry.id
        click.echo(
            "\n" + (_("Kept as {name}.", name=name) if imported.new else _("Already kept as {name}.", name=name))
        )


def print_over_time(results: Sequence[Result]) -> None:
    """Percentiles over time, where fio left histogram logs: of each stretch the worst second."""
    for number, result in enumerate(results, start=1):
        series = {PERCENT_OF[one.name]: one for one in result.series if one.name in PERCENT_OF and one.values}
        if not series:
            continue
        times = next(iter(series.values())).times_s
        stride = -(-len(times) // _MOST_TIMES)
        worst = _(", the worst of {stride} intervals each", stride=stride) if stride > 1 else ""
        click.echo("\n" + _("Result {number}: latency over time{worst}", number=number, worst=worst))
        click.echo("".join(f"{head:>12}" for head in (_("until"), *(f"p{percent:g}" for percent in series))))
        for begin in range(0, len(times), stride):
            end = min(begin + stride, len(times))
            cells = [format_seconds(max(one.values[begin:end])) for one in series.values()]
            click.echo("".join(f"{cell:>12}" for cell in (f"{times[end - 1] - _origin(times):.0f} s", *cells)))


def _origin(times_s: Sequence[float]) -> float:
    """Logs count from the start of fio, or by the Unix clock: then from their first interval."""
    return times_s[0] - 1 if times_s[0] > _EARLIEST_EPOCH_S else 0.0


def print_findings(findings: Sequence[Finding], width: int = _PIPED_WIDTH) -> None:
    """Each finding: severity, claim and rule; then the results it is about, facts, limits and the next step."""
    click.echo("\n" + (_("Judgement") if findings else _("No rule objects to these results.")))
    for finding in findings:
        severity = click.style(f"{_(finding.severity.value):8}", fg=_COLOURS[finding.severity.value])
        click.echo(f"{severity} {printable(finding.claim)} [{finding.rule}]")
        labelled = [(_("about"), _shortened(finding.cells))] if finding.cells else []
        labelled += [(_("because"), fact) for fact in finding.because]
        labelled += [
            (word, text) for word, text in ((_("unless"), finding.unless), (_("next"), finding.try_next)) if text
        ]
        for word, text in labelled:
            line = f"{word}: {printable(text)}"
            click.echo(" " * 9 + line if word == _("next") else _indented(line, width))


def _indented(text: str, width: int) -> str:
    """Wrapped, except the next step: it is a command to copy."""
    return textwrap.fill(
        text,
        max(40, width - 1),
        initial_indent=" " * 9,
        subsequent_indent=" " * 11,
        break_long_words=False,
        break_on_hyphens=False,
    )


def printable(text: str) -> str:
    """Without what could steer a terminal: names of jobs and files come from anywhere."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def _shortened(cells: Sequence[str]) -> str:
    """ "result 1 (lines 3-9), result 2 (lines 11-20) and 7 more"."""
    more = _(" and {n} more", n=len(cells) - 4) if len(cells) > 4 else ""
    return ", ".join(cells[:4]) + more


def print_unread(unread: Sequence[str]) -> None:
    if not unread:
        return
    click.echo("\n" + _("Not read"))
    for words in unread[:_MOST_UNREAD]:
        click.echo(f"  {printable(words)}")
    if len(unread) > _MOST_UNREAD:
        click.echo("  " + _("and {n} more", n=len(unread) - _MOST_UNREAD))


def _table(results: Sequence[Result]) -> Table:
    from rich.table import Table
    from rich.text import Text

    from radoscope.report.rows import LEFT, filled_rows

    heads, rows = filled_rows(results)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in heads:
        side: Literal["left", "right"] = "left" if heading in LEFT else "right"
        # rich takes room from what may wrap, down to nothing: that is the label, and no condition of a number
        table.add_column(_(heading) if heading else "", justify=side, no_wrap=heading != "label", min_width=2)
    for row in rows:
        table.add_row(*(Text(printable(text)) for text in row))
    return table
