"""The Python API: what a notebook or a script needs, in a dozen names, all of them offered by `import radoscope`.

A `str` is always content or a name, a `Path` always a file or folder. All errors are RadoscopeError, with a hint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from radoscope import workflow
from radoscope.errors import RadoscopeError, UnreadableFile
from radoscope.explain import Finding
from radoscope.faults import text_of
from radoscope.predict import outlook, whatif
from radoscope.predict.cluster import Description, read_cluster
from radoscope.predict.facts import apply_workload
from radoscope.predict.forecast import Forecast
from radoscope.predict.whatif import Gain, parse_changes
from radoscope.records.measurement import Result
from radoscope.records.study import Study
from radoscope.stats.compare import Comparison
from radoscope.stats.values import CellSummary, Estimate, Interval, Summaries, Undecided
from radoscope.workflow import library

__all__ = [
    "Estimate",
    "Interval",
    "LoadedStudy",
    "RadoscopeError",
    "Reading",
    "Undecided",
    "compare",
    "forecast",
    "load",
    "read",
    "studies",
    "what_if",
]


@dataclass(frozen=True, slots=True)
class LoadedStudy:
    """A study with everything computed from it.

    study: cells and raw segments. summaries: one per cell, with intervals. findings: gravest first.
    """

    study: Study
    summaries: Summaries
    findings: tuple[Finding, ...]

    @property
    def id(self) -> str:
        return self.study.id

    @property
    def cells(self) -> tuple[str, ...]:
        """The names of the cells, in the order of the study."""
        return tuple(cell.name for cell in self.study.cells)

    def __getitem__(self, cell: str) -> CellSummary:
        """The summary of one cell. Raises KeyError."""
        summary = self.summaries.of(cell)
        if summary is None:
            raise KeyError(cell)
        return summary


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from somebody's text or result folder.

    results: in the order of the text, with the lines they came from. unread: blocks that look like results but could
    not be read, with the reason. findings: what is wrong with the results, or notable; gravest first.
    """

    results: tuple[Result, ...]
    unread: tuple[str, ...]
    findings: tuple[Finding, ...]


def studies() -> tuple[str, ...]:
    """The ids of all studies and imports on this host, newest first, as `radoscope list` shows them."""
    return tuple(entry.id for entry in library.open_store().list())


def load(study: str | Path = "last") -> LoadedStudy:
    """Load a study from its raw files, summarise it and check it.

    study: an id, the beginning of one, "last" for the newest, or the path of a bundle. Raises StoreError.
    """
    loaded = workflow.load_study(str(study))
    assessed = workflow.assess(loaded)
    return LoadedStudy(loaded, assessed.summaries, assessed.findings)


def compare(
    a: LoadedStudy | str | Path, b: LoadedStudy | str | Path, *, margin: float = 0.05, although: Sequence[str] = ()
) -> Comparison:
    """Compare B with A, cell by cell.

    margin: the smallest relative difference that matters. although: names of conditions that may differ because their
    effect is the question. Raises StoreError, and PlanError if the studies have no cell in common.
    """
    (found,) = workflow.compare_studies([_study(a)], [[_study(b)]], margin=margin, although=although)
    return found


def read(source: str | Path) -> Reading:
    """Read and judge benchmark output: fio, rados bench, iperf3 and more, in a text or in a folder.

    source: the text itself as `str`, or the `Path` of a file or folder. Nothing is stored. Raises UnreadableFile.
    """
    if isinstance(source, Path) and source.is_dir():
        found = library.read_results(source)
    else:
        found = library.read_text(source.encode(errors="replace") if isinstance(source, str) else _bytes_of(source))
    return Reading(found.results, found.unread, found.findings)


def forecast(cluster: str | Path, workload: str = "4k-randwrite-qd1") -> Forecast:
    """Predict one workload on a cluster from its hardware.

    cluster: the text of a cluster.toml as `str`, or its `Path`. workload: BLOCK-OP-qdN[-xCLIENTS], as for
    `radoscope predict`. Raises PlanError that names every fault of the file.
    """
    facts = apply_workload(_cluster(cluster).facts, workload)
    return outlook.forecast(facts)


def what_if(cluster: str | Path, change: str, workload: str = "4k-randwrite-qd1") -> Gain:
    """Predict what one change of a cluster brings, as the ratio of the new rate to the old one.

    change: "KEY = VALUE", as for `radoscope predict --what-if`. Raises PlanError.
    """
    facts = apply_workload(_cluster(cluster).facts, workload)
    return whatif.compare(facts, parse_changes([change]))


def _study(source: LoadedStudy | str | Path) -> Study:
    return source.study if isinstance(source, LoadedStudy) else workflow.load_study(str(source))


def _cluster(source: str | Path) -> Description:
    return read_cluster(source if isinstance(source, str) else text_of(source, "See examples/cluster.toml."))


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableFile(f"cannot read {path}: {error.strerror}", "Name a text file or a folder.") from None
