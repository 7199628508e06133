"""`radoscope simulate`: a cluster event by event."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from radoscope.faults import Faults, text_of
from radoscope.units import format_bytes, format_count, format_seconds

if TYPE_CHECKING:  # start-up time: --help needs neither numpy nor numba
    from radoscope.predict.facts import Facts
    from radoscope.predict.simulate.model import SimulationModel
    from radoscope.predict.simulate.replications import Estimates, Replications
    from radoscope.predict.simulate.request import SimulationRequest
    from radoscope.predict.simulate.results import SimulationResult
    from radoscope.stats.values import Estimate


@click.command()
@click.argument("cluster")
@click.option("--workload", "workloads", multiple=True, metavar="NAME[@RATE]",
              help="A load such as 4k-randwrite-qd32-x8; repeatable, all run at the same time. With @RATE it is an "
                   "open load of that many IOPS.")  # fmt: skip
@click.option("--seconds", default="1s", show_default=True, help="Length of the run, in the cluster's own time.")
@click.option("--warm-up", metavar="TIME", help="Left out of rates and latencies; a fifth of the run by default.")
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same run, bit by bit.")
@click.option("--slice", "share", metavar="SHARE", help="Simulate a part of the hosts at equal load per OSD, e.g. 0.1.")
@click.option("--lose-osd", "lose_osd", multiple=True, metavar="OSD@TIME",
              help="An OSD dies, e.g. 3@400ms; repeatable.")  # fmt: skip
@click.option("--lose-node", "lose_node", multiple=True, metavar="HOST@TIME",
              help="All OSDs of a host die; hosts are numbered from 0.")  # fmt: skip
@click.option("--return-after", metavar="TIME", help="The OSD returns this long after its loss, and is recovered.")
@click.option(
    "--out-after", metavar="TIME", help="The OSD is marked out this long after its loss, and its groups move."
)
@click.option("--detect", default="1s", show_default=True, help="From the loss until it is noticed.")
@click.option("--peering", default="1s", show_default=True, help="Pause of the groups until they serve again.")
@click.option("--mclock", default="balanced", show_default=True, metavar="PROFILE",
              help="Recovery's share: balanced, high_client_ops, high_recovery_ops, wpq, or none.")  # fmt: skip
@click.option("--max-backfills", default="1", show_default=True, metavar="N",
              help="Placement groups that an OSD copies at the same time, with wpq (osd_max_backfills).")  # fmt: skip
@click.option(
    "--stalls", metavar="RATE/TIME", help="Stalls of each OSD: number per second and duration, e.g. 0.5/20ms."
)
@click.option("--replications", default="1", show_default=True, metavar="N",
              help="Number of independent runs, spread over the cores, for 95 % intervals.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="All results, with histograms and time series.")
def command(
    cluster: str,
    workloads: tuple[str, ...],
    lose_osd: tuple[str, ...],
    lose_node: tuple[str, ...],
    as_json: bool,
    **texts: str | None,
) -> None:
    """Simulate a cluster, event by event: latency distributions, an OSD lost under load, stalls.

    CLUSTER is a cluster.toml as for `radoscope predict`. Little's law and flow balance are checked on every run.
    """
    from radoscope.predict.simulate.replications import replicate  # start-up time: --help needs no model

    asked = _read_all(cluster, workloads, {**texts, "lose_osd": ",".join(lose_osd), "lose_node": ",".join(lose_node)})
    model, assumed = asked.model, asked.assumed
    _say_compiling()
    several = replicate(
        model, seconds=asked.seconds, warm_up_s=asked.warm_up_s, seed=asked.seed, replications=asked.replications
    )
    if as_json:
        click.echo(json.dumps(_as_json(several, assumed)))
    elif asked.replications > 1:
        click.echo(_as_intervals(model, several, assumed))
    else:
        click.echo(_as_text(model, several.runs[0], assumed))


def _read_all(cluster: str, workloads: tuple[str, ...], texts: dict[str, str | None]) -> SimulationRequest:
    """Raises PlanError with every fault at once."""
    from radoscope.predict.simulate.request import read_request  # start-up time

    faults = Faults()
    facts = faults.attempt("cluster", lambda: _read_cluster(Path(cluster)))
    return read_request(facts, workloads, texts, faults)


def _read_cluster(path: Path) -> Facts:
    from radoscope.predict.cluster import read_cluster  # start-up time

    return read_cluster(text_of(path, "examples/cluster.toml is one to start from.")).facts


def _say_compiling() -> None:
    from radoscope.predict.simulate import compiling  # start-up time

    if not compiling.can_compile():
        click.echo(
            "numba is not installed, so this runs a thousand times slower: pip install 'radoscope[simulate]'", err=True
        )
    elif not compiling.cache_folder().exists():
        click.echo("Compiling the simulator, once for this version; it takes some ten to twenty seconds.", err=True)


def _as_text(model: SimulationModel, result: SimulationResult, assumed: tuple[str, ...]) -> str:
    lines = [f"{'':24}{'IOPS':>12}{'bytes/s':>12}{'mean':>12}{'p50':>12}{'p99':>12}{'p99.9':>12}{'longest':>12}"]
    for route in result.routes:
        told = route.latency.percentiles_s
        times = [route.latency.mean_s, told.get(50.0), told.get(99.0), told.get(99.9), route.latency.max_s]
        cells = [format_count(route.iops), format_bytes(route.bandwidth_bytes_per_s)]
        cells += ["-" if time is None else format_seconds(time) for time in times]
        lines.append(f"{route.name:24}" + "".join(f"{cell:>12}" for cell in cells))
    lines += ["", f"{'':24}{'busy':>12}{'busiest':>12}{'mean wait':>12}"]
    for station in result.stations:
        cells = [f"{station.busy:.0%}", f"{station.busiest:.0%}", format_seconds(station.waited_s)]
        lines.append(f"{station.name:24}" + "".join(f"{cell:>12}" for cell in cells))
    lines += _phase_lines(result)
    speed = f"{result.events / max(result.wall_s, 1e-9) / 1e6:.1f} million a second"
    lines += [
        "",
        f"{model.osds} OSDs on {model.nodes} hosts, {model.groups} placement groups, seed {result.seed}: "
        f"{format_seconds(result.seconds)}, of which {format_seconds(result.warm_up_s)} warm-up.",
        f"{format_count(result.events)} events in {format_seconds(result.wall_s)} ({speed}); "
        "Little's law and flow balance hold.",
    ]
    lines += result.remarks
    if assumed:
        lines.append("Assumed: " + "; ".join(assumed) + ".")
    return "\n".join(lines)


def _phase_lines(result: SimulationResult) -> list[str]:
    """What clients saw before, during and after an OSD's loss, and how long recovery took."""
    if not result.phases:
        return []
    lines = ["", f"{'clients':24}{'from':>12}{'to':>12}{'IOPS':>12}{'mean':>12}{'p99':>12}{'p99.9':>12}{'longest':>12}"]
    for phase in result.phases:
        told = phase.latency
        times = [told.mean_s, told.percentiles_s.get(99.0), told.percentiles_s.get(99.9), told.max_s]
        cells = [format_seconds(phase.from_s), format_seconds(phase.to_s), format_count(phase.iops)]
        cells += ["-" if time is None else format_seconds(time) for time in times]
        lines.append(f"{phase.name:24}" + "".join(f"{cell:>12}" for cell in cells))
    if result.recovery_s is not None:
        lines.append(f"Recovery took {format_seconds(result.recovery_s)}.")
    elif result.left_to_recover:
        lines.append(f"Recovery had {format_count(result.left_to_recover)} objects left when the run ended.")
    return lines


def _as_intervals(model: SimulationModel, several: Replications, assumed: tuple[str, ...]) -> str:
    """Means over replications, each with half the width of its 95 % interval."""
    columns = ("IOPS", "mean", "p50", "p99", "p99.9")
    lines = [f"{'':24}" + "".join(f"{column:>22}" for column in columns)]
    lines += [_interval_line(one) for one in several.routes]
    if several.phases:
        lines += ["", f"{'clients':24}"] + [_interval_line(one) for one in several.phases]
    if several.recovery_s is not None:
        lines.append(f"Recovery took {_plus_minus(several.recovery_s, format_seconds)}.")
    runs = several.runs
    lines += [
        "",
        f"{model.osds} OSDs on {model.nodes} hosts, {model.groups} placement groups, {len(runs)} replications of "
        f"{format_seconds(runs[0].seconds)}, each with a placement and draws of its own; seeds from {runs[0].seed} on.",
        "+-: half of the 95 % interval of the mean over replications. It shows the randomness of the "
        "simulation, not how far the model is from your cluster.",
        f"{format_count(sum(run.events for run in runs))} events; Little's law and flow balance hold in each run.",
        *dict.fromkeys(remark for run in runs for remark in run.remarks),
    ]
    if assumed:
        lines.append("Assumed: " + "; ".join(assumed) + ".")
    return "\n".join(lines)


def _interval_line(one: Estimates) -> str:
    cells = [_plus_minus(one.iops, format_count)]
    told = [one.mean_s, *(one.percentiles_s.get(percent) for percent in (50.0, 99.0, 99.9))]
    cells += ["-" if estimate is None else _plus_minus(estimate, format_seconds) for estimate in told]
    return f"{one.name:24}" + "".join(f"{cell:>22}" for cell in cells)


def _plus_minus(estimate: Estimate, write: Callable[[float], str]) -> str:
    share = estimate.relative_half_width
    return write(estimate.value) + ("" if share is None else f" +-{share:.1%}")


def _as_json(several: Replications, assumed: tuple[str, ...]) -> dict[str, Any]:
    """The one run, or all replications with their intervals."""
    from radoscope import wire  # start-up time

    runs = [_run_json(run) for run in several.runs]
    if len(runs) == 1:
        return wire.document("simulation", **runs[0], assumed=assumed)
    return wire.document("replications", **{**wire.plain(several), "runs": runs}, assumed=assumed)


def _run_json(run: SimulationResult) -> dict[str, Any]:
    from radoscope import wire  # start-up time
    from radoscope.records.fields import latency_field

    return {**wire.plain(run), "iops": run.iops, latency_field(None): run.mean_latency_s}
