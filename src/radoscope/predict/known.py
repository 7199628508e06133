"""What somebody measured and wrote down: one statement on the command line, or records, one cluster and load a line."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeGuard

from radoscope.errors import PlanError
from radoscope.predict.facts import Facts, check_fact, read_facts
from radoscope.predict.forecast import Forecast
from radoscope.predict.outlook import Known, forecast
from radoscope.units import parse_bytes

HINT = (
    "Write LOAD = NUMBER UNIT, e.g. 'rbd 4k write qd1 = 450 iops', 'rados 4M read qd16 = 900 MB/s', "
    "'4k randread qd32 x4 = 1.2 ms', 'fsync = 600 iops', 'ping = 0.2 ms' or 'line = 9.4 Gbit/s'."
)
ACCESSES = {
    "rbd": "librbd_fio", "librbd": "librbd_fio", "rados": "rados_bench", "krbd": "krbd_fio", "vm": "vm_fio",
    "guest": "vm_fio", "cephfs": "cephfs", "s3": "rgw_s3", "rgw": "rgw_s3",
}  # fmt: skip
OPERATIONS = {"read", "write", "randread", "randwrite", "seqread", "seqwrite"}
LARGE = 65536


def read_known(text: str, facts: Facts) -> tuple[Facts, Known | None]:
    """One statement -> (the facts, with what it says of drive or network; the rate, where it is one of a load).

    Raises PlanError with what could not be understood.
    """
    left, equals, right = text.partition("=")
    value = re.fullmatch(r"\s*([\d.,]+)\s*(k|M)?\s*([A-Za-zµ/]*)\s*", right)
    if not equals or value is None:
        raise PlanError(f"--known {text!r} is not LOAD = NUMBER UNIT", HINT)
    try:
        number = float(value[1].replace(",", "")) * {"k": 1e3, "M": 1e6}.get(value[2] or "", 1.0)
    except ValueError:
        raise PlanError(f"--known {text!r}: {value[1]!r} is not a number", HINT) from None
    if number <= 0:
        raise PlanError(f"--known {text!r}: a measured figure is above 0", HINT)
    unit = (value[2] or "") + value[3] if value[3] in ("s", "B/s", "iB/s", "bit/s") else value[3]
    if unit != value[3]:
        number /= {"k": 1e3, "M": 1e6}[value[2]]
    words = re.findall(r"[\w.]+", left.lower())
    below = _below(words, number, unit, text)
    for name, value in below.items():
        try:
            check_fact(name, value)
        except ValueError as fault:
            raise PlanError(f"--known {text!r}: {fault}", HINT) from fault
    if below:
        return replace(facts, **below), None
    loaded = _loaded(facts, words, text)
    return facts, Known(left.strip(), loaded, _rate(loaded, number, unit, text))


_SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6}
_BYTES = {"kb/s": 1e3, "mb/s": 1e6, "gb/s": 1e9, "kib/s": 2**10, "mib/s": 2**20, "gib/s": 2**30}
_RATES = ("", "iops", "/s", "io/s", "ops/s", "ops")


def _below(words: list[str], number: float, unit: str, text: str) -> dict[str, Any]:
    """What a line about the drive or the network says; empty for a load on the cluster."""
    if {"ping", "rtt"} & set(words):
        return {"rtt_us": _seconds(number, unit, text) * 1e6}
    if {"line", "iperf", "iperf3", "network"} & set(words):
        scale = {"gbit/s": 1.0, "gbps": 1.0, "mbit/s": 1e-3, "mbps": 1e-3}.get(unit.lower())
        if scale is None:
            raise PlanError(f"--known {text!r}: a line is in Gbit/s, not {unit!r}", HINT)
        return {"network_Gbps": number * scale}
    if {"fsync", "sync", "fdatasync"} & set(words):
        rate = number if unit.lower() in _RATES else 1 / _seconds(number, unit, text)
        return {"device_4k_sync_write_iops": rate, "device_plp": rate > 4000}
    return {}


def _seconds(number: float, unit: str, text: str) -> float:
    if unit not in _SECONDS:
        raise PlanError(f"--known {text!r}: {unit or 'no unit'} is not a time", "Write ms or us. " + HINT)
    return number * _SECONDS[unit]


def _loaded(facts: Facts, words: list[str], text: str) -> Facts:
    """The facts under the load that the words on the left name."""
    access, op = facts.access, ""
    block, depth, clients = 4096, 1.0, 1.0
    random = "random" in words or "rand" in words
    for word in words:
        if word in ACCESSES:
            access = ACCESSES[word]
        elif word in OPERATIONS:
            op = word
        elif re.fullmatch(r"\d+[km](i?b)?", word):
            block = parse_bytes(word)
        elif found := re.fullmatch(r"(?:qd|iodepth|depth)(\d+)", word):
            depth = float(found[1])
        elif found := re.fullmatch(r"x(\d+)", word):
            clients = float(found[1])
        elif word not in ("random", "rand", "seq", "sequential"):
            raise PlanError(f"--known {text!r}: {word!r} is not understood", HINT)
    if not op:
        raise PlanError(f"--known {text!r} does not say read or write", HINT)
    plain = op.removeprefix("rand").removeprefix("seq")
    is_random = random or op.startswith("rand") or (block < LARGE and not ({"seq", "sequential"} & set(words)))
    kind = "rand" if is_random and not op.startswith("seq") else "seq"
    return replace(
        facts,
        access=access,
        op=f"{kind}_{plain}",
        read_fraction=None,
        block_bytes=block,
        queue_depth=depth,
        clients=clients,
        whole_cluster=None,
    )


def _rate(load: Facts, number: float, unit: str, text: str) -> float:
    """Operations per second over all clients."""
    if unit.lower() in _RATES:
        return number
    if unit.lower() in _BYTES:
        return number * _BYTES[unit.lower()] / (load.block_bytes or 1)
    return (load.queue_depth or 0) * (load.clients or 0) / _seconds(number, unit, text)


def forecast_lines(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """One JSON object a line -> one answer each, in order; a line that cannot be answered says why."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as fault:
            yield {"id": None, "unsupported": f"line {number} is not JSON: {fault.msg}"}
            continue
        yield (answer(row) if isinstance(row, dict) else {"id": None, "unsupported": f"line {number} is not an object"})


def answer(row: Mapping[str, Any]) -> dict[str, Any]:
    """One record -> its answer, or `unsupported` with the reason."""
    try:
        facts = read_facts(row)
        known = tuple(_known(row, one, number) for number, one in enumerate(row.get("known") or (), start=1))
        return {"id": row.get("id"), **as_row(forecast(facts, known))}
    except PlanError as fault:
        return {"id": row.get("id"), "unsupported": fault.message}


def _known(row: Mapping[str, Any], said: Any, number: int) -> Known:
    """A measured cell: what differs from the record itself, and its rate as iops, MBps or lat_ms_avg."""
    if not isinstance(said, dict):
        raise PlanError(f"known, entry {number}: must be an object, not {said!r}")
    facts = read_facts({**row, **said})
    iops, megabytes, latency = (said.get(name) for name in ("iops", "MBps", "lat_ms_avg"))
    depth = (facts.queue_depth or 0) * (facts.clients or 0)
    if _positive(iops):
        return Known(f"known {number}", facts, float(iops))
    if _positive(megabytes) and facts.block_bytes:
        return Known(f"known {number}", facts, float(megabytes) * 1e6 / facts.block_bytes)
    if _positive(latency) and depth:
        return Known(f"known {number}", facts, 1e3 * depth / float(latency))
    raise PlanError(
        f"known, entry {number}: needs iops, or MBps with block_bytes, or lat_ms_avg with queue_depth and clients"
    )


def _positive(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0


def as_row(seen: Forecast) -> dict[str, Any]:
    """A forecast in the words of a batch, which are those of its input: 1/s, MB/s of 10^6 bytes, milliseconds."""
    return {
        "iops": _digits(seen.iops),
        "iops_low": _digits(seen.interval.low),
        "iops_high": _digits(seen.interval.high),
        "MBps": _digits(seen.bandwidth_bytes_per_s / 1e6),
        "lat_ms_avg": _digits(seen.latency_s * 1e3),
        "bottleneck": seen.bottleneck,
        "assumed": list(seen.assumed),
    }


def _digits(value: float) -> float:
    """Four significant digits: more would claim what the model does not know."""
    return float(f"{value:.4g}")
