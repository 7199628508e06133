"""Sentences in words that others understand: "380 writes/s" is "380 IOPS write"."""

from __future__ import annotations

from itertools import pairwise

from radoscope import patterns as re
from radoscope.formats.grammar.phrases import RATE
from radoscope.formats.told.notation import A_VALUE, NUMBER, UNIT

_COUNTED_WAY = re.compile(
    rf"(?P<number>(?<![\w.,]){NUMBER}) ?(?P<way>reads?|writes?) ?/ ?s(?:ec(?:ond)?)?(?![\w/])", re.IGNORECASE
)
""" "1200 reads/s and 380 writes/s"."""
_OSD_BENCH = re.compile(r"(?<![\w-])osd[\w.*]*[- ]bench", re.IGNORECASE)
_OSD_WITH_RATE = re.compile(
    r"(?<![\w-])(?P<osd>osd\.\d{1,5})(?: bench)?"
    rf"(?=(?: ?[=:]| gave| got| gives| is| was| only| about| at| and got){{0,2}} ?[~≈]?{NUMBER} ?(?:{RATE}|IOPS))",
    re.IGNORECASE,
)
""" "OSD bench: osd.0 210 MB/s, osd.1 48 MB/s" writes."""
_SETTING = re.compile(
    rf"(?P<setting>(?<![\w-])(?:seq|rand|rnd)?[-_]?(?:read|write)={NUMBER} ?{UNIT}) "
    r"(?=(?:seq|rand|rnd)?[-_]?(?:read|write)=\d)",
    re.IGNORECASE,
)
""" "seqread=1.2GB/s seqwrite=410MB/s randread=38kIOPS"."""
_FILES_EACH = re.compile(
    r"(?<![\w.,])(?P<files>\d{1,4}) (?:files|images|volumes), (?:1|one|a single) (?P<jobs>thread|job|process) each",
    re.IGNORECASE,
)
""" "16 files, 1 thread each"."""
_TOOL_IN_BRACKETS = re.compile(r"(?<=[(（])(?:dd|fio),? (?=\w+=)")
""" "98 MB/s (dd bs=1M oflag=direct)"."""
_FROM_WAY_TO = re.compile(
    rf"\bfrom (?P<first>{A_VALUE}) "
    r"(?P<way>(?:random |sequential )?(?:reads?|writes?)(?: (?:throughput|speed|performance|bandwidth))?) "
    rf"(?:down |up )?to (?P<second>{NUMBER} ?{UNIT})",
    re.IGNORECASE,
)
""" "from 17 GB/s write throughput down to 3.1 GB/s"."""
_FROM_TO_OF_WAY = re.compile(
    rf"\bfrom (?P<first>{A_VALUE}) to (?P<second>{NUMBER} ?{UNIT}) (?:for |in |on |with )?(?:the )?"
    r"(?P<way>(?:random |sequential )?(?:reads?|writes?))(?![\w/])",
    re.IGNORECASE,
)
""" "from 1.1 GB/s to 640 MB/s for reads and from 900 MB/s to 610 MB/s for writes"."""
_CHANGE = re.compile(
    r"(?<![\w-])(?P<name>iops|bw|bandwidth|throughput|(?:(?:avg|mean) )?(?:c?lat|latency)) ?[:=]? ?"
    r"(?:went |goes |is |was |from ){0,2}"
    rf"(?P<first>{A_VALUE}) ?(?:-{{1,2}}>|=>|→) ?(?P<second>{A_VALUE})",
    re.IGNORECASE,
)
""" "iops: 5.2k -> 9.8k, lat: 6.1ms -> 3.2ms"."""


def in_usual_words(text: str) -> str:
    """Each of these told as most people tell it; others as they are."""
    text = _COUNTED_WAY.sub(r"\g<number> IOPS \g<way>", text)
    text = _OSD_WITH_RATE.sub(r"\g<osd> write", text) if _OSD_BENCH.search(text) else text
    text = _SETTING.sub(r"\g<setting>, ", text)
    text = _FILES_EACH.sub(r"\g<files> \g<jobs>s", _TOOL_IN_BRACKETS.sub("", text))
    text = _FROM_WAY_TO.sub(r"\g<way> from \g<first> to \g<second>", text)
    if len({match["way"].lower() for match in _FROM_TO_OF_WAY.finditer(text)}) > 1:
        text = _FROM_TO_OF_WAY.sub(r"\g<way> \g<first>, \g<way> \g<second>", text)
    return _before_and_after(text)


def _before_and_after(text: str) -> str:
    """All quantities before a change, then all behind it."""
    changes = list(_CHANGE.finditer(text))
    are_apart = all(
        text[one.end() : other.start()].strip() in (",", ";", "and", ", and") for one, other in pairwise(changes)
    )
    if len({change["name"].lower() for change in changes}) < max(len(changes), 2) or not are_apart:
        return text
    before, behind = text[: changes[0].start()], text[changes[-1].end() :]
    told = (", ".join(f"{change['name']} {change[side]}" for change in changes) for side in ("first", "second"))
    return "; ".join(f"{before}{values}{behind}" for values in told)
