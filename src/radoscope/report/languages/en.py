"""English. Another language is another file with the same names."""

from __future__ import annotations

from collections.abc import Mapping

TITLES: Mapping[str, str] = {
    "verdict": "Verdict",
    "scenario": "A fault in the middle of the load",
    "osds": "Every OSD's own bench",
    "response": "Latency against load",
    "ladder": "The ladder: disk, network, RADOS, RBD",
    "table": "All cells",
    "latency": "Latency, down to the rare ones",
    "series": "Over time",
    "scaling": "Several images at once",
    "findings": "Findings",
    "checks": "What was checked",
    "place": "Where it was measured",
    "reproduce": "How to measure it again",
}

SHORT_TITLES: Mapping[str, str] = {
    "scenario": "Fault",
    "osds": "OSDs",
    "response": "Load",
    "ladder": "Ladder",
    "table": "Cells",
    "latency": "Latency",
    "series": "Time",
    "scaling": "Scaling",
    "findings": "Findings",
    "place": "Where",
    "reproduce": "Again",
}

LEADS: Mapping[str, str] = {
    "response": "I/Os came at a fixed rate, at random moments. Each mark is a rate, whiskers are 95 % intervals; a "
    "cross is a rate that was not achieved.",
    "osds": "Writes of 4 KiB within each OSD, one OSD at a time, in another random order each round. An OSD is slower "
    "than its peers when its whole interval is below 85 % of their median.",
    "scenario": "I/Os per second, counted from the fault. This is one run of one event: how much another run would "
    "differ is not known.",
    "ladder": "What one I/O loses on its way up, and what large blocks keep. Whiskers are 95 % intervals.",
    "table": "Mean values over all segments of a cell, with the 95 % interval of the mean. MB/s are 10⁶ bytes/s, "
    "latencies are milliseconds. The number beside a stamp is the finding that gave it.",
    "latency": "Each curve shows how slow the slowest share of all I/Os was, from histograms merged over all segments "
    "and images. It ends where fewer than ten slower I/Os were seen.",
    "series": "Every second that was measured. Cells take turns in short segments, so that a drift of the machine "
    "meets them all. In the small pictures the segments stand side by side, with the minute when each began; the "
    "dashed line is the cell's mean, the band its interval.",
    "scaling": "The same load on n images at once, beside n times what one image does.",
    "checks": "Every cell is held against the rules for common mistakes; what could not be seen from here is named.",
    "findings": "What the evidence shows, what would make it untrue, and what to try next.",
    "place": "As captured on the hosts and from the monitors. What is not here could not be captured.",
    "reproduce": "The study as one command; beneath it every command that it ran, as it ran.",
}

NO_DATA: Mapping[str, str] = {
    "verdict": "Nothing was measured.",
    "ladder": "No cell of this study has one I/O in flight or large blocks, so there is no ladder to draw.",
    "table": "This study has no cells.",
    "latency": "No cell has a latency histogram or percentiles.",
    "series": "No cell has a per-second series.",
    "scaling": "This study did not load more than one image at once.",
    "checks": "There is no cell to check.",
    "findings": "No rule found anything to remark. That is not a proof that all is well.",
    "place": "Nothing was captured about the place of this measurement.",
    "reproduce": "There are no commands to repeat.",
}

SEVERITIES: Mapping[str, str] = {"invalid": "invalid", "doubtful": "doubtful", "note": "note"}
