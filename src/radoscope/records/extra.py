"""What a reader keeps of a result besides the fields common to all results: every key, its unit and its meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict, cast, get_args

Rate = Literal["iops_min", "iops_max", "iops_mean", "iops_stddev"]
RATES: tuple[Rate, ...] = get_args(Rate)
"""What fio says of its rate over intervals, in its order."""


Cpu = Literal["usr_cpu", "sys_cpu", "ctx"]
CPU: tuple[Cpu, ...] = get_args(Cpu)


class Extra(TypedDict, total=False):
    """A key is there when the tool or the text says so. None stands for damaged, and is as if it were missing.

    Rates of one run over its intervals: min, max, mean and standard deviation, beside the mean in `Result`.
    """

    # The run and its place
    jobname: str  # fio: the job's name
    group: int  # fio: the number of the reported group
    together_with: Sequence[str]  # fio: the other jobs of that group, which run at the same time
    label: str  # a table's words for the row, or the column that a rados bench stood in
    section: str  # the heading of the page above the result
    version: str  # of the tool, "3.33"
    hostname: str  # where fio's server ran
    host: str  # CBT: the client's host
    towards: str  # ping of a study: the host that was asked, one of several
    volume: int  # CBT: number of the RBD volume
    iteration: int  # CBT: number of the repeat
    device: str  # hdparm, bench-fio: the device or image that was measured; vm-drive: "scsi0"
    osd: int | None  # ceph tell osd.N bench: N
    finished_at_s: float  # fio: seconds since the Unix epoch

    # What was asked
    options: Mapping[str, str]  # fio: its options as given
    ioengine: str  # fio: its engine, of the heading
    protocol: str | None  # iperf3: "tcp" or "udp"
    direction: str  # iperf3 --bidir: "TX-C" or "RX-C"
    reverse: bool | None  # iperf3: the server sends
    payload_bytes: int  # ping: bytes in a packet
    test: str  # hdparm: "cached" or "buffered disk"; qperf: "tcp_bw", "tcp_lat", ...
    iflag: str  # dd: flags of its command line
    oflag: str
    conv: str

    # What limits the result
    error: int  # fio: its errno, 0 for none
    error_text: str  # fio: the same in words
    mixed: bool  # one direction of a mixed load, whose depth both share
    pattern_unknown: bool  # sequential or random: nothing in the text says which
    said: bool  # told in a sentence or a list; no output of a tool was seen
    one_way: bool  # qperf, sockperf: half of a round trip
    total_of_group: bool  # the line of `Run status group`, nothing finer was pasted
    unfinished: bool  # rados bench was cut off: its last interval
    derived: Sequence[str]  # names of fields that follow from others

    # Counts and bytes
    fsyncs_per_s: float  # pveperf
    seek_time_s: float  # pveperf: in seconds
    mean_depth: float  # vdbench: I/Os in flight
    bytes: float | None  # dd, hdparm, OSD bench: bytes moved
    io_bytes: int  # fio: bytes moved
    short_ios: float  # fio: I/Os that moved fewer bytes than asked
    drop_ios: float  # fio: I/Os that were dropped
    packets_tx: int  # ping
    packets_rx: int
    loss_pct: float | None  # ping: percent of packets
    lost: int | None  # iperf3: datagrams
    datagrams: int | None
    retransmits: int | None  # iperf3: TCP segments sent again
    jitter_s: float | None  # iperf3: of datagrams, in seconds

    # Rates over intervals
    iops_exact: float | None  # rados bench: I/Os over time; the tool prints whole numbers
    iops_min: float | None  # 1/s
    iops_max: float | None
    iops_mean: float | None
    iops_stddev: float | None
    bw_min: float  # fio: KiB/s, as it prints them
    bw_max: float
    bw_mean: float
    bw_dev: float
    bw_min_bytes_per_s: float | None
    bw_max_bytes_per_s: float | None
    bw_stddev_bytes_per_s: float | None
    bw_exact_bytes_per_s: float  # rbd bench: rate times block; the tool prints rounded MiB
    runtime_exact_s: float  # rbd bench: I/Os over rate; the tool prints whole seconds

    # The client's host
    usr_cpu: float  # fio: percent of one core, per process
    sys_cpu: float
    ctx: float  # fio: context switches
    majf: float  # fio: page faults
    minf: float
    elapsed: float  # fio: seconds since it started
    depths_percent: Mapping[str, float | None]  # fio: depth -> percent of I/Os submitted there
    disk_util: Mapping[str, float | None]  # fio: disk -> percent of the time busy

    # A drive, a cluster
    write_cache: str  # hdparm: "on" or "off"
    drive_options: Mapping[str, str]  # vm-drive: "cache" -> "writeback", ...
    controller: str  # vm-drive: scsihw, "virtio-scsi-single"
    health: str  # HEALTH_OK, ...
    health_checks: Sequence[str]  # its reasons, in Ceph's words
    mons: int
    osds: int
    osds_up: int
    osds_in: int
    hosts: int
    osd_commit_s: Mapping[str, float]  # ceph osd perf: "osd.3" -> seconds that a commit takes
    images: int  # rbd perf: that had I/O
    pools: int
    pgs: int
    objects: float
    size_bytes: float | None
    used_bytes: float | None
    avail_bytes: float | None
    use_pct: float  # percent of size_bytes
    client_rd_bytes_per_s: float
    client_wr_bytes_per_s: float
    client_rd_iops: float
    client_wr_iops: float


def known(extra: Extra) -> Extra:
    """Without keys that have the value None."""
    return cast(Extra, {key: value for key, value in extra.items() if value is not None})
