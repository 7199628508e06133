"""What cannot be simulated: an OSD whose loss cannot be, and a run that would take hours."""

from __future__ import annotations

from radoscope.errors import PlanError
from radoscope.predict.simulate.model import ClientLoad, SimulationModel
from radoscope.units import format_seconds

_MAX_EVENTS = 3e9
_EVENTS_OF_AN_OP = 20.0
_EVENTS_PER_S = 5e6
"""About what a compiled run comes to on one core."""


def check_loss(model: SimulationModel, seconds: float) -> None:
    """Raises PlanError where the OSD to be lost is none, or its data would be gone, or the run ends before."""
    loss = model.loss
    if loss is None:
        return
    if loss.osd >= model.osds:
        raise PlanError(f"there is no OSD {loss.osd}, the last is {model.osds - 1}")
    if model.width < 2 or model.width == model.parts_needed:
        raise PlanError("the pool keeps no second copy, so its data would be gone", "Set size to 2 or more.")
    if loss.at_s >= seconds:
        raise PlanError(f"the OSD is lost after the run of {format_seconds(seconds)} has ended", "Raise --seconds.")


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
