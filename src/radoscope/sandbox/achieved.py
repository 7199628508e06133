"""What a shape came to: bandwidth and round trip between hosts, flush time on a host, measured, beside the wish."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from radoscope.errors import ToolFailed
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.daemons import begin
from radoscope.sandbox.labels import DAEMON_VARIABLE, LABEL_VARIABLE
from radoscope.sandbox.layout import Host
from radoscope.sandbox.processes import run_tool
from radoscope.sandbox.waiting import Deadline, wait_until

_FILE = "shapes.json"
_IPERF_S, _FIO_S, _PINGS = 1, 2, 20
_IPERF_PATIENCE_S = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One property of the sandbox. asked: None when it was left as it is. unit: "bit/s" or "s"."""

    what: str
    asked: float | None
    achieved: float
    unit: str
    command: str


def measure(sandbox: Sandbox) -> tuple[Shape, ...]:
    """Measure what was shaped, about 5 s, and keep it in the sandbox's shapes.json. Raises ToolFailed.

    Needs fio for a modelled disk and iperf3 for hosts; an idle cluster is assumed.
    """
    shapes: list[Shape] = []
    if sandbox.spec.hosts is not None:
        client, server = sandbox.clients[0], sandbox.hosts[0]
        shapes += [_bandwidth(sandbox, client, server), _round_trip(sandbox, client, server)]
    if not sandbox.spec.disk.changes_nothing:
        shapes += [_flush(sandbox)]
    (sandbox.directory / _FILE).write_text(json.dumps([asdict(shape) for shape in shapes], indent=1) + "\n")
    return tuple(shapes)


def load_shapes(sandbox: Sandbox) -> tuple[Shape, ...]:
    """What was measured when the sandbox was started; nothing when nothing was shaped."""
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
    argv = client.wrap(("ping", "-q", "-c", str(_PINGS), "-i", "0.01", server.public_address))
    summary = _output(sandbox, argv).rsplit("=", 1)[-1]
    mean_ms = float(summary.split("/")[1])
    what = f"round trip {client.name} -> {server.name}"
    return Shape(what=what, asked=None, achieved=mean_ms / 1e3, unit="s", command=" ".join(argv))


def _flush(sandbox: Sandbox) -> Shape:
    host = sandbox.hosts[0]
    with tempfile.NamedTemporaryFile(dir=sandbox.directory, prefix="flush.") as target:
        job = ("--ioengine=psync", "--rw=randwrite", "--bs=4k", "--fsync=1", "--direct=1", "--size=16m")
        length = (f"--runtime={_FIO_S}", "--time_based", "--output-format=json")
        argv = host.wrap(sandbox.on_disk(("fio", "--name=flush", f"--filename={target.name}", *job, *length)))
        text = _output(sandbox, argv)
    # fio may say something before its report.
    report = json.loads(text[text.index("{") :])
    return Shape(
        what=f"flush on {host.name}",
        asked=sandbox.spec.disk.flush_s or None,
        achieved=report["jobs"][0]["sync"]["lat_ns"]["mean"] / 1e9,
        unit="s",
        command=" ".join(argv),
    )


def _output(sandbox: Sandbox, argv: Sequence[str]) -> str:
    """Standard output of a command on the sandbox's behalf, labelled as its. Raises ToolFailed."""
    return run_tool(argv, environment={LABEL_VARIABLE: str(sandbox.label), DAEMON_VARIABLE: "probe"})
