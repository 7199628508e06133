"""What every OSD's own bench came to, as words; the terminal, Markdown and HTML show the same."""

from __future__ import annotations

from collections.abc import Sequence

from radoscope.kinds.osd_bench.judge import OsdFigure
from radoscope.report.words import listed
from radoscope.stats.values import Estimate, Interval, Undecided

COLUMNS = ("OSD", "class", "benches", "IOPS", "95 % interval", "of peers", "verdict")


def osd_rows(figures: Sequence[OsdFigure]) -> tuple[tuple[str, ...], ...]:
    """One row per OSD, for `COLUMNS`."""
    return tuple(_row(one) for one in figures)


def osd_verdict(figures: Sequence[OsdFigure]) -> tuple[str, str, str]:
    """Who is slower than its peers; for whom that is undecided; what was asked."""
    sick = [f"osd.{one.osd} ({_share(one)} of its peers)" for one in figures if one.sick is True]
    open_ones = [one for one in figures if isinstance(one.sick, Undecided)]
    slower = f"{listed(tuple(sick))} {'is' if len(sick) == 1 else 'are'} slower than the peers" if sick else ""
    none = "No OSD is slower than its peers" if len(open_ones) < len(figures) else "Which OSD is slower is undecided"
    reasons = dict.fromkeys(one.sick.because for one in open_ones if isinstance(one.sick, Undecided))
    doubts = f"Undecided for {listed(tuple(f'osd.{one.osd}' for one in open_ones))}: {'; '.join(reasons)}"
    return (
        f"{slower or none}.",
        f"{doubts}." if open_ones else f"All {len(figures)} OSDs have a verdict.",
        "Each OSD wrote 12 MB in 4 KiB blocks to its own store, one OSD at a time: drive and OSD, without network "
        "and copies.",
    )


def capacity_lines(figures: Sequence[OsdFigure]) -> tuple[str, ...]:
    """Suggested mClock capacity of each OSD: a command, or the reason against it."""
    return tuple(_line(one) for one in figures)


def _row(one: OsdFigure) -> tuple[str, ...]:
    name, place = f"osd.{one.osd}", one.device_class or "-"
    if isinstance(one.iops, Undecided):
        return (name, place, "-", "-", "-", _share(one), _verdict(one))
    interval = one.iops.interval
    known = f"{interval.low:,.0f} to {interval.high:,.0f}" if isinstance(interval, Interval) else "-"
    return (name, place, str(one.iops.samples), f"{one.iops.value:,.0f}", known, _share(one), _verdict(one))


def _share(one: OsdFigure) -> str:
    return "-" if isinstance(one.of_peers, Undecided) else f"{one.of_peers:.0%}"


def _verdict(one: OsdFigure) -> str:
    if isinstance(one.sick, Undecided):
        return f"undecided: {one.sick.because}"
    return "slower than its peers" if one.sick else "like its peers"


def _line(one: OsdFigure) -> str:
    """A slow OSD needs repair, not a setting."""
    if one.sick is True:
        return f"# osd.{one.osd}: slower than its peers; find out why first: smartctl -a, iostat -x 1"
    if not one.fit_to_set or not isinstance(one.iops, Estimate):
        return f"# osd.{one.osd}: too uncertain to set; use more --rounds, or a quieter time"
    kind = "hdd" if one.device_class == "hdd" else "ssd"
    return f"ceph config set osd.{one.osd} osd_mclock_max_capacity_iops_{kind} {one.iops.value:.0f}"
