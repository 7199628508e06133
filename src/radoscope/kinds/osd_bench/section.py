"""Every OSD's own bench in words, on a page and on the terminal: a sick one is named; mClock capacities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from radoscope import wire
from radoscope.kinds.osd_bench.judge import OsdFigure, benches_of, judge_osds
from radoscope.records.study import Study
from radoscope.report.markdown import fenced, table
from radoscope.report.material import Material, Section, Sentences, Values, target_words
from radoscope.stats.values import Estimate, Interval, Undecided
from radoscope.words import N_, _, joined, listed, ngettext

COLUMNS = ("OSD", N_("class"), N_("benches"), "IOPS", N_("95 % interval"), N_("of peers"), N_("verdict"))


def osd_rows(figures: Sequence[OsdFigure]) -> tuple[tuple[str, ...], ...]:
    """One row per OSD, for `COLUMNS`."""
    return tuple(_row(one) for one in figures)


def osd_verdict(figures: Sequence[OsdFigure]) -> tuple[str, str, str]:
    """Who is slower than its peers; for whom that is undecided; what was asked."""
    sick = [
        _("osd.{osd} ({share} of its peers)", osd=one.osd, share=_share(one)) for one in figures if one.sick is True
    ]
    open_ones = [one for one in figures if isinstance(one.sick, Undecided)]
    if sick:
        slower = ngettext(
            "{osds} is slower than the peers.", "{osds} are slower than the peers.", len(sick), osds=listed(tuple(sick))
        )
    elif len(open_ones) < len(figures):
        slower = _("No OSD is slower than its peers.")
    else:
        slower = _("Which OSD is slower is undecided.")
    reasons = dict.fromkeys(one.sick.because for one in open_ones if isinstance(one.sick, Undecided))
    names = listed(tuple(f"osd.{one.osd}" for one in open_ones))
    return (
        slower,
        _("Undecided for {osds}: {reasons}.", osds=names, reasons=joined(reasons))
        if open_ones
        else _("All {n} OSDs have a verdict.", n=len(figures)),
        _(
            "Each OSD wrote 12 MB in 4 KiB blocks to its own store, one OSD at a time: drive and OSD, without network "
            "and copies."
        ),
    )


def capacity_lines(figures: Sequence[OsdFigure]) -> tuple[str, ...]:
    """Suggested mClock capacity of each OSD: a command, or the reason against it."""
    return tuple(_line(one) for one in figures)


def _row(one: OsdFigure) -> tuple[str, ...]:
    name, place = f"osd.{one.osd}", one.device_class or "-"
    if isinstance(one.iops, Undecided):
        return (name, place, "-", "-", "-", _share(one), _verdict(one))
    interval = one.iops.interval
    known = (
        _("{low} to {high}", low=f"{interval.low:,.0f}", high=f"{interval.high:,.0f}")
        if isinstance(interval, Interval)
        else "-"
    )
    return (name, place, str(one.iops.samples), f"{one.iops.value:,.0f}", known, _share(one), _verdict(one))


def _share(one: OsdFigure) -> str:
    return "-" if isinstance(one.of_peers, Undecided) else f"{one.of_peers:.0%}"


def _verdict(one: OsdFigure) -> str:
    if isinstance(one.sick, Undecided):
        return _("undecided: {because}", because=one.sick.because)
    return _("slower than its peers") if one.sick else _("like its peers")


def _line(one: OsdFigure) -> str:
    """A slow OSD needs repair, not a setting."""
    if one.sick is True:
        return _("# osd.{osd}: slower than its peers; find out why first: smartctl -a, iostat -x 1", osd=one.osd)
    if not one.fit_to_set or not isinstance(one.iops, Estimate):
        return _("# osd.{osd}: too uncertain to set; use more --rounds, or a quieter time", osd=one.osd)
    kind = "hdd" if one.device_class == "hdd" else "ssd"
    return f"ceph config set osd.{one.osd} osd_mclock_max_capacity_iops_{kind} {one.iops.value:.0f}"


def judged(study: Study) -> tuple[OsdFigure, ...]:
    """Each OSD against its peers."""
    benches = benches_of(study)
    return judge_osds({one.osd: one.iops for one in benches}, {one.osd: one.device_class for one in benches})


def verdict(material: Material) -> Sentences:
    return osd_verdict(judged(material.study))


def to_json(study: Study) -> dict[str, Any]:
    return {"osds": wire.plain(judged(study))}


def repeat(study: Study) -> tuple[str, ...]:
    return ("osd-bench", *target_words(study))


def prepare(material: Material) -> Values:
    figures = judged(material.study)
    return {"columns": tuple(_(name) for name in COLUMNS), "rows": osd_rows(figures), "lines": capacity_lines(figures)}


def markdown(material: Material) -> list[str]:
    figures = judged(material.study)
    rows = table([_(name) for name in COLUMNS], osd_rows(figures), left=(0, 1, 6))
    return [rows, fenced("\n".join(capacity_lines(figures)))]


SECTION = Section(
    "osds",
    prepare,
    package=__package__ or "",
    title=N_("Every OSD's own bench"),
    short="OSDs",
    lead=N_(
        "Writes of 4 KiB within each OSD, one OSD at a time, in another random order each round. An OSD is slower "
        "than its peers if its whole interval lies below 85 % of their median."
    ),
    markdown=markdown,
)


def print_osds(material: Material) -> None:
    """The verdict, the table, and suggested mClock capacities."""
    figures = judged(material.study)
    click.echo("")
    for sentence in osd_verdict(figures):
        click.echo(sentence)
    lines = (COLUMNS, *osd_rows(figures))
    widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
    click.echo("")
    for line in lines:
        cells = (
            word.rjust(width) if 2 <= column <= 5 else word.ljust(width)
            for column, (word, width) in enumerate(zip(line, widths, strict=True))
        )
        click.echo("  ".join(cells).rstrip())
    click.echo("\nSuggested mClock capacities (radoscope changes no setting):")
    for text in capacity_lines(figures):
        click.echo(f"  {text}")
    click.echo("")
