"""Every OSD's own bench on the terminal: who is sick, the table, and the lines that would tell mClock."""

from __future__ import annotations

import click

from radoscope.kinds.osd_bench.section import COLUMNS, capacity_lines, judged, osd_rows, osd_verdict
from radoscope.report.material import Material


def print_osds(material: Material) -> None:
    """The verdict, the table, and suggested mClock capacities."""
    figures = judged(material.study)
    click.echo("")
    for sentence in osd_verdict(figures):
        click.echo(sentence)
    lines = (COLUMNS, *osd_rows(figures))
    widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
    click.echo("")
    for line in lines:
        cells = (
            word.rjust(width) if 2 <= column <= 5 else word.ljust(width)
            for column, (word, width) in enumerate(zip(line, widths, strict=True))
        )
        click.echo("  ".join(cells).rstrip())
    click.echo("\nSuggested mClock capacities (radoscope changes no setting):")
    for text in capacity_lines(figures):
        click.echo(f"  {text}")
    click.echo("")
