"""Whose CPU it is: the load's, the kernel's, or others'."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from radoscope.errors import SiteError
from radoscope.plan import Trial, cells_of, load_text
from radoscope.run.engines import commands_for
from radoscope.run.host_watch import TICK_S
from radoscope.run.processes import Placed, Running, run_together
from radoscope.run.telemetry import Sources, Telemetry, _host_ticks, _ticks_of_groups, allowed_cpus
from radoscope.sites import Local
from tests.run.test_engines import SETTING


def children_of(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            yield child
            yield from children_of(child)


@pytest.mark.skipif(shutil.which("fio") is None, reason="no fio on this machine")
def test_what_fio_does_on_a_disk_is_in_its_process_group_and_counts_as_the_load_and_no_strangers_does(
    tmp_path: Path,
) -> None:
    prepared = replace(SETTING, file=tmp_path / "disk.dat", file_bytes=1 << 20)
    assert prepared.file is not None
    prepared.file.write_bytes(os.urandom(1 << 20))
    [cell] = cells_of(load_text('name="x"\n[[cells]]\nlayer="disk"\nop="randread"\nblock="4K"\nqueue_depth=32\n', "x"))
    trial = Trial(cell=cell, round=1, seconds=2.0, ramp=0.5)
    telemetry = Telemetry(Sources())
    group: list[int] = []
    outside: list[int] = []
    looks: list[int] = []

    def started(running: tuple[Running, ...]) -> None:
        group.append(running[0].group)
        telemetry.clients_started(running)

    def look(number: int, _text: str) -> None:
        looks.append(number)
        outside.extend(pid for pid in children_of(group[0]) if os.getpgid(pid) != group[0])

    placed = [Placed(command, Local()) for command in commands_for(trial, prepared, tmp_path)]
    stranger = subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
    try:
        telemetry.start()
        ran = run_together(placed, folder=tmp_path, label="x", stop=threading.Event(), on_text=look, on_start=started)
        series = {one["name"]: one["values"] for one in telemetry.stop()["series"]}
    finally:
        stranger.kill()
        stranger.wait()
    assert ran.exit_codes == (0,) and looks
    assert outside == [], "no signal would reach it, and its CPU would be taken for others'"
    assert max(series["client_cpu"]) > 0.02, "known from the first sample on: short segments have no other"
    assert series["strangers_cpu"][0] > 0.2, "though the clients came after sampling had begun"


def test_nobody_is_called_a_stranger_for_what_clients_used_that_have_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """As of a segment so short, or a host so busy, that its load ends before the first sample."""
    monkeypatch.setattr("radoscope.run.telemetry._PERIOD_S", 0.02)
    ended = subprocess.Popen(["true"], start_new_session=True)
    telemetry = Telemetry(Sources())
    telemetry.clients_started((Running(Local(), ended.pid, 0.0, 0.0),))
    ended.wait()
    telemetry.start()
    while not telemetry._series["host_cpu"]:
        pass
    assert "strangers_cpu" not in {one["name"] for one in telemetry.stop()["series"]}


def test_kernel_threads_are_told_from_processes() -> None:
    """They work for whoever does the I/O, and that is the load most of all."""
    stats = [path.read_text().rpartition(")")[2].split() for path in Path("/proc").glob("[0-9]*/stat")]
    at_work = any(int(fields[6]) & 0x00200000 and int(fields[12]) for fields in stats)
    used, kernel = _ticks_of_groups({os.getpgrp()})
    assert used[os.getpgrp()] > 0
    assert (kernel > 0) is at_work


def test_work_of_a_lower_priority_counts_as_work_of_others() -> None:
    """It takes its full share from a load in another session or control group."""
    burn = "import time; end = time.process_time() + 1\nwhile time.process_time() < end: pass"
    before = _host_ticks()
    subprocess.run(["nice", "-n", "19", sys.executable, "-c", burn], check=True, start_new_session=True)
    after = _host_ticks()
    busy, _idle, of_processes, _stolen = (now - earlier for now, earlier in zip(after, before, strict=True))
    second = 0.95 / TICK_S
    assert busy >= second
    assert of_processes >= second


def test_the_cpus_that_a_process_is_confined_to_are_counted() -> None:
    sleeping = subprocess.Popen(["sleep", "60"])
    try:
        here = os.sched_getaffinity(0)
        assert allowed_cpus(sleeping.pid) == len(here)
        os.sched_setaffinity(sleeping.pid, {min(here)})
        assert allowed_cpus(sleeping.pid) == 1
    finally:
        sleeping.kill()
        sleeping.wait()
    assert allowed_cpus(sleeping.pid) == 0


def test_osds_that_do_not_answer_at_the_end_are_asked_once() -> None:
    asked: list[str] = []

    def silent(_: int, command: str) -> None:
        asked.append(command)
        raise SiteError("no answer in time")

    telemetry = Telemetry(Sources(ask_osd=silent, osds=(0,)))
    telemetry.start()
    taken = telemetry.stop()
    assert asked == ["perf dump", "perf dump"]  # at the start, and at the end
    assert taken["slowest"] == taken["perf"]["after"] == {}
