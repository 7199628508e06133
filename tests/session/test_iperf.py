"""The iperf3 server on a host of OSDs, through a real sshd: it listens on a free port, and ends with its connection."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from radoscope.run.cleaning import clean, labelled_processes
from radoscope.run.journal import Journal
from radoscope.run.prepared import Prepared
from radoscope.session import iperf
from radoscope.session.session import Session
from radoscope.sites import Ssh
from radoscope.tools import call
from tests.labels import label_of
from tests.sshd import Server, comm


def servers(label: str) -> list[int]:
    return [pid for pid in labelled_processes(label) if comm(pid) == "iperf3"]


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path / "home"))
    label, said = label_of(tmp_path), list[str]()
    known: dict[str, Any] = {"id": label, "work": tmp_path, "journal": Journal.begin(label), "said": said}
    place = SimpleNamespace(peer_address="127.0.0.1")
    return cast("Session", SimpleNamespace(**known, place=place, stop=threading.Event(), say=said.append))


@pytest.fixture
def peer(session: Session, server: Server) -> Ssh:
    return Ssh("node1", Path(f"/tmp/radoscope-{session.id}-osd0"), server.config)


def test_it_takes_another_port_where_one_is_taken_and_goes_without_a_trace(
    session: Session, peer: Ssh, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as taken, socket.socket() as free:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        free.bind(("127.0.0.1", 0))
        ports = [taken.getsockname()[1], free.getsockname()[1]]
        free.close()
        monkeypatch.setattr("random.sample", lambda among, tries: ports)
        prepared = iperf.start_iperf3(session, Prepared(), peer)
    assert prepared.iperf_port == ports[1]
    assert "bits_per_second" in call(("iperf3", "-c", "127.0.0.1", "-p", str(ports[1]), "-t", "1", "-J"), timeout_s=30)
    assert servers(session.id)
    assert peer.folder.is_dir(), "its mark, by which another host finds it"
    assert clean(session.journal, lambda words: None) == ()
    assert servers(session.id) == []
    assert not peer.folder.exists()


def test_it_ends_with_its_connection(session: Session, peer: Ssh) -> None:
    iperf.start_iperf3(session, Prepared(), peer)
    for pid in labelled_processes(session.id):
        if comm(pid) == "ssh":
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    deadline = time.monotonic() + 30
    while servers(session.id):
        assert time.monotonic() < deadline
        time.sleep(0.05)  # processes of another host tell nobody that they end
    assert clean(session.journal, lambda words: None) == ()
