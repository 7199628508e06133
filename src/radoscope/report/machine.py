"""A study for machines: plain JSON values, base units, the unit in each name."""

from __future__ import annotations

import shlex
from typing import Any

from radoscope import wire
from radoscope.records.fields import latency_field
from radoscope.records.study import Study
from radoscope.report.material import Material, Stamp
from radoscope.report.sections.response import answer_words
from radoscope.report.sections.verdict import more_time, write_verdict
from radoscope.stats.latency_limit import Below, Found
from radoscope.stats.response import ResponseCurve, response_curves
from radoscope.stats.values import CellSummary, Summaries


def study_json(material: Material) -> dict[str, Any]:
    """The whole study: where it was measured, every cell with its intervals, every finding with its evidence."""
    study, summaries = material.study, material.summaries
    return {
        "schema": wire.SCHEMA,
        "kind": "study",
        "study": study.id,
        "plan": study.plan,
        "target": study.target,
        "clients": list(study.clients),
        "created_at_s": study.created_at_s,
        "seconds": study.seconds,
        "complete": study.complete,
        "radoscope_version": study.radoscope_version,
        "precision": study.precision,
        "verdict": list(write_verdict(material)),
        "more_time": more_time(material),
        "cells": [cell_json(study, summary, material.stamp(summary)) for summary in summaries.cells],
        "findings": wire.plain(material.findings),
        "notes": list(study.notes),
        "environment": wire.plain(study.environment),
        **material.face.to_json(study),
        **_response(study, summaries),
    }


def _response(study: Study, summaries: Summaries) -> dict[str, Any]:
    """Latency over rate, and what a search found; nothing where no cell has a rate."""
    curves = response_curves(study, summaries)
    return {"response_curves": [_curve(curve) for curve in curves]} if curves else {}


def _curve(curve: ResponseCurve) -> dict[str, Any]:
    search: dict[str, Any] = {"cells": list(curve.cells), "segments": curve.segments, "seconds": curve.seconds}
    if curve.limit is not None:
        search["limit"] = {"metric": curve.limit.metric, "latency_s": curve.limit.latency_s}
        search["most_iops"] = _found(curve.found)
        search["said"] = answer_words(curve)
    points = [
        {
            "rate_iops": point.rate_iops,
            "iops": wire.plain(point.achieved),
            latency_field(None): wire.plain(point.mean_s),
            latency_field(curve.percentile): wire.plain(point.tail_s),
            "saturated": point.saturated,
            "segments": point.segments,
        }
        for point in curve.points
    ]
    return {**search, "points": points}


def _found(found: Found | None) -> dict[str, Any]:
    if isinstance(found, Below):
        return {"value": None, "below": found.rate_iops}
    return wire.estimate(found) if found is not None else {"value": None}


_ASKED = (
    "layer", "tool", "op", "block_bytes", "queue_depth", "jobs", "clients", "client_hosts", "sync", "rate_iops",
    "pinned",
)  # fmt: skip


def cell_json(study: Study, summary: CellSummary, stamp: Stamp) -> dict[str, Any]:
    """One cell: what was asked, what it came to, its per-second series and the exact commands of its last segment."""
    asked = summary.cell.conditions
    segments = study.segments_of(summary.cell.name)
    return {
        "cell": summary.cell.name,
        "title": summary.cell.title,
        "where": summary.cell.where,
        **{name: wire.plain(getattr(asked, name)) for name in _ASKED},
        **({} if asked.depth_told else {"queue_depth": None}),
        "iops": wire.estimate(summary.iops),
        "bandwidth_bytes_per_s": wire.estimate(summary.bandwidth_bytes_per_s),
        **wire.latency(summary.latency),
        **(wire.latency(summary.sync, "sync") if summary.sync else {}),
        "per_client_iops": list(summary.per_client_iops),
        "segments": summary.segments,
        "failed": summary.failed,
        "seconds": summary.seconds,
        "stamp": stamp.mark.value,
        "stamp_reasons": list(stamp.reasons),
        "precise": summary.precise,
        "needs": summary.needs,
        "remarks": list(summary.remarks),
        "problems": [segment.problem for segment in segments if segment.problem],
        "series": wire.plain(summary.series),
        "commands": [shlex.join(argv) for argv in segments[-1].commands] if segments else [],
    }
