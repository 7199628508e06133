"""The iperf3 server at the other end of the network cells."""

from __future__ import annotations

import os
import random
import socket
import subprocess
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from radoscope.errors import ToolFailed
from radoscope.run.prepared import Prepared
from radoscope.run.processes import LABEL
from radoscope.session.access import remote_entry
from radoscope.session.session import Session
from radoscope.session.waiting import until
from radoscope.sites import Site, talk

# Ends with its standard input, and so with the connection; `clean` finds it by its label. Whether a port is free over
# there shows only when it is tried: another one's server may listen on it, so the socket has to be its own.
_SERVER = r"""
RADOSCOPE_RUN=$3 iperf3 -s -B "$1" -p "$2" >&2 &
server=$!
port=$(printf %04X "$2")
listens() {
  grep -hi ":$port .* 0A " /proc/net/tcp /proc/net/tcp6 2>/dev/null | while read -r _ _ _ _ _ _ _ _ _ inode _; do
    ls -l /proc/$server/fd 2>/dev/null | grep -F "socket:[$inode]"
  done
}
until [ -n "$(listens)" ]; do
  kill -0 $server 2>/dev/null || exit 1
  sleep 0.1
done
echo listening
while read -r word; do :; done
kill $server
"""
_PORTS = range(20000, 30000)
_TRIES = 3


def start_iperf3(session: Session, prepared: Prepared, peer: Site) -> Prepared:
    """It ends with the processes of the run."""
    if peer.folder is not None:
        return _start_there(session, prepared, peer)
    port, place = _free_port(), session.place
    session.say(f"starting iperf3 on {peer.name}, {place.peer_address} port {port}")
    said = session.work / "iperf3-server.out"
    server = _start(session, peer.wrap(("iperf3", "-s", "-B", place.peer_address, "-p", str(port))), said)
    until(lambda: _listening(server, port, said), session, "iperf3 did not start to listen")
    return replace(prepared, iperf_port=port)


def _start_there(session: Session, prepared: Prepared, peer: Site) -> Prepared:
    """On a host of OSDs, which keeps an empty folder as the mark of the run."""
    session.journal.will_create(remote_entry(peer, session.id))
    talk.bring(peer)
    said, told = session.work / "iperf3-server.out", session.work / "iperf3-server.told"
    for port in random.sample(_PORTS, _TRIES):
        session.say(f"starting iperf3 on {peer.name}, {session.place.peer_address} port {port}")
        words = ("sh", "-c", _SERVER, "radoscope", session.place.peer_address, str(port), session.id)
        server = _start(session, peer.wrap(words), said, told)
        until(partial(_told_or_ended, server, told), session, "iperf3 did not start to listen")
        if told.stat().st_size:
            return replace(prepared, iperf_port=port)
    raise ToolFailed(f"iperf3 -s ended on {peer.name}: {said.read_text(errors='replace').strip()[-200:]}")


def _told_or_ended(server: subprocess.Popen[bytes], told: Path) -> bool:
    return bool(told.stat().st_size) or server.poll() is not None


def _start(session: Session, argv: tuple[str, ...], said: Path, told: Path | None = None) -> subprocess.Popen[bytes]:
    """said: where it writes. told: its standard output alone; its standard input then ends with this process."""
    stdin = subprocess.DEVNULL
    if told is not None:
        stdin, _ = os.pipe()  # nobody closes the other end
    with said.open("wb") as out, (told or said).open("ab") as answers:
        server = subprocess.Popen(
            argv, env={**os.environ, LABEL: session.id}, stdin=stdin, stdout=answers, stderr=out, start_new_session=True
        )
    if told is not None:
        os.close(stdin)
    return server


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
