"""Finding the cell that answers a question, by its conditions and never by its name."""

from __future__ import annotations

from collections.abc import Iterator

from radoscope.records.conditions import Layer, Operation, Sync
from radoscope.stats.values import CellSummary, Summaries

SMALL_BLOCK = 4 * 2**10
LARGE_BLOCKS = (4 * 2**20, 2**20)

_WRITES = (Operation.RANDWRITE, Operation.WRITE)
_READS = (Operation.RANDREAD, Operation.READ)


def one_at_a_time(summaries: Summaries, layer: Layer, *, writes: bool) -> CellSummary | None:
    """The cell of one 4K I/O in flight on one client; on a disk, writes must be durable (fsync before O_SYNC).

    The network's is its round trip, of the smallest packet; a jumbo ping is a check of the MTU.
    """
    if layer is Layer.NETWORK:
        trips = [s for s in _of_cluster(summaries) if s.cell.conditions.op is Operation.RTT]
        return min(
            trips, key=lambda s: (s.cell.conditions.tool != "ping", s.cell.conditions.block_bytes or 0), default=None
        )
    found = [s for s in _small(summaries, layer, writes=writes) if s.cell.conditions.one_at_a_time]
    if layer is Layer.DISK and writes:
        found = [s for s in found if s.cell.conditions.sync is not Sync.NONE]
        found.sort(key=lambda s: s.cell.conditions.sync is not Sync.FSYNC)
    # Of QEMU's cache modes the one without a cache, as Proxmox VE has it: it holds what lies beneath, others hide it.
    found.sort(key=lambda s: s.cell.conditions.cache not in ("", "none"))
    return found[0] if found else None


def deepest(summaries: Summaries, layer: Layer, *, writes: bool) -> CellSummary | None:
    """The 4K cell of one client with the most I/Os in flight, at least two."""
    asked = ((s, s.cell.conditions) for s in _small(summaries, layer, writes=writes))
    found = [s for s, conditions in asked if conditions.clients == 1 and conditions.depth_told]
    best = max(found, key=lambda s: s.cell.conditions.in_flight, default=None)
    return best if best is not None and best.cell.conditions.in_flight > 1 else None


def large(summaries: Summaries, layer: Layer, *, writes: bool) -> CellSummary | None:
    """The cell of large sequential blocks, 4M rather than 1M; of the network, what it carries."""
    if layer is Layer.NETWORK:
        ops = (Operation.SEND, Operation.RECV)
        return next((s for s in _of_cluster(summaries) if s.cell.conditions.op in ops), None)
    for block in LARGE_BLOCKS:
        for operation in reversed(_WRITES if writes else _READS):
            for summary in _closed(summaries, layer):
                conditions = summary.cell.conditions
                if (conditions.block_bytes, conditions.op, conditions.clients) == (block, operation, 1):
                    return summary
    return None


def quoted(summaries: Summaries, layer: Layer) -> tuple[CellSummary | None, ...]:
    """The cells whose figures people quote: one write at a time, deep writes and reads, large writes and reads."""
    return (
        one_at_a_time(summaries, layer, writes=True),
        *(deepest(summaries, layer, writes=writes) for writes in (True, False)),
        *(large(summaries, layer, writes=writes) for writes in (True, False)),
    )


def _small(summaries: Summaries, layer: Layer, *, writes: bool) -> Iterator[CellSummary]:
    """4K cells of a layer; random ones before sequential ones."""
    for operation in _WRITES if writes else _READS:
        for summary in _closed(summaries, layer):
            if summary.cell.conditions.block_bytes == SMALL_BLOCK and summary.cell.conditions.op is operation:
                yield summary


def _closed(summaries: Summaries, layer: Layer) -> Iterator[CellSummary]:
    """Cells of a layer whose clients send as fast as they are answered, on the pool as it is, and nothing beside it."""
    for summary in _of_cluster(summaries):
        conditions = summary.cell.conditions
        is_plain = conditions.rate_iops is None and not (conditions.pinned or conditions.mixed)
        if conditions.layer is layer and is_plain:
            yield summary


def _of_cluster(summaries: Summaries) -> Iterator[CellSummary]:
    """The cells that measured a part of the cluster."""
    return (summary for summary in summaries.cells if not summary.cell.elsewhere)
