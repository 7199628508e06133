"""A cluster as Ceph's page on manual deployment has it made: none of the sandbox's code, settings or keys.

Source: docs.ceph.com, "Manual Deployment", with the loopback in place of hosts. Three OSDs on files, of two device
classes, cephx on, and everything else as the release has it.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from radoscope.ceph import Cluster
from radoscope.records import health

_WITHIN_S = 90.0
_CAPS = ("--cap", "mon", "allow *", "--cap", "osd", "allow *", "--cap", "mgr", "allow *")


@contextmanager
def cluster_by_hand(folder: Path) -> Iterator[Cluster]:
    """Make it, wait until it is healthy, and end its daemons."""
    made = _ByHand(folder)
    try:
        made.monitor()
        made.manager()
        for number, device_class in enumerate(("ssd", "ssd", "hdd")):
            made.osd(number, device_class)
        made.wait_until_healthy()
        yield made.cluster
    finally:
        made.end()


class _ByHand:
    def __init__(self, folder: Path) -> None:
        self.folder, self.fsid = folder, str(uuid.uuid4())
        self.conf, self.keyring = folder / "ceph.conf", folder / "ceph.client.admin.keyring"
        self.cluster = Cluster(conf=self.conf, keyring=self.keyring)
        self.running: list[subprocess.Popen[bytes]] = []
        self.addresses = "[v2:127.0.0.1:{},v1:127.0.0.1:{}]".format(*_free_ports(2))
        self.conf.write_text(
            f"[global]\nfsid = {self.fsid}\nmon initial members = hand\nmon host = {self.addresses}\n"
            "public network = 127.0.0.0/8\nms bind ipv6 = false\n"
            "auth cluster required = cephx\nauth service required = cephx\nauth client required = cephx\n"
            "osd pool default size = 3\nosd pool default min size = 2\nosd pool default pg num = 32\n"
            "osd crush chooseleaf type = 0\nosd memory target = 939524096\n"
            f"run dir = {folder}\nadmin socket = {folder}/$name.asok\nlog file = {folder}/$name.log\n"
            f"mon data = {folder}/$name\nmgr data = {folder}/$name\nosd data = {folder}/$name\n"
            f"keyring = {folder}/$name/keyring\ncrash dir = {folder}\n"
            "mon data avail warn = 1\nmon data avail crit = 0\n"
        )

    def monitor(self) -> None:
        secret, monmap, data = self.folder / "mon.keyring", self.folder / "monmap", self.folder / "mon.hand"
        self._run("ceph-authtool", "--create-keyring", secret, "--gen-key", "-n", "mon.", "--cap", "mon", "allow *")
        self._run("ceph-authtool", "--create-keyring", self.keyring, "--gen-key", "-n", "client.admin", *_CAPS)
        self._run("ceph-authtool", secret, "--import-keyring", self.keyring)
        self._run("monmaptool", "--create", "--addv", "hand", self.addresses, "--fsid", self.fsid, monmap)
        data.mkdir()
        self._run("ceph-mon", "--mkfs", "-i", "hand", "-c", self.conf, "--monmap", monmap, "--keyring", secret)
        (data / "keyring").write_text(secret.read_text())
        self._begin("ceph-mon", "hand")

    def manager(self) -> None:
        data = self.folder / "mgr.hand"
        data.mkdir()
        caps = ("mon", "allow profile mgr", "osd", "allow *", "mds", "allow *")
        (data / "keyring").write_text(self.cluster.ceph_text("auth", "get-or-create", "mgr.hand", *caps))
        self._begin("ceph-mgr", "hand")

    def osd(self, number: int, device_class: str) -> None:
        data, identity = self.folder / f"osd.{number}", str(uuid.uuid4())
        data.mkdir()
        key = self._run("ceph-authtool", "--gen-print-key").strip()
        secrets = self.folder / "secrets.json"
        secrets.write_text(json.dumps({"cephx_secret": key, "crush_device_class": device_class}))
        self._run("ceph", *self.cluster.arguments(), "osd", "new", identity, str(number), "-i", secrets)
        self._run("ceph-authtool", "--create-keyring", data / "keyring", "-n", f"osd.{number}", "--add-key", key)
        with (data / "block").open("wb") as device:
            device.truncate(8 * 2**30)
        named = ("-i", str(number), "-c", str(self.conf))
        self._run("ceph-osd", *named, "--mkfs", "--osd-uuid", identity)
        self._begin("ceph-osd", str(number))

    def wait_until_healthy(self) -> None:
        deadline = time.monotonic() + _WITHIN_S
        with self.cluster.connected() as asked:
            while (reasons := self._not_yet(asked.ceph("status"))) and time.monotonic() < deadline:
                time.sleep(0.2)  # the monitors tell nobody that they are healthy
        assert not reasons, reasons

    def _not_yet(self, status: dict[str, Any]) -> list[str]:
        reasons = [str(check) for check in health.amiss(status)]
        up = status["osdmap"]["num_up_osds"]
        if up < 3 or not status["mgrmap"].get("available") or not status["pgmap"].get("bytes_total"):
            reasons.append(f"{up} OSDs up")
        return reasons

    def end(self) -> None:
        for process in reversed(self.running):
            process.send_signal(signal.SIGKILL)
            process.wait(timeout=60)

    def _begin(self, program: str, name: str) -> None:
        with (self.folder / f"{program}.{name}.out").open("wb") as output:
            argv = [program, "-f", "-i", name, "-c", str(self.conf)]
            # In "/", as systemd starts it: Debian's 18.2.7 and 20.2.4 have a relative osd_class_dir.
            self.running.append(subprocess.Popen(argv, stdout=output, stderr=output, start_new_session=True, cwd="/"))

    def _run(self, *words: object) -> str:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("CEPH_")}
        argv = [str(word) for word in words]
        done = subprocess.run(argv, env=clean, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, (argv, done.stderr)
        return done.stdout


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(closing(socket.socket())) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
