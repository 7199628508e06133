"""`ceph tell osd.N bench`: 4 KiB writes within one OSD, without network and replicas. Asked by an administrator.

The sizes are those with which an OSD measures itself at its first start for mClock (osd_bench in src/osd/OSD.cc, and
"OSD capacity determination" in Ceph's mClock reference): 12,288,000 bytes in 4 KiB writes to 100 objects of 4 MiB.
"""

from __future__ import annotations

BYTES, BLOCK_BYTES, OBJECT_BYTES, OBJECTS = 12_288_000, 4096, 4 * 2**20, 100
TIMEOUT_S = 180.0


def words(osd: int) -> tuple[str, ...]:
    """What is said to `ceph`."""
    return ("tell", f"osd.{osd}", "bench", str(BYTES), str(BLOCK_BYTES), str(OBJECT_BYTES), str(OBJECTS))
