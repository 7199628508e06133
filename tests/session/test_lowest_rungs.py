"""What of the lowest layers is measured on a cluster of the user's, and what is said of the rest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from radoscope.plan import cells_of, load_text
from radoscope.records.conditions import Layer
from radoscope.records.study import Cell
from radoscope.session.place import Place
from radoscope.sites import Local
from radoscope.sites.ways import Way
from tests.small_plans import DISK, RBD, network, tiny_plan

USERS = Place(
    cluster=None,
    words="cluster of /etc/ceph/ceph.conf",
    client=Local(),
    peer=None,
    peer_address="",
    disk_folder=Path("/nowhere"),
    disk=None,
    clients=(Local(),),
    shared=True,
    ways=(Way(host="c2", address="10.0.0.2", mtu=1500, answers=True),),
    hosts_here=("c1",),
)


def cells_with(tool: str) -> tuple[Cell, ...]:
    return cells_of(load_text(tiny_plan(DISK, network(tool), RBD), "x"))


def measured(place: Place, tool: str = "ping") -> dict[str, str]:
    return {cell.name: cell.where for cell in place.measured(cells_with(tool))}


def test_without_a_folder_the_osds_are_asked_and_no_file_of_this_host_is_written() -> None:
    assert measured(USERS) == {
        "network-ping": "the network between this host and c2 (10.0.0.2); not to c1, where the load comes from",
        "rbd-4k-randwrite-qd1": "cluster of /etc/ceph/ceph.conf",
        "osd-4k-write-qd1": "the OSDs themselves, one after another",
    }


def test_a_folder_on_a_host_of_osds_is_the_disk_and_nobody_else_is_asked() -> None:
    named = replace(USERS, disk=Local(), disk_folder=Path("/srv/nvme"))
    assert measured(named)["disk-4k-randwrite-qd1-fsync"] == "a file on /srv/nvme"
    assert "osd-4k-write-qd1" not in measured(named)
    away = replace(named, osds_here=False)
    assert "no OSD of the cluster" in measured(away)["disk-4k-randwrite-qd1-fsync"]


@pytest.mark.parametrize("tool", ["iperf3", "jumbo-ping"])
def test_what_needs_a_server_or_larger_frames_is_left_out_with_its_reason(tool: str) -> None:
    assert f"network-{tool}" not in measured(USERS, tool)
    [cell] = (c for c in cells_with(tool) if c.name.endswith(tool))
    assert ("MTU towards c2 is 1500" if tool == "jumbo-ping" else "--osd-host ssh:[USER@]HOST") in USERS.why_not(cell)
    jumbo = replace(USERS, ways=(replace(USERS.ways[0], mtu=9000, large=True),))
    assert ("network-jumbo-ping" in measured(jumbo, tool)) == (tool == "jumbo-ping")


def test_no_host_to_ask_is_no_loopback() -> None:
    alone = replace(USERS, ways=(), no_ways="all OSDs are on the host that the load comes from")
    assert not any(name.startswith("network") for name in measured(alone))


def test_hosts_of_one_name_are_told_apart() -> None:
    two = replace(USERS, ways=(*USERS.ways, Way(host="c2", address="10.1.0.2")))
    assert dict(two.pinged) == {"c2 (10.0.0.2)": "10.0.0.2", "c2 (10.1.0.2)": "10.1.0.2"}


def test_the_layer_of_one_osd_is_no_load_on_a_pool() -> None:
    assert Layer.OSD.on_cluster
    assert not Layer.OSD.on_pool
    assert not Layer.OSD.on_image


def test_where_the_image_has_no_fio_rbd_bench_measures_what_it_can_and_that_is_said() -> None:
    fsync = 'layer = "rbd"\nop = "randwrite"\nblock = "4K"\nsync = "fsync"\n'
    cells = cells_of(load_text(tiny_plan(RBD, f"[[cells]]\n{fsync}"), "x"))
    bare = replace(USERS, lacks=frozenset({"fio"}), image="ceph:v18")
    [cell] = bare.measured(cells)
    assert (cell.name, cell.conditions.tool) == ("rbd-4k-randwrite-qd1", "rbd-bench")
    assert "rbd bench" in cell.title
    otherwise, left_out = sorted(bare.notes(cells), key=lambda note: "left out" in note)
    assert "RBD is measured with rbd bench" in otherwise
    assert "Cells of fio are left out: it is not in the image ceph:v18" in left_out
    assert USERS.notes(cells) == ()
    bare = replace(bare, lacks=frozenset({"fio", "rbd"}))
    assert bare.measured(cells) == ()
