"""`radoscope import`: any pasted text becomes results."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from radoscope.archives import clean, paste, wire
from radoscope.errors import UnreadableFile


@click.command(name="import")
@click.argument("source", metavar="FILE|-")
@click.option("--json", "as_json", is_flag=True, help="Print the results as one JSON array and do nothing else.")
def command(source: str, as_json: bool) -> None:
    """Read any pasted benchmark text: a thread, a mail, a page, a terminal log.

    FILE is a text file; "-" reads the standard input. Nothing in it is ever run.
    """
    page = paste.read_page(_text_of(source))
    if as_json:
        click.echo(
            json.dumps(
                [wire.to_object(result) for result in page.results], indent=1, ensure_ascii=False, allow_nan=False
            )
        )
        return
    for result in page.results:
        lines = result.source
        click.echo(
            f"{result.tool} {result.op or ''} (lines {lines.first_line} to {lines.last_line})" if lines else result.tool
        )


def _text_of(source: str) -> str:
    """The text of the file or of the standard input. Raises UnreadableFile."""
    try:
        raw = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        raise UnreadableFile(
            f"cannot read {source}: {error.strerror}", "Name a text file, or - for standard input."
        ) from error
    return clean.decode(raw)
