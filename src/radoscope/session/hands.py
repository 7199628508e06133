"""Real hands: what a session does to the world. session/rehearsal.py has others."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from radoscope.ceph.file_systems import check_answers
from radoscope.errors import SiteError
from radoscope.records.conditions import Layer
from radoscope.records.study import Cell
from radoscope.run import client_hosts, preflight
from radoscope.run.cleaning import clean, clean_dead
from radoscope.run.journal import Journal, check_not_running
from radoscope.session.bucket import answers
from radoscope.session.capture import capture, look_back
from radoscope.session.check import check
from radoscope.session.opening import opened
from radoscope.session.prepare import prepare
from radoscope.session.removers import REMOVERS
from radoscope.session.session import Session
from radoscope.session.trial import execute, get_ready
from radoscope.session.watch import watched


class Real:
    """Hands that do it."""

    check = staticmethod(check)
    watched = staticmethod(watched)
    prepare = staticmethod(prepare)
    capture = staticmethod(capture)
    get_ready = staticmethod(get_ready)
    run = staticmethod(execute)
    look_back = staticmethod(look_back)
    clock = staticmethod(time.monotonic)

    @contextmanager
    def opened(self, session: Session) -> Iterator[None]:
        request = session.request
        if request.target.at is None:  # over there, `check` looks for them
            preflight.check_tools(request.cells, with_cluster=request.needs_cluster)
        if request.resume:
            _clear_for(session)
        session.journal = Journal.begin(session.id)
        is_open = False
        try:
            with opened(session) as session.place:
                is_open = True
                try:
                    yield
                finally:
                    session.say("removing everything that the study created")
                    session.left = clean(session.journal, lambda words: None, REMOVERS, keep="sandbox")
        finally:
            if not is_open:  # what was made on the way there, such as a pod that does not start
                session.left = clean(session.journal, lambda words: None, REMOVERS)
            if not session.journal.standing():
                session.journal.end()
            session.journal.events.unlink(missing_ok=True)

    def check_well(self, session: Session, cell: Cell) -> None:
        if away := [site for site in session.place.sites(cell.conditions.layer) if site.folder is not None]:
            client_hosts.check_answer(away)
        cluster = session.place.cluster
        on_cluster = cell.conditions.layer.on_cluster
        if cluster is None or not on_cluster or session.request.permissions.allow_unhealthy:
            return
        try:
            preflight.check_status(cluster.ceph("status"))
        except SiteError as error:
            raise SiteError(f"the load was stopped: {error.message}", error.hint) from None
        if cell.conditions.layer is Layer.CEPHFS:
            check_answers(cluster, session.prepared.file_system)
        if cell.conditions.layer is Layer.S3:
            answers(session, session.prepared)

    def wait(self, seconds: float, stop: threading.Event) -> None:
        stop.wait(seconds)


def _clear_for(session: Session) -> None:
    """Remove what a dead run of the study left, because the next one creates things with the same names.

    Raises StoreError while a run of it lives, SiteError when something cannot be removed.
    """
    former = Journal.of(session.id)
    check_not_running([session.id])
    if former.standing():
        session.say("removing what the interrupted run left")
        if left := clean_dead(former, lambda words: None, REMOVERS):
            raise SiteError(f"not removed: {'; '.join(left)}", "See `radoscope clean`; then resume.")
