"""The same runs as many people would write them down: random layouts, units and words, whose truth is known.

A page has some ops, some labels (pools, branches), and the quantities of each; where block size, depth and direction
stand is drawn: in the cell, the column, the row, a caption, a heading or a sentence above.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.twins.reading import Twin, result_of

OPS = {
    "randread": ("randread", "random read", "rand read", "Random Reads", "rand-read", "RandRead"),
    "randwrite": ("randwrite", "random write", "rand write", "Random Writes", "rand-write", "RandWrite"),
    "read": ("seqread", "sequential read", "seq read", "Sequential Reads", "seq-read", "Seq. read"),
    "write": ("seqwrite", "sequential write", "seq write", "Sequential Writes", "seq-write", "Seq. write"),
}
HEADS = {"iops": ("IOPS", "iops"), "bw": ("BW", "Bandwidth", "Throughput"),
         "lat": ("avg lat", "Latency", "Avg. latency", "lat avg"), "p99": ("p99", "99th", "99%")}  # fmt: skip
SIZES = {4096: ("4k", "4K", "4KiB", "4 KB", "4KB"), 16384: ("16k", "16K", "16 KiB"), 65536: ("64k", "64K", "64 KB"),
         1048576: ("1M", "1m", "1 MiB", "1MB"), 4194304: ("4M", "4MB", "4 MiB")}  # fmt: skip
LABELS = (("ssd", "hdd"), ("before", "after"), ("replica 3", "EC 4+2"), ("v17.2.6", "v18.2.1"),
          ("krbd", "librbd", "local"),
          ("baseline", "patched"), ("node-a", "node-b", "node-c"), ("Pool A", "Pool B"))  # fmt: skip


@dataclass(frozen=True)
class Run:
    op: str
    block: int
    depth: int
    label: str
    iops: int
    lat_us: int
    p99_us: int

    def truth(self, fields: Sequence[str]) -> str:
        said = {"iops": f"iops={self.iops}", "bw": f"bw={self.mib:.6g}MiB", "lat": f"lat={self.lat_us}us",
                "p99": f"p99={self.p99_us}us", "bs": f"bs={self.block}", "qd": f"qd={self.depth}"}  # fmt: skip
        return " ".join([self.op, *(said[each] for each in fields)])

    @property
    def mib(self) -> float:
        return float(f"{self.iops * self.block / 2**20:.4g}")


class Hand:
    """One person's way of writing numbers, units and names; the same all over a page."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.grouped = dice.random() < 0.5
        self.lat_unit = dice.choice(("ms", "us", "usec", "µs"))
        self.op_names = dice.randrange(6)
        self.size_names = dice.randrange(5)
        self.in_cell = dice.random() < 0.4
        """Units stand in the cells."""

    def op(self, op: str) -> str:
        return OPS[op][self.op_names]

    def size(self, block: int) -> str:
        return SIZES[block][self.size_names % len(SIZES[block])]

    def depth(self, depth: int) -> str:
        return self.dice.choice(
            (f"qd={depth}", f"QD{depth}", f"iodepth={depth}", f"queue depth {depth}", f"iodepth {depth}")
        )

    def load(self, run: Run, fields: Sequence[str]) -> str:
        """ "4k randread QD32", in some order."""
        op, size, depth = self.op(run.op), self.size(run.block), self.depth(run.depth)
        said = [word for word, name in ((size, "bs"), (op, "op"), (depth, "qd")) if name in fields]
        forms = [" ".join(said)]
        if len(said) == 3:
            forms += [
                f"{op} {size} ({depth})",
                f"{size} {op}, {depth}",
                f"{op}, {size}, {depth}",
                f"{op} ({size}, {depth})",
            ]
        if said == [size, op]:
            forms += [f"{op} {size}", f"{op} ({size})", f"{op}, {size}"]
        if said == [op, depth]:
            forms += [f"{op} ({depth})", f"{op}, {depth}"]
        return forms[(self.op_names + self.size_names) % len(forms)]

    def head(self, field: str) -> str:
        """ "IOPS", "BW (MiB/s)"; without its unit where the cells have it."""
        names = HEADS[field]
        name = names[self.op_names % len(names)]
        unit = {"iops": "", "bw": "MiB/s"}.get(field, self.lat_unit)
        return name if self.in_cell or not unit else f"{name} ({unit})" if self.size_names % 2 else f"{name} [{unit}]"

    def value(self, run: Run, field: str, bare: bool = False) -> str:
        """bare: a heading names unit and quantity. False: nothing else says what it is."""
        if field == "iops":
            return (f"{run.iops:,}" if self.grouped else str(run.iops)) + ("" if bare else " IOPS")
        if field == "bw":
            return f"{run.mib:g}" + ("" if bare and not self.in_cell else " MiB/s")
        time = run.lat_us if field == "lat" else run.p99_us
        text = f"{time / 1000:g}" if self.lat_unit == "ms" else str(time)
        return text + ("" if bare and not self.in_cell else f" {self.lat_unit}")


# --- how a table is drawn -----------------------------------------------------------------------------------------


def markdown(rows: list[list[str]]) -> str:
    return "".join("| " + " | ".join(row) + " |\n" for row in [rows[0], ["---"] * len(rows[0]), *rows[1:]])


def bare_markdown(rows: list[list[str]]) -> str:
    return "".join(" | ".join(row) + "\n" for row in [rows[0], ["---"] * len(rows[0]), *rows[1:]])


def tabs(rows: list[list[str]]) -> str:
    return "".join("\t".join(row) + "\n" for row in rows)


def columns(rows: list[list[str]]) -> str:
    widths = [max(len(row[at]) for row in rows) + 3 for at in range(len(rows[0]))]
    return "".join(
        "".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() + "\n" for row in rows
    )


def right_columns(rows: list[list[str]]) -> str:
    widths = [max(len(row[at]) for row in rows) + 3 for at in range(len(rows[0]))]
    shown = ("".join(f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)) for row in rows)
    return "".join(f"{row[0]:<{widths[0]}}{rest}\n" for row, rest in zip(rows, shown, strict=True))


def box(rows: list[list[str]]) -> str:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+\n"
    lines = [
        "|" + "|".join(f" {cell:<{width}} " for cell, width in zip(row, widths, strict=True)) + "|\n" for row in rows
    ]
    return rule + lines[0] + rule + "".join(lines[1:]) + rule


def html(rows: list[list[str]]) -> str:
    return (
        "<table>\n"
        + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>\n" for row in rows)
        + "</table>\n"
    )


def jira(rows: list[list[str]]) -> str:
    return "||" + "||".join(rows[0]) + "||\n" + "".join("|" + "|".join(row) + "|\n" for row in rows[1:])


DRAWN: tuple[Callable[[list[list[str]]], str], ...] = (
    markdown,
    bare_markdown,
    tabs,
    columns,
    right_columns,
    box,
    html,
    jira,
)


# --- what stands where --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Page:
    """Some runs of one hand: ops x labels, all of one block size and depth."""

    hand: Hand
    runs: tuple[Run, ...]
    ops: tuple[str, ...]
    labels: tuple[str, ...]
    fields: tuple[str, ...]

    def run(self, op: str, label: str) -> Run:
        return next(run for run in self.runs if (run.op, run.label) == (op, label))

    def truth(self, runs: Sequence[Run], fields: Sequence[str]) -> list[str]:
        return [run.truth(fields) for run in runs]

    def table(self, rows: list[list[str]]) -> str:
        return self.hand.dice.choice(DRAWN)(rows)

    def caption(self, run: Run, fields: Sequence[str]) -> str:
        """What is the same all over the page, as people put it above."""
        dice, said = self.hand.dice, self.hand.load(run, [each for each in fields if each != "op"])
        size, depth = self.hand.size(run.block), run.depth
        if "op" in fields:
            said = self.hand.load(run, fields)
            return dice.choice((f"{said}:", f"## {said}", f"**{said}**", f"Results of {said}:", f"{said} results"))
        forms = [f"All with {said}:", f"fio, {said}", f"## Results ({said})", f"({said})"]
        if {"bs", "qd"} <= set(fields):
            forms += [
                f"fio --bs={size.replace(' ', '')} --iodepth={depth} --direct=1",
                f"We used bs={size.replace(' ', '')}, iodepth={depth}.",
            ]
        return dice.choice(forms)


def wide(page: Page) -> tuple[str, list[str]]:
    """A row a run, its load in one cell."""
    hand, fields = page.hand, page.fields
    with_label = len(page.labels) > 1
    rows = [[*(["pool"] if with_label else []), hand.dice.choice(("test", "workload", "")), *map(hand.head, fields)]]
    for run in page.runs:
        rows.append([*([run.label] if with_label else []), hand.load(run, ("bs", "op", "qd")),
                     *(hand.value(run, each, bare=True) for each in fields)])  # fmt: skip
    return page.table(rows), page.truth(page.runs, ("bs", "qd", *fields))


def attributes(page: Page) -> tuple[str, list[str]]:
    """A row a run, block size and depth in columns of their own."""
    hand, fields = page.hand, page.fields
    rows = [["config", hand.dice.choice(("rw", "mode", "op")), hand.dice.choice(("bs", "block size", "Block Size")),
             hand.dice.choice(("iodepth", "QD", "queue depth")), *map(hand.head, fields)]]  # fmt: skip
    rows += [[run.label, hand.op(run.op), hand.size(run.block), str(run.depth),
              *(hand.value(run, each, bare=True) for each in fields)] for run in page.runs]  # fmt: skip
    return page.table(rows), page.truth(page.runs, ("bs", "qd", *fields))


def crossed(page: Page) -> tuple[str, list[str]]:
    """Ops as rows, labels as columns; one quantity, named in the row or in the cell."""
    hand, field = page.hand, page.fields[0]
    in_row = hand.dice.random() < 0.5
    rows = [["", *page.labels]]
    for op in page.ops:
        name = hand.load(page.run(op, page.labels[0]), ("bs", "op", "qd"))
        rows.append([f"{name} {hand.head(field)}" if in_row else name,
                     *(hand.value(page.run(op, label), field, bare=in_row) for label in page.labels)])  # fmt: skip
    return page.table(rows), page.truth(page.runs, ("bs", "qd", field))


def transposed(page: Page) -> tuple[str, list[str]]:
    """Quantities as rows, ops as columns, the rest above."""
    hand, label = page.hand, page.labels[0]
    runs = [page.run(op, label) for op in page.ops]
    rows = [["", *(hand.load(run, ("bs", "op")) for run in runs)]]
    rows += [[hand.head(field), *(hand.value(run, field, bare=True) for run in runs)] for field in page.fields]
    caption = page.caption(runs[0], ("qd",))
    return f"{caption}\n\n{page.table(rows)}", page.truth(runs, ("bs", "qd", *page.fields))


def captioned(page: Page) -> tuple[str, list[str]]:
    """Block size and depth above, the ops in the rows."""
    hand, runs = page.hand, [page.run(op, page.labels[0]) for op in page.ops]
    rows = [["", *map(hand.head, page.fields)]]
    rows += [[hand.op(run.op), *(hand.value(run, each, bare=True) for each in page.fields)] for run in runs]
    return f"{page.caption(runs[0], ('bs', 'qd'))}\n\n{page.table(rows)}", page.truth(runs, ("bs", "qd", *page.fields))


def sections(page: Page) -> tuple[str, list[str]]:
    """A table an op, below its name."""
    hand, text, draw = page.hand, "", page.hand.dice.choice(DRAWN)
    for op in page.ops:
        runs = [page.run(op, label) for label in page.labels]
        rows = [["pool", *map(hand.head, page.fields)]]
        rows += [[run.label, *(hand.value(run, each, bare=True) for each in page.fields)] for run in runs]
        text += f"{page.caption(runs[0], ('bs', 'op', 'qd'))}\n\n{draw(rows)}\n"
    return text, page.truth(page.runs, ("bs", "qd", *page.fields))


def depths(page: Page) -> tuple[str, list[str]]:
    """One op; a row a depth."""
    hand, op, text = page.hand, page.ops[0], ""
    runs = [page.run(op, page.labels[0])]
    runs += [
        Run(op, runs[0].block, deep, "", runs[0].iops * factor, 99 * factor, 301 * factor)
        for deep, factor in ((64, 3), (128, 5))
    ]
    rows = [[hand.dice.choice(("iodepth", "QD", "Queue depth")), *map(hand.head, page.fields)]]
    rows += [[str(run.depth), *(hand.value(run, each, bare=True) for each in page.fields)] for run in runs]
    text = f"{page.caption(runs[0], ('bs', 'op'))}\n\n{page.table(rows)}"
    return text, page.truth(runs, ("bs", "qd", *page.fields))


def spanned(page: Page) -> tuple[str, list[str]]:
    """Two rows of heads: a label above the quantities of each."""
    hand, fields = page.hand, page.fields[:2]
    if len(fields) < 2:
        return wide(page)
    rows = [
        ["", *(label for label in page.labels for _ in fields)],
        ["", *(hand.head(each) for _ in page.labels for each in fields)],
    ]
    for op in page.ops:
        runs = [page.run(op, label) for label in page.labels]
        rows.append(
            [
                hand.load(runs[0], ("bs", "op", "qd")),
                *(hand.value(run, each, bare=True) for run in runs for each in fields),
            ]
        )
    draw = hand.dice.choice((tabs, html, markdown))
    return draw(rows), page.truth(page.runs, ("bs", "qd", *fields))


def bullets(page: Page) -> tuple[str, list[str]]:
    """A line a run: "- 4k randread QD32: 12k IOPS, 47 MiB/s, 1.2 ms"."""
    hand, runs = page.hand, [page.run(op, page.labels[0]) for op in page.ops]
    mark, colon = hand.dice.choice(("- ", "* ", "", "1. ")), hand.dice.choice((": ", " - ", " = ", ": ~", " → "))
    join = hand.dice.choice((", ", " / ", "; ", " and "))
    fields = [each for each in page.fields if each in ("iops", "bw")]
    lines = [
        f"{mark}{hand.load(run, ('bs', 'op', 'qd'))}{colon}{join.join(hand.value(run, each) for each in fields)}\n"
        for run in runs
    ]
    return "".join(lines), page.truth(runs, ("bs", "qd", *fields))


def blocks(page: Page) -> tuple[str, list[str]]:
    """A heading a run, and a line a quantity."""
    hand, text = page.hand, ""
    runs = [page.run(op, page.labels[0]) for op in page.ops]
    mark, head = hand.dice.choice(("- ", "  ", "")), hand.dice.choice(("{}:", "### {}", "**{}**", "{}"))
    names = {"iops": "IOPS", "bw": "Bandwidth", "lat": "Avg latency", "p99": "p99 latency"}
    for run in runs:
        text += head.format(hand.load(run, ("bs", "op", "qd"))) + "\n"
        for each in page.fields:
            value = hand.value(run, each) if each != "iops" else hand.value(run, each, bare=True)
            text += f"{mark}{names[each]}: {value}\n"
        text += "\n"
    return text, page.truth(runs, ("bs", "qd", *page.fields))


LAYOUTS = (wide, attributes, crossed, transposed, captioned, sections, depths, spanned, bullets, blocks)


def page_of(seed: int) -> Twin:
    """The page of this number."""
    dice = random.Random(seed)
    ops = tuple(dice.sample(list(OPS), dice.choice((2, 3, 4))))
    labels = dice.choice(LABELS)
    block, depth = dice.choice(list(SIZES)), dice.choice((1, 8, 16, 32))
    runs = tuple(
        Run(
            op,
            block,
            depth,
            label,
            max(31, dice.randint(1100, 96000) * 4096 // block),
            dice.randint(110, 4900),
            dice.randint(5000, 48000),
        )
        for op in ops
        for label in labels
    )
    fields = dice.choice(
        (("iops",), ("iops", "bw"), ("iops", "lat"), ("iops", "bw", "lat"), ("iops", "lat", "p99"), ("bw", "iops"))
    )
    layout = dice.choice(LAYOUTS)
    text, truth = layout(Page(Hand(dice), runs, ops, labels, fields))
    return Twin(f"{layout.__name__}-{seed}", "en", "made", text, tuple(result_of(line) for line in truth))
