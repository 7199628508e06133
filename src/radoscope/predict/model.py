"""The fitted model: constants, their uncertainty, the correction and the intervals, as the fit script wrote them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Any

from radoscope.predict.constants import Constants, from_priors
from radoscope.predict.facts import Facts
from radoscope.predict.setting import Setting


@dataclass(frozen=True, slots=True)
class Model:
    """constants: the posterior mode. draws: posterior draws, name -> values. spreads: class -> half-width of the 80 %
    interval in ln, learnt on laboratories left out. offsets: feature -> ln correction."""

    constants: Constants
    draws: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    spreads: Mapping[str, float] = field(default_factory=dict)
    offsets: Mapping[str, float] = field(default_factory=dict)

    def correction(self, facts: Facts, setting: Setting) -> float:
        """ln of the factor on the predicted rate, from features of the access path and the class of the load."""
        return sum(self.offsets.get(name, 0.0) for name in features(facts, setting))

    def spread(self, facts: Facts, setting: Setting, assumed: tuple[str, ...]) -> float:
        """Half-width of the 80 % interval in ln: by class of load, wider for what had to be assumed."""
        base = self.spreads.get(load_class(setting), 0.8)
        missing = sum(self.spreads.get(f"assumed {name.split('=')[0]}", 0.0) ** 2 for name in assumed)
        return math.sqrt(base**2 + missing)


def load_class(setting: Setting) -> str:
    """qd1, deep or seq, and -w or -r: one in flight a client, more, or blocks of 256 KiB and larger."""
    direction = "r" if setting.read_share > 0.5 else "w"
    if setting.block >= 262144:
        return f"seq-{direction}"
    return f"qd1-{direction}" if setting.in_flight <= setting.clients else f"deep-{direction}"


def features(facts: Facts, setting: Setting) -> tuple[str, ...]:
    """Names under which the correction knows a load."""
    return (load_class(setting),)


@lru_cache(maxsize=1)
def load_model() -> Model:
    """The model that ships with the package: `constants.json`, written by scripts/fit_model.py."""
    file = resources.files("radoscope.predict").joinpath("constants.json")
    if not file.is_file():
        return Model(from_priors())
    stored: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return Model(
        Constants(**stored["constants"]),
        {name: tuple(values) for name, values in stored["draws"].items()},
        stored["spreads"],
        stored["offsets"],
    )
