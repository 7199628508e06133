"""A standing connection to the cluster under load: for the governor, the OSDs' counters, and the other clients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager

from radoscope.ceph import Standing
from radoscope.errors import Interrupted, RadoscopeError
from radoscope.records.conditions import Layer
from radoscope.run.governor import Governor, Limits
from radoscope.run.host_watch import HostWatch
from radoscope.run.others import Others, Seen
from radoscope.run.telemetry import MOST_OSDS, Sources
from radoscope.session.place import Place
from radoscope.session.session import Session
from radoscope.sites.pod import Pod

_APPLICATIONS = {Layer.CEPHFS: "cephfs", Layer.S3: "rgw"}
"""Of pools that such cells load beside others, whose operations are not told from their own there."""


@contextmanager
def watched(session: Session) -> Iterator[None]:
    """Within: the cluster is asked for its health every second, and on one of the user's, how its other clients fare.

    Enter it before any pool is made: those that are there belong to others. Raises SiteError when the cluster cannot
    be reached, and at its end with the governor's reason, when that ended the load.
    """
    place = session.place
    if session.cluster is None:
        yield
        return
    with session.cluster.connection() as connection:
        limits = Limits(foreign=place.shared, allow_unhealthy=session.request.permissions.allow_unhealthy)
        osds = _osds(connection)
        with (
            Governor(connection.ask, limits, session.stop) as session.governor,
            _told_by(session.governor),
            _others(session, connection, osds) as session.others,
            _watched_hosts(place, session.id) as watches,
        ):
            daemons = place.embedded.pids() if place.embedded is not None else {}
            pids = {daemon: pid for daemon, pid in daemons.items() if daemon.startswith("osd.")}
            session.sources = Sources(
                osd_pids=pids,
                ask_osd=connection.ask_osd,
                osds=osds,
                watches=watches,
                hosts=_hosts(place, pids),
                daemon_pids=tuple(daemons.values()),
                here=not place.is_elsewhere,
            )
            yield


@contextmanager
def _told_by(governor: Governor) -> Iterator[None]:
    """Within, what the governor ends is ended for its reason, and not for the user's."""
    try:
        yield
    except Interrupted:
        if governor.trouble is None:
            raise
    if governor.trouble is not None:
        raise governor.trouble


@contextmanager
def _others(session: Session, connection: Standing, osds: tuple[int, ...]) -> Iterator[Others]:
    """The other clients of the user's cluster; nobody on one of our own."""
    if not session.place.shared or session.governor is None:
        yield Others()
        return
    own = (session.request.target.pool, session.request.target.data_pool)
    loaded = {_APPLICATIONS.get(cell.conditions.layer) for cell in session.request.cells}
    pools = {
        pool["pool"]
        for pool in connection.ask("osd dump")["pools"]
        if pool["pool_name"] not in own and not loaded.intersection(pool.get("application_metadata", {}))
    }
    session.say("observing what other clients do")
    spare = not session.request.permissions.as_hard_as_it_goes
    with ExitStack() as stack:
        try:
            seen = Seen(ask_osd=connection.ask_osd, osds=osds, pools=frozenset(pools))
            others = stack.enter_context(Others(seen, session.governor.end, spare=spare))
        except (RadoscopeError, KeyError, TypeError) as error:
            said = error.message if isinstance(error, RadoscopeError) else "the answer has an unknown format"
            session.warn(f"other clients' latency cannot be watched: {said}")
            others = Others()
        yield others


@contextmanager
def _watched_hosts(place: Place, run_id: str) -> Iterator[dict[str, HostWatch]]:
    """The hosts that are not this machine, of the load and of OSDs, each with a connection of its own for samples."""
    with ExitStack() as stack:
        osds = {site.name: site.osd if isinstance(site, Pod) else None for site in place.watched}
        watches = {site.name: HostWatch(site, run_id, osds[site.name]) for site in place.watched}
        for watch in watches.values():
            watch.start()
            stack.callback(watch.stop)
        yield watches


def _osds(connection: Standing) -> tuple[int, ...]:
    """Which OSDs to ask: all that are up, or as many as tell enough, spread over them."""
    up = [osd["osd"] for osd in connection.ask("osd dump")["osds"] if osd["up"]]
    step = max(1, -(-len(up) // MOST_OSDS))
    return tuple(up[::step])


def _hosts(place: Place, pids: Mapping[str, int]) -> dict[str, int]:
    """Hosts of a sandbox that are network namespaces -> the process of an OSD there."""
    if place.embedded is None or place.embedded.spec.hosts is None:
        return {}
    return {osd.host: pids[osd.daemon] for osd in place.embedded.osds if osd.daemon in pids}
