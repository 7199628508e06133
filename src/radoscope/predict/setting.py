"""A cluster and its load as plain numbers (or arrays of them) in seconds, bytes and operations; none is missing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol

Real = Any
"""A float, or an array of floats: the equations do not care."""


DISK_READ_S, DISK_WRITES = 9e-3, 150.0
"""One random read of a usual spinning disk, and its random writes a second: `disk_read` and `disk_write` are those of
such a one, and follow the figures of the disk that is there."""


REFERENCE_SPEED = 3.0
"""GHz x work per cycle at which the model's constants are stated."""


class Numbers(Protocol):
    """The few functions in which floats and arrays differ."""

    def sqrt(self, x: Real) -> Real: ...
    def log(self, x: Real) -> Real: ...
    def larger(self, a: Real, b: Real) -> Real: ...
    def smaller(self, a: Real, b: Real) -> Real: ...
    def choose(self, condition: Real, yes: Real, no: Real) -> Real: ...


class Floats:
    """Plain Python: no numpy needed, 0.1 ms a prediction."""

    sqrt = staticmethod(math.sqrt)
    log = staticmethod(math.log)
    larger = staticmethod(max)
    smaller = staticmethod(min)

    @staticmethod
    def choose(condition: Real, yes: Real, no: Real) -> Real:
        return yes if condition else no


class Arrays:
    """numpy, loaded when the first object is made."""

    def __init__(self) -> None:
        import numpy as np  # start-up time: a single prediction needs no arrays

        self.sqrt = np.sqrt
        self.log = np.log
        self.larger = np.maximum
        self.smaller = np.minimum
        self.choose = np.where


FLOATS: Numbers = Floats()


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What the equations see. Flags are 0.0 or 1.0. Each field is a float, or an array with one entry per setting.

    width: OSDs that store a part of each object (replicas, or k+m). shards_k: data shards, 1 with replication.
    stripe: bytes of data that a whole stripe holds. local: share of a client's traffic that never leaves its host.
    threads_per_osd: hardware threads an OSD may use; threads_per_host: all that a host has.
    speed: GHz x work per cycle of the storage hosts. pgs_per_osd: placement groups with a copy on an OSD.
    guests: whether the clients' work takes of the storage hosts' processors.
    turns: how much longer software takes where it waits for processors that others keep busy.
    cached: whether all that is read lies in memory, as the page says.
    starved: the memory that an OSD wants over what it can have, 1 where it has enough.
    """

    nodes: Real
    osds: Real
    devices: Real
    width: Real
    shards_k: Real
    stripe: Real
    erasure: Real
    fast_erasure: Real
    block: Real
    read_share: Real
    sequential: Real
    in_flight: Real
    clients: Real
    client_hosts: Real
    local: Real
    hyperconverged: Real
    guests: Real
    turns: Real
    one_host: Real
    alone: Real
    client_bps: Real
    public_bps: Real
    cluster_bps: Real
    rtt: Real
    speed: Real
    threads_per_osd: Real
    threads_per_host: Real
    sync: Real
    write: Real
    read: Real
    seq_read: Real
    seq_write: Real
    deep_read: Real
    deep_write: Real
    plp: Real
    hdd: Real
    db: Real
    db_sync: Real
    old: Real
    recent: Real
    flushes: Real
    filestore: Real
    krbd: Real
    vm: Real
    cephfs: Real
    rados: Real
    rgw: Real
    power_saving: Real
    pgs_per_osd: Real
    starved: Real
    virtual: Real
    two_sockets: Real
    client_cache: Real
    cached: Real
    tuned: Real


def stack(settings: Sequence[Setting]) -> Setting:
    """Many settings -> one whose fields are arrays, shape (len(settings),)."""
    import numpy as np  # start-up time: a single prediction needs no arrays

    columns = {
        field.name: np.array([getattr(s, field.name) for s in settings], dtype=float) for field in fields(Setting)
    }
    return Setting(**columns)
