"""How a run on a cluster is asked to end, and how its verb ends: where everything is, what is left, which exit code."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from radoscope.errors import RadoscopeError


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
