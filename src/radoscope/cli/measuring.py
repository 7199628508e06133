"""What every verb that measures shares: progress while it runs, then the study as its kind shows it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

from radoscope.cli.ending import conclude, stopping
from radoscope.cli.options import Output

if TYPE_CHECKING:
    from radoscope.explain.finding import Finding
    from radoscope.records.study import Cell, Study
    from radoscope.run.events import Listener
    from radoscope.session.session import StudyDone
    from radoscope.stats.values import Summaries

Done = TypeVar("Done")


def measure(
    run: Callable[[Listener, threading.Event], Done],
    cells: Sequence[Cell],
    output: Output,
    precision: float | None = None,
) -> tuple[Done, list[int]]:
    """Run it; what came of it, and the signals that came meanwhile. precision: see Progress."""
    from radoscope.cli.progress import Progress

    progress = Progress(cells, quiet=output.quiet, to_stderr=output.as_json, precision=precision)
    with stopping() as (stop, caught), progress:
        return run(progress.on_event, stop), caught


def finish(done: StudyDone, caught: Sequence[int], output: Output, go_on: str = "") -> None:
    """Show what was measured, write its report, and end with the exit code that tells. go_on: see `conclude`."""
    from radoscope.workflow import assess, load_study

    study = load_study(str(done.folder))
    summaries, findings = assess(study)
    present(study, summaries, findings, as_json=output.as_json)
    if output.folder:
        from radoscope.cli.report import write_report

        write_report(study, summaries, findings, output.folder, quiet=output.as_json)
    conclude([done.folder], done.left, done.problem, caught, as_json=output.as_json, go_on=go_on)


def present(study: Study, summaries: Summaries, findings: tuple[Finding, ...], *, as_json: bool) -> None:
    from radoscope.kinds import kind_of

    kind = kind_of(study)
    if as_json:
        from radoscope.report.machine import study_json

        click.echo(json.dumps(study_json(study, summaries, findings, kind), indent=1))
    else:
        from radoscope.report.material import Material

        kind.show(Material(study, summaries, findings, kind))
