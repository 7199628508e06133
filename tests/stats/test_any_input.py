"""Whatever a tool reports, statistics give a value or say why not; they do not fall over."""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from radoscope.records.measurement import Histogram, Latency, Result, Series
from radoscope.records.study import Outcome, Segment, Study
from radoscope.stats.compare import compare, pool_studies
from radoscope.stats.scaling import scaling_steps
from radoscope.stats.summarise import summarise
from radoscope.stats.targets import TARGETS, answer
from radoscope.stats.values import Estimate, Interval
from tests.examples import examples
from tests.stats.building import a_cell, a_segment, a_study

numbers = st.one_of(st.none(), st.floats(0, 1e12), st.sampled_from([0.0, 1.0, 1e-9]))
latencies = st.builds(
    Latency,
    min_s=numbers,
    mean_s=numbers,
    max_s=numbers,
    samples=st.one_of(st.none(), st.integers(0, 10**9)),
    percentiles_s=st.dictionaries(st.sampled_from([50.0, 99.0, 99.9]), st.floats(0, 1e3), max_size=3),
    histogram=st.one_of(
        st.none(),
        st.dictionaries(st.floats(0, 1e3), st.integers(0, 10**6), max_size=5).map(
            lambda bins: Histogram(tuple(sorted(bins)), tuple(bins[key] for key in sorted(bins)))
        ),
    ),
)
series = st.lists(st.floats(0, 1e9), max_size=80).map(
    lambda values: Series("iops", "1/s", tuple(float(i) for i in range(len(values))), tuple(values))
)
results = st.builds(
    Result,
    tool=st.just("fio"),
    op=st.sampled_from(["read", "write", None]),
    iops=numbers,
    bandwidth_bytes_per_s=numbers,
    latency=st.one_of(st.none(), latencies),
    completion=st.one_of(st.none(), latencies),
    sync=st.one_of(st.none(), latencies),
    total_ios=st.one_of(st.none(), st.integers(0, 10**9)),
    runtime_s=numbers,
    series=series.map(lambda one: (one,)),
)
segments = st.builds(
    lambda found, outcome, number, start, speed: a_segment(
        *found, number=number, outcome=outcome, started_at_s=start, host_speed=speed
    ),
    st.lists(results, max_size=3),
    st.sampled_from(list(Outcome)),
    st.integers(0, 9),
    st.floats(0, 1e6),
    numbers,
)


def studies() -> st.SearchStrategy[Study]:
    def build(found: list[Segment], clients: int) -> Study:
        return a_study((a_cell(clients=clients), []), segments=tuple(found))

    return st.builds(build, st.lists(segments, max_size=9), st.integers(1, 3))


def sound(estimate: object) -> bool:
    """No interval is upside down or made of no numbers."""
    if not isinstance(estimate, Estimate) or not isinstance(estimate.interval, Interval):
        return True
    interval = estimate.interval
    return not math.isnan(interval.low) and not math.isnan(interval.high) and interval.low <= interval.high


@settings(max_examples=examples(60))
@given(studies())
def test_any_study_is_summarised(study: Study) -> None:
    for cell in summarise(study).cells:
        assert sound(cell.iops)
        assert sound(cell.bandwidth_bytes_per_s)
    scaling_steps(study)
    answer(summarise(study), TARGETS["ebs-gp3"])


@settings(max_examples=examples(40))
@given(studies(), studies())
def test_any_two_studies_are_compared(a: Study, b: Study) -> None:
    compare([a], [[b]])
    compare([a, b], [[b, a]])
    pool_studies([a, b])
