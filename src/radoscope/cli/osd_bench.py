"""radoscope osd-bench: every OSD's own bench. Which one is slower than its peers?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from radoscope.cli.options import Named, Output, output_options, permission_options, target_options

if TYPE_CHECKING:
    from radoscope.session.target import Permissions

# The stages are imported within the functions: --help needs none of them.


@click.command(name="osd-bench")
@click.option(
    "--rounds", type=click.IntRange(1, 1000), default=5, show_default=True, help="Number of rounds over all OSDs."
)
@target_options("sandbox", "at", "image", "conf", "user", "keyring", "ssh_config")
@permission_options("allow_unhealthy", "as_hard_as_it_goes")
@output_options("folder", "as_json", "dry_run", "quiet")
def command(rounds: int, named: Named, permissions: Permissions, output: Output) -> None:
    """Run every OSD's own bench, one at a time: which one is slower than its peers?

    4 KiB writes within each OSD, without network and copies. Nothing is changed in the cluster. Without --sandbox or
    --conf, radoscope starts a cluster on this machine and removes it at the end.
    """
    from radoscope.cli.measuring import finish, measure
    from radoscope.kinds.osd_bench.run import run_osd_bench

    target = named.target()
    if output.dry_run:
        _describe(rounds)
        return
    done, caught = measure(
        lambda on_event, stop: run_osd_bench(target, permissions, rounds, on_event, stop), (), output
    )
    finish(done, caught, output)


def _describe(rounds: int) -> None:
    from radoscope.run.engines.osd_bench import words

    click.echo(f"{rounds} rounds over all OSDs that are up, one at a time, in a new random order each:")
    click.echo(f"  ceph {' '.join(words(0))}")
    click.echo("Each OSD writes 12 MB and removes them again; no pool, user or setting is created or changed.")
