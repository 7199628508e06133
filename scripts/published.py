"""The published results as cells by which the model is judged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from radoscope.catalogue import PublishedResult
from radoscope.predict.facts import Facts, read_facts
from radoscope.predict.model import load_class
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
