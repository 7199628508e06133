"""Faults of hosts, monitors and clients while a study measures: each ends in bounded time with a clear word.

docs/safety.md has the table of what is seen, after how long, and what is left.
"""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from radoscope.ceph import Cluster
from radoscope.sandbox import Sandbox
from radoscope.sandbox.faults import inflict
from radoscope.sandbox.network import set_links
from radoscope.sandbox.waiting import Deadline, wait_until
from tests.on_ceph import ENDLESS, Start, WritePlan, nothing_is_left, radoscope, standing, succeed
from tests.session.struck import check_ended, is_kept, struck

pytestmark = [pytest.mark.ceph, pytest.mark.slow]

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="namespaces and mounts need root")


@pytest.fixture
def in_lab(lab: Sandbox) -> Cluster:
    """The lab as its client host reaches it."""
    return lab.ceph


@as_root
def test_a_host_that_is_cut_off_ends_the_study(
    lab: Sandbox, in_lab: Cluster, lab_home: Path, plan: WritePlan, start: Start
) -> None:
    before = standing(in_lab)
    ended = struck(start, lab_home, ("--sandbox", "lab", "--plan", plan(ENDLESS)), lambda: inflict(lab, "cut", "h3"))
    check_ended(ended, 90, "1 of 3 OSDs are down")
    is_kept(lab_home, ended.study)
    nothing_is_left(lab_home, ended.study)
    assert standing(in_lab) == before


@as_root
def test_a_connection_whose_monitor_is_cut_off_goes_on_with_another(lab: Sandbox, lab_home: Path) -> None:
    """Whichever of the three it has: a monitor that is cut off says nothing, and Ceph itself waits for it for 30 s.

    The leader's is the longest: the others take up to 15 s to do without it, and have no quorum meanwhile.
    """
    with lab.connected(timeout_s=60) as connection:

        def in_quorum() -> int:
            return len(connection.ask("status")["quorum_names"])

        for host in (host for host in lab.hosts if "osd" in host.role):  # each with a monitor
            set_links(lab, host, up=False)
            wait_until(lambda: in_quorum() >= 2, f"an answer without {host.name}", Deadline(28))
            set_links(lab, host, up=True)
            wait_until(lambda: in_quorum() == 3, "the quorum", Deadline(60))


@as_root
def test_a_lost_quorum_ends_the_study_and_clean_removes_the_rest_once_it_is_back(
    lab: Sandbox, in_lab: Cluster, lab_home: Path, plan: WritePlan, start: Start
) -> None:
    before = standing(in_lab)

    def stop_two() -> None:
        for name in "bc":
            inflict(lab, "stop-mon", name)

    ended = struck(start, lab_home, ("--sandbox", "lab", "--plan", plan(ENDLESS)), stop_two)
    check_ended(ended, 120, "the monitors do not answer", f"pool radoscope-{ended.study}", "radoscope clean")
    is_kept(lab_home, ended.study)
    begun = time.monotonic()
    assert radoscope("clean", ended.study, "--yes").returncode == 1
    assert time.monotonic() - begun < 60
    inflict(lab, "heal")
    succeed("clean", ended.study, "--yes")
    nothing_is_left(lab_home, ended.study)
    assert standing(in_lab) == before


@as_root
def test_a_client_that_is_cut_off_ends_the_study(
    lab: Sandbox, in_lab: Cluster, lab_home: Path, plan: WritePlan, start: Start
) -> None:
    ended = struck(
        start, lab_home, ("--sandbox", "lab", "--plan", plan(ENDLESS)), lambda: inflict(lab, "cut", "client1")
    )
    check_ended(ended, 90, "the monitors do not answer")
    is_kept(lab_home, ended.study)
    inflict(lab, "heal")
    assert radoscope("clean", ended.study, "--yes").returncode == 0
    nothing_is_left(lab_home, ended.study)


@as_root
def test_doctor_names_a_host_that_large_packets_do_not_reach(lab: Sandbox, lab_home: Path) -> None:
    """The client's own MTU is the larger one, so that the cluster goes on."""
    client = lab.clients[0]
    set_mtu = client.wrap(("ip", "link", "set", "pub0", "mtu"))
    before = radoscope("doctor", "--sandbox", "lab")
    assert "hosts of OSDs answer pings, of full MTU too: 3" in before.stdout, before.stdout
    subprocess.run((*set_mtu, "9000"), check=True)
    try:
        done = radoscope("doctor", "--sandbox", "lab")
    finally:
        subprocess.run((*set_mtu, "1500"), check=True)
    for host in (host for host in lab.hosts if "osd" in host.role):
        assert f"{host.name} ({host.public_address}) answers pings, but not those of 9,000 bytes" in done.stdout
