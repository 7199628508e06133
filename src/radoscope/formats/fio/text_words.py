"""The sentences of fio's normal output, as patterns, and the numbers in them. fio 2.x to 3.42.

No pattern asks for a line's beginning, blanks or line ends: pages lose leading blanks, collapse columns, wrap lines and
sometimes print everything in one. All repetitions are bounded, so that no input makes them slow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from radoscope import patterns as re
from radoscope.formats.fio.words import DIRECTIONS, parse_size

_S = r"\s{0,40}"
_WORD = r"([^\s,;()\]]{0,40})"


def _sentence(wording: str) -> re.Pattern[str]:
    """A wording as a pattern: blanks may stand around each equals sign and before commas, but in character classes."""
    loose = re.sub(r"(\[[^\]]*\])|=(?:\\s\{0,40\})?", lambda found: found[1] or r"\s{0,4}=\s{0,40}", wording)
    loose = re.sub(r",(?=\\s\{0,40\})", r"\\s?,", loose)  # fio 2.x: "iops=37 , runt="
    return re.compile(re.sub(r"^\\b(\(?)([a-zA-Z|]+)", _begun_by_letters, loose))


def _begun_by_letters(begin: re.Match[str]) -> str:
    """Words at whose beginning a word begins, that asked behind their first letter: so re finds them by letters, ten
    times as fast."""
    return begin[1] + "|".join(f"{word[0]}(?<!\\w{word[0]}){word[1:]}" for word in begin[2].split("|"))


_WORDINGS = {
    "version": (r"\bfio-(\d{1,2}\.\d{1,3}[\w.-]{0,30})"),
    "heading": (
        rf"\(g=(\d{{1,5}})\):{_S}rw=(\w{{1,20}}),{_S}bs=([^=]{{0,200}}),{_S}ioengine=([^,\s]{{1,60}}),{_S}iodepth={_S}(\d{{1,7}})"
    ),
    "job": (
        rf"\(groupid=(\d{{1,5}}),{_S}jobs={_S}{_WORD}\){_S}:{_S}err={_S}(-?\d{{1,9}})"
        rf"(?:{_S}\(([^)]{{0,200}})\))?(?:{_S}:{_S}pid=(\d{{1,10}}))?"
    ),
    "direction": (
        rf"\b(read|write|trim|mixed){_S}:{_S}IOPS={_S}{_WORD},{_S}BW={_S}{_WORD}"
        rf"(?:{_S}\({_WORD}\))?(?:{_S}\(([\d.]{{1,20}}[kKMGTP]?i?B)/{_S}(\d{{1,15}})(msec|sec|usec)\))?"
    ),
    "direction2": (
        rf"\b(read|write|trim|mixed){_S}:{_S}io={_S}{_WORD},{_S}bw={_S}([\d.]{{1,20}}{_S}[^\s,;]{{0,8}}),{_S}iops={_S}{_WORD},"
        rf"{_S}runt={_S}(\d{{1,15}}){_S}(msec|sec|usec)"
    ),
    "latency": (
        rf"\b(slat|clat|lat|sync){_S}\((nsec|usec|msec|sec)\){_S}:{_S}min={_S}{_WORD},{_S}max={_S}{_WORD},{_S}avg={_S}{_WORD}"
        rf"(?:,{_S}stdev={_S}{_WORD})?"
    ),
    "mean": (
        r"\b(lat|clat|latency)[ _.]{0,2}(?:\(?(?:avg|mean)\)?)?\s{0,4}[=:]\s{0,4}"
        r"(\d[\d.]{0,12})\s?(nsec|usec|msec|sec|ns|us|µs|μs|ms|s)\b"
    ),
    "percentiles": (r"(?<!\S)(\S{1,80})\s{1,40}percentiles\s{0,40}\((nsec|usec|msec|sec)\)"),
    "percentile": (rf"\b(\d{{1,3}}(?:\.\d{{1,6}})?)th={_S}(?:\[{_S}{_WORD}{_S}\]|(\d{{1,12}})[ \t]{{0,9}}[,\n])"),
    "issued": (rf"\bissued{_S}(?:rwts?|r/w/d)?{_S}:{_S}total=([\d,=/rwdts]{{1,120}})"),
    "depth": (
        rf"\blatency{_S}:{_S}target={_S}0,{_S}window=\d{{1,20}},{_S}percentile=[\d.]{{1,20}}%,{_S}depth=(\d{{1,7}})"
    ),
    "cpu": (rf"\bcpu{_S}:{_S}usr={_S}([\d.]{{1,12}})%,{_S}sys={_S}([\d.]{{1,12}})%(?:,{_S}ctx=(\d{{1,15}}))?"),
    "bandwidths": (
        rf"\bbw{_S}\({_S}([KMG]i?B/s)\){_S}:{_S}min={_S}{_WORD},{_S}max={_S}{_WORD},(?:{_S}per={_S}{_WORD},)?{_S}avg={_S}{_WORD}"
    ),
    "rates": (rf"\biops{_S}:{_S}min={_S}{_WORD},{_S}max={_S}{_WORD},{_S}avg={_S}{_WORD},{_S}stdev={_S}{_WORD}"),
    "depths": (rf"\bIO\s{{1,9}}depths{_S}:{_S}((?:[>=\d]{{1,6}}=[\d.]{{1,8}}%,?{_S}){{1,9}})"),
    "total": (
        r"\b(READ|WRITE|TRIM|MIXED)\s{0,40}:\s{0,40}bw=\s{0,40}([^\s,(]{1,40})"
        r"(?:[^:]{0,160}?\brun=(?:\d{1,15}-)?(\d{1,15})\s?msec)?"
    ),
    "total2": (
        rf"\b(READ|WRITE|TRIM|MIXED){_S}:{_S}io={_S}{_WORD},{_S}aggrb={_S}([\d.]{{1,20}}{_S}[^\s,;]{{0,8}}),[^:]{{0,100}}?\bmaxt={_S}(\d{{1,15}})msec"
    ),
    "status": (r"\bRun\s{1,9}status\s{1,9}group\s{1,9}(\d{1,5})"),
    "disk": (r"(?<!\S)(\S{1,80}):\s{0,9}ios=\d{1,20}/\d{1,20},[^:]{0,200}?\butil=\s{0,9}(\d{1,3}(?:\.\d{1,4})?)%"),
}
SENTENCES: dict[str, re.Pattern[str]] = {kind: _sentence(wording) for kind, wording in _WORDINGS.items()}
"""Name -> pattern. A "2" marks the words of fio 2.x, whose KB and MB are powers of 1024."""

SECONDS = {
    "nsec": 1e-9, "usec": 1e-6, "msec": 1e-3, "sec": 1.0, "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3,
    "s": 1.0,
}  # fmt: skip

_WIDE = str.maketrans("，：；（）［］＝％．", ",:;()[]=%.")
_GUTTER = re.compile(r"^(?:<[^>]{1,80}>\s*|[>|│*•\s]+|-\s+|\d{1,5}(?:[:.]\s|\s{2,}))+")
_NUMBER = re.compile(r"(\d{1,18}(?:\.\d{1,12})?)([kKMGT]?)", re.ASCII)
_AMOUNT = re.compile(r"(\d{1,18}(?:\.\d{1,12})?)\s?([kKMGTP]?)(i?)B?(?:/s(?:ec)?)?", re.ASCII)
_THOUSANDS = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
_POWERS = " kmgtp"
_DOUBLED = re.compile(r"^(\d{1,7}[kKmM]i?B?)\1$")
"""A range whose dash a page has lost: "4K4K"."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of fio that was found: its kind, the pattern's groups, and where it stands in the text."""

    kind: str
    words: tuple[str | None, ...]
    start: int
    end: int


def sentences(text: str) -> Iterator[Sentence]:
    """All sentences in the order of the text."""
    found = [
        Sentence(kind, match.groups(), match.start(), match.end())
        for kind, pattern in SENTENCES.items()
        for match in pattern.finditer(text)
    ]
    return iter(sorted(found, key=lambda sentence: sentence.start))


def narrow(text: str) -> str:
    """The same text, as long as before, with the full-width punctuation of East Asian pages made plain."""
    return text if text.isascii() else text.translate(_WIDE)


def number(text: str | None) -> float | None:
    """ "12.3k" -> 12300.0, "1481.4k", "15702M"; None for a damaged one, and for nan and inf."""
    match = _NUMBER.fullmatch(text or "")
    return float(match[1]) * _THOUSANDS[match[2].lower()] if match else None


def amount(text: str | None, *, binary: bool) -> float | None:
    """ "4796KiB/s", "150MB/s", "512B/s" -> bytes (a second). binary: KB and MB are powers of 1024, as in fio 2.x."""
    match = _AMOUNT.fullmatch((text or "").strip())
    if match is None:
        return None
    base = 1024 if match[3] or binary else 1000
    return float(match[1]) * float(base ** _POWERS.index(match[2].lower() or " "))


def block_sizes(text: str) -> dict[str, int | None]:
    """Direction -> bytes of one I/O, from a heading's `bs=`; a range of sizes has none.

    fio 3.x: "(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B"; 2.x: "4K-4K/4K-4K/4K-4K" or "4K-4K".
    """
    marked = re.findall(r"\(([RWT])\)\s*([^\s,\-]{1,20})-([^\s,\-]{1,20})", text)
    if marked:
        by_letter = {letter: _one_size(low, high) for letter, low, high in marked}
        return {direction: by_letter.get(direction[0].upper()) for direction in DIRECTIONS}
    ranges = [_DOUBLED.sub(r"\1-\1", part.strip()).split("-") for part in text.split("/")]
    sizes = [_one_size(ends[0], ends[-1]) for ends in ranges]
    return {direction: sizes[min(place, len(sizes) - 1)] for place, direction in enumerate(DIRECTIONS)}


def _one_size(low: str, high: str) -> int | None:
    return parse_size(low) if low == high else None


def issued_counts(text: str) -> dict[str, int]:
    """Direction -> I/Os, from "2399,0,0,0" (3.x) or "r=10258/w=0/d=0," (2.x)."""
    parts = re.findall(r"\d{1,18}", text)
    return {direction: int(count) for direction, count in zip(DIRECTIONS, parts, strict=False)}


def name_before(text: str, position: int) -> str:
    """The job's name in front of "(g=0)" or "(groupid=0": on its line, without hosts and marks."""
    line = text[max(text.rfind("\n", 0, position) + 1, position - 200) : position]
    name = line.rstrip().removesuffix(":").rsplit(": ", 1)[-1].strip()
    if "=" in name or "%" in name:
        name = name.split()[-1]  # other sentences on the same line, for the page lost its line ends
    return _GUTTER.sub("", name)
