"""The fitted model: constants, their uncertainty and the intervals, as the fit script wrote them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Any

from radoscope.predict.constants import Constants, from_priors
from radoscope.predict.machines import Machines
from radoscope.predict.setting import Setting

UNTRIED_SPREAD = 1.0
"""Half-width of the interval in ln where no laboratory was left out for a class: a factor 2.7 either way."""

WEIGHTY = (
    "nodes",
    "queue_depth",
    "clients",
    "device_plp",
    "osd_device_class",
    "cores_per_node",
    "device_4k_sync_write",
)
"""Facts whose absence widens the interval; the others move a prediction by less than a class's own spread."""

WIDER = 0.2
"""Share by which each of them widens it."""


@dataclass(frozen=True, slots=True)
class Model:
    """constants: the posterior mode. draws: name -> posterior draws. spreads: class -> half-width of the 80 % interval
    in ln, learnt on laboratories left out. machines: what published errors on the very same machines carry over."""

    constants: Constants
    draws: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    spreads: Mapping[str, float] = field(default_factory=dict)
    machines: Machines = field(default_factory=dict)

    def spread(self, setting: Setting, assumed: tuple[str, ...]) -> float:
        """Half-width of the 80 % interval in ln: by class of load, wider for what had to be assumed."""
        return self.spreads.get(load_class(setting), UNTRIED_SPREAD) * doubt(setting, assumed)


def doubt(setting: Setting, assumed: tuple[str, ...]) -> float:
    """1, and more for each weighty fact that was assumed. A drive's durable writes weigh only without protection,
    for drives with it differ by less than the software does."""
    names = {item.split("=")[0] for item in assumed}
    if setting.plp or setting.read_share == 1:
        names.discard("device_4k_sync_write")
    return 1 + WIDER * sum(name in names for name in WEIGHTY)


def load_class(setting: Setting) -> str:
    """qd1, deep or seq, and -w or -r: one in flight a client, more, or blocks of 256 KiB and larger."""
    direction = "r" if setting.read_share > 0.9 else "w"  # the writes set the pace of a mix
    if setting.block >= 262144:
        return f"seq-{direction}"
    return f"qd1-{direction}" if setting.in_flight <= setting.clients else f"deep-{direction}"


@lru_cache(maxsize=1)
def load_model() -> Model:
    """The model that ships with the package: `constants.json`, written by scripts/fit_model.py."""
    file = resources.files("radoscope.predict").joinpath("constants.json")
    if not file.is_file():
        return Model(from_priors())
    stored: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    draws = {name: tuple(values) for name, values in stored["draws"].items()}
    return Model(Constants(**stored["constants"]), draws, stored["spreads"], stored.get("machines", {}))
