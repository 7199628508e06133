"""`radoscope predict`: what a cluster will do, from its hardware or from what was measured on it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TextIO

import click

from radoscope.errors import PlanError


@click.command()
@click.argument("cluster", required=False)
@click.option("--batch", "batch", type=click.Path(dir_okay=False, allow_dash=True), help="One JSON record a line.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def command(cluster: str | None, batch: str | None, as_json: bool) -> None:
    """Predict IOPS, MB/s and latency of a cluster, with 80 % intervals, the bottleneck and the latency budget."""
    if batch is not None:
        _answer_batch(batch)
        return
    raise PlanError("nothing to predict", "Give a cluster.toml, a study, or --batch FACTS.jsonl.")


def _answer_batch(path: str) -> None:
    from radoscope import predict  # start-up time: --help needs no model

    model = predict.load_model()
    with _opened(path) as lines:
        for row in predict.forecast_lines(lines, model):
            click.echo(json.dumps(row, ensure_ascii=False))


def _opened(path: str) -> TextIO:
    if path == "-":
        return sys.stdin
    try:
        return Path(path).open(encoding="utf-8")
    except OSError as fault:
        raise PlanError(
            f"{path} cannot be read: {fault.strerror}", "Give a file with one JSON object a line."
        ) from fault
