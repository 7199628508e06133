"""The words of a `ceph` command as the monitors take them, so that a standing connection can carry it.

Starting the `ceph` command costs 0.3 s of CPU each time, and a study has some thirty questions. Parameter names are
those that `ceph --verbose` shows for Ceph 16; one with dots takes all the words that are left. A command that is not in
the tables goes through the `ceph` command. Those for the manager, as "osd df", the monitors hand on to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
    "config rm": ("who", "name"),
    "config set": ("who", "name", "value"),
    "config show": ("who", "key"),
    "fs get": ("fs_name",),
    "fs ls": (),
    "mon dump": (),
    "osd crush rule create-replicated": ("name", "root", "type", "class"),
    "osd crush rule dump": (),
    "osd crush rule ls": (),
    "osd crush rule rm": ("name",),
    "osd df": (),
    "osd down": ("ids...",),
    "osd dump": (),
    "osd ls": (),
    "osd map": ("pool", "object"),
    "osd metadata": (),
    "osd pg-upmap": ("pgid", "id..."),
    "osd pg-upmap-items": ("pgid", "id..."),
    "osd pool application enable": ("pool", "app"),
    "osd pool application get": ("pool",),
    "osd pool application set": ("pool", "app", "key", "value"),
    "osd pool create": ("pool", "pg_num", "pgp_num", "pool_type", "rule"),
    "osd pool delete": ("pool", "pool2"),
    "osd pool get": ("pool", "var"),
    "osd pool ls": ("detail",),
    "osd pool rename": ("srcpool", "destpool"),
    "osd pool set": ("pool", "var", "val"),
    "osd set": ("key",),
    "osd set-backfillfull-ratio": ("ratio",),
    "osd set-full-ratio": ("ratio",),
    "osd set-nearfull-ratio": ("ratio",),
    "osd stat": (),
    "osd tree": (),
    "osd unset": ("key",),
    "pg ls-by-pool": ("poolstr",),
}
_OF_A_DAEMON: dict[str, tuple[str, ...]] = {"config get": ("var",), "config set": ("var", "val...")}
"""What `ceph tell` asks of one monitor or OSD."""
_ONE_DAEMON = re.compile(r"osd\.[0-9]+|mon\.[^*]+")
_NUMBERS: dict[str, type[int] | type[float]] = {"pg_num": int, "pgp_num": int, "id": int, "ratio": float}


def as_command(words: Sequence[str]) -> dict[str, Any] | None:
    """("osd", "stat") -> {"prefix": "osd stat"}; None for what is not in the tables, options with a value, and pools
    whose type gives the words behind it another meaning. What is told to one daemon has it as "to"."""
    if words[0] == "tell":
        command = _named(words[2:], _OF_A_DAEMON) if _ONE_DAEMON.fullmatch(words[1]) else None
        return command and {**command, "to": words[1]}
    return _named(words, _PARAMETERS)


def _named(words: Sequence[str], known: Mapping[str, tuple[str, ...]]) -> dict[str, Any] | None:
    if any(word.startswith("--") and "=" in word for word in words):
        return None
    plain = [word for word in words if not word.startswith("--")]
    flags = {word[2:].replace("-", "_"): True for word in words if word.startswith("--")}
    for length in range(len(plain), 0, -1):
        parameters = known.get(prefix := " ".join(plain[:length]))
        if parameters is None:
            continue
        values: list[Any] = plain[length:]
        if parameters and parameters[-1].endswith("..."):
            last = len(parameters) - 1
            values = [*values[:last], values[last:]]
        if len(values) > len(parameters):
            return None
        named = {
            name.rstrip("."): _typed(name.rstrip("."), value) for name, value in zip(parameters, values, strict=False)
        }
        return {"prefix": prefix, **named, **flags} if named.get("pool_type", "replicated") == "replicated" else None
    return None


def _typed(name: str, value: Any) -> Any:
    number = _NUMBERS.get(name, str)
    return [number(one) for one in value] if isinstance(value, list) else number(value)
