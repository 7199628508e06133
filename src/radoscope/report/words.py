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
    block = "" if conditions.block_bytes is None else f"{_block_words(conditions.block_bytes)} "
    parts = [f"{block}{_OPERATIONS[conditions.op]}"]
    if conditions.layer is not Layer.NETWORK:
        parts.append(f"QD{conditions.queue_depth}")
    if conditions.jobs > 1:
        parts.append(f"{conditions.jobs} jobs")
    if _SYNC[conditions.sync]:
        parts.append(_SYNC[conditions.sync])
    if conditions.clients > 1:
        parts.append(f"{conditions.clients} clients")
    if conditions.client_hosts > 1:
        parts.append(f"from {conditions.client_hosts} hosts")
    if conditions.rate_iops is not None:
        parts.append(f"at {conditions.rate_iops:g} IOPS")
    return ", ".join(parts)


def load_beyond(title: str, conditions: Conditions) -> str:
    """The parts of the load that a title does not name already: "4K write, fsync" lacks "QD1"."""
    named = set(title.lower().replace(",", " ").split())
    if f"-t {conditions.queue_depth}" in title:  # as rados bench calls it
        named.add(f"qd{conditions.queue_depth}")
    parts = load_words(conditions).split(", ")
    return ", ".join(part for part in parts if part.lower().split()[0] not in named)


def with_layer(name: str, title: str) -> str:
    """A cell's title where its layer is not plain from the place: "RBD: 4K write", but not "RADOS: rados bench"."""
    return title if title.lower().startswith(name.lower()) else f"{name}: {title}"


def asked_words(precision: float) -> str:
    """The asked precision: 0.05 -> "±5 %"."""
    return f"±{precision * 100:g} %"


def _block_words(block_bytes: int) -> str:
    return format_block(block_bytes) if block_bytes >= 1024 else f"{block_bytes} B"


def listed(words: tuple[str, ...]) -> str:
    """("a", "b", "c") -> "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def counted(number: int, noun: str) -> str:
    """(1, "cell") -> "1 cell", (3, "cell") -> "3 cells"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
