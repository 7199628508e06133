"""From a study's name to what it says: load, summarise, check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from radoscope import paths
from radoscope.records.manifest import MANIFEST
from radoscope.records.study import Study

if TYPE_CHECKING:
    from radoscope.explain.finding import Finding
    from radoscope.stats.values import Summaries


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


def assess(study: Study) -> tuple[Summaries, tuple[Finding, ...]]:
    """What a study achieved, and what the rules say about it."""
    from radoscope import catalogue, explain  # start-up time: numpy and scipy come with these
    from radoscope.stats.summarise import summarise

    summaries = summarise(study)
    published = catalogue.results() if study.imported else ()
    return summaries, explain.check(study, summaries, catalogue.drives(), published)


def study_ids() -> list[str]:
    """All studies and imports of this host, the newest first, as `radoscope list` has them; nothing else is read."""
    from radoscope.store import created_at_s  # start-up time

    try:
        folders = [path.parent for path in paths.studies().glob(f"*/{MANIFEST}")]
        return [one.name for one in sorted(folders, key=lambda one: (created_at_s(one), one.name), reverse=True)]
    except OSError:
        return []
