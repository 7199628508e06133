"""Compares imported results with an expected list by the rules of the import cases' README.

Keys with an underscore: `_alt` more right values of a field; `_soft` fields where null is right too; `_must_null`
fields that must be null; `_optional` results that may be left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

FIELDS = (
    "tool", "op", "block_bytes", "queue_depth", "jobs", "iops", "bw_bytes_per_s", "lat_mean_ns", "lat_p50_ns",
    "lat_p99_ns", "lat_p999_ns", "sync_mean_ns", "total_ios", "runtime_s",
)  # fmt: skip
EXACT = ("tool", "op", "queue_depth", "jobs")
TOLERANCE = 0.005


@dataclass
class Score:
    """missing and invented: results. wrong: one sentence a field."""

    missing: list[str] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    right: int = 0

    @property
    def is_perfect(self) -> bool:
        return not (self.missing or self.invented or self.wrong)

    def __str__(self) -> str:
        lines = [f"missing: {each}" for each in self.missing] + [f"invented: {each}" for each in self.invented]
        return "\n".join(lines + [f"wrong: {each}" for each in self.wrong]) or "perfect"


def score(found: Sequence[Mapping[str, Any]], expected: Sequence[Mapping[str, Any]]) -> Score:
    """Pairs expected and found results, those that differ least first, and of equals those that must be found."""
    result, differ = Score(), dict[tuple[int, int], list[str]]()
    for number, want in enumerate(expected):
        for at, one in enumerate(found):
            if _same_kind(one, want):
                differ[number, at] = differences(one, want)
    optional = [bool(want.get("_optional")) for want in expected]
    paired, left = dict[int, int](), set(range(len(found)))
    for number, at in sorted(differ, key=lambda pair: (len(differ[pair]), optional[pair[0]], pair)):
        if number not in paired and at in left and not (optional[number] and differ[number, at]):
            paired[number] = at
            left.remove(at)
    for number, want in enumerate(expected):
        if optional[number]:
            continue
        if number not in paired:
            result.missing.append(_name(want))
            continue
        result.right += 1
        result.wrong += [f"{_name(want)}: {each}" for each in differ[number, paired[number]]]
    result.invented = [_name(found[at]) for at in sorted(left)]
    return result


def differences(found: Mapping[str, Any], want: Mapping[str, Any]) -> list[str]:
    """One sentence for each field that is not right."""
    wrong = []
    must_null, soft, other = want.get("_must_null", ()), want.get("_soft", ()), want.get("_alt", {})
    for name in FIELDS:
        value, right = found[name], want[name]
        if name in must_null:
            good = value is None
        elif right is None:
            good = True  # a null may be filled by derivation
        elif value is None:
            good = name in soft
        else:
            good = any(_equal(name, value, each) for each in [right, *other.get(name, ())])
        if not good:
            wrong.append(f"{name} is {value}, not {right}")
    for name, right in want.get("extra", {}).items():
        value = found["extra"].get(name)
        if not (value is None if right is None else value is not None and _equal(name, value, right)):
            wrong.append(f"extra {name} is {value}, not {right}")
    return wrong


def _same_kind(found: Mapping[str, Any], want: Mapping[str, Any]) -> bool:
    ops = [want["op"], *want.get("_alt", {}).get("op", ())]
    if "op" in want.get("_soft", ()):
        ops.append(None)
    return found["tool"] == want["tool"] and found["op"] in ops


def _equal(name: str, value: Any, right: Any) -> bool:
    if isinstance(right, int | float) and isinstance(value, int | float) and not isinstance(right, bool):
        return value == right if name in EXACT else abs(value - right) <= TOLERANCE * abs(right)
    return bool(value == right)


def _name(result: Mapping[str, Any]) -> str:
    keys = ("tool", "op", "block_bytes", "queue_depth", "iops", "bw_bytes_per_s", "lat_mean_ns")
    lines = result["extra"].get("lines") if "extra" in result else None
    return " ".join(str(result[key]) for key in keys) + (f" (lines {lines})" if lines else "")
