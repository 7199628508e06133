"""radoscope show: a study's verdict on the terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.table import Table

    from radoscope.explain.finding import Finding
    from radoscope.records.study import Study
    from radoscope.report.material import Stamp
    from radoscope.report.table import Row
    from radoscope.stats.values import Summaries

# rich and the stages are imported within the functions: --help needs none of them.

WIDE = 110
"""Columns that the whole table needs; on a narrower terminal the less asked-for numbers are left out."""

LEFT_OUT_WHERE_NARROW = ("lat min ms", "lat max ms", "p99 ms", "took s")
PIPED_WIDTH = 120

_COLOURS = {
    "ok": "green",
    "undecided": "cyan",
    "doubtful": "yellow",
    "invalid": "red",
    "failed": "red",
    "withheld": "cyan",
}


@click.command()
@click.argument("study", default="last")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.option("--anonymous", is_flag=True, help="Replace names of hosts, pools ..., addresses, fsid and paths.")
def command(study: str, as_json: bool, anonymous: bool) -> None:
    """Show a study: the verdict table on the terminal.

    STUDY is an id, the beginning of one, a path, or "last" for the newest.
    """
    from radoscope.workflow import assess, load_study

    loaded = load_study(study, anonymous=anonymous)
    summaries, findings = assess(loaded)
    if as_json:
        from radoscope.report.machine import study_json

        click.echo(json.dumps(study_json(loaded, summaries, findings), indent=1))
    else:
        if loaded.scenario is not None:
            from radoscope.cli.scenario_text import print_scenario

            print_scenario(loaded.scenario)
        if loaded.osd_benches:
            from radoscope.cli.osd_bench_text import print_osds
            from radoscope.report.osds import judged

            print_osds(judged(loaded.osd_benches))
            return
        print_study(loaded, summaries, findings)


def print_study(study: Study, summaries: Summaries, findings: tuple[Finding, ...]) -> None:
    """The verdict in three sentences, the table of all cells, and what is to be said of them."""
    from rich.console import Console
    from rich.markup import escape

    from radoscope.report.text import limit_sentences, note_lines, verdict_rows, verdict_sentences

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = PIPED_WIDTH
    console.print(f"\n[bold]{escape(study.target)}[/]\n[dim]plan {escape(study.plan)}, {escape(study.id)}[/]\n")
    said = verdict_sentences(study, summaries, findings)
    for sentence in (*said, *(found for found in limit_sentences(study, summaries) if found not in said[0])):
        console.print(escape(sentence))
    rows = verdict_rows(study, summaries, findings)
    console.print()
    console.print(_table(rows, wide=console.width >= WIDE))
    console.print()
    for line in note_lines(rows):
        console.print(f"[dim]{escape(line)}[/]")
    for number, finding in enumerate(findings, start=1):
        console.print(_finding_text(number, finding))


def _table(rows: tuple[Row, ...], *, wide: bool) -> Table:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    from radoscope.report.text import COLUMNS

    shown = [index for index, name in enumerate(COLUMNS) if wide or name not in LEFT_OUT_WHERE_NARROW]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for index in shown:
        name = COLUMNS[index]
        table.add_column(name, justify="left" if name in ("Cell", "stamp") else "right", no_wrap=name != "Cell")
    layer = ""
    for row in rows:
        if row.layer != layer:
            layer = row.layer
            table.add_row(f"[bold]{escape(layer)}[/]")
        texts = [escape(text) for text in row.texts]
        texts[COLUMNS.index("stamp")] = _coloured(row.stamp)
        table.add_row(*(texts[index] for index in shown))
    return table


def _coloured(stamp: Stamp) -> str:
    return f"[{_COLOURS[stamp.mark.value]}]{stamp.text}[/]"


def _finding_text(number: int, finding: Finding) -> str:
    from rich.markup import escape

    colour = _COLOURS.get(finding.severity.value, "blue")
    lines = [f"\n{number} [{colour}]{finding.label}[/] [bold]{escape(finding.claim)}[/]"]
    lines += [f"  {escape(fact)}" for fact in finding.because]
    if finding.unless:
        lines.append(f"  [dim]unless {escape(finding.unless)}[/]")
    if finding.try_next:
        lines.append(f"  try next: {escape(finding.try_next)}")
    return "\n".join(lines)
