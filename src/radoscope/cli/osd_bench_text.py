"""`radoscope study --osd-bench`: every OSD's own bench, who is sick, and the lines that would tell mClock."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from radoscope.cli.said import refuse_all_but

if TYPE_CHECKING:
    from radoscope.stats.osds import OsdFigure

ROUNDS = 5
_UNDERSTOOD = (
    *("osd_bench", "rounds", "sandbox", "conf", "user", "keyring", "allow_unhealthy", "as_hard_as_it_goes"),
    *("as_json", "dry_run", "quiet"),
)


def bench(options: dict[str, Any]) -> None:
    """Run it, print it, and end with the exit code that tells."""
    from radoscope.cli.ending import conclude, stopping
    from radoscope.cli.study import permitted, target_of  # study imports this file
    from radoscope.workflow.osd_bench import bench_osds, bench_request

    refuse_all_but(_UNDERSTOOD, "--osd-bench")
    rounds = options["rounds"] or ROUNDS
    if options["dry_run"]:
        _describe(rounds)
        return

    def say(event: Any) -> None:
        if not options["quiet"]:
            click.echo(getattr(event, "words", ""), err=True)

    request = permitted(bench_request(target_of(options)), options)
    with stopping() as (stop, caught):
        done = bench_osds(request, rounds, say, stop)
    if options["as_json"]:
        click.echo(json.dumps({"study": done.folder.name, "osds": [asdict(one) for one in done.figures]}, indent=1))
    else:
        print_osds(done.figures)
    conclude([done.folder], done.left, done.problem, caught, as_json=options["as_json"])


def _describe(rounds: int) -> None:
    from radoscope.run.engines.osd_bench import words

    click.echo(f"{rounds} rounds over all OSDs that are up, one at a time, in a new random order each:")
    click.echo(f"  ceph {' '.join(words(0))}")
    click.echo("Each OSD writes 12 MB and removes them again; no pool, user or setting is created or changed.")


def print_osds(figures: tuple[OsdFigure, ...]) -> None:
    """The verdict, the table, and what mClock could be told."""
    from radoscope.report.osds import COLUMNS, capacity_lines, osd_rows, osd_verdict

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
