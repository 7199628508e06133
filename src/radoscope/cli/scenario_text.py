"""A scenario on the terminal: what each deed did, how slow I/Os were in each stretch, and whether data was lost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from radoscope.cli.said import refuse_all_but, said

if TYPE_CHECKING:
    from radoscope.records.scenario import Scenario
    from radoscope.records.study import Study
    from radoscope.workflow import StudyRequest
    from radoscope.workflow.scenes import Script

_UNDERSTOOD = (
    *("scenario", "plan_name", "seconds", "sandbox", "conf", "user", "keyring", "pool", "replicas", "crush_rule"),
    *("output", "as_json", "dry_run", "quiet"),
)


def play(options: dict[str, Any]) -> None:
    """`radoscope study --scenario NAME`: run it, print it, and end with the exit code that tells."""
    from radoscope.cli.ending import conclude, stopping
    from radoscope.workflow import assess, load_study
    from radoscope.workflow.scenario import describe_scenario, run_scenario

    which, request = _asked(options)
    if options["dry_run"]:
        for line in describe_scenario(which, request):
            click.echo(line)
        return
    from radoscope.cli.progress import Progress

    progress = Progress(request, quiet=options["quiet"], to_stderr=options["as_json"])
    with stopping() as (stop, caught), progress:
        done = run_scenario(which, request, progress.on_event, stop)
    study = load_study(str(done.folder))
    if options["as_json"]:
        click.echo(json.dumps(_json(study), indent=1))
    elif study.scenario is not None:
        print_scenario(study.scenario)
    if options["output"]:
        from radoscope.cli.report import write_report

        write_report(study, *assess(study), options["output"], quiet=options["as_json"])
    conclude([done.folder], done.left, done.problem, caught, as_json=options["as_json"])


def print_scenario(scenario: Scenario) -> None:
    """Passage by passage, then the table of latencies."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from radoscope.report.transient import PHASE_COLUMNS, passages, phase_rows
    from radoscope.stats.transient import analyse

    transient = analyse(scenario)
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 140
    console.print(f"\n[bold]{escape(scenario.name)}[/]: {escape(scenario.title)}\n")
    for passage in passages(scenario, transient):
        console.print(f"[bold]{escape(passage.title)}[/]")
        for label, words in passage.facts:
            console.print(f"  {escape(label):16} {escape(words)}", soft_wrap=True)
    table = Table(box=None, padding=(0, 2, 0, 0), title="Latency of I/Os completed in each phase")
    table.title_justify = "left"
    for number, column in enumerate(PHASE_COLUMNS):
        table.add_column(column, justify="left" if number == 0 else "right")
    for row in phase_rows(transient):
        table.add_row(*map(escape, row))
    console.print()
    console.print(table)
    console.print("[dim]One run of one event: another run will differ, by an unknown amount.[/]\n")


def _asked(options: dict[str, Any]) -> tuple[Script, StudyRequest]:
    from radoscope.cli.study import overridden, target_of  # study imports this file
    from radoscope.plan import load
    from radoscope.workflow.scenario import scenario_request
    from radoscope.workflow.scenes import script

    refuse_all_but(_UNDERSTOOD, "--scenario", "See docs/scenarios.md.")
    which = script(options["scenario"])
    name = options["plan_name"] if "plan_name" in said() else "scenario"
    return which, scenario_request(which, overridden(load(name), options), target_of(options))


def _json(study: Study) -> dict[str, Any]:
    from radoscope.report.machine import study_json
    from radoscope.workflow import assess

    return study_json(study, *assess(study))
