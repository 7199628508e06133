"""What was created and is not yet removed, on disk before it exists.

One file a run, one JSON line an act, synced: {"act": "create", "kind": ..., ...} before the thing is made, {"act":
"removed", ...} after it is gone. A run that ends well deletes its file; what a dead run left is in the files whose
owner no longer lives.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from radoscope import paths
from radoscope.errors import StoreError


@dataclass(frozen=True, slots=True)
class Entry:
    """A thing that was made, or a state to be left again.

    kind: pool, crush-rule, user, subvolume, s3-user, image, objects, file, folder, remote-folder, container, pod,
    processes, sandbox, state or fault.
    """

    kind: str
    name: str
    details: Mapping[str, Any] = field(default_factory=dict)


class Journal:
    """The journal of one run, open for appending."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._gone: set[tuple[str, str]] = set()

    @classmethod
    def of(cls, run_id: str) -> Journal:
        """The journal of a run, whether there is one or not."""
        return cls(paths.journal() / f"{run_id}.jsonl")

    @classmethod
    def begin(cls, run_id: str) -> Journal:
        """Create the journal of a run that this process owns. Raises StoreError."""
        journal = cls.of(run_id)
        try:
            journal.path.parent.mkdir(parents=True, exist_ok=True)
            this = {"pid": os.getpid(), "pid_started": start_of(os.getpid())}
            journal._append({"act": "begin", "run": run_id, "host": socket.gethostname(), **this})
        except OSError as error:
            raise StoreError(
                f"cannot write the journal {journal.path}: {error.strerror}",
                "radoscope creates nothing that it could not remove. Free space, or set RADOSCOPE_HOME.",
            ) from None
        return journal

    def will_create(self, entry: Entry) -> None:
        """Must be called before the thing is made. Raises StoreError when the line cannot be kept."""
        self._gone.discard((entry.kind, entry.name))
        try:
            self._append({"act": "create", "kind": entry.kind, "name": entry.name, **entry.details})
        except OSError as error:
            raise StoreError(f"cannot write the journal {self.path}: {error.strerror}", "Is the disk full?") from None

    def removed(self, entry: Entry) -> None:
        """On a full disk the line is lost; then a later clean-up looks for the thing again, and finds nothing."""
        self._gone.add((entry.kind, entry.name))
        with suppress(OSError):
            self._append({"act": "removed", "kind": entry.kind, "name": entry.name})

    @property
    def run_id(self) -> str:
        return self.path.stem

    @property
    def events(self) -> Path:
        """What the run tells while it goes on, one JSON line an event, for those who watch it from elsewhere."""
        return self.path.with_suffix(".events")

    def quiet_s(self) -> float:
        """For how long nothing was written to it; 0 if unknown."""
        with suppress(OSError):
            return max(0.0, time.time() - self.path.stat().st_mtime)
        return 0.0

    def end(self) -> None:
        """Nothing is left: forget."""
        self.path.unlink(missing_ok=True)
        self.events.unlink(missing_ok=True)

    def standing(self) -> tuple[Entry, ...]:
        """What was made and is not yet removed, the newest first, as it must be taken down."""
        made: dict[tuple[str, str], Entry] = {}
        for line in self._lines():
            key = (str(line.get("kind")), str(line.get("name")))
            if line.get("act") == "create":
                details = {name: value for name, value in line.items() if name not in ("act", "kind", "name")}
                made[key] = Entry(*key, details)
            elif line.get("act") == "removed":
                made.pop(key, None)
        return tuple(entry for key, entry in reversed(made.items()) if key not in self._gone)

    def owner(self) -> int | None:
        """The process that began this journal, if it still runs on this host."""
        first = next(self._lines(), {})
        pid, started = first.get("pid"), first.get("pid_started")
        return pid if isinstance(pid, int) and started is not None and start_of(pid) == started else None

    def owner_lives(self) -> bool:
        return self.owner() is not None

    def _lines(self) -> Iterator[dict[str, Any]]:
        try:
            text = self.path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return
        for line in text.splitlines():
            try:
                value = json.loads(line)
            except ValueError:
                continue  # the last line of a machine that lost power: its thing was not made yet
            if isinstance(value, dict):
                yield value

    def _append(self, line: Mapping[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())


def journals() -> tuple[Journal, ...]:
    """All journals on this host, the oldest first."""
    try:
        found = sorted(paths.journal().glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
    except OSError:
        return ()
    return tuple(Journal(path) for path in found)


def running_now() -> frozenset[str]:
    """The runs on this host whose process lives."""
    return frozenset(journal.run_id for journal in journals() if journal.owner_lives())


def check_not_running(studies: Iterable[str]) -> None:
    """Raises StoreError when one of these studies is being measured at this moment."""
    for study in studies:
        # State B of an experiment has a bundle of its own, and no journal: one run measures both.
        if Journal.of(study.removesuffix("-b")).owner_lives():
            raise StoreError(f"study {study} is running", "Wait until it ends, or press Ctrl-C there.")


def start_of(pid: int) -> str | None:
    """Boot id and start time of a process: together they name it for good, because pids are reused."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] == "Z" else f"{boot}/{fields[19]}"
