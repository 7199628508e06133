"""Pools below the pool: which OSD is chosen, how many groups, what is named as ours."""

from __future__ import annotations

from typing import Any

import pytest

from radoscope.errors import SiteError
from radoscope.records.conditions import Conditions, Layer, Operation
from radoscope.records.study import Cell
from radoscope.run import pinned, preflight


class Answers:
    """A cluster that gives the answers it was made with."""

    def __init__(self, **answers: Any) -> None:
        self._answers = answers

    def ceph(self, *words: str, **_: Any) -> Any:
        return self._answers["_".join(words).replace("-", "_")]

    def ceph_text(self, *words: str, **_: Any) -> str:
        return str(self._answers["_".join(words[:2])])


def osd(number: int, kind: str = "ssd", status: str = "up") -> dict[str, Any]:
    return {"id": number, "name": f"osd.{number}", "type": "osd", "status": status, "device_class": kind}


def tree(*osds: dict[str, Any]) -> Any:
    """Two hosts: h2 is named first and has the last OSDs."""
    half = len(osds) // 2
    hosts = [
        {"id": -3, "name": "h2", "type": "host", "children": [one["id"] for one in osds[half:]]},
        {"id": -2, "name": "h1", "type": "host", "children": [one["id"] for one in osds[:half]]},
    ]
    root = {"id": -1, "name": "default", "type": "root", "children": [-2, -3]}
    return Answers(osd_tree={"nodes": [root, *hosts, *osds]})


def test_the_first_osd_that_is_up_of_the_first_host_is_chosen() -> None:
    found = pinned.choose(tree(osd(0, status="down"), osd(1), osd(2), osd(3)))
    assert (found.osd, found.host, found.root) == (1, "h1", "default")
    assert found.osds == {"osd": 1, "host": 1, "hosts": 3}


def test_only_osds_of_the_same_class_count() -> None:
    found = pinned.choose(tree(osd(0, "nvme"), osd(1, "hdd"), osd(2, "nvme"), osd(3, "hdd")))
    assert found.device_class == "nvme"
    assert found.osds == {"osd": 1, "host": 1, "hosts": 2}


def test_a_cluster_without_an_osd_that_is_up_is_refused() -> None:
    with pytest.raises(SiteError, match="no host"):
        pinned.choose(tree(osd(0, status="down"), osd(1, status="down")))


def test_the_balancer_leaves_the_groups_on_one_osd_where_they_are() -> None:
    found = pinned.choose(tree(*(osd(number) for number in range(12))))
    assert found.groups("osd") <= 5  # upmap_max_deviation
    assert found.groups("host") == 128
    assert found.groups("hosts") == 256


def test_the_kinds_come_from_below_to_above() -> None:
    asked = Conditions(layer=Layer.RADOS, tool="rados-bench", op=Operation.WRITE, block_bytes=4096)
    cells = [
        Cell(name=kind, title="", conditions=Conditions(layer=asked.layer, tool=asked.tool, op=asked.op, pinned=kind))
        for kind in ("hosts", "", "osd")
    ]
    assert pinned.kinds_of(cells) == ("osd", "hosts")


OPTION = "mon_allow_pool_size_one"
QUORUM = {"mons": [{"name": "a", "rank": 0}, {"name": "gone", "rank": 1}], "quorum": [0]}


@pytest.mark.parametrize(("in_database", "running"), [("true\n", "false"), ("false\n", "true")])
def test_single_copies_are_well_where_the_monitors_allow_them(in_database: str, running: str) -> None:
    told = {f"tell_mon.a_config_get_{OPTION}": {OPTION: running}}
    preflight.check_single_copies(Answers(mon_dump=QUORUM, config_get=in_database, **told))  # type: ignore[arg-type]


def test_single_copies_are_refused_where_they_are_not_and_the_hint_names_the_setting() -> None:
    told = {f"tell_mon.a_config_get_{OPTION}": {OPTION: "false"}}
    with pytest.raises(SiteError) as caught:
        preflight.check_single_copies(Answers(mon_dump=QUORUM, config_get="false", **told))  # type: ignore[arg-type]
    assert f"ceph config set mon {OPTION} true" in caught.value.hint
