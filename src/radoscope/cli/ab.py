"""radoscope ab: is B really faster than A? An experiment that switches between them, and restores A."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from radoscope.cli import study
from radoscope.cli.compare import close_on, read_gate
from radoscope.cli.ending import conclude, stopping
from radoscope.errors import PlanError
from radoscope.units import format_seconds, parse_seconds, parse_share

if TYPE_CHECKING:
    from radoscope.stats.compare import Comparison
    from radoscope.workflow.ab import AbDone, AbRequest
    from radoscope.workflow.experiments import Experiment

# numpy, scipy, rich and the stages are imported within the functions: --help needs none of them.

_AS_IN_STUDY = (
    "plan_name", "sandbox", "conf", "user", "keyring", "pool", "replicas", "crush_rule", "disk_folder", "disk_device",
    "destroy_data_on_it", "client", "ssh_config", "only", "seconds", "allow_unhealthy", "as_hard_as_it_goes",
    "as_json", "dry_run", "quiet",
)  # fmt: skip


@click.command(params=[param for param in study.command.params if param.name in _AS_IN_STUDY])
@click.option("--a", "a", metavar="COMMAND", help="Command that sets state A, which is restored at the end.")
@click.option("--b", "b", metavar="COMMAND", help="Command that sets state B.")
@click.option("--show", metavar="COMMAND", help="Command that prints the current state; verifies that A is restored.")
@click.option("--experiment", metavar="NAME", help="A ready-made experiment, followed by its arguments; see --list.")
@click.option("--list", "list_ready", is_flag=True, help="List the ready-made experiments.")
@click.option(
    "--budget", default="20m", show_default=True, help="Time for all pairs; less once the verdicts are certain."
)
@click.option("--settle", default="2s", show_default=True, help="Pause before the segments of a state.")
@click.option(
    "--switch-timeout", default="5m", show_default=True, help="After this time a state command counts as hung."
)
@click.option("--margin", default="5%", show_default=True, help="The smallest difference that matters to you.")
@click.option("--fail-if", multiple=True, metavar="CONDITION", help="Exit with 99 if it holds: 'slower > 5%'.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.argument("values", nargs=-1, metavar="[ARGUMENTS]")
def command(**options: Any) -> None:
    """Is B really faster than A? Switches between two states, settles, measures pairs in random blocks.

    A is restored at the end, also after Ctrl-C; after kill -9 by radoscope clean. The commands of the states find
    CEPH_CONF, CEPH_ARGS and RADOSCOPE_POOL in their environment.
    """
    if options["list_ready"]:
        _list()
        return
    gates = [read_gate(text) for text in options["fail_if"]]
    request = _request(options)
    _say_what_it_touches(request, options)
    if options["dry_run"]:
        return
    _ask(options)
    done, caught, comparison = _run(request, options)
    _show(done, comparison, options)
    if done.restored:
        proof = "" if done.shown is not None else " (its command succeeded; use --show to verify)"
        click.echo(f"State A is restored{proof}.", err=options["as_json"])
    folders = [folder for folder in (done.folder, done.folder_b) if folder is not None]
    conclude(folders, done.left, done.problem, caught, as_json=options["as_json"])
    if comparison is not None:
        close_on(gates, (comparison,))


def _list() -> None:
    from radoscope.workflow.experiments import READY

    width = max(len(f"{one.name} {one.usage}") for one in READY)
    for one in READY:
        click.echo(f"{f'{one.name} {one.usage}':{width}}  {one.question}")


def _request(options: dict[str, Any]) -> AbRequest:
    from radoscope.plan import load
    from radoscope.workflow import StudyRequest
    from radoscope.workflow.ab import AbRequest

    experiment = _experiment(options)
    plan = study.overridden(load(options["plan_name"]), options)
    asked = StudyRequest.build(plan, study.target_of(options), only=options["only"] or experiment.cells_of(plan))
    request = AbRequest(
        study=study.permitted(asked, options),
        experiment=experiment,
        budget_s=parse_seconds(options["budget"]),
        settle_s=parse_seconds(options["settle"]),
        longest_switch_s=parse_seconds(options["switch_timeout"]),
        margin=parse_share(options["margin"]),
    )
    request.check()
    return request


def _experiment(options: dict[str, Any]) -> Experiment:
    from radoscope.workflow.experiments import of_commands, ready_made

    own = options["a"] is not None or options["b"] is not None or options["show"] is not None
    if options["experiment"] and own:
        raise PlanError("--experiment brings its own commands", "Leave out --a, --b and --show, or --experiment.")
    if options["experiment"]:
        return ready_made(options["experiment"], options["values"])
    if options["a"] is None or options["b"] is None:
        raise PlanError(
            "an experiment needs two states",
            "Give --a COMMAND and --b COMMAND, or --experiment NAME; radoscope ab --list shows the ready-made ones.",
        )
    if options["values"]:
        raise PlanError(f"{options['values'][0]!r} is not an option", "Put a command with blanks in quotes.")
    return of_commands(options["a"], options["b"], options["show"])


def _say_what_it_touches(request: AbRequest, options: dict[str, Any]) -> None:
    from radoscope.workflow.ab import describe_ab
    from radoscope.workflow.request import describe_cells

    if options["quiet"] and options["yes"] and not options["dry_run"]:
        return
    for line in describe_ab(request):
        click.echo(line, err=options["as_json"] and not options["dry_run"])
    for line in describe_cells(request.study) if options["dry_run"] else ():
        click.echo(line)


def _ask(options: dict[str, Any]) -> None:
    if options["yes"]:
        return
    if not sys.stdin.isatty():
        raise PlanError("confirmation needed, but standard input is not a terminal", "Add --yes.")
    click.confirm("Begin?", abort=True, err=options["as_json"])


def _run(request: AbRequest, options: dict[str, Any]) -> tuple[AbDone, list[int], Comparison | None]:
    from radoscope.cli.progress import Progress
    from radoscope.workflow.ab import compared, run_ab

    progress = Progress(request.study, quiet=options["quiet"], to_stderr=options["as_json"])
    with stopping() as (stop, caught), progress:
        done = run_ab(request, progress.on_event, stop)
    return done, caught, compared(done, request.margin)


def _show(done: AbDone, comparison: Comparison | None, options: dict[str, Any]) -> None:
    from radoscope.cli import compared

    if options["as_json"]:
        click.echo(json.dumps(_json(done, comparison), indent=1))
    elif comparison is None:
        click.echo("No complete pair was measured: nothing to compare.")
    else:
        compared.print_comparisons([comparison])
        looks = done.schedule.looks if done.schedule else 1
        took = format_seconds(done.seconds)
        click.echo(
            f"{done.pairs} pairs in {took}, at most {looks} looks. States: A `{done.switch.a}`, B `{done.switch.b}`."
        )
        if done.shown is not None:
            click.echo(f"Shown in A: {done.shown!r}; in B: {done.shown_b!r}.")


def _json(done: AbDone, comparison: Comparison | None) -> dict[str, Any]:
    from radoscope import wire

    return {
        "schema": wire.SCHEMA,
        "kind": "ab",
        "a": done.folder.name,
        "b": done.folder_b.name if done.folder_b else None,
        "states": {"a": done.switch.a, "b": done.switch.b, "show": done.switch.show},
        "shown": {"a": done.shown, "b": done.shown_b},
        "restored": done.restored,
        "complete": done.complete,
        "problem": done.problem.message if done.problem else None,
        "pairs": done.pairs,
        "looks": done.schedule.looks if done.schedule else 1,
        "seconds": done.seconds,
        "comparison": wire.comparison(comparison) if comparison else None,
    }
