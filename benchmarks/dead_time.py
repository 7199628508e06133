"""What a segment loses beside the seconds that count, and whether rates stay those of plain long fio runs.

    python benchmarks/dead_time.py wall STUDY_FOLDER ...                    # of studies that were measured
    python benchmarks/dead_time.py bias CEPH_CONF POOL IMAGE [--pairs 20]   # on a cluster; reads an image full of data

bias: in random order, a plain fio of 10 s, and segments of 1 s whose fio waited ready, as a study runs and reads them,
with a ramp as short as a study makes it, or as --ramp says. Prints Markdown; docs/statistics-tables.md quotes it.
"""

from __future__ import annotations

import argparse
import math
import random
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from radoscope.archives.bundle import read_segment, read_study
from radoscope.kinds.rounds.loop import SHORTEST_RAMP_S
from radoscope.plan.expand import Trial
from radoscope.records.conditions import Conditions, Layer, Operation
from radoscope.records.manifest import ProcessEntry, SegmentEntry
from radoscope.records.study import Cell, Outcome
from radoscope.run.engines.fio import commands
from radoscope.run.prepared import Prepared
from radoscope.run.processes import Ahead, Placed, run_together
from radoscope.sites import Local
from radoscope.stats.ratio import ratio_of_pairs
from radoscope.stats.segments import measured_seconds, segment_iops
from radoscope.stats.values import Undecided

LONG_S, SHORT_S, SEGMENTS = 10.0, 1.0, 5
DEPTHS = (1, 16)


def wall(folders: Sequence[Path]) -> None:
    print("| study | segments | wall time of the measuring | of it in segments | counted |\n|---|---|---|---|---|")
    for folder in folders:
        study = read_study(folder)
        good = (one for one in study.segments if one.results)
        segments = sorted(good, key=lambda one: one.started_at_s)
        whole = segments[-1].started_at_s + segments[-1].seconds - segments[0].started_at_s
        within = math.fsum(one.seconds for one in segments) / whole
        counted = math.fsum(map(measured_seconds, segments)) / whole
        print(f"| {study.id} | {len(segments)} | {whole:.0f} s | {within:.0%} | {counted:.0%} |")


def rate(cell: Cell, prepared: Prepared, *, seconds: float, ramp: float, waits: bool) -> float:
    trial = Trial(cell=cell, round=1, seconds=seconds, ramp=ramp)
    with tempfile.TemporaryDirectory() as name:
        folder, stop = Path(name), threading.Event()
        placed = [Placed(command, Local()) for command in commands(trial, prepared, folder)]
        if waits:
            ahead = Ahead(placed, folder, "benchmark")
            ahead.await_ready(stop)
            ran = ahead.run(stop=stop, on_text=lambda client, text: None)
        else:
            ran = run_together(placed, folder=folder, label="benchmark", stop=stop, on_text=lambda client, text: None)
        assert ran.failed is None, (folder / "client-0.err").read_text()
        process = ProcessEntry(
            argv=placed[0].command.argv, reader="fio_json", output="client-0.json", stdout="", stderr=""
        )
        entry = SegmentEntry(
            cell=cell.name, round=1, outcome=Outcome.DONE, started_at_s=0.0, seconds=seconds, processes=(process,)
        )
        found = segment_iops(read_segment(folder, entry, cell))
        assert found is not None
        return found


def bias(prepared: Prepared, pairs: int, ramp: float) -> None:
    print("| cell | pairs | segments of 1 s over a plain run of 10 s |\n|---|---|---|")
    for depth in DEPTHS:
        asked = Conditions(layer=Layer.RBD, tool="fio", op=Operation.RANDREAD, block_bytes=4096, queue_depth=depth)
        cell = Cell(name=f"read-qd{depth}", title="", conditions=asked)
        long: list[float] = []
        short: list[float] = []
        for number in range(pairs):
            for kind in random.Random(number).sample(("long", "short"), 2):
                if kind == "long":
                    long.append(rate(cell, prepared, seconds=LONG_S, ramp=1.0, waits=False))
                else:
                    found = [rate(cell, prepared, seconds=SHORT_S, ramp=ramp, waits=True) for _ in range(SEGMENTS)]
                    short.append(math.fsum(found) / SEGMENTS)
        ratio = ratio_of_pairs(long, short)
        assert not isinstance(ratio, Undecided), ratio
        interval = ratio.interval
        print(
            f"| 4K random read, QD{depth} | {pairs} | {ratio.value:.3f} ({interval.low:.3f} to {interval.high:.3f}) |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="part", required=True)
    parts.add_parser("wall").add_argument("folders", nargs="+", type=Path)
    of_bias = parts.add_parser("bias")
    of_bias.add_argument("conf", type=Path)
    of_bias.add_argument("pool")
    of_bias.add_argument("image")
    of_bias.add_argument("--pairs", type=int, default=20)
    of_bias.add_argument("--ramp", type=float, default=SHORTEST_RAMP_S)
    chosen = parser.parse_args()
    if chosen.part == "wall":
        wall(chosen.folders)
    else:
        bias(
            Prepared(client_conf=chosen.conf, user="client.admin", pool=chosen.pool, images=(chosen.image,)),
            chosen.pairs,
            chosen.ramp,
        )


if __name__ == "__main__":
    main()
