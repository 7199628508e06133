"""A standing connection to the cluster under load: for the governor, the OSDs' counters, and the other clients."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager

from radoscope.ceph import Connection
from radoscope.errors import RadoscopeError
from radoscope.run.events import Listener, Step, Warning_
from radoscope.run.governor import Governor, Limits
from radoscope.run.host_watch import HostWatch
from radoscope.run.others import Others, Seen
from radoscope.run.prepare import Interrupted_
from radoscope.run.telemetry import MOST_OSDS, Sources
from radoscope.run.trial_runner import Beside
from radoscope.workflow.place import Place
from radoscope.workflow.request import StudyRequest


@contextmanager
def watched(
    request: StudyRequest, place: Place, stop: threading.Event, on_event: Listener
) -> Iterator[tuple[Governor | None, Beside]]:
    """Within: the cluster is asked for its health every second, and on one of the user's, how its other clients fare.

    Enter it before any pool is made: those that are there belong to others. Raises SiteError when the cluster cannot
    be reached, and at its end with the governor's reason, when that ended the load.
    """
    if place.cluster is None or not request.needs_cluster:
        yield None, Beside()
        return
    with place.cluster.connection() as connection:
        limits = Limits(foreign=place.embedded is None, allow_unhealthy=request.allow_unhealthy)
        osds = _osds(connection)
        governed = Governor(connection.ask, limits, stop)
        with (
            governed as governor,
            _told_by(governor),
            _others(request, place, connection, osds, governor, on_event) as others,
            _watched_hosts(place, request.study_id) as watches,
        ):
            pids = _osd_pids(place)
            sources = Sources(
                osd_pids=pids,
                ask_osd=connection.ask_osd,
                osds=osds,
                watches=watches,
                hosts=_hosts(place, pids),
                daemon_pids=_daemons(place),
            )
            yield governor, Beside(sources=sources, seen_between=governor.seen_between, others=others)


@contextmanager
def _told_by(governor: Governor) -> Iterator[None]:
    """Within, what the governor ends is ended for its reason, and not for the user's."""
    try:
        yield
    except Interrupted_:
        if governor.trouble is None:
            raise
    if governor.trouble is not None:
        raise governor.trouble


@contextmanager
def _others(
    request: StudyRequest,
    place: Place,
    connection: Connection,
    osds: tuple[int, ...],
    governor: Governor,
    on_event: Listener,
) -> Iterator[Others]:
    """The other clients of a cluster of the user's; on one of our own, nobody."""
    if place.embedded is not None:
        yield Others()
        return
    pools = {pool["pool"] for pool in connection.ask("osd dump")["pools"] if pool["pool_name"] != request.target.pool}
    on_event(Step("observing what other clients do"))
    with ExitStack() as stack:
        try:
            seen = Seen(ask_osd=connection.ask_osd, osds=osds, pools=frozenset(pools))
            others = stack.enter_context(Others(seen, governor.end, spare=not request.as_hard_as_it_goes))
        except (RadoscopeError, KeyError, TypeError) as error:
            said = error.message if isinstance(error, RadoscopeError) else "the answer has an unknown format"
            on_event(Warning_(f"other clients' latency cannot be watched: {said}"))
            others = Others()
        yield others


@contextmanager
def _watched_hosts(place: Place, run_id: str) -> Iterator[dict[str, HostWatch]]:
    """The client hosts that are not this machine, each with a connection of its own for samples."""
    with ExitStack() as stack:
        watches = {site.name: HostWatch(site, run_id) for site in place.away}
        for watch in watches.values():
            watch.start()
            stack.callback(watch.stop)
        yield watches


def _osds(connection: Connection) -> tuple[int, ...]:
    """Which OSDs to ask: all that are up, or as many as tell enough, spread over them."""
    up = [osd["osd"] for osd in connection.ask("osd dump")["osds"] if osd["up"]]
    step = max(1, -(-len(up) // MOST_OSDS))
    return tuple(up[::step])


def _osd_pids(place: Place) -> dict[str, int]:
    if place.embedded is None:
        return {}
    return {daemon: pid for daemon, pid in place.embedded.pids().items() if daemon.startswith("osd.")}


def _hosts(place: Place, pids: Mapping[str, int]) -> dict[str, int]:
    """Hosts of a sandbox that are network namespaces -> the process of an OSD there."""
    if place.embedded is None or place.embedded.spec.hosts is None:
        return {}
    return {osd.host: pids[osd.daemon] for osd in place.embedded.osds if osd.daemon in pids}


def _daemons(place: Place) -> tuple[int, ...]:
    return tuple(place.embedded.pids().values()) if place.embedded is not None else ()
