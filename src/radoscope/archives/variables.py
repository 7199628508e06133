"""Shell variables of one value in commands of fio: "t=randread" above "fio --rw=$t --bs=4k"."""

from __future__ import annotations

from collections.abc import Sequence

from radoscope import patterns as re

_ASSIGNS = re.compile(
    r"\W{0,8}(?:export )?(?P<name>[A-Za-z_]\w{0,20})=(['\"]?)"
    r"(?P<value>(?:rand)?(?:read|write|rw)|\d{1,6}[kKmM]?)\2;?\s*"
)
_OF_FIO = re.compile(r"(?<!\w)fio\s.{0,400}=\$")
_USE = re.compile(r"(?<==)\$(?:(?P<name>\w{1,20})|\{(?P<braced>\w{1,20})\})(?!\w)")


def with_variables(lines: Sequence[str]) -> list[str]:
    """The lines, with the last value of each variable in place of its name."""
    values: dict[str, str] = {}
    told = []
    for line in lines:
        if "=" in line and len(line) < 60 and (assigned := _ASSIGNS.fullmatch(line)):
            values[assigned["name"]] = assigned["value"]
        elif values and "$" in line and _OF_FIO.search(line):
            line = _USE.sub(lambda use: values.get(use["name"] or use["braced"], use[0]), line)
        told.append(line)
    return told
