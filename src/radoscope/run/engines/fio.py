"""fio on a file or device (libaio), on RBD images (librbd), on such images behind QEMU, and on files in CephFS: one
process an image or file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from radoscope.plan.expand import Trial
from radoscope.records.conditions import Conditions, Layer, Sync
from radoscope.run.engines import cephfs, guest, qemu
from radoscope.run.prepared import LoadCommand, Prepared

TOOLS = ("fio",)
_RATE = re.compile(r"\[(?:[a-z]=[^\]]*,)?[rwt]=([\d.]+)([kM]?) IOPS")
_SCALE = {"": 1.0, "k": 1e3, "M": 1e6}
# A tool that has not ended this long after it should have is taken for hung.
GRACE_S = 60.0


def commands(trial: Trial, prepared: Prepared, folder: Path) -> tuple[LoadCommand, ...]:
    asked, longest_s = trial.cell.conditions, trial.ramp + trial.seconds + GRACE_S
    waits = not (asked.layer.in_qemu or asked.layer is Layer.CEPHFS)
    return tuple(
        LoadCommand.of_client(
            number, argv, "fio_json", longest_s, "json", gate=_gate(f"client-{number}.ready") if waits else ()
        )
        for number, argv in enumerate(_commands(trial, asked, prepared, folder))
    )


def _commands(trial: Trial, asked: Conditions, prepared: Prepared, folder: Path) -> Iterator[tuple[str, ...]]:
    """One a client."""
    job = tuple(_job(trial))
    if asked.layer is Layer.DISK:
        disk = ("--ioengine=libaio", f"--filename={prepared.file}", f"--size={prepared.file_bytes}")
        yield ("fio", *job, *disk, *_threads(asked), *_output(folder, "client-0"))
        return
    if asked.layer is Layer.CEPHFS:
        mounted = ("--ioengine=psync", f"--size={prepared.files_bytes}")
        for number, file in enumerate(prepared.files[: asked.clients]):
            output = _output(folder, f"client-{number}")
            yield cephfs.behind(("fio", *job, *mounted, *_threads(asked), *output), prepared, file)
        return
    # One process an image and job: fio hangs with more than four rbd jobs in one process (axboe/fio#1778).
    images = [image for image in prepared.images[: asked.clients] for _ in range(asked.jobs)]
    for number, image in enumerate(images):
        output = _output(folder, f"client-{number}")
        if asked.layer is Layer.GUEST:
            yield guest.behind(
                (*job, "--output-format=json+"), asked, prepared, number, folder / f"client-{number}.json"
            )
        elif asked.layer is Layer.QEMU:
            yield qemu.behind(("fio", *job, *output), prepared, image, asked.cache)
        else:
            yield (*rbd_program(prepared), *job, *on_image(prepared, image), *output)


def _gate(ready: str) -> tuple[str, ...]:
    """fio runs this once its engine is set up; where the line does not come, it fails and fio measures nothing."""
    return (f"--exec_prerun=touch {ready}; read -r line",)


def rate_said(text: str) -> float | None:
    """I/Os a second, as fio's progress tells of the last second; for people who watch, no result comes from here."""
    found = _RATE.findall(text)
    return float(found[-1][0]) * _SCALE[found[-1][1]] if found else None


def fill_file(path: Path, size: int) -> tuple[str, ...]:
    """Write every byte of the test file: reads of holes never reach a disk."""
    return ("fio", "--name=fill", "--ioengine=libaio", f"--filename={path}", f"--size={size}", *_FILL)


def fill_image(prepared: Prepared, image: str) -> tuple[str, ...]:
    """Write every byte of an image: reads of what was never written do not reach an OSD's disk."""
    return (*rbd_program(prepared), "--name=fill", *on_image(prepared, image), *_FILL)


def fill_in_cephfs(prepared: Prepared, file: str) -> tuple[str, ...]:
    """Write every byte of a file in CephFS."""
    argv = ("fio", "--name=fill", "--ioengine=psync", f"--size={prepared.files_bytes}", *_FILL)
    return cephfs.behind(argv, prepared, file)


_FILL = (
    "--rw=write",
    "--bs=4M",
    "--iodepth=8",
    "--direct=1",
    "--refill_buffers",
    "--end_fsync=1",
    "--output-format=json",
)


def rbd_program(prepared: Prepared) -> tuple[str, ...]:
    # fio's rbd engine has no option for the configuration file; librados reads this variable.
    return ("env", f"CEPH_CONF={prepared.client_conf}", "fio")


def _job(trial: Trial) -> Iterator[str]:
    asked = trial.cell.conditions
    yield f"--name={trial.cell.name}"
    yield f"--rw={asked.op}"
    yield f"--bs={asked.block_bytes}"
    yield f"--iodepth={asked.queue_depth}"
    yield "--direct=1"
    yield "--time_based"
    yield f"--ramp_time={_milliseconds(trial.ramp)}"
    yield f"--runtime={_milliseconds(trial.seconds)}"
    yield "--norandommap"
    yield "--randrepeat=0"
    yield "--refill_buffers"
    if asked.sync is Sync.FSYNC:
        yield "--fsync=1"
    elif asked.sync is Sync.OSYNC:
        yield "--sync=1"
    if asked.rate_iops:
        # An open loop: arrivals do not wait for completions, so a stall shows in the latencies.
        yield f"--rate_iops={asked.rate_iops / (asked.clients * asked.jobs):.0f}"
        yield "--rate_process=poisson"


def _threads(asked: Conditions) -> tuple[str, ...]:
    """A job that is a process leaves fio's process group: its CPU would count as others', and no signal reach it."""
    return ("--thread", *((f"--numjobs={asked.jobs}", "--group_reporting") if asked.jobs > 1 else ()))


def on_image(prepared: Prepared, image: str) -> tuple[str, ...]:
    return ("--ioengine=rbd", f"--pool={prepared.pool}", f"--rbdname={image}", f"--clientname={prepared.user_id}")


def _output(folder: Path, name: str) -> tuple[str, ...]:
    return (
        f"--output={folder / name}.json",
        "--output-format=json+",
        f"--write_iops_log={folder / name}",
        "--log_avg_msec=500",
        "--log_unix_epoch=1",
        "--eta=always",
    )


def _milliseconds(seconds: float) -> str:
    return f"{round(seconds * 1000)}ms"
