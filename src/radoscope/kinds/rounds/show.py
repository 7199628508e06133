"""A study of cells on the terminal: the verdict in three sentences, the table, and the findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radoscope.explain.finding import Finding
from radoscope.report.material import Material
from radoscope.report.sections.findings import weight
from radoscope.report.sections.response import sentences
from radoscope.report.sections.table import COLUMNS, Row, build_rows, note_lines, row_texts
from radoscope.report.sections.verdict import more_time, write_verdict
from radoscope.report.words import SEVERITIES
from radoscope.stats.response import response_curves
from radoscope.words import _

if TYPE_CHECKING:
    from rich.table import Table

WIDE = 110
"""Columns of the complete table; narrower terminals omit the less important numbers."""

LEFT_OUT_WHERE_NARROW = ("lat min ms", "lat max ms", "p99 ms", "took s")
PIPED_WIDTH = 120

_COLOURS = {
    "ok": "green",
    "wide": "cyan",
    "doubtful": "yellow",
    "invalid": "red",
    "failed": "red",
    "withheld": "cyan",
}


def print_study(material: Material) -> None:
    """The verdict in three sentences, the table of all cells, and the notes on them."""
    from rich.console import Console
    from rich.markup import escape

    console, study = Console(highlight=False), material.study
    if not console.is_terminal:
        console.width = PIPED_WIDTH
    plan = _("plan {plan}", plan=study.plan)
    console.print(f"\n[bold]{escape(study.target)}[/]\n[dim]{escape(plan)}, {escape(study.id)}[/]\n")
    verdict = write_verdict(material)
    limits = sentences(response_curves(study, material.summaries))
    for sentence in (*verdict, *(found for found in limits if found not in verdict[0])):
        console.print(escape(sentence))
    rows = build_rows(material)
    console.print()
    console.print(_table(rows, wide=console.width >= WIDE))
    console.print()
    for line in note_lines(rows):
        console.print(f"[dim]{escape(line)}[/]")
    if longer := more_time(material):
        console.print(escape(longer))
    for number, finding in enumerate(material.findings, start=1):
        console.print(_finding_text(number, finding))


def _table(rows: tuple[Row, ...], *, wide: bool) -> Table:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    shown = [index for index, name in enumerate(COLUMNS) if wide or name not in LEFT_OUT_WHERE_NARROW]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for index in shown:
        name = COLUMNS[index]
        table.add_column(_(name), justify="left" if name in ("Cell", "stamp") else "right", no_wrap=name != "Cell")
    layer = ""
    for row in rows:
        if row.layer != layer:
            layer = row.layer
            table.add_row(f"[bold]{escape(layer)}[/]")
        texts = [escape(text) for text in row_texts(row)]
        texts[COLUMNS.index("stamp")] = f"[{_COLOURS[row.stamp.mark.value]}]{row.stamp.text}[/]"
        table.add_row(*(texts[index] for index in shown))
    return table


def _finding_text(number: int, finding: Finding) -> str:
    from rich.markup import escape

    colour = _COLOURS.get(finding.severity.value, "blue")
    lines = [f"\n{number} [{colour}]{_(SEVERITIES[finding.label])}[/] [bold]{escape(finding.claim)}[/]"]
    lines += [f"  {escape(fact)}" for fact in finding.because]
    if explained := weight(finding):
        lines.append("  " + escape(_("explains {share}", share=explained)))
    if finding.unless:
        lines.append("  [dim]" + escape(_("unless {doubt}", doubt=finding.unless)) + "[/]")
    if finding.try_next:
        lines.append("  " + escape(_("try next: {step}", step=finding.try_next)))
    return "\n".join(lines)
