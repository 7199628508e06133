"""The special functions against scipy's, over more than intervals ask of them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special as scipy

from radoscope.stats.special import beta_quantile, chi_square_quantile, polygamma, student_t, t_beyond

pytestmark = pytest.mark.hypothesis

CONFIDENCES = st.floats(0.01, 0.99999)


def logarithmic(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(math.log(low), math.log(high)).map(math.exp)


def close(expected: float) -> object:
    return pytest.approx(expected, rel=1e-8, abs=1e-18)


@given(logarithmic(1, 1e9), st.floats(-40, 40))
def test_students_t_beyond_a_distance(degrees: float, distance: float) -> None:
    assert t_beyond(distance, degrees) == close(float(scipy.stdtr(degrees, -distance)))


@given(CONFIDENCES, logarithmic(1, 1e9))
def test_students_quantile(confidence: float, degrees: float) -> None:
    assert student_t(confidence, degrees) == close(float(-scipy.stdtrit(degrees, (1 - confidence) / 2)))


@given(st.floats(0.001, 0.999), logarithmic(0.1, 1e5), logarithmic(0.1, 1e5))
def test_quantiles_of_a_share(share: float, a: float, b: float) -> None:
    assert beta_quantile(share, a, b) == close(float(scipy.betaincinv(a, b, share)))


@given(st.floats(0.001, 0.999), st.integers(1, 5000))
def test_quantiles_of_chi_square(share: float, degrees: int) -> None:
    assert chi_square_quantile(share, degrees) == close(float(scipy.chdtri(degrees, 1 - share)))


@given(st.integers(0, 2), logarithmic(1e-4, 1e6))
def test_digamma_and_its_derivatives(order: int, x: float) -> None:
    found = float(scipy.polygamma(order, x)) if order else float(scipy.digamma(x))
    assert polygamma(order, x) == pytest.approx(found, rel=1e-12, abs=1e-14)


def test_the_ends_of_a_share_are_the_ends() -> None:
    assert (beta_quantile(0, 2, 3), beta_quantile(1, 2, 3)) == (0, 1)
