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

from radoscope.errors import PlanError
from radoscope.faults import text_of
from radoscope.units import format_count, format_seconds
from radoscope.words import _, joined, padded

if TYPE_CHECKING:  # start-up time: the model is loaded by those paths that need it
    from radoscope.predict.ask import Question
    from radoscope.predict.cluster import Description
    from radoscope.predict.forecast import Forecast
    from radoscope.predict.insitu import ModelLadder
    from radoscope.predict.outlook import Known
    from radoscope.predict.whatif import Gain
    from radoscope.stats.values import Interval


def show_cluster(rows: list[tuple[str, Forecast, tuple[Gain, ...]]]) -> None:
    from radoscope.predict.forecast import budget, draw_bars  # start-up time: --help needs no model

    heads = padded(_("workload"), 22), f"{'IOPS':>10}", padded(_("80 % interval"), 23, right=True), f"{'MB/s':>8}"
    click.echo(" ".join((*heads, padded(_("latency"), 10, right=True), "", _("bottleneck"))))
    for name, seen, _ratios in rows:
        span = padded(_span(seen.interval), 23, right=True)
        megabytes = format_count(seen.bandwidth_bytes_per_s / 1e6)
        click.echo(
            f"{name:<22} {format_count(seen.iops):>10} {span} {megabytes:>8} "
            f"{format_seconds(seen.latency_s):>10}  {_(seen.bottleneck)}"
        )
    show_ratios((name, ratios) for name, _seen, ratios in rows)
    name, seen, _ratios = rows[0]
    click.echo("\n" + _("Where {time} go ({load}):", time=format_seconds(seen.latency_s), load=name))
    click.echo(draw_bars(budget(seen)))
    if seen.p99_s is not None:
        low, high = format_seconds(seen.p99_s.low), format_seconds(seen.p99_s.high)
        click.echo(
            "\n" + _("p99 lies somewhere in {low} to {high}: no hardware fact determines the tail.", low=low, high=high)
        )
    assumed = dict.fromkeys(item for _name, one, _ratios in rows for item in one.assumed)
    if assumed:
        click.echo(_("Assumed, because not given: {facts}.", facts="; ".join(assumed)))


def show_questions(questions: tuple[Question, ...]) -> None:
    for one in questions:
        click.echo(_("What would narrow this most: {question}.", question=one))


def show_ratios(rows: Iterable[tuple[str, tuple[Gain, ...]]]) -> None:
    for name, ratios in rows:
        if ratios:
            click.echo("\n" + _("{load}: what if", load=name))
        for ratio in ratios:
            show_ratio(ratio)


def show_ratio(ratio: Gain) -> None:
    what = padded(_(" and ").join(str(change) for change in ratio.changes), 44)
    times = _(
        "x{ratio:.2f} ({low:.2f} to {high:.2f})", ratio=ratio.ratio, low=ratio.interval.low, high=ratio.interval.high
    )
    click.echo(
        f"  {what} {times} -> " + _("{rate} IOPS; then: {next}", rate=format_count(ratio.iops), next=_(ratio.next))
    )


def _span(interval: Interval) -> str:
    return _("{low} to {high}", low=format_count(interval.low), high=format_count(interval.high))


def show_ladder(ladder: ModelLadder) -> None:
    taken = joined(ladder.measured) or _("nothing below RADOS was measured")
    click.echo(_("Taken from the study: {facts}.", facts=taken))
    heads = ((_("predicted"), 10), (_("80 % interval"), 23), (_("measured"), 10), (_("ratio"), 6))
    titles = " ".join([padded(_("cell"), 28), *(padded(title, width, right=True) for title, width in heads)])
    click.echo(f"\n{titles}  " + _("learnt for the layers above"))
    for rung in ladder.rungs:
        span = padded(_span(rung.interval), 23, right=True)
        measured, predicted = format_count(rung.measured_iops), format_count(rung.predicted_iops)
        columns = f"{rung.cell:<28} {predicted:>10} {span} {measured:>10} {rung.ratio:>6.2f}"
        click.echo(f"{columns}  {rung.calibrated or '-'}")
    for gap in ladder.gaps:
        click.echo(f"\n{gap.claim}\n  " + _("because: {facts}", facts=joined(gap.because)))
        click.echo("  " + _("next: {step}", step=gap.try_next))
    if ladder.assumed:
        click.echo("\n" + _("Assumed, because not measured: {facts}.", facts="; ".join(ladder.assumed)))


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
    help="Read one JSON record per line, print one answer per line; - is stdin.",
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
    from radoscope.predict.known import forecast_lines  # start-up time: --help needs no model

    with _opened(path) as lines:
        for row in forecast_lines(lines):
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
    from radoscope.predict.cluster import read_cluster  # start-up time: --help needs no model

    described = read_cluster(text_of(path, "Give a cluster.toml; docs/verbs/predict.md has one."))
    if not known:
        return described, ()
    from radoscope.workflow.known import read_known  # start-up time: brings the records of studies

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
    from radoscope.predict.facts import STANDARD  # start-up time: --help needs neither
    from radoscope.predict.plan import COSTS, parse_target, plan_options
    from radoscope.predict.whatif import parse_changes
    from radoscope.report.rates import render_plan

    plan = plan_options(
        described.facts,
        parse_changes(changes),
        workloads or described.workloads or STANDARD,
        known,
        described.costs if described.currency else {**COSTS, **described.costs},
        described.currency,
        parse_target(target) if target else None,
    )
    try:
        file.write_text(render_plan(plan, title), encoding="utf-8")
    except OSError as fault:
        raise PlanError(
            f"{file} cannot be written: {fault.strerror}", "Name a file in a folder that you can write to."
        ) from fault
    click.echo(f"Written: {file}")


def _answer_cluster(
    described: Description,
    rates: tuple[Known, ...],
    workloads: tuple[str, ...],
    changes: tuple[str, ...],
    target: str | None,
    as_json: bool,
) -> None:
    from radoscope.predict.ask import ask  # start-up time: --help needs no model
    from radoscope.predict.facts import STANDARD, apply_workload
    from radoscope.predict.whatif import forecast_all, parse_changes

    facts = described.facts
    if target is not None:
        _answer_target(described, target, rates, as_json)
        return
    wanted = parse_changes(changes)
    names = workloads or described.workloads or STANDARD
    found = forecast_all([apply_workload(facts, name) for name in names], wanted, rates)
    rows = [(name, *answer) for name, answer in zip(names, found, strict=True)]
    if as_json:
        from radoscope import wire  # start-up time

        said = wire.document("forecast", forecasts=[_as_json(*row) for row in rows])
        click.echo(json.dumps(said, ensure_ascii=False, indent=1))
        return
    show_cluster(rows)
    show_questions(ask(facts, names, rates))


def _as_json(name: str, seen: Forecast, ratios: tuple[Gain, ...]) -> dict[str, Any]:
    from radoscope import wire  # start-up time
    from radoscope.predict.forecast import budget

    what_if = {"what_if": [wire.change(ratio) for ratio in ratios]} if ratios else {}
    return {**wire.forecast(name, seen, budget(seen)), **what_if}


def _answer_target(described: Description, text: str, known: tuple[Known, ...], as_json: bool) -> None:
    from radoscope import wire  # start-up time: --help needs no model
    from radoscope.predict.outlook import forecast
    from radoscope.predict.plan import AT_MOST, COSTS, aimed, parse_target, search

    target = parse_target(text)
    found = search(described.facts, target, {**COSTS, **described.costs}, known)
    if as_json:
        rows = [{**wire.change(one.ratio), "cost": round(one.cost, 2), "surely": one.surely} for one in found]
        said = wire.document("search", target_iops=target.total, reached_by=rows)
        click.echo(json.dumps(said, ensure_ascii=False, indent=1))
        return
    now = forecast(aimed(described.facts, target), known)
    click.echo(
        _(
            "Wanted: {wanted} IOPS. As it is: {now}; bottleneck: {bottleneck}.",
            wanted=format_count(target.total),
            now=format_count(now.iops),
            bottleneck=_(now.bottleneck),
        )
    )
    if any(change.key == "size" for one in found for change in one.ratio.changes):
        click.echo(_("Note: two copies survive one failure at a time; Ceph recommends three."))
    if not found:
        click.echo(_("No set of up to {number} changes reaches it in the model.", number=AT_MOST))
    for one in found:
        what = _(" and ").join(str(change) for change in one.ratio.changes) or _("nothing needs to change")
        said = {"cost": one.cost, "what": what, "rate": format_count(one.ratio.iops), "next": _(one.ratio.next)}
        if one.surely:
            text = _(
                "effort {cost:>5.1f}  {what}: {rate} IOPS, even at the low end of the 80 % interval; then: {next}",
                **said,
            )
        else:
            text = _(
                "effort {cost:>5.1f}  {what}: {rate} IOPS, at the middle of the 80 % interval; then: {next}", **said
            )
        click.echo("  " + text)


def _answer_study(name: str, changes: tuple[str, ...], as_json: bool) -> None:
    from radoscope import wire, workflow  # start-up time: --help needs neither
    from radoscope.predict.ask import OWN_CLUSTER, ask
    from radoscope.predict.facts import STANDARD
    from radoscope.predict.insitu import fit_study, known_of_study, what_if_study
    from radoscope.predict.whatif import parse_changes

    wanted = parse_changes(changes)
    study = workflow.load_study(name)
    summaries = workflow.assess(study).summaries
    ladder = fit_study(study, summaries)
    ratios = what_if_study(study, summaries, wanted) if wanted else ()
    if as_json:
        said = wire.document("fit", study=study.id, **wire.fitted(ladder))
        if wanted:
            said["what_if"] = {cell: [wire.change(one) for one in found] for cell, found in ratios}
        click.echo(json.dumps(said, ensure_ascii=False, indent=1))
        return
    show_ladder(ladder)
    show_ratios(ratios)
    facts, known, _ = known_of_study(study, summaries)
    where = f"--sandbox {study.sandbox}" if study.sandbox else OWN_CLUSTER
    show_questions(ask(facts, STANDARD, known, where))
