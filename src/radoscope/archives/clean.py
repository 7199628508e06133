"""A pasted text -> plain lines, each with the number of the line it came from.

Takes away what terminals, mail programs and web pages add: byte order marks, ANSI codes, progress drawn over itself
with carriage returns, quoted-printable, quote prefixes, HTML and BBCode tags, macros of LaTeX, entities, wide and
invisible characters.
"""

from __future__ import annotations

import codecs
import html
import quopri
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from radoscope import patterns as re
from radoscope.archives.asciidoc import rows_of_asciidoc
from radoscope.archives.cells import with_rows
from radoscope.archives.log_lines import without_log_prefix
from radoscope.archives.spanned import Spanned
from radoscope.archives.tex import is_tex, without_macros
from radoscope.archives.unfold import SHORTEST, unfold
from radoscope.archives.variables import with_variables
from radoscope.archives.wrapped import rejoined

_ANSI = re.compile(r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,512}(?:\x07|\x1b\\)|[@-Z\\-_=>]|[()][0-9A-B])")
_FOREIGN_LETTER = re.compile(r"=(?:C3=[89AB]|D[01]=[89AB]|E[3-9]=[89AB])[0-9A-F]")
"""A letter of another alphabet in quoted-printable."""
_SPANS = re.compile(r"(?P<what>row|col)span\s?=\s?[\"']?(?P<count>[2-9]|1\d)", re.IGNORECASE)
_OVERSTRUCK = re.compile(r"[^\x08]\x08")
_INVISIBLE = dict.fromkeys(
    [*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F, 0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF]
)
_BLANKS = dict.fromkeys([0xA0, 0x2002, 0x2003, 0x2007, 0x2009, 0x202F, 0x3000, 0x2028, 0x2029, 0x85], " ")
_WIDE = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_PLAIN = {**_INVISIBLE, **_BLANKS, **_WIDE, 0x2212: "-", 0x2502: "|", 0x2503: "|", 0x2551: "|", 0x250A: "|"}
_WIDE_COMMA = re.compile(r"(?<=\d)，(?=\d)(?!\d{3}(?!\d))")
"""Between two numbers: "从 1 提升到 32，4K 随机读"; in front of three digits it may part thousands."""
_ROUND_MARK = re.compile(r"^(?P<indent>[ \t]{0,12})o (?=\S)", re.MULTILINE)
"""Of an item, as mails and documents write it."""
_IN_ITALICS = re.compile(
    r"(?<!')''(?!')(?P<words>[^']{2,80})''(?!')|(?<![:/\w])//(?=[^\s/])(?P<slanted>[^/]{2,80})(?<=\S)//(?![/\w])"
)
"""As MediaWiki and DokuWiki mark words."""
_NUMBERED_ITEM = re.compile(r"^#+ ?(?=[^#\s].*?[:：–-] ?(?:\*\*)?[~≈]?\d)")
_TWO_DIGITS = re.compile(r"\d,\d\d,\d\d\d")
_LAKHS = re.compile(
    r"(?<![\d.,])(?P<number>[1-9]\d?(?:,\d\d){1,3},\d{3})(?![\d,]|\.\d{3})"
    r"(?P<unit>\"| ?\||\.?\d* ?(?:[kM]?IOPS|ops|[KMG]i?B)\b)",
    re.IGNORECASE,
)
"""Thousands as India parts them, where no list can be meant: "1,23,456 IOPS"."""
_UNUSUAL = re.compile(f"[{re.escape(''.join(map(chr, _PLAIN)))}]")

_QUOTE = re.compile(r"(?: {0,3}>)+ ?")
_COMMENT = re.compile(r"^\s*//[/!]?(?:\s|$)")
_STARRED = re.compile(r"\s{0,8}\*(?!/)\s?")
_ENCODED = re.compile(r"=(?:3D|20|09|0A|0D|2E|46|5F|3F|[89A-F][0-9A-F])")  # "iodepth=16" is none
_SOFT_BREAK = re.compile(r"^(?:> ?){0,4}.{56,78}[^\W\d_]=(?=\r?\n(?:> ?){0,4}[a-z])", re.MULTILINE)
"""In a word: nobody ends lines so, twice."""
_LONGEST_ENCODED = 88
"""Of 76, and marks of quotes in front."""
_HIGH_BYTES = re.compile(rb"[\x81-\xfe]+")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")

_INLINE = (
    "a|abbr|b|big|cite|code|del|em|font|i|img|ins|kbd|label|mark|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr"
)
_BLOCK = (
    "article|aside|blockquote|body|br|button|caption|center|col|colgroup|dd|details|div|dl|dt|figure|figcaption|footer|form|h[1-6]"
    "|head|header|hr|html|li|link|main|meta|nav|ol|p|pre|script|section|style|summary|svg|table|tbody|tfoot|thead|title|ul"
)
_TAG = re.compile(rf"</?(?P<name>{_INLINE}|{_BLOCK}|tr|td|th)\b[^<>]{{0,2000}}>|<!--[^<]{{0,2000}}?-->", re.IGNORECASE)
_FORUM_TAG = re.compile(
    r"\[(?P<end>/?)(?P<name>table|tr|td|th|code|quote|spoiler|size|color|url|font|icode|list|img|b|i|u)(?:=[^\]\n]{0,300})?\]",
    re.IGNORECASE,
)
_SPANNING = re.compile(
    r"<(?P<name>t[dh])\b[^<>]{0,200}?\bcolspan\s?=\s?[\"']?(?P<count>[2-9]|1\d)\b[^<>]{0,200}>"
    r"(?P<cell>(?:(?!</?t[dhr]\b).){0,300})</t[dh]\s?>",
    re.IGNORECASE,
)
_CELL = re.compile(
    r"<(?P<name>table|/?tr)\b|<t[dh]\b(?P<spans>[^<>]{0,300})>(?P<cell>(?:(?!</?t[dhr]\b|</?table\b).){0,300})",
    re.IGNORECASE,
)
_LISTED = re.compile(r"(?P<indent> {0,8})[-•] (?=\S)")
_REMARK = re.compile(r"(?<=\d) {2,}#{1,2} [^\W\d_].*")
"""Behind a value: "Total time run:  60.1    # in seconds"."""
_REMARK_OF_VALUE = re.compile(r"(?P<value>[^:#@$]{3,40}:\s+\d[\d.,]*(?: ?[A-Za-z/]{1,8})?) +(?:#{1,2}|//|<--?|←|⇐) .*")
"""So, too, where one blank parts them, or with another mark."""
_QUOTED = re.compile(r"\s*[\"“„«](?P<line>[^\"“”„«»]{20,})[\"”“»][.,;]?\s*")
"""What a tool printed, as a letter quotes it."""
_AS_REMARK = re.compile(r"\s{0,4}# (?=[^\W\d][^:#]{2,40}:\s+\d)")
"""What a command printed, below it in a script: "# Average IOPS:       203"."""
_REMARKS = ("# ", "// ", "<- ", "<-- ", "← ", "⇐ ")
_LINE_NUMBER = re.compile(r"\s{0,6}(\d{1,5})(?:[.:|]|\t)(?: |$)?")
_FEWEST_NUMBERED = 8
_UNTRANSLATED = "XNUMX"
_KEPT_NUMBER = re.compile(rf"(?<=\d[.,]\d\d\d)(?: {_UNTRANSLATED}){{1,4}}(?!\w)")
"""What a plug-in that translates pages leaves behind a number in thousands; elsewhere it stands for the number."""
_LETTER = re.compile(r"\w")
_ROW = re.compile(r"<tr\b.*?</tr\s*>", re.IGNORECASE)
_IN_CELL = re.compile(r"</?(?:br|p|div|li|ul|ol|pre|code|center|h\d)\b[^<>]{0,200}>", re.IGNORECASE)
"""Parts lines elsewhere, and nothing but words within a cell."""
_RANKED = re.compile(r"<h(?P<rank>[1-6])\b[^<>]{0,500}>(?=(?:<[^<>]{0,300}>|[\s#*]){0,6}[^\s<#*])", re.IGNORECASE)
"""A heading whose words stand in its line: how far it reaches is told by its rank."""
_BREAK = re.compile(r"<br\s{0,3}/?>", re.IGNORECASE)
_ROW_OPEN = re.compile(r"<tr\b[^<>]{0,500}>", re.IGNORECASE)
_ROW_CLOSE = re.compile(r"</(?:tr|table|tbody|thead)\s*>", re.IGNORECASE)
_LONGEST_ROW = 400


@dataclass(frozen=True, slots=True)
class CleanText:
    """Plain lines; numbers: for each the 1-based number of the line of the given text in which it begins."""

    lines: list[str]
    numbers: list[int]


def decode(raw: bytes) -> str:
    """Bytes of a file -> text: UTF-16 and UTF-32 by their mark, UTF-8, else GB18030 or Latin-1. Never fails."""
    for mark, name in (
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if raw.startswith(mark):
            return raw.decode(name, errors="replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    runs = _HIGH_BYTES.findall(raw[:100_000])
    if runs and sum(map(len, runs)) >= 2.5 * len(runs):  # two bytes a character, several in a row
        try:
            return raw.decode("gb18030")  # of the two, only this one can fail
        except UnicodeDecodeError:
            pass
    return raw.decode("utf-8", errors="replace") if raw.count(b"\xc3") > 2 else raw.decode("latin-1")


def clean(text: str) -> CleanText:
    """Every line of the text without what was added on its way here. Linear in the text's length."""
    numbered = _numbered(text)
    if (
        "=3D" in text
        or (text.count("=\n") > 1 and len(_SOFT_BREAK.findall(text)) > 1)
        or _FOREIGN_LETTER.search(text)
        or "quoted-printable" in text[:20_000].lower()
    ):
        numbered = _unquoted_printable(numbered)
    if "\x1b" in text:
        numbered = ((number, _ANSI.sub("", line) if "\x1b" in line else line) for number, line in numbered)
    if "\r" in text or "\x08" in text:
        numbered = _redrawn(numbered)
    if ">" in text:
        numbered = ((number, _without_quote(line) if ">" in line[:8] else line) for number, line in numbered)
    if "// " in text:
        numbered = ((number, _COMMENT.sub("", line) if "//" in line else line) for number, line in numbered)
    if "/*" in text and "*/" in text:
        numbered = _out_of_remarks(numbered)
    if _UNTRANSLATED in text:
        numbered = ((number, _KEPT_NUMBER.sub("", line)) for number, line in numbered)
    if "[/" in text:
        numbered = ((number, _FORUM_TAG.sub(_as_html, line) if "[" in line else line) for number, line in numbered)
        numbered = _untagged(numbered)
    elif "<" in text:
        numbered = _untagged(numbered)
    if "{|" in text:
        numbered = _unwikied(numbered)
    if ("''" in text or "//" in text) and _IN_ITALICS.search(text):
        numbered = (
            (number, _IN_ITALICS.sub(lambda match: match["words"] or match["slanted"], line))
            for number, line in numbered
        )
    if "'''" in text:
        numbered = ((number, _in_marks(line)) for number, line in numbered)
    if len(_ROUND_MARK.findall(text)) > 1:
        numbered = ((number, _ROUND_MARK.sub(r"\g<indent>- ", line)) for number, line in numbered)
    if "===" in text:
        numbered = rows_of_asciidoc(numbered)
    if is_tex(text):
        numbered = ((number, part) for number, line in numbered for part in without_macros(line))
    has_lakhs = _TWO_DIGITS.search(text) is not None
    lines, numbers = [], []
    for number, line in numbered:
        if "&" in line:
            line = _unescaped(line)
        if not (line.isascii() and line.isprintable()):  # most lines need no search
            line = _UNUSUAL.sub(_plain, _WIDE_COMMA.sub(", ", line) if "，" in line else line)
        if has_lakhs and "," in line:
            line = _LAKHS.sub(_in_thousands, line)
        for part in unfold(line) if len(line) >= SHORTEST else (line,):
            lines.append(part)
            numbers.append(number)
    lines, numbers = rejoined(without_log_prefix(_without_line_numbers(lines)), numbers)
    return CleanText(*with_rows(with_variables(lines), numbers))


def _plain(match: re.Match[str]) -> str:
    return _PLAIN[ord(match[0])] or ""


def _in_marks(line: str) -> str:
    """Bold words and numbered items of MediaWiki as those of Markdown."""
    return _NUMBERED_ITEM.sub("* ", line.replace("'''", "**"))


def _in_thousands(match: re.Match[str]) -> str:
    """As wide as it was, for columns of blanks."""
    number = f"{int(match['number'].replace(',', '')):,}"
    return number.rjust(len(match["number"])) + match["unit"]


def as_printed(line: str) -> str:
    """A line of a tool without what its writer put around it: the mark of a list, the frame of a table of one column,
    quotation marks, a remark behind it."""
    if line.endswith(("|", "| ")) and "|" not in (cell := line.strip("| ")):
        line = cell
    if ('"' in (end := line[-3:]) or not end.isascii()) and (match := _QUOTED.fullmatch(line)):
        line = match["line"]
    if "# " in line:
        line = _REMARK.sub("", line)
        if match := _AS_REMARK.match(line):
            line = line[match.end() :]
    if any(mark in line for mark in _REMARKS) and (match := _REMARK_OF_VALUE.fullmatch(line)):
        line = match["value"]
    return _LISTED.sub(r"\g<indent>", line, count=1) if _LISTED.match(line) else line


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    """(number, line): lines end with a line feed; in texts without any, with a carriage return."""
    text = text.removeprefix("\ufeff")
    end = "\n" if "\n" in text else "\r"
    for at, line in enumerate(text.split(end)):
        yield at + 1, line.rstrip("\r")


def _without_line_numbers(lines: list[str]) -> list[str]:
    """Where a page has put its number before each line, before empty ones and braces, too: no items of lists."""
    found, run = list(lines), list[re.Match[str]]()
    for at in range(len(lines) + 1):
        match = _LINE_NUMBER.match(lines[at]) if at < len(lines) else None
        if not (match or run):
            continue
        if match and run and int(match[1]) == int(run[-1][1]) + 1:
            run.append(match)
            continue
        rests = [each.string[each.end() :] for each in run]
        if len(run) >= _FEWEST_NUMBERED and not all(map(_LETTER.search, rests)):
            found[at - len(run) : at] = rests
        run = [match] if match else []
    return found


def _redrawn(numbered: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """A line that was drawn several times over itself becomes as many lines."""
    for number, line in numbered:
        for part in line.split("\r") if "\r" in line else (line,):
            if "\x08" in part:
                part = _OVERSTRUCK.sub("", part)
            yield number, part


def _unquoted_printable(numbered: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Lines in which every "=" begins a code or ends the line; soft line ends join what they parted."""
    held: list[str] = []
    first = 0
    for number, line in numbered:
        first = first if held else number
        if held and _QUOTE.match(held[0]):
            line = _without_quote(line)  # somebody has quoted what was encoded
        soft = line.endswith("=") and len(line) <= _LONGEST_ENCODED
        body = line[:-1] if soft else line
        if "=" in body and len(_ENCODED.findall(body)) == body.count("="):
            raw = quopri.decodestring(body.encode("latin-1", "replace"))
            body = raw.decode("utf-8", errors="replace") if body.isascii() else body
        held.append(body)
        if not soft or len(held) > 100:
            yield first, "".join(held)
            held = []
    if held:
        yield first, "".join(held)


def _without_quote(line: str) -> str:
    match = _QUOTE.match(line)
    return line[match.end() :] if match else line


def _out_of_remarks(numbered: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Lines of a remark in C without the star in front of each."""
    is_within = False
    for number, line in numbered:
        star = _STARRED.match(line) if is_within else None
        yield number, line[star.end() :] if star else line
        is_within = "*/" not in line and (star is not None or line.lstrip().startswith("/*"))


def _as_html(match: re.Match[str]) -> str:
    name = match["name"].lower()
    return (
        f"<{match['end']}{name}>"
        if name in ("table", "tr", "td", "th")
        else "<br>"
        if name in ("code", "quote")
        else ""
    )


def _untagged(numbered: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Without tags; a row of a table becomes one line with bars between its cells, wherever its source broke."""
    numbered, row = list(numbered), list[str]()
    reach_down = any("rowspan" in line.lower() for _, line in numbered)  # else each cell stands in its row alone
    first, spanned = 0, Spanned()
    for number, line in numbered:
        if "<" not in line and not row:
            yield number, line
            continue
        opened = _opened(line)
        ended, line = line[:opened], line[opened:]
        if row:
            row.append(ended)
            if not (line or _ROW_CLOSE.search(ended) or len(row) > _LONGEST_ROW):
                continue
            ended = " ".join(row)
        if ended or not line:
            for part in _split_tags(
                _CELL.sub(lambda match: _html_cell(match, spanned), ended) if reach_down else ended
            ):
                yield first if row else number, part
        first, row = number, [line] if line else []
    for line in row:
        for part in _split_tags(line):
            yield first, part


def _opened(line: str) -> int:
    """Where a row begins that goes on in the next line; its end where none does."""
    last = (
        max((match.start() for match in _ROW_OPEN.finditer(line)), default=len(line))
        if "<t" in line.lower()
        else len(line)
    )
    return len(line) if _ROW_CLOSE.search(line, last) else last


def _html_cell(match: re.Match[str], spanned: Spanned) -> str:
    """A cell behind those that reach into its row."""
    name = (match["name"] or "").lower()
    if name == "table":
        spanned.lower.clear()
    elif name == "tr":
        spanned.place = 0
    else:
        if match[0][:3].lower() == "<th" and not match["cell"].strip() and spanned.lower.get(spanned.place, (0,))[0]:
            return ""  # some write an empty head where the one above reaches to
        above = "".join(f"<td>{cell}</td>" for cell in spanned.taken())
        if name != "/tr":
            spanned.add(match["cell"], *_spans(match["spans"]))
        return above + match[0]
    return match[0]


def _spans(attributes: str) -> tuple[int, int]:
    """Over how many columns and rows a cell reaches."""
    spans = {match["what"].lower(): int(match["count"]) for match in _SPANS.finditer(attributes)}
    return spans.get("col", 1), spans.get("row", 1)


def _unwikied(numbered: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Tables of MediaWiki, whose cells stand in lines of their own or behind "||" and "!!", as rows with bars."""
    row: list[str] = []
    below: list[str] = []
    first, inside, spanned = 0, False, Spanned()
    for number, line in numbered:
        text = line.strip()
        if text.startswith("{|"):
            inside, spanned = True, Spanned()
        elif not inside:
            yield number, line
        elif text.startswith(("|-", "|}", "|+")) or len(row) > _LONGEST_ROW:
            if row:
                yield first, _wiki_row(row, below)
            row, below, inside, spanned.place = [], [], not text.startswith("|}"), 0
            if text.startswith("|+") and (caption := _wiki_cell(text[2:])):
                yield number, caption
        elif text.startswith(("|", "!")):
            first = first if row else number
            row[-1:], below = [" ".join((each, *below)) for each in row[-1:]], []
            for cell in re.split(r"\|\||!!", text[1:]):
                _add_wiki_cell(cell, row, spanned)
        elif row:
            below.append(text)  # joined at once, for of a table without an end there may be very much
    if row:
        yield first, _wiki_row(row, below)


def _wiki_row(row: Sequence[str], below: Sequence[str]) -> str:
    """The cells, to the last of which belongs what stands in lines below it."""
    return f"| {' | '.join([*row[:-1], ' '.join((row[-1], *below))])} |"


def _add_wiki_cell(cell: str, row: list[str], spanned: Spanned) -> None:
    """As many cells as it spans columns, behind the places that cells above take."""
    row += spanned.taken()
    text = _wiki_cell(cell)
    columns, rows = _spans(cell.partition("|")[0])
    spanned.add(text, columns, rows)
    row += [text] * columns


def _wiki_cell(cell: str) -> str:
    """Without the attributes in front: `style="..." | 5000`."""
    return cell.rpartition("|")[2].strip() if "=" in cell.partition("|")[0] else cell.strip()


def _split_tags(line: str) -> list[str]:
    """The lines that a line with tags stands for; an end of a table leaves an empty one, other tags none."""
    if "<" not in line:
        return [line]
    if "colspan" in line:
        line = _SPANNING.sub(_repeated_cell, line)
    if _is_markdown_row(line):
        line = _BREAK.sub(" ", line)
    if "<t" in line and _IN_CELL.search(line):
        line = _ROW.sub(lambda row: _IN_CELL.sub(" ", row[0]), line)
    if "<h" in line or "<H" in line:
        line = _RANKED.sub(_marked_heading, line)
    parts = _TAG.sub(_tag_text, line).split("\n")
    return [part.replace("\0", "") for part in parts if part.strip()] if len(parts) > 1 else parts


def _marked_heading(match: re.Match[str]) -> str:
    return f"{match[0]}{'#' * int(match['rank'])} "


def _repeated_cell(match: re.Match[str]) -> str:
    """A cell over several columns stands in each of them."""
    return f"<{match['name']}>{match['cell']}</{match['name']}>" * int(match["count"])


def _is_markdown_row(line: str) -> bool:
    """A line from bar to bar, or of a wiki's cells, in which a break parts words only."""
    text = line.strip()
    if text.startswith(("|", "!")) and ("||" in text or "!!" in text):
        return True
    return text.startswith("|") and text.endswith("|") and text.count("|") > 2


def _tag_text(match: re.Match[str]) -> str:
    name = (match["name"] or "").lower()
    closes = match[0].startswith("</")
    if name in ("td", "th"):
        return "" if closes else " | "
    if name == "table":
        return "\n\0\n"
    if name == "tr":
        return " |\n" if closes else "\n"
    if name and re.fullmatch(_INLINE, name) is None:
        return "\n"
    return ""


def _unescaped(line: str) -> str:
    """Entities, also those that were escaped twice: "&amp;lt;"."""
    for _ in range(2):
        if not _ENTITY.search(line):
            break
        line = html.unescape(line)
    return line
