"""radoscope scenario: a fault in the middle of a steady load, on a sandbox."""

from __future__ import annotations

import click

from radoscope.cli.options import Named, Output, output_options, target_options

# The stages are imported within the function: --help needs none of them.


@click.command()
@click.argument("name")
@click.option("--plan", "plan_name", default="scenario", show_default=True, help="The load: a plan of one cell.")
@click.option("--seconds", help="Steady load before the fault, of the outage, and after it; e.g. 10s.")
@target_options("sandbox", "replicas", "crush_rule")
@output_options("folder", "as_json", "dry_run", "quiet")
def command(name: str, plan_name: str, seconds: str | None, named: Named, output: Output) -> None:
    """Inject a fault into a steady load on a sandbox: what happens, for how long, and is data lost?

    NAME is lose-an-osd, lose-a-host, add-a-host or recover. It breaks sandboxes only: the one that you name, which is
    left as it was found, or a new one.
    """
    from radoscope.cli.measuring import finish, measure
    from radoscope.cli.study import overridden
    from radoscope.kinds.scenario.run import describe_scenario, run_scenario, scenario_request
    from radoscope.kinds.scenario.scenes import script
    from radoscope.plan import load

    which = script(name)
    request = scenario_request(which, overridden(load(plan_name), seconds=seconds), named.target())
    if output.dry_run:
        for line in describe_scenario(which, request):
            click.echo(line)
        return
    done, caught = measure(lambda listener, stop: run_scenario(which, request, listener, stop), request.cells, output)
    finish(done, caught, output)
