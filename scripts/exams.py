"""The published tables that this project grew from, against predictions that never saw their laboratories.

    python scripts/exams.py                writes docs/exams.md

About two minutes on one core.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from published import Published, load_published

from radoscope.catalogue import fitted
from radoscope.predict.fit import fit
from radoscope.predict.forecast import Forecast, forecast
from radoscope.predict.model import Model, load_model
from radoscope.units import format_block

ROOT = Path(__file__).resolve().parent.parent
SEEDS = ("seed000", "seed001", "seed003", "seed004")


def left_out_model(published: Published, laboratories: set[str]) -> Model:
    """The model fitted without these laboratories, with the shipped intervals (learnt with each of them left out)."""
    others = np.array([i for i, name in enumerate(published.laboratories) if name not in laboratories])
    found = fit(published.cells(others))
    return Model(found.constants, {}, load_model().spreads)


def exam(published: Published, source: str) -> list[str]:
    chosen = np.flatnonzero(published.sources == source)
    model = left_out_model(published, set(published.laboratories[chosen]))
    title = published.rows[chosen[0]].fields["source_title"]
    lines = [f"## {title}", "", "| set-up | load | published | predicted (80 % interval) | ratio | bottleneck |"]
    lines.append("| --- | --- | --- | --- | --- | --- |")
    errors, inside = [], 0
    for i in chosen:
        seen = forecast(published.facts[i], model)
        rate = float(np.exp(published.log_rates[i]))
        errors.append(abs(math.log2(seen.iops / rate)))
        inside += not seen.interval.excludes(rate)
        lines.append(_row(published, int(i), rate, seen))
    summary = f"Median |log2| {np.median(errors):.2f}, 90th percentile {np.quantile(errors, 0.9):.2f}; "
    return [*lines, "", f"{summary}{inside} of {len(errors)} inside their interval.", ""]


def _row(published: Published, index: int, rate: float, seen: Forecast) -> str:
    facts = published.facts[index]
    nodes = f"{facts.nodes or '?'} nodes" if facts.nodes != 1 else "1 node"
    setup = (
        f"{nodes}, {facts.osd_device_model or '?'}, {_given(facts.network_Gbps)} Gbit/s, size {_given(facts.pool_size)}"
    )
    depth = f"{_given(facts.clients)} x QD{_given(facts.queue_depth)}"
    load = f"{format_block(facts.block_bytes or 4096)} {facts.op}, {depth}"
    predicted = f"{seen.iops:,.0f} ({seen.interval.low:,.0f} to {seen.interval.high:,.0f})"
    return f"| {setup} | {load} | {rate:,.0f} | {predicted} | {seen.iops / rate:.2f} | {seen.bottleneck} |"


def _given(value: float | None) -> str:
    return "?" if value is None else f"{value:g}"


def main() -> None:
    published = load_published(fitted())
    lines = ["# Exams: published tables against predictions", ""]
    lines += [
        "Written by `python scripts/exams.py`. Rates in operations per second. Each source is predicted by a model"
    ]
    lines += [
        "fitted without the laboratories it reports; `?` is what the source does not state and the model assumed.",
        "",
    ]
    for source in SEEDS:
        lines += exam(published, source)
    (ROOT / "docs/exams.md").write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(line for line in lines if line.startswith(("##", "Median"))))


if __name__ == "__main__":
    main()
