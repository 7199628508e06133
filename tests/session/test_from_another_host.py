"""A cluster whose OSDs are on other hosts: what is measured of it from here, and what is not."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from radoscope import paths
from radoscope.archives.bundle import read_study
from radoscope.sandbox import Sandbox
from tests.on_ceph import TINY, WritePlan, nothing_is_left
from tests.sshd import Server, folders

pytestmark = [pytest.mark.ceph, pytest.mark.slow, pytest.mark.release]

CELLS = ("disk-*", "network-*", "rados-4k-write-*")


def test_loopback_and_this_hosts_disk_are_not_taken_for_the_clusters(lab: Sandbox, plan: WritePlan) -> None:
    """From the client host of the lab, with the way to it that a user has: a ceph.conf and a keyring."""
    cells = [word for pattern in CELLS for word in ("--cells", pattern)]
    words = ["study", "--conf", str(lab.conf), "--keyring", str(lab.keyring), "--plan", plan(TINY), *cells, "--json"]
    argv = lab.clients[0].wrap((sys.executable, "-m", "radoscope", *words))
    done = subprocess.run(argv, capture_output=True, text=True, timeout=240, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    assert "TCP throughput is not measured" in done.stderr
    told = json.loads(done.stdout)
    where = {cell["cell"]: cell["where"] for cell in told["cells"]}
    assert not any("iperf3" in name for name in where)
    addresses = {host.public_address for host in lab.hosts if "osd" in host.role}
    assert all(f"({address})" in where["network-ping"] for address in addresses), "each host, side by side"
    assert not any(name.startswith("disk") for name in where), "no file of this host"
    bench = next(cell for cell in told["cells"] if cell["layer"] == "osd")
    assert 0 < bench["latency_mean_s"]["value"] < 1
    assert bench["iops"]["value"] is None, "an OSD's own time for a write is no rate of the cluster"


def test_an_osd_host_that_ssh_reaches_is_watched_and_answers_iperf3(
    lab: Sandbox, plan: WritePlan, server: Server
) -> None:
    first, *others = [host for host in lab.hosts if "osd" in host.role]
    assert first.public_address
    server.move(first.public_address, first.wrap)
    words = ["study", "--conf", str(lab.conf), "--keyring", str(lab.keyring), "--plan", plan(TINY), "--json"]
    words += ["--cells", "network-*", "--cells", "rados-4k-write-*", "--ssh-config", str(server.config)]
    argv = lab.clients[0].wrap((sys.executable, "-m", "radoscope", *words, "--osd-host", "ssh:node1"))
    done = subprocess.run(argv, capture_output=True, text=True, timeout=400, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    assert f"links and disks of {', '.join(host.name for host in others)} are not seen" in done.stderr
    told = json.loads(done.stdout)
    cells = {cell["cell"]: cell for cell in told["cells"]}
    assert cells["network-iperf3"]["where"].endswith(f"and node1 ({first.public_address})"), "to that host alone"
    assert cells["network-iperf3"]["bandwidth_bytes_per_s"]["value"] > 1e6
    study = read_study(paths.studies() / told["study"])
    seen = {series.name for segment in study.segments_of("rados-4k-write-qd16") for series in segment.telemetry}
    assert "host_cpu.node1" in seen
    assert "tcp_resent.node1" in seen
    assert any(name.startswith("nic_sent_bytes.node1:") for name in seen)
    assert sorted(host.role for host in study.environment.hosts) == ["client", "osd"]
    assert any(link.host == "node1" for link in study.environment.links)
    assert folders(told["study"]) == []
    nothing_is_left(paths.home(), told["study"])
