"""The raw files of a bundle -> what is called by name in them, so that it can be left out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from radoscope import patterns as re
from radoscope.records.manifest import MANIFEST

_KINDS: Mapping[str, str] = {
    **dict.fromkeys(("hostname", "container_hostname", "host"), "host"),
    **dict.fromkeys(("pool", "pool_name"), "pool"),
    **dict.fromkeys(("rule_name", "crush_rule"), "rule"),
    **dict.fromkeys(("zone_name", "zonegroup_name", "realm_name"), "zone"),
    **dict.fromkeys(("container_name", "pod_name", "pod_namespace", "container_image"), "container"),
    "clients": "client",
    "device_class": "class",
    "erasure_code_profile": "profile",
    "id": "daemon",
    "osdspec_affinity": "spec",
    "quorum_names": "mon",
    "user": "user",
}
"""Key -> the kind of thing that its text names, or the texts in its list."""

_LISTED: Mapping[str, str] = {"pools": "pool", "pool_snaps": "snapshot", "by_rank": "daemon"}
"""Key of a list -> the kind of things whose "name" stands in it."""

_WAY = re.compile(r"^(?:ssh|pod|node):")
_SAID_IN_TEXTS = re.compile(r"\bbenchmark_data_(\S+?)_\d+(?:_object\d+)?(?!\w)|\"system_info\":\s*\"\S+ (\S+) ")
"""The host names of rados bench and iperf3."""


def read_names(folder: Path) -> tuple[tuple[str, str], ...]:
    """Kind and name of hosts, CRUSH buckets, daemons, pools, rules, users, drives' serial numbers ... in a bundle.

    What the formats say is taken as it stands: also words that name nobody, and the same name more than once.
    """
    captures = [_json(path) for path in sorted((folder / "environment").glob("*.json"))]
    manifest = _json(folder / MANIFEST)
    asked = {key: value for key, value in manifest.items() if key not in ("id", "segments", "cells")}
    found = [name for value in (*captures, asked) for name in _named(value)]
    return (*sorted(found, key=lambda one: one[0] != "host"), *_hosts_in_texts(folder / "segments"))


def _named(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        yield from _of_object(value, key)
        for name, item in value.items():
            yield from _named(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from _named(item, key)
    elif isinstance(value, str):
        if key == "device_ids":  # sda=VENDOR_MODEL_SERIAL,sdb=...
            yield from (("serial", device.rpartition("=")[2].rpartition("_")[2]) for device in value.split(","))
        elif key == "at":
            yield from (("host", part.rpartition("@")[2]) for part in value.partition(":")[2].split("/") if part)
        elif key in _KINDS:
            yield _KINDS[key], _WAY.sub("", value).removeprefix("client.")


def _of_object(value: Mapping[str, Any], key: str) -> Iterator[tuple[str, str]]:
    """Names that stand beside their kind, under a key that means something else elsewhere, or as keys themselves."""
    if key in _LISTED:
        yield _LISTED[key], str(value.get("name", ""))
    elif key == "nodes" and value.get("type") != "osd":
        kind = str(value.get("type"))
        yield from (("host" if kind == "host" else "bucket", str(value.get("name"))), ("type", kind))
    elif key == "daemons":
        yield from (("daemon", name) for name in value)
    elif key == "application_metadata":
        yield from (("application", name) for name in value)
        for words in (words for name, words in value.items() if name != "radoscope" and isinstance(words, dict)):
            yield from (("filesystem", str(word)) for word in words.values())


def _hosts_in_texts(segments: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(path for path in segments.rglob("*") if path.is_file()):
        for found in _SAID_IN_TEXTS.finditer(path.read_text(encoding="utf-8", errors="replace")):
            yield "host", found[1] or found[2]


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {"": value}
