"""Do sandboxes show the contrasts that were published? Ours with its interval beside theirs, as a Markdown table.

The last column but one says where this machine was the limit: how busy its processors were in either state.

    python benchmarks/published_shape.py                               # all of them; needs root
    python benchmarks/published_shape.py network-read --budget 4m

Each contrast is an experiment on a sandbox of its own (`radoscope ab`): one property is switched back and forth while
all else stays, in pairs of studies whose segments lie side by side, so that a drift of the machine meets both states.
"""

from __future__ import annotations

import argparse
import json
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from radoscope import paths

RADOSCOPE = (sys.executable, "-m", "radoscope")
NAME = "published-shape"
SHAPE = f"{shlex.join(RADOSCOPE)} sandbox shape {NAME} --no-measure"
# A third copy of what is there must be made before it is measured: one placement group after the other (Ceph's
# osd_max_backfills of 1) that takes a minute.
SIZE = 'ceph config set osd osd_max_backfills 16 && ceph osd pool set "$RADOSCOPE_POOL" size'
PLAN = """
name = "shape"
seconds = "2s"
ramp = "500ms"
image_size = "128MiB"
object_set = "128MiB"
[[cells]]
"""
SMALL_WRITE = 'layer = "rbd"\nop = "randwrite"\nblock = "4K"\nqueue_depth = 1\n'
LARGE = 'layer = "rados"\nop = "{op}"\nblock = "4M"\nqueue_depth = 16\n'
THREE = ("--hosts", "3", "--osds", "1")
TWO = ("--hosts", "2", "--osds", "1", "--size", "1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """sandbox: options of `sandbox up`. a, b: commands that bring about the two states. published: B/A elsewhere."""

    name: str
    question: str
    cell: str
    sandbox: tuple[str, ...]
    a: str
    b: str
    published: str


CONTRASTS = (
    Contrast(
        name="drive",
        question="the drive alone, 4K with fsync: consumer / PLP",
        cell='layer = "disk"\nop = "randwrite"\nblock = "4K"\nsync = "fsync"\n',
        sandbox=(*THREE, "--disk", "plp-sata"),
        a=f"{SHAPE} --disk plp-sata",
        b=f"{SHAPE} --disk consumer",
        published="0.066 (Samsung 980 / Intel S3500, seed 002); 0.019 (850 EVO / SM863, O_SYNC, seed 001)",
    ),
    Contrast(
        name="disk",
        question="4K QD1 write: consumer / PLP",
        cell=SMALL_WRITE,
        sandbox=(*THREE, "--disk", "plp-sata"),
        a=f"{SHAPE} --disk plp-sata",
        b=f"{SHAPE} --disk consumer",
        published="0.17 (232 / 1391 IOPS, two test beds, seeds 003 and 000)",
    ),
    Contrast(
        name="cache-plp",
        question="4K QD1 write, PLP drive: write cache off / on",
        cell=SMALL_WRITE,
        sandbox=(*THREE, "--disk", "plp-sata"),
        a=f"{SHAPE} --write-cache on",
        b=f"{SHAPE} --write-cache off",
        published="1.19 (1391 / 1165 IOPS, Intel S4500, seed 000)",
    ),
    Contrast(
        name="cache-consumer",
        question="4K QD1 write, consumer drive: write cache off / on",
        cell=SMALL_WRITE,
        sandbox=(*THREE, "--disk", "consumer"),
        a=f"{SHAPE} --write-cache on",
        b=f"{SHAPE} --write-cache off",
        published="-",
    ),
    Contrast(
        name="size",
        question="4K QD1 write: three copies / two",
        cell=SMALL_WRITE,
        sandbox=(*THREE, "--disk", "consumer"),
        a=f"{SIZE} 2",
        b=f"{SIZE} 3",
        published="0.91 (232 / 254 IOPS, three hosts / two OSDs of one, seed 003)",
    ),
    Contrast(
        name="size-large",
        question="4M QD16 write: three copies / two",
        cell=LARGE.format(op="write"),
        sandbox=(*THREE, "--disk", "plp-sata"),
        a=f"{SIZE} 2",
        b=f"{SIZE} 3",
        published="0.75 (296 / 397 MB/s, 1M QD8, three hosts / two OSDs of one, seed 003)",
    ),
    Contrast(
        name="network-read",
        question="4M QD16 read: 1G / 10G",
        cell=LARGE.format(op="read"),
        sandbox=(*TWO, "--network", "10G"),
        a=f"{SHAPE} --network 10G",
        b=f"{SHAPE} --network 1G",
        published="0.16 (168 / 1064 MiB/s, load from a host of the cluster, seed 001)",
    ),
    Contrast(
        name="network-write",
        question="4M QD16 write, one copy: 1G / 10G",
        cell=LARGE.format(op="write"),
        sandbox=(*TWO, "--network", "10G"),
        a=f"{SHAPE} --network 10G",
        b=f"{SHAPE} --network 1G",
        published="0.11 (91 / 798 MiB/s, three copies, seed 001)",
    ),
    Contrast(
        name="network-slow",
        question="4M QD16 write, three copies: 100M / 1G",
        cell=LARGE.format(op="write"),
        sandbox=(*THREE, "--network", "1G"),
        a=f"{SHAPE} --network 1G",
        b=f"{SHAPE} --network 100M",
        published="- (the links themselves: 0.10)",
    ),
)


def radoscope(*words: str) -> str:
    """Standard output; progress goes to standard error. Raises CalledProcessError."""
    return subprocess.run((*RADOSCOPE, *words), check=True, text=True, stdout=subprocess.PIPE).stdout


@contextmanager
def sandbox(options: Sequence[str]) -> Iterator[None]:
    """Started for one contrast, removed at its end."""
    radoscope("sandbox", "up", NAME, *options)
    try:
        yield
    finally:
        radoscope("sandbox", "down", NAME)


def measure(contrast: Contrast, budget: str) -> dict[str, Any]:
    """The experiment as `radoscope ab --json` tells it."""
    with tempfile.TemporaryDirectory() as folder, sandbox(contrast.sandbox):
        plan = Path(folder) / "shape.toml"
        plan.write_text(PLAN + contrast.cell)
        states = ("--a", contrast.a, "--b", contrast.b, "--plan", str(plan))
        how = ("--budget", budget, "--settle", "500ms", "--yes", "--json", "--quiet")
        found: dict[str, Any] = json.loads(radoscope("ab", "--sandbox", NAME, *states, *how))
        return found


def row(contrast: Contrast, found: dict[str, Any]) -> str:
    """One line of the table. The rate counts: the first figure of the only cell."""
    figure = found["comparison"]["cells"][0]["figures"][0]
    a, b = (rate_words(figure[side], large="4M" in contrast.question) for side in "ab")
    ours = f"{ratio_words(figure['ratio'])}, {figure['verdict']['is']}, {found['pairs']} pairs"
    busy = " / ".join(f"{host_cpu(found[side]):.0%}" for side in "ab")
    return f"| {contrast.question} | {a} | {b} | {ours} | {busy} | {contrast.published} |"


def host_cpu(study: str) -> float:
    """How busy this machine's processors were in a study's segments, 0 to 1: the mean of its telemetry."""
    files = (paths.studies() / study).glob("segments/*/*/telemetry.json")
    series = (line for file in files for line in json.loads(file.read_text())["series"] if line["name"] == "host_cpu")
    return statistics.fmean(value for line in series for value in line["values"])


def ratio_words(ratio: dict[str, Any]) -> str:
    if ratio["value"] is None:
        return f"no ratio: {ratio['undecided']}"
    return f"{ratio['value']:.2f} ({ratio['low']:.2f} to {ratio['high']:.2f})"


def rate_words(rate: dict[str, Any], *, large: bool) -> str:
    if rate["value"] is None:
        return "-"
    return f"{rate['value'] * 4:.0f} MiB/s" if large else f"{rate['value']:.0f} IOPS"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("contrasts", nargs="*", help=f"some of: {', '.join(each.name for each in CONTRASTS)}")
    parser.add_argument("--budget", default="3m", help="time for the pairs of one contrast")
    asked = parser.parse_args()
    chosen = [each for each in CONTRASTS if not asked.contrasts or each.name in asked.contrasts]
    print("| question | A | B | B / A, 95 % | processors busy, A / B | published B / A |\n|---|---|---|---|---|---|")
    for contrast in chosen:
        found = measure(contrast, asked.budget)
        if found["comparison"] is None:
            print(f"| {contrast.question} | - | - | {found['problem']} | - | {contrast.published} |", flush=True)
        else:
            print(row(contrast, found), flush=True)


if __name__ == "__main__":
    main()
