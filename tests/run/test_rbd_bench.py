"""rbd bench, which is told how many bytes to move, measures for the time that was asked."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from radoscope.plan import Trial, cells_of, load_text
from radoscope.records.conditions import Conditions
from radoscope.run.engines import commands_for
from radoscope.run.prepared import Prepared

SETTING = Prepared(client_conf=Path("/w/ceph.conf"), user="client.radoscope-r1", pool="p", images=("i0", "i1"))

PRINTS = """#!/bin/bash
# Stands where rbd does: prints what it prints for so many bytes at a rate, and notes them.
while [ "$1" != --io-size ]; do shift; done
size=${2%B} total=${6%B}
echo $((total / size)) >>asked
echo "bench  type read io_size $size io_threads 1 bytes $total pattern random"
echo "elapsed: 1   ops: $((total / size))   ops/sec: $(bash ./rate $((total / size)))   bytes/sec: 1 MiB/s"
"""


def argvs(cell: str, seconds: float = 2.0) -> list[tuple[str, ...]]:
    [planned] = cells_of(load_text(f'name="x"\n[[cells]]\nlayer="rbd"\ntool="rbd-bench"\n{cell}\n', "x"))
    trial = Trial(cell=planned, round=1, seconds=seconds, ramp=0.5)
    return [command.argv for command in commands_for(trial, SETTING, Path("/out"))]


@pytest.mark.parametrize(
    ("op", "words"),
    [
        ("read", "--io-type read --io-pattern full-seq"),
        ("write", "--io-type write --io-pattern full-seq"),
        ("randread", "--io-type read --io-pattern rand"),
        ("randwrite", "--io-type write --io-pattern rand"),
    ],
)
def test_one_process_an_image_with_the_load_of_the_cell(op: str, words: str) -> None:
    first, second = argvs(f'op="{op}"\nblock="64K"\nqueue_depth=8\nimages=2')
    load = f"{words} --io-size 65536B --io-threads 8"
    assert " ".join(first).endswith(f"rbd -c /w/ceph.conf -n client.radoscope-r1 bench p/i0 {load}")
    assert " ".join(second).endswith(f"bench p/i1 {load}")


@pytest.mark.parametrize(
    ("rate", "most_runs"),
    [("echo 545.249", 4), ("echo 0.8", 1), ("echo 39000.5", 6), ("[ $1 -gt 100 ] && echo 2000.1 || echo inf", 5)],
)
def test_the_run_that_counts_takes_three_quarters_of_the_time_or_more(
    tmp_path: Path, rate: str, most_runs: int
) -> None:
    (tmp_path / "rbd").write_text(PRINTS)
    (tmp_path / "rbd").chmod(0o755)
    (tmp_path / "rate").write_text(rate)
    [argv] = argvs('op="randread"\nblock="4K"\nqueue_depth=1')
    done = subprocess.run(
        argv, cwd=tmp_path, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("elapsed:") == 1, "the runs before it are no results"
    counts = [int(line) for line in (tmp_path / "asked").read_text().split()]
    assert len(counts) <= most_runs
    final = float(done.stdout.split("ops/sec:")[1].split()[0])
    assert counts[-1] / final >= 0.75 * 2
    assert counts[-1] / final <= 2.5 or len(counts) == 1


def test_a_command_that_fails_is_not_begun_again(tmp_path: Path) -> None:
    (tmp_path / "rbd").write_text("#!/bin/bash\necho begun >>asked\necho 'rbd: error opening image' >&2\nexit 2\n")
    (tmp_path / "rbd").chmod(0o755)
    [argv] = argvs('op="randread"\nblock="4K"')
    done = subprocess.run(
        argv, cwd=tmp_path, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, capture_output=True, text=True, timeout=60
    )
    assert done.returncode != 0
    assert "error opening image" in done.stderr
    assert (tmp_path / "asked").read_text() == "begun\n"


def test_it_is_known_which_cells_it_cannot_do() -> None:
    from radoscope.plan.expand import by_rbd_bench

    def tool(cell: str) -> Conditions:
        [planned] = cells_of(load_text(f'name="x"\n[[cells]]\nblock="4K"\nop="randwrite"\n{cell}\n', "x"))
        return by_rbd_bench(planned).conditions

    assert tool('layer="rbd"\nqueue_depth=16').tool == "rbd-bench"
    for other in ('layer="rbd"\nsync="fsync"', 'layer="rbd"\nrate_iops=100', 'layer="rbd"\njobs=2', 'layer="qemu"'):
        assert tool(other).tool == "fio", other
