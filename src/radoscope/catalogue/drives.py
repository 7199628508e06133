"""Drives: what was published about them, found by the name people write."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path

from radoscope.errors import PlanError

_CAPACITY = re.compile(r"^\d+(\.\d+)?(gb|tb|g|t)$")
_NOISE = frozenset(
    ["ssd", "hdd", "nvme", "dc", "data", "center", "centre", "sata", "sas", "u2", "m2", "drive", "disk", "the", "x"]
)


_LINES = frozenset(["evo", "pro", "max", "eco", "qvo", "plus"])
"""Names of product lines within one model number."""
_JOINED = re.compile(rf"\b(\d{{3,4}})({'|'.join(_LINES)})\b", re.IGNORECASE)
_APART = re.compile(r"\b(pm|sm|sn|mx|bx|kc|cd|cm) (?=\d)", re.IGNORECASE)
_PART_NUMBER = 9
"""Letters and digits from which on a number is not a model's but a part's: MZ7L33T8HBLT, beside PM893."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drive:
    """One drive under one test condition, as published. None: not published.

    Latencies in microseconds and rates in operations per second, MB/s = 10^6 bytes/s, as in the sources.
    plp: power-loss protection. sync: 4K writes at queue depth 1, each made durable (O_SYNC, O_DSYNC or fsync).
    """

    id: str
    model: str
    device_class: str
    plp: bool | None = None
    plp_basis: str | None = None
    capacity_GB: float | None = None
    sync_write_4k_qd1_iops: float | None = None
    sync_write_4k_qd1_latency_us: float | None = None
    sync_method: str | None = None
    write_4k_qd1_nonsync_iops: float | None = None
    read_4k_qd1_iops: float | None = None
    randread_4k_deep_iops: float | None = None
    randwrite_4k_deep_iops: float | None = None
    seq_read_MBps: float | None = None
    seq_write_MBps: float | None = None
    write_cache: str | None = None
    spec_or_measured: str | None = None
    source_title: str = ""
    source_url: str | None = None
    source_id: str = ""
    notes: str | None = None


@dataclass(frozen=True, slots=True)
class Family:
    """What a model name alone says: device class, and power-loss protection where the product line settles it."""

    device_class: str
    plp: bool | None


_FIGURES = (
    "sync_write_4k_qd1_iops",
    "sync_write_4k_qd1_latency_us",
    "write_4k_qd1_nonsync_iops",
    "read_4k_qd1_iops",
    "randread_4k_deep_iops",
    "randwrite_4k_deep_iops",
    "seq_read_MBps",
    "seq_write_MBps",
)


@lru_cache(maxsize=1)
def drives() -> tuple[Drive, ...]:
    """Every published record, in the order of the data file. A drive may appear more than once."""
    known = {field.name for field in fields(Drive)}
    text = _data("drives.jsonl")
    rows = (json.loads(line) for line in text.splitlines() if line)
    return tuple(Drive(**{key: value for key, value in row.items() if key in known}) for row in rows)


@lru_cache(maxsize=1)
def _families() -> tuple[tuple[str, Family], ...]:
    rows = tomllib.loads(_data("drive_families.toml"))["family"]
    return tuple((row["pattern"], Family(row["class"], row.get("plp"))) for row in rows)


@lru_cache(maxsize=512)
def find_family(model: str | None) -> Family | None:
    """The product line a model name belongs to, or None."""
    if not model:
        return None
    name = _tidy(model)
    found = (family for pattern, family in _families() if re.search(pattern, name, re.IGNORECASE))
    return next(found, None)  # start-up time: the patterns behind it are never compiled


@lru_cache(maxsize=512)
def match_drive(name: str) -> Drive | None:
    """The drive that the name means, its published records merged; None where nothing fits.

    A name fits when it and the record share a word that carries a model number ("sm863", "9300", "cd6"), and no
    model number of the name is missing in the record. Capacities decide only between equally good fits; what a drive of
    another size writes, which grows with its flash, is left out.
    """
    wanted = _words(name)
    scored = [(score, drive) for drive in drives() if (score := _score(wanted, _words(drive.model))) > 0]
    if not scored:
        return None
    best = max(score for score, _ in scored)
    found = _merge([drive for score, drive in scored if score == best])
    size = max((_gigabytes(one) for one in wanted[2]), default=None)
    if size and found.capacity_GB and not 0.5 <= size / found.capacity_GB <= 2:
        return replace(found, seq_write_MBps=None, randwrite_4k_deep_iops=None)
    return found


def _gigabytes(capacity: str) -> float:
    number, unit = re.split(r"(?=[tg])", capacity, maxsplit=1)
    return float(number) * (1000 if unit.startswith("t") else 1)


def find_drive(name: str) -> Drive:
    """Like match_drive, but an unknown name is a fault. Raises PlanError with the nearest names."""
    drive = match_drive(name)
    if drive is None:
        models = sorted({drive.model for drive in drives()})
        near = difflib.get_close_matches(name, models, n=3, cutoff=0.5)
        hint = f"Did you mean {', '.join(near)}? " if near else ""
        raise PlanError(f"the catalogue has no drive {name!r}", f"{hint}See `radoscope catalogue drives`.")
    return drive


def _data(name: str) -> str:
    return Path(__file__).with_name("data").joinpath(name).read_text(encoding="utf-8")


def _tidy(name: str) -> str:
    """As vendors write it: "980PRO" -> "980 PRO", "PM 893" -> "PM893"."""
    return _APART.sub(r"\1", _JOINED.sub(r"\1 \2", name))


def _words(model: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """(model numbers, plain words, capacities) of a name."""
    text = re.sub(r"(\d)\s+([gt]b)\b", r"\1\2", _tidy(model).lower())
    tokens = re.findall(r"[a-z0-9.]+", text)
    capacities = frozenset(token for token in tokens if _CAPACITY.match(token))
    rest = [token for token in tokens if token not in capacities and token not in _NOISE]
    numbers = frozenset(token for token in rest if re.search(r"\d", token) and len(token) > 2)
    return numbers, frozenset(rest) - numbers, capacities


def _score(wanted: tuple[frozenset[str], ...], known: tuple[frozenset[str], ...]) -> float:
    shared = wanted[0] & known[0]
    if not shared or len(wanted[0] - known[0]) >= len(shared) + 1:
        return 0.0
    extra = (known[1] - wanted[1]) & _LINES
    if wanted[1] and not wanted[1] & known[1] and (extra or all(one.isdigit() for one in shared)):
        return 0.0  # a FireCuda 510 is no Intel 510, SK hynix's P41 no Solidigm P41 Plus
    missing = len(wanted[0] - known[0]) + sum(len(one) < _PART_NUMBER for one in known[0] - wanted[0])
    if (wanted[1] - known[1]) & _LINES:
        return 0.0  # a 980 PRO is no 980, an 870 QVO no 870 EVO, a 970 EVO Plus no 970 EVO
    missing += len(extra)
    return max(0.0, 10 * len(shared) - 4 * missing + len(wanted[1] & known[1]) + (wanted[2] == known[2]))


def _median(values: list[float]) -> float:
    """The middle one, or the mean of the middle two; `statistics` takes longer to import than all drives to read."""
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def _merge(records: Iterable[Drive]) -> Drive:
    """One drive of several records: the median of each figure. Enterprise drives: caches off where a record says so,
    as those who publish both states recommend."""
    rows = list(records)
    if any(row.plp and row.write_cache == "off" for row in rows):
        rows = [row for row in rows if row.write_cache != "on"]
    first = rows[0]
    figures: dict[str, float | None] = {}
    for name in _FIGURES:
        values = [getattr(row, name) for row in rows if getattr(row, name) is not None]
        figures[name] = _median(values) if values else None
    sources = "; ".join(dict.fromkeys(row.source_title for row in rows))
    return Drive(
        id=first.id,
        model=first.model,
        device_class=first.device_class,
        plp=first.plp,
        capacity_GB=first.capacity_GB,
        source_title=sources,
        source_url=first.source_url,
        source_id=first.source_id,
        **figures,  # type: ignore[arg-type]  # the keys are names of float fields
    )
