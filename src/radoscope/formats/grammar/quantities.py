"""Numbers and rates as tools and people print them -> plain numbers; what is not a finite number is None."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from radoscope import patterns as re
from radoscope.formats.grammar.alternatives import Alternatives
from radoscope.records.measurement import Latency, Series

MIB = 2.0**20
BITS = (125.0, 1.25e5, 1.25e8)
"""Bytes in a kbit, Mbit and Gbit: the factor of a rate that counts bits."""

_PLAIN = re.compile(r"[+-]?\d{1,30}(?:\.\d{0,40})?(?:[eE][+-]?\d{1,3})?|[+-]?\.\d{1,40}")
_COMMA_DECIMAL = re.compile(r"[+-]?\d{1,30},\d{1,40}")
_POINT_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3}){1,8}(?:,\d{1,40})?")
_COMMA_GROUPS = re.compile(r"[+-]?\d{1,3}(?:,\d{3}){1,8}(?:\.\d{1,40})?")
_BLANK_GROUPS = re.compile(r"[+-]?\d{1,3}(?:[ '’]\d{3}){1,8}(?:[.,]\d{1,40})?")
_DECIMAL_COMMA_SIGN = re.compile(r"(?<![\d.,A-Za-z])(?:0,\d+|\d{1,3}(?:\.\d{3})+,\d+|\d+,(?:\d{1,2}|\d{4,}))(?![\d.,])")
_COMMA_LANGUAGES = Alternatives(
    r"durchsatz|latenz|lesen|schreiben|zufällig|messung|mittlere|blockgr|задержк|запис|чтени|скорост|débit|latence"
    r"|lecture|écriture|lectura|escritura|odczyt|zapis|opóźni|čten|zápis|lettura|scrittura|leitura|escrita"
    r"|(?<!\w)(?:grava\w*|gravou|leu|escrev\w+|escrib\w+|lee|lê|leio|scriv\w+|legg\w+|liest|las|schreibt|schrieb|czyta"
    r"|zapisuje|pisze"
    r"|čte|píše|läser|skriver|leest|schrijf\w*|schreef|écrit|đọc)(?!\w)|читает|пишет|читає|пише"
    r"|geschwindigkeit|vitesse|velocidad|velocità|prędkoś|rychlost|snelheid|hastighe[dt]"
    r"|okuma|yazma|gecikme|затримк|olvasás|írás|lezen|schrijven|läsning|skriv|citire|scriere|tuần tự|ngẫu nhiên"
    r"|читанн|випадков|послідовн|случайн|willekeurig|latentie|bandbre(?:ite|edte|dd)|slumpm|medellatens|losow|przepust"
    r"|náhodn|sekven[čc]n|propustnost|rast?gele|sıralı|ardışık|aleat[óo]ri[oa]|largura de banda|bande passante"
)
_DECIMAL_POINT = re.compile(r"(?<![\d.,])\d+\.(?:\d{1,2}|\d{4,})(?![\d.,])|,\d{3}\.\d")
_VERSION = re.compile(
    r"[A-Za-z][\w-]* v?\d+(?:\.\d+)+(?!\d|[.,]\d| ?(?:[kmg]i?b|[mun]?s(?:ec)?\b|%|x(?! ?\d)|k?iops))", re.IGNORECASE
)
""" "fio 3.36" has no decimal point."""
_POINTED_IOPS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}\.\d{3} ?IOPS", re.IGNORECASE)
"""Two and no other decimals: nobody measures thousandths of an operation a second each time."""

_RATE_UNIT = re.compile(
    r"(?P<scale>[kKmMgGtT]?)(?P<binary>[iI]?)(?P<what>[bB]its?|[bB]ytes?|[bB])(?:/s(?:ec(?:ond)?)?|ps|/秒|/sek|/с)?"
)
_POWER = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5, "e": 6}
_SECONDS = {
    "s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0, "ms": 1e-3, "msec": 1e-3, "us": 1e-6,
    "usec": 1e-6, "µs": 1e-6, "μs": 1e-6, "ns": 1e-9, "nsec": 1e-9,
    "m": 60.0, "min": 60.0, "minutes": 60.0, "h": 3600.0,
}  # fmt: skip
_DURATION = re.compile(r"(?:(\d+)h:?)?(?:(\d+)m(?!s):?)?([\d.]+)(m?)s")


def finite(value: object) -> float | None:
    """A JSON value that may be a number or a number as text -> float; None for nan, inf, 1e400 and everything else."""
    if isinstance(value, str):
        return number(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        result = float(value)
    except OverflowError:
        return None
    return result if math.isfinite(result) else None


def count(value: object) -> int | None:
    """As finite(), for whole numbers that are not negative."""
    result = finite(value)
    return int(result) if result is not None and result >= 0 and result == int(result) else None


def digits_of(value: float) -> str:
    """The first three without zeros at the end, as people round: "28" of 28,000, "2" of 0.2, "" of 0."""
    return f"{value:.2e}".partition("e")[0].replace(".", "").rstrip("0")


def number(text: str, decimal_comma: bool = False) -> float | None:
    """The one number that the text consists of, else None.

    decimal_comma says how the surrounding page writes: "1,234" is 1.234 there and 1234 elsewhere. A comma that cannot
    part thousands ("0,0468404", "12,5") is a decimal comma everywhere.
    """
    text = text.strip().replace("\u00a0", " ").replace("\u202f", " ")
    if len(text) > 60:
        return None
    if decimal_comma and _POINT_GROUPS.fullmatch(text):
        text = text.replace(".", "").replace(",", ".")
    elif _PLAIN.fullmatch(text):
        pass
    elif not decimal_comma and not text.startswith("0,") and _COMMA_GROUPS.fullmatch(text):
        text = text.replace(",", "")
    elif _COMMA_DECIMAL.fullmatch(text):
        text = text.replace(",", ".")
    elif _POINT_GROUPS.fullmatch(text) and ("," in text or text.count(".") > 1):
        text = text.replace(".", "").replace(",", ".")
    elif _BLANK_GROUPS.fullmatch(text):
        text = re.sub("[ '’]", "", text).replace(",", ".")
    else:
        return None
    value = float(text)
    return value if math.isfinite(value) else None


_COMMAS, _THOUSANDS = re.compile(r"(?<![\d.,])\d+(?:,\d+)+"), re.compile(r"[1-9]\d{0,2}(?:,\d{3})+")
_MANY = 4
"""So many numbers with three digits behind each comma, and none with others, are in thousands in any language."""


def writes_decimal_commas(text: str) -> bool:
    """Does the page part decimals by a comma: is there a number that can be read in no other way?"""
    return _DECIMAL_COMMA_SIGN.search(text) is not None


_DAMAGED, _SOUND = re.compile(r"[1-9]\d{0,2},\d{1,2}"), 3
"""A comma that parts thousands has lost a digit behind it where so many times as many numbers are whole."""


def has_damaged_thousands(text: str) -> bool:
    """Of whole numbers in thousands has one lost a digit? No sign where the language writes decimal commas."""
    commas = _COMMAS.findall(text)
    damaged = [each for each in commas if not _THOUSANDS.fullmatch(each)]
    few = 0 < _SOUND * len(damaged) <= len(commas) - len(damaged)
    return few and all(map(_DAMAGED.fullmatch, damaged)) and _COMMA_LANGUAGES.search(text) is None


def decimal_commas(text: str) -> bool:
    """Does a text of people write decimal commas: a number that can be read in no other way, or its language."""
    text = _VERSION.sub("", text)
    if writes_decimal_commas(text):
        return True
    commas = _COMMAS.findall(text)
    if _DECIMAL_POINT.search(text) or (len(commas) >= _MANY and all(map(_THOUSANDS.fullmatch, commas))):
        return False
    return _COMMA_LANGUAGES.search(text) is not None or _POINTED_IOPS.search(text) is not None


def bytes_per_s(value: float | None, unit: str, mega_is_binary: bool = False) -> float | None:
    """938 "MB/s" -> 938e6; "MiB/s" and "GiBytes/sec" are 1024-based, "Mbits/sec" counts bits.

    mega_is_binary: the tool writes MB and means MiB. None for an unknown unit or value.
    """
    match = _RATE_UNIT.fullmatch(unit.strip())
    if match is None or value is None:
        return None
    what = match["what"]
    is_bits = what.lower().startswith("bit") or (what == "b" and not match["scale"].islower())  # "mb/s" means bytes
    base = 1024.0 if match["binary"] or (mega_is_binary and not is_bits) else 1000.0
    return value * base ** _POWER[match["scale"].lower()] / (8 if is_bits else 1)


def prefixed(text: str, unit: str, base: float) -> float | None:
    """ "1.5", "KiB" by 1024 -> 1536.0: a number by the first letter of its unit, which may have none; None for none."""
    return scaled(number(text), base ** _POWER.get(unit[:1].lower(), 0))


def seconds(value: float | None, unit: str) -> float | None:
    """1.51 "ms" -> 0.00151; None for an unknown unit or value."""
    factor = _SECONDS.get(unit.strip().lower())
    return None if factor is None else scaled(value, factor)


def duration(text: str) -> float | None:
    """ "1m59.954s" -> 119.954, "82ms" -> 0.082."""
    match = _DURATION.fullmatch(text)
    rest = number(match[3]) if match else None
    if match is None or rest is None:
        return None
    return int(match[1] or 0) * 3600 + int(match[2] or 0) * 60 + rest * (1e-3 if match[4] else 1)


def scaled(value: float | None, factor: float) -> float | None:
    """value * factor, None stays None."""
    return None if value is None else value * factor


def latency(
    *,
    min_s: float | None = None,
    mean_s: float | None = None,
    max_s: float | None = None,
    stddev_s: float | None = None,
    percentiles_s: Mapping[float, float | None] | None = None,
) -> Latency | None:
    """A Latency, or None where nothing is known."""
    known = {percent: value for percent, value in (percentiles_s or {}).items() if value is not None}
    if min_s is None and mean_s is None and max_s is None and stddev_s is None and not known:
        return None
    return Latency(min_s=min_s, mean_s=mean_s, max_s=max_s, stddev_s=stddev_s, percentiles_s=known)


def series(name: str, unit: str, points: Iterable[tuple[float, float | None]]) -> tuple[Series, ...]:
    """The known ones of (time, value) as one Series; none where there is no such point."""
    known = [(time, value) for time, value in points if value is not None]
    if not known:
        return ()
    return (Series(name, unit, tuple(time for time, _ in known), tuple(value for _, value in known)),)
