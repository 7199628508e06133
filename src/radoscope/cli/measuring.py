"""What every verb that measures shares: progress while it runs, then the study as its kind shows it.

And how a run on a cluster is asked to end, and how its verb ends: where everything is, what is left, which exit code.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from radoscope.cli.options import Output
from radoscope.errors import RadoscopeError

if TYPE_CHECKING:
    from radoscope.records.study import Cell
    from radoscope.report.material import Material
    from radoscope.run.events import Listener
    from radoscope.session.session import StudyDone
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

    material = assess(load_study(str(done.folder)))
    present(material, as_json=output.as_json)
    if output.folder:
        from radoscope.cli.report import write_report

        write_report(material, output.folder, quiet=output.as_json)
    conclude([done.folder], done.left, done.problem, caught, as_json=output.as_json, go_on=go_on)


def present(material: Material, *, as_json: bool) -> None:
    from radoscope.kinds import kind_of
    from radoscope.report.machine import study_json

    if as_json:
        click.echo(json.dumps(study_json(material), indent=1))
    else:
        kind_of(material.study).show(material)


@contextmanager
def stopping() -> Iterator[tuple[threading.Event, list[int]]]:
    """Ctrl-C and SIGTERM request an orderly end; the second one gets a message, because clean-up continues.

    The event is set then; the list holds the signals that came. An error that says "interrupted" gets the exit code of
    the signal.
    """
    stop, caught = threading.Event(), list[int]()

    def ask(number: int, _frame: object) -> None:
        words = "still cleaning up, please wait" if caught else "stopping: ending the running tools, then cleaning up"
        sys.stderr.write(f"\n{words}\n")
        caught.append(number)
        stop.set()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield stop, caught
    except RadoscopeError as error:
        if caught and error.exit_code == 128 + signal.SIGINT:
            error.exit_code = 128 + caught[0]
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def conclude(
    folders: Sequence[Path],
    left: Sequence[str],
    problem: RadoscopeError | None,
    caught: Sequence[int],
    *,
    as_json: bool,
    go_on: str = "",
) -> None:
    """Print where everything is, and exit with the code of what happened; return on success.

    folders: of the bundles. left: what could not be removed or restored. problem: what ended it early. caught: signals.
    go_on: the command that takes up again what ended early, where there is one.
    """
    for folder in folders:
        click.echo(f"Raw files: {folder}", err=as_json)
    for words in left:
        click.secho(f"Not removed or restored: {words}", fg="red", err=True)
    if left:
        click.echo("  hint: radoscope clean tries again.", err=True)
    if problem is not None:
        click.secho(f"radoscope: {problem.message}", fg="red", err=True)
        if problem.hint:
            click.echo(f"  hint: {problem.hint}", err=True)
        if go_on:
            click.echo(f"  continue: {go_on}", err=True)
        sys.exit(problem.exit_code)
    if caught:
        click.echo(f"Interrupted; everything measured is kept.{f' Continue: {go_on}' if go_on else ''}", err=True)
        sys.exit(128 + caught[0])
    if left:
        sys.exit(1)
