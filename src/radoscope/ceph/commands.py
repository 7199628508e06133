"""The words of a `ceph` command as the monitors take them, so that a standing connection can carry it.

Starting the `ceph` command costs 0.3 s of CPU each time, and a study has some thirty questions. Parameter names are
those that `ceph --verbose` shows for Ceph 16; one with dots takes all the words that are left. A command that is not in
the table goes through the `ceph` command.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_PARAMETERS: dict[str, tuple[str, ...]] = {
    "status": (),
    "df": (),
    "versions": (),
    "auth get-or-create": ("entity", "caps..."),
    "auth ls": (),
    "auth rm": ("entity",),
    "config dump": (),
    "config generate-minimal-conf": (),
    "config get": ("who", "key"),
    "fs get": ("fs_name",),
    "fs ls": (),
    "mon dump": (),
    "osd crush rule dump": (),
    "osd crush rule ls": (),
    "osd crush rule rm": ("name",),
    "osd dump": (),
    "osd map": ("pool", "object"),
    "osd metadata": (),
    "osd pool application enable": ("pool", "app"),
    "osd pool application get": ("pool",),
    "osd pool application set": ("pool", "app", "key", "value"),
    "osd pool create": ("pool", "pg_num", "pgp_num", "pool_type", "rule"),
    "osd pool delete": ("pool", "pool2"),
    "osd pool get": ("pool", "var"),
    "osd pool ls": ("detail",),
    "osd pool set": ("pool", "var", "val"),
    "osd stat": (),
    "osd tree": (),
}
_WHOLE_NUMBERS = ("pg_num", "pgp_num")


def as_command(words: Sequence[str]) -> dict[str, Any] | None:
    """("osd", "stat") -> {"prefix": "osd stat"}; None for what is not in the table, options with a value, and pools
    whose type gives the words behind it another meaning."""
    if any(word.startswith("--") and "=" in word for word in words):
        return None
    plain = [word for word in words if not word.startswith("--")]
    flags = {word[2:].replace("-", "_"): True for word in words if word.startswith("--")}
    for length in range(len(plain), 0, -1):
        parameters = _PARAMETERS.get(prefix := " ".join(plain[:length]))
        if parameters is None:
            continue
        values: list[Any] = plain[length:]
        if parameters and parameters[-1].endswith("..."):
            last = len(parameters) - 1
            values = [*values[:last], values[last:]]
        if len(values) > len(parameters):
            return None
        named = {
            name.rstrip("."): int(value) if name in _WHOLE_NUMBERS else value
            for name, value in zip(parameters, values, strict=False)
        }
        return {"prefix": prefix, **named, **flags} if named.get("pool_type", "replicated") == "replicated" else None
    return None
