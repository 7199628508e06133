"""Both sides of an experiment compared as any two studies are, with the experiment's own verdicts."""

from __future__ import annotations

from dataclasses import replace

from radoscope.archives.bundle import read_study
from radoscope.kinds.ab.run import AbDone
from radoscope.stats.compare import Comparison, compare
from radoscope.stats.verdict import NotComparable


def compared(done: AbDone, margin: float) -> Comparison | None:
    """Both bundles compared as any two studies are, with the experiment's own verdicts. None without a whole pair."""
    if done.folder_b is None or not done.judgements:
        return None
    studies = [read_study(folder) for folder in (done.folder, done.folder_b)]
    [comparison] = compare(studies[:1], [studies[1:]], margin=margin)
    judgements = {one.cell.name: one for one in done.judgements}
    cells = tuple(
        one
        if isinstance(one.verdict, NotComparable)
        else replace(
            one,
            headline=replace(
                one.headline, ratio=judgements[one.cell.name].ratio, verdict=judgements[one.cell.name].verdict
            ),
        )
        for one in comparison.cells
    )
    return replace(comparison, cells=cells, correction=_correction(done))


def _correction(done: AbDone) -> str:
    looks = done.schedule.looks if done.schedule else 1
    return (
        f"Bonferroni over {len(done.judgements)} cell{'s' if len(done.judgements) > 1 else ''}, and O'Brien and "
        f"Fleming (1979) over {looks} look{'s' if looks > 1 else ''} while it ran; latencies (Holm) not over the looks"
    )
