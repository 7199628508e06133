"""The published results as cells by which the model is judged, and pairs of them: what-ifs with a known answer."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from radoscope.catalogue import PublishedResult
from radoscope.predict.facts import Facts, read_facts
from radoscope.predict.setting import Setting
from radoscope.predict.unknowns import Case, FloatArray, case


@dataclass(frozen=True)
class Published:
    """All results that have a throughput, with what the model makes of their facts; arrays of one length."""

    rows: list[PublishedResult]
    facts: list[Facts]
    cases: list[Case]
    log_rates: FloatArray
    sources: np.ndarray
    classes: np.ndarray


def load_class(setting: Setting) -> str:
    """qd1, deep or seq, and -w or -r: one in flight a client, more, or blocks of 256 KiB and larger."""
    direction = "r" if setting.read_share > 0.9 else "w"  # the writes set the pace of a mix
    if setting.block >= 262144:
        return f"seq-{direction}"
    return f"qd1-{direction}" if setting.in_flight <= setting.clients else f"deep-{direction}"


def load_published(results: Iterable[PublishedResult]) -> Published:
    rows = [row for row in results if row.iops]
    facts = [read_facts(row.fields) for row in rows]
    cases = [case(one) for one in facts]
    return Published(
        rows,
        facts,
        cases,
        np.log([row.iops for row in rows]),
        np.array([row.source_id for row in rows]),
        np.array([load_class(one.setting) for one in cases]),
    )


def balanced_quantile(values: FloatArray, groups: np.ndarray, share: float) -> float:
    """The quantile of |values| with every group of equal weight."""
    names, counts = np.unique(groups, return_counts=True)
    weight = 1 / counts[np.searchsorted(names, groups)]
    order = np.argsort(np.abs(values))
    total = np.cumsum(weight[order]) / weight.sum()
    return float(np.abs(values)[order][min(np.searchsorted(total, share), len(values) - 1)])


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
"""Inputs in one of which the two cells of a pair may differ."""


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
