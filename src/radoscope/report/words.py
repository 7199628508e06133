"""How cells, layers and loads are called in sentences and headings."""

from __future__ import annotations

from radoscope.records.conditions import Conditions, Layer, Operation, Sync
from radoscope.units import format_block

LAYERS: tuple[Layer, ...] = (Layer.DISK, Layer.NETWORK, Layer.RADOS, Layer.RBD)
"""From the device up: the order of every table and picture."""

LAYER_TITLES = {Layer.DISK: "Disk", Layer.NETWORK: "Network", Layer.RADOS: "RADOS", Layer.RBD: "RBD"}

_OPERATIONS = {
    Operation.READ: "sequential read",
    Operation.WRITE: "sequential write",
    Operation.RANDREAD: "random read",
    Operation.RANDWRITE: "random write",
    Operation.RW: "mixed sequential",
    Operation.RANDRW: "mixed random",
    Operation.SEND: "send",
    Operation.RECV: "receive",
    Operation.RTT: "round trip",
}

_SYNC = {Sync.NONE: "", Sync.FSYNC: "fsync each", Sync.OSYNC: "O_SYNC"}


def load_words(conditions: Conditions) -> str:
    """A load in one line: "4K random write, QD1, fsync each, 8 clients"."""
    block = "" if conditions.block_bytes is None else f"{format_block(conditions.block_bytes)} "
    parts = [f"{block}{_OPERATIONS[conditions.op]}"]
    if conditions.op is not Operation.RTT:
        parts.append(f"QD{conditions.queue_depth}")
    if conditions.jobs > 1:
        parts.append(f"{conditions.jobs} jobs")
    if _SYNC[conditions.sync]:
        parts.append(_SYNC[conditions.sync])
    if conditions.clients > 1:
        parts.append(f"{conditions.clients} clients")
    if conditions.rate_iops is not None:
        parts.append(f"at {conditions.rate_iops:g} IOPS")
    return ", ".join(parts)


def listed(words: tuple[str, ...]) -> str:
    """("a", "b", "c") -> "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def counted(number: int, noun: str) -> str:
    """(1, "cell") -> "1 cell", (3, "cell") -> "3 cells"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
