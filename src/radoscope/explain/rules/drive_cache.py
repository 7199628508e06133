"""The drives' volatile write cache: on in some and off in others, or set against the drive's kind."""

from __future__ import annotations

from radoscope.explain.evidence import ResultEvidence
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, storage_cell
from radoscope.records.environment import Environment

_COMMAND = "cat /sys/block/*/queue/write_cache; for a SATA drive: hdparm -W 0 /dev/sdX, and measure both"


def check_environment(environment: Environment) -> Verdict:
    states: dict[str, list[str]] = {}
    for device in environment.devices:
        if device.write_cache:
            paths = states.setdefault(device.write_cache, [])
            paths += [device.path] if device.path not in paths else []
    if not states:
        return Unchecked("the drives' cache modes were not recorded")
    if len(states) > 1:
        because = tuple(f"{mode}: {', '.join(paths)}" for mode, paths in sorted(states.items()))
        return _finding("The drives' write caches are not set alike.", because, Severity.DOUBTFUL)
    if "write back" in states:
        because = (f"write back: {', '.join(states['write back'])}",)
        return _finding("The drives' write caches are on: each flush goes through to the medium.", because)
    return None


def check_result(evidence: ResultEvidence) -> Verdict:
    if evidence.result.tool != "hdparm" or evidence.result.extra.get("write_cache") not in (1, True, "on", "1"):
        return None
    because = (f"hdparm says write-caching = on for {evidence.result.extra.get('device', 'the drive')}",)
    claim = "The drive's write cache is on: each flush goes through to the medium."
    return _finding(claim, because, cells=(evidence.name,))


def _finding(
    claim: str, because: tuple[str, ...], severity: Severity = Severity.NOTE, cells: tuple[str, ...] = ()
) -> Finding:
    return Finding(
        rule=RULE.name,
        claim=claim,
        because=because,
        severity=severity,
        cells=cells,
        unless="the drives have power-loss protection and ignore flushes",
        try_next=_COMMAND,
    )


RULE = Rule(
    name="drive-cache",
    question="Are the drives' write caches set alike, and off?",
    pitfalls=(16,),
    concerns=storage_cell,
    environment=check_environment,
    result=check_result,
)
