"""A cluster whose OSDs are on other hosts: what is measured of it from here, and what is not."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from radoscope.sandbox import Sandbox
from tests.on_ceph import TINY, WritePlan

pytestmark = [pytest.mark.ceph, pytest.mark.slow]

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
