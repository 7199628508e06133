"""English. Another language is another file with the same names."""

from __future__ import annotations

from collections.abc import Mapping

TITLES: Mapping[str, str] = {
    "verdict": "Verdict",
    "response": "Latency against load",
    "times": "Where the time went",
    "ladder": "The ladder: disk, network, RADOS, RBD",
    "table": "All cells",
    "latency": "Latency distribution",
    "series": "Over time",
    "scaling": "Several images at once",
    "findings": "Findings",
    "checks": "Checks",
    "place": "Where it was measured",
    "reproduce": "How to reproduce it",
}

SHORT_TITLES: Mapping[str, str] = {
    "response": "Load",
    "times": "Time split",
    "ladder": "Ladder",
    "table": "Cells",
    "latency": "Latency",
    "series": "Time",
    "scaling": "Scaling",
    "findings": "Findings",
    "place": "Where",
    "reproduce": "Reproduce",
}

LEADS: Mapping[str, str] = {
    "response": "I/Os arrived at random moments at a fixed rate. Each mark is a rate, whiskers are 95 % intervals; a "
    "cross is a rate that was not achieved.",
    "ladder": "What one I/O loses on its way up, and what large blocks keep. Whiskers are 95 % intervals.",
    "table": "Mean values over all segments of a cell, with the 95 % interval of the mean. MB/s are 10⁶ bytes/s, "
    "latencies are milliseconds. The number beside a stamp refers to the finding behind it.",
    "latency": "Each curve shows how slow the slowest share of all I/Os was, from histograms merged over all segments "
    "and images. It ends where fewer than ten slower I/Os were seen.",
    "series": "Every measured second. Cells take turns in short segments, so a drift of the machine "
    "affects them all. In the small charts the segments stand side by side, with the minute when each began; the "
    "dashed line is the cell's mean, the band its interval.",
    "scaling": "The same load on n images at once, compared with n times one image.",
    "checks": "Every cell is checked against the rules for common mistakes; checks that could not be made are named.",
    "findings": "What the evidence shows, when it would not hold, and what to try next.",
    "place": "As captured on the hosts and from the monitors. Anything missing could not be captured.",
    "reproduce": "The study as one command, then every command that it ran, verbatim.",
}

NO_DATA: Mapping[str, str] = {
    "verdict": "Nothing was measured.",
    "ladder": "No cell of this study has one I/O in flight or large blocks, so there is no ladder to draw.",
    "table": "This study has no cells.",
    "latency": "No cell has a latency histogram or percentiles.",
    "series": "No cell has a per-second series.",
    "scaling": "This study did not load more than one image at once.",
    "checks": "There are no cells to check.",
    "findings": "No rule found anything. That does not prove that everything is fine.",
    "place": "Nothing was captured about where this was measured.",
    "reproduce": "There are no commands to repeat.",
}

SEVERITIES: Mapping[str, str] = {
    "invalid": "invalid",
    "doubtful": "doubtful",
    "note": "note",
    "cause": "cause",
    "sound": "no cause",
    "limit": "limit",
    "symptom": "symptom",
}
"""By the label of a finding."""
