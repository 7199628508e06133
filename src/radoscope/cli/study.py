"""radoscope study: measure, show, report."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from radoscope.cli.options import (
    EVERY_TARGET,
    Named,
    Output,
    flags,
    output_options,
    permission_options,
    refuse_with,
    target_options,
)

if TYPE_CHECKING:
    from radoscope.plan import Plan
    from radoscope.session.request import StudyRequest
    from radoscope.session.session import Hands, StudyDone
    from radoscope.session.target import Permissions

_OF_THE_PLAN = ("plan_name", "only", "precision", "at_most", "rounds", "seconds", "limit", "budget")


def _moved(verb: str) -> Any:
    """A callback of an option that has become a verb."""

    def refuse(context: click.Context, param: click.Parameter, value: Any) -> None:
        from radoscope.errors import PlanError

        if value:
            raise PlanError(f"{param.opts[-1]} is a verb now", verb.format(value))

    return refuse


@click.command()
@click.option("--plan", "plan_name", default="quick", show_default=True, help="A plan by name, or a TOML file.")
@target_options(*EVERY_TARGET)
@click.option("--cells", "only", multiple=True, help="Only cells that match this pattern, e.g. 'rbd-4k-*'; repeatable.")
@click.option("--precision", help="Target half-width of each interval, e.g. 5%.")
@click.option("--budget", help="Time for the whole study, spent on the cells that need it most, e.g. 5m.")
@click.option("--at-most", help="Time limit per cell where there is no budget, e.g. 60s.")
@click.option("--rounds", type=click.IntRange(1, 1000), help="Minimum number of segments per cell.")
@click.option("--seconds", help="Length of one segment, e.g. 3s.")
@click.option("--limit", metavar="LIMIT", help="Search for the highest IOPS under this limit, e.g. 'p99 <= 10ms'.")
@permission_options("allow_unhealthy", "as_hard_as_it_goes", "pinned_layers")
@click.option("--resume", metavar="STUDY", help="Continue an interrupted study; with --budget, a complete one as well.")
@click.option(
    "--rehearse",
    metavar="BUNDLE",
    help="Replay a recorded study without a cluster: a study, a packed one, or `example`. Nothing is measured.",
)
@output_options("folder", "as_json", "dry_run", "quiet")
@click.option(
    "--scenario", hidden=True, expose_value=False, callback=_moved("Write: radoscope scenario {}"), is_eager=True
)
@click.option(
    "--osd-bench",
    hidden=True,
    expose_value=False,
    is_flag=True,
    callback=_moved("Write: radoscope osd-bench"),
    is_eager=True,
)
def command(
    resume: str | None, rehearse: str | None, named: Named, permissions: Permissions, output: Output, **plan: Any
) -> None:
    """Measure a cluster layer by layer: disk, network, RADOS, RBD.

    Without --sandbox or --conf, radoscope starts a real Ceph cluster on this machine and removes it at the end.
    """
    if rehearse:
        _rehearse(rehearse, permissions, output)
        return
    request = _going_on(resume, named, permissions, plan["budget"]) if resume else _request(named, permissions, **plan)
    if output.dry_run:
        from radoscope.session.request import describe_plan

        for line in describe_plan(request):
            click.echo(line)
        return
    _run(request, named, output)


def _request(
    named: Named, permissions: Permissions, *, plan_name: str, only: tuple[str, ...], **changes: Any
) -> StudyRequest:
    from radoscope.plan import load
    from radoscope.session.request import StudyRequest

    plan = overridden(load(plan_name), **changes)
    return StudyRequest.build(plan, named.target(), only=only, permissions=permissions)


def _going_on(study: str, named: Named, permissions: Permissions, budget: str | None) -> StudyRequest:
    """With the plan and the cluster of the study, unless options name another way to that cluster."""
    from radoscope.kinds.rounds.run import resumed
    from radoscope.units import parse_seconds
    from radoscope.workflow import study_folder

    changes = tuple(name for name in _OF_THE_PLAN if name != "budget")
    refuse_with("--resume", changes, "A study continues with the plan that it started with.")
    budget_s = None if budget is None else parse_seconds(budget)
    request = resumed(study_folder(study), named.said(), permissions, budget_s)
    named.check_consent(request.target.device)
    return request


def _rehearse(name: str, permissions: Permissions, output: Output) -> None:
    """The plan and the cells are the bundle's, so nothing else that says what to measure is heeded."""
    from radoscope.cli.measuring import finish
    from radoscope.session.rehearsal import Rehearsal
    from radoscope.workflow.rehearse import recorded

    refuse_with("--rehearse", (*_OF_THE_PLAN, *EVERY_TARGET, "resume"), "What is measured is as it was recorded.")
    with recorded(name) as folder:
        hands = Rehearsal(folder)
        done, caught = _measured(hands.request(permissions), output, hands)
    finish(done, caught, output)


def overridden(plan: Plan, *, limit: str | None = None, **values: Any) -> Plan:
    """The plan with what was said on the command line, None where nothing was; checked again as a whole."""
    from radoscope.plan.schema import check_plan

    changes = {name: value for name, value in values.items() if value is not None}
    if "budget" not in changes and {"rounds", "at_most"} & set(changes):
        changes["budget"] = None  # they say how long, in another way
    if limit:
        changes["cells"] = limited(plan, limit)
    return check_plan({**plan.model_dump(mode="json"), **changes}, "the command line") if changes else plan


def limited(plan: Plan, limit: str) -> list[dict[str, Any]]:
    """The plan's cells with a latency limit on each open loop. Raises PlanError where there is none, or no limit."""
    from radoscope.errors import PlanError
    from radoscope.plan.schema import parse_limit

    parse_limit(limit)
    cells = plan.model_dump(mode="json")["cells"]
    if not any(cell["rate_iops"] for cell in cells):
        hint = "radoscope study --plan response-curve has some; in your own plan it is a key of a cell."
        raise PlanError(f"--limit needs cells with rate_iops, and plan {plan.name} has none", hint)
    return [{**cell, "limit": limit} if cell["rate_iops"] else cell for cell in cells]


def _run(request: StudyRequest, named: Named, output: Output) -> None:
    from radoscope.cli.measuring import finish

    done, caught = _measured(request, output)
    consent = ["--destroy-data-on-it"] if named.values["consent"] else []
    again = ("radoscope study --resume", done.folder.name, *flags(asdict(request.permissions)), *consent)
    finish(done, caught, output, go_on=" ".join(again))


def _measured(request: StudyRequest, output: Output, hands: Hands | None = None) -> tuple[StudyDone, list[int]]:
    from radoscope.cli.measuring import measure
    from radoscope.kinds.rounds.run import run_study

    precision = None if request.plan is None else request.plan.precision
    return measure(lambda on_event, stop: run_study(request, on_event, stop, hands), request.cells, output, precision)
