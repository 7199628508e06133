"""Every OSD's own bench, several times in random order: which one is sick, and what mClock should take for granted."""

from __future__ import annotations

import json
import random
import threading
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from radoscope.archives.osd_benches import CLASSES, answer_name
from radoscope.ceph import Cluster
from radoscope.errors import RadoscopeError, SiteError, ToolFailed
from radoscope.formats import osd_bench as reader
from radoscope.plan import load_text
from radoscope.run import preflight
from radoscope.run.bundle import Bundle, new_manifest
from radoscope.run.cleaning import clean
from radoscope.run.clock import now_s
from radoscope.run.engines import osd_bench as engine
from radoscope.run.events import Listener, Step, Warning_
from radoscope.run.journal import Journal
from radoscope.run.others import Others
from radoscope.stats.osds import OsdFigure, judge_osds
from radoscope.workflow.bench import capture
from radoscope.workflow.place import Place, opened
from radoscope.workflow.removers import REMOVERS
from radoscope.workflow.request import StudyRequest, Target
from radoscope.workflow.watch import watched

# A request must have a cell to say that it needs a cluster; this one is never run.
_PLAN = """
name = "osd-bench"
title = "ceph tell osd.N bench, of every OSD"
[[cells]]
layer = "rados"
op = "write"
block = "4K"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OsdsBenched:
    """folder: the bundle with every answer as it came. complete: every round was run. problem: what ended it early."""

    folder: Path
    figures: tuple[OsdFigure, ...]
    complete: bool
    problem: RadoscopeError | None = None
    left: tuple[str, ...] = ()


@dataclass(slots=True)
class _Answers:
    rates: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    classes: dict[int, str] = field(default_factory=dict)
    complete: bool = False


def bench_request(target: Target) -> StudyRequest:
    """What `bench_osds` is asked for."""
    return StudyRequest.build(load_text(_PLAN, "osd-bench"), target)


def bench_osds(request: StudyRequest, rounds: int, on_event: Listener, stop: threading.Event) -> OsdsBenched:
    """Ask every OSD in turn; the cluster is watched, and load ends when it or its other clients suffer. Nothing is
    changed in it.

    Raises SiteError when the cluster is not well or answers no more, ToolFailed when `ceph` is missing or fails; once
    an OSD has answered, that is OsdsBenched.problem.
    """
    name = request.study_id
    journal, answers = Journal.begin(name), _Answers()
    left: tuple[str, ...] = ()
    problem: RadoscopeError | None = None
    try:
        with opened(request, journal, on_event) as place:
            assert place.cluster is not None
            for words in preflight.check_health(place.cluster, allow_unhealthy=request.allow_unhealthy):
                on_event(Warning_(words))
            said = {"name": "osd-bench", "rounds": rounds}
            bundle = Bundle.create(new_manifest(name, said, place.words, now_s(), ()))
            bundle.change(sandbox=place.sandbox)
            capture(bundle, place, "")
            try:
                with watched(request, place, stop, on_event) as (_, beside):
                    _ask_all(place, bundle, rounds, answers, on_event, stop, beside.others)
            except RadoscopeError as error:
                if not answers.rates:
                    raise
                problem = error
            bundle.change(complete=answers.complete, seconds=now_s() - bundle.manifest.created_at_s)
    finally:
        left = clean(journal, lambda words: None, REMOVERS)
    figures = judge_osds(answers.rates, answers.classes)
    return OsdsBenched(folder=bundle.folder, figures=figures, complete=answers.complete, problem=problem, left=left)


def _ask_all(
    place: Place,
    bundle: Bundle,
    rounds: int,
    answers: _Answers,
    on_event: Listener,
    stop: threading.Event,
    others: Others,
) -> None:
    """Round after round, each in another order, so that a drift of the hosts does not look like an OSD's.

    An OSD that benches cannot be stopped, but it is a matter of seconds: what other clients suffer from one is not done
    to them by the next.
    """
    assert place.cluster is not None
    answers.classes.update(_device_classes(place.cluster))
    bundle.add_capture(CLASSES, json.dumps(answers.classes))
    order = random.Random(bundle.manifest.id)
    for number in range(1, rounds + 1):
        for osd in order.sample(sorted(answers.classes), len(answers.classes)):
            if stop.is_set():
                return
            try:
                with others.loaded_by("osd-bench"):
                    text = place.cluster.ceph_text(*engine.words(osd), "--format", "json", timeout_s=engine.TIMEOUT_S)
            except ToolFailed:
                if stop.is_set():  # Ctrl-C reaches the `ceph` command as well
                    return
                raise
            bundle.add_capture(answer_name(osd, number), text)
            bundle.save()
            answers.rates[osd] += [result.iops for result in reader.read(text) if result.iops is not None]
            on_event(Step(f"round {number} of {rounds}: osd.{osd} {answers.rates[osd][-1]:,.0f} IOPS"))
            others.end_if_they_suffer()
    answers.complete = True


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
