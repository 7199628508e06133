"""Looks at a cluster that is being disturbed: several times a second, in a thread of its own, whatever it answers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from radoscope.errors import RadoscopeError
from radoscope.run.clock import now_s

PERIOD_S = 0.25
_UNITS = {"recovering_bytes_per_s": "bytes/s"}


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
        """Since when every look has seen the cluster whole, Unix time; None while it is not."""
        since = None
        for note in reversed(self._notes):
            if note["whole"] < 1:
                break
            since = note["time_s"]
        return since

    def series(self) -> list[dict[str, Any]]:
        """What it saw, as the series of a telemetry file. A look without an answer is "answered" 0, and not whole."""
        names = list(dict.fromkeys(name for note in self._notes for name in note if name != "time_s"))
        return [
            {
                "name": name,
                "unit": _UNITS.get(name, "1"),
                "times_s": [note["time_s"] for note in self._notes if name in note],
                "values": [note[name] for note in self._notes if name in note],
            }
            for name in names
        ]

    def _watch(self) -> None:
        while not self._end.wait(PERIOD_S):
            at = now_s()
            try:
                status = self._ask("status")
            except RadoscopeError:
                self._notes.append({"time_s": at, "answered": 0.0, "whole": 0.0})
            else:
                self._notes.append({"time_s": at, "answered": 1.0, **_seen(status)})


def _seen(status: dict[str, Any]) -> dict[str, float]:
    groups, osds = status.get("pgmap", {}), status.get("osdmap", {})
    states = {state["state_name"]: state["count"] for state in groups.get("pgs_by_state", [])}
    # "snaptrim" and "scrubbing" take no copy away; "remapped" does: those groups are on their way elsewhere.
    clean = sum(count for name, count in states.items() if name.startswith("active+clean") and "remapped" not in name)
    # A monitor without a quorum tells of the last state that it knew.
    healthy = status.get("health", {}).get("status") == "HEALTH_OK" and bool(status.get("quorum_names", True))
    all_up = osds.get("num_up_osds", 0) == osds.get("num_osds", -1)
    not_clean = groups.get("num_pgs", 0) - clean
    return {
        "whole": float(healthy and all_up and not_clean == 0),
        "healthy": float(healthy),
        "osds_up": float(osds.get("num_up_osds", 0)),
        "pg_not_clean": float(not_clean),
        "degraded_objects": float(groups.get("degraded_objects", 0)),
        "misplaced_objects": float(groups.get("misplaced_objects", 0)),
        "recovering_bytes_per_s": float(groups.get("recovering_bytes_per_sec", 0)),
    }
