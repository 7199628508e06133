"""Loads on clusters, and what is known of some of them -> one joint posterior, and forecasts out of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from radoscope.predict.constants import NAMES, Constants
from radoscope.predict.facts import Facts
from radoscope.predict.forecast import Forecast, forecast_of
from radoscope.predict.network import Solution, solve
from radoscope.predict.posterior import CHANGED, SLIGHTLY, Posterior, Rates, learn, moved
from radoscope.predict.setting import Setting, stack
from radoscope.predict.unknowns import LINES, Case, FloatArray, case, line_is_open

LINES_GBPS = (1.0, 2.5, 10.0, 25.0, 40.0, 50.0, 100.0, 200.0)
LARGE = 1 << 20
IMPOSSIBLE, PLATEAU = -50.0, 4.0
LINE_SPREAD = 2.0
"""Where no line is stated, each of these may be it, the likelier the closer (in ln) to the usual one of such a
cluster."""


@dataclass(frozen=True, slots=True)
class Known:
    """A measured rate: of which load on which cluster. iops: operations per second over all clients. error: how far
    that may be off by itself, as a standard deviation in ln; 0 where nobody says. present: the facts of what was
    measured, where the rate is that of a part of it."""

    name: str
    facts: Facts
    iops: float
    error: float = 0.0
    present: Facts | None = None

    def case(self) -> Case:
        return case(self.facts, case(self.present) if self.present else None)


@dataclass(frozen=True, slots=True)
class Outlook:
    """The joint posterior of the wanted cases (the first ones) and the known ones. line_Gbps: what the known cells
    say the line is, where it was not stated."""

    cases: tuple[Case, ...]
    posterior: Posterior
    line_Gbps: float | None = None

    def rate(self, index: int) -> float:
        return math.exp(float(self.posterior.mean[index]))

    def explained(self, index: int) -> tuple[Setting, Constants]:
        """Setting and constants as they are believed now."""
        one = self.cases[index]
        base = stack([one.setting])
        setting, constants = moved(base, self.posterior.unknowns.of([index]), self.posterior.means)
        plain = {field.name: float(np.ravel(getattr(setting, field.name))[0]) for field in fields(Setting)}
        return Setting(**plain), Constants(**{name: float(getattr(constants, name)[0]) for name in NAMES})

    def solution(self, index: int) -> tuple[Setting, Solution]:
        setting, constants = self.explained(index)
        return setting, solve(setting, constants)

    def forecast(self, index: int) -> Forecast:
        setting, solution = self.solution(index)
        assumed = self.cases[index].assumed
        if self.line_Gbps:
            assumed = (*assumed, f"network_Gbps={self.line_Gbps:g} (from the measured rates)")
        return forecast_of(setting, solution, self.rate(index), self.posterior.half_width(index), assumed)

    def ratio(self, before: int, after: int) -> tuple[float, float]:
        """(ratio of the rates, half of its 80 % interval in ln); exactly (1, 0) where nothing changes."""
        a, b = self.cases[before], self.cases[after]
        if a.setting == b.setting and a.facts.osd_device_model == b.facts.osd_device_model:
            return 1.0, 0.0
        change, half = self.posterior.ratio(before, after)
        return math.exp(change), math.hypot(half, self.posterior.reach * SLIGHTLY)

    def half_width(self, before: int, after: int) -> float:
        """Half of the 80 % interval, in ln, of the rate after a change: what is unsure of the changed cluster, and what
        a change adds, which does not cancel here."""
        change, added = self.ratio(before, after)[0], self.posterior.reach * SLIGHTLY
        level = self.posterior.half_width(after)
        return level if change == 1.0 else math.hypot(level, added, self.posterior.reach * CHANGED * math.log(change))


def look(wanted: Sequence[Case], known: Sequence[Known] = ()) -> Outlook:
    """The outlook on the wanted cases, given what is known."""
    cases = (*wanted, *(one.case() for one in known))
    indices = range(len(wanted), len(cases))
    rates = Rates(np.log([one.iops for one in known]), np.array([one.error for one in known]))
    if not known or not any(line_is_open(one) for one in cases):
        return Outlook(cases, learn(cases, indices, rates))
    return _over_lines(cases, indices, rates)


def _over_lines(cases: tuple[Case, ...], known: Sequence[int], rates: Rates) -> Outlook:
    """The likeliest line with the spread over all that may be: the known cells tell which of them it is."""
    usual = next(one.setting.public_bps for one in cases if line_is_open(one)) * 8e-9
    found = []
    for line in LINES_GBPS:
        guessed = _with_line(line, cases)
        posterior = learn(guessed, known, rates)
        likely = posterior.evidence - (math.log(line / usual) / LINE_SPREAD) ** 2 / 2
        likely += sum(_of_line(guessed[i], log) for i, log in zip(known, rates.logs, strict=True))
        found.append((likely, line, guessed, posterior))
    best = max(found, key=lambda one: one[0])
    weights = np.exp(np.array([one[0] for one in found]) - best[0])
    posterior = _mixed([one[3] for one in found], weights / weights.sum(), best[3])
    return Outlook(best[2], posterior, best[1])


def _of_line(one: Case, log_rate: float) -> float:
    """ln of how much likelier a line is by the share of it that one cell fills: more than all of it cannot be, and
    large reads or writes at just the rate that a line carries are seldom so by chance."""
    s = one.setting
    share = math.exp(log_rate) * s.block / (s.client_hosts * s.client_bps)
    if share * (1 - s.local) > 1.02 and not s.one_host:
        return IMPOSSIBLE
    return PLATEAU if s.block >= LARGE and 0.90 <= share <= 0.97 else 0.0


def _with_line(gigabits: float, cases: Sequence[Case]) -> tuple[Case, ...]:
    """The cases if the line is that; a change of an open cluster keeps its own line and is like one that has it."""
    open_ones = [each for each in cases if line_is_open(each)]
    there = case(replace(open_ones[0].facts, network_Gbps=gigabits)).setting
    lines = {name: getattr(there, name) for name in LINES[:3]}
    speeds = {each.setting.public_bps for each in open_ones}

    def with_it(one: Case) -> Case:
        if line_is_open(one):
            setting, like = replace(one.setting, **lines), replace(one.like, **lines)
            return replace(one, setting=setting, like=like, found_Gbps=gigabits)
        return replace(one, like=replace(one.like, **lines)) if one.like.public_bps in speeds else one

    return tuple(with_it(one) for one in cases)


def _mixed(parts: Sequence[Posterior], weights: FloatArray, best: Posterior) -> Posterior:
    """Mean and covariance of the mixture; the rest as in its likeliest part."""
    mean = np.sum([w * one.mean for w, one in zip(weights, parts, strict=True)], axis=0)
    covariance = np.sum(
        [
            w * (one.covariance + np.outer(one.mean - mean, one.mean - mean))
            for w, one in zip(weights, parts, strict=True)
        ],
        axis=0,
    )
    return replace(best, mean=mean, covariance=covariance)


def forecast(facts: Facts, known: Sequence[Known] = ()) -> Forecast:
    """Predict one load on one cluster. Raises PlanError where the facts do not say which load it is."""
    return look([case(facts)], known).forecast(0)
