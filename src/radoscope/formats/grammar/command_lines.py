"""Command lines above an output: its context."""

from __future__ import annotations

from collections.abc import Sequence

from radoscope import patterns as re

BEFORE = (
    r"(?:(?:(?:sudo|doas|time|nice|ionice|chrt|taskset|numactl|stdbuf|timeout)(?: +(?:-\S{1,60}|\d\S{0,20}))*"
    r"|(?:ssh|(?:kubectl|oc|docker|podman|lxc|pct) exec)(?: +[^\s|]{1,60}){1,6}?) +){0,3}"
)
"""What may stand before a command in its line."""
_PIPED = re.compile(
    rf"(?P<command>\W{{0,4}}(?:\S{{1,40}}[#$>%❯] ?)?{BEFORE}"
    r"(?:fio|rados|rbd|dd|ceph|iperf3?|sysbench|hdparm) [^|]{1,300}?)"
    r"(?: ?\|{1,2} ?(?:sudo )?(?:tee|e?grep|tail|head|awk|sed|cut|jq|less|sort|column)(?: [^|]{0,200})?){1,4}"
)
_SIZE = re.compile(r"(\d{1,15})(?:\.0+)?\s*([kKmMgGtT]?)(i?[bB]|i)?")
_OF_DD = re.compile(r"(?<!\w)(?P<name>[io]?bs=)(?P<size>\d{1,4}[kMG]B)(?!\w)")
_POWER = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_LONGEST_LINE = 4000
_QUOTED = re.compile(
    r"\((?P<round>(?:sudo )?(?:fio|rados|rbd|dd)\s(?=[^()]*[-=])[^()]{5,250})\)"
    r"|(?P<mark>[`\"])(?P<marked>(?:sudo )?(?:fio|rados|rbd|dd)\s[^`\"]{5,250})(?P=mark)"
    r"|“(?P<typeset>(?:sudo )?(?:fio|rados|rbd|dd)\s[^“”]{5,250})”"
)


def size(text: str, dd: bool = False) -> int | None:
    """ "4K", "4M", "65536", "64KiB", "64Ki" -> bytes, K = 1024. dd: there alone "kB" and "MB" are 1000-based."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        return None
    base = 1000 if dd and match[3] in ("B", "b") and match[2] else 1024
    return int(match[1]) * base ** _POWER[match[2].lower()] or None


def with_blocks_of_dd(text: str) -> str:
    """ "dd bs=1MB" with its block in bytes."""
    return _OF_DD.sub(lambda match: f"{match['name']}{size(match['size'], dd=True)}", text)


def without_pipe(line: str) -> str:
    """A command without what is done with what it prints: "rados bench -p a 60 write | tee log"; any other line as it
    is."""
    match = _PIPED.fullmatch(line) if "|" in line and len(line) <= _LONGEST_LINE else None
    return match["command"] if match else line


def nearest(before: Sequence[str], command: re.Pattern[str]) -> re.Match[str] | None:
    """The match of the nearest line above that holds the command."""
    for line in reversed(before):
        if len(line) <= _LONGEST_LINE and (match := command.search(line)):
            return match
    return None


def option(arguments: str, *names: str) -> str | None:
    """The value of the first of the options that is there: "--io-size 4K" or "--io-size=4K"."""
    for name in names:
        if match := re.search(rf"(?:^|\s){re.escape(name)}[\s=]\s*(\S{{1,200}})", arguments):
            return match[1]
    return None


def without_quoted(text: str) -> tuple[str, list[str]]:
    """A text of prose without the commands that it quotes, and these: "with (fio --bs=4k ...) I get"."""
    if "fio " not in text and "dd " not in text and "bench" not in text:
        return text, []
    found = [match["round"] or match["marked"] or match["typeset"] for match in _QUOTED.finditer(text)]
    return (_QUOTED.sub("", text) if found else text), found
