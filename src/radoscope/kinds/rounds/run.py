"""One study: all cells in rounds until they are precise."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from radoscope.archives.bundle import read_manifest
from radoscope.errors import PlanError, StoreError
from radoscope.kinds.rounds.loop import Rounds
from radoscope.run.events import Listener
from radoscope.session.hands import Real
from radoscope.session.request import StudyRequest, asked_in
from radoscope.session.session import Hands, Session, StudyDone, run_session
from radoscope.session.target import Permissions, Target

_MEASURED = {
    "sandbox": "--sandbox",
    "pool": "--pool",
    "data_pool": "--data-pool",
    "replicas": "--replicas",
    "crush_rule": "--crush-rule",
    "disk_folder": "--disk-folder",
    "device": "--disk-device",
    "clients": "--client",
}
"""Fields of the target that say what is measured, and not how it is reached."""


def run_study(
    request: StudyRequest, on_event: Listener, stop: threading.Event, hands: Hands | None = None
) -> StudyDone:
    """Measure. What was measured is kept, and what was made is removed, however this ends.

    hands: instead of real ones.

    Raises RadoscopeError when it could not even begin: then there is no bundle.
    """
    session = Session(request=request, hands=hands or Real(), on_event=on_event, stop=stop)
    return run_session(session, _measure_in_rounds)


def resumed(
    folder: Path, said: Mapping[str, Any], permissions: Permissions | None = None, budget_s: float | None = None
) -> StudyRequest:
    """The request that continues a bundle: same plan, same cluster.

    said: fields of the Target that the user names. How the cluster is reached may have changed; what is measured may
    not. budget_s: so much more time, also for a complete one; else an incomplete one is completed. Raises StoreError
    when the bundle is complete and no time is given, or of another kind, PlanError when something else would be
    measured.
    """
    manifest = read_manifest(folder)
    if manifest.rehearses:
        raise StoreError(f"{manifest.id} is a rehearsal", "Nothing was measured, so there is nothing to go on with.")
    if manifest.complete and budget_s is None:
        hint = f"radoscope show {manifest.id}; to measure on: radoscope study --resume {manifest.id} --budget 5m"
        raise StoreError(f"study {manifest.id} is complete", hint)
    if manifest.said is None:
        raise StoreError(
            f"{manifest.id} cannot be resumed",
            "Only studies measured in rounds can be, once they have a first segment; no experiment, scenario or "
            "OSD bench, and nothing anonymous. Start a new study.",
        )
    before = Target.of(manifest.said)
    target = replace(before, **said)
    if other := [name for name in _MEASURED if getattr(target, name) != getattr(before, name)]:
        raise PlanError(
            f"study {manifest.id} was measured with {_words(before, other)}, and can only continue that way",
            f"radoscope study --resume {manifest.id} alone uses all options it was started with.",
        )
    plan, cells = asked_in(manifest, len(target.clients))
    if plan.budget is not None or budget_s is not None:
        plan = plan.model_copy(update={"budget": budget_s or max(1.0, (plan.budget or 0.0) - manifest.seconds)})
    return StudyRequest(
        plan=plan,
        cells=cells,
        target=target,
        study_id=manifest.id,
        permissions=permissions or Permissions(),
        resume=True,
    )


def _words(target: Target, names: Sequence[str]) -> str:
    """The options that set these fields."""
    words: list[str] = []
    for option, value in ((_MEASURED[name], getattr(target, name)) for name in names):
        values = value if isinstance(value, tuple) else (value,)
        words += [f"{option} {one}" for one in values if one] or [f"no {option}"]
    return ", ".join(words)


def _measure_in_rounds(session: Session) -> None:
    session.bundle.change(said=session.request.target.as_said())
    rounds = Rounds(session)
    try:
        rounds.run()
    finally:
        session.bundle.change(complete=rounds.complete)
