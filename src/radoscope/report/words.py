"""How cells, layers, loads and findings are called in sentences and headings."""

from __future__ import annotations

from collections.abc import Mapping

from radoscope.records.conditions import Conditions, Layer, Operation, Sync
from radoscope.units import format_block
from radoscope.words import N_, _, reading

_LAYER_TITLES = {
    Layer.DISK: N_("Disk"),
    Layer.OSD: "OSD",
    Layer.NETWORK: N_("Network"),
    Layer.RADOS: "RADOS",
    Layer.RBD: "RBD",
    Layer.QEMU: "QEMU",
    Layer.GUEST: N_("Guest"),
    Layer.CEPHFS: "CephFS",
    Layer.S3: "S3",
}

_OPERATIONS = {
    Operation.READ: N_("sequential read"),
    Operation.WRITE: N_("sequential write"),
    Operation.RANDREAD: N_("random read"),
    Operation.RANDWRITE: N_("random write"),
    Operation.RW: N_("mixed sequential"),
    Operation.RANDRW: N_("mixed random"),
    Operation.SEND: N_("send"),
    Operation.RECV: N_("receive"),
    Operation.RTT: N_("round trip"),
}

_OVER_S3 = {Operation.WRITE: "PUT", Operation.RANDREAD: "GET"}

SEVERITIES: Mapping[str, str] = {
    "invalid": N_("invalid"),
    "doubtful": N_("doubtful"),
    "note": N_("note"),
    "cause": N_("cause"),
    "sound": N_("no cause"),
    "limit": N_("limit"),
    "symptom": N_("symptom"),
}
"""By the label of a finding."""

_SYNC = {Sync.NONE: "", Sync.FSYNC: N_("fsync each"), Sync.OSYNC: "O_SYNC"}


def layer_title(layer: Layer) -> str:
    """ "Disk", "RADOS"."""
    return _(_LAYER_TITLES[layer])


def load_words(conditions: Conditions) -> str:
    """A load in one line: "4K random write, QD1, fsync each, 8 clients"."""
    return ", ".join(_load_parts(conditions))


def _load_parts(conditions: Conditions) -> list[str]:
    block = "" if conditions.block_bytes is None else f"{_block_words(conditions.block_bytes)} "
    parts = [f"{block}{_words_of(conditions)}"]
    if conditions.layer is not Layer.NETWORK and conditions.depth_told:
        parts.append(f"QD{conditions.queue_depth}")
    if conditions.jobs > 1:
        parts.append(_("{jobs} jobs", jobs=conditions.jobs))
    if _SYNC[conditions.sync]:
        parts.append(_(_SYNC[conditions.sync]))
    if conditions.clients > 1:
        parts.append(_("{clients} clients", clients=conditions.clients))
    if conditions.client_hosts > 1:
        parts.append(_("from {hosts} hosts", hosts=conditions.client_hosts))
    if conditions.bus:
        parts.append(_("{bus} with iothread", bus=conditions.bus) if conditions.iothread else conditions.bus)
    if conditions.cache:
        parts.append(f"cache={conditions.cache}")
    if conditions.rate_iops is not None:
        parts.append(_("at {rate:g} IOPS", rate=conditions.rate_iops))
    return parts


def _words_of(conditions: Conditions) -> str:
    over_s3 = _OVER_S3.get(conditions.op) if conditions.layer is Layer.S3 else None
    return over_s3 or _(_OPERATIONS[conditions.op])


def load_beyond(title: str, conditions: Conditions) -> str:
    """The parts of the load that a title does not name already: "4K write, fsync" lacks "QD1"."""
    named = set(title.lower().replace(",", " ").split())
    if f"-t {conditions.queue_depth}" in title:  # as rados bench calls it
        named.add(f"qd{conditions.queue_depth}")
    with reading("en"):  # titles are those of the plan
        parts = _load_parts(conditions)
    both = zip(parts, _load_parts(conditions), strict=True)
    return ", ".join(shown for part, shown in both if part.lower().split()[0] not in named)


def with_layer(name: str, title: str) -> str:
    """A cell's title where its layer is not plain from the place: "RBD: 4K write", but not "RADOS: rados bench"."""
    return title if title.lower().startswith(name.lower()) else f"{name}: {title}"


def asked_words(precision: float) -> str:
    """The asked precision: 0.05 -> "±5 %"."""
    return f"±{precision * 100:g} %"


def _block_words(block_bytes: int) -> str:
    return format_block(block_bytes) if block_bytes >= 1024 else f"{block_bytes} B"
