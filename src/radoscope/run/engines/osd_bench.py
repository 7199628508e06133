"""`ceph tell osd.N bench`: writes within one OSD, without network and replicas. Asked by an administrator.

The sizes of `words` are those with which an OSD measures itself at its first start for mClock (osd_bench in
src/osd/OSD.cc, and "OSD capacity determination" in Ceph's mClock reference): 12,288,000 bytes in 4 KiB writes to 100
objects of 4 MiB. A bench of as many bytes as one block is a single write to a new object, timed until it is committed.
"""

from __future__ import annotations

from pathlib import Path

from radoscope.plan.expand import Trial
from radoscope.run.prepared import LoadCommand, Prepared

TOOLS = ("osd-bench",)
BYTES, BLOCK_BYTES, OBJECT_BYTES, OBJECTS = 12_288_000, 4096, 4 * 2**20, 100
TIMEOUT_S = 180.0


def words(osd: int) -> tuple[str, ...]:
    """What is said to `ceph`."""
    return ("tell", f"osd.{osd}", "bench", str(BYTES), str(BLOCK_BYTES), str(OBJECT_BYTES), str(OBJECTS))


def commands(trial: Trial, prepared: Prepared, folder: Path) -> tuple[LoadCommand, ...]:
    """For people: a session asks each OSD so over its standing connection, again and again."""
    size = str(trial.cell.conditions.block_bytes)
    argv = ("ceph", "tell", "osd.*", "bench", size, size)
    return (LoadCommand(argv=argv, reader="osd_bench", name="osds", output="osds.out", timeout_s=TIMEOUT_S),)
