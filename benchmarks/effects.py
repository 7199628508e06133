"""Does a planted cause slow anything at all? Six loads, healthy and planted by turns, before a diagnosis is asked."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from causes import Cause, erase_pool

from radoscope.sandbox import Sandbox

_LOADS = {f"4K {op[4:]}s, {depth}": (op, "4k", depth) for op in ("randwrite", "randread") for depth in (1, 16)}
_LOADS |= {"4M writes": ("write", "4m", 8), "4M reads": ("read", "4m", 8)}
_POOL, _IMAGE, _TWICE = "effects", "one", 2
_LEAST = 0.8
"""Of a load's rate: planted at most so much of healthy, the best planted turn beside the worst healthy one."""


def effect(lab: Sandbox, cause: Cause) -> tuple[bool, str]:
    """Whether it took effect, and each load's planted rates as shares of the healthy ones."""
    turns: dict[bool, list[Mapping[str, float]]] = {False: [], True: []}
    with _image(lab):
        for _ in range(_TWICE):
            turns[False].append(_rates(lab))
            with cause.plant(lab):  # type: ignore[attr-defined]
                turns[True].append(_rates(lab))
    pairs = [(load, [p[load] for p in turns[True]], [h[load] for h in turns[False]]) for load in _LOADS]
    told = (
        f"{load} " + ", ".join(f"{p / h:.2f}" for p, h in zip(planted, healthy, strict=True))
        for load, planted, healthy in pairs
    )
    return any(max(planted) <= _LEAST * min(healthy) for _load, planted, healthy in pairs), "; ".join(told)


@contextmanager
def _image(lab: Sandbox) -> Iterator[None]:
    lab.ceph.ceph_text("osd", "pool", "create", _POOL, "32", "32")
    lab.ceph.ceph_text("osd", "pool", "application", "enable", _POOL, "rbd")
    rbd = (*lab.clients[0].wrap(("rbd",)), *lab.ceph.arguments())
    try:
        subprocess.run((*rbd, "create", f"{_POOL}/{_IMAGE}", "--size", "128M"), check=True, capture_output=True)
        _fio(lab, "--name=fill", "--rw=write", "--bs=4m", "--iodepth=8")
        yield
    finally:
        erase_pool(lab, _POOL)


def _rates(lab: Sandbox) -> Mapping[str, float]:
    """I/Os a second of each load."""
    words: list[str] = []
    for load, (op, block, depth) in _LOADS.items():
        words += (f"--name={load}", f"--rw={op}", f"--bs={block}", f"--iodepth={depth}", "--stonewall")
        words += ("--time_based", "--runtime=1500ms", "--ramp_time=300ms")
    found = json.loads(_fio(lab, *words))["jobs"]
    return {one["jobname"]: max(one["read"]["iops"], one["write"]["iops"], 0.01) for one in found}


def _fio(lab: Sandbox, *words: str) -> str:
    ours = ("--name=global", "--ioengine=rbd", f"--pool={_POOL}", f"--rbdname={_IMAGE}", "--output-format=json")
    argv = lab.clients[0].wrap(("env", f"CEPH_CONF={lab.conf}", "fio", *ours, *words))
    return subprocess.run(argv, check=True, capture_output=True, text=True, timeout=120).stdout
