"""A standing connection to the cluster under load: for the governor, and for the counters of its OSDs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from radoscope import sandbox
from radoscope.run.governor import Governor, Limits
from radoscope.run.host_watch import HostWatch
from radoscope.run.telemetry import MOST_OSDS, Sources
from radoscope.run.trial_runner import Beside
from radoscope.workflow.place import Place
from radoscope.workflow.request import StudyRequest


@contextmanager
def watched(request: StudyRequest, place: Place, stop: threading.Event) -> Iterator[tuple[Governor | None, Beside]]:
    """Within: the cluster is asked for its health every two seconds. Raises SiteError when it cannot be reached."""
    if place.cluster is None or not request.needs_cluster:
        yield None, Beside()
        return
    reach = {"user": place.cluster.user, "keyring": place.cluster.keyring}
    with sandbox.Cluster(place.cluster.conf, namespace=place.namespace_path, **reach) as connection:  # type: ignore[arg-type]
        limits = Limits(foreign=place.embedded is None, allow_unhealthy=request.allow_unhealthy)
        governed = Governor(connection.ask, limits, stop)
        with governed as governor, _watched_hosts(place, request.study_id) as watches:
            osds = _osds(connection)
            sources = Sources(osd_pids=_osd_pids(place), ask_osd=connection.ask_osd, osds=osds, watches=watches)
            yield governor, Beside(sources=sources, seen_between=governor.seen_between)


@contextmanager
def _watched_hosts(place: Place, run_id: str) -> Iterator[dict[str, HostWatch]]:
    """The client hosts that are not this machine, each with a connection of its own for samples."""
    with ExitStack() as stack:
        watches = {site.name: HostWatch(site, run_id) for site in place.away}
        for watch in watches.values():
            watch.start()
            stack.callback(watch.stop)
        yield watches


def _osds(connection: sandbox.Cluster) -> tuple[int, ...]:
    """Which OSDs to ask: all that are up, or as many as tell enough, spread over them."""
    up = [osd["osd"] for osd in connection.ask("osd dump")["osds"] if osd["up"]]
    step = max(1, -(-len(up) // MOST_OSDS))
    return tuple(up[::step])


def _osd_pids(place: Place) -> dict[str, int]:
    if place.embedded is None:
        return {}
    return {daemon: pid for daemon, pid in place.embedded.pids().items() if daemon.startswith("osd.")}
