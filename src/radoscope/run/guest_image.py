"""What a guest boots: a kernel of this host, and an initial file system with fio, made of what this host has.

Nothing is downloaded or installed. Both need /dev and nothing else: no disk with a system, no network.
This file is also sent to hosts that the load comes from, and run there: Python's own modules alone, 3.9 and later.
"""

from __future__ import annotations

import lzma
import os
import re
import shutil
import subprocess
import sys
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

KERNEL_VARIABLE = "RADOSCOPE_GUEST_KERNEL"
"""Names a folder with boot/vmlinuz-VERSION and lib/modules/VERSION, where this host's own are not there."""

_DRIVERS = ("virtio_pci", "virtio_blk", "virtio_scsi", "sd_mod")
_HINT = (
    "In a container: apt-get download linux-image-cloud-amd64's kernel package, dpkg-deb -x it into a folder, "
    f"and set {KERNEL_VARIABLE} to that folder."
)
# Reads "run ID SLOT FIO-ARGUMENTS", "stop" or "ping" from the port, a line each. A load that is still there when the
# next one comes has lost its master. What the drive's cache holds is written before the result is told, so that it is
# not written in the time of the next cell.
_INIT = """\
#!/bin/sh
export PATH=/bin
/bin/busybox --install -s /bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
mkdir -p /dev/shm; mount -t tmpfs shm /dev/shm
for module in /lib/modules/*; do insmod "$module"; done
stty -F /dev/ttyS1 raw -echo
exec </dev/ttyS1 >/dev/ttyS1
load() {
  name=$1 slot=$2; shift 2
  device=$(find /sys/devices/pci0000:00/0000:00:$slot.0 -path '*/block/*' -prune | head -n 1)
  cd /tmp; rm -f said
  fio "$@" --filename="/dev/${device##*/}" --output=said --eta=never >wrong 2>&1 </dev/null; code=$?
  [ $code = 0 ] && fsync "/dev/${device##*/}"
  echo; echo "begin $name"; cat said; [ $code = 0 ] || cat wrong; echo; echo "end $name $code"
}
while read -r word rest; do
  case $word in
  ping) echo pong ;;
  stop) killall -INT fio 2>/dev/null ;;
  run) killall -KILL fio 2>/dev/null; load $rest & ;;
  esac
done
"""


class LacksPart(Exception):
    """A part of a guest that this host does not have. args: what, and what mends it."""


class Kernel(NamedTuple):
    """version: as `uname -r` of a guest says. modules: the folder of its modules."""

    version: str
    file: Path
    modules: Path


def find_kernel() -> Kernel:
    """The running kernel, else the newest that is installed. Raises LacksPart where there is none to read."""
    named = os.environ.get(KERNEL_VARIABLE)
    root = Path(named or "/")
    found = [kernel for file in sorted(root.glob("boot/vmlinuz-*"), key=_age) if (kernel := _kernel(root, file))]
    if not found:
        where = f"{KERNEL_VARIABLE}={named}" if named else "/boot and /lib/modules"
        raise LacksPart(f"a guest needs a kernel with its modules, and there is none in {where}", _HINT)
    kernel = next((one for one in found if one.version == os.uname().release), found[-1])
    if not os.access(kernel.file, os.R_OK):
        raise LacksPart(f"a guest needs a kernel, and this user may not read {kernel.file}", "Run it as root.")
    return kernel


def _age(file: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", file.name)]


def _kernel(root: Path, file: Path) -> Kernel | None:
    version = file.name.removeprefix("vmlinuz-")
    folders = (root / "lib/modules" / version, root / "usr/lib/modules" / version)
    return next((Kernel(version, file, folder) for folder in folders if folder.is_dir()), None)


def pack(kernel: Kernel, target: Path) -> None:
    """Write the initial file system to a file, about 90 MB. Raises LacksPart."""
    with target.open("wb") as archive:
        for number, (name, content) in enumerate(_contents(kernel), start=1):
            archive.write(_entry(number, name, content))
        archive.write(_entry(0, "TRAILER!!!", b""))


def _contents(kernel: Kernel) -> Iterator[tuple[str, bytes | None]]:
    """(name, what is in it; None for a folder). A folder comes before what is in it."""
    busybox = _read("busybox")
    files = {"init": _INIT.encode(), "bin/sh": busybox, "bin/busybox": busybox, "bin/fio": _read("fio")}
    for tool in ("busybox", "fio"):
        files |= {str(path).lstrip("/"): path.read_bytes() for path in _libraries(tool)}
    for number, (name, content) in enumerate(_modules(kernel).items()):
        files[f"lib/modules/{number:02}-{name}.ko"] = content
    folders = {str(parent) for name in files for parent in Path(name).parents if parent.name}
    for folder in sorted({*folders, "proc", "sys", "dev", "tmp"}):
        yield folder, None
    yield from files.items()


def _read(tool: str) -> bytes:
    found = shutil.which(tool)
    if found is None:
        raise _missing(tool)
    return Path(found).read_bytes()


def _libraries(tool: str) -> list[Path]:
    """What the loader maps for a program; none for a static one."""
    told = subprocess.run(("ldd", shutil.which(tool) or tool), capture_output=True, text=True, check=False)
    return [Path(word) for word in told.stdout.split() if word.startswith("/")]


def _modules(kernel: Kernel) -> Mapping[str, bytes]:
    """The drivers that are not built in, each after those that it needs, as its own header names them."""
    files = {path.name.partition(".ko")[0].replace("-", "_"): path for path in kernel.modules.rglob("*.ko*")}
    found: dict[str, bytes] = {}

    def add(name: str) -> None:
        if name in found or name not in files:
            return
        content = _unpacked(files[name])
        needs = re.search(rb"\0depends=([^\0]*)\0", content)
        for needed in needs[1].decode().split(",") if needs else ():
            add(needed.replace("-", "_"))
        found[name] = content

    for driver in _DRIVERS:
        add(driver)
    return found


def _unpacked(path: Path) -> bytes:
    if path.suffix == ".xz":
        return lzma.decompress(path.read_bytes())
    if path.suffix == ".gz":
        return zlib.decompress(path.read_bytes(), wbits=31)
    if path.suffix == ".zst":
        plain = path.read_bytes()
        return _zstd(path) if plain[:4] == b"\x28\xb5\x2f\xfd" else plain
    return path.read_bytes()


def _zstd(path: Path) -> bytes:
    try:
        return subprocess.run(("zstd", "-dcq", str(path)), capture_output=True, check=True).stdout
    except FileNotFoundError:
        raise _missing("zstd") from None
    except subprocess.CalledProcessError as failed:
        raise LacksPart(f"{path}: {failed.stderr.decode(errors='replace').strip()}", "") from None


def _missing(tool: str) -> LacksPart:
    return LacksPart(f"a guest needs {tool}, which is not installed", f"apt-get install {tool}")


def _entry(number: int, name: str, content: bytes | None) -> bytes:
    """One entry of a cpio archive of the form "newc". Source: cpio(5)."""
    mode = 0o040755 if content is None else 0o100755
    data, path = content or b"", name.encode() + b"\0"
    fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(path), 0)
    header = b"070701" + b"".join(b"%08X" % field for field in fields) + path
    return header + bytes(-len(header) % 4) + data + bytes(-len(data) % 4)


def main() -> None:
    """Pack into the file that is named, and print the kernel's version and file."""
    try:
        kernel = find_kernel()
        pack(kernel, Path(sys.argv[1]))
    except LacksPart as lack:
        sys.exit(" ".join(str(each) for each in lack.args).strip().replace("\n", " "))
    sys.stdout.write(f"{kernel.version} {kernel.file}\n")


if __name__ == "__main__":
    main()
