"""Runs that failed, ended early, were too short or had not settled."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from radoscope.explain.command import fio_again, rados_again
from radoscope.explain.evidence import CellEvidence, ResultEvidence
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Layer, Operation
from radoscope.records.measurement import Series
from radoscope.records.study import Outcome
from radoscope.stats.values import Undecided
from radoscope.units import format_bytes, format_count, format_seconds
from radoscope.words import _

PING_RIGHT = "sudo sysctl net.ipv4.ping_group_range='0 2147483647' (Debian 13: package linux-sysctl-defaults)"
"""What lets every user send pings, where the program `ping` has no right of its own to."""

# Segments that failed: what is left may be the lucky part.


def _failures_of_cell(evidence: CellEvidence) -> Verdict:
    segments = evidence.study.segments_of(evidence.cell.name)
    failed = [segment for segment in segments if segment.outcome is Outcome.FAILED]
    if not failed:
        return None
    problems = tuple(dict.fromkeys(segment.problem for segment in failed if segment.problem))
    none_left = len(failed) == len(segments)
    no_right = any("ping: socket: Operation not permitted" in problem for problem in problems)
    return Finding(
        claim=_("The cell could not be measured.") if none_left else _("Some segments of the cell failed."),
        because=(_("{failed} of {all} segments failed", failed=len(failed), all=len(segments)), *problems[:2]),
        severity=Severity.INVALID if none_left else Severity.DOUBTFUL,
        role=Role.SYMPTOM,
        try_next=_("Let this user send pings: {command}", command=PING_RIGHT)
        if no_right
        else _("Read the tool's own output in the bundle's raw files."),
    )


def _failures_of_result(evidence: ResultEvidence) -> Verdict:
    """fio reports errno in `error` / `err=`, and prints rates all the same."""
    error = evidence.result.extra.get("error")
    if not isinstance(error, int) or error == 0:
        return None
    return Finding(
        claim=_("The job ended with an error; its figures come from a failed run."),
        because=(_("fio says err={error}", error=error),),
        severity=Severity.INVALID,
        try_next=_("Look for the first error line of fio; dmesg for errors of the drive."),
    )


FAILURES_RULE = Rule("failures", "Did every run succeed?", cell=_failures_of_cell, result=_failures_of_result)


# A rate that changed in the middle of a run: its mean describes neither half.

_LEAST_VALUES = 8
_EACH_SIDE = 3
_EXPLAINED = 0.7
"""Share of the variance that one step must explain; real series of a steady cell, autocorrelated as they are, stay
below it together with a step of 30 %."""
_STEP = 0.3


def _settling_of_result(evidence: ResultEvidence) -> Verdict:
    for series in evidence.result.series:
        if series.name not in ("iops", "bandwidth", "ops", "bandwidth_bytes_per_s"):
            continue
        if step := _step(_without_start(series.values)):
            at, before, after = step
            fact = _(
                "{before} in the first {at} values, {after} after",
                before=_per_second(before, series),
                at=at,
                after=_per_second(after, series),
            )
            return Finding(
                claim=_("The rate changed during the run; its mean describes neither part."),
                because=(fact,),
                severity=Severity.DOUBTFUL,
                role=Role.ARTEFACT,
                unless=_("you changed something on purpose at that moment"),
                try_next=_settling_longer(evidence),
            )
    return None


def _per_second(rate: float, series: Series) -> str:
    return (
        f"{format_bytes(rate)}/s" if series.unit.startswith("bytes") else _("{rate} a second", rate=format_count(rate))
    )


def _settling_longer(evidence: ResultEvidence) -> str:
    """Long enough to see on which of the two levels it stays."""
    rados = evidence.result.tool == "rados-bench"
    return rados_again(evidence, 300) if rados else fio_again(evidence, ramp_time="120", runtime="180")


def _without_start(values: Sequence[float]) -> Sequence[float]:
    """rados bench shows 0 until its first operations have ended: no stall, only the start."""
    first = next((index for index, value in enumerate(values) if value > 0), len(values))
    return values[first:]


def _step(values: Sequence[float]) -> tuple[int, float, float] | None:
    """The one step that explains most of the variance: (its place, mean before, mean after), None if there is none."""
    if len(values) < _LEAST_VALUES:
        return None
    mean = statistics.fmean(values)
    total = sum((value - mean) ** 2 for value in values)
    best: tuple[float, int] = (0.0, 0)
    running = sum(values[:_EACH_SIDE])
    for cut in range(_EACH_SIDE, len(values) - _EACH_SIDE + 1):
        between = (running - cut * mean) ** 2 * len(values) / (cut * (len(values) - cut))
        best = max(best, (between, cut))
        running += values[cut]
    gained, cut = best
    if not total or gained < _EXPLAINED * total:
        return None
    before, after = statistics.fmean(values[:cut]), statistics.fmean(values[cut:])
    return (cut, before, after) if abs(after - before) > _STEP * mean else None


SETTLING_RULE = Rule(
    "not-settled", "Did the rate stay level during the run?", pitfalls=(4,), result=_settling_of_result
)


# Too short: the number may be the start of the run, or one quiet moment.

_SHORT_S = 30.0
"""Below half a minute neither caches nor BlueStore's write-ahead log have settled."""
_MUCH_TOO_SHORT_S = 10.0
_FEW_IOS = 10_000
"""The OSD's own start-up benchmark takes 3,000 writes as a capacity, and is known to be off by factors."""


def _duration_of_cell(evidence: CellEvidence) -> Verdict:
    """An interval says itself how precise a rate is; only where there is none, time was too short."""
    summary = evidence.summary
    if summary is None:
        return Unchecked(_("the cell has no summary"))
    if summary.precise:
        return None
    judged = summary.judged
    missing = judged if isinstance(judged, Undecided) else judged.interval
    if not isinstance(missing, Undecided):
        return None
    return Finding(
        claim=_("The rate has no interval, so nobody knows how far it may be off."),
        because=(missing.because,),
        try_next=_("Give it more time: {needs}.", needs=missing.needs or _("more rounds")),
    )


def _duration_of_result(evidence: ResultEvidence) -> Verdict:
    result = evidence.result
    if result.tool in ("ping", "iperf3", "iperf", "hdparm", "ioping", "dd", "fio-cdm", "crystaldiskmark"):
        return None
    runtime = result.runtime_s
    if result.tool == "osd-bench" and result.total_ios is not None and result.total_ios < _FEW_IOS:
        return _short_run(
            _("{total_ios} writes in all", total_ios=format_count(result.total_ios)), evidence, Severity.DOUBTFUL
        )
    if runtime is None or runtime >= _SHORT_S:
        return None
    severity = Severity.DOUBTFUL if runtime < _MUCH_TOO_SHORT_S else Severity.NOTE
    return _short_run(_("it ran {runtime}", runtime=format_seconds(runtime)), evidence, severity)


def _short_run(fact: str, evidence: ResultEvidence, severity: Severity) -> Finding:
    return Finding(
        claim=_("The run is too short for a reliable number."),
        because=(fact,),
        severity=severity,
        try_next=_duration_longer(evidence),
    )


def _duration_longer(evidence: ResultEvidence) -> str:
    if evidence.result.tool == "rados-bench":
        return rados_again(evidence)
    if evidence.result.tool == "osd-bench":
        return "for i in 1 2 3; do ceph tell osd.N cache drop; ceph tell osd.N bench 12288000 4096 4194304 100; done"
    return _("{evidence} (three times)", evidence=fio_again(evidence))


DURATION_RULE = Rule(
    "too-short",
    "Was it measured long enough for its precision?",
    pitfalls=(4,),
    cell=_duration_of_cell,
    result=_duration_of_result,
)


# A read that ended early: rados bench seq stops when all that was written has been read once.

_EARLY = 0.5
_SHORTER = 0.9


def _early_end_of_cell(evidence: CellEvidence) -> Verdict:
    """rados bench takes its seconds as the word after `bench`."""
    ran = [result.runtime_s for result in evidence.results if result.runtime_s is not None]
    asked = [float(word) for command in evidence.commands if (word := _word_after(command, "bench")).isdigit()]
    if not ran or not asked:
        return Unchecked(_("the requested or the measured time is not known"))
    if min(ran) >= _EARLY * max(asked):
        return None
    fact = _("asked for {asked}, ended after {ran}", asked=format_seconds(max(asked)), ran=format_seconds(min(ran)))
    return _finding((fact,))


def _early_end_of_result(evidence: ResultEvidence) -> Verdict:
    """As many reads as an earlier run wrote, in less time: everything was read once, and then it was over."""
    result = evidence.result
    if result.tool != "rados-bench" or result.op != Operation.READ or not result.total_ios:
        return None
    wrote = evidence.neighbours.write_of(result.total_ios, before=evidence.number)
    if wrote is None or not result.runtime_s or not wrote.runtime_s or result.runtime_s >= _SHORTER * wrote.runtime_s:
        return None
    fact = _(
        "{total_ios} reads, as many as were written, in {runtime_s}",
        total_ios=format_count(result.total_ios),
        runtime_s=format_seconds(result.runtime_s),
    )
    return _finding((fact,))


def _finding(because: tuple[str, ...]) -> Finding:
    return Finding(
        claim=_("The read ended after one pass over all objects; they had just been written, so caches were warm."),
        because=because,
        severity=Severity.DOUBTFUL,
        try_next=_("First write more data than the OSDs' memory, then: rados -p POOL bench 60 rand"),
    )


def _word_after(command: tuple[str, ...], word: str) -> str:
    return command[command.index(word) + 1] if word in command[:-1] else ""


EARLY_END_RULE = Rule(
    "ended-early",
    "Did the read last as long as requested?",
    pitfalls=(7,),
    concerns=lambda asked: asked.layer is Layer.RADOS and asked.op is Operation.READ,
    cell=_early_end_of_cell,
    result=_early_end_of_result,
)
