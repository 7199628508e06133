"""One set of equations for one cluster (plain floats, fast) and for many at once (numpy arrays, for fits and draws)."""

from __future__ import annotations

import math
from typing import Any, Protocol

Real = Any
"""A float, or an array of floats: the equations do not care."""


class Numbers(Protocol):
    """The few functions in which floats and arrays differ."""

    def sqrt(self, x: Real) -> Real: ...
    def log(self, x: Real) -> Real: ...
    def exp(self, x: Real) -> Real: ...
    def larger(self, a: Real, b: Real) -> Real: ...
    def smaller(self, a: Real, b: Real) -> Real: ...
    def choose(self, condition: Real, yes: Real, no: Real) -> Real: ...


class Floats:
    """Plain Python: no numpy needed, 0.1 ms a prediction."""

    sqrt = staticmethod(math.sqrt)
    log = staticmethod(math.log)
    exp = staticmethod(math.exp)
    larger = staticmethod(max)
    smaller = staticmethod(min)

    @staticmethod
    def choose(condition: Real, yes: Real, no: Real) -> Real:
        return yes if condition else no


class Arrays:
    """numpy, loaded when the first object is made."""

    def __init__(self) -> None:
        import numpy as np  # start-up time: a single prediction needs no arrays

        self.sqrt = np.sqrt
        self.log = np.log
        self.exp = np.exp
        self.larger = np.maximum
        self.smaller = np.minimum
        self.choose = np.where


FLOATS: Numbers = Floats()
