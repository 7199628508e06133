"""What tells rows apart that have no label of words: "Nodes | MB/s" with 3, 4 and 5 below it are no repeats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from radoscope import patterns as re
from radoscope.formats.grammar.phrases import cell_of
from radoscope.formats.tables.heads import Head
from radoscope.formats.tables.layout import Body
from radoscope.formats.tables.runs import Group

_COUNTS_REPEATS = re.compile(
    r"\W*(?:(?:test|bench\w*|fio)[ -]?)?(?:#|№|n[or°º]?\.?|num(?:ber|mer)?|runs?|tr(?:y|ies|ials?)|tests?|attempts?"
    r"|pass(?:es)?|rounds?|rep(?:s|eats?|etitions?)?|iter(?:ations?)?|samples?|loops?|id|idx|index|row|line|count"
    r"|durchl[aä]uf?e?|l[aä]uf?e?|versuche?|messung(?:en)?|durchgang|wiederholung(?:en)?|essais?|mesures?|passages?"
    r"|pruebas?|intentos?|repetici[oó]n(?:es)?|prov[ae]|tentativ[ae]s?|prób[ay]|pomiar|przebieg|замер|запуск|попытка"
    r"|прогон|опыт|опит|tur|kørsel|körning|meting|poging|deneme|ölçüm|第?\s?[0-9]*\s?[回次轮輪](?:数|目)?|回数|次数|序号|序號"
    r"|编号|編號|番号|轮次|輪次|测试|測試|횟수|회차|번호)\W*\d{0,3}\W*",
    re.IGNORECASE,
)
"""Heads of columns that number the repeats of one load."""
_IS_NUMBER = re.compile(r"\W?\d[\d.,:/ -]*\W?")
_LONGEST = 40


def with_telling_rows(heads: Sequence[Head], groups: Sequence[Group]) -> list[Group]:
    """The groups, those that differ in nothing but their row with the cells in front that tell the rows apart."""
    alike: dict[tuple[object, ...], dict[int, Body]] = defaultdict(dict)
    for group in groups:
        alike[_key(group)][group.row.row.line] = group.row
    names = {key: _names(heads, list(rows.values())) for key, rows in alike.items() if len(rows) > 1}

    def named(group: Group) -> Group:
        name = names.get(_key(group), {}).get(group.row.row.line, "")
        return replace(group, words=", ".join(filter(None, (name, group.words)))) if name else group

    return list(map(named, groups))


def _key(group: Group) -> tuple[object, ...]:
    return group.words, group.load, tuple(sorted(group.values))


def _names(heads: Sequence[Head], rows: Sequence[Body]) -> Mapping[int, str]:
    """By its line the name of each row; none where no cells tell all of them apart, or where they number repeats."""
    names: dict[int, list[str]] = {row.row.line: [row.below] if row.below else [] for row in rows}
    if len(set(map(tuple, names.values()))) == len(rows):
        return {line: ", ".join(parts) for line, parts in names.items()}
    for at, head in enumerate(heads):
        cells = [row.row.cells[at].strip("* ") for row in rows]
        if not _may_name(head, cells, rows[0].below):
            continue
        for row, cell in zip(rows, cells, strict=True):
            is_number = head.role == "none" or _IS_NUMBER.fullmatch(cell)
            names[row.row.line].append(f"{head.text} {cell}".strip() if is_number else cell)
        if len(set(map(tuple, names.values()))) == len(rows):
            return {line: ", ".join(parts) for line, parts in names.items()}
    return {}


def _may_name(head: Head, cells: Sequence[str], section: str) -> bool:
    """section: that of the rows, in which numbers below no head are names, too."""
    if head.quantities or not (head.text.strip() or section) or _COUNTS_REPEATS.fullmatch(head.text):
        return False
    is_aim = head.role == "none"  # "Target speed" in front of what came through
    if not is_aim and any(value.kind for cell in cells for value in cell_of(cell).values(False)):
        return False
    return len(set(cells)) > 1 and all(cells) and max(map(len, cells)) <= _LONGEST and len(head.text) <= _LONGEST
