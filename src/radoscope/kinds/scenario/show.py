"""A scenario on the terminal: what each deed did, how slow I/Os were in each stretch, and whether data was lost."""

from __future__ import annotations

from radoscope.kinds.rounds.show import print_study
from radoscope.kinds.scenario.analyse import analyse
from radoscope.kinds.scenario.record import Scenario, scenario_of
from radoscope.kinds.scenario.words import PHASE_COLUMNS, passages, phase_rows
from radoscope.report.material import Material


def print_scenario(material: Material) -> None:
    """Passage by passage, the table of latencies, then the load as any study shows its cells."""
    _print_passages(scenario_of(material.study))
    print_study(material)


def _print_passages(scenario: Scenario) -> None:
    from rich.console import Console  # start-up time
    from rich.markup import escape
    from rich.table import Table

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
