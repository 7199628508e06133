"""The model: its constants, as documents have them. What a cluster's own cells teach is `posterior.py`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from radoscope.predict.constants import Constants, from_priors
from radoscope.predict.setting import Setting


@dataclass(frozen=True, slots=True)
class Model:
    """constants: the medians from which everything starts."""

    constants: Constants


def load_class(setting: Setting) -> str:
    """qd1, deep or seq, and -w or -r: one in flight a client, more, or blocks of 256 KiB and larger."""
    direction = "r" if setting.read_share > 0.9 else "w"  # the writes set the pace of a mix
    if setting.block >= 262144:
        return f"seq-{direction}"
    return f"qd1-{direction}" if setting.in_flight <= setting.clients else f"deep-{direction}"


@lru_cache(maxsize=1)
def load_model() -> Model:
    """The model that ships with the package: `priors.toml`."""
    return Model(from_priors())
