"""CPU, network and disks of a host that is not this machine, sampled over one connection: when asked, and each second.

Samples are stamped with this machine's clock when they are asked for; how much time passed between two of them is the
other host's uptime, so that a delay on the way changes no rate.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeVar

from radoscope.records.telemetry import (
    CLIENT_CPU,
    CLIENT_CPU_THROTTLED,
    DISK_READS,
    DISK_WRITES,
    HOST_CPU,
    NIC_BYTES,
    NIC_RECEIVED,
    NIC_SENT,
    OSD_CPU_THROTTLED,
    TCP_NEEDLESS,
    TCP_RESENT,
    Quantity,
    as_series,
)
from radoscope.run.clock import now_s
from radoscope.run.processes import LABEL
from radoscope.sites import Site, talk

# A sample for each line that is asked, by one process: a host that is out of CPU is slow to start more. Ends with its
# standard input, and so with the connection. Of the processes only the load tools, that of S3 runs in python3, because
# the whole list would be 60 KB. The limits that hold it hold the load: both come over the same way, into one container,
# pod or login, whose control group may be in another one with a limit.
_SAMPLER = r"""
stats=
for group in $(sed -nE 's/^[0-9]+:(cpu|cpu,cpuacct)?:\/?//p' /proc/self/cgroup) .; do
  while :; do
    for place in "" cpu/; do
      [ -f "/sys/fs/cgroup/$place$group/cpu.stat" ] && stats="$stats /sys/fs/cgroup/$place$group/cpu.stat"
    done
    case "$group" in */*) group=${group%/*} ;; *) break ;; esac
  done
done
while read -r word; do
  grep -HE -e '^[0-9.]+ [0-9.]+$|^cpu |^Tcp(Ext)?: |^ *[^ :]+:.*[0-9]$|^ +[0-9]+ +[0-9]|^throttled_' \
    -e '^[0-9]+ \((fio|rados|rbd|python3)\)' \
    /proc/uptime /proc/stat /proc/net/dev /proc/net/snmp /proc/net/netstat /sys/block/*/stat /proc/[0-9]*/stat $stats \
    2>/dev/null
  echo end
done
"""
_SENT_AGAIN = (("RetransSegs", TCP_RESENT), ("TCPDSACKRecv", TCP_NEEDLESS))
TICK_S = 1 / os.sysconf("SC_CLK_TCK")
_PERIOD_S = 1.0
_PATIENCE_S = 5.0
_LAST_SAMPLE_S = 5.0
"""How long the end of a segment waits for its sample. A host without CPU to spare is late, and that is to be seen."""
_MOST_WAITED_FOR = 3
_MOST_SAMPLES = 7200


@dataclass(slots=True)
class _Sample:
    """at_s: when it was asked for, here. uptime_s: of the other. totals: counters by name of series. cpu_s: of a
    process group. throttled_s: by the limit of each control group.
    """

    at_s: float = 0.0
    uptime_s: float = 0.0
    busy: float = 0.0
    idle: float = 0.0
    totals: dict[str, float] = field(default_factory=dict)
    cpu_s: dict[int, float] = field(default_factory=dict)
    throttled_s: dict[str, float] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)


class HostWatch:
    """Samples of one host from start() to stop()."""

    def __init__(self, site: Site, label: str, osd: int | None = None) -> None:
        """osd: whose container the samples are taken in, so that its CPU limit is that of the OSD."""
        self._site = site
        self._osd = osd
        self._label = label
        self._samples: deque[_Sample] = deque(maxlen=_MOST_SAMPLES)
        self._asked: deque[float] = deque()
        self._news = threading.Condition()
        self._process: subprocess.Popen[bytes] | None = None
        self._threads: tuple[threading.Thread, ...] = ()

    def start(self) -> None:
        """Connect, unless it is connected: a host that was away for a while is watched again."""
        if self._process is not None and self._process.poll() is None:
            return
        self.stop()
        argv = self._site.wrap(("sh", "-c", _SAMPLER))
        self._process = talk.begin(argv, {LABEL: self._label}, subprocess.DEVNULL)
        self._threads = tuple(
            threading.Thread(target=run, args=(self._process,), name="host-watch", daemon=True)
            for run in (self._read, self._ask_each_second)
        )
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        if self._process is None:
            return
        talk.end(self._process, _PATIENCE_S)
        self._process = None
        with self._news:
            self._news.notify_all()
        for thread in self._threads:
            thread.join(_PATIENCE_S)

    def ask(self) -> None:
        """For a sample of now; the answer comes by itself. A host that is behind is not asked for more."""
        process = self._process
        with self._news, suppress(OSError, ValueError):
            if process is None or process.stdin is None or len(self._asked) >= _MOST_WAITED_FOR:
                return
            self._asked.append(now_s())
            process.stdin.write(b"\n")
            process.stdin.flush()

    def series(self, begin_s: float, end_s: float, groups: Mapping[str, int]) -> list[dict[str, Any]]:
        """What was seen between two moments, as JSON values. groups: name of a client process -> its process group.

        Waits for what was asked until then.
        """
        with self._news:
            self._news.wait_for(lambda: not self._asked or self._asked[0] > end_s, _LAST_SAMPLE_S)
        seen = [sample for sample in list(self._samples) if begin_s <= sample.at_s <= end_s]
        host = self._site.name
        found = [_series(HOST_CPU.about(host), seen, _share)]
        for name in sorted({name for sample in seen for name in sample.totals}):
            found.append(_series(name, seen, _rate_of(lambda sample: sample.totals, name)))
        held = [CLIENT_CPU_THROTTLED.name + name.removeprefix(CLIENT_CPU.name) for name in groups]
        held += [OSD_CPU_THROTTLED.about(self._osd)] if self._osd is not None else []
        found += [_series(name, seen, _rate_of(lambda sample: sample.cpu_s, group)) for name, group in groups.items()]
        if any(sum(sample.throttled_s.values()) for sample in seen):
            limit = _rate_of(lambda sample: {"": sum(sample.throttled_s.values())}, "")
            found += [_series(name, seen, limit) for name in held]
        return [one for one in found if one["values"]]

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        for sample in _samples(process.stdout, self._site.name):
            with self._news:
                sample.at_s = self._asked.popleft()
                self._samples.append(sample)
                self._news.notify_all()
        with self._news:  # the connection has ended: nobody is to wait for it
            self._asked.clear()
            self._news.notify_all()

    def _ask_each_second(self, process: subprocess.Popen[bytes]) -> None:
        while process is self._process and process.poll() is None:
            with self._news:
                ended = self._news.wait_for(lambda: process is not self._process, _PERIOD_S)
                is_behind = bool(self._asked)
            if not ended and not is_behind:  # so that there is room for those at the ends of a segment
                self.ask()


_Key = TypeVar("_Key")
_Between = Callable[[_Sample, _Sample], float | None]


def _series(name: str, seen: Sequence[_Sample], between: _Between) -> dict[str, Any]:
    points = [(after.at_s, value) for before, after in pairwise(seen) if (value := between(before, after)) is not None]
    return as_series(name, points)


def _share(before: _Sample, after: _Sample) -> float | None:
    busy, idle = after.busy - before.busy, after.idle - before.idle
    return busy / (busy + idle) if busy + idle > 0 else None


def _rate_of(counters: Callable[[_Sample], Mapping[_Key, float]], key: _Key) -> _Between:
    def rate(before: _Sample, after: _Sample) -> float | None:
        first, second = counters(before).get(key), counters(after).get(key)
        seconds = after.uptime_s - before.uptime_s
        if first is None or second is None or seconds <= 0 or second < first:
            return None
        return (second - first) / seconds

    return rate


def _samples(lines: Iterable[bytes], host: str) -> Iterator[_Sample]:
    """What the sampler prints -> samples; a line that is not understood is left out."""
    sample = _Sample()
    for line in lines:
        if line == b"end\n":
            yield sample
            sample = _Sample()
            continue
        file, _, text = line.decode("utf-8", "replace").partition(":")
        with suppress(ValueError, IndexError):
            _take(sample, file, text, host)


def sent_again(names: Sequence[str], counts: Sequence[str]) -> dict[Quantity, float]:
    """What two lines of /proc/net/snmp or netstat say of segments that TCP sent again: a protocol's names and its
    counts; nothing where they are not such a pair. Source: net/ipv4/proc.c of Linux.
    """
    if not counts or names[:1] != counts[:1] or len(names) != len(counts) or not counts[-1].isdecimal():
        return {}
    found = dict(zip(names, counts, strict=True))
    return {what: float(found[name]) for name, what in _SENT_AGAIN if name in found}


def _take(sample: _Sample, file: str, text: str, host: str) -> None:
    words = text.split()
    if file == "/proc/uptime":
        sample.uptime_s = float(words[0])
    elif file == "/proc/stat":
        ticks = [float(word) for word in words[1:9]]
        sample.idle = ticks[3] + ticks[4]
        sample.busy = sum(ticks) - sample.idle
    elif file == "/proc/net/dev":
        device, _, counts = text.strip().partition(":")
        if device != "lo":
            received, sent, of = float(counts.split()[0]), float(counts.split()[8]), f"{host}:{device}"
            rates = {NIC_BYTES: received + sent, NIC_RECEIVED: received, NIC_SENT: sent}
            sample.totals |= {what.about(of): value for what, value in rates.items()}
    elif file in ("/proc/net/snmp", "/proc/net/netstat"):
        sample.totals |= {what.about(host): count for what, count in sent_again(sample.names, words).items()}
        sample.names = words
    elif file.startswith("/sys/block/"):
        device = file.split("/")[3]
        # Documentation/block/stat.rst: reads completed, merged, sectors, ms, writes completed ...
        reads, writes = float(words[0]), float(words[4])
        if not device.startswith(("loop", "ram")):
            done = ((DISK_READS, reads), (DISK_WRITES, writes))
            sample.totals |= {what.about(f"{host}:{device}"): n for what, n in done}
    elif file.startswith("/sys/fs/cgroup/"):
        seconds = float(words[1]) * (1e-6 if words[0] == "throttled_usec" else 1e-9)
        sample.throttled_s[file] = seconds
    else:
        # pid (name) state ppid pgrp ...; utime, stime and those of ended children are fields 14 to 17
        group = int(words[4])
        sample.cpu_s[group] = sample.cpu_s.get(group, 0.0) + sum(map(float, words[13:17])) * TICK_S
