"""Result folders of other tools: CBT archives, bench-fio outputs, and plain folders of fio files -> results.

CBT keeps `results/<iteration>/id-<digest>/.../output.<volume>.<host>` with the conditions in `key-value` folder names
and in `benchmark_config.yaml`; bench-fio keeps `<device>/[<mode><mix>/]<block size>/<mode>-<depth>-<jobs>.json`. What a
file itself says wins; names of folders and files fill what it does not say, and are named in `Result.context`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from radoscope import patterns as re
from radoscope.archives import hist_logs
from radoscope.errors import UnreadableFile
from radoscope.formats.fio import json_report as fio_json
from radoscope.formats.fio import log as fio_log
from radoscope.formats.fio import terse as fio_terse
from radoscope.formats.fio import text as fio_text
from radoscope.formats.fio.job import AskedJob, fill
from radoscope.formats.fio.words import DIRECTIONS, load_of, parse_size
from radoscope.formats.readers import Reader, may_hold
from radoscope.formats.tools import (
    cdm,
    diskspd,
    elbencho,
    iperf3,
    kubernetes,
    network_benches,
    osd_bench,
    rados_bench,
    rbd_bench,
    sysbench,
    vdbench,
    warp,
)
from radoscope.records.extra import Extra
from radoscope.records.measurement import Result, Series

_READERS: tuple[tuple[Callable[[str], bool], Callable[[str], tuple[Result, ...]]], ...] = (
    (fio_json.recognises, fio_json.read),
    (fio_terse.recognises, fio_terse.read),
    (fio_text.recognises, fio_text.read),
    (rados_bench.recognises, rados_bench.read),
)
_OTHERS = (iperf3, osd_bench, rbd_bench, cdm, sysbench, diskspd, elbencho, warp, kubernetes, network_benches, vdbench)
"""Their words stand in other files, too: what they cannot read is no fault of the folder."""
_HEAD_BYTES = 20_000
_MOST_FILES = 20_000
"""A folder with more is no archive of one test series but a disk."""
_LARGEST_BYTES = 256 * 2**20
_CBT_OUTPUT = re.compile(r"(json_)?output\.(\d{1,5})(?:\.(.+))?")
_CBT_ITERATION = re.compile(r"\d{8}")
_CBT_SETTING = re.compile(r"([a-z_]{2,30})-0*(\d{1,12})")
_CBT_CONFIG_LINE = re.compile(r"\s+([a-z_]{2,30}):\s*['\"]?([^\s'\"\[\]{}]{1,100})['\"]?\s*")
_BENCH_FIO = re.compile(r"([a-z]+)-(\d{1,6})-(\d{1,6})\.json")
_FIO_WORDS = {"op_size": "bs", "iodepth": "iodepth", "numjobs": "numjobs", "mode": "rw"}
"""CBT's word for a condition -> fio's."""


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that looked like a result and could not be read."""

    file: str
    why: str


@dataclass(frozen=True, slots=True)
class ResultFolder:
    """What a folder holds. tool: "cbt", "bench-fio" or "" where its layout is of neither. Files are relative to it."""

    tool: str
    results: tuple[Result, ...]
    unread: tuple[UnreadFile, ...] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    """What names say about a file: options in fio's words, and what is worth keeping."""

    tool: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    extra: Extra = field(default_factory=Extra)


def read_folder(folder: Path) -> ResultFolder:
    """All results below a folder, in the order of their paths. Raises UnreadableFile if there are none."""
    if not folder.is_dir():
        raise UnreadableFile(f"{folder} is no folder", "Give a CBT archive, or a folder of bench-fio or fio.")
    _refuse_a_whole_disk(folder)
    results: list[Result] = []
    unread: list[UnreadFile] = []
    tools: list[str] = []
    told: set[Path] = set()
    for path, logs in _result_files(folder):
        name = path.relative_to(folder).as_posix()
        try:
            found = _read_file(path)
        except UnreadableFile as error:
            unread.append(UnreadFile(name, error.message))
            continue
        if found:
            place = _place(folder, path)
            tools.append(place.tool)
            results.extend(_with_series(_placed(result, place, name), path, logs) for result in found)
            told.add(path.parent)
    for parent, names in _histogram_logs(folder):
        if parent not in told:
            results += _runs_of_histograms(folder, parent, names, unread)
    if not results:
        raise UnreadableFile(f"there is no result of fio or rados bench below {folder}")
    tools = tools or ["fio"]
    return ResultFolder(max(set(tools), key=tools.count), tuple(results), tuple(unread))


def _refuse_a_whole_disk(folder: Path) -> None:
    """Counting names is quick; opening a hundred thousand files is not."""
    seen = 0
    for _, _, names in os.walk(folder, followlinks=False):
        seen += len(names)
        if seen > _MOST_FILES:
            raise UnreadableFile(f"{folder} holds more than {_MOST_FILES:,} files", "Name the folder of the results.")


def _result_files(folder: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Files that may hold results, each with the names of all logs in its folder; links are not followed."""
    for parent, subfolders, names in os.walk(folder, followlinks=False):
        subfolders.sort()
        outputs = set(names)
        logs = tuple(sorted(name for name in names if fio_log.kind_of(name) is not None))
        for name in sorted(outputs.difference(logs)):
            repeats = name.startswith("json_output.") and name.removeprefix("json_") in outputs
            if not repeats and not name.startswith("."):
                yield Path(parent, name), logs


def _histogram_logs(folder: Path) -> Iterator[tuple[Path, dict[str, list[str]]]]:
    """Each folder with histogram logs: run -> their names."""
    for parent, subfolders, names in os.walk(folder, followlinks=False):
        subfolders.sort()
        if runs := hist_logs.runs_of(names):
            yield Path(parent), runs


def _runs_of_histograms(
    folder: Path, parent: Path, runs: Mapping[str, list[str]], unread: list[UnreadFile]
) -> list[Result]:
    """The results of runs of which nothing but histogram logs was left."""
    results: list[Result] = []
    for names in runs.values():
        source = (parent / names[0]).relative_to(folder).as_posix()
        try:
            results += hist_logs.read_run(parent, names, source)
        except UnreadableFile as error:
            unread.append(UnreadFile(source, error.message))
    return results


def _read_file(path: Path) -> tuple[Result, ...]:
    """The results of one file; none where it is of no format that is looked for here. Raises UnreadableFile."""
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST_BYTES:
            return ()
        with path.open("rb") as file:
            start = file.read(_HEAD_BYTES)
            head = start.decode("utf-8", "replace")
            known = [read for recognises, read in _READERS if recognises(head)]
            letters = frozenset(head)
            others = [reader for reader in _OTHERS if may_hold(head, reader, letters)]
            if not (known or others):
                return ()
            text = (start + file.read()).decode("utf-8", "replace")
    except OSError as error:
        raise UnreadableFile(f"it cannot be opened: {error.strerror}") from None
    if known:
        return _first_that_reads(known, text)
    return next((found for reader in others if (found := _read_or_none(reader, text))), ())


def _read_or_none(reader: Reader, text: str) -> tuple[Result, ...]:
    try:
        return reader.read(text)
    except UnreadableFile:
        return ()


def _first_that_reads(readers: Sequence[Callable[[str], tuple[Result, ...]]], text: str) -> tuple[Result, ...]:
    """CBT asks fio for JSON and normal text in one file: the first of the formats holds all that the others repeat."""
    why = UnreadableFile("no format reads it")
    for read in readers:
        try:
            return read(text)
        except UnreadableFile as error:
            why = error
    raise why


def _place(folder: Path, path: Path) -> _Place:
    if match := _CBT_OUTPUT.fullmatch(path.name):
        return _cbt_place(folder, path, match)
    if match := _BENCH_FIO.fullmatch(path.name):
        return _bench_fio_place(folder, path, match)
    return _Place()


def _cbt_place(folder: Path, path: Path, match: re.Match[str]) -> _Place:
    options = _cbt_config(folder, path)
    extra: Extra = {"volume": int(match[2])}
    if match[3]:
        extra["host"] = match[3]
    for part in path.relative_to(folder).parts[:-1]:
        if setting := _CBT_SETTING.fullmatch(part):
            options[setting[1]] = setting[2]
        elif load_of(part):
            options["mode"] = part
        elif _CBT_ITERATION.fullmatch(part):
            extra["iteration"] = int(part)
    fio_options = {_FIO_WORDS[key]: value for key, value in options.items() if key in _FIO_WORDS}
    return _Place("cbt", fio_options, extra)


def _cbt_config(folder: Path, path: Path) -> dict[str, str]:
    """Plain settings of the nearest benchmark_config.yaml above a file; lists and nested ones are passed over."""
    for parent in path.parents:
        config = parent / "benchmark_config.yaml"
        if config.is_file():
            try:
                lines = config.read_text("utf-8", "replace").splitlines()
            except OSError:
                return {}
            matches = (_CBT_CONFIG_LINE.fullmatch(line) for line in lines)
            return {match[1]: match[2] for match in matches if match is not None}
        if parent == folder:
            break
    return {}


def _bench_fio_place(folder: Path, path: Path, match: re.Match[str]) -> _Place:
    if load_of(match[1]) is None:
        return _Place()
    options = {"rw": match[1], "iodepth": match[2], "numjobs": match[3]}
    extra: Extra = {}
    parts = [part for part in path.relative_to(folder.parent).parts[:-1] if not part.startswith("run-")]
    if parts and parse_size(parts[-1]) is not None:
        options["bs"] = parts.pop()
        above = [part for part in parts if not re.fullmatch(re.escape(match[1]) + r"\d{1,3}", part)]
        extra = {"device": above[-1]} if above else {}
    return _Place("bench-fio", options, extra)


def _placed(result: Result, place: _Place, name: str) -> Result:
    """The result with its file, and with what only names say of it."""
    source = replace(result.source, file=name) if result.source is not None else None
    result = replace(result, source=source, extra={**place.extra, **result.extra})
    if result.tool != "fio" or not {"rw", "bs", "iodepth"} <= place.options.keys():
        return result
    asked = AskedJob(name=result.extra.get("jobname"), options={"group_reporting": "1", **place.options})
    return fill((result,), (asked,))[0]


def _with_series(result: Result, path: Path, logs: tuple[str, ...]) -> Result:
    """The result with its direction's logs, where there is one log of a kind: several jobs' logs do not add up."""
    direction = (result.op or "").removeprefix("rand")
    series: list[Series] = []
    for kind in fio_log.QUANTITIES:
        names = _logs_of(path, kind, logs)
        if len(names) != 1:
            continue
        try:
            found = fio_log.read_all_series(path.with_name(names[0]).read_text("ascii", "replace"), kind)
        except (OSError, UnreadableFile):
            continue  # a run that was killed may leave empty logs
        if direction in found:
            series.append(found[direction])
    series += _percentiles_over_time(path.parent, _logs_of(path, "clat_hist", logs), direction)
    return replace(result, series=(*result.series, *series)) if series else result


def _percentiles_over_time(folder: Path, names: Sequence[str], direction: str) -> tuple[Series, ...]:
    """Of all jobs together: histograms add up."""
    if not names or direction not in DIRECTIONS:
        return ()
    try:
        return hist_logs.over_time(hist_logs.read_logs(folder, names), direction)
    except UnreadableFile:
        return ()


def _logs_of(path: Path, kind: str, logs: tuple[str, ...]) -> list[str]:
    """The names of an output's logs of one kind; CBT appends the host to each."""
    if not logs:
        return []
    stem, host = path.stem, ""
    if match := _CBT_OUTPUT.fullmatch(path.name):
        stem, host = f"output.{match[2]}", f".{match[3]}" if match[3] else ""
    elif match := _BENCH_FIO.fullmatch(path.name):
        stem = f"{match[1]}-iodepth-{match[2]}-numjobs-{match[3]}"
    wanted = re.compile(rf"{re.escape(stem)}_{kind}(?:\.\d+)?\.log{re.escape(host)}")
    return [name for name in logs if wanted.fullmatch(name)]
