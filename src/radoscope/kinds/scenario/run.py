"""One scenario: steady load on a sandbox, a fault in the middle, and everything acknowledged read back at the end."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from radoscope import sandbox
from radoscope.errors import PlanError
from radoscope.kinds.scenario import scenes
from radoscope.kinds.scenario.play import Play, longest_s, rate_of
from radoscope.kinds.scenario.scenes import Script
from radoscope.plan.schema import Plan
from radoscope.records.conditions import Layer, Operation
from radoscope.records.study import Cell
from radoscope.run.events import Listener
from radoscope.run.journal import Entry
from radoscope.session.hands import Real
from radoscope.session.removers import restore_sandbox
from radoscope.session.request import StudyRequest
from radoscope.session.session import Session, StudyDone, run_session
from radoscope.session.target import Target
from radoscope.units import format_bytes, format_seconds

# Hosts of a sandbox that is started for a scenario which needs several.
_HOSTS = 3


def scenario_request(which: Script, plan: Plan, target: Target) -> StudyRequest:
    """Refuse, or say what will be done. Raises PlanError."""
    if target.is_users or target.pool is not None:
        raise PlanError(
            f"{which.name} breaks a cluster on purpose, so it runs only on a sandbox and in its own pool",
            "Leave out --conf, --at and --pool, or name a sandbox with --sandbox.",
        )
    if target.sandbox is not None:
        scenes.check_fits(which, sandbox.load(target.sandbox))
    elif which.several_hosts:
        target = replace(target, hosts=_HOSTS)
    named = plan.model_copy(update={"name": which.name, "title": which.title})
    request = StudyRequest.build(named, target, kind="scenario")
    _check_cells(request.cells)
    return request


def run_scenario(which: Script, request: StudyRequest, on_event: Listener, stop: threading.Event) -> StudyDone:
    """Play it. What was seen is kept, what was made is removed, and the sandbox is left as it was found.

    StudyDone.problem is ScenarioFailed when the cluster did not come back or lost something. Raises RadoscopeError
    when it could not even begin.
    """

    def measure(session: Session) -> None:
        with session.expecting(), _left_as_found(session):
            Play(session=session, script=which).run()

    return run_session(Session(request=request, hands=Real(), on_event=on_event, stop=stop), measure)


def describe_scenario(which: Script, request: StudyRequest) -> Iterator[str]:
    """What would be done, line by line."""
    plan, cell = request.plan, request.cells[0]
    assert plan is not None
    steady = format_seconds(plan.seconds)
    yield f"Scenario {which.name}: {which.title}"
    yield f"  load    {cell.title}, with checksums, at most {rate_of(request):.0f} a second"
    yield f"  image   {format_bytes(plan.image_size)}, written in full first"
    yield f"  before  {steady} of steady load; then the fault; {steady} more once the cluster is healthy again"
    yield f"  longest {format_seconds(longest_s(plan))}, then it gives up"
    yield "  then    everything acknowledged is read back and its checksums are compared"


@contextmanager
def _left_as_found(session: Session) -> Iterator[None]:
    """A sandbox that the user named is healed at the end; one made for this run is removed as it is."""
    up = session.place.embedded
    if up is None or session.request.target.sandbox is None:
        yield
        return
    entry = Entry("fault", up.name, {"hosts": [host.name for host in up.hosts]})
    session.journal.will_create(entry)
    try:
        yield
    finally:
        session.say("restoring the sandbox")
        restore_sandbox(sandbox.load(up.name), entry.details["hosts"])
        session.journal.removed(entry)


def _check_cells(cells: tuple[Cell, ...]) -> None:
    asked = cells[0].conditions
    if len(cells) != 1 or asked.layer is not Layer.RBD or asked.op is not Operation.RANDWRITE or asked.in_flight > 256:
        raise PlanError(
            "a scenario's plan has one cell: random writes on layer rbd",
            "radoscope plan show scenario prints one to start from.",
        )
    if asked.jobs * asked.clients != 1:
        raise PlanError("a scenario writes one image with one process", "Leave out jobs and images; use queue_depth.")
