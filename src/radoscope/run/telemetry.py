"""What the hosts and the cluster did during a segment: samples once a second, counters before and after.

Light by design: one pass over /proc a second, one question to each OSD before and after. What it costs is measured in
benchmarks/telemetry.py.
"""

from __future__ import annotations

import os
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from radoscope.errors import RadoscopeError
from radoscope.memory import available_bytes
from radoscope.records.telemetry import (
    CLIENT_CPU,
    CLIENT_CPU_THROTTLED,
    CLIENT_CPU_WAIT,
    DISK_READS,
    DISK_WRITES,
    HOST_CPU,
    MEM_AVAILABLE,
    NIC_BYTES,
    NIC_RECEIVED,
    NIC_SENT,
    OSD_CPU,
    OSD_CPU_THROTTLED,
    OSD_CPU_WAIT,
    OSD_CPUS,
    STEAL_CPU,
    STRANGERS_CPU,
    Quantity,
    as_series,
)
from radoscope.run.clock import now_s
from radoscope.run.host_watch import TICK_S, HostWatch, sent_again
from radoscope.run.processes import Running

Kept = TypeVar("Kept")

_PERIOD_S = 1.0
_KERNEL_THREAD = 0x00200000
"""PF_KTHREAD of the flags in /proc/PID/stat (include/linux/sched.h)."""
_FIELD_OF = (DISK_READS, 3), (DISK_WRITES, 7)
_SECTIONS = (
    "osd",
    "bluestore",
    "bluefs",
    "rocksdb",
    "AsyncMessenger",
    "throttle-osd_client",
    "throttle-bluestore",
    "throttle-msgr_dispatch_throttler-cl",
)
"""What is kept of `perf dump`, each section whole: other throttles and finishers are half of it, and of no use here."""
# A cluster may have thousands of OSDs; as many as this tell enough.
MOST_OSDS = 64
# A dead OSD answers nothing for seconds; a host full of them must not hold up the end of a segment.
_COUNTERS_S = 5.0
_MOST_SLOW, _CLOCKS_APART_S = 5, 1.0
"""Slow operations that are kept of each OSD and segment. By how much clocks of hosts may differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What can be asked. osd_pids: OSD daemons on this machine. ask_osd: (OSD, command) -> JSON value. osds: whom.

    watches: by name of the site, of client hosts that are not this machine. hosts: hosts that are network namespaces
    here -> a process that runs in each. daemon_pids: all of the cluster's daemons on this machine. here: this machine
    has a part in the load; where it only conducts, what else it does explains nothing.
    """

    osd_pids: Mapping[str, int] = field(default_factory=dict)
    ask_osd: Callable[[int, str], Any] | None = None
    osds: tuple[int, ...] = ()
    watches: Mapping[str, HostWatch] = field(default_factory=dict)
    hosts: Mapping[str, int] = field(default_factory=dict)
    daemon_pids: tuple[int, ...] = ()
    here: bool = True


class Telemetry:
    """Takes samples in a thread of its own between start() and stop()."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._series: dict[str, list[tuple[float, float]]] = defaultdict(list)
        self._clients: tuple[Running, ...] = ()
        self._joined: tuple[float, Mapping[str, float], float] = (0.0, {}, 0.0)
        self._begun_s = now_s()
        self._end = threading.Event()
        self._thread: threading.Thread | None = None
        self._before: dict[int, Any] = {}

    def start(self) -> None:
        for watch in self._sources.watches.values():
            watch.start()
        self._before = self._counters()
        self._begun_s = now_s()
        for watch in self._sources.watches.values():
            watch.ask()
        if not self._sources.here:
            return
        self._thread = threading.Thread(target=self._sample, name="telemetry", daemon=True)
        self._thread.start()

    def clients_started(self, clients: tuple[Running, ...]) -> None:
        """The processes of the load, known once they run: a short segment ends before its second sample."""
        self._clients = clients
        self._joined = (time.monotonic(), *self._of_clients())

    def stop(self) -> dict[str, Any]:
        """End sampling; the series, and the OSDs' counters as they answered before and after, as JSON values."""
        self._end.set()
        if self._thread is not None:
            self._thread.join()
        series = [as_series(name, points) for name, points in self._series.items()]
        after = self._counters()
        # OSDs that have just not answered are not waited for a second time.
        slowest = self._slowest() if after else {}
        return {
            "series": series + self._elsewhere(),
            "perf": {"before": self._before, "after": after},
            "slowest": slowest,
        }

    def _elsewhere(self) -> list[dict[str, Any]]:
        """What was seen meanwhile on client hosts that are not this machine."""
        for watch in self._sources.watches.values():
            watch.ask()
        found: list[dict[str, Any]] = []
        for name, watch in self._sources.watches.items():
            theirs = ((number, one.group) for number, one in enumerate(self._clients) if one.site.name == name)
            groups = {self._about(CLIENT_CPU, number): group for number, group in theirs}
            found += watch.series(self._begun_s, now_s(), groups)
        return found

    def _about(self, what: Quantity, number: int) -> str:
        return what.about(number) if len(self._clients) > 1 else what.name

    def _sample(self) -> None:
        at, before = time.monotonic(), self._snapshot()
        for daemon, pid in self._sources.osd_pids.items():
            if (cpus := allowed_cpus(pid)) and cpus < (os.cpu_count() or 1):
                self._series[OSD_CPUS.about(daemon.removeprefix("osd."))].append((now_s(), float(cpus)))
        # Once at least: a host so busy that a short segment ends before its first sample is to be seen.
        while not self._end.wait(_PERIOD_S) or HOST_CPU.name not in self._series:
            moment, clock = time.monotonic(), now_s()
            now = self._snapshot()
            seconds = moment - at
            joined_at, joined, ticks = self._joined
            for name, value in now.totals.items():
                since, first = (at, before.totals.get(name)) if name in before.totals else (joined_at, joined.get(name))
                # Threads that ended took their waits with them: the rest does not tell what was waited.
                if first is not None and value >= first and moment > since:
                    self._series[name].append((clock, (value - first) / (moment - since)))
            self._series[HOST_CPU.name].append((clock, _share(before, now)))
            if now.clients or not self._here():  # what they used until they ended is not known
                earlier_s = ticks * TICK_S if now.clients and not before.clients else 0.0
                self._series[STRANGERS_CPU.name].append((clock, _of_strangers(before, now, earlier_s) / seconds))
            self._series[STEAL_CPU.name].append((clock, (now.stolen - before.stolen) * TICK_S / seconds))
            self._series[MEM_AVAILABLE.name].append((clock, now.memory))
            before, at = now, moment

    def _snapshot(self) -> _Snapshot:
        totals: dict[str, float] = {}
        busy, idle, processes, stolen = _host_ticks()
        of_clients, ticks = self._of_clients()
        totals.update(of_clients)
        for daemon, pid in self._sources.osd_pids.items():
            with suppress(OSError, IndexError, ValueError):
                totals[OSD_CPU.about(daemon.removeprefix("osd."))] = _ticks_of(pid) * TICK_S
                totals[OSD_CPU_WAIT.about(daemon.removeprefix("osd."))] = waited_s(pid)
                if (throttled := throttled_s(pid)) is not None:
                    totals[OSD_CPU_THROTTLED.about(daemon.removeprefix("osd."))] = throttled
        for host, pid in self._sources.hosts.items():
            with suppress(OSError):
                totals.update(_network(pid, host))
        totals.update(_devices())
        totals.update(_interfaces())
        own_s = self._own_s(ticks)
        return _Snapshot(totals, busy, idle, processes, float(available_bytes() or 0), own_s, stolen, bool(of_clients))

    def _here(self) -> dict[int, Running]:
        """The clients on this machine by their numbers, whether or not they still run."""
        return {number: one for number, one in enumerate(self._clients) if one.site.folder is None}

    def _of_clients(self) -> tuple[dict[str, float], float]:
        """What those on this machine have used and waited for so far; ticks of theirs and of the kernel's threads."""
        here = self._here()
        if not here:
            return {}, 0.0
        used, kernel = _ticks_of_groups({one.group for one in here.values()})
        # One that has ended is left out: from its last count back to nothing would be less than nothing.
        running = {number: one.group for number, one in here.items() if one.group in used}
        totals = {self._about(CLIENT_CPU, number): used[group] * TICK_S for number, group in running.items()}
        totals |= {self._about(CLIENT_CPU_WAIT, number): waited_s(group) for number, group in running.items()}
        for number, group in running.items():
            with suppress(OSError):  # one that has ended meanwhile
                if (throttled := throttled_s(group)) is not None:
                    totals[self._about(CLIENT_CPU_THROTTLED, number)] = throttled
        totals |= _of_namespaces(tuple(here.values()))
        return totals, sum(used.values()) + kernel

    def _own_s(self, ticks: float) -> float:
        """CPU seconds so far: these ticks, of the cluster's daemons here, and of this process."""
        for pid in self._sources.daemon_pids:
            with suppress(OSError, IndexError, ValueError):
                ticks += _ticks_of(pid)
        return ticks * TICK_S + time.process_time()

    def _slowest(self) -> dict[int, list[dict[str, Any]]]:
        """The slowest operations of this time by each OSD's own record; it keeps twenty for ten minutes."""
        return self._of_osds("dump_historic_ops_by_duration", lambda dump: slim(dump, self._begun_s))

    def _counters(self) -> dict[int, Any]:
        """What each OSD's perf dump says."""
        return self._of_osds("perf dump", lambda dump: {n: dump[n] for n in dump if n.startswith(_SECTIONS)})

    def _of_osds(self, command: str, keep: Callable[[Any], Kept]) -> dict[int, Kept]:
        """What is kept of each answer; OSDs that do not answer, not in time, or something else, are left out."""
        found: dict[int, Kept] = {}
        deadline = time.monotonic() + _COUNTERS_S
        for osd in self._sources.osds if self._sources.ask_osd is not None else ():
            if self._sources.ask_osd is None or time.monotonic() > deadline:
                break
            with suppress(RadoscopeError, KeyError, TypeError, ValueError):
                found[osd] = keep(self._sources.ask_osd(osd, command))
        return found


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """clients: whether any of the load's on this machine runs."""

    totals: Mapping[str, float]
    busy: float
    idle: float
    processes: float
    memory: float
    own_s: float
    stolen: float
    clients: bool


def slim(dump: Any, since_s: float) -> list[dict[str, Any]]:
    """Those that began since then, the slowest first; names of objects and addresses of clients are left out."""
    since = datetime.fromtimestamp(since_s - _CLOCKS_APART_S, UTC)
    kept: list[dict[str, Any]] = [
        {
            "kind": str(op["description"]).partition("(")[0],
            "initiated_at": str(op["initiated_at"]),
            "duration": float(op["duration"]),
            "events": [(str(one["event"]).partition(" from ")[0], one["time"]) for one in op["type_data"]["events"]],
        }
        for op in dump.get("ops", dump.get("Ops", ()))
        if datetime.strptime(op["initiated_at"], "%Y-%m-%dT%H:%M:%S.%f%z") >= since
    ]
    return sorted(kept, key=lambda op: -op["duration"])[:_MOST_SLOW]


def _share(before: _Snapshot, now: _Snapshot) -> float:
    busy, idle = now.busy - before.busy, now.idle - before.idle
    return busy / (busy + idle) if busy + idle > 0 else 0.0


def _of_strangers(before: _Snapshot, now: _Snapshot, earlier_s: float) -> float:
    """CPU seconds, interrupts left out: they serve the load's network as well.

    earlier_s: what clients that are in `now` alone had used before they were known.
    """
    busy_s = (now.processes - before.processes) * TICK_S
    return max(0.0, busy_s - max(0.0, now.own_s - before.own_s - earlier_s))


def _host_ticks() -> tuple[float, float, float, float]:
    """Busy, idle; of the busy ones what processes used, and what a hypervisor gave away. The rest is interrupts.

    Processes of a lower priority count: `nice` and SCHED_IDLE give way within a session (autogroup) or a control group
    alone, and take their full share from the load, which is in another.
    """
    fields = [float(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    idle = fields[3] + fields[4]
    return sum(fields) - idle, idle, sum(fields[:3]), fields[7]


def _ticks_of_groups(groups: set[int]) -> tuple[dict[int, float], float]:
    """CPU ticks of all processes of these process groups, with those of their ended children; and of kernel threads,
    which serve the load's disks: no process of others."""
    used: dict[int, float] = defaultdict(float)
    kernel = 0.0
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit():
            continue
        with suppress(OSError, IndexError, ValueError):
            fields = _stat(int(entry.name))
            if int(fields[6]) & _KERNEL_THREAD:
                kernel += float(fields[12])
            elif int(fields[2]) in groups:
                used[int(fields[2])] += sum(float(fields[index]) for index in (11, 12, 13, 14))
    return used, kernel


def _ticks_of(pid: int) -> float:
    fields = _stat(pid)
    return float(fields[11]) + float(fields[12])


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name, which may hold anything."""
    return _read(f"/proc/{pid}/stat").rpartition(b")")[2].decode("ascii").split()


def _read(path: str) -> bytes:
    """A small file of the kernel's, by its system calls alone: hundreds a second are read, and pathlib takes half."""
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, 4096)
    finally:
        os.close(file)


def _devices() -> dict[str, float]:
    """Reads and writes completed, of whole devices."""
    totals: dict[str, float] = {}
    for line in Path("/proc/diskstats").read_text().splitlines():
        fields = line.split()
        if Path(f"/sys/block/{fields[2]}").exists() and not fields[2].startswith(("loop", "ram")):
            totals |= {what.about(fields[2]): float(fields[index]) for what, index in _FIELD_OF}
    return totals


def _of_namespaces(clients: tuple[Running, ...]) -> dict[str, float]:
    """The interfaces of hosts that are network namespaces, seen through a client that runs in each."""
    totals: dict[str, float] = {}
    own = Path("/proc/self/ns/net").stat().st_ino
    for site, group in {one.site.name: one.group for one in clients}.items():
        with suppress(OSError):  # a client that has just ended
            # The first moments of a client are those of `ip netns exec`, still in this machine's network.
            if Path(f"/proc/{group}/ns/net").stat().st_ino != own:
                totals |= _network(group, site)
    return totals


def _network(pid: int, host: str) -> dict[str, float]:
    """The interfaces of a host that is a network namespace, seen through a process in it, and what TCP sent again."""
    texts = (Path(f"/proc/{pid}/net/{file}").read_text() for file in ("snmp", "netstat"))
    lines = [line for text in texts for line in text.splitlines() if line.startswith("Tcp")]
    return _interfaces(pid, f"{host}:") | {
        what.about(host): count
        for names, counts in pairwise(lines)
        for what, count in sent_again(names.split(), counts.split()).items()
    }


def waited_s(pid: int) -> float:
    """Seconds that a process's threads have waited for a core so far. Source: Documentation/scheduler/sched-stats."""
    waited = 0
    with suppress(OSError):
        for thread in os.scandir(f"/proc/{pid}/task"):
            with suppress(OSError, IndexError, ValueError):
                waited += int(_read(f"{thread.path}/schedstat").split()[1])
    return waited * 1e-9


def allowed_cpus(pid: int) -> int:
    """CPU threads that any thread of a process may run on; 0 where it cannot be told."""
    allowed: set[int] = set()
    with suppress(OSError):
        for thread in os.scandir(f"/proc/{pid}/task"):
            with suppress(OSError):
                allowed |= os.sched_getaffinity(int(thread.name))
    return len(allowed)


def throttled_s(pid: int, root: Path = Path("/")) -> float | None:
    """Seconds so far that the limits of its control group, and of those around it, kept it from its cores. None where
    there is no limit.

    Source: Documentation/admin-guide/cgroup-v2.rst; of version 1, Documentation/scheduler/sched-bwc.rst.
    """
    held = []
    for line in (root / f"proc/{pid}/cgroup").read_text().splitlines():
        _, controllers, place = line.split(":", 2)
        if controllers not in ("", "cpu", "cpu,cpuacct"):
            continue
        top = root / "sys/fs/cgroup" / ("cpu" if controllers else "")
        for group in (top / place.lstrip("/") / "x").parents:
            if (group / "cpu.stat").exists():
                told = dict(one.split() for one in (group / "cpu.stat").read_text().splitlines())
                if float(told.get("nr_periods", 0)) > 0:
                    held.append(
                        float(told.get("throttled_usec", 0)) * 1e-6 + float(told.get("throttled_time", 0)) * 1e-9
                    )
            if group == top:
                break
    return sum(held) if held else None


def _interfaces(pid: int | str = "self", owner: str = "") -> dict[str, float]:
    """Bytes received and sent by each interface of a process's network. owner: put before its name."""
    totals: dict[str, float] = {}
    for line in Path(f"/proc/{pid}/net/dev").read_text().splitlines()[2:]:
        name, _, rest = line.partition(":")
        if owner and name.strip() == "lo":
            continue  # of a host whose load goes over its network
        fields = rest.split()
        totals[NIC_BYTES.about(f"{owner}{name.strip()}")] = float(fields[0]) + float(fields[8])
        totals[NIC_RECEIVED.about(f"{owner}{name.strip()}")] = float(fields[0])
        totals[NIC_SENT.about(f"{owner}{name.strip()}")] = float(fields[8])
    return totals
