"""What `radoscope import` takes for ten megabytes of a text, kind by kind: CPU seconds and memory.

    python benchmarks/long_texts.py [KIND ...]

Each kind is read in a process of its own. What is behind the first 300,000 characters that no tool printed is listed
and not read, so that noise costs little; a text that is all tools' output is read to its end.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

SIZE = 10_000_000
CAPTURE = Path(__file__).parents[1] / "tests" / "captures" / "fio" / "3.33" / "slow" / "output.txt"
SENTENCE = "the cluster reads about 500 MB/s with 4k random writes and 1200 IOPS at 3 ms while it was slow on disk"
PRINTABLE = [*map(chr, range(32, 127)), "\t", "\n", "\r"]


def printable(own: random.Random) -> str:
    return "".join(own.choices(PRINTABLE, k=SIZE))


def prose(own: random.Random) -> str:
    return "\n".join(" ".join(own.choices(SENTENCE.split(), k=16)) for _ in range(SIZE // 75))


def rows(own: random.Random) -> str:
    head = "| test | bs | iops | MB/s |\n|---|---|---|---|\n"
    return head + "\n".join(
        f"| randread | 4k | {own.randrange(9**5)} | {own.randrange(500)} |" for _ in range(SIZE // 36)
    )


def fio(own: random.Random) -> str:
    return (report := CAPTURE.read_text()) * (SIZE // len(report))


def damaged_fio(own: random.Random) -> str:
    letters = list(fio(own))
    for at in own.choices(range(len(letters)), k=SIZE // 50):
        letters[at] = own.choice(PRINTABLE)
    return "".join(letters)


KINDS: dict[str, Callable[[random.Random], str]] = {
    each.__name__: each for each in (printable, prose, rows, fio, damaged_fio)
}


def measure(kind: str) -> str:
    from radoscope.archives import paste

    text = KINDS[kind](random.Random(1))
    started = time.process_time()
    page = paste.read_page(text)
    taken = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"{kind:<12} {taken:6.1f} s {peak:6.0f} MB {len(page.results):6} results {len(page.unread):6} listed"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(measure(sys.argv[2]))
    else:
        for name in sys.argv[1:] or KINDS:
            subprocess.run([sys.executable, __file__, "--one", name], check=True)
