"""A scenario's raw files -> what was seen: moments, completions, looks, and what reading back found."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from radoscope.errors import UnreadableFile
from radoscope.formats.fio import log as fio_log
from radoscope.formats.grammar.json_text import find_objects
from radoscope.kinds.scenario.record import Event, Moment, ReadBack, Scenario
from radoscope.records.measurement import Series
from radoscope.records.study import Study

SCENARIO = "scenario.json"
_LOG = "load_lat.1.log"
_LOAD, _READ_BACK = "load.json", "read-back.json"
_EILSEQ = 84
"""What fio calls a block that is not as it was written."""


def read(folder: Path, study: Study) -> Scenario | None:
    """The payload of a bundle; the looks are the telemetry of its segment."""
    return read_scenario(folder, study.segments[0].telemetry) if study.segments else None


def read_scenario(bundle: Path, looks: Sequence[Series]) -> Scenario | None:
    """The scenario of a bundle, None where it has none or its file is damaged. looks: its segment's telemetry."""
    try:
        kept: dict[str, Any] = json.loads((bundle / SCENARIO).read_text(encoding="utf-8"))
        events = tuple(Event(Moment(one["moment"]), str(one["words"]), float(one["time_s"])) for one in kept["events"])
        folder = bundle / str(kept["folder"])
        return Scenario(
            name=str(kept["name"]),
            title=str(kept["title"]),
            events=events,
            latencies=_latencies(folder),
            looks=tuple(looks),
            read_back=read_back_of(folder, int(kept["written"])),
            problem=str(kept["problem"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def count_written(folder: Path) -> int:
    """How many writes fio issued, and so had acknowledged at its end: it waits for those in flight.

    Raises UnreadableFile when fio did not tell, when it had errors, or when its log has not as many lines.
    """
    job = _job(folder / _LOAD)
    written, logged = int(job["write"]["total_ios"]), len(_latencies(folder).values)
    if job.get("error"):
        raise UnreadableFile(f"fio had error {job['error']} while writing")
    if written != logged:
        raise UnreadableFile(f"fio issued {written} writes and logged {logged} completions")
    return written


def read_back_of(folder: Path, written: int) -> ReadBack:
    """What the comparison found."""
    try:
        job = _job(folder / _READ_BACK)
    except UnreadableFile as error:
        return ReadBack(written=written, problem=error.message)
    read, code, errors = int(job["read"]["total_ios"]), int(job.get("error", 0)), int(job.get("total_err", 0))
    if code not in (0, _EILSEQ):
        return ReadBack(written=written, read=read, problem=f"fio had error {code} while reading")
    if code == _EILSEQ or errors:
        return ReadBack(written=written, read=read, errors=max(1, errors))
    problem = "" if read >= written else f"{read} of {written} writes were read back"
    return ReadBack(written=written, read=read, errors=0, problem=problem)


def _job(path: Path) -> dict[str, Any]:
    """The only job of fio's JSON. Raises UnreadableFile."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise UnreadableFile(f"{path.name}: {error.strerror}") from None
    for _first, _end, value in find_objects(lines):
        if isinstance(value.get("jobs"), list) and len(value["jobs"]) == 1:
            job: dict[str, Any] = value["jobs"][0]
            return job
    raise UnreadableFile(f"{path.name} has no result of fio: it was stopped before it could report")


def _latencies(folder: Path) -> Series:
    """Every completed I/O at its completion; none where fio was killed before it wrote its log."""
    try:
        text = (folder / _LOG).read_text(encoding="utf-8", errors="replace")
        return fio_log.read_series(text, "lat", "write")
    except (OSError, UnreadableFile):
        return Series("latency_s", "s", (), (), absolute=True)
