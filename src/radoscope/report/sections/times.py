"""Where the time of an I/O went, cell by cell: a picture and rows for the page, rows for Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import shorten

from radoscope.explain import times as explained
from radoscope.explain.evidence import round_trip
from radoscope.explain.times import PARTS, UNEXPLAINED, Part, Waterfall, mean_waterfall
from radoscope.records.study import Outcome
from radoscope.report.charts.shares import Bar, Slice, draw_shares
from radoscope.report.material import Material, Section, Values
from radoscope.report.numbers import milliseconds, percent
from radoscope.report.words import layer_title, with_layer
from radoscope.words import N_, _

HEADER = (N_("Cell"), N_("mean ms"), *PARTS)
NOTE = N_(
    "The mean I/O of each cell, split by the OSDs' own counters: what the client waited beyond the primary OSD, its "
    "queue, its preparation, its own store and drive, and what it then still waited for the replicas. What the "
    "counters and the client do not agree on is called unexplained."
)
MEASURED = N_(
    "With one I/O in flight and a measured round trip, what lies beyond the OSDs is measured as well: the client's "
    "CPU time of an I/O with its waits for a core, and that round trip."
)

HUES = {
    explained.CLIENT: "host",
    explained.NETWORK: "network",
    explained.OUTSIDE: "network light",
    explained.QUEUE: "hue4",
    explained.PREPARE: "rados",
    explained.STORE: "disk",
    explained.REPLICAS: "rbd",
    explained.UNEXPLAINED: "soft-line light",
}
LONGEST_NAME = 32
MUCH_UNEXPLAINED = 0.1


@dataclass(frozen=True, slots=True)
class Row:
    """One cell. water: its mean I/O. texts: by HEADER; a part that a cell does not have, as a read has no replicas, is
    empty."""

    water: Waterfall
    texts: tuple[str, ...]


def rows(material: Material) -> tuple[Row, ...]:
    """One row a cell that has counters beside it; nothing where none has, or where something else was measured."""
    found: list[Row] = []
    if material.face.verdict is not None:
        return ()
    trip = round_trip(material.summaries.cells)
    for cell in material.study.cells:
        done = [one for one in material.study.segments_of(cell.name) if one.outcome is Outcome.DONE]
        water = mean_waterfall(done, trip[0] if trip is not None and cell.conditions.one_at_a_time else None)
        if water is not None:
            parts = {part.name: _amount(water, part) for part in water.parts}
            name = with_layer(layer_title(cell.conditions.layer), cell.title)
            found.append(Row(water, (name, milliseconds(water.total_s), *(parts.get(part, "") for part in PARTS))))
    return tuple(found)


def prepare(material: Material) -> Values | None:
    if not (found := rows(material)):
        return None
    return {
        "picture": draw_shares(
            [_bar(row) for row in found], [_(part) for part in PARTS], label=_("Where the time went")
        ),
        "header": tuple(_(head) for head in HEADER),
        "rows": found,
        "note": f"{_(NOTE)} {_(MEASURED)}",
    }


def _bar(row: Row) -> Bar:
    name = row.texts[0]
    slices = tuple(
        Slice(_(part.name), HUES[part.name], row.water.share(part.name), _tip(name, row.water, part))
        for part in row.water.parts
        if part.seconds > 0
    )
    return Bar(shorten(name, LONGEST_NAME, placeholder="…"), f"{milliseconds(row.water.total_s)} ms", slices)


def _tip(cell: str, water: Waterfall, part: Part) -> str:
    return f"{cell}: {_(part.name)} {milliseconds(part.seconds)} ms ({percent(water.share(part.name))})"


def _amount(water: Waterfall, part: Part) -> str:
    """What is not explained stands with its range over the segments, where it is much."""
    much = part.name == UNEXPLAINED and abs(water.share(part.name)) > MUCH_UNEXPLAINED
    told = f"{milliseconds(part.seconds)} ({percent(water.share(part.name))})"
    if not much or part.least is None or part.most is None:
        return told
    return _("{told}, {least} to {most}", told=told, least=milliseconds(part.least), most=milliseconds(part.most))


SECTION = Section("times", prepare, title=N_("Where the time went"), short=N_("Time split"))
