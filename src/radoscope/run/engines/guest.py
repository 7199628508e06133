"""The disk of a virtual machine: fio in a guest whose drives are RBD images. QEMU's command line, and that of the load.

One guest an image; it has a drive for each combination of bus, iothread and cache mode that is measured, so that all of
them are measured in turn in the same guest. What QEMU is given is what Proxmox VE gives it (qemu-server's
test/cfg2cmd/simple-rbd.conf.cmd, qm.conf(5)): virtio-scsi-single is a controller for each drive.
The load's words go into the guest through a second serial port, and fio's result comes back the same way: any kernel
has the driver, and nothing in the guest needs a network.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path

from radoscope.records.conditions import BUSES, CACHES, Conditions
from radoscope.run.prepared import Prepared

QEMU = f"qemu-system-{platform.machine()}"
MEMORY_MIB = 512
KVM, TCG = "kvm", "tcg"
"""QEMU's names: the processor's own virtualisation, and emulation, in which all that a guest does takes far longer."""

# Without erms and fsrm a kernel copies eight bytes at a time: with them one, which is fast in a processor alone.
_ACCELERATORS = {
    KVM: ("-accel", "kvm", "-cpu", "host"),
    TCG: ("-accel", "tcg,thread=multi", "-cpu", "max,-erms,-fsrm"),
}
# Level 6: a few lines, the first of them at once.
_KERNEL = "console=ttyS0 loglevel=6 panic=-1 rootfstype=ramfs"
_KERNELS = {KVM: _KERNEL, TCG: f"{_KERNEL} init_on_alloc=0"}
_SLOTS = {drive: slot for slot, drive in enumerate(product(BUSES, (True, False), CACHES), start=4)}

# argv: the port, and what the guest is told. All that comes before "begin ID" is of an earlier load.
_LOAD = """\
import os, signal, socket, sys, time
port, accelerator, output, slot, *fio = sys.argv[1:]
out = open(output, "w"); os.chdir(os.path.dirname(port))
s = socket.socket(socket.AF_UNIX); s.connect(os.path.basename(port)); name = "%d-%d" % (os.getpid(), time.time())
signal.signal(signal.SIGINT, lambda *_: s.sendall(b"stop\\n"))
s.sendall(" ".join(["run", name, slot, *fio]).encode() + b"\\n")
inside = False
for line in s.makefile(errors="replace"):
    if line.startswith("end " + name):
        code = int(line.split()[2]); text = out.name; out.close()
        if code: sys.stderr.write(open(text).read()[-2000:])
        sys.exit(code)
    if inside: out.write(line)
    inside = inside or line.strip() == "begin " + name
sys.exit("the guest has ended")
"""


def slot_of(asked: Conditions) -> int:
    """The PCI slot of the drive that a cell loads: the guest finds it there, whatever its kernel calls it."""
    return _SLOTS[asked.bus, asked.iothread, asked.cache]


def behind(job: Sequence[str], asked: Conditions, prepared: Prepared, number: int, output: Path) -> tuple[str, ...]:
    """The load's command line: fio with these arguments, in the guest of that number."""
    port = prepared.beside_conf(f"guest-{number}.port")
    words = (str(port), prepared.accelerator or KVM, str(output), f"{slot_of(asked):02x}")
    return ("python3", "-c", _LOAD, *words, *job, "--ioengine=libaio")


def start(
    prepared: Prepared, number: int, cells: Iterable[Conditions], accelerator: str, image: tuple[str, str]
) -> tuple[str, ...]:
    """QEMU's command line, to be run in the folder of the ceph.conf. image: the guest's kernel and initial file system.

    cells: those that are measured in it. Paths are relative, for that of a socket may have 107 bytes.
    """
    kernel, initrd = image
    drives = sorted({slot_of(asked): asked for asked in cells}.items())
    return (
        *(QEMU, "-name", f"radoscope-{number}", "-M", "q35", *_ACCELERATORS[accelerator]),
        *("-smp", "2" if accelerator == KVM else "1", "-m", str(MEMORY_MIB)),
        *("-nodefaults", "-no-user-config", "-no-reboot", "-display", "none"),
        *("-serial", f"file:guest-{number}.console"),
        *("-chardev", f"socket,id=port,path=guest-{number}.port,server=on,wait=off", "-serial", "chardev:port"),
        *("-kernel", kernel, "-initrd", initrd),
        *("-append", _KERNELS[accelerator]),
        *(word for slot, asked in drives for word in _drive(slot, asked, prepared, prepared.images[number])),
    )


def _drive(slot: int, asked: Conditions, prepared: Prepared, image: str) -> tuple[str, ...]:
    """As "cache=" is in QEMU's manual: none switches librbd's cache off; writethrough hides it from the guest."""
    direct = "on" if asked.cache == "none" else "off"
    kept = "off" if asked.cache == "writethrough" else "on"
    pool = prepared.pool.replace(",", ",,")  # as QEMU takes a comma
    who = f"pool={pool},image={image},conf=guest.conf,user={prepared.user_id}"
    thread = f",iothread=thread{slot}" if asked.iothread else ""
    device = f"drive=disk{slot},write-cache={kept}"
    attached: tuple[str, ...] = ("-device", f"virtio-blk-pci,addr={slot:#x}{thread},{device}")
    if asked.bus == "virtio-scsi-single":
        controller = ("-device", f"virtio-scsi-pci,id=bus{slot},addr={slot:#x}{thread}")
        attached = (*controller, "-device", f"scsi-hd,bus=bus{slot}.0,{device}")
    return (
        *(("-object", f"iothread,id=thread{slot}") if asked.iothread else ()),
        *("-blockdev", f"driver=rbd,node-name=disk{slot},{who},cache.direct={direct}", *attached),
    )
