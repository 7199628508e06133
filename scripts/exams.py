"""The model against published results: from page facts alone, and calibrated on a few cells of a source.

    python scripts/exams.py                the sources that the spreads were chosen on
    python scripts/exams.py --kept         those kept apart as well

Half a minute each. Nothing is fitted here; picks of cells are drawn with fixed seeds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from published import Published, balanced_quantile, load_published, pairs

from radoscope.catalogue import results
from radoscope.predict.outlook import Outlook
from radoscope.predict.posterior import Rates, learn
from radoscope.predict.unknowns import CELL

KEPT = (
    "seed003", "redhat_qemu_librbd", "ibm_rgw_2025", "yourcmc_wiki", "unleashurgeek_homeops", "micron_rhcs3_brief",
    "ceph_pr28044", "seastore_vs_classic", "vitastor_comparison1", "roks_odf", "pny_kbench", "ceph_brag_cisco",
    "ceph_brag_intel", "clyso_encryption_2023",
)  # fmt: skip
"""A third of the 44 sources, drawn with seed 17 before any spread was chosen."""
FRESH = ("mkyc_k8s_pv", "xtremeownage_2023", "osiris_vai", "rook_cni_2020", "luminous_sata_5")
"""Gathered after rounds one to four and scored once; in no other group."""
FRESH_TWO = (
    "croit_mach2", "mirantis_jewel_40", "uzh_2014", "grid5000_2014", "open_cas_21", "tiny_20g", "obs_24hdd",
    "cephadm_reef_3",
)  # fmt: skip
"""Gathered after round five, likewise."""
IN_PRIORS = (
    "clyso_reef_freeze_rbd", "clyso_reef_osds_per_nvme", "clyso_1tibps", "redhat_osd_cpu_scaling", "redhat_qemu_librbd",
    "rhcs32_cisco_allflash", "rook13483", "ceph_pr28044", "ceph_pr50610", "seastore_vs_classic", "yourcmc_wiki",
    "ibm_rgw_2025", "ibm_fastec_tentacle", "nine_ch_nvme", "seed001",
)  # fmt: skip
"""Pages that a prior in priors.toml, or a number in the equations, names as its source: figures of theirs are in what
predicts them. All others have given nothing."""
PICKS = 4
"""Draws of known cells for each source."""
NOTHING = Rates(np.array([]))


@dataclass(frozen=True)
class Answers:
    """errors: log2(predicted / published) of cells that were not known; inside: in the 80 % interval. own: whether the
    known cells lie in their own intervals."""

    errors: np.ndarray
    inside: np.ndarray
    sources: np.ndarray
    own: np.ndarray
    indices: np.ndarray


def calibrated(published: Published, sources: Sequence[str], count: int, *, asked: bool = False) -> Answers:
    """Each source with four cells or more, `count` of its cells known: drawn at random, or `asked`, those that narrow
    its other answers most by facts alone."""
    rows: list[tuple[float, bool, str, int]] = []
    own: list[bool] = []
    for source in sources:
        cells = np.flatnonzero(published.sources == source)
        if count and len(cells) < max(4, count + 1):
            continue
        for known in [_asked(published, cells, count)] if asked and count else _picks(len(cells), count):
            logs = published.log_rates[cells]
            found = learn([published.cases[i] for i in cells], known, Rates(logs[known]))
            off = found.mean - logs
            inside = [abs(off[i]) <= found.half_width(i) for i in range(len(cells))]
            own += [inside[i] for i in known]
            rest = [i for i in range(len(cells)) if i not in known]
            rows += [(float(off[i]) / np.log(2), inside[i], source, int(cells[i])) for i in rest]
    errors, inside_all, names, indices = zip(*rows, strict=True)
    return Answers(np.array(errors), np.array(inside_all), np.array(names), np.array(own), np.array(indices))


def _picks(cells: int, count: int) -> Iterator[list[int]]:
    generator = np.random.default_rng(3)
    for _ in range(PICKS if count else 1):
        yield sorted(int(i) for i in generator.choice(cells, count, replace=False))


def _asked(published: Published, cells: np.ndarray, count: int) -> list[int]:
    """By facts alone: cell after cell, the one that takes most variance from the others."""
    left = learn([published.cases[i] for i in cells], [], NOTHING).covariance
    known: list[int] = []
    for _ in range(count):
        gains = [
            -1.0 if i in known else float(np.sum(left[i] ** 2) - left[i, i] ** 2) / (left[i, i] + CELL**2)
            for i in range(len(cells))
        ]
        best = int(np.argmax(gains))
        known.append(best)
        left = left - np.outer(left[best], left[best]) / (left[best, best] + CELL**2)
    return sorted(known)


def figures(seen: Answers, chosen: np.ndarray | None = None) -> str:
    keep = np.ones(len(seen.errors), bool) if chosen is None else chosen
    if not keep.any():
        return "- | - | - | - | -"
    errors, sources, inside = seen.errors[keep], seen.sources[keep], seen.inside[keep]
    names = np.unique(sources)
    cover = np.mean([inside[sources == name].mean() for name in names])
    by_source = [np.quantile(np.abs(errors[sources == name]), (0.5, 0.9)) for name in names]
    middle = np.median(by_source, axis=0)
    half, most = (balanced_quantile(errors, sources, share) for share in (0.5, 0.9))
    return (
        f"{len(names)} | {half:.2f} / {most:.2f} | "
        f"{middle[0]:.2f} / {middle[1]:.2f} | {np.median(abs(errors)):.2f} / {np.quantile(abs(errors), 0.9):.2f} | "
        f"{cover:.0%}"
    )


HEAD = (
    "| | sources | balanced by source | median of sources | all cells | in the 80 % interval |\n"
    "| --- | --- | --- | --- | --- | --- |"
)


def report(published: Published, sources: Sequence[str]) -> None:
    print(HEAD)
    for count in range(5):
        seen = calibrated(published, sources, count)
        own = f" (own cells reproduced: {seen.own.mean():.0%})" if count else ""
        print(f"| {count} cells known{own} | {figures(seen)} |")
    for count in range(1, 5):
        seen = calibrated(published, sources, count, asked=True)
        print(f"| {count} cells known, those that the model asks for | {figures(seen)} |")
    facts_alone = calibrated(published, sources, 0)
    protected = np.array([bool(published.cases[i].setting.plp) for i in facts_alone.indices])
    disks = np.array([bool(published.cases[i].setting.hdd) for i in facts_alone.indices])
    bluestore = np.array([published.facts[i].backend != "filestore" for i in facts_alone.indices])
    for name, chosen in (
        ("BlueStore", bluestore),
        ("drives with power-loss protection", protected),
        ("flash without", ~protected & ~disks),
        ("spinning disks", disks),
        ("pages that gave no prior", ~np.isin(facts_alone.sources, IN_PRIORS)),
    ):
        print(f"| facts alone, {name} | {figures(facts_alone, chosen)} |")
    for kind in ("qd1-w", "qd1-r", "deep-w", "deep-r", "seq-w", "seq-r"):
        print(f"| facts alone, {kind} | {figures(facts_alone, published.classes[facts_alone.indices] == kind)} |")
    print("\n| source, facts alone | cells | bias (log2) | median / p90 |\n" + "| --- " * 4 + "|")
    for source in sources:
        off = facts_alone.errors[facts_alone.sources == source]
        spread = f"{np.median(abs(off)):.2f} / {np.quantile(abs(off), 0.9):.2f}"
        print(f"| {source} | {len(off)} | {np.median(off):+.2f} | {spread} |")


def report_ratios(published: Published, sources: Sequence[str]) -> None:
    """What-ifs with a known answer: pairs of cells of one source that differ in one input."""
    found: dict[str, list[tuple[float, float, float, str]]] = {}
    for kind, first, second in pairs(published):
        if published.sources[first] in sources:
            before, after = published.cases[first], published.cases[second]
            both = learn([before, after], [], NOTHING)
            ratio, half = Outlook((before, after), both).ratio(0, 1)
            true = float(published.log_rates[second] - published.log_rates[first])
            found.setdefault(kind, []).append((float(np.log(ratio)), true, half, str(published.sources[first])))
    print(
        "| input | pairs | ratio error, median / p90 | direction right | in the 80 % interval |\n" + "| --- " * 5 + "|"
    )
    for kind, rows in found.items():
        said, true, half = (np.array([row[i] for row in rows]) for i in range(3))
        off = abs(said - true) / np.log(2)
        clear = abs(true) > np.log(1.2)
        right = f"{int(np.sum((said * true > 0) & clear))} of {clear.sum()}"
        inside = np.mean(abs(said - true) <= half)
        print(f"| {kind} | {len(rows)} | {np.median(off):.2f} / {np.quantile(off, 0.9):.2f} | {right} | {inside:.0%} |")


def main() -> None:
    published = load_published(results())
    names = dict.fromkeys(str(name) for name in published.sources)
    everyone = [name for name in names if name not in (*FRESH, *FRESH_TWO)]
    groups = {"Sources that the spreads were chosen on": [name for name in everyone if name not in KEPT]}
    if "--kept" in sys.argv:
        groups |= {"Sources kept apart": list(KEPT), "All": everyone, "Fresh sources": list(FRESH)}
        groups["Fresh sources, the second time"] = list(FRESH_TWO)
    for name, sources in groups.items():
        print(f"\n## {name}\n")
        report(published, sources)
        print()
        report_ratios(published, sources)


if __name__ == "__main__":
    main()
