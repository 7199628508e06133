"""What the rules need of published results and drives. `radoscope.catalogue` has them; rules get them handed in."""

from __future__ import annotations

from typing import Protocol


class Published(Protocol):
    """One published result. mean latency and rates as summed over all clients; None: not published."""

    @property
    def source_title(self) -> str: ...
    @property
    def op(self) -> str: ...
    @property
    def block_bytes(self) -> int | None: ...
    @property
    def queue_depth(self) -> int | None: ...
    @property
    def clients(self) -> int | None: ...
    @property
    def iops(self) -> float | None: ...
    @property
    def osd_device_class(self) -> str | None: ...


class Drive(Protocol):
    """One drive as someone measured it: 4K synchronous writes, one at a time."""

    @property
    def model(self) -> str: ...
    @property
    def device_class(self) -> str | None: ...
    @property
    def plp(self) -> bool | None: ...
    @property
    def sync_write_4k_qd1_iops(self) -> float | None: ...
