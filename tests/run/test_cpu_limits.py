"""How long the limit of a control group kept a process from its cores, as kernels of either version tell it."""

from __future__ import annotations

from pathlib import Path

import pytest

from radoscope.run.telemetry import throttled_s


@pytest.mark.parametrize(
    "line, stat, told",
    [
        ("0::/system.slice/osd", "nr_periods 90\nnr_throttled 8\nthrottled_usec 2500000\n", 2.5),
        ("4:cpu,cpuacct:/osd", "nr_periods 90\nnr_throttled 8\nthrottled_time 1500000000\n", 1.5),
        ("0::/system.slice/osd", "usage_usec 4\nnr_periods 0\nnr_throttled 0\nthrottled_usec 0\n", None),
        ("3:blkio:/osd", "nr_periods 90\nthrottled_time 1500000000\n", None),
    ],
)
def test_throttling_is_read_in_seconds(line: str, stat: str, told: float | None, tmp_path: Path) -> None:
    (tmp_path / "proc/7").mkdir(parents=True)
    (tmp_path / "proc/7/cgroup").write_text(f"12:pids:/\n{line}\n")
    for folder in ("sys/fs/cgroup/system.slice/osd", "sys/fs/cgroup/cpu/osd", "sys/fs/cgroup/blkio/osd"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "cpu.stat").write_text(stat)
    assert throttled_s(7, tmp_path) == told


def test_a_limit_of_a_group_around_its_own_holds_a_process_as_well(tmp_path: Path) -> None:
    """As CPUQuota of user.slice, in which every login is."""
    (tmp_path / "proc/7").mkdir(parents=True)
    (tmp_path / "proc/7/cgroup").write_text("0::/user.slice/session-3.scope\n")
    for folder, stat in (("", "usage_usec 9\n"), ("user.slice", "nr_periods 9\nthrottled_usec 700000\n")):
        (tmp_path / "sys/fs/cgroup" / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / "sys/fs/cgroup" / folder / "cpu.stat").write_text(stat)
    own = tmp_path / "sys/fs/cgroup/user.slice/session-3.scope/cpu.stat"
    own.parent.mkdir()
    own.write_text("nr_periods 0\nthrottled_usec 0\n")
    assert throttled_s(7, tmp_path) == 0.7
    own.write_text("nr_periods 4\nthrottled_usec 300000\n")
    assert throttled_s(7, tmp_path) == 1.0, "what grows now counts beside what has long been"
