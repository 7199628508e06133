"""Ceph's releases: names, numbers, and what people write for them."""

from __future__ import annotations

import re

RELEASES = (
    "jewel",
    "kraken",
    "luminous",
    "mimic",
    "nautilus",
    "octopus",
    "pacific",
    "quincy",
    "reef",
    "squid",
    "tentacle",
)
"""Release names from number 10 on."""


def release(version: str | None, year: int | None) -> float:
    """ "17.2.5", "18 dev", "12-15", "Reef" -> the major release; by year where the version is not stated."""
    text = (version or "").lower()
    for number, name in enumerate(RELEASES, start=10):
        if name in text:
            return float(number)
    match = re.match(r"\D{0,3}(\d+)(?:\.\d+)*(?:\s*-\s*(\d+))?", text)
    if match and float(match[1]) < 40:
        return (float(match[1]) + float(match[2] or match[1])) / 2
    return float(min(20, max(9, 12 + (year or 2024) - 2018)))


NEWEST = 21
"""The release in the making: what is named so far cannot be newer."""


def unknown_release(version: str) -> str | None:
    """Why this is no release of Ceph, as a sentence; None where it is one: "18.2.1", "v19", "20 dev", "Reef"."""
    text = version.strip().lower()
    if any(name in text for name in RELEASES):
        return None
    match = re.fullmatch(r"v?(\d+)((?:\.\d+)*)([\s-].*)?", text)
    if match is None or not 0 <= int(match[1]) <= NEWEST:
        return (
            f"{version!r} is no release of Ceph; write a number up to {NEWEST}, such as 18.2.1, or a name such as reef"
        )
    rest = (match[3] or "").strip(" -")
    if rest and not re.fullmatch(r"(dev|rc\S*|\d+[\w.~-]*|\(.*\)|g[0-9a-f]+)(\s.*)?", rest):
        return f"{version!r}: {rest!r} is not understood; write a number such as 18.2.1"
    return None
