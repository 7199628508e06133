"""What a browser that watches a study costs: the study's rates with and without one, interleaved, and CPU.

    python benchmarks/watching.py [--segments 120] [--sandbox NAME]

Starts `radoscope serve` and a study of two cells, and lets Chromium look at that study's page for a few
segments, then at an empty one, by turns in random order of two (ABBA or BAAB); two neighbouring turns are a pair.
A segment counts where the page did not change while it ran. Where the browser runs on this host, as here, its own work
is part of what the rates show.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from playwright.sync_api import sync_playwright

from radoscope.run.journal import Journal
from radoscope.session.standing import read_lines
from radoscope.stats.special import student_t

TURN = 4
"""Segments in a turn; the first is discarded."""
PLAN = """
name = "watched"
seconds = "2s"
ramp = "500ms"
rounds = {rounds}
at_most = "1s"
precision = "10%"
image_size = "128MiB"
[[cells]]
layer = "rbd"
op = ["randread", "randwrite"]
block = "4K"
queue_depth = 1
"""


@contextmanager
def serving(home: Path) -> Iterator[tuple[str, int]]:
    """(the first address, the server's pid)."""
    argv = [sys.executable, "-m", "radoscope", "serve", "--port", "0"]
    with subprocess.Popen(
        argv, stdout=subprocess.PIPE, text=True, env={**os.environ, "RADOSCOPE_HOME": str(home)}
    ) as it:
        assert it.stdout is not None
        found = next(found for line in it.stdout if (found := re.search(r"http://\S+", line)))
        try:
            yield found[0], it.pid
        finally:
            it.send_signal(signal.SIGINT)


def cpu_s(pid: int) -> float:
    """Of a process and of all that it has started and that still run."""
    below: dict[int, list[int]] = defaultdict(list)
    spent: dict[int, float] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        below[int(fields[1])].append(int(stat.parent.name))
        spent[int(stat.parent.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    todo, total = [pid], 0.0
    while todo:
        one = todo.pop()
        total += spent.get(one, 0.0)
        todo += below[one]
    return total


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--segments", type=int, default=120)
    options.add_argument("--sandbox", help="one that is up; without, the study starts its own")
    asked = options.parse_args()
    home = Path(os.environ.get("RADOSCOPE_HOME") or tempfile.mkdtemp(prefix="watching-"))
    os.environ["RADOSCOPE_HOME"] = str(home)
    plan = home / "watched.toml"
    plan.write_text(PLAN.format(rounds=asked.segments // 2))
    where = ["--sandbox", asked.sandbox] if asked.sandbox else []
    with serving(home) as (first, server), sync_playwright() as player:
        browser = player.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        tab = browser.new_page()
        tab.goto(first)
        study = subprocess.Popen([sys.executable, "-m", "radoscope", "study", "--plan", str(plan), *where])
        try:
            measured = watch(tab, first.split("/?")[0], server, study)
        finally:
            if study.poll() is None:
                study.send_signal(signal.SIGINT)
            study.wait(300)
            browser.close()
    tell(*measured)


def watch(tab: Any, base: str, server: int, study: subprocess.Popen[bytes]) -> tuple[list[Any], list[Any]]:
    """Of each turn whether a browser looked, and (log rates by cell), (the shares of a core of server and browser)."""
    name = await_id(study)
    rates: list[tuple[bool, dict[str, list[float]]]] = []
    shares: list[Any] = []
    since, turn, left, looks, coin = 0, 0, 0, False, random.Random(15)
    player = next(pid for pid in children(os.getpid()) if pid not in (server, study.pid))
    begun = (time.monotonic(), cpu_s(server), cpu_s(player))
    order: list[bool] = []
    while study.poll() is None:
        lines, since = read_lines(Journal.of(name).events, since)
        for line in (one for one in lines if one["what"] == "ended"):
            if left > 0:
                left -= 1
                if left < TURN - 1 and line["figure"]:
                    rates[-1][1][line["cell"]].append(math.log(line["figure"]))
            if left == 0:
                now = (time.monotonic(), cpu_s(server), cpu_s(player))
                if turn:
                    seconds = now[0] - begun[0]
                    shares.append((looks, (now[1] - begun[1]) / seconds, (now[2] - begun[2]) / seconds))
                if not order:
                    order = coin.choice(([True, False, False, True], [False, True, True, False]))
                looks, left, turn = order.pop(), TURN, turn + 1
                rates.append((looks, defaultdict(list)))
                tab.goto(f"{base}/live/{name}" if looks else "about:blank")
                begun = (time.monotonic(), cpu_s(server), cpu_s(player))
        tab.wait_for_timeout(200)
    return rates, shares


def await_id(study: subprocess.Popen[bytes]) -> str:
    while study.poll() is None:
        for path in (Path(os.environ["RADOSCOPE_HOME"]) / "journal").glob("*.jsonl"):
            if Journal(path).owner() == study.pid and any(
                line["what"] == "ended" for line in read_lines(Journal(path).events)[0]
            ):
                return path.stem
        time.sleep(0.2)
    raise SystemExit("the study ended before its first segment")


def children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def tell(rates: list[tuple[bool, dict[str, list[float]]]], shares: list[Any]) -> None:
    """Turns by twos, a watched one and one that is not, side by side in time: a ratio each, and their mean."""
    print("| cell | watched / alone, 95 % | pairs |\n|---|---|---|")
    for cell in sorted({cell for _looks, turn in rates for cell in turn}):
        pairs = [sorted(two, key=lambda turn: turn[0]) for two in zip(rates[::2], rates[1::2], strict=False)]
        logs = [mean(b[cell]) - mean(a[cell]) for (_no, a), (_yes, b) in pairs if a.get(cell) and b.get(cell)]
        half = student_t(0.95, len(logs) - 1) * stdev(logs) / math.sqrt(len(logs))
        low, middle, high = (math.exp(mean(logs) + by) for by in (-half, 0.0, half))
        print(f"| {cell} | {middle:.3f} ({low:.3f} to {high:.3f}) | {len(logs)} |")
    print("\n| CPU, share of a core | watched | alone |\n|---|---|---|")
    for at, who in ((1, "server"), (2, "Chromium")):
        yes, no = (mean(one[at] for one in shares if one[0] is looks) for looks in (True, False))
        print(f"| {who} | {yes:.1%} | {no:.1%} |")


if __name__ == "__main__":
    main()
