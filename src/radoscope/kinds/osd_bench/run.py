"""Every OSD's own bench, several times in random order: which one is sick, and what mClock should take for granted."""

from __future__ import annotations

import json
import random
import threading

from radoscope.ceph import Cluster
from radoscope.errors import Interrupted, SiteError, ToolFailed
from radoscope.formats.tools import osd_bench as reader
from radoscope.kinds.osd_bench.read import CLASSES, answer_name
from radoscope.run.engines import osd_bench as engine
from radoscope.run.events import Listener
from radoscope.session.hands import Real
from radoscope.session.request import StudyRequest, new_id
from radoscope.session.session import Session, StudyDone, run_session
from radoscope.session.target import Permissions, Target

KIND_NAME = "osd-bench"


def run_osd_bench(
    target: Target, permissions: Permissions, rounds: int, on_event: Listener, stop: threading.Event
) -> StudyDone:
    """Ask every OSD in turn; the cluster is watched, and load ends when it or its other clients suffer. Nothing is
    changed in it.

    Raises SiteError when the cluster is not well or answers no more, ToolFailed when `ceph` is missing or fails; once
    an OSD has answered, that is StudyDone.problem.
    """
    request = StudyRequest(kind=KIND_NAME, target=target, study_id=new_id(KIND_NAME), permissions=permissions)
    session = Session(request=request, hands=Real(), on_event=on_event, stop=stop)
    return run_session(session, lambda session: _ask_all(session, rounds))


def _ask_all(session: Session, rounds: int) -> None:
    """Round after round, each in another order, so that a drift of the hosts does not look like an OSD's.

    An OSD that benches cannot be stopped, but it is a matter of seconds: what other clients suffer from one is not done
    to them by the next.
    """
    cluster = session.cluster
    assert cluster is not None
    classes = _device_classes(cluster)
    session.bundle.add_capture(CLASSES, json.dumps(classes))
    session.bundle.change(plan={**session.bundle.manifest.plan, "rounds": rounds})
    order = random.Random(session.id)
    for number in range(1, rounds + 1):
        for osd in order.sample(sorted(classes), len(classes)):
            if session.stop.is_set() or not _ask(session, cluster, osd, f"round {number} of {rounds}", number):
                if not session.bundle.holds_results:
                    raise Interrupted("interrupted before any OSD had answered")
                return
            session.others.end_if_they_suffer()
    session.bundle.change(complete=True)


def _ask(session: Session, cluster: Cluster, osd: int, turn: str, number: int) -> bool:
    """Keep what one OSD answers. False: the user wants an end, and Ctrl-C has reached the `ceph` command as well."""
    try:
        with session.others.loaded_by(KIND_NAME):
            text = cluster.ceph_text(*engine.words(osd), "--format", "json", timeout_s=engine.TIMEOUT_S)
    except ToolFailed:
        if session.stop.is_set():
            return False
        raise
    session.bundle.add_answer(answer_name(osd, number), text)
    rates = [result.iops for result in reader.read(text) if result.iops is not None]
    session.say(f"{turn}: osd.{osd} {rates[-1]:,.0f} IOPS")
    return True


def _device_classes(cluster: Cluster) -> dict[int, str]:
    """The OSDs that are up, each with its device class."""
    nodes = (cluster.ceph("osd", "tree") or {}).get("nodes", [])
    found = {
        int(node["id"]): str(node.get("device_class", ""))
        for node in nodes
        if node["type"] == "osd" and node["status"] == "up"
    }
    if not found:
        raise SiteError("no OSD of this cluster is up", "See `ceph osd tree`.")
    return found
