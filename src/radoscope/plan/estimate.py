"""What a plan will cost before it is run: time, bytes, and how far it can be told in advance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from radoscope.plan.schema import Plan
from radoscope.records.conditions import Layer, Operation
from radoscope.records.study import Cell

# Seconds that a segment costs beside its ramp and its runtime: starting the tool, connecting, writing the results.
# Measured on a two-core machine with fio 3.33 and Ceph 16.2.
_START_S = {
    "fio": 0.9,
    "osd-bench": 0.1,
    "rados-bench": 0.8,
    "rbd-bench": 1.5,  # some shorter runs before the one that counts
    "s3-load": 0.4,
    "iperf3": 0.2,
    "ping": 0.1,
    "jumbo-ping": 0.1,
}
# Bytes per second at which images are filled: what a small cluster of three OSDs on two cores reaches.
_FILL_BYTES_PER_S = 150e6
_LONGEST_PING_S = 2.0
# A guest answers 2 s after its start under KVM, emulated after 10 to 20; several start side by side.
_BOOT_S = 15.0


FULL_ROUNDS = 3
"""With a budget: rounds of all cells before it goes where it tells most; then each has an interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """seconds_low: every cell is precise after the planned rounds; seconds_high: every cell uses all it may.
    With a budget both are the budget.

    pool_bytes: space in the pool before replication. file_bytes: space for the test file on the client.
    """

    seconds_low: float
    seconds_high: float
    prepare_s: float
    pool_bytes: int
    file_bytes: int


def segment_seconds(plan: Plan, cell: Cell) -> float:
    """Wall time of one segment of a cell."""
    tool = cell.conditions.tool
    if tool in ("ping", "jumbo-ping"):
        return min(plan.seconds, _LONGEST_PING_S) + _START_S[tool]
    ramp = plan.ramp if tool in ("fio", "s3-load") else 0.0
    extra = 0.05 * cell.conditions.clients * cell.conditions.jobs
    return plan.seconds + ramp + _START_S[tool] + extra


def most_rounds(plan: Plan, cell: Cell) -> int:
    """How many segments a cell may have: `at_most` seconds of it, but never fewer than the planned rounds."""
    return max(plan.rounds, int(plan.at_most // segment_seconds(plan, cell)))


def image_count(cells: Sequence[Cell]) -> int:
    """Images that must exist: as many as the cell with the most loads at once."""
    return max((cell.conditions.clients for cell in cells if cell.conditions.layer.on_image), default=0)


def object_sets(cells: Sequence[Cell]) -> dict[int, int]:
    """Block size -> how many sets of rados bench objects must be written before they can be read.

    One for each process that reads at the same time: of those that read the same objects in the same order, all but
    the first would read what the OSDs have just cached.
    """
    sets: dict[int, int] = {}
    for asked in sorted((cell.conditions for cell in cells), key=lambda asked: asked.block_bytes or 0):
        if asked.layer is Layer.RADOS and asked.op in (Operation.READ, Operation.RANDREAD):
            block = asked.block_bytes or 0
            sets[block] = max(sets.get(block, 0), asked.processes)
    return sets


def file_count(cells: Sequence[Cell]) -> int:
    """The same of files in CephFS."""
    return max((cell.conditions.clients for cell in cells if cell.conditions.layer is Layer.CEPHFS), default=0)


def bucket_sets(plan: Plan, cells: Sequence[Cell]) -> dict[int, int]:
    """Object size -> how many objects of it stand in the bucket: as many as are in flight at least."""
    sets: dict[int, int] = {}
    for asked in (cell.conditions for cell in cells if cell.conditions.layer is Layer.S3):
        block = asked.block_bytes or 0
        sets[block] = max(sets.get(block, 0), objects_in_set(plan, block), asked.in_flight)
    return sets


def needs_file(cells: Sequence[Cell]) -> bool:
    return any(cell.conditions.layer is Layer.DISK for cell in cells)


def estimate(plan: Plan, cells: Sequence[Cell]) -> Cost:
    """The cost of a plan; see Cost."""
    per_round = {cell.name: segment_seconds(plan, cell) for cell in cells}
    kinds = {cell.conditions.pinned for cell in cells}
    pool_bytes = sum(_prefill_bytes(plan, [c for c in cells if c.conditions.pinned == kind]) for kind in kinds)
    written = max(
        (plan.seconds * 400e6 for cell in cells if cell.conditions.layer is Layer.RADOS and cell.conditions.op.writes),
        default=0.0,
    )
    file_bytes = plan.file_size if needs_file(cells) else 0
    boot_s = _BOOT_S if any(cell.conditions.layer is Layer.GUEST for cell in cells) else 0.0
    prepare_s = 3.0 + boot_s + (pool_bytes + file_bytes) / _FILL_BYTES_PER_S
    low = prepare_s + sum(plan.rounds * seconds for seconds in per_round.values())
    high = prepare_s + sum(most_rounds(plan, cell) * per_round[cell.name] for cell in cells)
    if plan.budget is not None:
        low = high = max(plan.budget, prepare_s + FULL_ROUNDS * sum(per_round.values()))
    return Cost(
        seconds_low=low,
        seconds_high=high,
        prepare_s=prepare_s,
        pool_bytes=int(pool_bytes + written),
        file_bytes=file_bytes,
    )


def _prefill_bytes(plan: Plan, cells: Sequence[Cell]) -> int:
    """What the cells of one pool need to find in it."""
    sets, buckets = object_sets(cells).items(), bucket_sets(plan, cells).items()
    objects = sum(count * objects_in_set(plan, block) * block for block, count in sets) + sum(
        n * block for block, n in buckets
    )
    return (image_count(cells) + file_count(cells)) * plan.image_size + objects


def objects_in_set(plan: Plan, block: int) -> int:
    """How many objects of a block size are written to be read back: `object_set` bytes, 2048 objects at most.

    Small objects are slow to create one by one, and 2048 of them spread over all PGs well enough.
    """
    return max(16, min(2048, plan.object_set // block))
