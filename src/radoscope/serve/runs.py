"""What the pages start: radoscope's own command line, in a process that outlives browser and server.

Each has a file with its words and one with its output, so that a server which was started anew still finds it. It is
ended by SIGINT alone, as Ctrl-C does, and then cleans up as it does there.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from radoscope import paths
from radoscope.errors import StoreError
from radoscope.run.journal import journals, start_of
from radoscope.words import _

_MOST = 100
"""Older ones that have ended are forgotten; their studies stay."""
_LONGEST_LOG = 4_000_000
_KEPT_IN = re.compile(r"^Raw files: (.+)$", re.MULTILINE)
_NAME = re.compile(r"[0-9a-f]{12}")
_children: dict[int, subprocess.Popen[bytes]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchedRun:
    """words: after `radoscope`. about: what it is for, as "study" or "lab:NAME". pid_started: names the process for
    good, because pids are reused."""

    name: str
    words: tuple[str, ...]
    about: str
    begun_at_s: float
    pid: int
    pid_started: str | None

    @property
    def running(self) -> bool:
        child = _children.get(self.pid)
        if child is not None and child.poll() is not None:  # asked here, so that no zombie is left
            return False
        return self.pid_started is not None and start_of(self.pid) == self.pid_started

    @property
    def log(self) -> Path:
        return paths.served() / f"{self.name}.log"

    def said(self, since: int = 0) -> tuple[str, int]:
        """(what it printed since that byte, where that ends): whole lines while it runs."""
        try:
            with self.log.open("rb") as file:
                file.seek(since)
                raw = file.read(_LONGEST_LOG)
        except OSError:
            return "", since
        if self.running:
            raw = raw[: raw.rfind(b"\n") + 1]
        return raw.decode("utf-8", "replace"), since + len(raw)

    def study(self) -> str | None:
        """The id of the study that it measures or has measured, once it is known. Kept as soon as somebody looks: one
        that is interrupted at its very end no longer says where its raw files are."""
        kept = paths.served() / f"{self.name}.study"
        with suppress(OSError):
            return kept.read_text(encoding="utf-8")
        for journal in journals():
            if journal.owner() == self.pid and self.running:
                with suppress(OSError):
                    kept.write_text(journal.run_id, encoding="utf-8")
                return journal.run_id
        found = _KEPT_IN.findall(self.said()[0])
        return Path(found[-1]).name if found else None

    def stop(self) -> None:
        """Ask it to end in order: what was measured is kept, what was made is removed."""
        if self.running:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGINT)


def start(words: Sequence[str], about: str) -> LaunchedRun:
    """Raises StoreError where its output cannot be kept."""
    name = secrets.token_hex(6)
    _forget_old()
    try:
        paths.served().mkdir(parents=True, exist_ok=True)
        with (paths.served() / f"{name}.log").open("wb") as log:
            child = subprocess.Popen(
                [sys.executable, "-m", "radoscope", *words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C of the server's terminal is none of its business
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        _children[child.pid] = child
        run = LaunchedRun(
            name=name,
            words=tuple(words),
            about=about,
            begun_at_s=time.time(),
            pid=child.pid,
            pid_started=start_of(child.pid),
        )
        (paths.served() / f"{name}.json").write_text(json.dumps(asdict(run)), encoding="utf-8")
    except OSError as error:
        raise StoreError(
            _("cannot write below {folder}: {reason}", folder=paths.served(), reason=error.strerror),
            _("Is the disk full?"),
        ) from None
    return run


def find(name: str) -> LaunchedRun | None:
    if not _NAME.fullmatch(name):
        return None
    try:
        kept = json.loads((paths.served() / f"{name}.json").read_bytes())
        return LaunchedRun(**{**kept, "words": tuple(kept["words"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def runs(about: str = "") -> list[LaunchedRun]:
    """Those that the pages started, the newest first. about: only these, or those that begin so."""
    found = (find(path.stem) for path in paths.served().glob("*.json"))
    return sorted((one for one in found if one and one.about.startswith(about)), key=lambda one: -one.begun_at_s)


def run_of(study: str) -> LaunchedRun | None:
    """The run that measures this study now, if a page started it."""
    return next((one for one in runs("study") if one.running and one.study() == study), None)


def _forget_old() -> None:
    for old in runs()[_MOST:]:
        if not old.running:
            for suffix in (".json", ".log", ".study"):
                (paths.served() / f"{old.name}{suffix}").unlink(missing_ok=True)
