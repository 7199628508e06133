"""What a start waits for."""

from __future__ import annotations

from typing import Any, cast

from radoscope.ceph import Connection
from radoscope.errors import SiteError
from radoscope.sandbox.start import lengthen_elections


class Monitors:
    """The second one is unavailable the first two times."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self._refusals = 2

    def tell(self, prefix: str, /, to: str, **arguments: Any) -> bytes:
        if to == "mon.b" and self._refusals:
            self._refusals -= 1
            raise SiteError(f"ceph tell mon.b {prefix}: mon unavailable")
        self.told.append(to)
        return b""


def test_a_monitor_that_is_unavailable_for_a_moment_is_asked_again() -> None:
    monitors, left = Monitors(), ["a", "b", "c"]
    cluster = cast(Connection, monitors)
    assert "mon unavailable" in lengthen_elections(cluster, left)
    assert "mon unavailable" in lengthen_elections(cluster, left)
    assert lengthen_elections(cluster, left) == ""
    assert monitors.told == ["mon.a", "mon.b", "mon.c"]
