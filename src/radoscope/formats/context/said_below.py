"""What sentences below results say of them: "The above throughput was obtained with 4k random writes, QD32"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from radoscope import patterns as re
from radoscope.formats.context.conditions import HAVE_ALL, as_before, command_load, conditions_in_sentence
from radoscope.formats.context.sentences import IDEOGRAPHS, read_lines
from radoscope.formats.context.supposed import SENTENCE
from radoscope.formats.grammar import foretold
from radoscope.formats.grammar import vocabulary as words
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.formats.grammar.phrases import Load, heading_of

_MOST_LINES, _MOST_PARAGRAPHS, _LONGEST_PARAGRAPH = 24, 3, 2000
_HEADING = re.compile(r"#{1,6}\s|={2,6}\s*\S")
_UNDERLINE = re.compile(r"\s*(?:={3,}|-{3,}|~{3,}|\^{3,})\s*")
_ROW = re.compile(r"\s*[|+]|[^|]*\|[^|]*\||[^\t]*\t")
_ADMONITION = re.compile(
    r"\s*(?:\.\. ?[a-z]+::|[>*_!\s]{0,8}(?:\[!)?(?:note|info|tip|hint|nb)(?:\]|[*_:：\s])+)\s*", re.I
)
""" ".. note::", "> [!NOTE]", "!!! note", "**Note:**"."""
_POINTS_ABOVE = Alternatives(words.ABOVE)
_SAID_OF_ALL = re.compile(
    r"\b(?:for|in|on) (?:all|every|each)(?: of the)? (?:rows?|lines?|runs?|tests?|columns?|cells?)\b"
    r"|^\W*(?:everything|all (?:of (?:it|them|this)|rows|runs|tests|results|numbers|values))"
    r" (?:(?:here|was|were|is|are) )*(?:measured|tested|taken|made|run|done|from|with)\b"
    r"|^\W*(?:(?:sequential|random) )?(?:fio|rados bench|dd) (?:runs|jobs|tests) (?:with|at)\b"
    r"|\bfür alle (?:zeilen|läufe|tests|werte)\b|\bpour (?:toutes les lignes|tous les (?:tests|essais))\b"
    r"|\bpara tod[oa]s l[oa]s (?:filas|pruebas)\b|\bдля всех (?:строк|тестов|прогонов)",
    re.IGNORECASE,
)
""" "Same fio job for every row: 4k, QD1", "Everything was measured with 4k blocks": right below rows, of these."""
_TEST_ALONE, _LONGEST_TEST = re.compile(r"(?:fio|rados bench)\b ?[,:;]? ", re.IGNORECASE), 90
_COUNTS_ROWS = re.compile(r"\s*\(\d+ rows?\)\s*")
_COMMANDS_WITHIN = 3
_COMMANDS_USED = re.compile(
    r"\W*(?:(?:the|these|this|our|my|exact|fio|rados|dd|test|benchmark|full) ){0,3}"
    r"(?:commands?(?: lines?)?|cmd|befehle?|commandes?|comandos?|comandi|команд[аы]|命令|コマンド)"
    r"(?: (?:I|we|used|was|were|is|run|ran|for this|for these|for the tests?|verwendet|utilisées?|usados?)){0,3}"
    r"(?: ?\([^()]{1,60}\))?\W{0,3}[:：]"
    r"|\W*(?:(?:I|we) (?:used|ran)|(?:tested|measured|benchmarked|run|done) (?:with|using)) (?:the |these |this )?"
    r"(?:following )?(?:fio |rados )?(?:commands?|command lines?|cmd)\W{0,3}[:：]",
    re.IGNORECASE,
)
_RADOS_READ = re.compile(r"\brados\b.{0,80}\bbench\b.{0,40} (?:seq|rand)\b")
_FENCE = re.compile(r"\s*(?:```|~~~|\{code|\[code)")
_UNLIKE = Alternatives(words.UNLIKE)
_OF_RESULTS = Alternatives(
    rf"{words.TESTED}|{words.IOPS}|(?<!\w)(?:{foretold.COMES})(?!\w)|(?:{foretold.RESULTS_ELSEWHERE})"
)


def conditions_below(lines: Sequence[str], end: int) -> Load:
    """What the paragraphs below a table say of what stands above them, up to the next heading: each sentence that
    points there and names a condition. Behind another table only what is said of all that is above."""
    found = _said_alone(lines[end : end + _MOST_LINES])
    for paragraph, is_behind_rows in islice(_paragraphs(lines[end : end + _MOST_LINES]), _MOST_PARAGRAPHS):
        for sentence in _sentences(paragraph):
            is_of_rows = not is_behind_rows and _SAID_OF_ALL.search(sentence) is not None
            points_above = _POINTS_ABOVE.search(sentence) and (not is_behind_rows or HAVE_ALL.search(sentence))
            if is_of_rows or points_above:
                found = found.over(_said_in(sentence))
    return found


def commands_below(lines: Sequence[str], end: int) -> tuple[Load, ...]:
    """What the commands ask for that a line below a table calls those that were used: "Command used: `fio ...`"."""
    below = lines[end : end + _MOST_LINES]
    near = [at for at, line in enumerate(below) if line.strip()][:_COMMANDS_WITHIN]
    first = next((at for at in near if _COMMANDS_USED.match(below[at])), None)
    if first is None or any(_ROW.match(line) or _HEADING.match(line) for line in below[:first]):
        return ()
    loads: list[Load] = []
    told = (below[first].partition(":")[2] if ":" in below[first] else "", *below[first + 1 :])
    for line in without_continuations(told):
        text = line.strip(" `>*-\t")
        load = command_load(text) if text else None
        if load is not None:
            reads_what_was_written = loads and loads[-1].way == "write" and _RADOS_READ.search(text)
            loads.append(load._replace(block_bytes=loads[-1].block_bytes) if reads_what_was_written else load)
        elif text and (loads or not _FENCE.match(line)):
            break
    return tuple(loads)


def without_continuations(lines: Iterable[str]) -> Iterator[str]:
    """A command of several lines, each of which ends in a backslash, as one."""
    held = ""
    for line in lines:
        held += f" {line.strip()}" if held else line
        if not held.endswith("\\"):
            yield held
            held = ""
        else:
            held = held[:-1]
    yield held


def _said_alone(below: Sequence[str]) -> Load:
    """ "(fio, sequential, 1M, QD1)" as the first line below rows, and no number behind it: nothing but a test."""
    told = (at for at, line in enumerate(below) if any(map(str.isalpha, line)) and not _COUNTS_ROWS.fullmatch(line))
    first = next(told, 0)
    line = "".join(below[first : first + 1]).strip(" ()（）.*_")
    if not _TEST_ALONE.match(line) or any(any(map(str.isdecimal, each)) for each in below[first + 1 :]):
        return Load()
    phrase = heading_of(line)
    is_alone = not (phrase.names_values or phrase.quantities or line.endswith((":", "：")))
    return phrase.load if is_alone and len(line) <= _LONGEST_TEST else Load()


def _said_in(sentence: str) -> Load:
    is_of_all = _SAID_OF_ALL.search(sentence)
    is_of_results = is_of_all or _OF_RESULTS.search(sentence) or HAVE_ALL.search(sentence)
    is_of_others = _UNLIKE.search(sentence) or (as_before(sentence) and not is_of_all)
    return conditions_in_sentence(sentence) if is_of_results and not is_of_others else Load()


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[list[str], bool]]:
    """Each of words with whether rows stand before it."""
    paragraph: list[str] = []
    is_behind_rows = False
    for at, line in enumerate([*lines, ""]):
        below = lines[at + 1] if at + 1 < len(lines) else ""
        is_heading = _HEADING.match(line) or (line.strip() and _UNDERLINE.fullmatch(below))
        is_row = _ROW.match(line) is not None
        if line.strip() and not (is_heading or is_row):
            paragraph.append(line)
            continue
        if paragraph:
            yield paragraph, is_behind_rows
            paragraph = []
        if is_heading:
            return
        is_behind_rows = is_behind_rows or is_row


def _sentences(paragraph: Sequence[str]) -> Iterator[str]:
    """Of lines that may be wrapped, and indented below the name of a note."""
    text = ""
    points = any(_POINTS_ABOVE.search(line) or _SAID_OF_ALL.search(line) for line in paragraph)
    if sum(map(len, paragraph)) > _LONGEST_PARAGRAPH or not points:
        return
    for line in paragraph:
        part = _ADMONITION.sub("", line, count=1).strip()
        text += f" {part}" if text and not IDEOGRAPHS.match(text[-1]) else part
    for sentence in read_lines([text]):
        yield from SENTENCE.split(sentence.text)
