"""rados bench: writes to objects of its own, and reads of those that were written for it."""

from __future__ import annotations

from pathlib import Path

from radoscope.plan.expand import Trial
from radoscope.records.conditions import Operation
from radoscope.run.prepared import LoadCommand, Prepared

TOOLS = ("rados-bench",)
# Deleting what was written follows the measured time; on slow disks it takes as long again, and longer.
GRACE_S = 180.0
_WORD = {Operation.WRITE: "write", Operation.READ: "seq", Operation.RANDREAD: "rand"}


def commands(trial: Trial, prepared: Prepared, folder: Path) -> tuple[LoadCommand, ...]:
    seconds = max(1, round(trial.seconds))
    return tuple(
        LoadCommand.of_client(number, _argv(trial, prepared, seconds, number), "rados_bench", seconds + GRACE_S)
        for number in range(trial.cell.conditions.processes)
    )


def _argv(trial: Trial, prepared: Prepared, seconds: int, number: int) -> tuple[str, ...]:
    """number: of the process. Each writes under a name of its own, because it removes afterwards what has that name."""
    asked = trial.cell.conditions
    bench = ("rados", *prepared.ceph_arguments(), "bench", str(seconds), _WORD[asked.op], "-t", str(asked.queue_depth))
    if asked.op is Operation.WRITE:
        return (*bench, "-b", str(asked.block_bytes), "--run-name", f"{trial.cell.name}-{trial.round}-{number}")
    return (*bench, "--run-name", prepared.read_sets[asked.block_bytes or 0][number])


def write_read_set(prepared: Prepared, block: int, objects: int, run_name: str) -> tuple[str, ...]:
    """Write objects for later reads, as many as asked for, and leave them."""
    return (
        *("rados", *prepared.ceph_arguments(), "bench", "600", "write", "-b", str(block), "-t", "16"),
        *("--max-objects", str(objects), "--run-name", run_name, "--no-cleanup"),
    )
