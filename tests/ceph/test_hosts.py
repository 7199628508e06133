"""Which hosts the OSDs are on."""

from __future__ import annotations

from typing import Any

from radoscope.ceph.hosts import OsdHost, osd_hosts

METADATA: list[dict[str, Any]] = [
    {"id": 2, "hostname": "node2", "front_addr": "[v2:10.0.0.2:6808/20298,v1:10.0.0.2:6809/20298]"},
    {"id": 0, "hostname": "node1", "front_addr": "[v2:10.0.0.1:6802/11,v1:10.0.0.1:6803/11]"},
    {"id": 1, "hostname": "node1", "front_addr": "10.0.0.1:6810/12"},  # before msgr2
    {"id": 3, "hostname": "node3", "front_addr": "[v2:[fd00::3]:6808/7,v1:[fd00::3]:6809/7]"},
    {"id": 4},  # down since before the monitors started
]


def test_osds_are_grouped_by_host_with_its_public_address() -> None:
    assert osd_hosts(METADATA) == (
        OsdHost("node1", "10.0.0.1", (0, 1)),
        OsdHost("node2", "10.0.0.2", (2,)),
        OsdHost("node3", "fd00::3", (3,)),
    )


def test_a_host_is_here_where_its_address_is() -> None:
    assert OsdHost("this", "127.0.0.1", (0,)).is_here
    assert not OsdHost("documentation", "192.0.2.1", (0,)).is_here
