"""One study: all cells in rounds until they are precise."""

from __future__ import annotations

import threading
from pathlib import Path

from radoscope.archives.bundle import read_manifest
from radoscope.errors import StoreError
from radoscope.plan.expand import cells_of
from radoscope.plan.schema import check_plan
from radoscope.run.events import Listener
from radoscope.workflow.bench import Bench, StudyDone, run_on_bench
from radoscope.workflow.request import StudyRequest, Target
from radoscope.workflow.rounds import Rounds


def run_study(request: StudyRequest, on_event: Listener, stop: threading.Event) -> StudyDone:
    """Measure. What was measured is kept, and what was made is removed, however this ends.

    Raises RadoscopeError when it could not even begin: then there is no bundle.
    """
    return run_on_bench(request, on_event, stop, _measure_in_rounds)


def resumed(name: Path, target: Target) -> StudyRequest:
    """The request that goes on with an incomplete bundle. Raises StoreError when it is complete."""
    manifest = read_manifest(name)
    if manifest.complete:
        raise StoreError(f"study {manifest.id} is complete", f"radoscope show {manifest.id}")
    kept = {key: value for key, value in manifest.plan.items() if key != "pool"}
    plan = check_plan(kept, f"the plan of study {manifest.id}")
    wanted = {cell.name for cell in manifest.cells}
    cells = tuple(cell for cell in cells_of(plan, max(1, len(manifest.clients))) if cell.name in wanted)
    return StudyRequest(plan=plan, cells=cells, target=target, study_id=manifest.id, resume=True)


def _measure_in_rounds(bench: Bench) -> None:
    rounds = Rounds(
        plan=bench.request.plan,
        cells=bench.bundle.manifest.cells,
        bundle=bench.bundle,
        setting=bench.setting,
        sites=bench.place.sites,
        on_event=bench.on_event,
        stop=bench.stop,
        well=bench.well,
        beside=bench.beside,
        gently=bench.gently,
    )
    try:
        rounds.run()
    finally:
        bench.bundle.change(complete=rounds.complete)
