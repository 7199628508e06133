"""What OSDs and links say of themselves, as facts."""

from __future__ import annotations

from radoscope.archives.environment import environment_from

CAPTURES = {
    "ceph-status.json": {"fsid": "f", "osdmap": {}},
    "ceph-osd-tree.json": {"nodes": [{"type": "host", "name": "h1", "children": [0]}, {"type": "osd", "id": 0}]},
    "ceph-osd-df.json": {"nodes": [{"id": 0, "utilization": 42.0, "pgs": 96, "crush_weight": 2.0, "reweight": 0.5}]},
    "osd-config-diff.json": {"0": {"debug_osd": "20/20"}},
    "osd-network.json": {
        "0": {
            "entries": [
                {"to osd": 1, "interface": "back", "average": {"1min": 0.9}},
                {"to osd": 1, "interface": "front", "average": {"1min": 0.5}},
                {"to osd": 2, "interface": "front", "average": {"1min": 0}},
            ]
        }
    },
    "links.json": [
        {
            "host": "h1",
            "links": [{"ifname": "lo", "mtu": 65536}, {"ifname": "eth0", "mtu": 9000}, {"ifname": "eth1", "mtu": 1500}],
            "queues": [{"dev": "eth1", "kind": "tbf", "options": {"rate": 125_000_000}}],
            "speeds": {"eth0": "25000", "eth1": "10000"},
            "carrier_lost": {"eth0": "3", "eth1": "4"},
        },
        {"host": "gone", "error": "timed out"},
    ],
    "links-after.json": [{"host": "h1", "carrier_lost": {"eth0": "3", "eth1": "11"}}, {"host": "gone", "error": "?"}],
}


def test_an_osd_has_its_host_its_fill_its_options_and_its_peers_answer_times() -> None:
    cluster = environment_from(CAPTURES, "").cluster
    assert cluster is not None
    (osd,) = cluster.each_osd
    assert (osd.host, osd.used, osd.groups, osd.weight) == ("h1", 0.42, 96, 1.0)
    assert osd.options == {"debug_osd": "20/20"}
    assert osd.answers_s == {1: 0.0005}


def test_a_line_carries_what_its_device_or_its_queue_lets_through_whichever_is_less() -> None:
    links = environment_from(CAPTURES, "").links
    assert [(one.name, one.mtu, one.bits_per_s) for one in links] == [("eth0", 9000, 25e9), ("eth1", 1500, 1e9)]


def test_of_a_line_counts_how_often_it_went_away_during_the_study() -> None:
    assert [one.carrier_lost for one in environment_from(CAPTURES, "").links] == [0, 7]
    only_before = {name: text for name, text in CAPTURES.items() if name != "links-after.json"}
    assert [one.carrier_lost for one in environment_from(only_before, "").links] == [0, 0]


def test_in_mid_upgrade_the_version_is_that_of_most_osds_though_more_daemons_run_another() -> None:
    """As `ceph versions` of a cluster told whose monitor, manager and one OSD of three had been started as 18.2.7."""
    old = "ceph version 16.2.15 (618f440892089921c3e944a991122ddc44e60516) pacific (stable)"
    new = "ceph version 18.2.7 (6b0e988052ec84cf2d4a54ff9bbbc5e720b621ad) reef (stable)"
    versions = {"mon": {new: 1}, "mgr": {new: 1}, "osd": {old: 2, new: 1}, "overall": {old: 2, new: 3}}
    cluster = environment_from({**CAPTURES, "ceph-versions.json": versions}, "").cluster
    assert cluster is not None
    assert cluster.version == "16.2.15"
