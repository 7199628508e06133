"""`radoscope show` a second time: what it printed before, where nothing has changed since."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from radoscope.workflow import kept

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
