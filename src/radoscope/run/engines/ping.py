"""ping: the round trip, small, and at 8000 bytes with fragmentation forbidden; to several hosts side by side."""

from __future__ import annotations

from pathlib import Path

from radoscope.plan.expand import Trial
from radoscope.run.prepared import LoadCommand, Prepared

TOOLS = ("ping", "jumbo-ping")
GRACE_S = 20.0
_INTERVAL_S = 0.01  # the shortest that ping allows a user who is not root is 2 ms
_LONGEST_S = 2.0
_PAYLOAD = 8000
JUMBO = _PAYLOAD + 28
"""The MTU that a jumbo ping needs, its headers included."""


def commands(trial: Trial, prepared: Prepared, folder: Path) -> tuple[LoadCommand, ...]:
    count = max(20, round(min(trial.seconds, _LONGEST_S) / _INTERVAL_S))
    argv = ["ping", "-n", "-i", str(_INTERVAL_S), "-c", str(count), "-w", "10"]
    if trial.cell.conditions.tool == "jumbo-ping":
        argv += ["-M", "do", "-s", str(_PAYLOAD)]
    return tuple(
        LoadCommand.of_client(number, (*argv, address), "ping", 10 + GRACE_S, towards=name)
        for number, (name, address) in enumerate(prepared.osd_hosts or (("", prepared.peer_address),))
    )
