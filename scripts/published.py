"""The published results as cells to fit on and to be judged by."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from laboratories import laboratory

from radoscope.catalogue import PublishedResult
from radoscope.predict.defaults import fill
from radoscope.predict.facts import Facts, read_facts
from radoscope.predict.fit import Cells, FloatArray
from radoscope.predict.model import doubt, load_class
from radoscope.predict.setting import Setting

LINE_SHARE = 0.8
"""What is seen on a line over what it could carry."""

CONFIDENCE_DOUBT = {"high": 1.0, "medium": 1.3, "low": 1.6}


@dataclass(frozen=True)
class Published:
    """All results that have a throughput, with what the model makes of their facts; arrays of one length.

    settings: from the facts that a user's record has, on which the model is judged. told: with what the remarks of the
    records tell besides, on which it is fitted, so that constants do not take the blame.
    """

    rows: list[PublishedResult]
    facts: list[Facts]
    settings: list[Setting]
    told: list[Setting]
    assumed: list[tuple[str, ...]]
    log_rates: FloatArray
    laboratories: np.ndarray
    sources: np.ndarray
    classes: np.ndarray
    doubt: FloatArray

    def cells(self, chosen: np.ndarray) -> Cells:
        return Cells(
            [self.told[i] for i in chosen],
            self.log_rates[chosen],
            list(self.laboratories[chosen]),
            list(self.classes[chosen]),
            self.doubt[chosen],
        )


def load_published(results: Iterable[PublishedResult]) -> Published:
    rows = [row for row in results if row.iops]
    facts = [read_facts(row.fields) for row in rows]
    filled = [fill(one) for one in facts]
    settings = [setting for setting, _ in filled]
    assumed = [names for _, names in filled]
    confidence = [
        CONFIDENCE_DOUBT[row.fields["confidence"]] * (1.3 if row.fields.get("variant") else 1) for row in rows
    ]
    missing = [doubt(setting, names) for setting, names in zip(settings, assumed, strict=True)]
    return Published(
        rows,
        facts,
        settings,
        [fill(_with_remarks(one, row))[0] for one, row in zip(facts, rows, strict=True)],
        assumed,
        np.log([row.iops for row in rows]),
        np.array([laboratory(row.fields) for row in rows]),
        np.array([row.source_id for row in rows]),
        np.array([load_class(setting) for setting in settings]),
        np.array(confidence) * np.array(missing),
    )


def _with_remarks(facts: Facts, row: PublishedResult) -> Facts:
    """Placement groups and the clients' line where a record's remarks state them."""
    remarks = str(row.fields.get("notes") or "")
    groups = re.search(r"\b(\d+) PGs", remarks)
    limited = re.search(r"(\d+) clients limited to about (\d+) GB/s total", remarks)
    if groups:
        facts = replace(facts, pg_num=int(groups[1]))
    if limited:
        facts = replace(facts, client_network_Gbps=8 * int(limited[2]) / int(limited[1]) / LINE_SHARE)
    return facts


def balanced_quantile(values: FloatArray, groups: np.ndarray, share: float) -> float:
    """The quantile of |values| with every group of equal weight."""
    names, counts = np.unique(groups, return_counts=True)
    weight = 1 / counts[np.searchsorted(names, groups)]
    order = np.argsort(np.abs(values))
    total = np.cumsum(weight[order]) / weight.sum()
    return float(np.abs(values)[order][min(np.searchsorted(total, share), len(values) - 1)])
