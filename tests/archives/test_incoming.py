"""What is no text, too large or out of reach is refused in words, and soon."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from radoscope.archives import incoming
from radoscope.archives.incoming import read_bytes
from radoscope.errors import UnreadableFile


def refused(source: str | Path) -> str:
    with pytest.raises(UnreadableFile) as caught:
        read_bytes(str(source))
    return f"{caught.value.message} {caught.value.hint}"


def test_a_device_without_end_is_refused() -> None:
    assert "is a device" in refused("/dev/zero")


def test_a_named_pipe_without_a_writer_does_not_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "named pipe" in refused(tmp_path / "pipe")


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "is empty"), (b" \n\n", "is empty"), (b"\x89PNG\r\n\x1a\n" + bytes(99), "picture (PNG)"),
        (b"\xff\xd8\xff\xe0abc", "picture (JPEG)"),
        (b"%PDF-1.7 ...", "PDF"), (b"\x1f\x8b\x08\x00", "gzip"), (bytes(range(256)) * 40, "binary"),
    ],
)  # fmt: skip
def test_what_is_no_text_is_named(tmp_path: Path, raw: bytes, words: str) -> None:
    (tmp_path / "file").write_bytes(raw)
    assert words in refused(tmp_path / "file")


def test_a_text_of_windows_is_no_binary(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes("IOPS 1000".encode("utf-16"))
    assert read_bytes(str(tmp_path / "file"))


def test_more_than_a_page_can_hold_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incoming, "LARGEST_BYTES", 1_000_000)
    with (tmp_path / "large").open("wb") as file:
        file.truncate(1_000_001)
    assert "larger than 1 MB" in refused(tmp_path / "large")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("IOPS")
    (tmp_path / "file").chmod(0)
    assert "Permission denied" in refused(tmp_path / "file")


def test_a_closed_standard_input_is_a_sentence_and_no_traceback() -> None:
    command = f'exec "{sys.executable}" -m radoscope import - --json <&-'
    ended = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode != 0
    assert "standard input is closed" in ended.stderr
    assert "Traceback" not in ended.stderr
