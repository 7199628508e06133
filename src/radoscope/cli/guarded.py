"""Standard output and error that cannot stop a run: progress that nobody can read must not stop the clean-up."""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class _Guarded(io.FileIO):
    """A descriptor that drops what is written to it once a write has failed. failure: why, None while all is well.

    Seen: EIO of a terminal whose other end is closed, EPIPE of a pipe, ENOSPC of a full disk.
    """

    failure: OSError | None = None

    def write(self, data: ReadableBuffer, /) -> int:
        left = memoryview(data).cast("B")
        size = len(left)
        while left and self.failure is None:
            try:
                left = left[super().write(left) or 0 :]
            except OSError as error:
                self.failure = error
        return size


@dataclass(frozen=True, slots=True)
class Streams:
    """The guarded descriptors; None where a stream is something else, as in a test."""

    out: _Guarded | None
    err: _Guarded | None

    def exit_code(self, code: int) -> int:
        """That of the run, unless its results could not be written: 141 as for any tool whose reader goes away."""
        failure = self.out.failure if self.out else None
        if failure is None or code != 0:
            return code
        if failure.errno == errno.EPIPE:
            return 141
        sys.stderr.write(f"radoscope: standard output cannot be written: {failure.strerror}\n")
        return 1


@contextmanager
def guarded() -> Iterator[Streams]:
    """Within, nothing that is written to standard output or error raises."""
    out, err = sys.stdout, sys.stderr
    sys.stdout, guarded_out = _stream(out, buffered=True)
    # Signal handlers write to it too, and a buffer that is being written to cannot be entered again.
    sys.stderr, guarded_err = _stream(err, buffered=False)
    try:
        yield Streams(guarded_out, guarded_err)
    finally:
        sys.stdout.flush()
        sys.stdout, sys.stderr = out, err


def _stream(stream: TextIO, *, buffered: bool) -> tuple[TextIO, _Guarded | None]:
    """The same stream with a guarded descriptor, where it has one."""
    with suppress(OSError, AttributeError, ValueError):
        stream.flush()
        raw = _Guarded(stream.fileno(), "wb", closefd=False)
        text = io.TextIOWrapper(
            io.BufferedWriter(raw) if buffered else raw,  # text needs no more than a raw file has
            encoding=stream.encoding,
            errors=stream.errors,
            line_buffering=stream.isatty(),
            write_through=not buffered,
        )
        return text, raw
    return stream, None
