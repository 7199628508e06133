"""What was measured of a cluster, for `predict`: a statement, a text with results, a study or an import."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from radoscope.errors import PlanError, RadoscopeError

if TYPE_CHECKING:  # start-up time: --help needs no model
    from radoscope.predict.facts import Facts
    from radoscope.predict.measured import CellRate
    from radoscope.predict.outlook import Known
    from radoscope.records.study import Study
    from radoscope.stats.values import Summaries

DISK = "disk:"


def read_known(texts: Iterable[str], facts: Facts) -> tuple[Facts, tuple[Known, ...]]:
    """(the facts with what was measured of drive and network, the known rates). Raises PlanError, UnreadableFile.

    Facts first: a statement about the drive holds for all rates, wherever it stands.
    """
    from radoscope.predict.known import read_known  # start-up time
    from radoscope.predict.measured import known_rates, with_lower_layers
    from radoscope.stats.summarise import summarise

    statements, studies = [], []
    for text in texts:
        found = None if "=" in text else _study(text.removeprefix(DISK))
        if found is None:
            statements.append(text)
        else:
            studies.append((found, text.startswith(DISK)))
    for text in statements:
        facts, _ = read_known(text, facts)
    cells = [cell for study, of_disk in studies for cell in cells_of(study, summarise(study), of_disk)]
    if cells:
        facts, _ = with_lower_layers(facts, cells)
    rates = [rate for text in statements if (rate := read_known(text, facts)[1])]
    return facts, (*rates, *(known_rates(facts, cells) if cells else ()))


def _study(text: str) -> Study:
    """A study or import by its name, or the results of a file."""
    from radoscope import workflow  # start-up time: a statement needs none of it
    from radoscope.archives import clean, paste
    from radoscope.archives.imported import study_of

    path = Path(text)
    if not path.is_file():
        try:
            return workflow.load_study(text)
        except RadoscopeError as fault:
            raise PlanError(
                f"--known {text!r} is no statement, no file and no study: {fault.message}",
                "Write e.g. 'rbd 4k write qd1 = 450 iops', or give a file of fio or rados bench output.",
            ) from fault
    results = paste.read(clean.decode(path.read_bytes()))
    if not results:
        raise PlanError(f"--known {text!r} holds no result", "`radoscope import` says what can be read.")
    return study_of(results, id=path.name, source=text, created_at_s=0.0)


def cells_of(study: Study, summaries: Summaries, of_disk: bool = False) -> tuple[CellRate, ...]:
    """Its measured rates. fio's output does not say where it ran: beside a cluster it is of the cluster, unless
    said otherwise."""
    from radoscope.predict.measured import measured_cells  # start-up time
    from radoscope.records.conditions import Layer

    cells = measured_cells(summaries)
    if of_disk or not study.imported:
        return cells
    return tuple(
        replace(cell, load=replace(cell.load, layer=Layer.RBD)) if cell.load.layer is Layer.DISK else cell
        for cell in cells
    )
