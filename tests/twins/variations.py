"""The same page as somebody else would have pasted it: other numbers may not come out."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from radoscope.archives import paste
from radoscope.wire import exchanged

_TABLE = re.compile(r"(?:^[ \t]*\|.*\|[ \t]*\n)++(?![ \t]*\|)", re.MULTILINE)
"""Not where an open row goes on below it."""


def rows_of(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in table.strip().split("\n")]


def is_regular(rows: Sequence[Sequence[str]]) -> bool:
    """Of one row of heads, a rule, and rows as wide, each with a label of its own; a head without a name belongs to
    the one at its left."""
    is_whole = len(rows) > 2 and all(row[0] for row in rows[2:]) and len({len(row) for row in rows}) == 1
    is_whole = is_whole and all(any(row[1:]) for row in rows)  # a lone label heads the rows below it
    return is_whole and all(rows[0][1:]) and set("".join(rows[1])) <= set("-:")


def with_other_column_order(table: str, dice: random.Random) -> str:
    """Where a head comes twice ("Read | IOPS | Write | IOPS"), its place tells what it is of, and the order stays."""
    rows = rows_of(table)
    places = list(range(1, len(rows[0])))
    if len(set(rows[0])) == len(rows[0]):
        dice.shuffle(places)
    return "".join("| " + " | ".join(row[at] for at in [0, *places]) + " |\n" for row in rows)


def with_other_row_order(table: str, dice: random.Random) -> str:
    heads, body = rows_of(table)[:2], rows_of(table)[2:]
    dice.shuffle(body)
    return "".join("| " + " | ".join(row) + " |\n" for row in [*heads, *body])


def as_html(table: str, dice: random.Random) -> str:
    rows = rows_of(table)
    end = dice.choice(["\n", "", "\n  "])
    body = end.join(
        "<tr>" + end + "".join(f"<td>{cell}</td>{end}" for cell in row) + "</tr>" for row in [rows[0], *rows[2:]]
    )
    return f"<table>{end}{body}{end}</table>\n"


def as_tabs(table: str, dice: random.Random) -> str:
    rows = rows_of(table)
    return "".join("\t".join(row) + "\n" for row in [rows[0], *rows[2:]])


def as_wiki(table: str, dice: random.Random) -> str:
    rows = rows_of(table)
    lines = ['{| class="wikitable"', "! " + " !! ".join(rows[0])]
    lines += [line for row in rows[2:] for line in ("|-", "| " + " || ".join(row))]
    return "\n".join([*lines, "|}"]) + "\n"


def padded(table: str, dice: random.Random) -> str:
    width = max(len(cell) for row in rows_of(table) for cell in row) + dice.randint(0, 4)
    return "".join("|" + "|".join(f" {cell:<{width}}" for cell in row) + "|\n" for row in rows_of(table))


OF_TABLES: tuple[Callable[[str, random.Random], str], ...] = (
    with_other_column_order, with_other_row_order, as_html, as_tabs, as_wiki, padded,
)  # fmt: skip


def quoted(text: str, dice: random.Random) -> str:
    mark = dice.choice(["> ", "> > ", ">> "])
    return "".join(f"{mark}{line}\n" for line in text.split("\n"))


def with_windows_line_ends(text: str, dice: random.Random) -> str:
    return text.replace("\n", "\r\n")


def fenced(text: str, dice: random.Random) -> str:
    return "```\n" + text + "```\n"


def with_invisible_marks(text: str, dice: random.Random) -> str:
    return "\ufeff" + text.replace(" | ", "\u00a0|\u00a0") + "\u200b"


def among_prose(text: str, dice: random.Random) -> str:
    return f"Hello everybody.\n\nThis is what came out, thanks for looking.\n\n{text}\n\nBest regards\nN. N.\n"


OF_PAGES: tuple[Callable[[str, random.Random], str], ...] = (
    quoted, with_windows_line_ends, fenced, with_invisible_marks, among_prose,
)  # fmt: skip


def varied(text: str, dice: random.Random) -> str:
    """The text after one or two changes that mean nothing."""

    def change(match: re.Match[str]) -> str:
        return dice.choice(OF_TABLES)(match[0], dice) if is_regular(rows_of(match[0])) else match[0]

    if dice.random() < 0.8:
        text = _TABLE.sub(change, text)
    return dice.choice(OF_PAGES)(text, dice) if dice.random() < 0.7 else text


def numbers_of(text: str) -> list[str]:
    """What was read, without the place where it stood."""
    found = [exchanged(result) for result in paste.read(text)]
    return sorted(str({key: value for key, value in each.items() if key != "extra"}) for each in found)
