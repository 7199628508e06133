"""The iperf3 server at the other end of the network cells."""

from __future__ import annotations

import os
import socket
import subprocess
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from radoscope.errors import ToolFailed
from radoscope.run.prepared import Prepared
from radoscope.run.processes import LABEL
from radoscope.session.session import Session
from radoscope.session.waiting import until
from radoscope.sites import Site


def start_iperf3(session: Session, prepared: Prepared, peer: Site) -> Prepared:
    """It ends with the processes of the run."""
    port, place = _free_port(), session.place
    session.say(f"starting iperf3 on {peer.name}, {place.peer_address} port {port}")
    said = session.work / "iperf3-server.out"
    with said.open("wb") as out:
        server = subprocess.Popen(
            peer.wrap(("iperf3", "-s", "-B", place.peer_address, "-p", str(port))),
            env={**os.environ, LABEL: session.id},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    until(lambda: _listening(server, port, said), session, "iperf3 did not start to listen")
    return replace(prepared, iperf_port=port)


def _listening(server: subprocess.Popen[bytes], port: int, said: Path) -> bool:
    if server.poll() is not None:
        raise ToolFailed(f"iperf3 -s ended: {said.read_text(errors='replace').strip()[-200:]}")
    # iperf3 tells that it listens only when its output is flushed, so the kernel is asked.
    listening = ""
    for table in (f"/proc/{server.pid}/net/tcp", f"/proc/{server.pid}/net/tcp6"):
        with suppress(OSError):
            listening += Path(table).read_text()
    return any(f":{port:04X} " in line and " 0A " in line for line in listening.splitlines())


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
