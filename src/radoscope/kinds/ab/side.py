"""What one side of an experiment keeps beside its segments: which state it is, and how both were brought about."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from radoscope.records.study import Study
from radoscope.report.material import target_words

SIDE = "ab.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """state: "a" or "b". a, b, show: shell commands. other: the id of the study that is the other side. experiment: the
    ready-made one whose states are no commands, with its arguments.
    """

    state: str
    a: str
    b: str
    show: str | None
    other: str
    experiment: str = ""


def keep(folder: Path, side: Side) -> None:
    (folder / SIDE).write_text(json.dumps(asdict(side), indent=1), encoding="utf-8")


def read(folder: Path, study: Study) -> Side | None:
    """The payload of a bundle, None where it is no side of an experiment, or its file is damaged."""
    try:
        return Side(**json.loads((folder / SIDE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def repeat(study: Study) -> tuple[str, ...]:
    """The whole experiment: one side alone means little."""
    side = study.payload
    if not isinstance(side, Side):
        return ("ab", "--help")
    show = ("--show", side.show) if side.show else ()
    cells = [word for cell in study.cells for word in ("--cells", cell.name)]
    states = ("--experiment", *side.experiment.split()) if side.experiment else ("--a", side.a, "--b", side.b, *show)
    return ("ab", *target_words(study), "--plan", study.plan, *cells, *states)
