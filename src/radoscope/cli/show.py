"""radoscope show: a study's verdict on the terminal."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import click

from radoscope.cli.next_steps import complete_study
from radoscope.workflow import kept

# The stages are imported within the function: --help needs none of them.


@click.command()
@click.argument("study", default="last", shell_complete=complete_study)
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.option("--anonymous", is_flag=True, help="Replace names of hosts, pools ..., addresses, fsid and paths.")
def command(study: str, as_json: bool, anonymous: bool) -> None:
    """Show a study: the verdict table on the terminal.

    STUDY is an id, the beginning of one, a path, or "last" for the newest.
    """
    from radoscope.workflow import study_folder

    folder = study_folder(study)
    shown(folder, f"{as_json} {anonymous}", lambda: _show(folder, as_json, anonymous))


def _show(folder: Path, as_json: bool, anonymous: bool) -> None:
    from radoscope.cli.measuring import present
    from radoscope.workflow import assess, load_study

    present(assess(load_study(str(folder), anonymous=anonymous)), as_json=as_json)


_DRAWN_BY = ("TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "TTY_COMPATIBLE", "TTY_INTERACTIVE")


def shown(folder: Path, options: str, show: Callable[[], None]) -> None:
    """Print what `show` prints of the bundle in `folder`, for a terminal like this one."""
    terminal = f"{sys.stdout.isatty()} {shutil.get_terminal_size().columns} {sys.stdout.encoding}"
    drawn = [f"{name}={os.environ.get(name)}" for name in _DRAWN_BY]
    place = kept.place_of(folder, options, terminal, *drawn)
    text = kept.recall(place)
    if text is None:
        kept.keep(place, _recorded(show))
    else:
        sys.stdout.write(text)


def _recorded(show: Callable[[], None]) -> str:
    before = sys.stdout
    tee = _Tee(before)
    sys.stdout = tee
    try:
        show()
    finally:
        sys.stdout = before
    return tee.copy.getvalue()


class _Tee(io.TextIOBase):
    """Writes through, and keeps a copy; in all else it is the stream behind it."""

    def __init__(self, stream: io.TextIOBase | object) -> None:
        self._stream: io.TextIOBase = stream  # type: ignore[assignment]
        self.copy = io.StringIO()

    def write(self, text: str) -> int:
        self.copy.write(text)
        return self._stream.write(text)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._stream.encoding
