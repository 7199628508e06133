"""Client hosts that a real sshd lets in: this machine under other names."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from radoscope.run.cleaning import labelled_processes

SSHD = Path("/usr/sbin/sshd")


@dataclass
class Server:
    """A real sshd on the loopback, with keys and configuration of its own. config: how to reach it as node1, node2."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None
    wrap: Callable[[tuple[str, ...]], Sequence[str]] = tuple
    address: str = "127.0.0.1"

    @property
    def config(self) -> Path:
        return self.folder / "config"

    def start(self) -> None:
        log = self.folder / "log"
        log.write_bytes(b"")
        if os.geteuid() == 0:
            # Where sshd locks up the part of it that has no rights. It stays: servers of other workers need it as well.
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
        argv = self.wrap((str(SSHD), "-D", "-e", "-f", str(self.folder / "sshd_config")))
        self.process = subprocess.Popen(argv, stderr=log.open("ab"))
        deadline = time.monotonic() + 30
        while f"Server listening on {self.address} port".encode() not in log.read_bytes():
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)

    def move(self, address: str, wrap: Callable[[tuple[str, ...]], Sequence[str]]) -> None:
        """To a network namespace, where it listens on that address."""
        self.stop()
        for file in (self.folder / "sshd_config", self.config, self.folder / "known"):
            file.write_text(file.read_text().replace(self.address, address))
        self.address, self.wrap = address, wrap
        self.start()

    def sessions(self) -> list[int]:
        """The processes of sshd that serve a connection."""
        assert self.process is not None
        return descendants(self.process.pid, "sshd")

    def cut(self) -> None:
        """kill -9 of every connection, as when a host is reset."""
        for pid in self.sessions():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def stop(self) -> None:
        """The host is gone: nobody listens, and no connection is left."""
        if self.process is not None:
            sessions = self.sessions()
            self.process.kill()
            self.process.wait()
            for pid in sessions:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self.process = None


def descendants(pid: int, name: str) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(pid), "-x", name], capture_output=True, text=True, check=False)
    children = [int(word) for word in found.stdout.split()]
    return children + [below for child in children for below in descendants(child, name)]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    if not SSHD.exists() or shutil.which("ssh") is None:
        pytest.skip("openssh-server is not installed")
    folder = tmp_path / "sshd"
    folder.mkdir()
    for key in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key], check=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (folder / "sshd_config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nPidFile none\nStrictModes no\nUsePAM no\n"
        f"AuthorizedKeysFile {folder}/user.pub\nPasswordAuthentication no\nAllowUsers {getpass.getuser()}\n"
        "PermitRootLogin yes\nMaxStartups 100\n"
    )
    # The default exchange of keys is slow, for it keeps secrets from computers to come: ten times the CPU of the rest.
    (folder / "config").write_text(
        f"Host node1 node2\n HostName 127.0.0.1\n Port {port}\n User {getpass.getuser()}\n IdentityFile {folder}/user\n"
        f" IdentitiesOnly yes\n KexAlgorithms curve25519-sha256\n UserKnownHostsFile {folder}/known\n"
        " GlobalKnownHostsFile /dev/null\n"
    )
    (folder / "known").write_text(f"[127.0.0.1]:{port} {(folder / 'host.pub').read_text()}")
    server = Server(folder, port)
    server.start()
    yield server
    server.stop()


def folders(study: str) -> list[Path]:
    return sorted(Path("/tmp").glob(f"radoscope-{study}*"))


def loads(study: str) -> list[int]:
    """The load tools that run on the client hosts."""
    return [pid for pid in labelled_processes(study) if comm(pid) in ("fio", "rados")]


def comm(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text().strip()
    return ""


def wait_for_load(study: str) -> None:
    deadline = time.monotonic() + 120
    while not loads(study):
        assert time.monotonic() < deadline
        time.sleep(0.02)  # processes tell nobody that they start
