"""radoscope show: a study's verdict on the terminal."""

from __future__ import annotations

import click

# The stages are imported within the function: --help needs none of them.


@click.command()
@click.argument("study", default="last")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.option("--anonymous", is_flag=True, help="Replace names of hosts, pools ..., addresses, fsid and paths.")
def command(study: str, as_json: bool, anonymous: bool) -> None:
    """Show a study: the verdict table on the terminal.

    STUDY is an id, the beginning of one, a path, or "last" for the newest.
    """
    from radoscope.cli.measuring import present
    from radoscope.workflow import assess, load_study

    loaded = load_study(study, anonymous=anonymous)
    summaries, findings = assess(loaded)
    present(loaded, summaries, findings, as_json=as_json)
