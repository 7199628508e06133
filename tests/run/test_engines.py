"""Engines: the exact command line of each kind of cell."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from radoscope.plan import Trial, cells_of, load_text
from radoscope.records.conditions import Conditions
from radoscope.run.engines import commands_for, guest
from radoscope.run.prepared import Prepared

SETTING = Prepared(
    client_conf=Path("/w/ceph.conf"),
    user="client.radoscope-r1",
    pool="p",
    namespace="ns",
    images=("i0", "i1", "i2", "i3"),
    file_system="fs",
    folder="/volumes/r1",
    files=("file-0", "file-1"),
    files_bytes=2048,
    read_sets={4096: ("read-set-4096-0", "read-set-4096-1")},
    file=Path("/f.dat"),
    file_bytes=1024,
    peer_address="127.0.0.1",
    iperf_port=5201,
)


def commands(cell: str) -> list[str]:
    [planned] = cells_of(load_text(f'name="x"\n[[cells]]\n{cell}\n', "x"))
    trial = Trial(cell=planned, round=2, seconds=2.5, ramp=1.0)
    return [" ".join(command.argv) for command in commands_for(trial, SETTING, Path("/out"))]


def test_fsync_on_the_disk_is_the_test_that_tells_power_loss_protection() -> None:
    [argv] = commands('layer="disk"\nop="randwrite"\nblock="4K"\nsync="fsync"')
    assert argv == (
        "fio --name=disk-4k-randwrite-qd1-fsync --rw=randwrite --bs=4096 --iodepth=1 --direct=1 --time_based "
        "--ramp_time=1000ms --runtime=2500ms --norandommap --randrepeat=0 --refill_buffers --fsync=1 --ioengine=libaio "
        "--filename=/f.dat --size=1024 --thread --output=/out/client-0.json --output-format=json+ "
        "--write_iops_log=/out/client-0 --log_avg_msec=500 --log_unix_epoch=1 --eta=always"
    )


def test_n_images_are_n_processes() -> None:
    argvs = commands('layer="rbd"\nop="randwrite"\nblock="4K"\nimages=4')
    assert len(argvs) == 4
    assert [f"--rbdname=i{number}" in argv for number, argv in enumerate(argvs)] == [True] * 4
    assert all(argv.startswith("env CEPH_CONF=/w/ceph.conf fio ") for argv in argvs)
    assert all("--clientname=radoscope-r1 " in argv and "--direct=1" in argv for argv in argvs)


def test_rbd_jobs_are_processes_on_the_same_image_for_fio_hangs_with_many_in_one() -> None:
    argvs = commands('layer="rbd"\nop="randread"\nblock="4K"\njobs=3\nqueue_depth=32')
    assert len(argvs) == 3
    assert all("--rbdname=i0" in argv and "numjobs" not in argv for argv in argvs)


@pytest.mark.parametrize(
    ("cache", "direct", "through"),
    [("none", "on", ""), ("writeback", "off", ""), ("writethrough", "off", ",writethrough=on")],
)
def test_behind_qemu_the_image_is_opened_as_for_a_drive_of_that_cache_mode(
    cache: str, direct: str, through: str
) -> None:
    [argv] = commands(f'layer="qemu"\nop="randwrite"\nblock="4K"\ncache="{cache}"')
    opened = "driver=rbd,node-name=disk,pool=p,image=i0,conf=ceph.conf,user=radoscope-r1"
    exported = f"type=nbd,id=disk,node-name=disk,name=disk,writable=on{through}"
    assert (
        f" radoscope-qemu /w/ceph.conf {opened},cache.direct={direct} {exported} fio --name=qemu-4k-randwrite-qd1"
        in argv
    )
    assert "rbdname" not in argv and "ioengine=libaio" not in argv


def test_each_file_in_cephfs_has_a_mount_of_its_own_and_jobs_are_threads_on_it() -> None:
    argvs = commands('layer="cephfs"\nop="randwrite"\nblock="4K"\nimages=2\njobs=4')
    assert len(argvs) == 2
    for number, argv in enumerate(argvs):
        assert argv.startswith("unshare --mount sh -c ")
        assert f" radoscope-cephfs /w/ceph.conf client.radoscope-r1 /volumes/r1 file-{number} fio " in argv
        assert "--direct=1" in argv and "--ioengine=psync --size=2048 --thread --numjobs=4 --group_reporting" in argv


def test_the_load_over_s3_names_files_alone() -> None:
    argvs = commands('layer="s3"\nop="randread"\nblock="4K"\nqueue_depth=8\njobs=2')
    program = "python3 /w/s3-load.py /w/s3-GET-4096.json"
    assert argvs == [f"{program} /out/client-{number}.json 8 1 2.5 {number} 2" for number in (0, 1)]


def conditions(cell: str) -> list[Conditions]:
    return [one.conditions for one in cells_of(load_text(f'name="x"\n[[cells]]\nlayer="guest"\n{cell}\n', "x"))]


def test_in_a_guest_fio_gets_the_load_that_it_gets_elsewhere_and_its_guest_the_slot_of_the_drive() -> None:
    first, second = commands('layer="guest"\nop="randread"\nblock="4K"\nqueue_depth=32\nimages=2\nsync="none"')
    assert " /w/guest-0.port kvm /out/client-0.json 04 --name=guest-4k-randread-qd32-n2 --rw=randread" in first
    assert " /w/guest-1.port kvm /out/client-1.json 04 " in second
    assert first.endswith("--refill_buffers --output-format=json+ --ioengine=libaio")
    assert "rbdname" not in first


def test_a_guest_has_each_drive_once_as_proxmox_ve_attaches_it() -> None:
    cells = conditions('op=["randread","randwrite"]\nblock="4K"\ncache=["none","writethrough"]')
    argv = " ".join(guest.start(SETTING, 1, cells, "kvm", ("/k", "/i")))
    opened = "driver=rbd,node-name=disk4,pool=p,image=i1,conf=guest.conf,user=radoscope-r1,cache.direct=on"
    controller = "-device virtio-scsi-pci,id=bus4,addr=0x4,iothread=thread4"
    assert f"-object iothread,id=thread4 -blockdev {opened} {controller}" in argv
    assert "-device scsi-hd,bus=bus4.0,drive=disk4,write-cache=on" in argv
    assert "cache.direct=off" in argv and "drive=disk6,write-cache=off" in argv
    assert argv.count("-blockdev") == 2
    assert "-accel kvm" in argv and "-nic" not in argv and "key" not in argv


def test_virtio_blk_without_iothread_is_a_plain_device() -> None:
    [cell] = conditions('op="randread"\nblock="4K"\nbus="virtio-blk"\niothread=false')
    argv = " ".join(guest.start(SETTING, 0, [cell], "tcg", ("/k", "/i")))
    assert argv.endswith("-device virtio-blk-pci,addr=0xd,drive=disk13,write-cache=on")
    assert "iothread" not in argv and "-accel tcg" in argv


@pytest.mark.parametrize(
    ("op", "word"),
    [
        ("write", "bench 2 write -t 16 -b 4096 --run-name rados-4k-write-qd16-2-0"),
        ("read", "bench 2 seq -t 16 --run-name read-set-4096-0"),
        ("randread", "bench 2 rand -t 16 --run-name read-set-4096-0"),
    ],
)
def test_rados_bench_reads_back_only_what_was_written_for_it(op: str, word: str) -> None:
    [argv] = commands(f'layer="rados"\nop="{op}"\nblock="4K"\nqueue_depth=16')
    assert argv == f"rados -c /w/ceph.conf -n client.radoscope-r1 -p p -N ns {word}"


@pytest.mark.parametrize(("op", "name"), [("write", "rados-4k-write-qd1-j2-2"), ("read", "read-set-4096")])
def test_rados_bench_with_jobs_is_as_many_processes_each_with_objects_of_its_own(op: str, name: str) -> None:
    argvs = commands(f'layer="rados"\nop="{op}"\nblock="4K"\njobs=2')
    assert [argv.rpartition(" ")[2] for argv in argvs] == [f"{name}-0", f"{name}-1"]


def test_an_open_loop_shares_its_rate_among_the_images() -> None:
    argvs = commands('layer="rbd"\nop="randread"\nblock="4K"\nimages=4\nrate_iops=1000')
    assert all("--rate_iops=250 --rate_process=poisson" in argv for argv in argvs)


def test_the_network_cells() -> None:
    assert commands('layer="network"\ntool="iperf3"') == ["iperf3 -c 127.0.0.1 -p 5201 -t 2 -J"]
    assert commands('layer="network"\ntool="ping"') == ["ping -n -i 0.01 -c 200 -w 10 127.0.0.1"]
    assert commands('layer="network"\ntool="jumbo-ping"') == ["ping -n -i 0.01 -c 200 -w 10 -M do -s 8000 127.0.0.1"]


def test_no_key_is_ever_on_a_command_line() -> None:
    for cell in ('layer="rbd"\nop="write"\nblock="4K"', 'layer="rados"\nop="write"\nblock="4K"'):
        assert not any("--key" in argv or "keyring" in argv for argv in commands(cell))


def test_hosts_of_a_users_cluster_are_pinged_side_by_side_each_by_its_name() -> None:
    [planned] = cells_of(load_text('name="x"\n[[cells]]\nlayer="network"\ntool="ping"\n', "x"))
    there = replace(SETTING, osd_hosts=(("c2", "10.0.0.2"), ("c3", "fd00::3")))
    sent = commands_for(Trial(cell=planned, round=1, seconds=2.5, ramp=1.0), there, Path("/out"))
    assert [(command.towards, command.argv[-1]) for command in sent] == [("c2", "10.0.0.2"), ("c3", "fd00::3")]
    assert len({command.output for command in sent}) == 2


def test_an_osd_is_asked_for_a_single_write() -> None:
    assert commands('layer="osd"\nop="write"\nblock="4K"') == ["ceph tell osd.* bench 4096 4096"]


def test_objects_go_where_the_data_of_images_goes() -> None:
    asked = replace(SETTING, data_pool="ec").ceph_arguments()
    assert asked[asked.index("-p") + 1] == "ec"
