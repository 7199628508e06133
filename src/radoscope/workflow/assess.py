"""From a study's name to what it says: load, summarise, check."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from radoscope import paths
from radoscope.errors import PlanError
from radoscope.records.manifest import MANIFEST
from radoscope.records.study import Study
from radoscope.words import _

if TYPE_CHECKING:
    from radoscope.report.material import Material
    from radoscope.stats.compare import Comparison


def study_folder(name: str) -> Path:
    """The bundle of a study: by id, the beginning of one, a path, or "last" for the newest. Raises StoreError."""
    from radoscope.store import pick  # start-up time

    path = Path(name)
    return path if (path / MANIFEST).is_file() else paths.studies() / pick(study_ids(), name)


def load_study(name: str, *, anonymous: bool = False) -> Study:
    """Read a study from its raw files. anonymous: without the names in them. Raises StoreError."""
    from radoscope.kinds import read  # start-up time

    folder = study_folder(name)
    study = read(folder)
    if not anonymous:
        return study
    from radoscope.archives.names import read_names
    from radoscope.report.anonymous import anonymise

    return anonymise(study, read_names(folder))


def assess(study: Study) -> Material:
    """What a study achieved, and what the rules say about it: all that is shown of it."""
    from radoscope import catalogue, explain  # start-up time: numpy and scipy come with these
    from radoscope.kinds import kind_of
    from radoscope.report.material import Material
    from radoscope.stats.summarise import summarise

    summaries = summarise(study)
    published = catalogue.results() if study.imported else ()
    return Material(study, summaries, explain.check(study, summaries, catalogue.drives(), published), kind_of(study))


def compare_studies(
    a: Sequence[Study], others: Sequence[Sequence[Study]], *, margin: float, although: Sequence[str] = ()
) -> tuple[Comparison, ...]:
    """Each of the others with A, cell by cell. a, others: the runs of each. Raises PlanError where none has a cell in
    common with A."""
    from radoscope.stats.compare import compare  # start-up time

    found = compare(a, others, margin=margin, although=although)
    if not any(one.cells for one in found):
        hint = _("Cells match by name or by equal conditions; radoscope show lists them.")
        raise PlanError(_("the studies have no cell in common"), hint)
    return found


def study_ids() -> list[str]:
    """All studies and imports of this host, the newest first, as `radoscope list` has them; nothing else is read."""
    from radoscope.store import created_at_s  # start-up time

    try:
        folders = [path.parent for path in paths.studies().glob(f"[!.]*/{MANIFEST}")]
        return [one.name for one in sorted(folders, key=lambda one: (created_at_s(one), one.name), reverse=True)]
    except OSError:
        return []
