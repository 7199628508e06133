"""What is watched during the load: the names and units of its series, and of the OSDs' own counters.

Nothing else spells these names: `run` writes them, `archives` reads them back, rules ask for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Quantity:
    """One kind of sample. of: what each of its series is about, where there are several; that follows a dot."""

    name: str
    unit: str
    of: str = ""

    def about(self, thing: object) -> str:
        """The name of the series of one thing: "nic_bytes" -> "nic_bytes.eth0"."""
        return f"{self.name}.{thing}"

    def thing(self, series: str) -> str | None:
        """What a series of this quantity is about, "" where it is the only one; None for another quantity's."""
        if series == self.name:
            return ""
        return series.removeprefix(f"{self.name}.") if series.startswith(f"{self.name}.") else None


CLIENT_CPU = Quantity("client_cpu", "1", "client process")
"""CPU seconds a second, children included: 1 is one busy core."""
OSD_CPU = Quantity("osd_cpu", "1", "OSD")
HOST_CPU = Quantity("host_cpu", "1", "host, where it is not this one")
"""Busy share of all cores, 0 to 1."""
STRANGERS_CPU = Quantity("strangers_cpu", "1")
"""Busy cores of this machine that neither the load, nor the cluster's daemons on it, nor radoscope used."""
STEAL_CPU = Quantity("steal_cpu", "1")
"""Cores that the hypervisor gave to others while this machine wanted them."""
MEM_AVAILABLE = Quantity("mem_available_bytes", "bytes")
NIC_BYTES = Quantity("nic_bytes", "bytes/s", "interface, with its host before a colon where it is not this one")
"""Received and sent together."""
NIC_RECEIVED = Quantity("nic_received_bytes", "bytes/s", NIC_BYTES.of)
NIC_SENT = Quantity("nic_sent_bytes", "bytes/s", NIC_BYTES.of)
TCP_RESENT = Quantity("tcp_resent", "1/s", "host")
"""TCP segments that were sent again."""
TCP_NEEDLESS = Quantity("tcp_needless", "1/s", "host")
"""Of these, the ones that had arrived before, as their receivers said (duplicate SACK, RFC 2883): they were late, not
lost."""
OSD_CPU_WAIT = Quantity("osd_cpu_wait", "1", "OSD")
"""Seconds a second that its threads, all together, were ready to run and had no core: 1 is one thread that waits."""
OSD_CPUS = Quantity("osd_cpus", "1", "OSD")
"""CPU threads that its own threads may run on, all together (affinity, cpuset), where that is not all of its host's."""
OSD_CPU_THROTTLED = Quantity("osd_cpu_throttled", "1", "OSD")
"""Seconds a second that the limit of its control group (cpu.max, a container's CPU limit) kept it from its cores."""
CLIENT_CPU_WAIT = Quantity("client_cpu_wait", "1", "client process")
CLIENT_CPU_THROTTLED = Quantity("client_cpu_throttled", "1", "client process")
DISK_READS = Quantity("disk_read_ios", "1/s", "device, with its host before a colon where it is not this one")
DISK_WRITES = Quantity("disk_write_ios", "1/s", DISK_READS.of)

SLOW_OPS = Quantity("slow_ops", "1")
SCRUBBING_PGS = Quantity("scrubbing_pgs", "1")
PG_NOT_CLEAN = Quantity("pg_not_clean", "1")
RECOVERY_OPS = Quantity("recovery_ops", "1/s")

OTHERS_IN_FLIGHT = Quantity("others_in_flight", "1")
OTHERS_WAITING = Quantity("others_waiting_s", "s")

WHOLE = Quantity("whole", "1")
"""1 where the cluster was HEALTH_OK with every OSD up and every placement group active+clean."""
HEALTHY = Quantity("healthy", "1")
ANSWERED = Quantity("answered", "1")
OSDS_UP = Quantity("osds_up", "1")
DEGRADED_OBJECTS = Quantity("degraded_objects", "1")
MISPLACED_OBJECTS = Quantity("misplaced_objects", "1")
RECOVERING_BYTES = Quantity("recovering_bytes_per_s", "bytes/s")

QUANTITIES: Mapping[str, Quantity] = {one.name: one for one in tuple(globals().values()) if isinstance(one, Quantity)}


def as_series(name: str, points: Sequence[tuple[float, float]]) -> dict[str, Any]:
    """One series of a telemetry file, as JSON values. points: (Unix time, value).

    Raises KeyError for a name that is none of ours.
    """
    return {
        "name": name,
        "unit": QUANTITIES[name.partition(".")[0]].unit,
        "times_s": [time_s for time_s, _ in points],
        "values": [value for _, value in points],
    }


@dataclass(frozen=True, slots=True)
class Counter:
    """One performance counter of an OSD. section, fields: where `perf dump` has it, under any of these names; of
    threads that have a section each ("AsyncMessenger::Worker-0"), all of them together.

    is_time: an average over time (avgcount and sum); its change is the mean over the events in between, in seconds, and
    `events` names their number.
    """

    name: str
    section: str
    fields: tuple[str, ...]
    is_time: bool = False

    @property
    def events(self) -> str:
        return f"{self.name}.events"


def _count(name: str, section: str, *fields: str) -> Counter:
    return Counter(name, section, fields)


def _time(section: str, *fields: str) -> Counter:
    """Called as its first name: Ceph 16's."""
    return Counter(f"{section}.{fields[0]}_s", section, fields, is_time=True)


OP_R = _count("osd.op_r", "osd", "op_r")
OP_W = _count("osd.op_w", "osd", "op_w")
OP_RW = _count("osd.op_rw", "osd", "op_rw")
"""Operations that read and write in one: locks and headers of images, indexes of gateways."""
MAP_EPOCHS = _count("osd.map_epochs", "osd", "map_message_epochs")
"""Changes of the cluster's map that reached the OSD."""
OP_R_OUT_BYTES = _count("osd.op_r_out_bytes", "osd", "op_r_out_bytes")
OP_W_IN_BYTES = _count("osd.op_w_in_bytes", "osd", "op_w_in_bytes")
SUBOP_W_IN_BYTES = _count("osd.subop_w_in_bytes", "osd", "subop_w_in_bytes")
"""What other OSDs brought to be stored, in replicated pools; of erasure-coded ones nothing is counted."""
RECOVERED = _count("osd.recovery_ops", "osd", "recovery_ops")
MESSAGES = _count("messenger.received", "AsyncMessenger", "msgr_recv_messages")
"""Of clients, other OSDs, monitors and the manager, and each answer of these."""
# Ceph 16 has the prefix, 18 and 20 do not.
ONODE_HITS = _count("bluestore.onode_hits", "bluestore", "onode_hits", "bluestore_onode_hits")
ONODE_MISSES = _count("bluestore.onode_misses", "bluestore", "onode_misses", "bluestore_onode_misses")
BUFFER_HIT_BYTES = _count("bluestore.buffer_hit_bytes", "bluestore", "buffer_hit_bytes", "bluestore_buffer_hit_bytes")
BUFFER_MISS_BYTES = _count(
    "bluestore.buffer_miss_bytes", "bluestore", "buffer_miss_bytes", "bluestore_buffer_miss_bytes"
)
CLIENT_MESSAGES_REFUSED = _count("throttle.client_messages", "throttle-osd_client_messages", "get_or_fail_fail")
CLIENT_BYTES_REFUSED = _count("throttle.client_bytes", "throttle-osd_client_bytes", "get_or_fail_fail")
DISPATCH_REFUSED = _count("throttle.dispatch_client", "throttle-msgr_dispatch_throttler-client", "get_or_fail_fail")
REPLICAS_REFUSED = _count("throttle.dispatch_cluster", "throttle-msgr_dispatch_throttler-cluster", "get_or_fail_fail")
COMPRESSED = _count("bluestore.compress_success", "bluestore", "compress_success_count")
WRITE_BIG_BYTES = _count("bluestore.write_big_bytes", "bluestore", "bluestore_write_big_bytes", "write_big_bytes")
WRITE_BIG_BLOBS = _count("bluestore.write_big_blobs", "bluestore", "bluestore_write_big_blobs", "write_big_blobs")
WRITE_SMALL_BYTES = _count(
    "bluestore.write_small_bytes", "bluestore", "bluestore_write_small_bytes", "write_small_bytes"
)

OP_R_LATENCY = _time("osd", "op_r_latency")
OP_R_PROCESS_LATENCY = _time("osd", "op_r_process_latency")
OP_W_LATENCY = _time("osd", "op_w_latency")
OP_W_PROCESS_LATENCY = _time("osd", "op_w_process_latency")
OP_W_PREPARE_LATENCY = _time("osd", "op_w_prepare_latency")
OP_RW_LATENCY = _time("osd", "op_rw_latency")
OP_BEFORE_DEQUEUE = _time("osd", "op_before_dequeue_op_lat")
SUBOP_W_LATENCY = _time("osd", "subop_w_latency")
# 18 and 20 have a prefix here, 16 does not.
COMMIT_LAT = _time("bluestore", "commit_lat", "txc_commit_lat")
READ_LAT = _time("bluestore", "read_lat")
LIST_LAT = _time("bluestore", "clist_lat")
READ_WAIT_AIO_LAT = _time("bluestore", "read_wait_aio_lat")
READ_ONODE_META_LAT = _time("bluestore", "read_onode_meta_lat")
COMPRESS_LAT = _time("bluestore", "compress_lat")
KV_SYNC_LAT = _time("bluestore", "kv_sync_lat")
KV_FLUSH_LAT = _time("bluestore", "kv_flush_lat")
KV_COMMIT_LAT = _time("bluestore", "kv_commit_lat")
BLUESTORE_THROTTLE_WAIT = _time("throttle-bluestore_throttle_bytes", "wait")
DEFERRED_THROTTLE_WAIT = _time("throttle-bluestore_throttle_deferred_bytes", "wait")
SEND_WAIT = _time("AsyncMessenger", "msgr_send_messages_queue_lat")
"""What a message waits for its connection to take it. Ceph 18 and 20 count what a full line holds up, 16 does not."""

COUNTERS: tuple[Counter, ...] = tuple(one for one in tuple(globals().values()) if isinstance(one, Counter))


@dataclass(frozen=True, slots=True)
class SlowOp:
    """One of an OSD's slowest operations in a segment. replica: it is another OSD's write. at_s: Unix time.

    stretches: (name, seconds) of what it went through, in order; what the OSD calls a wait stands under that name.
    """

    osd: int
    replica: bool
    at_s: float
    seconds: float
    stretches: tuple[tuple[str, float], ...]
