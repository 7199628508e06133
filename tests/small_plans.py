"""Plans that take seconds, as the text that a user would write."""

from __future__ import annotations

import json
import re
from typing import Any

from radoscope.records.conditions import Layer

_SECONDS = {
    "name": "tiny",
    "rounds": 2,
    "seconds": "1s",
    "ramp": "200ms",
    "at_most": "1s",
    "image_size": "32MiB",
    "file_size": "16MiB",
    "object_set": "16MiB",
}


def cell(layer: str, **conditions: Any) -> str:
    """One entry of `[[cells]]`: text, numbers, booleans, or lists of them."""
    return f"[[cells]]\n{_toml({'layer': layer, 'block': '4K', **conditions})}"


def network(tool: str) -> str:
    return f'[[cells]]\nlayer = "network"\ntool = "{tool}"\n'


def tiny_plan(*cells: str, **settings: Any) -> str:
    """A plan of these cells that takes two short rounds, or what `settings` say in place of it."""
    return _toml(_SECONDS | settings) + "".join(cells)


def _toml(values: dict[str, Any]) -> str:
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())


def gentle_plan(*cells: str, **settings: Any) -> str:
    """The same with little load, where nobody asks for the rate: other tests run beside."""
    return tiny_plan(*map(_gentle, cells), **settings)


def endless_plan(*cells: str, **settings: Any) -> str:
    """A plan of a study that a test ends."""
    return gentle_plan(*cells, **{"rounds": 500, "at_most": "1h", **settings})


def _gentle(cell_text: str) -> str:
    """A cell of fio at a rate far below what it could reach; rados bench, which takes none, one at a time."""
    layer = next(layer for layer in Layer if f'layer = "{layer}"\n' in cell_text)
    if layer is Layer.RADOS:
        return re.sub(r"queue_depth = \d+", "queue_depth = 1", cell_text)
    if layer in (Layer.NETWORK, Layer.S3) or 'sync = "fsync"' in cell_text:  # fio 3.33 dies of a rate with fsync
        return cell_text
    return f"{cell_text}rate_iops = 100\n"


DISK = cell("disk", op="randwrite", sync="fsync")
RBD = cell("rbd", op="randwrite")
SPREAD = (cell("rbd", op="randwrite", images=3, clients=[1, 2]), cell("rados", op="write", queue_depth=4, jobs=2))
"""From two client hosts."""
