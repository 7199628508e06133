"""A file in CephFS, through ceph-fuse: one mount a client process, in a mount namespace of its own.

The mount is there for those that it was made for, and for nobody else on the host. With the last of them it is gone,
whatever ended them: nothing is left to be unmounted. An orderly end closes the session with the MDS as well; where the
MDS does not answer, it is not waited for.
Files are opened with O_DIRECT, which ceph-fuse hands on to its client library: reads and writes go past its cache to
the OSDs. The kernel sends one such I/O after the other for each thread, whatever fio's iodepth.
"""

from __future__ import annotations

from collections.abc import Sequence

from radoscope.run.prepared import Prepared

# $1: the ceph.conf of the load tools, $2: the user, $3: the folder in the file system, $4: the file, then the load.
_SCRIPT = """\
d=$(mktemp -d "${1%/*}/cephfs.XXXXXX") || exit 1
q=
unmounted() {
  umount -l "$d"
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    kill -0 "$q" || break
    sleep 0.1
  done
  kill -9 "$q"
  wait "$q"
}
trap '[ -z "$q" ] || unmounted 2>/dev/null; rmdir "$d"' EXIT
trap : INT TERM
ceph-fuse -f -c "$1" -n "$2" -r "$3" "$d" >&2 &
q=$!
until mountpoint -q "$d"; do kill -0 "$q" 2>/dev/null || { q=; exit 1; }; sleep 0.02; done
f=$d/$4
shift 4
"$@" "--filename=$f"
"""


def behind(argv: Sequence[str], prepared: Prepared, file: str) -> tuple[str, ...]:
    """fio's command line on a file of the run's folder."""
    script = ("unshare", "--mount", "sh", "-c", _SCRIPT, "radoscope-cephfs")
    return (*script, str(prepared.client_conf), prepared.user, prepared.folder, file, *argv)
