"""What a scenario came to, as words and as plain JSON values; the terminal, Markdown and HTML show the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields
from typing import Any

from radoscope.kinds.scenario.analyse import PERCENTILES, Dip, Phase, Transient
from radoscope.kinds.scenario.record import Moment, ReadBack, Scenario
from radoscope.report.sections.place import Group
from radoscope.stats.values import Undecided
from radoscope.units import format_count, format_seconds

PHASE_COLUMNS = ("Stretch", "I/Os", "a second", *(f"p{percent:g}" for percent in PERCENTILES), "longest")


def passages(scenario: Scenario, transient: Transient) -> tuple[Group, ...]:
    """One per event, with its effects, then the end: healthy again, and the proof that no data was lost."""
    deeds = tuple(_after_deed(scenario, dip) for dip in transient.dips)
    return (_before(transient), *deeds, _end(scenario, transient))


def scenario_verdict(scenario: Scenario, transient: Transient) -> tuple[str, str, str]:
    """The effect of each event on the load; when the cluster was healthy and whether data was lost; how certain."""
    deeds = "; ".join(_deed_words(dip) for dip in transient.dips) or "no fault was injected"
    whole = _words(transient.whole_s, lambda seconds: f"{format_seconds(seconds)} after the last event")
    found = scenario.read_back
    lost = "data was lost" if found.errors else "no data was lost" if found.proved else "whether data was lost"
    sure = "This is one run of one event: another run will differ, by an unknown amount"
    steady = transient.steady
    if isinstance(steady, Undecided):
        sure += f"; there is no steady load to compare with: {steady.because}"
    trouble = f"; {scenario.problem}" if scenario.problem else ""
    load = "" if isinstance(steady, Undecided) else f"A load of {format_count(steady.rate_per_s)} writes a second; "
    return (
        f"{load}{deeds}.",
        f"HEALTH_OK: {whole}; {lost}: {proof(found)}.",
        f"{sure}; the cluster is a sandbox on one machine{trouble}.",
    )


def _deed_words(dip: Dip) -> str:
    """ "kill -9 of osd.2: it stood still for 1.2 s, first I/O after 1.3 s, rate recovered after 6 s"."""
    if isinstance(dip.lowest_per_s, Undecided):
        return f"{dip.event.words}: what that did is undecided ({dip.lowest_per_s.because})"
    seen = []
    if not isinstance(dip.still_s, Undecided):
        never = isinstance(dip.first_io_s, Undecided)
        seen += [f"it stood still for {format_seconds(dip.still_s)}{' and did not continue' if never else ''}"]
    if not isinstance(dip.first_io_s, Undecided):
        seen += [f"first I/O after {format_seconds(dip.first_io_s)}"]
    if not isinstance(dip.depth, Undecided):
        seen += [f"its slowest second was {dip.depth:.0%} below"]
    if not isinstance(dip.back_s, Undecided):
        seen += [f"rate recovered after {dip.back_s:.0f} s"]
    elif not isinstance(dip.depth, Undecided):
        seen += [f"when the rate recovered is undecided ({dip.back_s.because})"]
    return f"{dip.event.words}: {', '.join(seen) or 'nothing beyond the usual scatter was seen'}"


def phase_rows(transient: Transient) -> tuple[tuple[str, ...], ...]:
    """One row per phase, for `PHASE_COLUMNS`."""
    return tuple(_phase_row(phase) for phase in transient.phases)


def proof(found: ReadBack) -> str:
    """What reading everything back has shown, in one sentence."""
    if found.errors:
        return f"{found.errors:,} of {found.written:,} acknowledged writes did not read back as written"
    if found.proved:
        return f"all {found.written:,} acknowledged writes read back as written (fio verify=crc32c)"
    return f"undecided: {found.problem or 'nothing was read back'}"


def scenario_json(scenario: Scenario, transient: Transient) -> dict[str, Any]:
    """For machines: base units, the unit in each name; what is undecided says why."""
    steady = transient.steady
    return {
        "name": scenario.name,
        "title": scenario.title,
        "problem": scenario.problem,
        "events": [{"moment": e.moment.value, "words": e.words, "time_s": e.time_s} for e in scenario.events],
        "before": _plain(steady)
        if isinstance(steady, Undecided)
        else {"rate_per_s": steady.rate_per_s, "deviation_per_s": steady.deviation_per_s, "seconds": steady.seconds},
        "dips": [_dip_json(dip) for dip in transient.dips],
        "whole_s": _plain(transient.whole_s),
        "whole_after_first_s": _plain(transient.whole_after_first_s),
        "phases": [_phase_json(phase) for phase in transient.phases],
        "read_back": {**asdict(scenario.read_back), "proved": scenario.read_back.proved},
        "rates": {"times_s": list(transient.rates.times_s), "iops": list(transient.rates.values)},
    }


def _before(transient: Transient) -> Group:
    steady = transient.steady
    if isinstance(steady, Undecided):
        return Group("before", (("steady load", f"undecided: {steady.because}"),))
    words = (
        f"{format_count(steady.rate_per_s)} a second, ± {format_count(steady.deviation_per_s)} from second to second"
    )
    return Group("before", (("steady load", f"{words}, over {steady.seconds} s"),))


def _after_deed(scenario: Scenario, dip: Dip) -> Group:
    noticed = next((e for e in scenario.events if e.moment is Moment.NOTICED and e.time_s >= dip.event.time_s), None)
    followers = [e for e in scenario.events if e.moment is Moment.MENDED and e.time_s > dip.event.time_s]
    facts = [
        ("slowest second", _words(dip.lowest_per_s, lambda rate: f"{format_count(rate)} a second")),
        ("dip", _words(dip.depth, lambda share: f"{share:.0%} below the rate before")),
        ("stood still", _standstill(dip)),
        ("first I/O after", _words(dip.first_io_s, format_seconds)),
        ("rate recovered after", _words(dip.back_s, lambda seconds: f"{seconds:.0f} s")),
    ]
    if noticed is not None and not any(e.time_s < noticed.time_s for e in followers):
        facts.insert(0, ("noticed", f"{noticed.words}, after {format_seconds(noticed.time_s - dip.event.time_s)}"))
    return Group(dip.event.words, tuple(facts))


def _standstill(dip: Dip) -> str:
    if isinstance(dip.still_s, Undecided) or isinstance(dip.still_from_s, Undecided):
        return _words(dip.still_s, format_seconds)
    return f"{format_seconds(dip.still_s)}, beginning {format_seconds(dip.still_from_s)} after it"


def _end(scenario: Scenario, transient: Transient) -> Group:
    whole = _words(transient.whole_s, lambda seconds: f"{format_seconds(seconds)} after the last event")
    if len(transient.dips) > 1 and not isinstance(transient.whole_after_first_s, Undecided):
        whole += f", {format_seconds(transient.whole_after_first_s)} after the first"
    facts = [("HEALTH_OK", whole), ("nothing lost?", proof(scenario.read_back))]
    if scenario.problem:
        facts.append(("problem", scenario.problem))
    return Group("at the end", tuple(facts))


def _words(value: float | Undecided, write: Callable[[float], str]) -> str:
    return f"undecided: {value.because}" if isinstance(value, Undecided) else write(value)


def _phase_row(phase: Phase) -> tuple[str, ...]:
    tails = tuple(_short(phase.percentiles_s[percent]) for percent in PERCENTILES)
    longest = "-" if phase.max_s is None else format_seconds(phase.max_s)
    return (phase.name, f"{phase.ios:,}", format_count(phase.rate_per_s), *tails, longest)


def _short(value: float | Undecided) -> str:
    return "too few" if isinstance(value, Undecided) else format_seconds(value)


def _dip_json(dip: Dip) -> dict[str, Any]:
    seen = {one.name: _plain(getattr(dip, one.name)) for one in fields(dip) if one.name != "event"}
    return {"event": dip.event.words, "time_s": dip.event.time_s, **seen}


def _phase_json(phase: Phase) -> dict[str, Any]:
    percentiles = {f"{percent:g}": _plain(value) for percent, value in phase.percentiles_s.items()}
    row = {**asdict(phase), "latency_percentiles_s": percentiles, "latency_max_s": phase.max_s}
    return {name: value for name, value in row.items() if name not in ("percentiles_s", "max_s")}


def _plain(value: Any) -> Any:
    return {"undecided": value.because, "needs": value.needs} if isinstance(value, Undecided) else value
