"""The simulator: a cluster event by event. `simulate(model)` is all that others need.

request.py: what is asked for, and what is refused; network.py: stations in words; model.py: Ceph in those
words; assembly.py: words to tables; kernel.py, stations.py, lost_osd.py, agenda.py, rng.py: what happens; run.py,
results.py: a run and its laws, its results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # numba takes a second to import: only a simulation shall wait for it
    from radoscope.predict.simulate.model import SimulationModel
    from radoscope.predict.simulate.results import SimulationResult


def simulate(
    model: SimulationModel,
    *,
    seconds: float,
    warm_up_s: float | None = None,
    seed: int = 1,
    intervals: int = 100,
    compiled: bool | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> SimulationResult:
    """Simulate a cluster for `seconds` of its own time; Little's law and flow balance are checked at the end.

    warm_up_s: left out of rates and latencies, a fifth of the run by default. The same model, seconds and seed give
    the same result, bit by bit, compiled or not. Raises LawViolated when the simulator is at fault.
    """
    from radoscope.predict.simulate.model import to_network
    from radoscope.predict.simulate.results import result_of
    from radoscope.predict.simulate.run import audit, run_network

    run = run_network(
        to_network(model, seed=seed),
        seconds=seconds,
        warm_up_s=seconds / 5 if warm_up_s is None else warm_up_s,
        seed=seed,
        intervals=intervals,
        compiled=compiled,
        on_progress=on_progress,
    )
    audit(run)
    return result_of(run, share=model.slice)
