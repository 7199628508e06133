"""radoscope show: a study's verdict on the terminal."""

from __future__ import annotations

from pathlib import Path

import click

from radoscope.cli.next_steps import complete_study

# The stages are imported within the function: --help needs none of them.


@click.command()
@click.argument("study", default="last", shell_complete=complete_study)
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.option("--anonymous", is_flag=True, help="Replace names of hosts, pools ..., addresses, fsid and paths.")
def command(study: str, as_json: bool, anonymous: bool) -> None:
    """Show a study: the verdict table on the terminal.

    STUDY is an id, the beginning of one, a path, or "last" for the newest.
    """
    from radoscope.cli.shown import shown
    from radoscope.workflow import study_folder

    folder = study_folder(study)
    shown(folder, f"{as_json} {anonymous}", lambda: _show(folder, as_json, anonymous))


def _show(folder: Path, as_json: bool, anonymous: bool) -> None:
    from radoscope.cli.measuring import present
    from radoscope.workflow import assess, load_study

    loaded = load_study(str(folder), anonymous=anonymous)
    summaries, findings = assess(loaded)
    present(loaded, summaries, findings, as_json=as_json)
