"""radoscope rm: delete studies and imports with all their raw files."""

from __future__ import annotations

import click

from radoscope.cli.judgement import printable


@click.command()
@click.argument("studies", metavar="STUDY...", nargs=-1, required=True)
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
def command(studies: tuple[str, ...], yes: bool) -> None:
    """Remove a study or an import: its raw files, its results, its line in the list.

    STUDY is an id as `radoscope list` shows it, or the beginning of one that fits nothing else.
    """
    from radoscope.run.journal import check_not_running  # start-up time
    from radoscope.workflow.library import open_store

    store = open_store()
    found = {entry.id: entry for entry in (store.find(name) for name in studies)}  # all of them, before any is removed
    check_not_running(found)
    for entry in found.values():
        click.echo(printable(f"{entry.id}  {entry.kind}  {entry.target}  ({entry.results} results)"))
    if not yes:
        click.confirm("Delete this permanently?" if len(found) == 1 else "Delete these permanently?", abort=True)
    for name in found:
        store.remove(name)
    click.echo(f"Removed {len(found)}.")
