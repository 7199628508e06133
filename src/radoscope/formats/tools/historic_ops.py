"""`ceph tell osd.N dump_historic_ops_by_duration` -> an OSD's slowest operations, and where each one's time passed.

Source: the events that OSDs mark (src/osd/OpRequest.h, PrimaryLogPG.cc), by Ceph 16, 18 and 20 alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from radoscope.records.telemetry import SlowOp

_ENDS = (
    ("queued_for_pg", "arrival"),
    ("reached_pg", "queue"),
    ("waiting for subops", "preparation"),
    ("op_commit", "own store"),
    ("sub_op_commit_rec", "replicas"),
    ("sub_op_applied_rec", "replicas"),
    ("commit_sent", "own store"),
    ("done", "own store"),
)
"""Events, by how they begin -> the stretch that ends with them."""


def read(kept: Mapping[str, Sequence[Mapping[str, Any]]]) -> tuple[SlowOp, ...]:
    """OSD -> its operations as `run.telemetry` kept them. Raises KeyError, ValueError or TypeError for other values."""
    return tuple(
        SlowOp(
            osd=int(osd),
            replica=op["kind"] == "osd_repop",
            at_s=_seconds(op["initiated_at"]),
            seconds=float(op["duration"]),
            stretches=_added_up(_stretches(op["initiated_at"], op["events"])),
        )
        for osd, ops in kept.items()
        for op in ops
    )


def _stretches(begun: str, events: Sequence[Sequence[str]]) -> Iterator[tuple[str, float]]:
    """(stretch, seconds) from each event that ends one to the next; a wait that the OSD names stands for itself.

    Stores work side by side: what passes until the OSD's own has committed is its own, the replicas' is what they add.
    """
    last, own = _seconds(begun), max((at for at, (event, _) in enumerate(events) if event == "op_commit"), default=-1)
    for number, (event, time) in enumerate(events):
        if number < own and event.startswith("sub_op_"):
            continue
        if (name := _stretch_of(event)) is not None:
            at = _seconds(time)
            yield name, max(0.0, at - last)
            last = at


@lru_cache(maxsize=256)  # a study has thousands of events and few names
def _stretch_of(event: str) -> str | None:
    """What ends with the event; a wait's own name; None for an event that ends nothing."""
    if event.startswith(("waiting for ", "delayed ")) and not event.startswith("waiting for subops"):
        return event
    return next((stretch for start, stretch in _ENDS if event.startswith(start)), None)


def _added_up(stretches: Iterator[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    found: dict[str, float] = {}
    for name, seconds in stretches:
        found[name] = found.get(name, 0.0) + seconds
    return tuple(found.items())


def _seconds(stamp: str) -> float:
    """Unix time of "2026-11-22T20:15:00.123456+0000"."""
    return datetime.fromisoformat(stamp).timestamp()
