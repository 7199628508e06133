"""Looks at a cluster that is being disturbed: several times a second, in a thread of its own, whatever it answers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from radoscope.errors import RadoscopeError
from radoscope.records import health
from radoscope.records.telemetry import (
    ANSWERED,
    DEGRADED_OBJECTS,
    HEALTHY,
    MISPLACED_OBJECTS,
    OSDS_UP,
    PG_NOT_CLEAN,
    RECOVERING_BYTES,
    WHOLE,
    as_series,
)
from radoscope.run.clock import now_s

PERIOD_S = 0.25


class Looks:
    """Asks `status` between start() and stop(), and keeps what it saw. ask: a monitor command -> its answer."""

    def __init__(self, ask: Callable[[str], Any]) -> None:
        self._ask = ask
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="looks", daemon=True)
        self._notes: list[dict[str, float]] = []

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._end.set()
        self._thread.join(timeout=30)

    def whole_since(self) -> float | None:
        """Since when every sample has shown the cluster healthy, Unix time; None while it is not."""
        since = None
        for note in reversed(self._notes):
            if note[WHOLE.name] < 1:
                break
            since = note["time_s"]
        return since

    def series(self) -> list[dict[str, Any]]:
        """What it saw, as the series of a telemetry file. A sample without an answer is "answered" 0, not healthy."""
        names = list(dict.fromkeys(name for note in self._notes for name in note if name != "time_s"))
        return [
            as_series(name, [(note["time_s"], note[name]) for note in self._notes if name in note]) for name in names
        ]

    def _watch(self) -> None:
        while not self._end.wait(PERIOD_S):
            at = now_s()
            try:
                status = self._ask("status")
            except RadoscopeError:
                self._notes.append({"time_s": at, ANSWERED.name: 0.0, WHOLE.name: 0.0})
            else:
                self._notes.append({"time_s": at, ANSWERED.name: 1.0, **_seen(status)})


def _seen(status: dict[str, Any]) -> dict[str, float]:
    groups, osds = status.get("pgmap", {}), status.get("osdmap", {})
    states = {state["state_name"]: state["count"] for state in groups.get("pgs_by_state", [])}
    # "snaptrim" and "scrubbing" take no copy away; "remapped" does: those groups are on their way elsewhere.
    clean = sum(count for name, count in states.items() if name.startswith("active+clean") and "remapped" not in name)
    # A monitor without a quorum tells of the last state that it knew.
    healthy = not health.amiss(status) and bool(status.get("quorum_names", True))
    all_up = osds.get("num_up_osds", 0) == osds.get("num_osds", -1)
    not_clean = groups.get("num_pgs", 0) - clean
    return {
        WHOLE.name: float(healthy and all_up and not_clean == 0),
        HEALTHY.name: float(healthy),
        OSDS_UP.name: float(osds.get("num_up_osds", 0)),
        PG_NOT_CLEAN.name: float(not_clean),
        DEGRADED_OBJECTS.name: float(groups.get("degraded_objects", 0)),
        MISPLACED_OBJECTS.name: float(groups.get("misplaced_objects", 0)),
        RECOVERING_BYTES.name: float(groups.get("recovering_bytes_per_sec", 0)),
    }
