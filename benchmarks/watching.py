"""What a browser that watches a study costs: the study's rates with and without one, interleaved, and CPU.

    python benchmarks/watching.py [--segments 120] [--sandbox NAME]

Starts `radoscope serve` and a study of two cells, and lets Chromium look at that study's page for a few
segments, then at an empty one, by turns in random order of two (ABBA or BAAB). A segment counts where the page did not
change while it ran. Where the browser runs on this host, as here, its own work is part of what the rates show.
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
from typing import Any

from playwright.sync_api import sync_playwright

from radoscope.run.journal import Journal
from radoscope.session.standing import read_lines
from radoscope.stats.interval import student_t

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


def watch(tab: Any, base: str, server: int, study: subprocess.Popen[bytes]) -> tuple[dict[Any, list[float]], list[Any]]:
    """(log rates by cell and whether a browser looked, of each turn whether it did and the shares of a core of server
    and browser)."""
    name = await_id(study)
    rates: dict[Any, list[float]] = defaultdict(list)
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
                    rates[line["cell"], looks].append(math.log(line["figure"]))
            if left == 0:
                now = (time.monotonic(), cpu_s(server), cpu_s(player))
                if turn:
                    seconds = now[0] - begun[0]
                    shares.append((looks, (now[1] - begun[1]) / seconds, (now[2] - begun[2]) / seconds))
                if not order:
                    order = coin.choice(([True, False, False, True], [False, True, True, False]))
                looks, left, turn = order.pop(), TURN, turn + 1
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


def tell(rates: dict[Any, list[float]], shares: list[Any]) -> None:
    print("| cell | watched / alone, 95 % | segments |\n|---|---|---|")
    for cell in sorted({cell for cell, _ in rates}):
        a, b = rates[cell, True], rates[cell, False]
        means = [sum(one) / len(one) for one in (a, b)]
        spreads = [
            sum((x - m) ** 2 for x in one) / (len(one) - 1) / len(one) for one, m in zip((a, b), means, strict=True)
        ]
        half = student_t(0.95, len(a) + len(b) - 2) * math.sqrt(sum(spreads))
        ratio = means[0] - means[1]
        ends = ", ".join(f"{math.exp(ratio + end):.3f}" for end in (-half, half))
        print(f"| {cell} | {math.exp(ratio):.3f} ({ends}) | {len(a)} + {len(b)} |")
    print("\n| CPU, share of a core | watched | alone |\n|---|---|---|")
    for at, who in ((1, "server"), (2, "Chromium")):
        mean = [
            sum(one[at] for one in shares if one[0] is looks) / max(1, sum(one[0] is looks for one in shares))
            for looks in (True, False)
        ]
        print(f"| {who} | {mean[0] * 100:.1f} % | {mean[1] * 100:.1f} % |")


if __name__ == "__main__":
    main()
