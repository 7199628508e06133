"""What stands above the sections of a report, and in their place where there is no data."""

from __future__ import annotations

from collections.abc import Mapping

from radoscope.words import N_, _

TITLES: Mapping[str, str] = {
    "verdict": N_("Verdict"),
    "response": N_("Latency against load"),
    "times": N_("Where the time went"),
    "ladder": N_("The ladder: disk, network, RADOS, RBD"),
    "table": N_("All cells"),
    "latency": N_("Latency distribution"),
    "series": N_("Over time"),
    "scaling": N_("Several images at once"),
    "findings": N_("Findings"),
    "checks": N_("Checks"),
    "place": N_("Where it was measured"),
    "reproduce": N_("How to reproduce it"),
}

SHORT_TITLES: Mapping[str, str] = {
    "response": N_("Load"),
    "times": N_("Time split"),
    "ladder": N_("Ladder"),
    "table": N_("Cells"),
    "latency": N_("Latency"),
    "series": N_("Time"),
    "scaling": N_("Scaling"),
    "findings": N_("Findings"),
    "place": N_("Where"),
    "reproduce": N_("Reproduce"),
}

LEADS: Mapping[str, str] = {
    "response": N_(
        "I/Os arrived at random moments at a fixed rate. Each mark is a rate, whiskers are 95 % intervals; a "
        "cross is a rate that was not achieved."
    ),
    "ladder": N_("What one I/O loses on its way up, and what large blocks keep. Whiskers are 95 % intervals."),
    "table": N_(
        "Mean values over all segments of a cell, with the 95 % interval of the mean. MB/s are 10⁶ bytes/s, "
        "latencies are milliseconds. The number beside a stamp refers to the finding behind it."
    ),
    "latency": N_(
        "Each curve shows how slow the slowest share of all I/Os was, from histograms merged over all segments "
        "and images. It ends where fewer than ten slower I/Os were seen."
    ),
    "series": N_(
        "Every measured second. Cells take turns in short segments, so a drift of the machine "
        "affects them all. In the small charts the segments stand side by side, with the minute when each began; the "
        "dashed line is the cell's mean, the band its interval."
    ),
    "scaling": N_("The same load on n images at once, compared with n times one image."),
    "checks": N_(
        "Every cell is checked against the rules for common mistakes; checks that could not be made are named."
    ),
    "findings": N_("What the evidence shows, when it would not hold, and what to try next."),
    "place": N_("As captured on the hosts and from the monitors. Anything missing could not be captured."),
    "reproduce": N_("The study as one command, then every command that it ran, verbatim."),
}

NO_DATA: Mapping[str, str] = {
    "verdict": N_("Nothing was measured."),
    "ladder": N_("No cell of this study has one I/O in flight or large blocks, so there is no ladder to draw."),
    "table": N_("This study has no cells."),
    "latency": N_("No cell has a latency histogram or percentiles."),
    "series": N_("No cell has a per-second series."),
    "scaling": N_("This study did not load more than one image at once."),
    "checks": N_("There are no cells to check."),
    "findings": N_("No rule found anything. That does not prove that everything is fine."),
    "place": N_("Nothing was captured about where this was measured."),
    "reproduce": N_("There are no commands to repeat."),
}

SEVERITIES: Mapping[str, str] = {
    "invalid": N_("invalid"),
    "doubtful": N_("doubtful"),
    "note": N_("note"),
    "cause": N_("cause"),
    "sound": N_("no cause"),
    "limit": N_("limit"),
    "symptom": N_("symptom"),
}
"""By the label of a finding."""


def title(section: str) -> str:
    return _(TITLES[section])


def no_data(section: str) -> str:
    """What a report says in place of a section without data."""
    return _(NO_DATA[section])
