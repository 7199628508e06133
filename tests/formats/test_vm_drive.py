"""`qm config` of Proxmox VE: the drives of a virtual machine, and what its configuration does to the numbers beside it.

The text is in the form that qm.conf(5) documents, with names and numbers of our own; no Proxmox VE was at hand.
"""

from __future__ import annotations

import pytest

from radoscope.archives.paste import read_page
from radoscope.explain import judge

CONFIG = """
root@pve2:~# qm config 104
agent: 1
boot: order=scsi0;ide2
cores: 4
ide2: none,media=cdrom
memory: 8192
name: app
net0: virtio=BC:24:11:0A:0B:0C,bridge=vmbr0
scsi0: ceph-vm:vm-104-disk-0,{options}size=64G
scsihw: {controller}
"""
FIO = """
app# fio --name=w --filename=/dev/sdb --rw={rw} --bs=4k --iodepth=32 --ioengine=libaio --direct=1 --runtime=60
w: (g=0): rw={rw}, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=32
fio-3.36
Starting 1 process

w: (groupid=0, jobs=1): err= 0: pid=811: Sat Mar 14 09:26:53 2026
  {word}: IOPS={iops}, BW={kib}KiB/s ({kb}kB/s)({mib}MiB/60001msec)
    clat (usec): min=310, max=99210, avg=5000.10, stdev=210.00
"""


def page(options: str, iops: int, rw: str = "randwrite", controller: str = "virtio-scsi-single") -> str:
    word = "write" if "write" in rw else "read"
    fio = FIO.format(rw=rw, word=word, iops=iops, kib=iops * 4, kb=round(iops * 4.096), mib=round(iops * 4 * 60 / 1024))
    return CONFIG.format(options=options, controller=controller) + fio


def rules(text: str) -> set[str]:
    return {finding.rule for finding in judge(read_page(text).results) if finding.rule.startswith("vm-")}


def test_each_disk_is_read_with_its_options_and_controller_and_a_cd_is_none() -> None:
    drives = [
        one for one in read_page(page("cache=none,iops_wr=300,iothread=1,", 300)).results if one.tool == "vm-drive"
    ]
    [drive] = drives
    assert drive.extra.get("device") == "scsi0" and drive.extra.get("controller") == "virtio-scsi-single"
    assert drive.extra.get("drive_options") == {"cache": "none", "iops_wr": "300", "iothread": "1", "size": "64G"}
    assert drive.iops is None and drive.bandwidth_bytes_per_s is None


@pytest.mark.parametrize(
    ("options", "iops", "rw"),
    [("iops_wr=300,", 301, "randwrite"), ("iops=500,", 496, "randread"), ("mbps=20,", 5118, "randwrite")],
)
def test_a_rate_at_its_limit_is_the_limits(options: str, iops: int, rw: str) -> None:
    text = page(f"iothread=1,{options}", iops, rw)
    first = judge(read_page(text).results)[0]
    assert first.rule == "vm-limit", first
    assert options.strip(",") in first.because[0]


@pytest.mark.parametrize(
    ("options", "iops", "rw"),
    [
        ("iops_wr=300,", 120, "randwrite"),
        ("iops_wr=300,", 900, "randwrite"),
        ("iops_wr=300,", 300, "randread"),
        ("iops_wr=many,", 300, "randwrite"),
        ("iops_wr_max=300,", 300, "randwrite"),
    ],
)
def test_a_rate_away_from_the_limit_or_of_the_other_direction_is_not(options: str, iops: int, rw: str) -> None:
    assert rules(page(f"iothread=1,{options}", iops, rw)) == set()


def test_a_cache_that_ignores_flushes_makes_writes_doubtful_and_reads_not() -> None:
    found = judge(read_page(page("cache=unsafe,iothread=1,", 9000)).results)
    assert [one.severity for one in found if one.rule == "vm-cache"] == ["doubtful"]
    assert rules(page("cache=unsafe,iothread=1,", 9000, "randread")) == set()


def test_an_iothread_needs_the_controller_for_it() -> None:
    assert rules(page("", 900)) == {"vm-bus"}
    assert rules(page("iothread=1,", 900, controller="virtio-scsi-pci")) == {"vm-bus"}
    assert rules(page("iothread=1,", 900)) == set()
