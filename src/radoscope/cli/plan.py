"""radoscope plan list | show PLAN | check PLAN."""

from __future__ import annotations

import click


@click.group()
def command() -> None:
    """List, show and check plans. A plan is a TOML file; those that ship can be copied and changed."""


@command.command("list")
def list_plans() -> None:
    """The plans that ship with radoscope."""
    from radoscope.plan import cells_of, load, named_plans
    from radoscope.plan.estimate import estimate
    from radoscope.units import format_seconds

    for name in named_plans():
        plan = load(name)
        cells = cells_of(plan)
        cost = estimate(plan, cells)
        span = f"{format_seconds(cost.seconds_low)} to {format_seconds(cost.seconds_high)}"
        click.echo(f"{name:10} {len(cells):3} cells  {span:34} {plan.title}")


@command.command("show")
@click.argument("plan")
def show(plan: str) -> None:
    """Print a plan, by name or from a file, as TOML: radoscope plan show quick > mine.toml"""
    from radoscope.plan import plan_text

    click.echo(plan_text(plan), nl=False)


@command.command("check")
@click.argument("file")
def check(file: str) -> None:
    """Check a plan and list its cells. All faults are named at once."""
    from radoscope.plan import cells_of, load

    for cell in cells_of(load(file)):
        click.echo(f"{cell.name:36} {cell.title}")
