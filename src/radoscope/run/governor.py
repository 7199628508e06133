"""Watches a cluster while it is being loaded, and ends the load when it does harm or when something else begins.

One question to the monitors every second over a standing connection: a few milliseconds of CPU.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from radoscope.errors import RadoscopeError, SiteError
from radoscope.records import health
from radoscope.records.study import STOPPED
from radoscope.records.telemetry import PG_NOT_CLEAN, RECOVERY_OPS, SCRUBBING_PGS, SLOW_OPS, as_series
from radoscope.run.clock import now_s

_PERIOD_S = 1.0
# One look may fall on a passing state: an OSD that is added counts as in for a moment before it is up.
_LOOKS_IN_A_ROW = 2
# Silence for this long means that the quorum is gone. When the leader is cut off, the others wait for 10 s
# (mon_lease_ack_timeout), elect for up to 5 s, and meanwhile answer nobody, or without a quorum.
_SILENCE_S = 20.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What ends the load. foreign: a cluster that others use: slow operations and degraded groups end it too."""

    foreign: bool
    allow_unhealthy: bool = False


class Governor:
    """A thread that asks `status` and sets `stop` with a reason. trouble: the reason, None without trouble.

    silent: it ended the load because nobody answers.
    """

    def __init__(self, ask: Callable[[str], Any], limits: Limits, stop: threading.Event) -> None:
        self._limits, self._stop = limits, stop
        self.ask = ask
        self._end = threading.Event()
        self._expected = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="governor", daemon=True)
        self.trouble: SiteError | None = None
        self.silent = False
        self._notes: list[dict[str, Any]] = []

    def __enter__(self) -> Governor:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join(timeout=30)

    def seen_between(self, begin_s: float, end_s: float) -> list[dict[str, Any]]:
        """What it saw in a span of Unix time, as series: groups not clean, scrubs, recovery, slow operations."""
        looks = [note for note in self._notes if begin_s <= note["time_s"] <= end_s]
        names = [name for name in (looks[0] if looks else {}) if name != "time_s"]
        return [as_series(name, [(look["time_s"], look[name]) for look in looks]) for name in names]

    @contextmanager
    def expecting(self) -> Iterator[None]:
        """Within, nothing that it sees ends the load: a setting is being changed, and groups or OSDs may come and go.

        Whoever changes it waits for active+clean before leaving.
        """
        self._expected.set()
        try:
            yield
        finally:
            self._expected.clear()

    def end(self, words: str) -> None:
        """End the load for this reason."""
        self.trouble = SiteError(
            f"{STOPPED}{words}",
            "Everything measured so far is kept. Resume or start again when the cluster is healthy.",
        )
        self._stop.set()

    def _watch(self) -> None:
        heard, harmful = time.monotonic(), 0
        while not self._end.wait(_PERIOD_S):
            try:
                status = self.ask("status")
                check_quorum(status)
                heard = time.monotonic()
                self._notes.append(_note(status))
                words = harm_in(status, self._limits)
                harmful = harmful + 1 if words and not self._expected.is_set() else 0
            except RadoscopeError as error:
                if time.monotonic() - heard <= _SILENCE_S:
                    continue
                words, harmful = f"the monitors do not answer: {error.message}", _LOOKS_IN_A_ROW
                self.silent = not self._expected.is_set()
            if harmful >= _LOOKS_IN_A_ROW and not self._expected.is_set():
                self.end(words)
                return


def check_quorum(status: dict[str, Any]) -> None:
    """Raise SiteError when the answer is that of a monitor without a quorum.

    Such a monitor goes on to tell of the last state that it knew, HEALTH_OK and all; seen with Ceph 16.2.15.
    """
    if not status.get("quorum_names", True):
        raise SiteError("the monitors have no quorum", "See which monitors run: `ceph tell mon.* mon_status`.")


def harm_in(status: dict[str, Any], limits: Limits) -> str:
    """The reason to end the load, or an empty text."""
    if limits.allow_unhealthy:
        return ""
    osds = status.get("osdmap", {})
    checks = {check.code: check for check in health.checks_of(status)}
    harmful = [check for check in checks.values() if check.refuses]
    if harmful and status.get("health", {}).get("status") == "HEALTH_ERR":
        return f"the cluster is HEALTH_ERR: {_named(harmful)}"
    if osds.get("num_up_osds", 0) < osds.get("num_in_osds", 0):
        return f"{osds['num_in_osds'] - osds['num_up_osds']} of {osds['num_in_osds']} OSDs are down"
    full = [check for check in harmful if "FULL" in check.code]
    if full:
        return f"the cluster fills up: {_named(full)}"
    if limits.foreign and "SLOW_OPS" in checks:
        return f"operations of the cluster became slow: {_named([checks['SLOW_OPS']])}"
    if limits.foreign and status.get("pgmap", {}).get("degraded_objects"):
        return "objects are degraded: recovery comes first"
    return ""


def _note(status: dict[str, Any]) -> dict[str, Any]:
    """One look, as series: groups that are not clean, that scrub, and recovery."""
    groups = status.get("pgmap", {})
    states = {state["state_name"]: state["count"] for state in groups.get("pgs_by_state", [])}
    slow = status.get("health", {}).get("checks", {}).get("SLOW_OPS", {}).get("summary", {}).get("count", 0)
    return {
        "time_s": now_s(),
        PG_NOT_CLEAN.name: health.unclean_groups(status),
        SCRUBBING_PGS.name: sum(count for name, count in states.items() if "scrubbing" in name),
        RECOVERY_OPS.name: groups.get("recovering_objects_per_sec", 0),
        SLOW_OPS.name: slow,
    }


def _named(checks: list[health.Judgement]) -> str:
    return "; ".join(str(check) for check in checks)
