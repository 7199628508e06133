"""Published results of sources that no constant was ever fitted to: what the model is worth to a stranger.

They were collected after the model was built, from pages that the results fitted on do not hold.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from published import balanced_quantile

from radoscope.catalogue import PublishedResult, not_fitted
from radoscope.predict.defaults import fill
from radoscope.predict.facts import read_facts
from radoscope.predict.fit import FloatArray
from radoscope.predict.forecast import forecast
from radoscope.predict.model import Model, load_class

LOOKED_AT = (
    "seastore_vs_classic",
    "roks_odf",
    "mirceanton_homelab",
    "pny_kbench",
    "chris_sanders_single",
    "kairen_bench",
    "ceph_brag_supermicro",
    "clyso_reddit_2023",
)
"""Sources whose errors were seen one by one while the structure was changed; of the others only sums were."""


@dataclass(frozen=True)
class Unseen:
    """errors: ln(predicted / published); inside: whether the 80 % interval holds it. Arrays of one length."""

    rows: list[PublishedResult]
    errors: FloatArray
    inside: np.ndarray
    sources: np.ndarray
    classes: np.ndarray


def judge(model: Model) -> Unseen:
    """The model on every unseen result, from the facts that its record has."""
    rows = list(not_fitted())
    facts = [read_facts(row.fields) for row in rows]
    seen = [forecast(one, model) for one in facts]
    rates = np.array([row.iops for row in rows], dtype=float)
    return Unseen(
        rows,
        np.log([one.iops for one in seen]) - np.log(rates),
        np.array([not one.interval.excludes(rate) for one, rate in zip(seen, rates, strict=True)]),
        np.array([row.source_id for row in rows]),
        np.array([load_class(fill(one)[0]) for one in facts]),
    )


def unseen_lines(model: Model) -> list[str]:
    """A section of docs/model-errors.md."""
    judged = judge(model)
    bluestore = np.array([row.fields.get("backend") == "bluestore" for row in judged.rows])
    looked_at = np.isin(judged.sources, LOOKED_AT)
    groups = {
        "all": np.ones(len(judged.rows), dtype=bool),
        "BlueStore": bluestore,
        "FileStore, before 2018 mostly": ~bluestore,
        "never looked at one by one": ~looked_at,
        "never looked at one by one, BlueStore": ~looked_at & bluestore,
    }
    lines = [
        "## Sources never fitted on",
        "",
        f"{len(judged.rows)} published results of {len(set(judged.sources))} other sources,"
        " collected after the model was built (`results_not_fitted.jsonl` of the catalogue),",
        "predicted from their facts alone, without what carries over from their own machines; balanced by source.",
        "",
        "| results | cells | sources | median / p90 of |log2| | in the 80 % interval |",
        "| --- | --- | --- | --- | --- |",
    ]
    lines += [_row(judged, name, chosen) for name, chosen in groups.items()]
    for kind in dict.fromkeys(sorted(judged.classes)):
        lines.append(_row(judged, f"BlueStore, {kind}", bluestore & (judged.classes == kind)))
    lines += ["", "| source | cells | bias (log2) | median / p90 |", "| --- | --- | --- | --- |"]
    for source in dict.fromkeys(judged.sources):
        errors = judged.errors[judged.sources == source] / np.log(2)
        worst = np.quantile(np.abs(errors), 0.9)
        spread = f"{np.median(np.abs(errors)):.2f} / {worst:.2f}"
        lines.append(f"| {source} | {len(errors)} | {np.median(errors):+.2f} | {spread} |")
    return [*lines, ""]


def _row(judged: Unseen, name: str, chosen: np.ndarray) -> str:
    sources = judged.sources[chosen]
    errors = judged.errors[chosen] / np.log(2)
    covered = np.mean([judged.inside[chosen][sources == source].mean() for source in np.unique(sources)])
    pair = f"{balanced_quantile(errors, sources, 0.5):.2f} / {balanced_quantile(errors, sources, 0.9):.2f}"
    return f"| {name} | {len(errors)} | {len(set(sources))} | {pair} | {covered:.0%} |"
