"""fio's job files and command lines, and how they complete an output."""

from __future__ import annotations

import pytest

from radoscope.errors import UnreadableFile
from radoscope.formats.fio import job as fio_job
from radoscope.formats.fio import json_report as fio_json
from radoscope.formats.fio import terse as fio_terse
from radoscope.formats.fio import text as fio_text
from radoscope.records.conditions import Sync
from tests.formats.fio_captures import text_of

JOB_FILE = """\
Use this file:

[global]
ioengine=rbd
clientname=admin
; a comment
bs = 4k
group_reporting

[write-4m]
stonewall
rw=write
bs=4M
iodepth=16

[sync]
rw=randwrite
fsync=1
numjobs=2

and run it with: fio bench.ini
"""


def test_global_settings_hold_for_each_job_and_a_jobs_own_win() -> None:
    write, sync = fio_job.read_jobs(JOB_FILE)
    assert (write.name, write.load, write.block_bytes("write"), write.queue_depth) == ("write-4m", "write", 2**22, 16)
    assert (sync.block_bytes("write"), sync.queue_depth, sync.jobs, sync.grouped) == (4096, 1, 2, True)
    assert (write.first_line, write.last_line) == (10, 15)


def test_a_job_says_how_it_makes_writes_durable_and_at_which_rate_it_is_held() -> None:
    sync = fio_job.read_jobs(JOB_FILE)[1]
    assert (sync.load, sync.sync, sync.rate_iops) == ("randwrite", Sync.FSYNC, None)
    held = fio_job.AskedJob(name=None, options={"sync": "1", "rate_iops": "1k"})
    assert (held.sync, held.rate_iops) == (Sync.OSYNC, 1024)


@pytest.mark.parametrize(
    "command",
    [
        "fio --name=a --rw=randread --bs=4k --iodepth=32",
        "root@pve:~# fio -name=a -rw=randread -bs=4k -iodepth=32",
        "$ sudo fio --name a --rw randread --bs 4k --iodepth 32 | tee out.txt",
        "fio --name=a --rw='randread' --bs=\"4k\" --iodepth=32 > out 2>&1",
        "fio –name=a –rw=randread –bs=4k –iodepth=32",
        "fio --name=a \\\n  --rw=randread --bs=4k \\\n  --iodepth=32",
        "fio --name=a\n--rw=randread --bs=4k\n--iodepth=32",
        "time /usr/bin/fio --name=a --readwrite=randread --blocksize=4k --iodepth=32 # it isn't fast",
    ],
)
def test_a_command_line_is_read_as_people_post_it(command: str) -> None:
    (job,) = fio_job.read_jobs(command)
    assert (job.name, job.load, job.block_bytes("read"), job.queue_depth) == ("a", "randread", 4096, 32)
    assert list(fio_job.find(command.split("\n"))) == [(0, len(command.split("\n")))]


def test_each_name_on_a_command_line_begins_a_job() -> None:
    first, second = fio_job.read_jobs("fio --bs=8k --name=a --rw=read --name=b --rw=randwrite --iodepth=4")
    assert (first.load, first.queue_depth, first.block_bytes("read")) == ("read", 1, 8192)
    assert (second.load, second.queue_depth, second.block_bytes("write")) == ("randwrite", 4, 8192)


def test_sizes_of_each_direction_and_ranges() -> None:
    (job,) = fio_job.read_jobs("fio --name=a --rw=randrw --bs=4k,16k")
    assert (job.block_bytes("read"), job.block_bytes("write")) == (4096, 16384)
    (ranged,) = fio_job.read_jobs("fio --name=a --rw=randrw --bsrange=4k-16k")
    assert ranged.block_bytes("read") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fio is a nice tool -- really",
        "[global]\nfsid = 1234\nmon_host = 10.0.0.1\n\n[osd]\nosd_memory_target = 4G\n",
        "fio bench.ini",
        "apt install fio --yes",
    ],
)
def test_what_asks_for_no_load_is_no_job(text: str) -> None:
    with pytest.raises(UnreadableFile):
        fio_job.read_jobs(text)


def test_a_command_completes_a_terse_line_and_says_so() -> None:
    results = fio_terse.read(text_of("3.33/terse_v3", "output.txt"))
    jobs = fio_job.read_jobs("fio --name=mix --rw=randrw --bs=4k --iodepth=2")
    read, write = fio_job.fill(results, jobs)
    assert (read.op, read.block_bytes, read.queue_depth, read.jobs) == ("randread", 4096, 2, 1)
    assert (write.op, write.context) == ("randwrite", ("op", "block_bytes", "queue_depth", "jobs"))


def test_the_output_wins_where_a_command_says_something_else() -> None:
    for reader, file in ((fio_text, "output.txt"), (fio_json, "output.json")):
        results = reader.read(text_of("3.33/randread", file))
        jobs = fio_job.read_jobs("fio --name=rr --rw=write --bs=64k --iodepth=99 --numjobs=7")
        assert fio_job.fill(results, jobs) == results


def test_a_command_of_another_job_completes_nothing() -> None:
    results = fio_terse.read(text_of("3.33/terse_v3", "output.txt"))
    assert fio_job.fill(results, fio_job.read_jobs("fio --name=other --rw=randrw --bs=4k")) == results


def test_jobs_that_disagree_fill_only_that_on_which_they_agree() -> None:
    results = fio_text.read("  write: IOPS=57, BW=2297KiB/s (2352kB/s)(33.7MiB/15001msec)")
    jobs = fio_job.read_jobs("fio --iodepth=8 --name=a --rw=randwrite --bs=4k --name=b --rw=randwrite --bs=64k")
    (filled,) = fio_job.fill(results, jobs)
    assert (filled.op, filled.block_bytes, filled.queue_depth) == ("randwrite", None, 8)


def test_on_a_page_each_output_is_completed_from_the_command_above_it() -> None:
    lines = ["fio --rw=randwrite --bs=4k --iodepth=8", "write: IOPS=57, BW=2297KiB/s (2352kB/s)(33MiB/15001msec)", ""]
    later = ["Then the other disk:", "", "fio --rw=write --bs=1M --iodepth=2", "write: IOPS=61, BW=61MiB/s (64MB/s)"]
    text = "\n".join(lines + later)
    first, second = fio_job.fill_beside(fio_text.read(text), fio_job.read_jobs(text))
    assert (first.op, first.block_bytes, first.queue_depth) == ("randwrite", 4096, 8)
    assert (second.op, second.block_bytes, second.queue_depth) == ("write", 2**20, 2)


def test_the_only_command_above_is_that_of_another_name_if_all_else_is_the_same() -> None:
    command = "fio --name=disk --rw=randwrite --bs=8k --iodepth=16 --runtime=90 --numjobs=1"

    def output(name: str, iops: int, seconds: int = 90) -> str:
        rates = f"  write: IOPS={iops}, BW={iops * 8}KiB/s (1kB/s)(851MiB/{seconds}010msec)"
        return f"{name}: (groupid=0, jobs=1): err= 0: pid=4711: Mon Mar 12 10:02:11 2018\n{rates}\n"

    def ops(*outputs: str) -> list[str | None]:
        text = "\n".join([command, "", *outputs])
        return [each.op for each in fio_job.fill_beside(fio_text.read(text), fio_job.read_jobs(text))]

    assert ops(output("test", 1210)) == ["randwrite"]
    assert ops(output("test", 1210, 300)) == ["write"]
    assert ops(output("one", 1210), "", output("two", 1620)) == ["write", "write"]


def test_a_comment_behind_a_setting_is_no_part_of_it() -> None:
    (job,) = fio_job.read_jobs("[a]\nrw=randwrite # 随机写\nbs=4k ; size\niodepth=16\t#队列深度\n")
    assert (job.load, job.block_bytes("write"), job.queue_depth) == ("randwrite", 4096, 16)
