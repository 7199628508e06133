"""Lab: sandboxes as pictures of hosts, disks and links, broken and healed by buttons, with a load's curve below."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from radoscope import sandbox
from radoscope.errors import PlanError, RadoscopeError, StoreError
from radoscope.sandbox import Sandbox, disks, network
from radoscope.sandbox.faults import FAULTS
from radoscope.sandbox.registry import names
from radoscope.serve import runs
from radoscope.serve.page import page
from radoscope.serve.runs import LaunchedRun
from radoscope.words import _

_NAME = re.compile(r"[a-z][a-z0-9-]{0,15}")
_ON = re.compile(r"[a-z0-9.]{0,12}")
_RATE = re.compile(r"^ *(\d+) s +(\d+) IOPS$", re.MULTILINE)
_DISKS = ("none", "consumer", "plp-sata", "hdd")
_BUTTONS = ("kill-osd", "slow-disk", "cut", "heal")
_SHARE = 0.03
"""Of one core, at most, for looking at a sandbox, however many pages show it."""
_SHOWN_S = 240
WIDTH, HEIGHT, LEFT, BOTTOM = 1000, 220, 112, 196
"""Of the curve, in units of its picture: a phone's letters, the largest, leave room for "123,456" at the left."""
_LETTER, _LINE = 17, 28
"""A phone's letter and line, in the same units."""


async def sandboxes(request: Request) -> Response:
    """Those that there are, and a form for another."""
    found = await to_thread.run_sync(names)
    return page("lab.html.j2", here="lab", names=found, disks=_DISKS, several=os.geteuid() == 0)


async def up(request: Request) -> Response:
    """Start another, in a process of its own."""
    async with request.form() as said:
        name, disk = str(said.get("name", "")), str(said.get("disk", "none"))
        hosts, osds = str(said.get("hosts", "1")), str(said.get("osds", "3"))
    if not _NAME.fullmatch(name) or disk not in _DISKS or not re.fullmatch("[1-9][1-9]", hosts + osds):
        hint = _(
            "Use a name of lower-case letters and digits, 1 to 9 hosts with 1 to 9 OSDs each, and a disk from the list."
            " The command line starts larger ones."
        )
        raise PlanError(_("a page cannot start such a sandbox"), hint)
    words = ["sandbox", "up", name, "--osds", osds, "--disk", disk, *(["--hosts", hosts] if hosts != "1" else [])]
    await to_thread.run_sync(runs.start, words, _about(name, "up"))
    return RedirectResponse(f"/lab/{name}", 303)


async def shown(request: Request) -> Response:
    name = _named(request)
    return page("sandbox.html.j2", here="lab", name=name, **await to_thread.run_sync(_state, name))


async def state(request: Request) -> Response:
    """Picture, curve and words alone, fetched once a second."""
    name = _named(request)
    return page("sandbox_state.html.j2", name=name, **await to_thread.run_sync(_state, name))


async def act(request: Request) -> Response:
    """A fault or its healing, a load or its end, or the end of the sandbox: words of the command line."""
    name = _named(request)
    async with request.form() as said:
        what, on = str(said.get("what", "")), str(said.get("on", ""))
    await to_thread.run_sync(_act, name, what, on)
    return RedirectResponse(f"/lab/{quote(name)}", 303)


def _act(name: str, what: str, on: str) -> None:
    if what == "stop-load":
        for run in _of(name, "load"):
            run.stop()
        return
    if name not in names():
        raise StoreError(_("there is no sandbox {name!r}", name=name), _("Start one on the page of the lab."))
    if what == "load":
        if not any(run.running for run in _of(name, "load")):
            runs.start(["sandbox", "load", name], _about(name, "load"))
    elif what == "down":
        for run in _of(name, "load"):
            run.stop()
        runs.start(["sandbox", "down", name], _about(name, "down"))
    elif what in _BUTTONS and what in FAULTS and _ON.fullmatch(on):
        runs.start(["sandbox", "fault", name, what, *([on] if on else [])], _about(name, "fault"))
    else:
        raise PlanError(_("there is no such button"), _("Use the buttons on the page."))


def _named(request: Request) -> str:
    name: str = request.path_params["name"]
    if not re.fullmatch(r"[A-Za-z0-9][\w.-]{0,60}", name):
        none = _("{name!r} is not the name of a sandbox", name=name[:60])
        raise StoreError(none, _("Start one on the page of the lab."))
    return name


def _about(name: str, what: str) -> str:
    return f"lab/{name}/{what}"


def _of(name: str, what: str) -> list[LaunchedRun]:
    return runs.runs(_about(name, what))


def _state(name: str) -> dict[str, Any]:
    """All that the page shows."""
    acts = runs.runs(f"lab/{name}/")
    loads = [run for run in acts if run.about.endswith("/load")]
    done = [
        {
            "words": " ".join(run.words[1:]),
            "running": run.running,
            "begun": time.strftime("%H:%M:%S", time.localtime(run.begun_at_s)),
            "said": _last_words(run),
        }
        for run in acts[:8]
    ]
    faults = [run for run in acts if run.about.endswith("/fault")]
    return {
        "seen": _looked(name),
        "done": done,
        "loading": any(run.running for run in loads),
        "moving": any(run.running for run in acts if run.about.endswith(("/up", "/down"))),
        "curve": _curve(loads[0], faults) if loads else None,
    }


def _last_words(run: LaunchedRun) -> str:
    lines = [line for line in run.said()[0].splitlines() if line.strip() and not _RATE.match(line)]
    if problem := next((line for line in lines if line.startswith("radoscope: ")), ""):
        return problem.removeprefix("radoscope: ")
    if run.about.endswith("/up") and not run.running:
        return ""  # it ends with what to type on a terminal; the picture above says the rest
    return lines[-1].strip() if lines else ""


@dataclass(slots=True)
class _Look:
    """The last look at a sandbox, shared by all who watch. next_s: when another may be taken."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    next_s: float = 0.0
    seen: Mapping[str, Any] = field(default_factory=dict)


_looks: dict[str, _Look] = {}


def _looked(name: str) -> Mapping[str, Any]:
    """Hosts with their OSDs, health and faults, as of a moment ago; where there is none, why."""
    if name not in names():
        _looks.pop(name, None)
        return {"missing": True, "hosts": [], "health": "", "problem": ""}
    look = _looks.setdefault(name, _Look())
    with look.lock:
        if time.monotonic() >= look.next_s:
            begun = time.thread_time()
            look.seen = _seen(name)
            look.next_s = time.monotonic() + max(1.0, (time.thread_time() - begun) / _SHARE)
        return look.seen


def _seen(name: str) -> dict[str, Any]:
    try:
        found = sandbox.load(name)
        pids = found.pids()
        cut = set(network.cut_hosts(found))
    except RadoscopeError as error:
        return {"missing": False, "hosts": [], "health": "", "problem": error.message}
    health, checks, down = _health(found)
    hosts = [
        {
            "name": host.name,
            "cut": host.name in cut,
            "can_cut": host.namespace is not None,
            "client": "osd" not in host.role,
            "daemons": [d for d in found.daemons if _host_of(found, d) == host.name and not d.startswith("osd.")],
            "osds": [
                {"id": osd.id, "runs": osd.daemon in pids, "up": osd.id not in down, "slow": _is_slow(found, osd.id)}
                for osd in found.osds
                if osd.host == host.name
            ],
        }
        for host in found.hosts
    ]
    return {"missing": False, "hosts": hosts, "health": health, "checks": checks, "problem": ""}


def _health(found: Sandbox) -> tuple[str, list[str], set[int]]:
    """(health, its checks, the OSDs that are down); without an answer no OSD is said to be down."""
    try:
        with found.connected(timeout_s=2) as cluster:
            status = cluster.ask("status")
            osds = cluster.ask("osd dump")["osds"]
    except RadoscopeError as error:
        return "", [error.message], set()
    checks = [one["summary"]["message"] for one in status["health"]["checks"].values()]
    return status["health"]["status"], checks, {osd["osd"] for osd in osds if not osd["up"]}


def _is_slow(found: Sandbox, osd: int) -> bool:
    """Whether its disk is another than the sandbox was made with, as `slow-disk` leaves it."""
    try:
        return found.disk_parameters(osd).read_bytes() != disks.parameters(found.spec.disk)
    except OSError:
        return False


def _host_of(found: Sandbox, daemon: str) -> str:
    kind, _dot, number = daemon.partition(".")
    places = {"mon": {one.id: one.host for one in found.mons}, "mgr": {one.id: one.host for one in found.mgrs}}
    return places.get(kind, {}).get(number, "")


def _curve(load: LaunchedRun, faults: list[LaunchedRun]) -> dict[str, Any] | None:
    """The rate of the last minutes with a mark at each fault, on one clock: that of this machine."""
    text = load.said()[0]
    points = [(float(second), float(rate)) for second, rate in _RATE.findall(text)]
    if len(points) < 2:
        return None
    begun_at_s = _began_at(load, text)
    last = points[-1][0]
    points = [(second, rate) for second, rate in points if second >= last - _SHOWN_S]
    first = points[0][0]
    highest = max(max(rate for _, rate in points), 1.0) * 1.1
    span = max(last - first, 10.0)

    def across(second: float) -> float:
        return round(LEFT + (WIDTH - LEFT - 8) * (second - first) / span, 1)

    marks = [
        (across(at), " ".join(run.words[3:]))
        for run in faults
        if begun_at_s is not None and first <= (at := run.begun_at_s - begun_at_s) <= last
    ]
    line = " ".join(f"{across(at)},{round(BOTTOM - (BOTTOM - 10) * rate / highest, 1)}" for at, rate in points)
    return {
        "line": line,
        "marks": _beside(marks),
        "highest": f"{highest / 1.1:,.0f}",
        "now": f"{points[-1][1]:,.0f}",
        "lowest": f"{min(rate for _, rate in points):,.0f}",
        "seconds": f"{span:.0f}",
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "bottom": BOTTOM,
    }


def _beside(marks: list[tuple[float, str]]) -> list[dict[str, Any]]:
    """Each mark with its words on the side that has room for them, in the first line where no other's are."""
    ends: list[float] = []
    placed = []
    for x, words in sorted(marks):
        before = x > (LEFT + WIDTH) / 2
        wide = 8 + _LETTER * len(words)
        begin, end = (x - wide, x) if before else (x, x + wide)
        row = next((row for row, last in enumerate(ends) if last <= begin), len(ends))
        ends[row : row + 1] = [end]
        placed.append(
            {
                "x": x,
                "words": words,
                "at": x - 4 if before else x + 4,
                "y": 26 + _LINE * row,
                "anchor": "end" if before else "start",
            }
        )
    return placed


def _began_at(load: LaunchedRun, text: str) -> float | None:
    """When the load itself began, after its preparation: the last line of its log is of now, or of when it ended."""
    found = _RATE.findall(text)
    try:
        return load.log.stat().st_mtime - float(found[-1][0])
    except (OSError, IndexError):
        return None


ROUTES = (
    Route("/lab", sandboxes),
    Route("/lab/up", up, methods=["POST"]),
    Route("/lab/{name}", shown),
    Route("/lab/{name}/state", state),
    Route("/lab/{name}/act", act, methods=["POST"]),
)
