"""`radoscope study --osd-bench`: every OSD's own bench, who is sick, and the lines that would tell mClock."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from radoscope.stats.osds import OsdFigure

ROUNDS = 5
_REFUSED = (
    *("only", "resume", "disk_device", "disk_folder", "pool", "replicas", "crush_rule", "output", "scenario"),
    "client",
)


def bench(options: dict[str, Any]) -> None:
    """Run it, print it, and end with the exit code that tells."""
    from radoscope.cli.ending import conclude, stopping
    from radoscope.cli.study import target_of  # study imports this file
    from radoscope.errors import PlanError
    from radoscope.workflow.osd_bench import bench_osds

    if said := [f"--{name.replace('_', '-')}" for name in _REFUSED if options[name]]:
        raise PlanError(f"{', '.join(said)} cannot be said with --osd-bench")
    rounds = options["rounds"] or ROUNDS
    if options["dry_run"]:
        _describe(rounds)
        return

    def say(event: Any) -> None:
        if not options["quiet"]:
            click.echo(getattr(event, "words", ""), err=True)

    with stopping() as (stop, caught):
        done = bench_osds(target_of(options), rounds, say, stop)
    if options["as_json"]:
        click.echo(json.dumps({"study": done.folder.name, "osds": [asdict(one) for one in done.figures]}, indent=1))
    else:
        _print(done.figures)
    conclude([done.folder], done.left, None, caught, as_json=options["as_json"])


def _describe(rounds: int) -> None:
    from radoscope.run.engines.osd_bench import words

    click.echo(f"{rounds} rounds over all OSDs that are up, one at a time, each in another random order:")
    click.echo(f"  ceph {' '.join(words(0))}")
    click.echo("It writes 12 MB within each OSD and removes them again; no pool, no user, no setting is made.")


def _print(figures: tuple[OsdFigure, ...]) -> None:
    from radoscope.stats.values import Estimate, Interval, Undecided

    click.echo(f"\n{'OSD':8}{'class':8}{'IOPS':>8}  {'95 % interval':20}{'of peers':>9}  verdict")
    for one in figures:
        value = f"{one.iops.value:,.0f}" if isinstance(one.iops, Estimate) else "-"
        interval = one.iops.interval if isinstance(one.iops, Estimate) else None
        words = f"{interval.low:,.0f} to {interval.high:,.0f}" if isinstance(interval, Interval) else "-"
        share = "-" if isinstance(one.of_peers, Undecided) else f"{one.of_peers:.0%}"
        click.echo(f"osd.{one.osd:<4}{one.device_class or '-':8}{value:>8}  {words:20}{share:>9}  {_verdict(one)}")
    click.echo("\nWhat mClock could be told (radoscope changes no setting):")
    for one in figures:
        click.echo(f"  {_line(one)}")
    click.echo("")


def _verdict(one: OsdFigure) -> str:
    from radoscope.stats.values import Undecided

    if isinstance(one.sick, Undecided):
        return f"undecided: {one.sick.because}"
    return "slower than its peers" if one.sick else "like its peers"


def _line(one: OsdFigure) -> str:
    """The command, or why there is none; one that is sick wants mending, not a setting."""
    from radoscope.stats.values import Estimate

    if one.sick is True:
        return f"# osd.{one.osd}: slower than its peers; find out why first: smartctl -a, iostat -x 1"
    if not one.fit_to_set or not isinstance(one.iops, Estimate):
        return f"# osd.{one.osd}: too uncertain to be set; more --rounds, or a quieter hour"
    kind = "hdd" if one.device_class == "hdd" else "ssd"
    return f"ceph config set osd.{one.osd} osd_mclock_max_capacity_iops_{kind} {one.iops.value:.0f}"
