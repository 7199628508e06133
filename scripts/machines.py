"""What the errors on one machine say of the next result from it: kriging with a part common to the machine and a part
common to its class of load. Errors common to one publication are taken as noise, so that it does not teach alone."""

from __future__ import annotations

import numpy as np
from published import Published

from radoscope.predict.fit import FloatArray
from radoscope.predict.machines import ANY_CLASS, machine

COMMON, OF_CLASS = 0.3, 0.6
PUBLICATION, CELL = 0.3, 0.35
"""Standard deviations in ln: 0.2 to 0.6 in place of them are as good out of publication (docs/decisions/005)."""


def learn_machines(published: Published, errors: FloatArray, chosen: np.ndarray) -> dict[str, dict[str, float]]:
    """Machine -> class -> ln factor. errors: ln(predicted / published) of all cells, by a fit on the `chosen`."""
    names = np.array([machine(facts) or "" for facts in published.facts])
    found: dict[str, dict[str, float]] = {}
    for name in dict.fromkeys(names[chosen]):
        if name:
            found[name] = _learn(published, errors, chosen[names[chosen] == name])
    return found


def _learn(published: Published, errors: FloatArray, cells: np.ndarray) -> dict[str, float]:
    kinds, sources = published.classes[cells], published.sources[cells]
    same_kind = kinds[:, None] == kinds[None, :]
    signal = COMMON**2 + OF_CLASS**2 * same_kind
    noise = PUBLICATION**2 * same_kind * (sources[:, None] == sources[None, :]) + CELL**2 * np.eye(len(cells))
    weights = np.linalg.solve(signal + noise, -errors[cells])
    factors = {str(kind): float((COMMON**2 + OF_CLASS**2 * (kinds == kind)) @ weights) for kind in np.unique(kinds)}
    factors[ANY_CLASS] = float(COMMON**2 * weights.sum())
    return {kind: round(value, 3) for kind, value in factors.items()}
