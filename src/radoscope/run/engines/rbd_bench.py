"""rbd bench on RBD images, where there is no fio: one process an image.

It ends after a number of bytes, not after a time, and a signal ends some of its runs without a result. So each run says
how long the next one should be, and the first that takes most of the asked time counts.
"""

from __future__ import annotations

from pathlib import Path

from radoscope.plan.expand import Trial
from radoscope.records.conditions import Operation
from radoscope.run.prepared import LoadCommand, Prepared

TOOLS = ("rbd-bench",)
# Far above what its several runs take, start and end of each included.
GRACE_S = 120.0
_WORDS = {
    Operation.READ: ("read", "full-seq"),
    Operation.WRITE: ("write", "full-seq"),
    Operation.RANDREAD: ("read", "rand"),
    Operation.RANDWRITE: ("write", "rand"),
}
_FOR_A_TIME = """
ms=$1 block=$2 count=$3; shift 3
while said=$("$@" --io-total $((count * block))B); do
  rate=${said##*ops/sec: }; rate=${rate%%[!0-9]*}
  most=$((count * 16)) enough=$(((${rate:-0} * ms + 999) / 1000))
  [ -n "$rate" ] && [ $((count * 4)) -ge $((enough * 3)) ] && { printf '%s\\n' "$said"; exit; }
  [ -n "$rate" ] && [ $enough -lt $most ] || enough=$most
  count=$enough
done
exit 1
"""
"""Arguments: milliseconds, bytes of an I/O, I/Os to begin with, the command. A run of 75 % of the time or more counts;
the next is at most 16 times as long, because the first I/Os say little of the rate, or "inf"."""


def commands(trial: Trial, prepared: Prepared, folder: Path) -> tuple[LoadCommand, ...]:
    return tuple(
        LoadCommand.of_client(number, _argv(trial, prepared, image), "rbd_bench", trial.seconds + GRACE_S)
        for number, image in enumerate(prepared.images[: trial.cell.conditions.clients])
    )


def _argv(trial: Trial, prepared: Prepared, image: str) -> tuple[str, ...]:
    asked = trial.cell.conditions
    block, count = asked.block_bytes or 0, max(16, asked.queue_depth)
    kind, pattern = _WORDS[asked.op]
    times = (str(round(1000 * trial.seconds)), str(block), str(count))
    return ("sh", "-c", _FOR_A_TIME, "sh", *times, *_bench(prepared, image, kind, pattern, block, asked.queue_depth))


def fill_image(prepared: Prepared, image: str, size: int) -> tuple[str, ...]:
    """Write every byte of an image of that many bytes."""
    return (*_bench(prepared, image, "write", "full-seq", 4 * 2**20, 8), "--io-total", f"{size}B")


def _bench(prepared: Prepared, image: str, kind: str, pattern: str, block: int, depth: int) -> tuple[str, ...]:
    own = ("rbd", "-c", str(prepared.client_conf), "-n", prepared.user, "bench", f"{prepared.pool}/{image}")
    load = ("--io-type", kind, "--io-pattern", pattern, "--io-size", f"{block}B", "--io-threads", str(depth))
    return (*own, *load)
