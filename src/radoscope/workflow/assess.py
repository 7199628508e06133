"""From a study's name to what it says: load, summarise, check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from radoscope import paths
from radoscope.errors import StoreError
from radoscope.records.manifest import MANIFEST
from radoscope.records.study import Study

if TYPE_CHECKING:
    from radoscope.explain.finding import Finding
    from radoscope.stats.values import Summaries


def study_folder(name: str) -> Path:
    """The bundle of a study: by id, the beginning of one, a path, or "last" for the newest. Raises StoreError."""
    path = Path(name)
    if (path / MANIFEST).is_file():
        return path
    known = _ids()
    if name == "last" and known:
        return paths.studies() / known[-1]
    matches = [name] if name in known else [one for one in known if one.startswith(name)] if name else []
    if len(matches) == 1:
        return paths.studies() / matches[0]
    if matches:
        raise StoreError(f"{name!r} matches several studies: {', '.join(matches)}", "Give more of the id.")
    newest = (
        f"The newest: {', '.join(known[-3:])}."
        if known
        else "There is none yet. Start one: radoscope study --plan quick"
    )
    raise StoreError(f"there is no study {name!r}", newest)


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


def _ids() -> list[str]:
    """All studies and imports of this host, the oldest first; the order of `radoscope list`, from its end."""
    from radoscope.store import created_at_s  # start-up time

    try:
        folders = [path.parent for path in paths.studies().glob(f"*/{MANIFEST}")]
        return [folder.name for folder in sorted(folders, key=lambda one: (created_at_s(one), one.name))]
    except OSError:
        return []
