"""What one would say without a model: the figures that the model's errors are compared with. All are ln of a rate."""

from __future__ import annotations

import numpy as np
from published import Published

from radoscope.predict.fit import FloatArray
from radoscope.predict.setting import Setting


def line_rate(setting: Setting) -> float:
    """The clients' lines full of payload."""
    return float(np.log(setting.client_hosts * setting.client_bps / setting.block))


def spec_sheet(setting: Setting) -> float:
    """All drives at their specification, divided by the copies of a write."""
    read, write = setting.read_share, 1 - setting.read_share
    if setting.block >= 65536:
        per_op = setting.block * (
            read / setting.seq_read + write * setting.width / setting.shards_k / setting.seq_write
        )
    else:
        per_op = read / setting.deep_read + write * setting.width / setting.deep_write
    return float(np.log(setting.devices / per_op))


def smaller_of_both(setting: Setting) -> float:
    return min(line_rate(setting), spec_sheet(setting))


def nearest(published: Published, index: int, among: np.ndarray) -> float:
    """The rate of the most similar published result of another laboratory."""
    distances = [_distance(published.settings[index], published.settings[j]) for j in among]
    return float(published.log_rates[among[int(np.argmin(distances))]])


def _distance(a: Setting, b: Setting) -> float:
    steps = [
        np.log(getattr(a, name) / getattr(b, name)) / scale
        for name, scale in (
            ("block", 1.0),
            ("in_flight", 1.0),
            ("osds", 1.0),
            ("nodes", 1.0),
            ("public_bps", 1.5),
            ("width", 0.7),
        )
    ]
    kind = 2.0 * (a.hdd != b.hdd) + 1.0 * (a.plp != b.plp) + 3.0 * abs(a.read_share - b.read_share)
    return float(np.sqrt(np.sum(np.square(steps))) + kind)


def naive_errors(published: Published) -> dict[str, FloatArray]:
    """name -> log2(said / published), laboratories left out where the baseline looks at other results."""
    everything = np.arange(len(published.rows))
    near = [nearest(published, i, everything[published.laboratories != published.laboratories[i]]) for i in everything]
    said = {
        "min(spec sheet, line rate)": np.array([smaller_of_both(s) for s in published.settings]),
        "spec sheet": np.array([spec_sheet(s) for s in published.settings]),
        "line rate": np.array([line_rate(s) for s in published.settings]),
        "nearest published": np.array(near),
    }
    return {name: (values - published.log_rates) / np.log(2) for name, values in said.items()}
