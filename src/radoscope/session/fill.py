"""Images, objects and the test file, all written in full: what was never written reads as if from nowhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from radoscope.errors import Interrupted, SiteError, ToolFailed
from radoscope.plan.estimate import image_count, object_sets, objects_in_set
from radoscope.records.conditions import Layer
from radoscope.records.study import Cell
from radoscope.run.command import LoadCommand
from radoscope.run.device_check import check_device
from radoscope.run.engines import fio, rados_bench
from radoscope.run.journal import Entry
from radoscope.run.prepared import Prepared
from radoscope.run.processes import Placed, run_together
from radoscope.session.session import Session
from radoscope.units import format_block, format_bytes

_FILL_TIMEOUT_S = 3600.0
# Starting fio costs more than writing a small image; more writers than this would only queue in the OSDs.
_FILLED_AT_ONCE = 4


def make_images(session: Session, prepared: Prepared, cells: Sequence[Cell]) -> Prepared:
    names = tuple(f"{session.name}-{number}" for number in range(image_count(cells)))
    own, size = ("rbd", "-c", str(prepared.client_conf), "-n", prepared.user), session.plan.image_size
    for first in range(0, len(names), _FILLED_AT_ONCE):
        group = names[first : first + _FILLED_AT_ONCE]
        some = f"image {first + 1}" if len(group) == 1 else f"images {first + 1} to {first + len(group)}"
        session.say(f"writing {some} of {len(names)}, {format_bytes(size)} each")
        for image in group:
            _note_in_foreign_pool(session, prepared.pool, "image", image)
            # layering only: with exclusive-lock, several writers of one image would hand the lock to and fro.
            create = (*own, "create", f"{prepared.pool}/{image}", "--size", f"{size}B")
            _finish(session, "create-image", (*create, "--image-feature", "layering"))
        _finish(session, "fill-image", *(fio.fill_image(prepared, image) for image in group))
    return replace(prepared, images=names)


def write_read_sets(session: Session, prepared: Prepared, cells: Sequence[Cell]) -> Prepared:
    if any(cell.conditions.layer is Layer.RADOS for cell in cells):
        _note_in_foreign_pool(session, prepared.pool, "objects", prepared.namespace)
    sets = {}
    for block, readers in object_sets(cells).items():
        count = objects_in_set(session.plan, block)
        each = f", for each of {readers} readers," if readers > 1 else ""
        session.say(f"writing {count} objects of {format_block(block)}{each} for reads")
        sets[block] = tuple(f"read-set-{block}-{number}" for number in range(readers))
        for name in sets[block]:
            _finish(session, "read-set", rados_bench.write_read_set(prepared, block, count, name))
    return replace(prepared, read_sets=sets)


def lay_out_file(session: Session, prepared: Prepared) -> Prepared:
    device, size = session.request.target.device, session.plan.file_size
    if device is not None:
        session.say(f"writing the first {format_bytes(size)} of {device}")
        check_device(device)
        _finish(session, "fill-device", fio.fill_file(device, size))
        return replace(prepared, file=device, file_bytes=size)
    path = session.place.disk_folder / f"{session.name}.dat"
    session.say(f"writing the test file {path}, {format_bytes(size)} in full")
    session.journal.will_create(Entry("file", str(path)))
    try:
        _finish(session, "fill-file", fio.fill_file(path, size))
    except ToolFailed as error:
        if "Invalid argument" in error.message:
            raise SiteError(
                f"the file system of {path.parent} does not support O_DIRECT",
                "Choose a folder on a disk with --disk-folder; tmpfs measures memory.",
            ) from None
        raise
    return replace(prepared, file=path, file_bytes=size)


def _note_in_foreign_pool(session: Session, pool: str, kind: str, name: str) -> None:
    """In a pool of the run's own nothing else needs to be noted: it goes with the pool."""
    if session.cluster is not None and pool == session.request.target.pool:
        session.journal.will_create(Entry(kind, name, {"cluster": session.cluster.to_json(), "pool": pool}))


def _finish(session: Session, name: str, *argvs: tuple[str, ...]) -> None:
    """Run preparing commands side by side to their end, as the own user. Raises ToolFailed, Interrupted."""
    commands = [
        LoadCommand(argv=argv, reader="", name=f"{name}-{n}", output=f"{name}-{n}.out", timeout_s=_FILL_TIMEOUT_S)
        for n, argv in enumerate(argvs)
    ]
    with session.others.loaded_by(name):
        ran = run_together(
            [Placed(command, session.place.client) for command in commands],
            folder=session.work,
            label=session.id,
            stop=session.stop,
            on_text=lambda _client, _text: None,
            hold=_pausing(session),
        )
    if ran.stopped:
        raise Interrupted("interrupted while preparing")
    if ran.failed is not None:
        command = commands[ran.failed]
        said = [(session.work / file).read_text(errors="replace") for file in (command.stderr, command.stdout)]
        raise ToolFailed(f"`{' '.join(command.argv)}` failed: {''.join(said).strip()[-400:]}")


def _pausing(session: Session) -> Callable[[], bool]:
    """Whether the work pauses for other clients; reports when a pause starts."""
    paused = False

    def now() -> bool:
        nonlocal paused
        if session.others.suffer() and not paused:
            session.say(f"pausing: {session.others.harm}")
        paused = session.others.suffer()
        return paused

    return now
