"""rados bench: writes to objects of its own, and reads of those that were written for it."""

from __future__ import annotations

from pathlib import Path

from radoscope.plan.expand import Trial
from radoscope.records.conditions import Operation
from radoscope.run.command import LoadCommand
from radoscope.run.setting import Setting

TOOLS = ("rados-bench",)
# Deleting what was written follows the measured time; on slow disks it takes as long again, and longer.
GRACE_S = 180.0
_WORD = {Operation.WRITE: "write", Operation.READ: "seq", Operation.RANDREAD: "rand"}


def commands(trial: Trial, setting: Setting, folder: Path) -> tuple[LoadCommand, ...]:
    asked = trial.cell.conditions
    seconds = max(1, round(trial.seconds))
    argv = ["rados", *setting.ceph_arguments(), "bench", str(seconds), _WORD[asked.op], "-t", str(asked.queue_depth)]
    if asked.op is Operation.WRITE:
        argv += ["-b", str(asked.block_bytes), "--run-name", f"{trial.cell.name}-{trial.round}"]
    else:
        argv += ["--run-name", setting.read_sets[asked.block_bytes or 0]]
    return (
        LoadCommand(
            argv=tuple(argv),
            reader="rados_bench",
            name="client-0",
            output="client-0.out",
            timeout_s=seconds + GRACE_S,
        ),
    )


def write_read_set(setting: Setting, block: int, objects: int, run_name: str) -> tuple[str, ...]:
    """Write objects for later reads, as many as asked for, and leave them."""
    return (
        *("rados", *setting.ceph_arguments(), "bench", "600", "write", "-b", str(block), "-t", "16"),
        *("--max-objects", str(objects), "--run-name", run_name, "--no-cleanup"),
    )
