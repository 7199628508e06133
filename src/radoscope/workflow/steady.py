"""A steady load on a sandbox, for as long as somebody looks: to see what a fault does to it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from radoscope.errors import ToolFailed
from radoscope.plan.expand import Trial
from radoscope.plan.schema import check_plan
from radoscope.run.bundle import Bundle, new_manifest
from radoscope.run.engines import commands_for
from radoscope.run.engines.fio import rate_said
from radoscope.run.events import RunEvent, Step
from radoscope.run.processes import Placed, run_together
from radoscope.session.hands import Real
from radoscope.session.request import StudyRequest
from radoscope.session.session import Session
from radoscope.session.target import Target

_IMAGE = "256MiB"
OnRate = Callable[[float, float], None]
"""Told once a second: seconds since the load began, I/Os a second."""


def put_load(
    name: str,
    *,
    depth: int,
    rate: int,
    seconds: float,
    on_rate: OnRate,
    on_step: Callable[[str], None],
    stop: threading.Event,
) -> tuple[str, ...]:
    """4K random writes to an image in a pool of its own, until `stop` is set or the time is over.

    depth: at most so many in flight. rate: at most so many a second, 0 for as many as the cluster takes.

    What is made is in the journal before it exists, and gone at the end; returns what could not be removed. Nothing
    is kept: this is no measurement. Raises RadoscopeError.
    """
    cell = {"layer": "rbd", "op": "randwrite", "block": "4K", "queue_depth": depth, "rate_iops": rate or None}
    plan = check_plan({"name": "load", "image_size": _IMAGE, "cells": [cell]}, "the load")
    request = StudyRequest.build(plan, Target(sandbox=name), kind="load")

    def listen(event: RunEvent) -> None:
        if isinstance(event, Step):
            on_step(event.words)

    session = Session(request=request, hands=Real(), on_event=listen, stop=stop)
    with session.hands.opened(session):
        manifest = new_manifest(session.id, request.plan_values(), session.place.words, time.time(), request.cells)
        session.bundle = Bundle(session.work, manifest)  # for those who ask what is measured; never written
        session.prepared = session.hands.prepare(session)
        on_step("the load begins")
        _run(session, seconds, on_rate)
    return session.left


def _run(session: Session, seconds: float, on_rate: OnRate) -> None:
    trial = Trial(cell=session.request.cells[0], round=1, seconds=seconds, ramp=0.0)
    (command,) = commands_for(trial, session.prepared, session.work)
    begun = time.monotonic()

    def hear(_client: int, text: str) -> None:
        rate = rate_said(text)
        if rate is not None or "[eta " in text:  # it leaves out a rate of nothing
            on_rate(time.monotonic() - begun, rate or 0.0)

    ran = run_together(
        [Placed(command, session.place.client)], folder=session.work, label=session.id, stop=session.stop, on_text=hear
    )
    if ran.failed is not None and not session.stop.is_set():
        said = (session.work / command.stderr).read_text(errors="replace").strip()
        raise ToolFailed(f"the load ended early: {said[-400:]}", f"radoscope sandbox status {session.place.words}")
