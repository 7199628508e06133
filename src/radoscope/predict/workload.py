"""A load by its name: "4k-randwrite-qd1", "4M-read-qd16-x4", "4k-randrw70-qd32"."""

from __future__ import annotations

import re
from dataclasses import replace

from radoscope.errors import PlanError
from radoscope.predict.facts import Facts
from radoscope.units import parse_bytes

WHOLE = ("4M-write-qd16-xall", "4M-read-qd16-xall", "4k-randwrite-qd32-xall", "4k-randread-qd32-xall")
"""Loads on the whole cluster: as many clients as it has hosts, each on a host of its own."""

STANDARD = ("4k-randwrite-qd1", "4k-randread-qd1", *WHOLE)
"""One operation at a time, and the whole cluster busy."""

_OPERATIONS = {"write": "seq_write", "read": "seq_read", "randwrite": "rand_write", "randread": "rand_read"}


def apply_workload(facts: Facts, name: str) -> Facts:
    """The facts under the named load. x4 means four images or clients, xall one on each of as many client hosts as the
    cluster has hosts. Raises PlanError."""
    pattern = r"(\w+?)-(write|read|randwrite|randread|randrw|rw)(\d*)-qd(\d+)(?:-x(\d+|all))?"
    match = re.fullmatch(pattern, name.strip(), re.IGNORECASE)
    if match is None or int(match[4]) < 1:
        raise PlanError(
            f"{name!r} is not a workload", "Write BLOCK-OP-qdN[-xCLIENTS], e.g. 4k-randwrite-qd1 or 4M-read-qd16-x4."
        )
    kind = match[2].lower()
    mixed = kind in ("rw", "randrw")
    if mixed and not 0 < int(match[3] or 0) < 100:
        raise PlanError(f"{name!r} does not say its share of reads", "Write 4k-randrw70-qd32 for 70 % reads.")
    whole = (match[5] or "").lower() == "all"
    return replace(
        facts,
        op="mixed" if mixed else _OPERATIONS[kind],
        read_fraction=int(match[3]) / 100 if mixed else None,
        block_bytes=parse_bytes(match[1]),
        queue_depth=float(match[4]),
        clients=None if whole else float(match[5] or 1),
        client_hosts=None if whole else facts.client_hosts,
        whole_cluster=whole or None,
    )
