"""What `radoscope show` printed, kept: to print it again nothing is read or computed, and nothing heavy is loaded."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from radoscope import __version__, paths
from radoscope.words import reader

_MOST = 200
_DRAWN_BY = ("TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "TTY_COMPATIBLE", "TTY_INTERACTIVE")


def shown(folder: Path, options: str, show: Callable[[], None]) -> None:
    """Print what `show` prints of the bundle in `folder`: what it printed before, where nothing has changed since.

    The bundle's files, radoscope's own, the language and the terminal decide. Where nothing can be kept it is printed
    all the same.
    """
    kept = paths.shown() / f"{_key(folder, options)}.txt"
    try:
        text = kept.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        _keep(kept, _recorded(show))
        return
    sys.stdout.write(text)
    with suppress(OSError):
        os.utime(kept)  # the newest are those that are looked at


def _key(folder: Path, options: str) -> str:
    terminal = f"{sys.stdout.isatty()} {shutil.get_terminal_size().columns} {sys.stdout.encoding}"
    drawn = [f"{name}={os.environ.get(name)}" for name in _DRAWN_BY]
    words = [str(folder.resolve()), options, reader(), terminal, *drawn, __version__]
    digest = hashlib.sha256("\0".join(words).encode("utf-8", "surrogateescape"))
    for place in (folder, Path(__file__).parents[1]):
        for stamp in sorted(_stamps(place)):
            digest.update(stamp.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:40]


def _stamps(folder: Path) -> Iterator[str]:
    """Each file with its size and the time of its last change; caches of Python are none of the program."""
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            with suppress(OSError):
                state = Path(parent, name).stat()
                yield f"{parent}/{name}\0{state.st_size}\0{state.st_mtime_ns}\n"


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


def _keep(file: Path, text: str) -> None:
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_suffix(f".{os.getpid()}")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(file)
        for old in sorted(file.parent.glob("*.txt"), key=lambda one: one.stat().st_mtime)[:-_MOST]:
            old.unlink(missing_ok=True)
