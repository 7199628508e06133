"""radoscope ab: is B really faster than A? An experiment that switches between them, and restores A."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from radoscope.cli.compare import Gate, close_on, read_gate
from radoscope.cli.measuring import conclude
from radoscope.cli.options import (
    EVERY_TARGET,
    Named,
    Output,
    output_options,
    permission_options,
    refuse_with,
    target_options,
)
from radoscope.errors import PlanError
from radoscope.units import format_seconds, parse_seconds, parse_share

if TYPE_CHECKING:
    from radoscope.explain.advice import Advice
    from radoscope.kinds.ab.experiments import Experiment
    from radoscope.kinds.ab.run import AbDone, AbRequest
    from radoscope.session.session import Hands
    from radoscope.session.target import Permissions
    from radoscope.stats.compare import Comparison

# numpy, scipy, rich and the stages are imported within the functions: --help needs none of them.


@click.command()
@click.option("--plan", "plan_name", help="A plan by name, or a TOML file. Default: quick, or the experiment's own.")
@target_options(*(name for name in EVERY_TARGET if name not in ("at", "image")))  # states are switched from this host
@click.option("--cells", "only", multiple=True, help="Only cells that match this pattern, e.g. 'rbd-4k-*'; repeatable.")
@click.option("--seconds", help="Length of one segment, e.g. 3s.")
@permission_options("allow_unhealthy", "as_hard_as_it_goes")
@output_options("as_json", "dry_run", "quiet")
@click.option("--a", "a", metavar="COMMAND", help="Command that sets state A, which is restored at the end.")
@click.option("--b", "b", metavar="COMMAND", help="Command that sets state B.")
@click.option("--show", metavar="COMMAND", help="Command that prints the current state; verifies that A is restored.")
@click.option("--experiment", metavar="NAME", help="A ready-made experiment, followed by its arguments; see --list.")
@click.option(
    "--advice",
    metavar="STUDY",
    help="Try what this study's findings advise, if it can be undone at once; compare with the prediction.",
)
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
@click.option(
    "--rehearse",
    nargs=2,
    metavar="A B",
    help="Replay the two recorded sides of an experiment without a cluster. Nothing is switched or measured.",
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.argument("values", nargs=-1, metavar="[ARGUMENTS]")
def command(
    list_ready: bool,
    rehearse: tuple[str, str] | None,
    yes: bool,
    fail_if: Sequence[str],
    named: Named,
    permissions: Permissions,
    output: Output,
    **options: Any,
) -> None:
    """Is B really faster than A? Switches between two states, settles, measures pairs in random blocks.

    A is restored at the end, also after Ctrl-C; after kill -9 by radoscope clean. The commands of the states find
    CEPH_CONF, CEPH_ARGS and RADOSCOPE_POOL in their environment.
    """
    if list_ready:
        _list()
        return
    gates = [read_gate(text) for text in fail_if]
    if rehearse:
        _conclude(*_rehearse(rehearse, output, options), output, gates)
        return
    advice = _advice(options.pop("advice"), named, options)
    request = _request(named, permissions, advice=advice, **options)
    if not (output.quiet and yes) or output.dry_run:
        _say_what_it_touches(request, output)
    if output.dry_run:
        return
    if not yes:
        _ask(output)
    done, caught, comparison = _run(request, output)
    if advice is not None and comparison is not None and not output.as_json:
        _say_what_it_brought(advice, comparison)
    _conclude(done, caught, comparison, output, gates)


def _conclude(
    done: AbDone, caught: list[int], comparison: Comparison | None, output: Output, gates: Sequence[Gate]
) -> None:
    _show(done, comparison, output)
    if done.restored:
        proof = "" if done.shown is not None else " (its command succeeded; use --show to verify)"
        click.echo(f"State A is restored{proof}.", err=output.as_json)
    folders = [folder for folder in (done.folder, done.folder_b) if folder is not None]
    conclude(folders, done.left, done.problem, caught, as_json=output.as_json)
    if comparison is not None:
        close_on(gates, (comparison,))


def _list() -> None:
    from radoscope.kinds.ab.experiments import READY

    width = max(len(f"{one.name} {one.usage}") for one in READY)
    for one in READY:
        click.echo(f"{f'{one.name} {one.usage}':{width}}  {one.question}")


def _request(
    named: Named,
    permissions: Permissions,
    *,
    advice: Advice | None,
    plan_name: str | None,
    only: tuple[str, ...],
    seconds: str | None,
    budget: str,
    settle: str,
    switch_timeout: str,
    margin: str,
    **states: Any,
) -> AbRequest:
    from radoscope.cli.study import overridden
    from radoscope.kinds.ab.run import AbRequest
    from radoscope.plan import load
    from radoscope.session.request import StudyRequest

    experiment = _experiment(**states) if advice is None else _of_advice(advice)
    plan = overridden(load(plan_name or experiment.plan), seconds=seconds)
    cells = only or experiment.cells_of(plan)
    request = AbRequest(
        study=StudyRequest.build(plan, named.target(), only=cells, permissions=permissions, kind="ab"),
        experiment=experiment,
        budget_s=parse_seconds(budget),
        settle_s=parse_seconds(settle),
        longest_switch_s=parse_seconds(switch_timeout),
        margin=parse_share(margin),
    )
    request.check()
    return request


def _experiment(
    *, a: str | None, b: str | None, show: str | None, experiment: str | None, values: Sequence[str]
) -> Experiment:
    from radoscope.kinds.ab.experiments import of_commands, ready_made

    if experiment and (a is not None or b is not None or show is not None):
        raise PlanError("--experiment brings its own commands", "Leave out --a, --b and --show, or --experiment.")
    if experiment:
        return ready_made(experiment, values)
    if a is None or b is None:
        raise PlanError(
            "an experiment needs two states",
            "Give --a COMMAND and --b COMMAND, or --experiment NAME; radoscope ab --list shows the ready-made ones.",
        )
    if values:
        raise PlanError(f"{values[0]!r} is not an option", "Put a command with blanks in quotes.")
    return of_commands(a, b, show)


def _advice(name: str | None, named: Named, options: Mapping[str, Any]) -> Advice | None:
    """What the first cause of a study advises that can be tried and undone. Raises PlanError without any."""
    from radoscope import explain
    from radoscope.explain.advice import advise
    from radoscope.explain.ranking import is_cause
    from radoscope.workflow import assess, load_study

    if name is None:
        return None
    if any(options[key] is not None for key in ("a", "b", "show", "experiment")):
        raise PlanError("--advice brings its own commands", "Leave out --a, --b, --show and --experiment.")
    study, target = load_study(name), named.target()
    if target.sandbox is None and target.conf is None:
        raise PlanError("--advice needs the cluster that the study is about", "Give --sandbox NAME or --conf FILE.")
    if study.sandbox is not None and target.sandbox != study.sandbox:
        raise PlanError(f"{study.id} is about sandbox {study.sandbox}", f"Give --sandbox {study.sandbox}.")
    assessed = assess(study)
    causes = [finding for finding in assessed.findings if is_cause(finding)]
    if not causes:
        raise PlanError(f"no cause was found in {study.id}", "There is nothing to fix; radoscope show names its limit.")
    checks = explain.check_cells(study, assessed.summaries)
    advice = next((found for one in causes if (found := advise(one, study, checks)) is not None), None)
    if advice is None:
        first = causes[0]
        raise PlanError(f"no action that can be undone at once fixes {first.rule}: {first.claim}", first.try_next)
    return advice


def _of_advice(advice: Advice) -> Experiment:
    from radoscope.kinds.ab.experiments import Experiment, States

    gains = ", ".join(f"{cell} {gain}" for cell, gain in advice.gains.items()) or "how much cannot be told"
    return Experiment(
        name="advice",
        touches=f"{advice.words}. Risk: {advice.risk}. Predicted: {gains}",
        states=lambda scene: States(advice.a, advice.b, advice.show),
        cells=advice.cells,
    )


def _say_what_it_brought(advice: Advice, comparison: Comparison) -> None:
    from radoscope.stats.values import Undecided

    click.echo(f"\n{'cell':28}{'predicted':>22}{'realised':>26}")
    for compared in comparison.cells:
        gain, ratio = advice.gains.get(compared.cell.name), compared.headline.ratio
        realised = "undecided" if isinstance(ratio, Undecided) else f"x{ratio.value:.2f}"
        if not isinstance(ratio, Undecided) and not isinstance(ratio.interval, Undecided):
            realised += f" ({ratio.interval.low:.2f} to {ratio.interval.high:.2f})"
        click.echo(f"{compared.cell.name:28}{gain or 'unknown'!s:>22}{realised:>26}")
    click.echo("")


def _say_what_it_touches(request: AbRequest, output: Output) -> None:
    from radoscope.kinds.ab.run import describe_ab
    from radoscope.session.request import describe_cells

    for line in describe_ab(request):
        click.echo(line, err=output.as_json and not output.dry_run)
    for line in describe_cells(request.study) if output.dry_run else ():
        click.echo(line)


def _ask(output: Output) -> None:
    if not sys.stdin.isatty():
        raise PlanError("confirmation needed, but standard input is not a terminal", "Add --yes.")
    click.confirm("Begin?", abort=True, err=output.as_json)


def _rehearse(
    names: tuple[str, str], output: Output, options: Mapping[str, Any]
) -> tuple[AbDone, list[int], Comparison | None]:
    from radoscope.kinds.ab.run import rehearsed
    from radoscope.session.rehearsal import Rehearsal
    from radoscope.workflow.rehearse import recorded

    heeded = ("rehearse", "budget", "settle", "margin", "fail_if", "yes")
    refuse_with("--rehearse", tuple(name for name in options if name not in heeded), "All else is as it was recorded.")
    with recorded(names[0]) as a, recorded(names[1]) as b:
        hands = Rehearsal(a, b)
        request = rehearsed(
            hands.request(kind="ab"),
            a,
            budget_s=parse_seconds(options["budget"]),
            settle_s=parse_seconds(options["settle"]),
            margin=parse_share(options["margin"]),
        )
        return _run(request, output, hands)


def _run(request: AbRequest, output: Output, hands: Hands | None = None) -> tuple[AbDone, list[int], Comparison | None]:
    from radoscope.cli.measuring import measure
    from radoscope.kinds.ab.run import compared, run_ab

    done, caught = measure(lambda on_event, stop: run_ab(request, on_event, stop, hands), request.study.cells, output)
    return done, caught, compared(done, request.margin)


def _show(done: AbDone, comparison: Comparison | None, output: Output) -> None:
    from radoscope.cli import compared

    if output.as_json:
        click.echo(json.dumps(_json(done, comparison), indent=1))
    elif comparison is None:
        click.echo("No complete pair was measured: nothing to compare.")
    else:
        compared.print_comparisons([comparison])
        took = f"{done.pairs} pairs in {format_seconds(done.seconds)}, at most {done.looks} looks"
        click.echo(f"{took}. States: A `{done.switch.a}`, B `{done.switch.b}`.")
        if done.shown is not None:
            click.echo(f"Shown in A: {done.shown!r}; in B: {done.shown_b!r}.")


def _json(done: AbDone, comparison: Comparison | None) -> dict[str, Any]:
    from radoscope import wire

    return wire.document(
        "ab",
        a=done.folder.name,
        b=done.folder_b.name if done.folder_b else None,
        states={"a": done.switch.a, "b": done.switch.b, "show": done.switch.show},
        shown={"a": done.shown, "b": done.shown_b},
        restored=done.restored,
        complete=done.complete,
        problem=done.problem.message if done.problem else None,
        pairs=done.pairs,
        looks=done.looks,
        seconds=done.seconds,
        comparison=wire.comparison(comparison) if comparison else None,
    )
