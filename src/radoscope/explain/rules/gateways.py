"""The RADOS gateway: requests that wait for it, and not for the OSDs behind it."""

from __future__ import annotations

import math
from statistics import fmean

from radoscope.explain.evidence import CellEvidence
from radoscope.explain.finding import Finding, Role
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.explain.times import OPERATIONS, latency_s, share_over, spent_s
from radoscope.records.conditions import Conditions, Layer
from radoscope.records.study import Segment
from radoscope.units import format_seconds
from radoscope.words import _

_SMALL = 64 * 1024
"""Larger objects fill lines and processors on their way, of which other rules tell."""
_USUAL_S = 2e-3
"""Of each request in flight. A healthy gateway took 0.3 to 1 ms here, also on a machine that was full of other work;
one that might use a fifth of a core 2.6 to 3.6 ms."""


def _serves_small(conditions: Conditions) -> bool:
    return conditions.layer is Layer.S3 and (conditions.block_bytes or 0) <= _SMALL


def _gateway_of_cell(evidence: CellEvidence) -> Verdict:
    cluster = evidence.environment.cluster
    up = (cluster.osds_up if cluster is not None else None) or math.inf
    # Of a large cluster some OSDs alone are asked: what the others do would be taken for the gateway's.
    seen_whole = (one for one in evidence.segments if len(one.osd_counters) >= up)
    known = [inside for one in seen_whole if (inside := _in_osds(one)) is not None]
    trip_s = evidence.round_trip_s()
    if not known or trip_s is None:
        return Unchecked(_("requests' latency, all OSDs' operations or the network's round trip were not recorded"))
    outside = [total - seconds - (1 + count) * trip_s for total, seconds, count in known]
    each = [left / evidence.conditions.in_flight for left in outside]
    if min(each) < _USUAL_S:
        return None
    return Finding(
        claim=_("Requests wait for the gateway, not for the OSDs behind it."),
        because=(
            _(
                "a request takes {total}, of which all its operations in OSDs take at most {inside}",
                total=format_seconds(fmean(total for total, *_rest in known)),
                inside=format_seconds(fmean(seconds for _total, seconds, _count in known)),
            ),
            _(
                "that leaves {each} for each request in flight; a healthy gateway needs less than {usual}",
                each=format_seconds(fmean(each)),
                usual=format_seconds(_USUAL_S),
            ),
        ),
        unless=_("a proxy or a slow line before the gateway takes that time"),
        try_next=_(
            "On the gateway's host: top, and the CPU limit of radosgw (systemctl show -p CPUQuotaPerSecUSec, cpu.max, "
            "resources.limits.cpu of its pod); measure once past the proxy; add a gateway."
        ),
        role=Role.CAUSE,
        resource="gateway",
        explains=share_over(left / total for left, (total, *_rest) in zip(outside, known, strict=True)),
        hides=("client-cpu",),
    )


def _in_osds(segment: Segment) -> tuple[float, float, float] | None:
    """Of the mean request: seconds, those of its operations in OSDs as if each waited for the one before, and their
    number. Operations of other clients are among them, so that less is left for the gateway than it takes."""
    total, requests = latency_s(segment), sum(one.total_ios or 0 for one in segment.results)
    count = sum(segment.counters.get(kind.events, 0.0) for kind in OPERATIONS)
    if total is None or not requests or not count:
        return None
    return total, spent_s(segment, *OPERATIONS) / requests, count / requests


GATEWAY_RULE = Rule(
    "gateway", "Did requests pass the gateway without waiting?", concerns=_serves_small, cell=_gateway_of_cell
)
