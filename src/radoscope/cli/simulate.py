"""`radoscope simulate`: a cluster event by event."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from radoscope.errors import PlanError, RadoscopeError
from radoscope.units import format_bytes, format_count, format_seconds, parse_seconds

if TYPE_CHECKING:  # start-up time: --help needs neither numpy nor numba
    from radoscope.predict import Facts
    from radoscope.predict.simulate.bridge import LoadFacts
    from radoscope.predict.simulate.model import OsdLoss, SimulationModel
    from radoscope.predict.simulate.replications import Estimates, Replications
    from radoscope.predict.simulate.results import SimulationResult
    from radoscope.stats.values import Estimate

_Value = TypeVar("_Value")
_MAX_EVENTS = 3e9
_MOST_REPLICATIONS = 1000


@click.command()
@click.argument("cluster")
@click.option("--workload", "workloads", multiple=True, metavar="NAME[@RATE]",
              help="A load such as 4k-randwrite-qd32-x8; repeatable, all run at the same time. With @RATE it is an "
                   "open load of that many IOPS.")  # fmt: skip
@click.option("--seconds", default="1s", show_default=True, help="Length of the run, in the cluster's own time.")
@click.option("--warm-up", metavar="TIME", help="Left out of rates and latencies; a fifth of the run by default.")
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same run, bit by bit.")
@click.option("--slice", "share", metavar="SHARE", help="Simulate a part of the hosts at equal load per OSD, e.g. 0.1.")
@click.option("--lose-osd", metavar="OSD@TIME", help="An OSD dies, e.g. 3@400ms.")
@click.option("--return-after", metavar="TIME", help="It returns so long after its loss, and is recovered.")
@click.option("--out-after", metavar="TIME", help="It is marked out so long after its loss, and its groups move.")
@click.option("--detect", default="1s", show_default=True, help="From the loss until it is noticed.")
@click.option("--peering", default="1s", show_default=True, help="Pause of the groups until they serve again.")
@click.option("--mclock", default="balanced", show_default=True, metavar="PROFILE",
              help="Recovery's share of an OSD: balanced, high_client_ops, high_recovery_ops, or none.")  # fmt: skip
@click.option("--stalls", metavar="RATE/TIME", help="Stalls of each OSD: how many a second, how long, e.g. 0.5/20ms.")
@click.option("--replications", default="1", show_default=True, metavar="N",
              help="So many independent runs, over the cores, and 95 % intervals from them.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="All results, with histograms and time series.")
def command(cluster: str, workloads: tuple[str, ...], as_json: bool, **texts: str | None) -> None:
    """Simulate a cluster, event by event: latency distributions, an OSD lost under load, stalls.

    CLUSTER is a cluster.toml as for `radoscope predict`. Little's law and flow balance are checked on every run.
    """
    from radoscope.predict.simulate.replications import replicate  # start-up time: --help needs no model

    model, options, assumed = _read_all(cluster, workloads, texts)
    _check_size(model, options)
    _say_compiling()
    several = replicate(
        model, seconds=options.seconds, warm_up_s=options.warm_up_s, seed=options.seed,
        replications=options.replications,
    )  # fmt: skip
    if as_json:
        click.echo(json.dumps(_as_json(several, assumed)))
    elif options.replications > 1:
        click.echo(_as_intervals(model, several, assumed))
    else:
        click.echo(_as_text(model, several.runs[0], assumed))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    seconds: float
    warm_up_s: float
    seed: int
    replications: int


@dataclass(slots=True)
class _Faults:
    """Collects faults, to report them all at once."""

    sentences: list[str] = field(default_factory=list)
    hints: list[str] = field(default_factory=list)

    def attempt(self, where: str, read: Callable[[], _Value]) -> _Value | None:
        """What `read` gives; where it cannot, the fault is kept and None stands for it."""
        try:
            return read()
        except RadoscopeError as fault:
            self.add(f"{where}: {fault.message}", fault.hint)
        except ValueError as fault:
            self.add(f"{where}: {fault}")
        return None

    def add(self, sentence: str, hint: str = "") -> None:
        self.sentences.append(sentence)
        if hint and hint not in self.hints:
            self.hints.append(hint)

    def raise_any(self) -> None:
        if len(self.sentences) == 1:
            raise PlanError(self.sentences[0], " ".join(self.hints))
        if self.sentences:
            listed = "\n  ".join(self.sentences)
            raise PlanError(f"{len(self.sentences)} faults:\n  {listed}", " ".join(self.hints))


def _read_all(
    cluster: str, workloads: tuple[str, ...], texts: dict[str, str | None]
) -> tuple[SimulationModel, _Options, tuple[str, ...]]:
    """(model, options, what was assumed). Raises PlanError with every fault at once."""
    faults = _Faults()
    facts = faults.attempt("cluster", lambda: _read_cluster(Path(cluster)))
    loads = [faults.attempt("--workload", lambda w=w: _read_load(w, facts)) for w in workloads]  # type: ignore[misc]
    if not workloads:
        faults.add("--workload: none is given", "For example --workload 4k-randwrite-qd32-x8.")
    options = _read_options(texts, faults)
    loss = _read_loss(texts, faults)
    profile = faults.attempt("--mclock", lambda: _read_profile(texts["mclock"] or ""))
    stalls = faults.attempt("--stalls", lambda: _read_stalls(texts["stalls"]))
    share = faults.attempt("--slice", lambda: _read_slice(texts["share"]))
    faults.raise_any()
    assert options and stalls and share and facts and profile
    model, assumed = _build([load for load in loads if load], loss, profile)
    model = replace(model, stalls_per_s=stalls[0], stall_s=stalls[1])
    faults.attempt("--lose-osd", lambda: _check_loss(model, options))
    sliced = faults.attempt("--slice", lambda: _sliced(model, share))
    faults.raise_any()
    assert sliced
    return sliced, options, assumed


def _read_cluster(path: Path) -> Facts:
    from radoscope.predict import read_cluster  # start-up time

    try:
        return read_cluster(path.read_text(encoding="utf-8")).facts
    except (OSError, UnicodeDecodeError) as fault:
        raise PlanError(f"{path} cannot be read: {fault}", "examples/cluster.toml is one to start from.") from fault


def _read_load(text: str, cluster: Facts | None) -> LoadFacts:
    from radoscope.predict import Facts, apply_workload  # start-up time
    from radoscope.predict.simulate.bridge import LoadFacts

    name, _, rate = text.partition("@")
    if "@" in text and not (re.fullmatch(r"\d+(\.\d+)?", rate) and float(rate) > 0):
        raise PlanError(f"{text!r}: the rate {rate!r} is not a number above 0", "Write NAME@5000 for 5,000 IOPS.")
    return LoadFacts(name=name, facts=apply_workload(cluster or Facts(), name), rate_per_s=float(rate or 0))


def _read_options(texts: dict[str, str | None], faults: _Faults) -> _Options | None:
    seconds = faults.attempt("--seconds", lambda: _positive(texts["seconds"] or ""))
    warm_up = texts["warm_up"]
    warm_up_s = faults.attempt("--warm-up", lambda: parse_seconds(warm_up) if warm_up is not None else -1.0)
    seed = faults.attempt("--seed", lambda: _whole(texts["seed"] or ""))
    replications = faults.attempt("--replications", lambda: _read_replications(texts["replications"] or ""))
    if seconds is None or warm_up_s is None or seed is None or replications is None:
        return None
    if warm_up_s >= seconds:
        faults.add(f"--warm-up: {warm_up} is not shorter than the run of {texts['seconds']}")
    warm_up_s = seconds / 5 if warm_up_s < 0 else warm_up_s
    return _Options(seconds=seconds, warm_up_s=warm_up_s, seed=seed, replications=replications)


def _read_replications(text: str) -> int:
    if not 1 <= (count := _whole(text)) <= _MOST_REPLICATIONS:
        raise PlanError(f"{text!r} is not between 1 and {_MOST_REPLICATIONS}", "5 to 20 give a usable interval.")
    return count


def _read_profile(text: str) -> str:
    from radoscope.predict.simulate.model import RECOVERY_SHARE  # start-up time

    if text not in (*RECOVERY_SHARE, "none"):
        raise PlanError(f"{text!r} is no profile of mclock", f"There are {', '.join(RECOVERY_SHARE)}, and none.")
    return text


def _positive(text: str) -> float:
    if (seconds := parse_seconds(text)) <= 0:
        raise PlanError(f"{text!r} must be more than 0")
    return seconds


def _whole(text: str) -> int:
    if not re.fullmatch(r"\d{1,18}", text):
        raise PlanError(f"{text!r} is not a whole number of 0 or more")
    return int(text)


def _read_loss(texts: dict[str, str | None], faults: _Faults) -> OsdLoss | None:
    from radoscope.predict.simulate.model import OsdLoss  # start-up time

    if texts["lose_osd"] is None:
        for name in ("return_after", "out_after"):
            if texts[name] is not None:
                faults.add(f"--{name.replace('_', '-')}: no OSD is lost", "Add --lose-osd OSD@TIME.")
        return None
    osd, _, at = texts["lose_osd"].partition("@")
    number = faults.attempt("--lose-osd", lambda: _whole(osd))
    at_s = faults.attempt("--lose-osd", lambda: parse_seconds(at))
    detect_s = faults.attempt("--detect", lambda: parse_seconds(texts["detect"] or ""))
    peering_s = faults.attempt("--peering", lambda: parse_seconds(texts["peering"] or ""))
    later = {name: _later(texts, name, at_s, faults) for name in ("return_after", "out_after")}
    if None not in later.values():
        faults.add(
            "--out-after: the OSD returns, so it is not marked out", "Give one of --return-after and --out-after."
        )
    if number is None or at_s is None or detect_s is None or peering_s is None:
        return None
    return OsdLoss(
        osd=number, at_s=at_s, detect_s=detect_s, peering_s=peering_s,
        return_at_s=later["return_after"], out_at_s=later["out_after"],
    )  # fmt: skip


def _later(texts: dict[str, str | None], name: str, at_s: float | None, faults: _Faults) -> float | None:
    text = texts[name]
    if text is None:
        return None
    after_s = faults.attempt(f"--{name.replace('_', '-')}", lambda: _positive(text))
    return None if after_s is None or at_s is None else at_s + after_s


def _read_stalls(text: str | None) -> tuple[float, float]:
    if text is None:
        return 0.0, 0.0
    rate, _, length = text.partition("/")
    if not re.fullmatch(r"\d+(\.\d+)?", rate) or float(rate) <= 0:
        raise PlanError(
            f"{text!r} does not say how many a second", "Write 0.5/20ms for one every two seconds of 20 ms."
        )
    return float(rate), _positive(length)


def _read_slice(text: str | None) -> float:
    if text is None:
        return 1.0
    if not re.fullmatch(r"\d*\.?\d+", text) or not 0 < float(text) <= 1:
        raise PlanError(f"{text!r} is not a share above 0 and up to 1", "Write 0.1 for a tenth of the hosts.")
    return float(text)


def _build(loads: list[LoadFacts], loss: OsdLoss | None, profile: str) -> tuple[SimulationModel, tuple[str, ...]]:
    from radoscope.predict import load_model  # start-up time
    from radoscope.predict.defaults import fill
    from radoscope.predict.simulate.bridge import copy_cost, from_facts
    from radoscope.predict.simulate.model import RECOVERY_BPS, RECOVERY_SHARE

    constants = load_model().constants
    model, assumed = from_facts(loads, constants)
    if loss is not None:
        setting, _ = fill(loads[0].facts)
        copy = copy_cost(setting, constants, model.threads_per_osd, loss.object_bytes)
        depth = 3 if setting.hdd else 10  # osd_recovery_max_active_hdd and _ssd
        drive_bps = setting.seq_write * setting.devices / setting.osds  # of a drive, what one of its OSDs has
        speed = min(RECOVERY_BPS["hdd" if setting.hdd else "ssd"], drive_bps) * RECOVERY_SHARE.get(profile, 0.0)
        model = replace(model, loss=replace(loss, copy=copy, recovery_in_flight=depth, recovery_bps=speed))
    return model, assumed


def _check_loss(model: SimulationModel, options: _Options) -> None:
    loss = model.loss
    if loss is None:
        return
    if loss.osd >= model.osds:
        raise PlanError(f"there is no OSD {loss.osd}, the last is {model.osds - 1}")
    if model.width < 2 or model.width == model.parts_needed:
        raise PlanError("the pool keeps no second copy, so its data would be gone", "Set size to 2 or more.")
    if loss.at_s >= options.seconds:
        raise PlanError(
            f"the OSD is lost after the run of {format_seconds(options.seconds)} has ended", "Raise --seconds."
        )


def _sliced(model: SimulationModel, share: float) -> SimulationModel:
    from radoscope.predict.simulate.model import take_slice  # start-up time

    if share == 1:
        return model
    sliced = take_slice(model, share)
    if sliced.loss is not None and sliced.loss.osd >= sliced.osds:
        raise PlanError(f"OSD {sliced.loss.osd} is not in the slice, its last is {sliced.osds - 1}")
    return sliced


def _check_size(model: SimulationModel, options: _Options) -> None:
    """Refuse what would take hours: ops in flight over the shortest latency bound the rate, some 20 events an op."""
    seconds, times = options.seconds, options.replications
    events = 20.0 * seconds * times * sum(_rate_bound(load, model) for load in model.loads)
    if events > _MAX_EVENTS:
        raise PlanError(
            f"up to {events:.1g} events would take some {events / 5e6 / 60:.0f} minutes",
            f"Simulate less: --seconds {seconds * _MAX_EVENTS / events / 2:.2g}, or a slice such as --slice 0.1.",
        )


def _rate_bound(load: Any, model: SimulationModel) -> float:
    if load.rate_per_s > 0:
        return float(load.rate_per_s)
    one = load.read if load.read_share > 0.5 else load.write
    alone_s = one.client_s + one.client_delay_s + 2 * one.hop_s + one.osd_thread_s + one.processor_s + one.osd_delay_s
    processors = (
        model.osds * model.threads_per_osd / max(one.processor_s, 1e-9) / (1 if load.read_share > 0.5 else model.width)
    )
    return float(min(load.clients * load.queue_depth / max(alone_s, 1e-6), processors))


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
