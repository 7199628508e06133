"""iperf3: one TCP stream to a server that the study has started."""

from __future__ import annotations

from pathlib import Path

from radoscope.plan.expand import Trial
from radoscope.run.prepared import LoadCommand, Prepared

TOOLS = ("iperf3",)
GRACE_S = 20.0


def commands(trial: Trial, prepared: Prepared, folder: Path) -> tuple[LoadCommand, ...]:
    seconds = max(1, round(trial.seconds))
    argv = ("iperf3", "-c", prepared.peer_address, "-p", str(prepared.iperf_port), "-t", str(seconds), "-J")
    return (LoadCommand.of_client(0, argv, "iperf3", seconds + GRACE_S),)
