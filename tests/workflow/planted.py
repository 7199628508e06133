"""A bundle as a study of somebody's cluster would leave it, full of names."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from radoscope.plan import cells_of, load
from radoscope.records.manifest import ProcessEntry, SegmentEntry
from radoscope.records.study import Outcome
from radoscope.run.bundle import Bundle, new_manifest
from tests.archives.example_outputs import RADOS

FIO = Path(__file__).parents[1] / "captures" / "fio" / "3.33" / "several_jobs" / "output.json"
FSID, OSD_UUID = "6c0a8f9e-3b1d-4a52-9f6e-0d2b7c41e5a8", "0f0c1a8b-77aa-4b1e-9d0c-5a5f2f3e4d6b"
SERIAL = "S6BCNX0T300017A"
_WORDS = """
    pve1 PVE1 pve2 acme loader7 gateway9 bob
    alice alice.smith rack-berlin customer-x myfs fast_ssds 10.10.1.12 fd00:10::12
    aa:bb:cc:dd:ee:ff 5000c500a1b2c3d4 cinder board.internal zfs=rpool/ROOT /home/ ops-team secret-project
"""
SECRETS = (*_WORDS.split(), FSID, OSD_UUID, SERIAL)
"""Each stands somewhere in the raw files; none may be left, in whatever case."""

NAMED_RADOS = RADOS.replace("  sec", "Object prefix: benchmark_data_pve1_5639\n  sec", 1)


def captures(host: str, pool: str) -> dict[str, Any]:
    """Answers of Ceph 18 on Proxmox, cut to what names somebody or is read."""
    addresses = {
        "addrvec": [{"type": "v2", "addr": "10.10.1.12:6800", "nonce": 9}, {"type": "v1", "addr": "[fd00:10::12]:6801"}]
    }
    osd = {
        "id": 0, "hostname": host, "device_ids": f"sda=Samsung_SSD_870_EVO_4TB_{SERIAL}", "devices": "sda",
        "device_paths": "sda=/dev/disk/by-path/pci-0000:3b:00.0-sas-0x5000c500a1b2c3d4",
        "osd_data": "/var/lib/ceph/osd/ceph-0", "bluestore_bdev_type": "ssd",
        "back_addr": "[v2:10.10.1.12:6802/9,v1:10.10.1.12:6803/9]", "default_device_class": "ssd",
    }  # fmt: skip
    return {
        "ceph-status.json": {
            "fsid": FSID,
            "health": {
                "status": "HEALTH_WARN",
                "checks": {"MON_DOWN": {"summary": {"message": f"1/2 mons down, quorum {host}"}}},
            },
            "quorum_names": [host, "a"],
            "monmap": {"num_mons": 2},
            "osdmap": {"num_osds": 1, "num_up_osds": 1, "num_in_osds": 1},
            "mgrmap": {"services": {"dashboard": f"https://{host}.acme.example:8443/"}},
            "servicemap": {"services": {"rgw": {"daemons": {"secret-project": {"addr": "10.10.1.12:0/5"}}}}},
            "fsmap": {"by_rank": [{"rank": 0, "name": "pve2", "status": "up:active"}]},
        },
        "ceph-osd-metadata.json": [osd],
        "ceph-osd-tree.json": {"nodes": [
            {"id": -1, "name": "default", "type": "root"}, {"id": -5, "name": "rack-berlin", "type": "rack"},
            {"id": -3, "name": host, "type": "host"}, {"id": -4, "name": "pve2", "type": "host"},
            {"id": 0, "name": "osd.0", "type": "osd", "device_class": "ssd"},
        ]},
        "ceph-osd-dump.json": {"fsid": FSID, "pools": [
            {"pool": 1, "pool_name": ".mgr", "size": 3, "crush_rule": 0, "application_metadata": {"mgr": {}}},
            {"pool": 2, "pool_name": pool, "size": 3, "min_size": 2, "pg_num": 128, "crush_rule": 1,
             "application_metadata": {"cephfs": {"data": "myfs"}}},
        ], "osds": [{"osd": 0, "uuid": OSD_UUID, "public_addrs": addresses}], "blocklist": {"10.10.1.12:0/77": "2026"}},
        "ceph-df.json": {"stats": {"total_bytes": 4000, "total_used_raw_bytes": 1000}, "pools": [{"name": pool}]},
        "ceph-crush-rules.json": [{"rule_id": 1, "rule_name": "fast_ssds"}],
        "ceph-versions.json": {"overall": {"ceph version 18.2.4 (e7ad) reef (stable)": 4}},
        "ceph-config-dump.json": [
            {"section": "mgr", "name": "mgr/telemetry/contact", "value": "ops-team of Acme"},
            {"section": "mgr", "name": f"mgr/dashboard/{host}/GRAFANA_API_URL", "value": "http://board.internal:3000"},
            {"section": "client.cinder", "name": "rbd_cache", "value": "false"},
            {"section": "osd", "name": "osd_mclock_profile", "value": "high_client_ops"},
            {"section": "osd", "name": "debug_osd", "value": "1/5", "mask": f"host:{host}"},
        ],
        "host.json": {"hostname": f"{host}.acme.example", "kernel": "6.8.12-4-pve",
                      "cmdline": "root=zfs=rpool/ROOT/pve-1 quiet", "meminfo": "MemTotal: 1024 kB",
                      "cpuinfo": "processor : 0\nmodel name : AMD EPYC 7302\n"},
        "host-loader7.json": {"hostname": "loader7", "kernel": "6.1.0", "cpuinfo": "", "meminfo": ""},
        "links.json": [{"host": "loader7", "links": [{"ifname": "enxaabbccddeeff", "mtu": 1500}], "speeds": {},
                        "carrier_lost": {"enxaabbccddeeff": "2"}}],
        "tools.json": {"fio": "fio-3.33", "ceph": "ceph version 18.2.4"},
        "device-disk-cells.json": {"path": "/home/alice/disk.bin", "used_for": "disk cells", "model": "Samsung SSD 870",
                                   "queue": {"rotational": "0"}},
    }  # fmt: skip


def plant(host: str = "pve1", pool: str = "customer-x") -> Bundle:
    """Write the bundle into the store of this RADOSCOPE_HOME."""
    plan = load("seed-004")
    manifest = new_manifest(
        "20260314-0926-seed", {**plan.model_dump(mode="json"), "pool": pool}, f"{host}: 1 OSD", 1e9, cells_of(plan)
    )
    bundle = Bundle.create(
        replace(
            manifest,
            clients=("here", "ssh:alice@loader7"),
            at="ssh:bob@gateway9",
            notes=("mail alice.smith@acme.example", "all OSDs are on gateway9"),
        )
    )
    for name, value in captures(host, pool).items():
        bundle.add_capture(name, json.dumps(value, indent=1))
    system = json.dumps({"start": {"system_info": "Linux PVE1 6.8.12"}, "mac": "aa:bb:cc:dd:ee:ff"})
    texts = {"rados_bench": NAMED_RADOS, "fio_json": "fio: looked up pve2\n" + FIO.read_text(), "iperf3": system}
    for number, (reader, text) in enumerate(texts.items()):
        _add(bundle, number, reader, text.replace("pve1", host))
    bundle.change(complete=True, said={"conf": "/home/alice/ceph.conf", "user": "client.cinder", "pool": pool})
    return bundle


def _add(bundle: Bundle, number: int, reader: str, text: str) -> None:
    folder = bundle.folder / "segments" / str(number)
    folder.mkdir(parents=True)
    output, errors = folder / "client-0.json", folder / "client-0.err"
    output.write_text(text)
    errors.write_bytes(b"\xff\xfe pve1: \xe4 no keyring in /home/alice/ceph/keyring\n")
    (folder / "lat.1.log").write_text("1000, 2012, 1, 4096\n")
    within = [str(path.relative_to(bundle.folder)) for path in (output, errors)]
    process = ProcessEntry(
        argv=("ssh", "alice@loader7", "fio"), reader=reader, output=within[0], stdout=within[0], stderr=within[1]
    )
    bundle.add_segment(
        SegmentEntry(
            cell=bundle.manifest.cells[0].name,
            round=number,
            outcome=Outcome.DONE,
            started_at_s=1e9,
            seconds=3.0,
            processes=(process,),
        )
    )
