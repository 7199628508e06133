"""`radoscope import`: any pasted text becomes results, a judgement, and a study to compare with."""

from __future__ import annotations

import json
from pathlib import Path

import click

from radoscope import wire
from radoscope.archives import clean, folders, incoming, paste
from radoscope.errors import PlanError, UnreadableFile
from radoscope.formats.fio.log import kind_of
from radoscope.records.measurement import Result

_READS = "radoscope reads fio, rados bench, rbd bench, OSD bench, iperf3, ping and more; see docs/verbs/import.md."


@click.command(name="import")
@click.argument("source", metavar="FILE|FOLDER|-", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the results as one JSON array; keep and judge nothing.")
@click.option("--again", is_flag=True, help="Read all kept texts and studies again, for example after an update.")
def command(source: str | None, as_json: bool, again: bool) -> None:
    """Read any pasted benchmark text: a thread, a mail, a page, a terminal log; or a folder of results.

    FILE is a text file; "-" reads the standard input; FOLDER is a CBT archive, or what bench-fio or fio left. Nothing
    in it is ever run. What is read is kept, once, and can be listed, exported and compared like a study.
    """
    if again == (source is not None):
        raise PlanError("nothing to read", "Name a file or a folder, or - for standard input; or use --again alone.")
    if source is None:
        _read_again()
    elif as_json:
        objects = [wire.exchanged(result) for result in _results_of(source)]
        click.echo(json.dumps(objects, indent=1, ensure_ascii=False, allow_nan=False))
    else:
        _import(source)


def _import(source: str) -> None:
    """Print, judge and keep. Raises UnreadableFile where nothing was found."""
    from radoscope.cli.judgement import print_import, print_unread  # start-up time
    from radoscope.workflow.library import import_folder, import_text

    if Path(source).is_dir():
        print_import(import_folder(Path(source)))
        return
    imported = import_text(incoming.read_bytes(source), "standard input" if source == "-" else Path(source).name)
    if imported.entry is None:
        print_unread(imported.unread)
        hint = "Import the folder of a fio log, with the logs of all its jobs." if kind_of(source) else _READS
        raise UnreadableFile(f"there is no benchmark result in {source}", hint)
    print_import(imported)


def _read_again() -> None:
    from radoscope.workflow.library import open_store

    entries = open_store().rebuild()
    damaged = [entry for entry in entries if entry.kind == "damaged"]
    click.echo(f"Read {len(entries)} studies and imports again, {sum(entry.results for entry in entries)} results.")
    for entry in damaged:
        click.echo(f"  {entry.id}: {entry.problem}")


def _results_of(source: str) -> tuple[Result, ...]:
    if Path(source).is_dir():
        return folders.read_folder(Path(source)).results
    return paste.read(clean.decode(incoming.read_bytes(source)))
