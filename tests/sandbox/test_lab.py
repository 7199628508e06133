"""A real cluster of three hosts in namespaces: shaped, broken, mended, grown, shrunk, and gone."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from radoscope import sandbox as sandboxes
from radoscope.errors import PlanError, SiteError
from radoscope.sandbox import Sandbox, SandboxSpec, achieved, filling, growing, network, registry
from radoscope.sandbox.achieved import reshape
from radoscope.sandbox.conf import ELECTION_S
from radoscope.sandbox.faults import inflict, start_missing
from radoscope.sandbox.processes import end_labelled, labelled_processes, run_tool
from radoscope.sandbox.shape import DISKS
from radoscope.sandbox.waiting import Deadline, wait_until
from tests.conftest import radoscope_home
from tests.on_ceph import radoscope

OPTION = "mon_election_timeout"

pytestmark = [
    pytest.mark.ceph,
    pytest.mark.skipif(os.geteuid() != 0, reason="hosts are network namespaces, which need root"),
]


def plain(verdict: str) -> str:
    """Without what may stand beside HEALTH_OK: modules that Debian's 18.2.7 never loads, heartbeats of minutes ago."""
    lasting = "MGR_MODULE_DEPENDENCY|OSD_SLOW_PING_TIME_(BACK|FRONT)"
    return re.sub(rf"HEALTH_OK but for ({lasting}|, )+, which slows nothing", "HEALTH_OK", verdict)


@pytest.mark.release
def test_three_monitors_are_in_quorum_and_a_second_manager_stands_by(lab: Sandbox) -> None:
    with lab.connected(timeout_s=30) as cluster:
        status = cluster.ask("status")
    assert sorted(status["quorum_names"]) == ["a", "b", "c"]
    assert len(lab.mgrs) == 2


@pytest.mark.release
def test_the_doctor_asks_from_within_the_sandboxs_network(lab: Sandbox) -> None:
    done = radoscope("doctor", "--sandbox", lab.name)
    assert done.stdout.splitlines()[-1] == "Ready: this host and the cluster.", done.stdout + done.stderr


def test_hosts_are_the_failure_domain(lab: Sandbox) -> None:
    with lab.connected(timeout_s=30) as cluster:
        tree = cluster.ask("osd tree")["nodes"]
        rule = cluster.ask("osd crush rule dump")[0]
    assert sorted(node["name"] for node in tree if node["type"] == "host") == ["h1", "h2", "h3"]
    assert any(step.get("type") == "host" for step in rule["steps"])


def test_nothing_of_it_is_in_this_machines_own_network(lab: Sandbox) -> None:
    own = run_tool(("ip", "-o", "addr"))
    assert "10.77." not in own
    assert lab.identity not in own


def test_what_was_asked_is_measured_and_kept_beside_it(lab: Sandbox) -> None:
    bandwidth, round_trip, write, flush, synchronous = achieved.load_shapes(lab)
    assert bandwidth.asked == 1e9
    assert bandwidth.achieved < 1.1e9
    assert 0 < round_trip.achieved < 1
    assert flush.asked == 1.7e-3
    assert flush.achieved >= 1.7e-3
    assert "fio" in flush.command
    assert write.asked is None
    assert synchronous.asked == 1.7e-3
    assert synchronous.achieved >= 1.7e-3


@pytest.mark.release
def test_a_killed_osd_is_marked_down_and_healing_brings_it_back(lab: Sandbox) -> None:
    assert inflict(lab, "kill-osd", "2").text == "osd.2 is killed and marked down"
    assert "osd.2" not in lab.pids()
    with pytest.raises(PlanError, match=r"osd\.2 does not run"):
        inflict(lab, "kill-osd", "2")
    steps: list[str] = []
    assert "osd.2" in inflict(lab, "heal", on_step=steps.append).text
    assert "osd.2" in lab.pids()
    assert steps[0] == "started again: osd.2"
    assert steps[1].startswith("not yet: OSD_DOWN: 1 osds down")


def test_an_osd_that_has_just_come_up_is_missed_as_well(lab: Sandbox) -> None:
    """The monitors may have told it alone that it is up: before its first heartbeat, nobody else would miss it."""
    with lab.connected(timeout_s=30) as cluster:
        before = cluster.ask("osd dump")["osds"][2]["up_from"]
        inflict(lab, "kill-osd", "2")
        start_missing(lab)

        def came_up() -> bool:
            osd = cluster.ask("osd dump")["osds"][2]
            return bool(osd["up"] and osd["up_from"] > before)  # a monitor that is behind calls it up as before

        wait_until(came_up, "osd.2 up", Deadline(60), every_s=0.005)
        assert inflict(lab, "kill-osd", "2").text == "osd.2 is killed and marked down"
        up_from = cluster.ask("osd dump")["osds"][2]["up_from"]
        assert all(cluster.ask_osd(other, "status")["newest_map"] >= up_from for other in (0, 1))


def test_an_osd_that_ends_while_healing_is_started_once_more(lab: Sandbox) -> None:
    """As one does that was marked down too often: it ends when its cable is back and it hears of it."""
    victims = ["osd.2"]

    def kill_it_once(told: str) -> None:
        if told.startswith("not yet") and victims:
            end_labelled(lab.label, victims.pop())

    inflict(lab, "kill-osd", "2")
    assert plain(inflict(lab, "heal", on_step=kill_it_once).text) == "HEALTH_OK; started again: osd.2"
    assert victims == []
    assert "osd.2" in lab.pids()


@pytest.mark.release
def test_without_one_monitor_the_others_go_on(lab: Sandbox) -> None:
    assert "others have a quorum" in inflict(lab, "stop-mon", "b").text
    assert plain(inflict(lab, "heal").text) == "HEALTH_OK; started again: mon.b"


def test_without_a_quorum_no_fault_waits_for_the_monitors(lab: Sandbox) -> None:
    inflict(lab, "stop-mon", "b")
    assert inflict(lab, "cut", "h3").text == "h3 is cut off; 1 of 3 monitors are no quorum, so everything waits"
    assert "no quorum" in inflict(lab, "kill-osd", "0").text
    inflict(lab, "heal")
    assert network.cut_hosts(lab) == ()
    assert set(lab.pids()) == set(lab.daemons)


def test_filling_ends_at_the_share_that_was_asked_for_and_healing_empties_it(lab: Sandbox) -> None:
    """Writing on until the OSDs tell that they are full would end them: BlueStore has no space to come back."""
    assert inflict(lab, "fill", "12%").text == "the cluster is 12% full"
    with pytest.raises(SiteError, match="would run out of space") as refusal:
        inflict(lab, "fill", "99%")
    assert "is possible" in refusal.value.hint
    inflict(lab, "heal")
    with lab.connected(timeout_s=30) as cluster:
        assert filling.POOL not in cluster.ask("osd pool ls")


def test_a_disk_becomes_slow_while_its_osd_runs(lab: Sandbox) -> None:
    before = lab.pids()["osd.1"]
    assert "at once" in inflict(lab, "slow-disk", "1").text
    assert lab.pids()["osd.1"] == before
    writes = 300
    with lab.connected(timeout_s=30) as cluster:  # 2 ms a write, one at a time: an OSD's own bench finds it
        benched = cluster.ask_osd(1, "bench", count=writes * 4096, size=4096, object_size=4 * 2**20, object_num=1)
    assert benched["elapsed_sec"] >= writes * 2e-3
    inflict(lab, "heal")


def test_a_host_that_is_cut_off_loses_its_osds_and_comes_back(lab: Sandbox) -> None:
    assert "h2 is cut off" in inflict(lab, "cut", "h2").text
    assert network.cut_hosts(lab) == ("h2",)
    inflict(lab, "heal")
    assert network.cut_hosts(lab) == ()


def test_after_the_start_monitors_give_an_election_its_usual_time(lab: Sandbox) -> None:
    with lab.connected(timeout_s=30) as cluster:

        def election_s(mon: str) -> float | None:
            with suppress(SiteError):  # a monitor that an earlier test's healing has just started may be unavailable
                return float(json.loads(cluster.tell("config get", to=f"mon.{mon}", var=OPTION))[OPTION])
            return None

        told = [wait_until(partial(election_s, mon.id), f"mon.{mon.id}'s answer", Deadline(60)) for mon in lab.mons]
    assert told == [float(ELECTION_S)] * 3


def test_links_and_disks_change_while_the_osds_run(lab: Sandbox) -> None:
    before = lab.pids()
    changed = reshape(lab, bits_per_s=2e8, write_cache=False)
    shapes = {shape.what.split(" on ")[0].split(" client")[0]: shape for shape in achieved.load_shapes(changed)}
    assert shapes["bandwidth"].asked == 2e8
    assert shapes["bandwidth"].achieved < 2.4e8
    assert shapes["4K write"].achieved >= 1.7e-3
    assert shapes["flush"].asked is None
    assert registry.load("lab") == changed
    restored = reshape(changed, bits_per_s=1e9, write_cache=True, measured=False)
    assert restored.spec == lab.spec
    assert achieved.load_shapes(restored) == ()
    assert restored.pids() == before


def test_a_modelled_disk_cannot_become_the_machines_own_while_it_runs(lab: Sandbox) -> None:
    with pytest.raises(PlanError, match="cannot switch between modelled disks"):
        reshape(lab, disk=DISKS["none"])
    assert registry.load("lab") == lab


@pytest.mark.release
def test_a_host_can_be_added_and_removed_again(lab: Sandbox) -> None:
    grown = growing.add_host(lab)
    assert [osd.host for osd in grown.osds] == ["h1", "h2", "h3", "h4"]
    with grown.connected(timeout_s=30) as cluster:
        assert cluster.ask("osd stat")["num_in_osds"] == 4
    for too_few_or_many in (0, 61):
        with pytest.raises(PlanError, match="cannot be added"):
            growing.add_host(grown, too_few_or_many)
    with pytest.raises(PlanError, match="has a monitor"):
        growing.remove_host(grown, "h3")
    shrunk = growing.remove_host(grown, "h4")
    assert shrunk == registry.load("lab")
    assert shrunk.layout == lab.layout
    with shrunk.connected(timeout_s=30) as cluster:
        assert cluster.ask("osd stat")["num_osds"] == 3


def test_faults_that_do_not_exist_are_refused(lab: Sandbox) -> None:
    for fault, on in (
        ("break", "1"),
        ("kill-osd", ""),
        ("kill-osd", "99"),
        ("stop-mon", "z"),
        ("cut", "h9"),
        ("heal", "1"),
    ):
        with pytest.raises(PlanError):
            inflict(lab, fault, on)


def test_a_load_generator_on_a_host_can_have_the_hosts_disk(lab: Sandbox) -> None:
    assert lab.on_disk(("fio",))[-1] == "fio"
    assert lab.on_disk(("fio",)) != ("fio",)


def test_an_interrupted_start_leaves_no_namespace(tmp_path: Path) -> None:
    identities: list[str] = []

    def interrupt(reached: str) -> None:
        if reached == "monitors started":
            identities.append(registry.entry("cut").sandbox.identity)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), radoscope_home(tmp_path):
        sandboxes.up(SandboxSpec(name="cut", hosts=3, osds=1), interrupt)
    assert not [name for name, _ in network.namespaces() if network.identity_of(name) in identities]
    assert not [found for found in labelled_processes() if found.label.identity in identities]
