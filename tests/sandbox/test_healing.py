"""When healing ends."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from radoscope.ceph import Connection
from radoscope.sandbox import faults, registry
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.spec import SandboxSpec

SLOW = {"SLOW_OPS": {"severity": "HEALTH_WARN", "summary": {"message": "253 slow ops, mon.a has slow ops"}}}


class Monitors:
    """They answer once a second of their own clock: healthy, then slow from the third to the seventh, then healthy."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def ask(self, _prefix: str) -> dict[str, Any]:
        self.now_s += 1.0
        slow = 3 <= self.now_s <= 7
        return {
            "health": {"status": "HEALTH_WARN" if slow else "HEALTH_OK", "checks": SLOW if slow else {}},
            "osdmap": {"num_up_osds": 1, "num_osds": 1},
            "quorum_names": ["a"],
            "pgmap": {},
        }


@pytest.mark.parametrize(("without_quorum", "ends_s"), [(True, 8.0), (False, 1.0)])
def test_after_a_lost_quorum_healing_outlasts_what_waited_for_it(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    without_quorum: bool,
    ends_s: float,
) -> None:
    """Monitors tell of it with their next look, when all seems well: a study right then would be refused."""
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path))
    sandbox = registry.claim(SandboxSpec(name="one", osds=1, size=1))
    request.addfinalizer(lambda: registry.forget(sandbox.label, sandbox.run_dir))
    monitors = Monitors()

    class ByTheirClock:
        def __init__(self, seconds: float) -> None:
            self._end_s = monitors.now_s + seconds

        @property
        def left_s(self) -> float:
            return self._end_s - monitors.now_s

        @property
        def passed(self) -> bool:
            return self.left_s <= 0

    def until(_sandbox: Sandbox, ask: Callable[[Connection], Any], what: str, within_s: float = 0.0) -> None:
        begun = time.monotonic()
        while what == "HEALTH_OK" and not ask(cast(Connection, monitors)):
            assert time.monotonic() - begun < 60

    monkeypatch.setattr(faults, "Deadline", ByTheirClock)
    monkeypatch.setattr(faults, "_until", until)
    monkeypatch.setattr(faults, "start_missing", lambda _sandbox: ())
    monkeypatch.setattr(faults, "_lost_quorum", lambda _sandbox: "no quorum" if without_quorum else "")
    assert faults.heal(sandbox).text == "HEALTH_OK"
    assert monitors.now_s == ends_s
