"""A finding -> the one action to try first, as two states of an A/B experiment, its risk, and what it should bring.

Only actions that can be undone in a moment: options of OSDs and clients, which OSD of a group serves it, and links of a
sandbox. Nothing is bought, moved or restarted here. Only names and values that look like options of Ceph get into a
command.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from radoscope.explain.finding import Checks, Finding
from radoscope.explain.gains import Gain, gain_in
from radoscope.records.conditions import Conditions
from radoscope.records.study import Study

_SECTION, _OPTION = re.compile(r"(global|client|osd|osd\.\d+)"), re.compile(r"[a-z][a-z0-9_]{2,60}")
_FASTER_LINK = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """words: what is done. a: shell command that restores what is there now; b: that does it. show: prints which.

    cells: where it should bring something. gains: of those whose share could be told.
    """

    words: str
    a: str
    b: str
    show: str
    risk: str
    cells: tuple[str, ...]
    gains: Mapping[str, Gain]


def advise(finding: Finding, study: Study, checks: Iterable[Checks] = ()) -> Advice | None:
    """None where nothing can be tried that is undone in a moment; the finding's own next step is for people then.

    checks: what was found of each cell, for what the action should bring there.
    """
    change = _CHANGES.get(finding.rule)
    states = tuple(change.states(finding, study)) if change is not None else ()
    if change is None or not states:
        return None
    helped = {cell.name for cell in study.cells if change.helps(cell.conditions)}
    cells = tuple(cell for cell in finding.cells if cell in helped)
    if finding.cells and not cells:
        return None
    return Advice(
        words="; ".join(words for words, *_ in states),
        a=" && ".join(a for _, a, *_ in states),
        b=" && ".join(b for _, _, b, _ in states),
        show="; ".join(show for *_, show in states),
        risk=change.risk,
        cells=cells,
        gains={
            of_cell.cell: gain_in(study, (of_cell.cell,), one.explains, at_most=one.at_most)
            for of_cell in checks
            for one in of_cell.fired
            if one.rule == finding.rule and one.explains is not None and of_cell.cell in helped and change.promises
        },
    )


def promises(rule: str) -> bool:
    """Whether what is done about such findings takes all of the cause away, so that a gain may be told before."""
    return rule not in _CHANGES or _CHANGES[rule].promises


_State = tuple[str, str, str, str]
"""Words, the command for A, the command for B, and the one that shows which of them holds."""


@dataclass(frozen=True, slots=True)
class _Change:
    """What is done about the findings of a rule. helps: cells to which it should bring something. promises: whether
    the cause goes away with it; in the place of a believed capacity comes a default that may be too low as well."""

    states: Callable[[Finding, Study], Iterator[_State]]
    risk: str = "running daemons and new clients take the option over; nothing is moved or restarted"
    helps: Callable[[Conditions], bool] = lambda _: True
    promises: bool = True


def _without(names: re.Pattern[str], study: Study) -> Iterator[_State]:
    """The options of the configuration database that match, as they are and without them."""
    for where, option, value in _stored(study):
        if names.fullmatch(option):
            a, b = f"ceph config set {where} {option} {shlex.quote(value)}", f"ceph config rm {where} {option}"
            show = f'ceph config dump | grep -w {option} || echo "{option} is not set"'
            yield f"{option} is taken out of the configuration of {where}", a, b, show


def _stored(study: Study) -> Iterator[tuple[str, str, str]]:
    cluster = study.environment.cluster
    options: Mapping[str, str] = cluster.changed_options if cluster else {}
    for name, value in options.items():
        where, _, option = name.partition("/")
        if _SECTION.fullmatch(where) and _OPTION.fullmatch(option):
            yield where, option, value


def _out(names: str) -> Callable[[Finding, Study], Iterator[_State]]:
    return lambda _finding, study: _without(re.compile(names), study)


_LIVE = re.compile(
    r"osd_client_message(_size)?_cap|bluestore_(throttle_(deferred_)?bytes|throttle_cost_per_io|prefer_deferred_size"
    r"|max_blob_size)\w*|osd_mclock_scheduler_client_lim"
)
"""Options that OSDs follow while they run; those of sockets and threads wait for a restart."""


def _named_option(finding: Finding, study: Study) -> Iterator[_State]:
    """The option that the finding is about."""
    if _LIVE.fullmatch(finding.resource):
        yield from _without(re.compile(re.escape(finding.resource)), study)


def _affinity(study: Study, wanted: Mapping[int, float], words: str) -> Iterator[_State]:
    """OSDs that are to be primary more or less often than they are."""
    cluster = study.environment.cluster
    there = {one.id: one.primary_affinity for one in (cluster.each_osd if cluster else ())}
    for osd, value in wanted.items():
        if (now := there.get(osd)) is not None and now != value:
            command = f"ceph osd primary-affinity osd.{osd}"
            show = f'ceph osd dump | grep -o "^osd.{osd} .*primary_affinity [0-9.]*" || echo "osd.{osd} has all of it"'
            yield words.format(osd=osd), f"{command} {now:g}", f"{command} {value:g}", show


def _all_primaries(finding: Finding, study: Study) -> Iterator[_State]:
    cluster = study.environment.cluster
    wanted = {one.id: 1.0 for one in (cluster.each_osd if cluster else ())}
    yield from _affinity(study, wanted, "osd.{osd} gets its full primary affinity")


def _reads_elsewhere(finding: Finding, study: Study) -> Iterator[_State]:
    if (osd := re.fullmatch(r"osd\.(\d+)", finding.resource)) is not None:
        yield from _affinity(
            study, {int(osd[1]): 0.0}, "osd.{osd} is no longer primary, so that others serve its reads"
        )


def _faster_links(_finding: Finding, study: Study) -> Iterator[_State]:
    """Of a sandbox whose links are all alike."""
    rates = {link.bits_per_s for link in study.environment.links if link.bits_per_s is not None}
    if study.sandbox is None or len(rates) != 1 or re.fullmatch(r"[\w-]+", study.sandbox) is None:
        return
    rate = rates.pop() / 1e6
    shape = f"radoscope sandbox shape {study.sandbox} --no-measure --network"
    words = f"all links of sandbox {study.sandbox} get {_FASTER_LINK:g} times their bandwidth"
    show = "tc qdisc show dev pub0 | grep -o 'rate [^ ]*'"  # in the first client host, where states are switched
    yield words, f"{shape} {rate:.0f}M", f"{shape} {rate * _FASTER_LINK:.0f}M", show


_PRIMARIES = "other OSDs serve these groups meanwhile; no data moves"
_CHANGES = {
    "debug-levels": _Change(_out(r"debug_\w+|lockdep")),
    "mclock": _Change(_out(r"osd_mclock_max_capacity_iops_(ssd|hdd)"), promises=False),
    "compressible-data": _Change(_out(r"bluestore_compression_mode")),
    "io-limit": _Change(_out(r"rbd_qos_\w*limit|objecter_inflight_op(s|_bytes)")),
    "slow-options": _Change(_named_option),
    "uneven-load": _Change(_all_primaries, _PRIMARIES),
    "sick-osd": _Change(_reads_elsewhere, _PRIMARIES, lambda asked: asked.op.reads),
    "network-full": _Change(_faster_links, "the links of a sandbox are shaped anew"),
}
