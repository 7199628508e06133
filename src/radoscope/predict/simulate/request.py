"""What a simulation is asked for, as texts -> a model and how long to run it, or every fault at once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from radoscope.errors import PlanError
from radoscope.faults import Faults, near
from radoscope.predict.constants import documented
from radoscope.predict.facts import Facts, apply_workload
from radoscope.predict.simulate.bridge import LoadFacts, from_facts, with_loss
from radoscope.predict.simulate.model import (
    RECOVERY_SHARE,
    WPQ,
    WPQ_SHARE,
    ClientLoad,
    OsdLoss,
    SimulationModel,
    take_slice,
)
from radoscope.units import format_seconds, parse_seconds

_MAX_EVENTS = 3e9
_EVENTS_OF_AN_OP = 20.0
_EVENTS_PER_S = 5e6
"""About what a compiled run comes to on one core."""


def check_loss(model: SimulationModel, seconds: float) -> None:
    """Raises PlanError where an OSD to be lost is none, or data would be gone, or none could go elsewhere, or the run
    ends before."""
    loss = model.loss
    if loss is None:
        return
    for osd, at_s in loss.lost.items():
        if osd >= model.osds:
            raise PlanError(f"there is no OSD {osd}, the last is {model.osds - 1}")
        if at_s >= seconds:
            raise PlanError(f"the OSD is lost after the run of {format_seconds(seconds)} has ended", "Raise --seconds.")
    if model.width < 2 or model.width == model.parts_needed:
        raise PlanError("the pool keeps no second copy, so its data would be gone", "Set size to 2 or more.")
    left = [node for osd, node in enumerate(model.node_of_osd) if osd not in loss.lost]
    enough = len(set(left)) if len(set(model.node_of_osd)) >= model.width else len(left)
    if loss.out_at_s is not None and enough < model.width:
        raise PlanError(
            f"{enough} hosts or OSDs are left for {model.width} copies: none can take those that were lost",
            "Leave out --out-after: the groups stay degraded, as they would.",
        )


def check_size(model: SimulationModel, seconds: float, replications: int) -> None:
    """Raises PlanError for what would take hours."""
    rate = sum(_most_ops_per_s(load, model) for load in model.loads)
    events = _EVENTS_OF_AN_OP * seconds * replications * rate
    if events > _MAX_EVENTS:
        raise PlanError(
            f"up to {events:.1g} events would take some {events / _EVENTS_PER_S / 60:.0f} minutes",
            f"Simulate less: --seconds {seconds * _MAX_EVENTS / events / 2:.2g}, or a slice such as --slice 0.1.",
        )


def _most_ops_per_s(load: ClientLoad, model: SimulationModel) -> float:
    """Ops in flight over the shortest latency, or what all OSDs' processors can do; of an open load its rate."""
    if load.rate_per_s > 0:
        return load.rate_per_s
    reads = load.read_share > 0.5
    one = load.read if reads else load.write
    alone_s = one.client_s + one.client_delay_s + 2 * one.hop_s + one.osd_thread_s + one.processor_s + one.osd_delay_s
    visits = 1 if reads else model.width
    processors = model.osds * model.threads_per_osd / max(one.processor_s, 1e-9) / visits
    return float(min(load.clients * load.queue_depth / max(alone_s, 1e-6), processors))


_MOST_REPLICATIONS = 1000
Texts = Mapping[str, str | None]
"""Options of `radoscope simulate` by their names, as written; None: not given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationRequest:
    """assumed: the facts that were filled in, as "name=value"."""

    model: SimulationModel
    seconds: float
    warm_up_s: float
    seed: int
    replications: int
    assumed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _LossAsked:
    """osds, nodes: number and time of each that is lost."""

    osds: tuple[tuple[int, float], ...]
    nodes: tuple[tuple[int, float], ...]
    detect_s: float
    peering_s: float
    return_after_s: float | None
    out_after_s: float | None


def read_request(cluster: Facts | None, workloads: Sequence[str], texts: Texts, faults: Faults) -> SimulationRequest:
    """cluster: None where `faults` knows already why there is none. Raises PlanError with every fault at once."""
    loads = [faults.attempt("--workload", lambda w=w: _read_load(w, cluster)) for w in workloads]  # type: ignore[misc]
    if not workloads:
        faults.add("--workload", "none is given", "For example --workload 4k-randwrite-qd32-x8.")
    length = _read_length(texts, faults)
    loss = _read_loss(texts, faults)
    profile = faults.attempt("--mclock", lambda: _read_profile(texts["mclock"] or ""))
    backfills = faults.attempt("--max-backfills", lambda: _read_backfills(texts["max_backfills"] or "1", profile))
    stalls = faults.attempt("--stalls", lambda: _read_stalls(texts["stalls"]))
    share = faults.attempt("--slice", lambda: _read_slice(texts["share"]))
    faults.raise_any()
    assert length and stalls and share and profile and backfills
    seconds, warm_up_s, seed, replications = length
    recovery = {**RECOVERY_SHARE, WPQ: min(1.0, WPQ_SHARE * backfills)}.get(profile, 0.0)
    some = [load for load in loads if load]
    model, assumed = from_facts(some, documented())
    model = replace(model, stalls_per_s=stalls[0], stall_s=stalls[1])
    if loss is not None:
        lost = faults.attempt("--lose-node", lambda: _loss_of(loss, model))
        faults.raise_any()
        assert lost
        model = with_loss(model, lost, some[0].facts, recovery, documented())
    faults.attempt("--lose-osd", lambda: check_loss(model, seconds))
    sliced = faults.attempt("--slice", lambda: _sliced(model, share))
    faults.raise_any()
    assert sliced
    check_size(sliced, seconds, replications)
    return SimulationRequest(
        model=sliced, seconds=seconds, warm_up_s=warm_up_s, seed=seed, replications=replications, assumed=assumed
    )


def _read_load(text: str, cluster: Facts | None) -> LoadFacts:
    name, _, rate = text.partition("@")
    if "@" in text and not (re.fullmatch(r"\d+(\.\d+)?", rate) and float(rate) > 0):
        raise PlanError(f"{text!r}: the rate {rate!r} is not a number above 0", "Write NAME@5000 for 5,000 IOPS.")
    return LoadFacts(name=name, facts=apply_workload(cluster or Facts(), name), rate_per_s=float(rate or 0))


def _read_length(texts: Texts, faults: Faults) -> tuple[float, float, int, int] | None:
    """Seconds of the run, of its warm-up, the seed, and how often."""
    seconds = faults.attempt("--seconds", lambda: _positive(texts["seconds"] or ""))
    warm_up = texts["warm_up"]
    warm_up_s = faults.attempt("--warm-up", lambda: parse_seconds(warm_up) if warm_up is not None else -1.0)
    seed = faults.attempt("--seed", lambda: _whole(texts["seed"] or ""))
    replications = faults.attempt("--replications", lambda: _read_replications(texts["replications"] or ""))
    if seconds is None or warm_up_s is None or seed is None or replications is None:
        return None
    if warm_up_s >= seconds:
        faults.add("--warm-up", f"{warm_up} is not shorter than the run of {texts['seconds']}")
    warm_up_s = seconds / 5 if warm_up_s < 0 else warm_up_s
    return seconds, warm_up_s, seed, replications


def _read_replications(text: str) -> int:
    if not 1 <= (count := _whole(text)) <= _MOST_REPLICATIONS:
        raise PlanError(f"{text!r} is not between 1 and {_MOST_REPLICATIONS}", "5 to 20 give a usable interval.")
    return count


def _read_profile(text: str) -> str:
    known = (*RECOVERY_SHARE, WPQ, "none")
    if text not in known:
        raise PlanError(f"{text!r} is no profile of mclock{near(text, known)}", f"There are {', '.join(known)}.")
    return text


def _read_backfills(text: str, profile: str | None) -> int:
    if not 1 <= (count := _whole(text)) <= 64:
        raise PlanError(f"{text!r} is not between 1 and 64")
    if count != 1 and profile not in (None, WPQ):
        raise PlanError("mclock keeps osd_max_backfills at 1", "Add --mclock wpq.")
    return count


def _positive(text: str) -> float:
    if (seconds := parse_seconds(text)) <= 0:
        raise PlanError(f"{text!r} must be more than 0")
    return seconds


def _whole(text: str) -> int:
    if not re.fullmatch(r"\d{1,18}", text):
        raise PlanError(f"{text!r} is not a whole number of 0 or more")
    return int(text)


def _read_loss(texts: Texts, faults: Faults) -> _LossAsked | None:
    lost = [faults.attempt("--lose-osd", partial(_numbered, one)) for one in _several(texts["lose_osd"])]
    hosts = [faults.attempt("--lose-node", partial(_numbered, one)) for one in _several(texts["lose_node"])]
    if not lost and not hosts:
        for name in ("return_after", "out_after"):
            if texts[name] is not None:
                faults.add(_option(name), "no OSD is lost", "Add --lose-osd OSD@TIME or --lose-node HOST@TIME.")
        return None
    detect_s = faults.attempt("--detect", lambda: parse_seconds(texts["detect"] or ""))
    peering_s = faults.attempt("--peering", lambda: parse_seconds(texts["peering"] or ""))
    later = {name: _after(texts, name, faults) for name in ("return_after", "out_after")}
    if None not in later.values():
        one_of = "Give one of --return-after and --out-after."
        faults.add("--out-after", "the OSD returns, so it is not marked out", one_of)
    if detect_s is None or peering_s is None:
        return None
    osds, nodes = tuple(one for one in lost if one), tuple(one for one in hosts if one)
    return _LossAsked(osds, nodes, detect_s, peering_s, later["return_after"], later["out_after"])


def _several(text: str | None) -> list[str]:
    return text.split(",") if text else []


def _numbered(text: str) -> tuple[int, float]:
    """ "3@400ms" -> (3, 0.4)."""
    number, _, at = text.partition("@")
    return _whole(number), parse_seconds(at)


def _loss_of(asked: _LossAsked, model: SimulationModel) -> OsdLoss:
    """The OSDs that are named, and all those of the hosts that are. Raises PlanError where there is no such host."""
    lost: dict[int, float] = dict(asked.osds)
    for node, at_s in asked.nodes:
        if node >= model.nodes:
            raise PlanError(f"there is no host {node}, the last is {model.nodes - 1}", "Hosts are numbered from 0.")
        lost |= {osd: at_s for osd, host in enumerate(model.node_of_osd) if host == node}
    (first, at_s), *also = sorted(lost.items(), key=lambda one: (one[1], one[0]))
    return OsdLoss(
        osd=first, at_s=at_s, also=tuple(also), detect_s=asked.detect_s, peering_s=asked.peering_s,
        return_at_s=None if asked.return_after_s is None else at_s + asked.return_after_s,
        out_at_s=None if asked.out_after_s is None else at_s + asked.out_after_s,
    )  # fmt: skip


def _after(texts: Texts, name: str, faults: Faults) -> float | None:
    text = texts[name]
    return None if text is None else faults.attempt(_option(name), lambda: _positive(text))


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


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


def _sliced(model: SimulationModel, share: float) -> SimulationModel:
    if share == 1:
        return model
    sliced = take_slice(model, share)
    if sliced.loss is not None and (beyond := max(sliced.loss.lost)) >= sliced.osds:
        raise PlanError(f"OSD {beyond} is not in the slice, its last is {sliced.osds - 1}")
    return sliced
