"""radoscope list: what was measured and imported on this host."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Literal

import click

from radoscope.cli.judgement import plain_console, printable

if TYPE_CHECKING:
    from radoscope.store import StoredStudy

_NOT_MEASURED = ("import", "damaged")
_KINDS = ("study", "rounds", "ab", "scenario", "osd-bench", *_NOT_MEASURED)


@click.command(name="list")
@click.option("--kind", type=click.Choice(_KINDS), help="Only these; study is all that was measured.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(kind: str | None, as_json: bool) -> None:
    """List the studies and imports on this host, the newest first."""
    from radoscope import wire  # start-up time
    from radoscope.workflow.library import open_store

    entries = [entry for entry in open_store().list() if kind in (None, entry.kind, _group(entry))]
    if as_json:
        click.echo(json.dumps(wire.document("list", entries=entries), indent=1, ensure_ascii=False))
    elif entries:
        _print_table(entries)
    else:
        click.echo("Nothing here yet. Measure: radoscope study. Or read a text: radoscope import FILE")


def _print_table(entries: list[StoredStudy]) -> None:
    from rich.table import Table  # start-up time
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Id", "Kind", "When", "What", "Cells", "Results", "State"):
        justify: Literal["left", "right"] = "right" if heading in ("Cells", "Results") else "left"
        table.add_column(heading, overflow="fold", justify=justify, no_wrap=heading in ("Id", "When"))
    for entry in entries:
        what = f"{entry.title}: {entry.target}" if _group(entry) == "study" else entry.target
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.created_at_s))
        words = (entry.id, entry.kind, when, what, str(entry.cells), str(entry.results), _state(entry))
        table.add_row(*(Text(printable(word)) for word in words))
    plain_console().print(table)


def _group(entry: StoredStudy) -> str:
    """ "study" for every kind of run."""
    return entry.kind if entry.kind in _NOT_MEASURED else "study"


def _state(entry: StoredStudy) -> str:
    if entry.problem:
        return entry.problem
    return "complete" if entry.complete else "not complete"
