"""What a shape achieved against the request, and other disks or another bandwidth while a sandbox runs.

Measured: bandwidth and round trip between hosts, writes and flushes on a disk.
"""

from __future__ import annotations

import json
import re
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from radoscope.errors import PlanError, ToolFailed
from radoscope.sandbox import disks, network, registry
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.daemons import begin
from radoscope.sandbox.layout import Host
from radoscope.sandbox.processes import DAEMON_VARIABLE, LABEL_VARIABLE, run_tool
from radoscope.sandbox.shape import DiskModel
from radoscope.sandbox.waiting import Deadline, wait_until
from radoscope.units import format_seconds

_FILE = "shapes.json"
_IPERF_S, _FIO_S, _PINGS = 1, 1, 50
_IPERF_PATIENCE_S = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One property of the sandbox. asked: None when it was left as it is. unit: "bit/s" or "s".

    least: the smallest of the values whose mean or median was achieved, where it tells something.
    """

    what: str
    asked: float | None
    achieved: float
    unit: str
    command: str
    least: float | None = None

    @property
    def words(self) -> str:
        """ "round trip client1 -> h1: 0.62 ms (least 0.55 ms), requested 0.5 ms"."""
        least = "" if self.least is None else f" (least {_quantity(self.least, self.unit)})"
        asked = "" if self.asked is None else f", requested {_quantity(self.asked, self.unit)}"
        return f"{self.what}: {_quantity(self.achieved, self.unit)}{least}{asked}"


def _quantity(value: float, unit: str) -> str:
    return format_seconds(value) if unit == "s" else f"{value / 1e9:.3g} Gbit/s"


def measure(sandbox: Sandbox) -> tuple[Shape, ...]:
    """Measure what was shaped, about 4 s, and keep it in the sandbox's shapes.json. Raises ToolFailed.

    Needs fio for a modelled disk and iperf3 for hosts; an idle cluster is assumed.
    """
    shapes: list[Shape] = []
    if sandbox.spec.hosts is not None:
        client, server = sandbox.clients[0], sandbox.hosts[0]
        shapes += [_bandwidth(sandbox, client, server), _round_trip(sandbox, client, server)]
    if not sandbox.spec.disk.changes_nothing:
        shapes += _disk(sandbox)
    (sandbox.directory / _FILE).write_text(json.dumps([asdict(shape) for shape in shapes], indent=1) + "\n")
    return tuple(shapes)


def forget(sandbox: Sandbox) -> None:
    """Drop what was measured: it holds no more."""
    (sandbox.directory / _FILE).unlink(missing_ok=True)


def load_shapes(sandbox: Sandbox) -> tuple[Shape, ...]:
    """What was measured when the sandbox was started or reshaped; nothing when nothing was shaped."""
    try:
        content = json.loads((sandbox.directory / _FILE).read_text())
    except (OSError, ValueError):
        return ()
    return tuple(Shape(**each) for each in content)


def _bandwidth(sandbox: Sandbox, client: Host, server: Host) -> Shape:
    serve = server.wrap(("iperf3", "-s", "-B", server.public_address))
    send = client.wrap(("iperf3", "-c", server.public_address, "-t", str(_IPERF_S), "-J"))
    listener = begin(sandbox, "probe", serve)
    try:
        received = wait_until(lambda: _bits_received(sandbox, send), "an answer of iperf3", Deadline(_IPERF_PATIENCE_S))
    finally:
        listener.kill()
        listener.wait()
    return Shape(
        what=f"bandwidth {client.name} -> {server.name}",
        asked=sandbox.spec.network_bits_per_s,
        achieved=received,
        unit="bit/s",
        command=" ".join(send),
    )


def _bits_received(sandbox: Sandbox, send: Sequence[str]) -> float | None:
    """iperf3's result; None while the other end is not there yet or has not ended its last test."""
    try:
        end = json.loads(_output(sandbox, send)).get("end", {})
    except ToolFailed:
        return None
    received = end.get("sum_received", {}).get("bits_per_second")
    return None if received is None else float(received)


def _round_trip(sandbox: Sandbox, client: Host, server: Host) -> Shape:
    """The median: the first of them also asks who has the address, and a busy machine makes some late."""
    argv = client.wrap(("ping", "-c", str(_PINGS), "-i", "0.01", server.public_address))
    times_s = [float(ms) / 1e3 for ms in re.findall(r"time=([0-9.]+) ms", _output(sandbox, argv))]
    if not times_s:
        raise ToolFailed(f"{server.name} does not answer {client.name}'s ping")
    return Shape(
        what=f"round trip {client.name} -> {server.name}",
        asked=sandbox.spec.latency_s,
        achieved=statistics.median(times_s),
        least=min(times_s),
        unit="s",
        command=" ".join(argv),
    )


def _disk(sandbox: Sandbox) -> Iterator[Shape]:
    """A 4K write, the flush after it, and a 4K write that is to be safe at its end (O_SYNC)."""
    disk, host = sandbox.spec.disk, sandbox.hosts[0].name
    argv, found = _fio(sandbox, "--fsync=1")
    yield _latency(f"4K write on {host}", disk.write_cost_s, found["write"], argv)
    yield _latency(f"flush on {host}", disk.flush_cost_s, found["sync"], argv)
    argv, found = _fio(sandbox, "--sync=sync")
    yield _latency(f"4K O_SYNC write on {host}", disk.write_cost_s + disk.flush_cost_s, found["write"], argv)


def _fio(sandbox: Sandbox, *more: str) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The command that ran, and what fio says of its job."""
    with tempfile.NamedTemporaryFile(dir=sandbox.directory, prefix="flush.") as target:
        job = ("--ioengine=psync", "--rw=randwrite", "--bs=4k", "--direct=1", "--size=16m", *more)
        length = (f"--runtime={_FIO_S}", "--time_based", "--output-format=json")
        fio = ("fio", "--name=disk", f"--filename={target.name}", *job, *length)
        argv = sandbox.hosts[0].wrap(sandbox.on_disk(fio))
        text = _output(sandbox, argv)
    # fio may say something before its report.
    return argv, json.loads(text[text.index("{") :])["jobs"][0]


def _latency(what: str, asked_s: float, found: dict[str, Any], argv: tuple[str, ...]) -> Shape:
    achieved = found["lat_ns"]["mean"] / 1e9
    return Shape(what=what, asked=asked_s or None, achieved=achieved, unit="s", command=" ".join(argv))


def _output(sandbox: Sandbox, argv: Sequence[str]) -> str:
    """Standard output of a command on the sandbox's behalf, labelled as its. Raises ToolFailed."""
    return run_tool(argv, environment={LABEL_VARIABLE: str(sandbox.label), DAEMON_VARIABLE: "probe"})


def reshape(
    sandbox: Sandbox,
    *,
    bits_per_s: float | None = None,
    disk: DiskModel | None = None,
    write_cache: bool | None = None,
    measured: bool = True,
) -> Sandbox:
    """Change what is given, on all hosts and OSDs, and measure what came of it.

    write_cache: of the disk given, else of the one that is there. measured: else what is known of the shapes is
    dropped, because it no longer holds. Raises PlanError when the sandbox was not made for it, ToolFailed.
    """
    wanted = sandbox.spec.disk if disk is None else disk
    wanted = wanted if write_cache is None else wanted.with_write_cache(write_cache)
    if wanted != sandbox.spec.disk:
        _check_modelled(sandbox, wanted)
    rate = sandbox.spec.network_bits_per_s if bits_per_s is None else bits_per_s
    spec = replace(sandbox.spec, disk=wanted, network_bits_per_s=rate)
    changed = replace(sandbox, spec=spec)
    # Registered first: cut short, the same command goes on where it ended.
    registry.mark(changed, registry.State.UP)
    forget(changed)
    if wanted != sandbox.spec.disk:
        for file in (sandbox.load_disk_parameters, *map(sandbox.disk_parameters, sandbox.osds)):
            disks.write_parameters(file, wanted)
    if bits_per_s is not None:
        for host in sandbox.hosts:
            network.shape(changed, host, bits_per_s)
    if measured:
        measure(changed)
    return changed


def _check_modelled(sandbox: Sandbox, wanted: DiskModel) -> None:
    """The model is loaded when an OSD starts."""
    if sandbox.spec.disk.changes_nothing or wanted.changes_nothing:
        raise PlanError(
            "a running sandbox cannot switch between modelled disks and this machine's own",
            "Start the sandbox with a modelled disk: radoscope sandbox up NAME --disk plp-sata",
        )
    disks.check_can_model(wanted)
