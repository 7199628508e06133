"""The constants of the model: what each means, what documents say about it, and how sure that is.

What a cluster's own cells teach of them is `posterior.py`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

from radoscope.predict.setting import Real


@dataclass(frozen=True, slots=True)
class Prior:
    """What is believed about a constant before any published result is seen: a log-normal distribution.

    median in the unit that `meaning` names; sigma of the natural logarithm (0.5: a factor 1.65 either way).
    """

    median: float
    sigma: float
    meaning: str
    source: str


@lru_cache(maxsize=1)
def priors() -> Mapping[str, Prior]:
    """Median and spread of every constant before any cell is seen, from `priors.toml`."""
    text = Path(__file__).with_name("priors.toml").read_text(encoding="utf-8")
    return {name: Prior(**row) for name, row in tomllib.loads(text).items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """One value per constant, or an array of draws; the names are those of priors.toml."""

    write_software: Real
    read_software: Real
    flush: Real
    fresh: Real
    write_cycles: Real
    read_cycles: Real
    write_byte_cycles: Real
    read_byte_cycles: Real
    hop_cycles: Real
    client_cycles: Real
    client_byte_cycles: Real
    verify: Real
    connection_cycles: Real
    connection_byte_cycles: Real
    mixing: Real
    guest_cycles: Real
    osd_cycles: Real
    kv_cycles: Real
    line_out: Real
    line_in: Real
    line_osd: Real
    thread_power: Real
    write_amplification: Real
    device_share: Real
    client_share: Real
    sata_share: Real
    imbalance: Real
    pg_half: Real
    power_saving: Real
    old_release: Real
    alone: Real
    filestore: Real
    flash_commit: Real
    disk_read: Real
    disk_write: Real
    disk_write_no_db: Real
    disk_queue: Real
    disk_share: Real
    disk_commit: Real
    miss: Real
    page_cache: Real
    krbd: Real
    vm: Real
    cephfs: Real
    rados: Real
    rados_client: Real
    rgw_cycles: Real
    rgw_byte_cycles: Real
    rgw_latency: Real
    rgw_put: Real
    erasure_op: Real
    erasure_latency: Real
    recent_release: Real
    join: Real
    tuning: Real
    client_cache: Real
    virtual: Real
    two_sockets: Real


NAMES: tuple[str, ...] = tuple(field.name for field in fields(Constants))


@lru_cache(maxsize=1)
def documented() -> Constants:
    """The medians of the priors: the model as documents alone would have it."""
    return Constants(**{name: prior.median for name, prior in priors().items()})
