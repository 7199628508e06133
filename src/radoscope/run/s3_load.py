"""PUT and GET of objects over S3: requests that were signed beforehand, one process a connection.

Runs as a program of its own on any client host: it needs Python's standard library alone, and neither key nor secret.

    s3_load.py REQUESTS once CONNECTIONS
    s3_load.py REQUESTS OUTPUT CONNECTIONS RAMP_S SECONDS FIRST STRIDE [READY]

REQUESTS: JSON of host, port, method, bytes (of each object) and targets (signed paths). once: each target once, in
their order. Else random ones of targets FIRST, FIRST + STRIDE ..., each connection those that no other one has, and
what is answered after the ramp counts. READY: a file that is made once all are connected; then a line of standard
input begins. An answer that is not 2xx, or as short as no object is, ends all.
"""

from __future__ import annotations

import json
import math
import os
import random
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

PER_OCTAVE = 64
"""Bins of latency in a doubling: each is 1.1 % wide."""
INTERVAL_S = 0.5
PATIENCE_S = 30.0

_stopping: list[bool] = []


class HttpConnection:
    """One that stays open. Every failure ends the process with a sentence about the gateway."""

    def __init__(self, asked: dict[str, Any]) -> None:
        where = f"{asked['host']}:{asked['port']}"
        try:
            self.socket = socket.create_connection((asked["host"], asked["port"]), PATIENCE_S)
        except OSError as error:
            sys.exit(f"the gateway {where} does not answer: {error.strerror or error}")
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.where, self.method = where, asked["method"]
        self.bytes = asked["bytes"]
        self.body = os.urandom(self.bytes) if self.method == "PUT" else b""
        length = f"Content-Length: {len(self.body)}\r\n" if self.method == "PUT" else ""
        self.rest = f" HTTP/1.1\r\nHost: {where}\r\n{length}\r\n"
        self.buffer = bytearray(1 << 20)

    def ask(self, target: str) -> float:
        """Seconds until the answer was there in full."""
        request = f"{self.method} {target}{self.rest}".encode()
        begun = time.perf_counter()
        try:
            self.socket.sendall(request + self.body)
            status, got, said = self._answer()
        except OSError as error:
            sys.exit(f"the gateway {self.where} broke off: {error.strerror or error}")
        took = time.perf_counter() - begun
        if not 200 <= status < 300:
            code = said.partition(b"<Code>")[2].partition(b"</Code>")[0].decode() or "without a reason"
            sys.exit(f"the gateway {self.where} answered a {self.method} with {status} ({code})")
        if self.method == "GET" and got != self.bytes:
            sys.exit(f"the gateway {self.where} sent {got} bytes of an object of {self.bytes}")
        return took

    def _answer(self) -> tuple[int, int, bytes]:
        """Status, length of what it sent, and what it sent where it refuses: the reason may come after the head."""
        head = b""
        while b"\r\n\r\n" not in head:
            piece = self.socket.recv(65536)
            if not piece:
                raise OSError("it closed the connection")
            head += piece
        lines, _, said = head.partition(b"\r\n\r\n")
        status = int(lines.split(b" ", 2)[1])
        fields = dict(line.lower().split(b":", 1) for line in lines.split(b"\r\n")[1:] if b":" in line)
        total = int(fields.get(b"content-length", b"0"))
        left = total - len(said)
        while left > 0:
            count = self.socket.recv_into(self.buffer, min(left, len(self.buffer)))
            if not count:
                raise OSError("it closed the connection")
            left -= count
            if status >= 300:
                said += bytes(self.buffer[:count])
        return status, total, said


def load(connection: HttpConnection, targets: Sequence[str], ramp_s: float, seconds: float) -> dict[str, Any]:
    """What one connection saw."""
    bins: dict[int, int] = {}
    counts: dict[int, int] = {}
    sum_s, least_s, most_s = 0.0, math.inf, 0.0
    begun = time.monotonic()
    number = 0
    now = 0.0
    while now < ramp_s + seconds and not _stopping:
        took = connection.ask(random.choice(targets))
        now = time.monotonic() - begun
        if not ramp_s <= now < ramp_s + seconds:
            continue
        number += 1
        sum_s, least_s, most_s = sum_s + took, min(least_s, took), max(most_s, took)
        place = round(math.log2(took) * PER_OCTAVE)
        bins[place] = bins.get(place, 0) + 1
        slot = int((now - ramp_s) / INTERVAL_S)
        counts[slot] = counts.get(slot, 0) + 1
    lasted = max(0.0, min(now, ramp_s + seconds) - ramp_s)
    return {"n": number, "sum": sum_s, "min": least_s, "max": most_s, "bins": bins, "counts": counts, "lasted": lasted}


def together(
    asked: dict[str, Any], connections: int, work: Callable[[HttpConnection, int], Any], gate: Callable[[], None]
) -> tuple[list[Any], float]:
    """What `work(connection, number)` gives in as many processes, all of which begin at one moment; and that moment."""
    start_read, start_write = os.pipe()
    children = []
    for number in range(connections):
        read, write = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(start_write)
            connection = HttpConnection(asked)
            os.write(write, b"\n")
            if not os.read(start_read, 1):
                sys.exit(1)  # whoever was to give the word is gone
            with os.fdopen(write, "wb") as line:
                line.write(json.dumps(work(connection, number)).encode())
            sys.exit(0)
        os.close(write)
        children.append((pid, read))
    for _, read in children:
        os.read(read, 1)  # it is connected, or has ended
    gate()
    begun = time.time()
    os.write(start_write, b"\n" * connections)
    os.close(start_write)
    told: list[Any] = []
    failed = 0
    for pid, read in children:
        with os.fdopen(read, "rb") as text:
            said = text.read()
        failed = failed or os.waitpid(pid, 0)[1]
        told.append(json.loads(said) if said else None)
    if failed:
        sys.exit(1)  # it has said why
    return told, begun


def main(
    requests: str,
    output: str,
    many: str,
    ramp_s: str = "0",
    seconds: str = "0",
    first: str = "0",
    stride: str = "1",
    ready: str = "",
) -> None:
    connections, asked = int(many), json.loads(Path(requests).read_text())
    targets = asked["targets"]
    if output == "once":
        together(asked, connections, lambda one, at: [one.ask(each) for each in targets[at::connections]], lambda: None)
        return

    def gate() -> None:
        if ready:
            Path(ready).touch()
            if not sys.stdin.readline():
                sys.exit("no word to begin")

    offset, step = int(first) * connections, int(stride) * connections

    def work(one: HttpConnection, at: int) -> dict[str, Any]:
        return load(one, targets[offset + at :: step], float(ramp_s), float(seconds))

    told, begun = together(asked, connections, work, gate)
    save(output, asked, told, begun + float(ramp_s))


def save(output: str, asked: dict[str, Any], told: Sequence[dict[str, Any]], begun: float) -> None:
    """One result of all connections."""
    bins: dict[int, int] = {}
    counts: dict[int, int] = {}
    for one in told:
        for whole, part in ((bins, one["bins"]), (counts, one["counts"])):
            for place, number in part.items():
                whole[int(place)] = whole.get(int(place), 0) + number
    number = sum(one["n"] for one in told)
    seconds = max(one["lasted"] for one in told)
    known = [one for one in told if one["n"]]
    result = {
        "s3_load": 1,
        "method": asked["method"],
        "object_bytes": asked["bytes"],
        "connections": len(told),
        "begun_at_s": begun,
        "seconds": seconds,
        "requests": number,
        "latency_s": {
            "mean": sum(one["sum"] for one in told) / number if number else None,
            "min": min((one["min"] for one in known), default=None),
            "max": max((one["max"] for one in known), default=None),
            "bins": [[2 ** (place / PER_OCTAVE), bins[place]] for place in sorted(bins)],
        },
        "interval_s": INTERVAL_S,
        "answered": [counts.get(slot, 0) for slot in range(int(seconds / INTERVAL_S))],
    }
    Path(output).write_text(json.dumps(result))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, lambda *_: _stopping.append(True))
    main(*sys.argv[1:])
