"""Everything that differed between two studies, and which of it makes two cells different measurements."""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from radoscope.records.environment import OsdFacts
from radoscope.records.study import Cell, Segment, Study
from radoscope.words import N_, _

ABSENT = "-"

CONDITIONS = {
    "layer": N_("layer"),
    "tool": N_("tool"),
    "op": N_("operation"),
    "block_bytes": N_("block size"),
    "queue_depth": N_("queue depth"),
    "jobs": N_("jobs"),
    "clients": N_("clients"),
    "client_hosts": N_("client hosts"),
    "sync": "sync",
    "rate_iops": N_("asked rate"),
}
"""Field of Conditions -> its name for people. Where one of them differs, cells are not the same measurement."""

LOAD_OPTIONS = (
    "ioengine",
    "direct",
    "buffered",
    "rbd_cache",
    "fsync",
    "fdatasync",
    "sync",
    "size",
    "rwmixread",
    "norandommap",
    "zero_buffers",
    "buffer_compress_percentage",
    "refill_buffers",
    "object-size",
    "no-hints",
)
"""Options of fio and rados bench that change what is measured: cache mode, durability, range, content."""

UNIMPORTANT = ("fsid", "health_checks", "used_bytes")
"""Facts that differ between any two studies and explain nothing."""

CHANGING = ("used", "groups", "answers_s")
"""Facts of an OSD that move by themselves, as pools are made and seconds pass."""

_BY_MCLOCK = re.compile(
    r"(OSDs|osd\.\d+): options osd_(mclock_scheduler_\w+|\w*sleep\w*|max_backfills|recovery_max_active\w*)$"
)
"""What OSDs with mClock, the default since Ceph 17, set by themselves: between two releases only one side has it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not the same. what: "cluster: version"; a, b: as captured, "-" where it was not."""

    what: str
    a: str
    b: str


def differences(a: Study, b: Study) -> tuple[Difference, ...]:
    """All captured facts that differ: plan, target, cluster, pool, options, hosts, devices, tools."""
    facts_a, facts_b = dict(_facts(a)), dict(_facts(b))
    names = dict.fromkeys([*facts_a, *facts_b])
    pairs = ((name, facts_a.get(name, ABSENT), facts_b.get(name, ABSENT)) for name in names)
    found = tuple(Difference(name, of_a, of_b) for name, of_a, of_b in pairs if of_a != of_b)
    same_release = _major(a) == _major(b)
    return tuple(one for one in found if same_release or ABSENT not in (one.a, one.b) or not _BY_MCLOCK.match(one.what))


def _major(study: Study) -> int | None:
    return study.environment.cluster.major if study.environment.cluster is not None else None


def differing_load(
    a: Cell, b: Cell, segments_a: Sequence[Segment], segments_b: Sequence[Segment], although: Sequence[str] = ()
) -> tuple[str, ...]:
    """Why two cells are not the same measurement, one reason each; empty where they are.

    although: names of conditions or options that may differ, because they are what is compared.
    """
    reasons = []
    for field, name in CONDITIONS.items():
        of_a, of_b = getattr(a.conditions, field), getattr(b.conditions, field)
        if of_a != of_b and not {field, name} & set(although):
            reasons.append(_("{condition}: {a} and {b}", condition=_(name), a=_text(of_a), b=_text(of_b)))
    options_a, options_b = load_options(segments_a), load_options(segments_b)
    if options_a and options_b and a.conditions.tool == b.conditions.tool:
        for option in LOAD_OPTIONS:
            of_a, of_b = (options.get(option, _("not given")) for options in (options_a, options_b))
            if of_a != of_b and option not in although:
                reasons.append(_("option {option}: {a} and {b}", option=option, a=of_a, b=of_b))
    return tuple(reasons)


def load_options(segments: Sequence[Segment]) -> dict[str, str]:
    """Options of the first command that was run: --name=value, --name value, or name=value."""
    argv = next((command for segment in segments for command in segment.commands if command), ())
    options: dict[str, str] = {}
    for word, after in zip_longest(argv, argv[1:], fillvalue=""):
        name, equals, value = word.lstrip("-").partition("=")
        if equals:
            options[name.replace("rbd-cache", "rbd_cache")] = value
        elif word.startswith("--"):
            options[name] = "" if after.startswith("-") else after
    return options


def _facts(study: Study) -> Iterator[tuple[str, str]]:
    yield "study: plan", study.plan
    yield "study: target", study.target
    if study.clients:
        yield "study: client hosts", ", ".join(study.clients)
    yield "study: radoscope", study.radoscope_version
    where = study.environment
    if where.cluster is not None:
        yield from _fields("cluster", where.cluster, skip=("pool", "each_osd", *UNIMPORTANT))
        yield from _of_osds(where.cluster.each_osd)
        if where.cluster.pool is not None:
            yield from _fields("pool", where.cluster.pool, skip=("name",))
    for host in where.hosts:
        yield from _fields(f"host {host.name}", host, skip=("name",))
    for device in where.devices:
        yield from _fields(f"device {device.path}", device, skip=("path",))
    yield from ((f"tool: {name}", version) for name, version in where.tools.items())


def _of_osds(osds: Sequence[OsdFacts]) -> Iterator[tuple[str, str]]:
    """Once what is the same on all of them, else each OSD's own."""
    by_fact: dict[str, dict[int, str]] = defaultdict(dict)
    for osd in osds:
        for name, value in _fields("", osd, skip=("id", *CHANGING)):
            by_fact[name.removeprefix(": ")][osd.id] = value
    for name, values in by_fact.items():
        if len(set(values.values())) == 1 and len(values) == len(osds):
            yield f"OSDs: {name}", next(iter(values.values()))
        else:
            yield from ((f"osd.{osd}: {name}", value) for osd, value in values.items())


def _fields(owner: str, fact: Any, skip: Sequence[str]) -> Iterator[tuple[str, str]]:
    for field in dataclasses.fields(fact):
        value = getattr(fact, field.name)
        if field.name in skip or value is None:
            continue
        if isinstance(value, Mapping):
            yield from ((f"{owner}: {field.name} {key}", _text(entry)) for key, entry in sorted(value.items()))
        else:
            yield f"{owner}: {field.name}", _text(value)


def _text(value: object) -> str:
    if value is None:
        return _("none")
    if isinstance(value, Mapping):
        return ", ".join(f"{key} x {count}" for key, count in sorted(value.items()))
    return str(value)
