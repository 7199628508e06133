"""A cluster whose hosts are not this one: what is measured of it from here, what is not, and from two client hosts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from radoscope import paths
from radoscope.archives.bundle import read_study
from radoscope.sandbox import Sandbox
from tests.on_ceph import GENTLE, WritePlan, json_of, nothing_is_left, radoscope
from tests.small_plans import SPREAD, gentle_plan
from tests.sshd import Server, folders

pytestmark = [pytest.mark.ceph, pytest.mark.slow]

CELLS = ("disk-*", "network-*", "rados-4k-write-*")


@pytest.mark.release
def test_loopback_and_this_hosts_disk_are_not_taken_for_the_clusters(lab: Sandbox, plan: WritePlan) -> None:
    """From the client host of the lab, with the way to it that a user has: a ceph.conf and a keyring."""
    cells = [word for pattern in CELLS for word in ("--cells", pattern)]
    words = ["study", "--conf", str(lab.conf), "--keyring", str(lab.keyring), "--plan", plan(GENTLE), *cells, "--json"]
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


@pytest.mark.release
def test_an_osd_host_that_ssh_reaches_is_watched_and_answers_iperf3(
    lab: Sandbox, plan: WritePlan, server: Server
) -> None:
    first, *others = [host for host in lab.hosts if "osd" in host.role]
    assert first.public_address
    server.move(first.public_address, first.wrap)
    words = ["study", "--conf", str(lab.conf), "--keyring", str(lab.keyring), "--plan", plan(GENTLE), "--json"]
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
    seen = {series.name for segment in study.segments_of("rados-4k-write-qd1") for series in segment.telemetry}
    assert "host_cpu.node1" in seen
    assert "tcp_resent.node1" in seen
    assert any(name.startswith("nic_sent_bytes.node1:") for name in seen)
    assert sorted(host.role for host in study.environment.hosts) == ["client", "osd"]
    assert any(link.host == "node1" for link in study.environment.links)
    assert folders(told["study"]) == []
    nothing_is_left(paths.home(), told["study"])


def test_two_client_hosts_of_a_sandbox_share_the_load_and_the_report_names_them(
    lab: Sandbox, lab_home: Path, plan: WritePlan, tmp_path: Path
) -> None:
    spread = plan(gentle_plan(*SPREAD, name="spread", rounds=1, seconds="2s", ramp="500ms"))
    check_refusals(spread)
    clients = ("--client", "client1", "--client", "client2")
    told = json_of("study", "--sandbox", "lab", *clients, "--plan", spread, "-o", str(tmp_path))
    check_cells(told)
    check_hosts(lab_home, told["study"])
    nothing_is_left(lab_home, told["study"])
    [markdown] = tmp_path.glob("*.md")
    assert "client1 and client2" in markdown.read_text()


def check_refusals(plan: str) -> None:
    for words, code, message in (
        (["--client", "client1", "--client", "client7"], 2, "no client host client7"),
        (["--client", "client1", "--client", "client1"], 2, "names client1 twice"),
        (["--client", "client1"], 2, "need 2 client hosts, but 1 given"),
        ([], 2, "need 2 client hosts, but none given"),
    ):
        refused = radoscope("study", "--sandbox", "lab", *words, "--plan", plan)
        assert refused.returncode == code, refused.stderr
        assert message in refused.stderr


def check_cells(told: dict[str, Any]) -> None:
    cells = {cell["cell"]: cell for cell in told["cells"]}
    spread = cells["rbd-4k-randwrite-qd1-n3-rate100-h2"]
    assert told["clients"] == ["client1", "client2"]
    assert [cell["client_hosts"] for cell in cells.values()] == [1, 2, 2]
    assert [words.split()[3].rpartition("-")[2] for words in spread["commands"]] == ["client1", "client2", "client1"]
    assert spread["iops"]["value"] == pytest.approx(sum(spread["per_client_iops"]))
    assert len(spread["per_client_iops"]) == 3
    assert spread["latency_p50_s"]["value"] > 0, "histograms of both hosts in one"
    assert spread["series"][0]["values"]
    assert cells["rados-4k-write-qd1-j2"]["iops"]["value"] > 0


def check_hosts(home: Path, study: str) -> None:
    """Both hosts' interfaces saw the load of the cell that was spread, one host's that of the other."""
    read = read_study(home / "studies" / study)
    of_one, of_both = "rbd-4k-randwrite-qd1-n3-rate100", "rbd-4k-randwrite-qd1-n3-rate100-h2"
    busy = {
        cell: {series.name.partition(".")[2].partition(":")[0] for series in read.segments_of(cell)[0].telemetry
               if series.name.startswith("nic_bytes.client") and max(series.values, default=0) > 10_000}
        for cell in (of_one, of_both)
    }  # fmt: skip
    assert busy == {of_one: {"client1"}, of_both: {"client1", "client2"}}
