"""QEMU's block layer on an RBD image, without a guest: qemu-storage-daemon exports it by NBD to the load tool.

One daemon a segment: it starts in a fraction of a second, ends with its load tool, and so leaves nothing behind. Its
cache modes are those of "cache=" in QEMU's manual: none switches librbd's cache off, writeback on; writethrough flushes
after each write as well. librbd holds back with its cache until the first flush comes, which a guest's file system
sends soon and fio never: it is asked not to wait for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from radoscope.run.prepared import Prepared

# $1: the ceph.conf of the load tools, $2: the block device, $3: the export, then the load tool. Paths are relative, for
# that of a socket may have 107 bytes. The daemon writes its process number once the export is there.
_SCRIPT = """\
d=$(mktemp -d "${1%/*}/nbd.XXXXXX") && cd "$d" || exit 1
q=
trap '[ -z "$q" ] || { kill "$q"; wait "$q"; } 2>/dev/null; rm -rf "$d"' EXIT
trap : INT TERM
{ cat "$1"; echo 'rbd cache writethrough until flush = false'; } >ceph.conf || exit 1
qemu-storage-daemon --pidfile pid --blockdev "$2" --nbd-server addr.type=unix,addr.path=s --export "$3" >&2 &
q=$!
until [ -s pid ]; do kill -0 "$q" 2>/dev/null || exit 1; sleep 0.02; done
shift 3
"$@" --ioengine=nbd '--uri=nbd+unix:///disk?socket=s'
"""


def behind(argv: Sequence[str], prepared: Prepared, image: str, cache: str) -> tuple[str, ...]:
    """fio's command line on an image behind QEMU. cache: one of records.conditions.CACHES."""
    who = f"conf=ceph.conf,user={prepared.user_id}"
    direct = f"cache.direct={'on' if cache == 'none' else 'off'}"
    pool = prepared.pool.replace(",", ",,")  # as QEMU takes a comma
    device = f"driver=rbd,node-name=disk,pool={pool},image={image},{who},{direct}"
    through = ",writethrough=on" if cache == "writethrough" else ""
    export = f"type=nbd,id=disk,node-name=disk,name=disk,writable=on{through}"
    return ("sh", "-c", _SCRIPT, "radoscope-qemu", str(prepared.client_conf), device, export, *argv)
