"""What `radoscope predict` prints: tables, ratios, the ladder of a study."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from radoscope.units import format_count, format_seconds

if TYPE_CHECKING:  # start-up time: the model is loaded by those paths that need it
    from radoscope.predict import Forecast, Ladder, Question, Ratio


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
