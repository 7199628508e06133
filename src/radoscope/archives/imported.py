"""Any bundle -> Study: our own by its manifest, a kept text by reading it again.

Both have the same shape, so that an import can be listed, exported and compared like what was measured.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from radoscope.archives.bundle import read_study
from radoscope.errors import StoreError
from radoscope.formats.fio.job import AskedJob
from radoscope.records.conditions import Conditions, Layer, Operation, Sync
from radoscope.records.manifest import MANIFEST
from radoscope.records.measurement import Result
from radoscope.records.study import Cell, Outcome, Segment, Study
from radoscope.units import format_block
from radoscope.words import _

_LAYERS = {
    "rados-bench": Layer.RADOS,
    "osd-bench": Layer.RADOS,
    "rbd-bench": Layer.RBD,
}
_OF_NETWORKS = (Operation.RTT, Operation.RECV, Operation.SEND)
_MOST_NOTED = 20
_ENGINES = {"rbd": Layer.RBD, "rados": Layer.RADOS}


def read_bundle(folder: Path) -> Study:
    """The study in a bundle's folder. Raises StoreError."""
    return read_import(folder) if kind_of(folder) == "import" else read_study(folder)


def kind_of(folder: Path) -> str:
    """ "study" or "import", as in the manifest; "study" if it does not say, and its reader reports the fault."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return "study"
    return str(manifest.get("kind", "study")) if isinstance(manifest, dict) else "study"


def read_import(folder: Path) -> Study:
    """A bundle of kind "import". Results that are no load (a cluster's status, a cache setting) become notes.

    The kept text is read again each time, so a better reader improves old imports. Raises StoreError, UnreadableFile.
    """
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_bytes())
        results, uncertain = _read(folder, manifest)
        created, source = float(manifest["created_at_s"]), str(manifest["source"])
    except OSError as error:
        raise StoreError(f"{folder}: {error.strerror}", "radoscope rm removes what is left of it.") from None
    except (ValueError, KeyError, TypeError):
        raise StoreError(f"{folder / MANIFEST} is damaged", "What was imported is still beside it.") from None
    study = study_of(results, id=folder.name, source=source, created_at_s=created)
    return replace(study, notes=(*study.notes, *_noted(uncertain)))


def _read(bundle: Path, manifest: dict[str, Any]) -> tuple[tuple[Result, ...], list[str]]:
    """(results, what was not read with certainty). Names in a manifest are taken as names within the bundle."""
    from radoscope.archives import clean, folders, paste  # start-up time: all readers

    if "folder" in manifest:
        return folders.read_folder(bundle / Path(str(manifest["folder"])).name).results, []
    page = paste.read_page(clean.decode((bundle / Path(str(manifest["text"])).name).read_bytes()))
    return page.results, [each.words for each in page.unread if each.result]


def _noted(uncertain: Sequence[str]) -> list[str]:
    more = [_("and {n} more", n=len(uncertain) - _MOST_NOTED)] if len(uncertain) > _MOST_NOTED else []
    return [*uncertain[:_MOST_NOTED], *more]


def study_of(results: tuple[Result, ...], *, id: str, source: str, created_at_s: float) -> Study:
    """One cell per result: a text does not say whether two runs of one load used the same hardware.

    A rate whose operation the text does not say is kept as a segment without a cell: listed and exported, not compared.
    """
    cells: list[Cell] = []
    segments: list[Segment] = []
    notes: list[str] = []
    seen: Counter[str] = Counter()
    for result in results:
        cell = _cell(result, seen)
        if cell is not None:
            cells.append(cell)
        elif result.iops is None and result.bandwidth_bytes_per_s is None and result.latency is None:
            notes.append(f"{result.tool}{_lines(result)}: no load")
            continue
        segments.append(_segment(result, cell.name if cell else result.tool, created_at_s))
    return Study(
        id=id,
        plan="import",
        target=source,
        created_at_s=created_at_s,
        cells=tuple(cells),
        segments=tuple(segments),
        notes=tuple(notes),
    )


def _segment(result: Result, cell: str, created_at_s: float) -> Segment:
    return Segment(
        cell=cell,
        round=0,
        outcome=Outcome.DONE,
        started_at_s=created_at_s,
        seconds=result.runtime_s or 0.0,
        results=(result,),
    )


def _cell(result: Result, seen: Counter[str]) -> Cell | None:
    if result.op not in set(Operation):
        return None
    depth, jobs = result.queue_depth, result.jobs
    words = [
        result.tool,
        result.op,
        format_block(result.block_bytes).lower() if result.block_bytes else "",
        f"qd{depth}" if depth else "",
        f"j{jobs}" if jobs and jobs > 1 else "",
        "fsync" if result.sync is not None else "",
    ]
    name = "-".join(word for word in words if word)
    seen[name] += 1
    asked = AskedJob(name=None, options=result.extra.get("options", {}))
    conditions = Conditions(
        layer=_layer(result),
        tool=result.tool,
        op=Operation(result.op),
        block_bytes=result.block_bytes or None,
        queue_depth=max(1, depth or 1),
        jobs=max(1, jobs or 1),
        depth_told=depth is not None,
        sync=Sync.FSYNC if result.sync is not None else asked.sync,
        rate_iops=asked.rate_iops,
        mixed=bool(result.extra.get("mixed")),
    )
    unique = name if seen[name] == 1 else f"{name}-run{seen[name]}"
    title = " ".join([*(word for word in words if word and word != "table"), *_named(result)])
    return Cell(name=unique, title=title, conditions=conditions, where=_lines(result).strip(" ()"))


def _named(result: Result) -> list[str]:
    """What its page calls it: "(bcache: Host)"."""
    names = [result.extra.get("section") if result.tool == "table" else None, result.extra.get("label")]
    name = ": ".join(str(each) for each in names if each)
    return [f"({name})"] if name else []


def _layer(result: Result) -> Layer:
    """By what was measured, by the tool, or by fio's engine; all else counts as on a disk, which may be a guest's."""
    if result.op in _OF_NETWORKS:
        return Layer.NETWORK
    engine = result.extra.get("ioengine") or result.extra.get("options", {}).get("ioengine")
    return _LAYERS.get(result.tool) or _ENGINES.get(str(engine), Layer.DISK)


def _lines(result: Result) -> str:
    source = result.source
    if source is not None and source.file is not None:
        return f" ({source.file})"
    if source is None or source.first_line is None:
        return ""
    return f" (line{'' if source.first_line == source.last_line else 's'} {source.lines})"
