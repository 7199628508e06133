"""radoscope predict: what a cluster, or a change to it, would reach; tables, ratios, the ladder of a study."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from radoscope.cli.known import read_known
from radoscope.errors import PlanError
from radoscope.units import format_count, format_seconds

if TYPE_CHECKING:  # start-up time: the model is loaded by those paths that need it
    from radoscope.predict import Description, Forecast, Known, Ladder, Model, Question, Ratio


def show_cluster(rows: list[tuple[str, Forecast, tuple[Ratio, ...]]]) -> None:
    from radoscope import predict  # start-up time: --help needs no model

    click.echo(f"{'workload':<22} {'IOPS':>10} {'80 % interval':>23} {'MB/s':>8} {'latency':>10}  bottleneck")
    for name, seen, _ in rows:
        span = f"{format_count(seen.interval.low)} to {format_count(seen.interval.high)}"
        megabytes = format_count(seen.bandwidth_bytes_per_s / 1e6)
        click.echo(
            f"{name:<22} {format_count(seen.iops):>10} {span:>23} {megabytes:>8} "
            f"{format_seconds(seen.latency_s):>10}  {seen.bottleneck}"
        )
    show_ratios((name, ratios) for name, _, ratios in rows)
    name, seen, _ = rows[0]
    click.echo(f"\nWhere {format_seconds(seen.latency_s)} go ({name}):")
    click.echo(predict.draw_bars(predict.budget(seen)))
    if seen.p99_s is not None:
        band = f"{format_seconds(seen.p99_s.low)} to {format_seconds(seen.p99_s.high)}"
        click.echo(f"\np99 lies somewhere in {band}: no hardware fact determines the tail.")
    assumed = dict.fromkeys(item for _, one, _ in rows for item in one.assumed)
    if assumed:
        click.echo("Assumed, because not given: " + "; ".join(assumed) + ".")


def show_questions(questions: tuple[Question, ...]) -> None:
    for one in questions:
        click.echo(f"What would narrow this most: {one}.")


def show_ratios(rows: Iterable[tuple[str, tuple[Ratio, ...]]]) -> None:
    for name, ratios in rows:
        if ratios:
            click.echo(f"\n{name}: what if")
        for ratio in ratios:
            show_ratio(ratio)


def show_ratio(ratio: Ratio) -> None:
    what = " and ".join(str(change) for change in ratio.changes)
    span = f"{ratio.interval.low:.2f} to {ratio.interval.high:.2f}"
    click.echo(f"  {what:<44} x{ratio.ratio:.2f} ({span}) -> {format_count(ratio.iops)} IOPS; then: {ratio.next}")


def show_ladder(ladder: Ladder) -> None:
    click.echo("Taken from the study: " + ("; ".join(ladder.measured) or "nothing below RADOS was measured") + ".")
    columns = f"{'cell':<28} {'predicted':>10} {'80 % interval':>23} {'measured':>10} {'ratio':>6}"
    click.echo(f"\n{columns}  learnt for the layers above")
    for rung in ladder.rungs:
        span = f"{format_count(rung.interval.low)} to {format_count(rung.interval.high)}"
        measured, predicted = format_count(rung.measured_iops), format_count(rung.predicted_iops)
        columns = f"{rung.cell:<28} {predicted:>10} {span:>23} {measured:>10} {rung.ratio:>6.2f}"
        click.echo(f"{columns}  {rung.calibrated or '-'}")
    for gap in ladder.gaps:
        click.echo(f"\n{gap.claim}\n  because: {'; '.join(gap.because)}\n  next: {gap.try_next}")
    if ladder.assumed:
        click.echo("\nAssumed, because not measured: " + "; ".join(ladder.assumed) + ".")


@click.command()
@click.argument("cluster", required=False)
@click.option(
    "--workload",
    "workloads",
    multiple=True,
    metavar="NAME",
    help="A load such as 4k-randwrite-qd1 or 4M-read-qd16-x4; repeatable.",
)
@click.option(
    "--what-if",
    "changes",
    multiple=True,
    metavar="'KEY = VALUE'",
    help="What would change, e.g. 'nodes = 6'; repeatable.",
)
@click.option(
    "--known",
    "known",
    multiple=True,
    metavar="WHAT",
    help="What was measured there: '4k write qd1 = 450 iops', a file of fio or rados bench output, a study or an "
    "import; repeatable. Everything else follows it.",
)
@click.option(
    "--target", metavar="TEXT", help="Find the cheapest change that reaches this, e.g. '200 clients x 500 write IOPS'."
)
@click.option(
    "--batch",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="One JSON record a line in, one a line out; - is stdin.",
)
@click.option("-o", "--output", metavar="FILE", help="Write the decision page: present and planned side by side.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def command(
    cluster: str | None,
    workloads: tuple[str, ...],
    changes: tuple[str, ...],
    known: tuple[str, ...],
    target: str | None,
    batch: str | None,
    output: str | None,
    as_json: bool,
) -> None:
    """Predict IOPS, MB/s and latency of a cluster.

    CLUSTER is a cluster.toml with hardware facts, or the name of a study: then the model is calibrated on what was
    measured, layer by layer. Every answer has its 80 % interval, the bottleneck, and what was assumed.
    """
    given = {"--workload": workloads, "--what-if": changes, "--known": known, "--target": target, "--output": output}
    asked = [name for name, value in given.items() if value]
    if batch is not None:
        _refuse(["CLUSTER"] * (cluster is not None) + asked, "--batch", "Each line of a batch is complete in itself.")
        _answer_batch(batch)
    elif cluster is None:
        raise PlanError("nothing to predict", "Give a cluster.toml, a study, or --batch FACTS.jsonl.")
    elif Path(cluster).suffix == ".toml":
        described, rates = _read_cluster(Path(cluster), known)
        if output is not None:
            _refuse(["--json"] * as_json, "--output", "The page is one answer, JSON another.")
            _write_plan(Path(output), Path(cluster).name, described, rates, workloads, changes, target)
        else:
            _answer_cluster(described, rates, workloads, changes, target, as_json)
    else:
        loads = [name for name in asked if name != "--what-if"]
        _refuse(loads, "a study", "A study has its own cells; describe the cluster in a cluster.toml to ask for more.")
        _answer_study(cluster, changes, as_json)


def _refuse(names: list[str], mode: str, hint: str) -> None:
    """Raises PlanError for what would otherwise be ignored in silence."""
    if names:
        raise PlanError(f"{' and '.join(names)} cannot go with {mode}", hint)


def _answer_batch(path: str) -> None:
    from radoscope import predict  # start-up time: --help needs no model

    model = predict.load_model()
    with _opened(path) as lines:
        for row in predict.forecast_lines(lines, model):
            click.echo(json.dumps(row, ensure_ascii=False))


@contextmanager
def _opened(path: str) -> Iterator[TextIO]:
    if path == "-":
        yield sys.stdin
        return
    try:
        with Path(path).open(encoding="utf-8", errors="replace") as file:  # one broken line spoils no other
            yield file
    except OSError as fault:
        raise PlanError(
            f"{path} cannot be read: {fault.strerror}", "Give a file with one JSON object a line."
        ) from fault


def _read_cluster(path: Path, known: tuple[str, ...]) -> tuple[Description, tuple[Known, ...]]:
    """(the file's description with what was measured of drive and network, the known rates)."""
    from radoscope import predict  # start-up time: --help needs no model

    try:
        text = path.read_text(encoding="utf-8")
    except OSError as fault:
        raise PlanError(
            f"{path} cannot be read: {fault.strerror}", "Give a cluster.toml; docs/verbs/predict.md has one."
        ) from fault
    except UnicodeDecodeError as fault:
        raise PlanError(f"{path} is not UTF-8 text", "Give a cluster.toml; docs/verbs/predict.md has one.") from fault
    described = predict.read_cluster(text)
    facts, rates = read_known(known, described.facts)
    return replace(described, facts=facts), rates


def _write_plan(
    file: Path,
    title: str,
    described: Description,
    known: tuple[Known, ...],
    workloads: tuple[str, ...],
    changes: tuple[str, ...],
    target: str | None,
) -> None:
    from radoscope import predict  # start-up time: --help needs neither
    from radoscope.report.plan_page import render_plan

    plan = predict.plan_options(
        described.facts,
        predict.parse_changes(changes),
        workloads or described.workloads or predict.STANDARD,
        predict.load_model(),
        known,
        described.costs if described.currency else {**predict.COSTS, **described.costs},
        described.currency,
        predict.parse_target(target) if target else None,
    )
    try:
        file.write_text(render_plan(plan, title), encoding="utf-8")
    except OSError as fault:
        raise PlanError(f"{file} cannot be written: {fault.strerror}", "Name a file in a folder of yours.") from fault
    click.echo(f"Written: {file}")


def _answer_cluster(
    described: Description,
    rates: tuple[Known, ...],
    workloads: tuple[str, ...],
    changes: tuple[str, ...],
    target: str | None,
    as_json: bool,
) -> None:
    from radoscope import predict  # start-up time: --help needs no model

    model = predict.load_model()
    facts = described.facts
    if target is not None:
        _answer_target(described, target, model, rates, as_json)
        return
    wanted = predict.parse_changes(changes)
    names = workloads or described.workloads or predict.STANDARD
    found = predict.forecast_all([predict.apply_workload(facts, name) for name in names], wanted, model, rates)
    rows = [(name, *answer) for name, answer in zip(names, found, strict=True)]
    if as_json:
        from radoscope import wire  # start-up time

        said = wire.document("forecast", forecasts=[_as_json(*row) for row in rows])
        click.echo(json.dumps(said, ensure_ascii=False, indent=1))
        return
    show_cluster(rows)
    show_questions(predict.ask(facts, names, model, rates))


def _as_json(name: str, seen: Forecast, ratios: tuple[Ratio, ...]) -> dict[str, Any]:
    from radoscope import predict, wire  # start-up time

    what_if = {"what_if": [wire.change(ratio) for ratio in ratios]} if ratios else {}
    return {**wire.forecast(name, seen, predict.budget(seen)), **what_if}


def _answer_target(described: Description, text: str, model: Model, known: tuple[Known, ...], as_json: bool) -> None:
    from radoscope import predict, wire  # start-up time: --help needs no model

    target = predict.parse_target(text)
    found = predict.search(described.facts, target, model, {**predict.COSTS, **described.costs}, known)
    if as_json:
        rows = [{**wire.change(one.ratio), "cost": round(one.cost, 2), "surely": one.surely} for one in found]
        said = wire.document("search", target_iops=target.total, reached_by=rows)
        click.echo(json.dumps(said, ensure_ascii=False, indent=1))
        return
    now = predict.forecast(predict.aimed(described.facts, target), model, known)
    click.echo(
        f"Wanted: {format_count(target.total)} IOPS. As it is: {format_count(now.iops)}; bottleneck: {now.bottleneck}."
    )
    if any(change.key == "size" for one in found for change in one.ratio.changes):
        click.echo("Note: two copies survive one failure at a time; Ceph recommends three.")
    if not found:
        click.echo(f"No set of up to {predict.AT_MOST} changes reaches it in the model.")
    for one in found:
        what = " and ".join(str(change) for change in one.ratio.changes) or "nothing needs to change"
        sure = "even at the low end of the 80 % interval" if one.surely else "at the middle of the 80 % interval"
        click.echo(
            f"  effort {one.cost:>5.1f}  {what}: {format_count(one.ratio.iops)} IOPS, {sure}; then: {one.ratio.next}"
        )


def _answer_study(name: str, changes: tuple[str, ...], as_json: bool) -> None:
    from radoscope import predict, wire, workflow  # start-up time: --help needs neither

    wanted = predict.parse_changes(changes)
    study = workflow.load_study(name)
    summaries, _ = workflow.assess(study)
    model = predict.load_model()
    ladder = predict.fit_study(study, summaries, model)
    ratios = predict.what_if_study(study, summaries, wanted, model) if wanted else ()
    if as_json:
        said = wire.document("fit", study=study.id, **wire.fitted(ladder))
        if wanted:
            said["what_if"] = {cell: [wire.change(one) for one in found] for cell, found in ratios}
        click.echo(json.dumps(said, ensure_ascii=False, indent=1))
        return
    show_ladder(ladder)
    show_ratios(ratios)
    facts, known, _ = predict.known_of_study(study, summaries)
    show_questions(predict.ask(facts, predict.STANDARD, model, known))
