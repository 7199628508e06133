"""How well twins of pages are read, by part, kind and language. docs/formats.md shows the first reading.

.venv/bin/python -m benchmarks.twins            all sets
.venv/bin/python -m benchmarks.twins seventh    one set
"""

from __future__ import annotations

import sys
from collections import defaultdict

from tests.twins.reading import Tally, tally, twins


def main() -> None:
    for half in ("tuned", "held", "blind"):
        scores: dict[str, Tally] = defaultdict(Tally)
        for page in twins(half, *sys.argv[1:]):
            score = tally(page)
            for name in ("all", page.kind, page.language):
                scores[name].add(score)
        print(f"{half:8} results  recall  precision  with those of doubt")
        for name, score in scores.items():
            print(
                f"{name:8} {score.expected:7}  {score.recall:6.3f}  {score.precision:9.3f}  {score.understanding:6.3f}"
            )
        for line in scores["all"].wrong:
            print(f"  {line}")


if __name__ == "__main__":
    main()
