"""The bytes of a text that somebody hands over: a file or the standard input, within limits, and text at all."""

from __future__ import annotations

import stat
import sys
from pathlib import Path
from typing import BinaryIO

from radoscope.errors import UnreadableFile

LARGEST_BYTES = 64_000_000
"""Whole pages, mails and logs of runs are smaller; what is larger is a disk image or a device."""

_KINDS = {
    b"\x89PNG": "a picture (PNG)", b"\xff\xd8\xff": "a picture (JPEG)", b"GIF8": "a picture (GIF)",
    b"%PDF": "a PDF document", b"PK\x03\x04": "an archive or an office document (ZIP)",
    b"\x1f\x8b": "compressed (gzip)", b"\xfd7zXZ": "compressed (xz)", b"(\xb5/\xfd": "compressed (zstd)",
    b"\x7fELF": "a program", b"SQLite format 3": "a database (SQLite)",
}  # fmt: skip
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_LOOKED_AT = 4096
_HINT = "radoscope reads text; copy the text of the page, or unpack the file, and paste that."


def read_bytes(source: str) -> bytes:
    """The text of a file, or of the standard input for "-", not decoded. Raises UnreadableFile."""
    if source == "-":
        if sys.stdin is None or sys.stdin.closed:
            raise UnreadableFile("the standard input is closed", "Name a file, or pipe a text into radoscope import -.")
        raw = _limited(sys.stdin.buffer, "the standard input")
    else:
        raw = _read_file(Path(source))
    check_text(raw, "the standard input" if source == "-" else source)
    return raw


def check_text(raw: bytes, what: str) -> None:
    """Raise UnreadableFile where these bytes are not text."""
    if kind := _not_text(raw):
        raise UnreadableFile(f"{what} is {kind}", _HINT)


def _read_file(path: Path) -> bytes:
    try:
        mode = path.stat().st_mode
        # /dev/fd/63 of `radoscope import <(command)` is a pipe that somebody writes to; a named one may have nobody.
        if stat.S_ISFIFO(mode) and not str(path).startswith(("/dev/fd/", "/proc/")):
            raise UnreadableFile(f"{path} is a named pipe", f"Wait for its writer: cat {path} | radoscope import -")
        if stat.S_ISCHR(mode) or stat.S_ISBLK(mode) or stat.S_ISSOCK(mode):
            raise UnreadableFile(f"{path} is a device, not a text", "Name a text file, or - for standard input.")
        with path.open("rb") as file:
            return _limited(file, str(path))
    except OSError as error:
        raise UnreadableFile(
            f"cannot read {path}: {error.strerror}", "Name a text file that you may read, or - for standard input."
        ) from error


def _limited(file: BinaryIO, what: str) -> bytes:
    raw = file.read(LARGEST_BYTES + 1)
    if len(raw) > LARGEST_BYTES:
        raise UnreadableFile(
            f"{what} is larger than {LARGEST_BYTES // 1_000_000} MB",
            "Cut out the part with the results and import that.",
        )
    return raw


def _not_text(raw: bytes) -> str | None:
    """What the bytes are instead of a text; None for text, also for text that no reader knows."""
    if not raw.strip():
        return "empty"
    for magic, kind in _KINDS.items():
        if raw.startswith(magic):
            return kind
    head = raw[:_LOOKED_AT]
    if raw.startswith(_WIDE_MARKS) or b"\x00" not in head:
        return None
    return "binary" if head.count(0) * 300 > len(head) or sum(byte < 9 for byte in head) * 20 > len(head) else None
