"""`dd`: the line of totals of GNU dd in any language, of busybox, BSD and macOS. Its rate is 1000-based."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, get_args

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required, with_above
from radoscope.formats.grammar.command_lines import nearest, size
from radoscope.formats.grammar.phrases import heading_of
from radoscope.formats.grammar.quantities import bytes_per_s, number
from radoscope.records.extra import Extra, known
from radoscope.records.measurement import Result, Source

_Flag = Literal["iflag", "oflag", "conv"]
_FLAGS: tuple[_Flag, ...] = get_args(_Flag)
NAME = "dd"
LOOKS_BACK = 20
ONE_LINE = True
"""Its totals are told by one line, which is no other tool's, wherever it stands."""
SIGNS = ("B/s", "bytes/sec)", "B/秒", "B/с")

_LONGEST_LINE = 400
_FARTHEST, _NEAREST = 8, 2
"""Lines above that hold something: a page of cells has an empty one behind each."""
_LARGEST_ROUNDING = 0.6
"""A rate of one digit, such as 1.4 GB/s printed as "1 GB/s", is off by so much at most."""
_TOTAL = re.compile(
    r"(?:\D{0,8}\d{1,15}\+\d{1,15} [^\d+]{3,40}){0,2}"
    r"\D{0,80}?(?P<bytes>\d{1,18})\s*[^\W\d]{1,12}\s?[(（](?P<pretty>[^)）]{1,40})[)）][^\d]{1,40}"
    r"(?P<time>\d[\d.,]*?(?: \d{3})?)\s*"
    r"(?:s|秒|с|[sS]e[ckg]\w*|сек\w*)\s?[,，、]\s*\*{0,3}(?P<rate>\d[\d.,]*)(?P<gap>\s*)(?P<unit>[kKMGT]?i?B)\s?/\s?(?:s"
    r"|秒|с|сек)\b"
)
_BSD = re.compile(
    r"\D{0,80}?(?P<bytes>\d{1,18}) bytes transferred in (?P<time>[\d.]+) secs? \((?P<rate>[\d.]+) bytes/sec\)"
)
_CUT_TOTAL = re.compile(
    r"(?:(?=\s{0,8}\d{1,5}\.\d{3,6} s, \d[\d.]{0,8} [kMGT]B/s\s*$)"
    r"|\W{0,4}(?:dd\W{0,4}[:=]|(?:[\d.,]{1,12} ?[KMGT]i?B, )?[\d.,]{0,12} ?[KMGT]?i?B?\)?,? ?"
    r"(?:copied|kopiert|copiés?|copiados|skopiowane|скопировано|コピー(?:されました)?|已复制),))"
    r"\s*(?P<bytes>)(?P<time>\d[\d.,]*) ?(?:s|seconds)\b[,.]\s*"
    r"(?P<rate>\d[\d.,]*)(?P<gap> )(?P<unit>[kMGT]B)/s\b"
)
"""Without its front, as people quote it: "dd: 22.7 s, 46.2 MB/s"; or its end alone."""
_RECORDS = re.compile(r"\D{0,8}(?P<whole>\d{1,15})\+(?P<part>\d{1,15})\s+\S")
_NAME_IN_FRONT = re.compile(r"^[^\d:,]{2,40}[:,](?=\s)")
""" "WRITE: 524288000 bytes ...", as a script echoes it."""
_MESSAGE = re.compile(r"\s{0,8}dd: ?[^\W\d]")
""" "dd: error writing '/dev/sda1': No space left on device", between progress and total."""
_PARTS = re.compile(
    r"(?<![\w.])(?P<count>\d{1,7}) ?(?:[x×*]|times) ?(?P<part>\d{1,7} ?[kKMG](?:i?B)?)(?!\w)"
    r"|(?<![\w.])(?P<size>\d{1,7} ?[kKMG](?:i?B)?) ?(?:[x×*]|times) ?(?P<times>\d{1,7})(?!\w)"
)
""" "16 x 64MB" above a total of as many bytes."""
_SOURCES = r"/dev/(?:zero|[a-z]?random|hw_?rng|hw_random)(?!\w)"
"""Of kernels and of their modules (frandom, erandom): no drive."""
_SOURCE, _SINKS = re.compile(_SOURCES), ("/dev/null", "/dev/zero")
_DEVICE = re.compile(r"/dev/(?:r?disk|sd|hd|vd|xvd|nvme|mmcblk|md|dm-|mapper/|rbd|nbd|zvol/|da\d|ada|disk/)")
"""What an image is written to."""
_FLAG = re.compile(r"\b[io]flag\b")
_SPOKEN = re.compile(
    r"\bdd\b.{0,200}?\b(?:bs=|(?:blocks?|block ?size|bs) (?:of )?)(?P<block>\d{1,9}[kKmMgG]?i?B?)(?!\w)", re.I
)
""" "dd into the share, bs=1M"."""
_RATE_TOLD = re.compile(r"\d ?[kKMGT]?i?B/s")
_MOST_BETWEEN = 5
_REMARK_BEHIND = re.compile(
    r"(?P<command>.{0,300}?\b(?:if|of|bs|count|conv|[io]flag)=[^#]{1,200}?)[`'\"]?\s*(?:#+|//|[-=]+>|→|[:：|]\s|[–—]\s)"
    r"\s*(?P<told>\S.*)"
)
"""Some write down behind a command what it told."""
_LABELLED_RATE = (
    r"(?P<rate>\d[\d.,]{0,12})\s?(?P<unit>[kKMGT]i?B)/s(?:ec)?\s{0,3}[(\[](?P<label>[^()\[\]]{1,40})[)\]][\s,;/]{0,4}"
)
_LABELLED = re.compile(
    r".{0,80}?\b(?P<command>dd (?:(?:if|of|bs|count|conv|[io]flag|status)=\S{1,120}\s{1,4}){2,8})(?:[:=]|->|→)?\s{0,4}"
    rf"(?P<told>(?:{re.sub('[?]P<[a-z]+>', '?:', _LABELLED_RATE)}){{2,8}})"
)
""" "dd if=/dev/zero of=t bs=1M count=100 81 MB/s (local) 9.4 MB/s (NFS)": what one command told in several places."""
_PLACE = re.compile(_LABELLED_RATE)
_GOES_ON, _BROKEN = re.compile(r"\s*(?:if|of|bs|count|conv|[io]flag|status)="), re.compile(r"\bdd\s*\\?\s*$|\bdd\s.*=")
"""A command that a letter has broken, and its second line."""
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+[^\W_]")
_SHELL = re.compile(r"\s{0,4}(?:\S{1,60}[#$>%]|[#$>%])\s")
PIPED = re.compile(
    r"\s*(?:[12]?>\S{1,40}\s*|2>&1\s*)?\|(?!.*\bdd\s)(?:\s*pv\b[^|>]{0,60}\|)?\s*(?:\S*/)?"
    r"(?:(?P<sender>(?:nc|ncat|netcat|socat|ssh)\s)|pv\b[^|>]{0,60}>\s?(?P<sink>/dev/null))?"
)
"""Into another program, and not by way of it into a second dd: no drive had a part in it. `pv` only watches."""
_SUMMED = re.compile(
    r"\s*(?:2>&1\s*)?\|\s*(?:md5|sha\d*|b[23]|ck)sum\b|\s*\|\s*(?:md5|xxh\w+|openssl|gzip|zstd|xz|wc)\b"
)
"""CPUs are measured so."""
_SUM_OF_INPUT = re.compile(r"\s*(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})\s{1,3}\*?-\s*")
_MADE = re.compile(rf"{_SOURCES}.*\|\s*$")
"""In front of a dd that gets what another program made of it."""
_RECEIVES = re.compile(r"(?<![\w./-])(?:nc|ncat|netcat|socat)\s[^|]{1,80}\|\s*(?:pv\b[^|>]{0,60}\|\s*)?$")
"""In front of a dd that throws away what comes through a network."""
_COMMAND = re.compile(r"\b[dD]d\s+(?P<arguments>(?:[a-z]+=\S+[\s\\]*){1,20})")


_Asked = tuple[str | None, int | None, Extra]
"""Operation, block size and flags."""


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of totals, and of commands with what they told in several places."""
    yield from sorted([*_loops(lines), *((first, end) for first, end, _ in _compared(lines))])


def _compared(lines: Sequence[str]) -> Iterator[tuple[int, int, re.Match[str]]]:
    """A line, or two that a letter has broken, of a command whose direction is known, with rates that have labels."""
    for at, line in enumerate(lines):
        if "dd " not in line or len(line) > _LONGEST_LINE or "=" not in line:
            continue
        below = lines[at + 1][:_LONGEST_LINE].strip() if at + 1 < len(lines) else ""
        joined = [(at + 2, f"{line.strip()} {below}")] if below else []
        for end, text in (*joined, (at + 1, line.strip())):
            match = _LABELLED.fullmatch(text)
            if match and _command([match["command"]])[0] is not None:
                yield at, end, match
                break


def _loops(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Totals with their `records` above; of equal bytes and without another command between, they are one loop."""
    first = end = -1
    moved = ""
    for begin, stop, total in _runs(lines):
        if end < 0 or total["bytes"] != moved or not _go_on(lines[end:begin]):
            if end > first:
                yield first, end
            first = begin
        end, moved = stop, total["bytes"]
    if end > first:
        yield first, end


def _go_on(between: Sequence[str]) -> bool:
    """ "The same on the other disk:": remarks, and neither a command nor what somebody else told."""
    words = [line[:_LONGEST_LINE] for line in between if line.strip(" `~")]
    typed = any(map(_is_typed, between, ["-", *between]))
    return len(words) <= _MOST_BETWEEN and not (
        typed or any(_BROKEN.search(line) or _RATE_TOLD.search(line) for line in words)
    )


def _is_typed(line: str, above: str) -> bool:
    """Behind a prompt; "# NFS" below an empty line is a heading, and "## NFS" everywhere."""
    if _HEADING.match(line) and (not above.strip() or line.lstrip().startswith("##")):
        return False
    return line.lstrip().startswith("#") or _SHELL.match(line[:_LONGEST_LINE]) is not None


def _runs(lines: Sequence[str]) -> Iterator[tuple[int, int, re.Match[str]]]:
    """A line of totals with its `records` each; lines of `status=progress` are no results."""
    for at, line in enumerate(lines):
        match = _total(line)
        if match is not None and not _is_progress(lines, at, match) and not _is_summed_up(lines, at):
            first = at
            while first > 0 and at - first < 2 and _RECORDS.match(lines[first - 1][:_LONGEST_LINE]):
                first -= 1
            yield first, at + 1, match


def _is_summed_up(lines: Sequence[str], at: int) -> bool:
    """Whether the sum of what a script piped stands below a total, and no command tells what that was."""
    below = lines[at + 1] if at + 1 < len(lines) else ""
    is_sum = _SUM_OF_INPUT.fullmatch(below[:_LONGEST_LINE]) is not None
    return is_sum and nearest(lines[max(0, at - LOOKS_BACK) : at], _COMMAND) is None


def _total(line: str) -> re.Match[str] | None:
    if len(line) > _LONGEST_LINE or ("/s" not in line and "/秒" not in line and "/с" not in line):
        return None
    behind = _REMARK_BEHIND.match(line) if "=" in line else None
    line = behind["told"] if behind else line
    whole = (_TOTAL.match(line) or _BSD.match(line)) if "(" in line or "（" in line else None
    return whole or _CUT_TOTAL.match(line)


def _is_progress(lines: Sequence[str], at: int, match: re.Match[str]) -> bool:
    """The records of the run follow with their total, or a line with more bytes done; none behind its command is."""
    if match.string != lines[at]:
        return False
    for place, below in enumerate(lines[at + 1 : at + 4], at + 1):
        if _RECORDS.match(below[:_LONGEST_LINE]) and _total(below):
            return False  # another run, whose lines were joined
        if _RECORDS.match(below[:_LONGEST_LINE]):
            is_own = at > 0 and _RECORDS.match(lines[at - 1][:_LONGEST_LINE]) is not None
            return not is_own and any(map(_total, _behind_records(lines, place)))
        after = _total(below)
        if after is not None:
            return int(after["bytes"] or 0) > int(match["bytes"] or 0) and _seconds(after) > _seconds(match)
        if below.strip() and not _MESSAGE.match(below):
            return False
    return False


def _behind_records(lines: Sequence[str], at: int) -> Sequence[str]:
    """The line behind those of `records`, where the total stands unless it was cut off."""
    end = next((end for end in range(at, len(lines)) if not _RECORDS.match(lines[end][:_LONGEST_LINE])), len(lines))
    return lines[end : end + 1]


_REMAINS = re.compile(
    r".{0,40}\d+ bytes .{0,80}(?:copied|kopiert|copiés|copiados|skopiowane|скопировано|コピー"
    r"|已复制).{0,60}[kMG]?B/s|\s*\d+\+\d+ (?:records|Datensätze|enregistrements|registros)"
)


def remains(lines: Sequence[str]) -> Iterator[int]:
    """Progress, and records without their total."""
    for at, line in enumerate(lines):
        may_be = "+" in line or "/" in line  # looked for first, for nearly all lines have neither
        if may_be and len(line) <= _LONGEST_LINE and (_REMAINS.match(line) or _total(line)):
            yield at


def _way_above(before: Sequence[str]) -> str | None:
    """What the lines right above name: "2. Write benchmark with cache"."""
    for line in [line for line in reversed(before) if line.strip()][:_NEAREST]:
        phrase = heading_of(line[:_LONGEST_LINE])
        if phrase.load.way in ("read", "write") and not phrase.names_values:
            return phrase.load.way
    return None


def _seconds(match: re.Match[str]) -> float:
    return number(match["time"].replace(" ", ",")) or 0.0


def read(text: str) -> tuple[Result, ...]:
    """Every run of the text. Raises UnreadableFile where there is none."""
    lines = text.splitlines()
    results: list[Result] = []
    for first, end, above in with_above(lines, find(lines), LOOKS_BACK):
        before = _unbroken([line for line in above if line.strip()][-_FARTHEST:])
        if not _of_nothing(before):
            results += _read_loop(lines, [run for run in _runs(lines) if first <= run[0] and run[1] <= end], before)
            results += [
                each for run in _compared(lines[first:end]) for each in _read_places(first, first + run[1], run[2])
            ]
    return required(
        results,
        "no totals of dd from or to a drive in this text",
        "They are a line `... bytes (...) copied, ... s, ... MB/s`.",
    )


def _unbroken(lines: Sequence[str]) -> list[str]:
    found: list[str] = []
    for line in lines:
        before = found[-1][:_LONGEST_LINE].rstrip(" \\") if found else ""
        is_cut = (_GOES_ON.match(line) and _BROKEN.search(before)) or ("dd " in before and before.endswith("|"))
        if is_cut:
            found[-1] = f"{before} {line.strip()}"
        else:
            found.append(line)
    return found


def _of_nothing(before: Sequence[str]) -> bool:
    """Whether the nearest `dd` above copied from /dev/zero to /dev/null, or to what sums bytes up: no drive had a part
    in it."""
    command = nearest(before, _COMMAND)
    copied = _words_of(command) if command else {}
    is_lost = copied.get("of", "").startswith(_SINKS) or (command and _SUMMED.match(command.string, command.end()))
    return _SOURCE.match(copied.get("if", "")) is not None and bool(is_lost)


def _words_of(command: re.Match[str]) -> dict[str, str]:
    return dict(word.split("=", 1) for word in command["arguments"].replace("\\", " ").split())


def _read_loop(
    lines: Sequence[str], runs: Sequence[tuple[int, int, re.Match[str]]], before: Sequence[str]
) -> Iterator[Result]:
    asked, end = _command(before), -1
    for first, stop, match in runs:
        remarks = [line for line in lines[end:first] if line.strip(" `~")] if end >= 0 else []
        asked = _asked_again(asked, remarks) if remarks else asked
        behind = _REMARK_BEHIND.match(lines[stop - 1])
        yield _read_run(lines, first, stop, match, _command([behind["command"]]) if behind else asked)
        end = stop


def _asked_again(asked: _Asked, remarks: Sequence[str]) -> _Asked:
    """What the same command does behind remarks: "Once more without oflag:"; of another direction it is another one."""
    op, block, flags = _command(remarks)
    if op not in (None, asked[0]):
        return op, block, flags
    return asked[0], block or asked[1], flags


def _read_run(lines: Sequence[str], first: int, end: int, match: re.Match[str], asked: _Asked) -> Result:
    total = int(match["bytes"] or 0)
    op, block, flags = asked
    op = _way_above(_NAME_IN_FRONT.findall(match.string)) or op
    context = [name for name, value in (("op", op), ("block_bytes", block)) if value is not None]
    if block is None and (records := _RECORDS.match(lines[first][:_LONGEST_LINE])):
        whole, part = int(records["whole"]), int(records["part"])
        block = (total // whole or None) if part == 0 and whole and total % whole == 0 else None
    if block is None and (block := _block_of_parts(lines[max(0, first - _NEAREST) : first], total)):
        context.append("block_bytes")
    return Result(
        tool=NAME,
        op=op,
        block_bytes=block,
        bandwidth_bytes_per_s=_rate(match),
        runtime_s=_proven_time(match, _rate(match)),
        source=Source(reader=NAME, first_line=first + 1, last_line=end),
        context=tuple(context),
        extra={**known({"bytes": total or None}), **flags},
    )


def _block_of_parts(above: Sequence[str], total: int) -> int | None:
    """What the line right above counts, where all of it is what was copied."""
    line = next((line for line in reversed(above) if line.strip(" `~")), "")
    for match in _PARTS.finditer(line[:_LONGEST_LINE]):
        count, part = int(match["count"] or match["times"]), (match["part"] or match["size"]).replace(" ", "")
        sizes = size(part, dd=False), size(part, dd=True)
        return next((each for each in sizes if each and each * count == total), None)
    return None


def _read_places(first: int, end: int, match: re.Match[str]) -> Iterator[Result]:
    op, block, flags = _command([match["command"]])
    for place in _PLACE.finditer(match["told"]):
        yield Result(
            tool=NAME,
            op=op,
            block_bytes=block,
            bandwidth_bytes_per_s=bytes_per_s(number(place["rate"]), place["unit"] + "/s", mega_is_binary=False),
            source=Source(reader=NAME, first_line=first + 1, last_line=end),
            extra={"label": place["label"].strip(), **flags},
        )


def _proven_time(match: re.Match[str], rate: float | None) -> float | None:
    """The time as bytes over rate prove it: "587,077 s" has a decimal comma in one language and none in another."""
    time = match["time"].replace(" ", ",")  # a comma that was lost
    readings = {number(time), number(time, decimal_comma=True)} - {None}
    if not rate or len(readings) < 2:
        return next(iter(readings), None)
    if not match["bytes"]:
        return number(match["time"]) if "," not in match["time"] else None
    expected = int(match["bytes"]) / rate
    best = min((each for each in readings if each), key=lambda each: abs(each / expected - 1), default=None)
    return best if best is not None and abs(best / expected - 1) < _LARGEST_ROUNDING else None


def _rate(match: re.Match[str]) -> float | None:
    value = number(match["rate"])
    if value is None or match.re.pattern == _BSD.pattern:
        return value
    return bytes_per_s(value, match["unit"] + "/s", mega_is_binary=not match["gap"])  # busybox: "124.3MB/s", 1024-based


def _spoken(line: str) -> _Asked | None:
    """ "dd into the share with bs=1M", "dd again, without oflag"."""
    flag, named = _FLAG.search(line), _SPOKEN.search(line)
    if flag is None and named is None:
        return None
    way = heading_of(line).load.way
    op = ("write" if flag[0] == "oflag" else "read") if flag else way if way in ("read", "write") else None
    return op, size(named["block"], dd=True) if named else None, {}


def _command(before: Sequence[str]) -> _Asked:
    """(op, block size, flags) of the nearest `dd` above."""
    for line in reversed(before):
        match = _COMMAND.search(line[:_LONGEST_LINE]) if "dd" in line.lower() else None
        if match is None and (spoken := _spoken(line[:_LONGEST_LINE])):
            return spoken
        if match is None:
            continue
        words = _words_of(match)
        source, target = words.get("if", ""), words.get("of", "")
        is_made = not source and _MADE.search(line, 0, match.start())
        writes = _SOURCE.fullmatch(source) or is_made or (_DEVICE.match(target) and not _DEVICE.match(source))
        is_flagged = source and target and not writes and ("iflag" in words) != ("oflag" in words)
        op: str | None = "write" if writes else None
        if piped := None if target else PIPED.match(line, match.end()):
            op = "send" if piped["sender"] and writes else "read" if piped["sink"] and source and not writes else None
        elif target.startswith(_SINKS):
            op = "read" if source or not _RECEIVES.search(line[: match.start()]) else "recv"
        elif is_flagged:  # of a copy, the side that is tested
            op = "read" if "iflag" in words else "write"
        block = size(words["bs"], dd=True) if "bs" in words else None
        flags: Extra = {}
        for key in _FLAGS:
            if key in words:
                flags[key] = words[key]
        return op, block, flags
    return _way_above(before), _block_above(before), {}


def _block_above(before: Sequence[str]) -> int | None:
    """Of the nearest line, where it is a heading that names nothing else: "128k:"."""
    heading = next((line.strip() for line in reversed(before) if line.strip()), "")
    phrase = heading_of(heading[:_LONGEST_LINE])
    return None if phrase.rest or phrase.names_values else phrase.load.block_bytes
