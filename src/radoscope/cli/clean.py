"""radoscope clean: list what dead runs left, then remove it."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from radoscope.cli.options import Named, target_options

if TYPE_CHECKING:
    from radoscope.ceph import Cluster
    from radoscope.sites import Site
    from radoscope.workflow.leftovers import Left


@click.command()
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("--dry-run", is_flag=True, help="List only.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option(
    "--conf", type=click.Path(path_type=Path), help="Also look in the cluster of this ceph.conf, from any host."
)
@target_options("at", "image", "user", "keyring", "ssh_config")
def command(runs: tuple[str, ...], dry_run: bool, yes: bool, conf: Path | None, named: Named) -> None:
    """Find what radoscope runs left behind, list it, and remove it: all of them on this host, or RUNs alone.

    Active runs of this host and sandboxes that are up are not touched. Nor is what another host's run of the last 24
    hours made, unless you name that RUN, for it may still go on. Leftovers of other tools are listed, never touched.
    """
    from radoscope.workflow.leftovers import clean_up, left_by, what_is_left

    cluster = _cluster(conf, named)
    nodes = _nodes(cluster, named) if cluster else ()
    left = left_by(runs, cluster, nodes) if runs else what_is_left(cluster, nodes)
    _print(left)
    problems: tuple[str, ...] = ()
    if not left.anything:
        nothing = "Nothing else" if left.recent else "Nothing"
        click.echo(f"{nothing} of radoscope {'was found' if left.marked.unseen else 'is left'}.")
    elif not dry_run and (yes or click.confirm("Remove all of this?", default=True)):
        problems = clean_up(left, click.echo)
    for words in problems:
        click.secho(f"Not removed: {words}", fg="red", err=True)
    sys.exit(1 if problems or left.marked.unseen else 0)


def _cluster(conf: Path | None, named: Named) -> Cluster | None:
    if conf is None and named.values["at"] is None:
        return None
    from radoscope.session.there import cluster_of

    return cluster_of(replace(named.target(), conf=conf))


def _nodes(cluster: Cluster, named: Named) -> tuple[Site, ...]:
    """The other nodes of Proxmox VE's cluster, from which load may have come."""
    from radoscope.session import proxmox

    if not proxmox.is_pve(named.values["at"]):
        return ()
    return proxmox.other_nodes(cluster.site, proxmox.look(cluster.site), "look")


def _print(left: Left) -> None:
    for journal, entries in left.journals:
        click.echo(f"Run {journal.path.stem}, dead:")
        for entry in entries:
            click.echo(f"  {entry.kind} {entry.name}")
        if not entries:
            click.echo("  only its journal")
    for part in left.sandbox_parts:
        click.echo(f"Sandbox {part.sandbox}, incomplete: {part.kind} {part.identity}")
    for folder in left.folders:
        click.echo(f"Work folder without a run: {folder}")
    for entry in left.marked.entries:
        click.echo(f"Tagged by radoscope on another host: {entry.kind} {entry.name}")
    _print_recent(left)
    for words in left.marked.unseen:
        click.secho(f"Not looked at: {words}", fg="red", err=True)
    for running in left.running:
        click.echo(f"Run {running} is still active; not touched.")
    for litter in left.foreign:
        click.echo(f"From another tool, not touched: {litter.what}   ({litter.remove})")


def _print_recent(left: Left) -> None:
    """What other hosts' runs made that may still go on, and how to remove it all the same."""
    from radoscope.run.litter import age_s, run_of
    from radoscope.units import format_seconds

    runs = dict.fromkeys(map(run_of, left.recent))
    for run in runs:
        age = format_seconds(max(age_s(run, datetime.now(UTC)), 1.0))
        click.echo(f"Run {run} of another host began {age} ago and may still go on; not touched:")
        for entry in left.recent:
            if run_of(entry) == run:
                click.echo(f"  {entry.kind} {entry.name}")
    if runs:
        click.echo(f"If it is dead, add its name to this command: {' '.join(runs)}")
