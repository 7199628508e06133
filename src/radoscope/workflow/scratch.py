"""A folder of its own for as long as somebody works in it. What a killed process left is removed by the next."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

from radoscope import paths
from radoscope.errors import StoreError


@contextmanager
def scratch() -> Iterator[Path]:
    """An empty folder, within. Raises StoreError where none can be made."""
    try:
        paths.scratch().mkdir(parents=True, exist_ok=True)
        with _held(paths.scratch()):
            for old in deserted():
                shutil.rmtree(old, ignore_errors=True)
            folder = Path(mkdtemp(dir=paths.scratch()))
            ours = _hold(folder)
    except OSError as error:
        raise StoreError(f"cannot write below {paths.scratch()}: {error.strerror}", "Is the disk full?") from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(ours)


def deserted() -> tuple[Path, ...]:
    """Folders of processes that are gone: the system has released their locks."""
    found = []
    for folder in paths.scratch().glob("*"):
        with suppress(OSError):
            os.close(_hold(folder, fcntl.LOCK_NB))
            found.append(folder)
    return tuple(found)


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    lock = _hold(folder)
    try:
        yield
    finally:
        os.close(lock)


def _hold(folder: Path, how: int = 0) -> int:
    """Raises OSError where another has it and `how` forbids to wait."""
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | how)
    except OSError:
        os.close(lock)
        raise
    return lock
