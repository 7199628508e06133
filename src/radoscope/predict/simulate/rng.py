"""Random numbers: one stream a station, each a counter that is mixed; the same bits compiled and interpreted.

A stream lives in the field `random` of a row: of a station, a load or an OSD. SplitMix64: Steele, Lea and Flood, "Fast
splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

import math
from typing import Any

from radoscope.predict.simulate.compiling import part_of_kernel

_MASK = 0xFFFFFFFFFFFFFFFF
_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB
_UNIT = 2.0**-53


def stream_starts(seed: int, streams: int) -> list[int]:
    """The first state of each stream: far apart in the generator's one cycle of 2**64 with near certainty."""
    origin = mix_64((seed + 1) * _GOLDEN & _MASK)
    return [mix_64(origin ^ mix_64(number * _GOLDEN & _MASK)) for number in range(1, streams + 1)]


def mix_64(bits: int) -> int:
    """SplitMix64's finaliser: each input bit changes each output bit with a chance of a half."""
    bits = (bits ^ (bits >> 30)) * _MIX_1 & _MASK
    bits = (bits ^ (bits >> 27)) * _MIX_2 & _MASK
    return bits ^ (bits >> 31)


@part_of_kernel
def next_bits(row: Any) -> int:
    """53 random bits from the row's stream, as a whole number below 2**53."""
    bits = (row.random + _GOLDEN) & _MASK
    row.random = bits
    bits = ((bits ^ (bits >> 30)) * _MIX_1) & _MASK
    bits = ((bits ^ (bits >> 27)) * _MIX_2) & _MASK
    return (bits ^ (bits >> 31)) >> 11  # type: ignore[no-any-return]


@part_of_kernel
def uniform(row: Any) -> float:
    """A number in [0, 1)."""
    return next_bits(row) * _UNIT


@part_of_kernel
def exponential(row: Any) -> float:
    """A number with mean 1, at most 36.7 (53 bits)."""
    return -math.log((next_bits(row) + 1) * _UNIT)


@part_of_kernel
def spread_service(row: Any, spread: float) -> float:
    """A service time with mean 1 and standard deviation `spread`.

    Up to 1: a constant part and an exponential part (0 is constant, 1 is exponential). Above 1: hyperexponential
    with balanced means (Allen, "Probability, Statistics and Queueing Theory", 5.2.9).
    """
    if spread <= 1.0:
        return 1.0 - spread + spread * exponential(row)
    square = spread * spread
    share = 0.5 + 0.5 * math.sqrt((square - 1.0) / (square + 1.0))
    if uniform(row) >= share:
        share = 1.0 - share
    return exponential(row) / (2.0 * share)
