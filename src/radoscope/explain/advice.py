"""A finding -> the one action to try first, as two states of an A/B experiment, its risk, and what it should bring.

Only actions that can be undone in a moment: options of OSDs, and links and disks of a sandbox. Nothing is bought,
moved or restarted here. Only names and values that look like options of Ceph get into a command.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from radoscope.explain.finding import Checks, Finding, Share
from radoscope.records.study import Study

_SECTION, _OPTION = re.compile(r"(global|osd|osd\.\d+)"), re.compile(r"[a-z][a-z0-9_]{2,60}")
_FASTER_LINK = 10.0
_LEAST_OF_IT, _MOST_OF_IT = 1 / 3, 1.5
"""Of the gain that the share promises: something else takes the place of what is gone, or hangs on it as well. Of nine
cells whose cause was healed on a machine full of other work, four came out within."""


@dataclass(frozen=True, slots=True)
class Gain:
    """How many times as fast: what the share promises, and from where to where it may come out."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """ "x2.8 (1.6 to 4.4)"."""
        return f"x{self.value:.2g} ({self.low:.2g} to {self.high:.2g})"


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
    changes = _CHANGES.get(finding.rule)
    states = tuple(changes(study)) if changes is not None else ()
    if not states:
        return None
    return Advice(
        words="; ".join(words for words, *_ in states),
        a=" && ".join(a for _, a, *_ in states),
        b=" && ".join(b for _, _, b, _ in states),
        show="; ".join(show for *_, show in states),
        risk=_RISK["sandbox" if finding.rule == "network-full" else "option"],
        cells=finding.cells,
        gains={
            of_cell.cell: _gain(one.explains)
            for of_cell in checks
            for one in of_cell.fired
            if one.rule == finding.rule and one.explains is not None
        },
    )


def _gain(share: Share) -> Gain:
    low, high = (Share(bound, bound, bound).gain for bound in (share.low, share.high))
    return Gain(share.gain, 1 + _LEAST_OF_IT * (low - 1), 1 + _MOST_OF_IT * (high - 1))


_State = tuple[str, str, str, str]
"""Words, the command for A, the command for B, and the one that shows which of them holds."""


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


def _quiet_logs(study: Study) -> Iterator[_State]:
    yield from _without(re.compile(r"debug_\w+|lockdep"), study)


def _known_capacity(study: Study) -> Iterator[_State]:
    yield from _without(re.compile(r"osd_mclock_max_capacity_iops_(ssd|hdd)"), study)


def _no_compression(study: Study) -> Iterator[_State]:
    yield from _without(re.compile(r"bluestore_compression_mode"), study)


def _faster_links(study: Study) -> Iterator[_State]:
    """Of a sandbox whose links are all alike."""
    rates = {link.bits_per_s for link in study.environment.links if link.bits_per_s is not None}
    if study.sandbox is None or len(rates) != 1 or re.fullmatch(r"[\w-]+", study.sandbox) is None:
        return
    rate = rates.pop() / 1e6
    shape = f"radoscope sandbox shape {study.sandbox} --no-measure --network"
    words = f"all links of sandbox {study.sandbox} get {_FASTER_LINK:g} times their bandwidth"
    show = "tc qdisc show dev pub0 | grep -o 'rate [^ ]*'"  # in the first client host, where states are switched
    yield words, f"{shape} {rate:.0f}M", f"{shape} {rate * _FASTER_LINK:.0f}M", show


_CHANGES = {
    "debug-levels": _quiet_logs,
    "mclock": _known_capacity,
    "compressible-data": _no_compression,
    "network-full": _faster_links,
}
_RISK = {
    "option": "OSDs take the option over while they run; nothing is moved or restarted",
    "sandbox": "the links of a sandbox are shaped anew",
}
