"""The scenarios by name: what is done to a sandbox in the middle of the load, and how it is undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from radoscope.errors import PlanError
from radoscope.sandbox import Sandbox, faults, growing, network


@dataclass(frozen=True, slots=True)
class Act:
    """words: what is done to what. do: does it, waits until the cluster has followed, and says what came of it.

    An empty answer: nothing was waited for. Raises SiteError when the cluster does not follow in time.
    """

    words: str
    do: Callable[[], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """ahead: done before the load starts, and then the image is rewritten. mend: undoes the fault, None if it
    stays."""

    deed: Act
    mend: Act | None = None
    ahead: Act | None = None


@dataclass(frozen=True, slots=True)
class Script:
    """A scenario. several_hosts: it needs hosts of their own, and so root."""

    name: str
    title: str
    several_hosts: bool
    build: Callable[[Sandbox], Scene]


def script(name: str) -> Script:
    """A scenario by its name. Raises PlanError."""
    for one in SCRIPTS:
        if one.name == name:
            return one
    raise PlanError(f"there is no scenario {name!r}", f"Known: {', '.join(one.name for one in SCRIPTS)}.")


def check_fits(which: Script, up: Sandbox) -> None:
    """Raise PlanError when the scenario cannot be played on this sandbox."""
    if which.several_hosts and up.spec.hosts is None:
        raise PlanError(
            f"{which.name} needs a sandbox of several hosts; {up.name} has one",
            "Start one with: radoscope sandbox up NAME --hosts 3",
        )
    which.build(up)


def _lose_an_osd(up: Sandbox) -> Scene:
    victim = _last_osd(up)
    return Scene(
        deed=Act(f"kill -9 of {victim}", partial(_inflict, up, "kill-osd", victim)),
        mend=Act(f"{victim} starts again", partial(_undo, up)),
    )


def _lose_a_host(up: Sandbox) -> Scene:
    """The last host with OSDs: the first ones have the monitors that make the quorum."""
    victim = [host.name for host in up.hosts if "osd" in host.role][-1]
    majority = len(up.mons) // 2 + 1
    if sum(mon.host != victim for mon in up.mons) < majority:
        raise PlanError(
            f"without {victim} the monitors of {up.name} have no quorum, so nothing could be observed",
            "Use a sandbox with three hosts or more: radoscope sandbox up NAME --hosts 3",
        )
    return Scene(
        deed=Act(f"{victim} is cut off", partial(_inflict, up, "cut", victim)),
        mend=Act(f"{victim} is connected again", partial(_undo, up)),
    )


def _add_a_host(up: Sandbox) -> Scene:
    def add() -> str:
        grown = growing.add_host(up)
        return f"{', '.join(osd.daemon for osd in grown.osds if osd not in up.osds)} up"

    return Scene(deed=Act("another host joins", add))


def _recover(up: Sandbox) -> Scene:
    victim = _last_osd(up)
    return Scene(
        ahead=Act(f"kill -9 of {victim}", partial(_inflict, up, "kill-osd", victim)),
        deed=Act(f"{victim} comes back, having missed a rewrite of the whole image", partial(_undo, up)),
    )


def _last_osd(up: Sandbox) -> str:
    return max(up.osds, key=lambda osd: osd.id).daemon


def _inflict(up: Sandbox, fault: str, on: str) -> str:
    return faults.inflict(up, fault, on).text


def _undo(up: Sandbox) -> str:
    """Cables and daemons; waits for nothing, because the duration is what is measured."""
    for name in network.cut_hosts(up):
        network.set_links(up, up.layout.host(name), up=True)
    faults.start_missing(up)
    return ""


SCRIPTS: tuple[Script, ...] = (
    Script("lose-an-osd", "An OSD is killed, stays away, and comes back", False, _lose_an_osd),
    Script("lose-a-host", "A host is cut off, stays away, and comes back", True, _lose_a_host),
    Script("add-a-host", "A host with OSDs joins, and data moves to it", True, _add_a_host),
    Script("recover", "An OSD that was away comes back and catches up", False, _recover),
)
