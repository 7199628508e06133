"""What a bundle holds: written by `run`, read by `archives`. Plain values that go to JSON and come back the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from radoscope.records.study import Cell, Outcome

if TYPE_CHECKING:
    from pydantic import TypeAdapter

MANIFEST = "manifest.json"

OWN_SANDBOX = "study-"
"""How the names of sandboxes begin that a study starts for itself and removes at its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessEntry:
    """One client process of a segment. reader: the format that reads `output`. Paths are relative to the bundle.

    exit_code: None where the process could not be started; negative: ended by that signal. host: where it ran.
    towards: the host that it asked, where several were asked side by side.
    begun_at_s: when it began, by the clock of the study's host, which all series are brought to. clock_ahead_s: how far
    the clock with which the tool stamps its log was ahead of that.
    """

    argv: tuple[str, ...]
    reader: str
    output: str
    stdout: str
    stderr: str
    logs: tuple[str, ...] = ()
    exit_code: int | None = None
    host: str = ""
    towards: str = ""
    begun_at_s: float | None = None
    clock_ahead_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentEntry:
    """One segment as it was run. telemetry: a file of series taken around it, relative to the bundle.

    disturbed: what others did to the host meanwhile, by a rule that knows no result; empty where nothing.
    """

    cell: str
    round: int
    outcome: Outcome
    started_at_s: float
    seconds: float
    processes: tuple[ProcessEntry, ...] = ()
    problem: str = ""
    host_speed: float | None = None
    telemetry: str | None = None
    disturbed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """A whole study. plan: the plan as it was run, with every value. captures: name -> raw file of the environment.

    clients: the client hosts as the user named them; at: the way to the cluster, likewise. said: what the user said of
    the cluster, for those who go on; None where nobody can, as with one side of an experiment. rehearses: the id of the
    study whose recorded segments these are; then nothing was measured.
    """

    id: str
    plan: Mapping[str, Any]
    target: str
    created_at_s: float
    cells: tuple[Cell, ...]
    radoscope_version: str
    kind: str = "study"
    version: int = 1
    sandbox: str | None = None
    segments: tuple[SegmentEntry, ...] = ()
    captures: Mapping[str, str] = field(default_factory=dict)
    complete: bool = False
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    clients: tuple[str, ...] = ()
    at: str = ""
    said: Mapping[str, Any] | None = None
    rehearses: str = ""


@cache
def as_json() -> TypeAdapter[Manifest]:
    """Reads and writes it. Made once: that takes longer than to write a manifest, which is done after every segment."""
    from pydantic import TypeAdapter  # start-up time: --help must not load pydantic

    return TypeAdapter(Manifest)
