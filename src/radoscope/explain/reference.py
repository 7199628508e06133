"""What the rules need of published results and drives. `radoscope.catalogue` has them; rules get them handed in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Published(Protocol):
    """One published result. fields: the record as in docs/verbs/catalogue.md; absent or None: not published."""

    @property
    def fields(self) -> Mapping[str, Any]: ...
    @property
    def iops(self) -> float | None: ...


class Drive(Protocol):
    """One drive as someone measured it: 4K synchronous writes, one at a time."""

    @property
    def model(self) -> str: ...
    @property
    def device_class(self) -> str: ...
    @property
    def plp(self) -> bool | None: ...
    @property
    def sync_write_4k_qd1_iops(self) -> float | None: ...
