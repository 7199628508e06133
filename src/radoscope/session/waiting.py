"""Waiting for a state while things are prepared, and for a cluster that is calm."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from radoscope.ceph import Cluster
from radoscope.errors import Interrupted, RadoscopeError, SiteError
from radoscope.records import health
from radoscope.session.session import Session

_SETTLE_S = 180.0
_PATIENCE_S = 10.0
"""A wait longer than this is explained."""
_HEARD_S = 20.0
"""For as long may a manager speak of the groups of a pool that is gone: it hears of them, and tells, every 5 s."""
_OF_GROUPS = frozenset({"PG_DEGRADED", "PG_AVAILABILITY", "OBJECT_MISPLACED"})
_NONE = 2**31 - 1
"""In place of an OSD, where CRUSH finds none (CRUSH_ITEM_NONE)."""


def until(state: Callable[[], bool], session: Session, otherwise: str) -> None:
    """Raises SiteError where the state is not there in time, Interrupted."""
    begun, explained = time.monotonic(), False
    while not state():
        waited_s = time.monotonic() - begun
        if waited_s > _SETTLE_S:
            words = f"{otherwise} within {_SETTLE_S:.0f} s{checks(session)}"
            raise SiteError(words, "See `ceph -s` and `ceph health detail`.")
        if waited_s > _PATIENCE_S and not explained:
            session.say(f"waiting up to {_SETTLE_S:.0f} s: so far {otherwise}{checks(session)}")
            explained = True
        if session.stop.wait(0.2):
            raise Interrupted("interrupted while preparing")


def checks(session: Session) -> str:
    """The health checks that may be the reason, as ": PG_DEGRADED: ..."; empty where there are none."""
    with suppress(RadoscopeError):
        if session.cluster is not None:
            return "".join(f": {check}" for check in health.amiss(session.cluster.ceph("status")))
    return ""


def outlive_old_news(session: Session, cluster: Cluster) -> None:
    """Wait a moment where nothing but placement groups is amiss: a pool just removed may have had them.

    What is still amiss afterwards is for the caller to judge.
    """
    begun, told = time.monotonic(), False
    while _only_groups(cluster.ceph("status")) and time.monotonic() - begun < _HEARD_S:
        if not told:
            session.say(f"waiting up to {_HEARD_S:.0f} s{checks(session)}")
            told = True
        if session.stop.wait(0.5):
            raise Interrupted("interrupted while preparing")


def _only_groups(status: Any) -> bool:
    why = {check.code for check in health.checks_of(status) if check.refuses}
    return bool(why) and why <= _OF_GROUPS


def settle(session: Session) -> None:
    """Wait until every placement group is active and clean. Raises SiteError when they do not get there."""
    cluster = session.cluster
    if cluster is not None:
        session.say("waiting until all placement groups are active+clean")
        await_clean(session, lambda: cluster.ceph("status"), 0.0)


def settle_unless_placed(session: Session, cluster: Cluster, pools: Sequence[str]) -> None:
    """Wait where a new pool has no OSD for one of its copies: what is written there might wait for ever.

    Elsewhere, writing waits for its placement group itself, a moment; of that, managers hear 5 s later.
    """
    if not all(_is_placed(cluster, pool) for pool in pools):
        settle(session)


def _is_placed(cluster: Cluster, pool: str) -> bool:
    acting = cluster.ceph("osd", "map", pool, "any")["acting"]
    return len(acting) == copies_of(cluster, pool) and _NONE not in acting


def copies_of(cluster: Cluster, pool: str) -> int:
    """Its size: of an erasure-coded one, all parts."""
    return int(cluster.ceph("osd", "pool", "get", pool, "size")["size"])


def await_clean(session: Session, status: Callable[[], Any], hold_s: float) -> None:
    """The same without words. status: asks for the cluster's status.

    hold_s: they must be so for this long without a break. After a change of the OSD map the monitors may still tell of
    the time before it.
    """
    until(_Held(lambda: _all_clean(status()), hold_s), session, "placement groups did not become active+clean")


@dataclass(slots=True)
class _Held:
    """True once a state was seen to be true for this long without a break."""

    state: Callable[[], bool]
    hold_s: float
    _since: float | None = None

    def __call__(self) -> bool:
        if not self.state():
            self._since = None
            return False
        self._since = self._since or time.monotonic()
        return time.monotonic() - self._since >= self.hold_s


def _all_clean(status: Any) -> bool:
    # A scrub does not take a group's clients away, so it does not stop a start; it is noted beside each cell.
    groups = status["pgmap"]
    told = sum(state["count"] for state in groups.get("pgs_by_state", []))
    return bool(0 < groups["num_pgs"] == told and health.unclean_groups(status) == 0)
