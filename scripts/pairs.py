"""Pairs of published cells of one source that differ in one input: what-ifs with a known answer."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
from published import Published

from radoscope.predict.facts import Facts
from radoscope.predict.unknowns import FloatArray

KINDS = {
    "nodes": {"nodes"},
    "cores": {"osd_cpu_threads_per_node", "cores_per_node"},
    "network": {"network_Gbps", "cluster_network_Gbps"},
    "depth": {"queue_depth"},
    "clients": {"clients", "client_hosts"},
    "OSDs per node": {"osds_per_node"},
    "block size": {"block_bytes"},
    "pool size": {"pool_size", "ec_profile"},
}
CLEAR = 0.2
"""Only changes above this share say anything about direction."""


def pairs(published: Published) -> Iterator[tuple[str, int, int]]:
    """(kind, first, second) of all pairs within a source that differ in exactly one kind of input."""
    for first in range(len(published.rows)):
        for second in range(first + 1, len(published.rows)):
            if published.sources[first] == published.sources[second]:
                kind = _only_difference(published.facts[first], published.facts[second])
                if kind is not None:
                    yield kind, first, second


def _only_difference(a: Facts, b: Facts) -> str | None:
    names = {field.name for field in dataclasses.fields(Facts)} - {"duration_s", "year"}
    different = {name for name in names if getattr(a, name) != getattr(b, name)}
    for kind, inputs in KINDS.items():
        if different and different <= inputs:
            return kind
    return None


def ratio_lines(published: Published, errors: FloatArray) -> list[str]:
    """A table of ratio errors. errors: ln(predicted / published) of each cell, its laboratory left out, so that the
    difference of two cells' errors is the error of their ratio."""
    found: dict[str, list[tuple[float, float]]] = {kind: [] for kind in KINDS}
    for kind, first, second in pairs(published):
        true = float(published.log_rates[second] - published.log_rates[first])
        found[kind].append((float(errors[second] - errors[first]), true))
    lines = ["## What-if ratios", "", "Two cells of one source that differ in one input, the laboratory left out.", ""]
    lines += ["| input | pairs | ratio error, median / p90 of |log2| | direction right, changes above 20 % |"]
    lines += ["| --- | --- | --- | --- |"]
    for kind, rows in found.items():
        if rows:
            lines.append(f"| {kind} | {len(rows)} | {_errors(rows)} | {_directions(rows)} |")
    return [*lines, ""]


def _errors(rows: list[tuple[float, float]]) -> str:
    off = np.abs([error for error, _ in rows]) / np.log(2)
    return f"{np.quantile(off, 0.5):.2f} / {np.quantile(off, 0.9):.2f}"


def _directions(rows: list[tuple[float, float]]) -> str:
    clear = [(error + true, true) for error, true in rows if abs(true) > np.log(1 + CLEAR)]
    right = sum(said * true > 0 for said, true in clear)
    return f"{right} of {len(clear)}" if clear else "-"
