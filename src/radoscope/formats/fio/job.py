"""fio's job files and command lines -> what they ask for. No results: context for the output beside them.

`fill(results, jobs)` puts into results what their text does not say, and names it in `Result.context`; where a job and
an output disagree, the output wins.
"""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from typing import Any

from radoscope import patterns as re
from radoscope.errors import UnreadableFile
from radoscope.formats.fio.words import block_size, is_mixed, load_of, operation, parse_size, whole, whole_operation
from radoscope.records.conditions import Sync
from radoscope.records.measurement import Result

NAME = "fio_job"

_SECTION = re.compile(r"\s*\[([^\[\]\n]{1,100})\]\s*")
_SETTING = re.compile(r"\s*([A-Za-z_][\w-]{0,40})\s*(?:=\s*(\S.{0,400})?)?\s*")
_COMMENT = re.compile(r"\s*[#;]")
_TRAILING_COMMENT = re.compile(r"\s[#;].*")
_COMMAND = re.compile(r"(?:^|[\s#$>;&|`'\"(/*])fio\s+(?=[^|]{0,4000}?[-–—−]{1,2}[a-z])")
_OPTION = re.compile(r"[-–—−]{1,2}([A-Za-z][\w-]{0,40})(?:=(.{0,400}))?")
_TELLING = {"rw", "readwrite", "bs", "blocksize", "ioengine", "iodepth", "numjobs"}
"""Options that only fio knows, or that say what is measured: one of them makes a block of settings a job of fio."""
_TELLING_OPTION = re.compile(rf"[-–—−](?:{'|'.join(sorted(_TELLING))})\b")
_NAMED = re.compile(r"(?:^|[\s#$>;&|`'\"(/*])fio(?:[\s\\]|$)")
_RANGE_OF_ONE = re.compile(r"(?<![^,])([^,:-]{1,20})[:-]\1(?![^,])")
""" "4k:4k" or "4k-4k" of `bsrange`."""
_LONGEST_LINE = 4000
_MOST_CONTINUATIONS = 40
_COMMANDS_KEPT = 2**13
"""A page is asked for its commands several times."""
_END_OF_COMMAND = {"|", "||", "&&", ";", "&", ">", ">>", "2>&1"}
_SPELLINGS = {"readwrite": "rw", "blocksize": "bs", "blocksize_range": "bsrange"}


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedJob:
    """One job as it was asked for. options: fio's words for it, global ones included. Lines are 1-based.

    block: the line on which its job file or command begins, which it shares with the other jobs there.

    is_cut: the lines above it are missing, its name among them.
    """

    name: str | None
    options: Mapping[str, str] = field(default_factory=dict)
    first_line: int = 1
    last_line: int = 1
    block: int = 1
    is_cut: bool = False

    @property
    def load(self) -> str | None:
        """The load in fio's word, e.g. "randwrite"; fio's default is "read"."""
        return load_of(self.options.get("rw", "read"))

    @property
    def queue_depth(self) -> int | None:
        """None where a script's variable says it: "--iodepth=$d"."""
        return _asked_or_one(self.options.get("iodepth"))

    @property
    def jobs(self) -> int | None:
        return _asked_or_one(self.options.get("numjobs"))

    @property
    def grouped(self) -> bool:
        """Whether fio reports the clones of this job as one."""
        return _is_on(self.options.get("group_reporting"))

    @property
    def sync(self) -> Sync:
        """How each write is made durable; an fsync after more than one write is none of these."""
        if self.options.get("fsync") == "1" or self.options.get("fdatasync") == "1":
            return Sync.FSYNC
        return Sync.OSYNC if self.options.get("sync", "0") not in ("0", "none") else Sync.NONE

    def block_bytes(self, direction: str) -> int | None:
        """The size of one I/O; fio's default is 4 KiB, a range has none unless both of its ends are the same."""
        if "bssplit" in self.options:
            return None
        sizes = _RANGE_OF_ONE.sub(r"\1", self.options.get("bsrange", self.options.get("bs", "4k")))
        return block_size(sizes, direction)

    @property
    def runtime_s(self) -> int | None:
        """How long it was to run at most, in whole seconds; fio's "2m" and the like are left out."""
        return whole(self.options.get("runtime", "").removesuffix("s"))

    @property
    def rate_iops(self) -> float | None:
        """The rate at which it was held, per second; None for as fast as it goes."""
        rate = parse_size(self.options.get("rate_iops", "").split(",")[0])
        return None if rate is None else float(rate)


def _asked_or_one(value: str | None) -> int | None:
    """fio's default is 1."""
    return None if value is not None and "$" in value else whole(value) or 1


def read_jobs(text: str) -> tuple[AskedJob, ...]:
    """All jobs of all job files and command lines in the text. Raises UnreadableFile if there is none."""
    lines = text.split("\n")
    jobs: list[AskedJob] = []
    for first, last in find(lines):
        if _SECTION.fullmatch(lines[first]):
            jobs.extend(_jobs_of_file(lines, first, last))
        elif _is_listed(lines[first]):
            jobs.append(_job_of_list(lines, first, last))
        elif is_change(lines[first]):
            jobs.extend(_changed(jobs, lines[first], first))
        else:
            jobs.extend(_jobs_of_command(lines, first, last))
    if not jobs:
        raise UnreadableFile("there is no job file and no command line of fio in this text")
    return tuple(jobs)


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The job files and command lines of fio among other lines, one pass."""
    position = 0
    while position < len(lines):
        line, end = lines[position], position
        if len(line) > _LONGEST_LINE:
            position += 1
            continue
        if _SECTION.fullmatch(line):
            end = _end_of_file(lines, position)
            if not _TELLING.isdisjoint(_settings(lines[position:end])):
                yield position, end
        elif _is_listed(line):
            end = _end_of_list(lines, position)
            settings = _settings(lines[position:end])
            if end - position >= _FEWEST_LISTED and "rw" in settings and len(_TELLING & settings.keys()) > 1:
                yield position, end
        elif "fio" in line and _NAMED.search(line):
            command_end = _end_of_command(lines, position)
            if _is_command(_unwrapped(lines, position, command_end)):
                end = command_end
                yield position, end
        elif is_change(line):
            end = position + 1
            yield position, end
        position = max(end, position + 1)


def fill(results: Iterable[Result], jobs: Sequence[AskedJob]) -> tuple[Result, ...]:
    """The results with what only the jobs say: operation, block size, depth, jobs; each named in `context`."""
    return tuple(_filled(result, _candidates(result, jobs)) for result in results)


def fill_beside(results: Iterable[Result], jobs: Sequence[AskedJob], lines: Sequence[str] = ()) -> tuple[Result, ...]:
    """The same for a whole page, lines counted in the same text: to each result the jobs that stand nearest above.

    Where several outputs stand below several commands, each has its own, if they are as many and do what is printed;
    else what all of them say. Commands below the same heading as the outputs go before those above it.
    """
    asked = list(results)
    of_block = by_block(jobs)
    blocks = list(of_block)
    found: dict[int, Sequence[int]] = {}
    for above_them, outputs in _below_commands(asked, blocks):
        commands = _of_last_section(above_them, outputs, lines)
        pairs = [(command, result) for command, own in zip(commands, outputs, strict=False) for result in own]
        are_pairs = len(commands) == len(outputs) and all(
            any(job.load is not None and _does(job.load, result.op) for job in of_block[command])
            for command, result in pairs
        )
        if are_pairs:
            found |= {id(result): [command] for command, result in pairs}
        else:
            for output in outputs:
                able = [command for command in commands if _does_all(of_block[command], output)] or commands
                for result in output:
                    named = [command for command in able if _is_named(result, of_block[command])]
                    found[id(result)] = able if len(outputs) > 1 else (named or able)[-1:]
    above = [tuple(found.get(id(result), ())) for result in asked]
    names: dict[tuple[int, ...], set[str]] = defaultdict(set)
    for result, commands in zip(asked, above, strict=True):
        names[commands].add(str(result.extra.get("jobname")))
    filled = []
    for result, commands in zip(asked, above, strict=True):
        own = [job for command in commands for job in of_block[command]]
        alone = len(names[commands]) == 1
        filled.append(_filled(result, _candidates(result, own) or (_renamed(result, own) if alone else [])))
    return tuple(filled)


def fill_above(results: Sequence[Result], jobs: Sequence[AskedJob]) -> tuple[Result, ...]:
    """The reads and writes above the only command of a page, if that asks for both at once, and of which nothing else
    tells whether they were random: they are what it gave."""
    asks_for_both = bool(jobs) and all(job.load is not None and is_mixed(job.load) for job in jobs)
    first = jobs[0].block if asks_for_both and len(by_block(jobs)) == 1 else 0
    above = [each for each in results if is_left_open(each) and _first_line(each) < first]
    ways = {(each.op, each.runtime_s) for each in above}
    both = {id(each) for each in above if {("read", each.runtime_s), ("write", each.runtime_s)} <= ways}
    return tuple(_filled(each, jobs) if id(each) in both else each for each in results)


def is_left_open(result: Result) -> bool:
    """Whether nothing tells if it was random, or what it was called."""
    return bool(result.extra.get("pattern_unknown")) and "jobname" not in result.extra


def by_block(jobs: Iterable[AskedJob]) -> dict[int, tuple[AskedJob, ...]]:
    """Those of each job file and each command, by its first line, counted from 1."""
    return {block: tuple(own) for block, own in groupby(sorted(jobs, key=_block), key=_block)}


def _does_all(jobs: Sequence[AskedJob], output: Sequence[Result]) -> bool:
    """Whether they give each of the directions that one output tells of: reads and writes are of a mixed run."""
    return all(any(job.load is not None and _does(job.load, result.op) for job in jobs) for result in output)


def _is_named(result: Result, jobs: Sequence[AskedJob]) -> bool:
    """Whether one of them has the name that its output has."""
    return any(job.name == result.extra.get("jobname") for job in jobs if job.name)


def _block(job: AskedJob) -> int:
    return job.block


def _below_commands(
    results: Sequence[Result], blocks: Sequence[int]
) -> Iterator[tuple[Sequence[int], Sequence[Sequence[Result]]]]:
    """Commands that stand together, by their lines, and the outputs below them, each of results that stand together."""
    commands: list[int] = []
    outputs: list[list[Result]] = []
    last = 0
    left = list(blocks)
    for result in sorted(results, key=_first_line):
        first = _first_line(result)
        if left and left[0] <= first:
            yield commands, outputs
            above = [block for block in left if block <= first]
            commands, outputs, left = above, [], left[len(above) :]
        if outputs and first <= last + 1:
            outputs[-1].append(result)
        else:
            outputs.append([result])
        last = max(first, (result.source.last_line if result.source else None) or first)
    yield commands, outputs


def _of_last_section(
    commands: Sequence[int], outputs: Sequence[Sequence[Result]], lines: Sequence[str]
) -> Sequence[int]:
    """The commands behind the last heading, where the outputs stand below it, too."""
    end = _first_line(outputs[0][0]) if outputs and outputs[0] else 0
    between = range(commands[0], min(end, len(lines))) if commands else ()
    headings = [at for at in between if _HEADING.match(lines[at]) and not _is_command(lines[at])]
    behind = [command for command in commands if not headings or command > headings[-1]]
    return behind or commands


def _first_line(result: Result) -> int:
    return (result.source.first_line if result.source is not None else None) or 0


def _candidates(result: Result, jobs: Sequence[AskedJob]) -> list[AskedJob]:
    """The jobs that may have given this result: of its name, or all that do its direction where it has no name."""
    if (name := result.extra.get("jobname")) is not None:
        cut = [job for job in jobs if job.is_cut and job.load is not None and _does(job.load, result.op)]
        return [job for job in jobs if job.name == name] or cut
    return [job for job in jobs if job.load is not None and _does(job.load, result.op)]


def _renamed(result: Result, jobs: Sequence[AskedJob]) -> list[AskedJob]:
    """The only job above one of another name, where nothing else is another: a manual's output is often older than its
    command."""
    if len(jobs) != 1 or jobs[0].load is None or not _does(jobs[0].load, result.op):
        return []
    job = jobs[0]
    told = [
        (result.block_bytes, job.block_bytes((result.op or "").removeprefix("rand"))),
        (result.queue_depth, job.queue_depth),
        (round(result.runtime_s) if result.runtime_s else None, job.runtime_s),
    ]
    known = [pair for pair in told if None not in pair and pair != (1, 1)]
    is_same = all(printed == asked for printed, asked in known) and len(known) >= _FEWEST_ALIKE
    return [job] if is_same and (not job.grouped or result.jobs in (None, job.jobs)) else []


def _does(load: str, op: str | None) -> bool:
    return op is None or is_mixed(load) or op.removeprefix("rand") in load


def _filled(result: Result, jobs: Sequence[AskedJob]) -> Result:
    direction = (result.op or "").removeprefix("rand")
    changes: dict[str, Any] = {}
    if result.op is None:
        changes["op"] = agreed(whole_operation(job.load) for job in jobs)
    if result.extra.get("pattern_unknown") and direction in ("read", "write", "trim"):
        op = agreed(operation(job.load, direction) for job in jobs)
        if op is not None and op != result.op:
            changes["op"] = op
    direction = direction or str(changes.get("op") or "").removeprefix("rand").replace("rw", "read")
    if result.block_bytes is None and direction in ("read", "write", "trim"):
        changes["block_bytes"] = agreed(job.block_bytes(direction) for job in jobs)
    if result.queue_depth is None:
        changes["queue_depth"] = agreed(job.queue_depth for job in jobs)
    if result.jobs is None:
        is_sum = bool(result.extra.get("total_of_group"))
        changes["jobs"] = agreed(job.jobs if job.grouped or is_sum or _is_of_all(result, job) else 1 for job in jobs)
    changes = {name: value for name, value in changes.items() if value is not None}
    if not changes:
        return result
    return replace(result, context=tuple(dict.fromkeys((*result.context, *changes))), **changes)


def _is_of_all(result: Result, job: AskedJob) -> bool:
    """Whether more was in flight than one of its processes may have, and as much as all of them: somebody summed up."""
    mean = result.latency.mean_s if result.latency else None
    if not (mean and result.iops and job.jobs and job.queue_depth):
        return False
    in_flight = mean * result.iops / job.queue_depth
    return 1 + _ROUNDED < in_flight <= job.jobs * (1 + _ROUNDED) and in_flight > job.jobs - 1


_ROUNDED = 0.1
"""By how much a rate and a latency, as they were printed, may be off together."""


def agreed(values: Iterable[Any]) -> Any:
    """The one value on which all candidates agree, else None."""
    different = set(values)
    return different.pop() if len(different) == 1 else None


def _is_command(text: str) -> bool:
    """Whether fio is called here with an option that says what is measured."""
    return _TELLING_OPTION.search(text) is not None and _COMMAND.search(text) is not None


def _end_of_file(lines: Sequence[str], start: int) -> int:
    """Behind the last setting of the job file that begins with a section at `start`."""
    end = start + 1
    for position in range(start + 1, len(lines)):
        line = lines[position]
        if len(line) > _LONGEST_LINE:
            break
        if not line.strip() or _COMMENT.match(line):
            continue
        if not _SECTION.fullmatch(line) and not _is_setting(line):
            break
        end = position + 1
    return end


_HEADING = re.compile(r"\s{0,3}(?:#{1,6}\s+\S|\d{1,2}[.)]\s+[^\W\d_]|\*\*[^*]{3,60}\*\*:?\s*$)")
_LISTED = re.compile(r"\s*[a-z_]{2,30}=\S{1,80}\s*")
_FEWEST_LISTED = 3
_FEWEST_ALIKE = 2
"""Of block, depth and run time: then a job of another name is the same."""


def _is_listed(line: str) -> bool:
    """A setting alone on its line, as in a job file without its `[section]`."""
    return "=" in line and _LISTED.fullmatch(line) is not None


def _end_of_list(lines: Sequence[str], start: int) -> int:
    """Behind the last of the settings that stand right below each other from `start` on."""
    end = start
    while end < len(lines) and len(lines[end]) <= _LONGEST_LINE and lines[end].strip() and _is_setting(lines[end]):
        end += 1
    return end


def _is_setting(line: str) -> bool:
    match = _SETTING.fullmatch(_TRAILING_COMMENT.sub("", line))
    return match is not None and ("=" in line or match[1].lower() in _SWITCHES)


_SWITCHES = {
    "stonewall", "wait_for_previous", "group_reporting", "new_group", "norandommap", "time_based", "direct", "thread",
    "unlink", "overwrite", "randrepeat", "create_only", "exitall", "do_verify", "invalidate", "buffered",
    "refill_buffers", "scramble_buffers", "zero_buffers", "fill_device", "fsync_on_close", "end_fsync", "create_fsync",
    "create_on_open", "create_serialize", "fallocate", "file_append", "unique_filename", "hipri", "fixedbufs",
    "registerfiles", "sqthread_poll", "gtod_reduce", "disable_lat", "disable_clat", "disable_slat", "disable_bw",
    "lat_percentiles", "clat_percentiles", "slat_percentiles", "per_job_logs", "softrandommap", "random_generator",
    "allow_file_create", "pre_read", "ramp_time", "experimental_verify", "verify_fatal", "continue_on_error",
}  # fmt: skip
"""Options that stand without a value."""


def _settings(lines: Sequence[str]) -> dict[str, str]:
    settings: dict[str, str] = {}
    for line in lines:
        if line.strip() and not _COMMENT.match(line) and (match := _SETTING.fullmatch(_TRAILING_COMMENT.sub("", line))):
            settings[_spelling(match[1])] = _value(match[2])
    return settings


def _jobs_of_file(lines: Sequence[str], first: int, last: int) -> Iterator[AskedJob]:
    """Each section but the global ones, which hold for the sections that follow them."""
    starts = [place for place in range(first, last) if _SECTION.fullmatch(lines[place])]
    shared: dict[str, str] = {}
    for start, end in zip(starts, [*starts[1:], last], strict=True):
        section = _SECTION.fullmatch(lines[start])
        name = section[1].strip() if section else ""
        settings = _settings(lines[start + 1 : end])
        if name.lower() == "global":
            shared.update(settings)
        else:
            yield AskedJob(name=name, options=shared | settings, first_line=start + 1, last_line=end, block=first + 1)


def _job_of_list(lines: Sequence[str], first: int, last: int) -> AskedJob:
    settings = _settings(lines[first:last])
    name = settings.get("name")
    return AskedJob(name=name, options=settings, first_line=first + 1, last_line=last, block=first + 1, is_cut=not name)


def is_change(line: str) -> bool:
    """Whether a line says that a command was run once more with another option: "Same, but --rw=randwrite"."""
    is_so = "-" in line and _CHANGED.search(line) is not None and _SAME_BUT.search(line) is not None
    return is_so and not _OF_ANOTHER.search(line)


def _changed(jobs: Sequence[AskedJob], line: str, at: int) -> Iterator[AskedJob]:
    """ "The same options, only --rw=randwrite": the one job of the command above with what is said to differ."""
    before = [job for job in jobs if job.block == jobs[-1].block]
    if len(before) == 1:
        options = {**before[0].options, **{_spelling(name): value for name, value in _CHANGED.findall(line)}}
        yield replace(before[0], options=options, first_line=at + 1, last_line=at + 1, block=at + 1)


_CHANGED = re.compile(
    r"(?<![\w-])[-–—−]{1,2}(rw|readwrite|bs|blocksize|iodepth|numjobs)[= ]([0-9A-Za-z]{1,12})(?![\w.=-]*=)", re.ASCII
)
_OF_ANOTHER = re.compile(r"(?<![-–—−\w])(?:rw|bs|iodepth|numjobs)=\w")
""" "..., and sequential ones (bs=1M, iodepth=8)": another test is told of in the same line."""
_SAME_BUT = re.compile(
    r"(?<![a-z])same(?![a-z])|(?:gleiche|selbe)[nmrs]?\b|\bmêmes?\b|\bmism[oa]s?\b|\bmesm[oa]s?\b|\bstess[aeio]\b"
    r"|(?:теми?|тех|той|тот|те|та) же|동일|같은|同じ|同样|相同|同樣|同上|一样",
    re.IGNORECASE,
)
_OPTIONS_FIRST = re.compile(r"\s*[-–—−]{2}[a-z]\w{1,40}=|\s+-[a-z]\w{1,40}(?:=| +\w)")
"""A line that goes on with options, as a mail wraps a command."""


def _end_of_command(lines: Sequence[str], start: int) -> int:
    """Behind a command's last line; it goes on behind a backslash, and where a line of nothing but options follows."""
    end = start + 1
    while end < min(len(lines), start + _MOST_CONTINUATIONS):
        goes_on = lines[end - 1].rstrip().endswith("\\")
        if not goes_on and not _OPTIONS_FIRST.match(lines[end]):
            break
        end += 1
    return end


def _unwrapped(lines: Sequence[str], first: int, last: int) -> str:
    parts = (line.strip().removesuffix("\\") for line in lines[first:last])
    return " ".join(parts)[: 4 * _LONGEST_LINE]


def _jobs_of_command(lines: Sequence[str], first: int, last: int) -> Iterator[AskedJob]:
    """Each `--name` begins a job; options before the first hold for all."""
    command = _unwrapped(lines, first, last)
    match = _COMMAND.search(command)
    if match is None:
        return
    shared: dict[str, str] = {}
    jobs: list[dict[str, str]] = []
    for option, value in _options(command[match.end() :]):
        if option == "name":
            jobs.append(dict(shared))
        (jobs[-1] if jobs else shared)[option] = value
    for options in jobs or [shared]:
        yield AskedJob(name=options.get("name"), options=options, first_line=first + 1, last_line=last, block=first + 1)


@lru_cache(maxsize=_COMMANDS_KEPT)
def _options(arguments: str) -> Sequence[tuple[str, str]]:
    return tuple(_options_in(_words(arguments)))


def _options_in(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    for place, word in enumerate(words):
        if word in _END_OF_COMMAND:
            return
        match = _OPTION.fullmatch(word)
        if match is None:
            continue
        following = words[place + 1] if place + 1 < len(words) else "-"
        detached = match[2] is None and not _OPTION.fullmatch(following) and following not in _END_OF_COMMAND
        yield _spelling(match[1]), _value(following if detached else match[2])


def _words(arguments: str) -> list[str]:
    try:
        return shlex.split(arguments)
    except ValueError:  # an apostrophe of prose, or a quotation mark that was cut off
        return arguments.split()


def _spelling(option: str) -> str:
    lowered = option.lower().replace("-", "_")
    return _SPELLINGS.get(lowered, lowered)


def _value(text: str | None) -> str:
    if text is None:
        return "1"
    return _TRAILING_COMMENT.sub("", text).strip().rstrip("*:").strip("\"'")


def _is_on(value: str | None) -> bool:
    return value is not None and value.strip() not in ("0", "false", "")
