"""All readers; in a module of its own, for a study needs few of them, and this is 0.3 s of start-up time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from radoscope.formats.fio import json_report as fio_json
from radoscope.formats.fio import terse as fio_terse
from radoscope.formats.fio import text as fio_text
from radoscope.formats.tables import reader as tables
from radoscope.formats.told import reader as lists
from radoscope.formats.tools import (
    as_ssd,
    bench_sh,
    cdm,
    ceph_status,
    ceph_tables,
    dd,
    diskspd,
    drive_tests,
    elbencho,
    file_benches,
    hdparm,
    hdtune,
    hsbench,
    iometer,
    ioping,
    iops_script,
    ior,
    iperf3,
    kubernetes,
    minio_speedtest,
    nench,
    netperf,
    network_benches,
    osd_bench,
    perfkit,
    pg_test_fsync,
    ping,
    pveperf,
    rados_bench,
    rbd_bench,
    s3_benchmark,
    s3_load,
    s3bench,
    spdk_perf,
    sysbench,
    t_io_uring,
    vdbench,
    vm_drive,
    warp,
    weed_benchmark,
    yabs_network,
)
from radoscope.records.measurement import Result


class Reader(Protocol):
    """What a module of this folder offers to `archives`."""

    NAME: str

    def read(self, text: str) -> tuple[Result, ...]:
        """The results in the text, their lines counted from 1 in it. Raises nothing but UnreadableFile."""
        ...

    def find(self, lines: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Half-open ranges of lines, counted from 0, that hold blocks of this format; in one pass."""
        ...


TOOLS: tuple[Reader, ...] = (
    fio_json,
    fio_terse,
    fio_text,
    rados_bench,
    rbd_bench,
    osd_bench,
    cdm,
    iperf3,
    ping,
    dd,
    hdparm,
    ioping,
    iops_script,
    iometer,
    ceph_status,
    ceph_tables,
    sysbench,
    kubernetes,
    pveperf,
    diskspd,
    elbencho,
    warp,
    s3_load,
    s3bench,
    hdtune,
    hsbench,
    s3_benchmark,
    minio_speedtest,
    spdk_perf,
    t_io_uring,
    file_benches,
    drive_tests,
    as_ssd,
    ior,
    perfkit,
    pg_test_fsync,
    network_benches,
    netperf,
    vdbench,
    vm_drive,
    bench_sh,
    weed_benchmark,
    yabs_network,
    nench,
)
"""What tools print; the first that knows a line has it."""

WRITTEN: tuple[Reader, ...] = (tables, lists)
"""What people write. They see only what no tool knows."""


def may_hold(text: str, reader: Reader, letters: frozenset[str]) -> bool:
    """Whether the text has one of a reader's signs; any may hold the format of a reader that names none.

    letters: those of the text; a sign with another one need not be looked for in all of it.
    """
    signs: tuple[str, ...] = getattr(reader, "SIGNS", ())
    return not signs or any(letters.issuperset(sign) and sign in text for sign in signs)
