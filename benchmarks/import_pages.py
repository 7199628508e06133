"""Reads pages in many variations, damaged ones and long ones: no other number, no traceback, and how long it took.

.venv/bin/python -m benchmarks.import_pages 10000 1000000
"""

from __future__ import annotations

import random
import resource
import sys
import time
from collections.abc import Iterator

from tests.formats.test_readers_fuzz import TEXTS, mutated
from tests.twins.layouts import page_of
from tests.twins.reading import Tally, tally, twins
from tests.twins.variations import numbers_of, varied

from radoscope.archives import paste


def vary(count: int) -> int:
    """How many of so many variations gave other numbers than the page itself."""
    pages = [(page.text, numbers_of(page.text)) for half in ("tuned", "held") for page in twins(half)]
    dice, other = random.Random(1), 0
    for _ in range(count):
        text, right = dice.choice(pages)
        other += numbers_of(varied(text, dice)) != right
    return other


def damage(count: int) -> float:
    """Reads so many mutated texts; the longest time in CPU seconds. An exception ends it."""
    texts = [*TEXTS, *(page.text for half in ("tuned", "held") for page in twins(half))]
    dice, longest = random.Random(2), 0.0
    for _ in range(count):
        text = mutated(dice.choice(texts), dice)
        started = time.process_time()
        paste.read(text)
        longest = max(longest, time.process_time() - started)
    return longest


def long_pages() -> Iterator[tuple[str, float]]:
    """CPU seconds for one long table, and for many: of words and numbers that are each another."""
    head = "| test | IOPS | BW | lat ms |\n|---|---|---|---|\n"
    rows = [
        f"| 4k randread {at} | {at % 900}.{at % 7}k | {at / 7:.1f} MB/s | {at / 9:.2f} |\n" for at in range(1, 8001)
    ]
    for count in (2000, 4000, 8000):
        tables = (head + "".join(rows[at : at + 2]) for at in range(0, count, 2))
        pages = {f"{count} rows": head + "".join(rows[:count]), f"{count // 2} tables": "\n\n".join(tables)}
        for name, text in pages.items():
            started = time.process_time()
            paste.read(f"fio results\n\n{text}")
            yield name, time.process_time() - started


def main() -> None:
    variations, damaged = (int(word) for word in [*sys.argv[1:], "2000", "2000"][:2])
    started = time.process_time()
    other = vary(variations)
    print(f"{variations} variations: {other} gave other numbers, {time.process_time() - started:.0f} s CPU")
    started = time.process_time()
    score = Tally()
    for seed in range(variations):
        score.add(tally(page_of(seed)))
    spent = time.process_time() - started
    print(f"{variations} layouts: recall {score.recall:.4f}, precision {score.precision:.4f}, {spent:.0f} s CPU")
    started = time.process_time()
    longest = damage(damaged)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    spent = time.process_time() - started
    print(f"{damaged} damaged texts: no traceback, {spent:.0f} s CPU, longest {longest:.2f} s, peak {peak:.0f} MB")
    print(", ".join(f"{name}: {seconds:.2f} s CPU" for name, seconds in long_pages()))


if __name__ == "__main__":
    main()
