"""Images: into how many operations they cut an I/O, and what they write beside it."""

from __future__ import annotations

import statistics

from radoscope.explain.evidence import CellEvidence, most_ios
from radoscope.explain.finding import Finding, Role, Severity, Share
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.explain.rules.disturbances import work_without_load
from radoscope.explain.times import OUTSIDE, latency_s, share_of_parts, share_over
from radoscope.records.conditions import Layer
from radoscope.records.environment import ImageFacts
from radoscope.records.study import Segment
from radoscope.records.telemetry import OP_R, OP_R_OUT_BYTES, OP_RW, OP_W, OP_W_IN_BYTES
from radoscope.units import format_block, format_bytes, format_seconds
from radoscope.words import _

_PIECES, _SMALL_PIECE, _ALIKE = 4, 520 * 1024, 0.1
"""Objects are 4 MiB by default; an operation of 512 KiB carries a few bytes more. What one size in all segments made is
the layout's, and no other client's."""
_LEAST_SHARE = 0.3
_LOCKS, _STALLS, _LEAST_STALL = 3, 20.0, 0.1
"""Operations that read and write in one: a load makes one a segment, beside the handing over of a lock it was 15 to 25.
The slowest write of healthy clusters took 4 to 9 times the mean, of two clients of one image 71 and 74 times."""


def _image_layout_of_cell(evidence: CellEvidence) -> Verdict:
    image = evidence.environment.image
    pieces = [one for segment in evidence.segments if (one := _pieces(segment, evidence)) is not None]
    if image is None and not pieces:
        return Unchecked(_("neither the image's layout nor the OSDs' counts of operations were recorded"))
    # What its client waits beyond any one operation and a round trip.
    outside = share_of_parts(evidence.segments, OUTSIDE, beyond_s=evidence.round_trip_s() or 0.0)
    return _split(evidence, pieces, image, outside) or _journaled(evidence, image, outside) or _taken(evidence, image)


def _pieces(segment: Segment, evidence: CellEvidence) -> tuple[float, float] | None:
    """Operations of the OSDs for each I/O at least, and the bytes of one operation."""
    counters = segment.counters
    if not all(one.name in counters for one in (OP_R, OP_W, OP_R_OUT_BYTES, OP_W_IN_BYTES)):
        return None
    done, moved = (
        counters[OP_R.name] + counters[OP_W.name],
        counters[OP_R_OUT_BYTES.name] + counters[OP_W_IN_BYTES.name],
    )
    return (done / most_ios(segment, evidence.conditions.in_flight), moved / done) if done and moved else None


def _split(
    evidence: CellEvidence, pieces: list[tuple[float, float]], image: ImageFacts | None, outside: Share | None
) -> Finding | None:
    block, sizes = evidence.conditions.block_bytes or 0, [size for _number, size in pieces]
    if (
        not pieces
        or min(number for number, _size in pieces) < _PIECES
        or max(sizes) > min(_SMALL_PIECE, block / _PIECES)
    ):
        return None
    size = statistics.median(sizes)
    if max(abs(each / size - 1) for each in sizes) > _ALIKE or not _cuts_so(evidence, image, size):
        return None
    because = [
        _(
            "the OSDs did {number:.0f} operations of {size} for each I/O of {block}",
            number=block / size,
            size=format_bytes(size),
            block=format_block(block),
        )
    ]
    if image is not None and image.object_bytes:
        because.append(_("the image's objects are {size} long", size=format_bytes(image.object_bytes)))
    return Finding(
        claim=_("Each I/O is cut into many small ones before it reaches the OSDs."),
        because=tuple(because),
        unless=_("the image is meant for small I/O alone"),
        try_next=_(
            "rbd info POOL/IMAGE: object size and stripe unit stay as they were made (rbd create --object-size 4M, "
            "rbd_default_order); with krbd also max_sectors_kb."
        ),
        role=Role.CAUSE,
        resource="image layout",
        explains=outside,
        at_most=outside is not None,
        hides=("client-cpu", "io-limit", "other-clients"),
    )


def _cuts_so(evidence: CellEvidence, image: ImageFacts | None, size: float) -> bool:
    """Whether the image's own layout makes such pieces; where it does not, librbd asked for none of them. Other layers
    may cut as well, unless OSDs have operations of others to do."""
    if image is None or image.object_bytes is None or evidence.conditions.layer is not Layer.RBD:
        return (work_without_load(evidence) or 0.0) < 1
    return abs(size / min(image.object_bytes, image.stripe_unit_bytes or image.object_bytes) - 1) <= _ALIKE


def _journaled(evidence: CellEvidence, image: ImageFacts | None, outside: Share | None) -> Finding | None:
    """Each write goes into the image's journal, object after object, and then to its place."""
    if image is None or "journaling" not in image.features or not evidence.conditions.op.writes:
        return None
    if outside is None or outside.value < _LEAST_SHARE:
        return None
    return Finding(
        claim=_("The image keeps a journal: everything is written twice, first into the journal."),
        because=(
            _("features of the image: {features}", features=", ".join(image.features)),
            _("{share} of an I/O's time passes outside of the write itself", share=outside),
        ),
        unless=_("it is mirrored by its journal: then it needs that, or snapshots instead (rbd mirror image enable)"),
        try_next="rbd feature disable POOL/IMAGE journaling",
        role=Role.CAUSE,
        resource="image journal",
        explains=outside,
        hides=(
            "client-cpu",
            "io-limit",
            "other-clients",
            "unasked-writes",
        ),  # a full journal object refuses what is added
    )


def _taken(evidence: CellEvidence, image: ImageFacts | None) -> Finding | None:
    """Somebody else takes the image's lock: writes stand still until it is handed over; no OSD is slow meanwhile."""
    if image is None or "exclusive-lock" not in image.features or not evidence.conditions.op.writes:
        return None
    found = [stall for one in evidence.segments if (stall := _stall(one)) is not None]
    share = share_over(part for _seconds, part in found)
    if share is None or share.value < _LEAST_STALL or 3 * len(found) < 2 * len(evidence.segments):
        return None
    return Finding(
        claim=_("Another client takes the image's exclusive lock: writes wait until it is handed over."),
        because=(
            _("writes stood still for {seconds} at once", seconds=format_seconds(max(found)[0])),
            _("no OSD took as long for a write, and operations on locks and headers of images came in between"),
        ),
        severity=Severity.DOUBTFUL,
        unless=_("the client's host stood still"),
        try_next="rbd lock ls POOL/IMAGE; rbd status POOL/IMAGE",
        role=Role.CAUSE,
        resource="image lock",
        explains=share,
        hides=("client-cpu", "io-limit"),
    )


def _stall(segment: Segment) -> tuple[float, float] | None:
    """(seconds of the slowest write, their share of the run), where it waited for a lock and for no OSD."""
    late = max((one.latency.max_s or 0.0 for one in segment.results if one.latency), default=0.0)
    runtime = max((one.runtime_s or 0.0 for one in segment.results), default=0.0)
    usual = latency_s(segment)
    if not usual or late < _STALLS * usual or not runtime or segment.counters.get(OP_RW.name, 0.0) < _LOCKS:
        return None
    held = max((op.seconds for op in segment.slowest if op.replica), default=0.0)
    return None if held > late / 2 else (late, late / runtime)


IMAGE_LAYOUT_RULE = Rule(
    "image-layout",
    "Does an I/O reach the OSDs in one piece, and once?",
    concerns=lambda asked: asked.layer.on_image,
    cell=_image_layout_of_cell,
)
