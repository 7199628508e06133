"""A load by its name: "4k-randwrite-qd1", "4M-read-qd16-x4", "4k-randrw70-qd32"."""

from __future__ import annotations

import re
from dataclasses import replace

from radoscope.errors import PlanError
from radoscope.predict.facts import Facts
from radoscope.units import parse_bytes

STANDARD = (
    "4M-write-qd16",
    "4M-read-qd16",
    "4k-randwrite-qd1",
    "4k-randwrite-qd128",
    "4k-randread-qd1",
    "4k-randread-qd128",
)
"""The six cells of the Proxmox forum's and wikis' usual fio table."""

_OPERATIONS = {"write": "seq_write", "read": "seq_read", "randwrite": "rand_write", "randread": "rand_read"}


def apply_workload(facts: Facts, name: str) -> Facts:
    """The facts under the named load. x4 means four images or clients. Raises PlanError."""
    pattern = r"(\w+?)-(write|read|randwrite|randread|randrw|rw)(\d*)-qd(\d+)(?:-x(\d+))?"
    match = re.fullmatch(pattern, name.strip(), re.IGNORECASE)
    if match is None or int(match[4]) < 1:
        raise PlanError(
            f"{name!r} is not a workload", "Write BLOCK-OP-qdN[-xCLIENTS], e.g. 4k-randwrite-qd1 or 4M-read-qd16-x4."
        )
    kind = match[2].lower()
    mixed = kind in ("rw", "randrw")
    if mixed and not 0 < int(match[3] or 0) < 100:
        raise PlanError(f"{name!r} does not say its share of reads", "Write 4k-randrw70-qd32 for 70 % reads.")
    return replace(
        facts,
        op="mixed" if mixed else _OPERATIONS[kind],
        read_fraction=int(match[3]) / 100 if mixed else None,
        block_bytes=parse_bytes(match[1]),
        queue_depth=float(match[4]),
        clients=float(match[5] or 1),
    )
