"""The guests of a study: made before its first cell, one an image, ended with its processes."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from radoscope.errors import Interrupted, ToolFailed
from radoscope.records.conditions import Conditions, Layer
from radoscope.records.study import Cell
from radoscope.run import guest_image
from radoscope.run.clock import now_s
from radoscope.run.engines import guest
from radoscope.run.prepared import Prepared
from radoscope.run.processes import LABEL, Running
from radoscope.session.session import Session
from radoscope.tools import call

_BOOT_S = {guest.KVM: 30.0, guest.TCG: 180.0}
"""A guest under KVM answers after two seconds; emulated, after ten to twenty on a processor of its own."""
_PERIOD_S = 0.2


def start_guests(session: Session, prepared: Prepared, cells: Sequence[Cell]) -> Prepared:
    """All that the cells need, and wait until each answers. Raises ToolFailed, Interrupted."""
    asked = [cell.conditions for cell in cells if cell.conditions.layer is Layer.GUEST]
    if not asked:
        return prepared
    kernel, initrd = guest_image.find_kernel(), session.work / "guest.initrd"
    session.say(f"making the guests' file system, for the kernel {kernel.version}")
    guest_image.pack(kernel, initrd)
    assert prepared.client_conf is not None
    # librbd holds back with its cache until the first flush, which a guest's file system sends soon and fio never.
    conf = prepared.client_conf.read_text() + "rbd cache writethrough until flush = false\n"
    (session.work / "guest.conf").write_text(conf)
    accelerator, why = guest.KVM, _why_no_kvm()
    if not why:
        why = _start_all(session, prepared, asked, guest.KVM, (kernel.file, initrd))
    if why:
        session.warn(f"no guest under KVM: {why}. Guests are emulated, and their figures are not those of a real one")
        accelerator = guest.TCG
        if failed := _start_all(session, prepared, asked, guest.TCG, (kernel.file, initrd)):
            raise ToolFailed(f"the guest did not start: {failed}")
    said = {"accelerator": accelerator, "why": why, "kernel": kernel.version, "qemu": call((guest.QEMU, "--version"))}
    session.bundle.add_capture("guest.json", json.dumps(said))
    return replace(prepared, accelerator=accelerator)


def _why_no_kvm() -> str:
    if not Path("/dev/kvm").exists():
        return "this host has no /dev/kvm"
    return "" if os.access("/dev/kvm", os.R_OK | os.W_OK) else "this user may not use /dev/kvm"


def _start_all(
    session: Session, prepared: Prepared, asked: Sequence[Conditions], accelerator: str, image: tuple[Path, Path]
) -> str:
    """Why one of them does not answer, and then none is left; an empty text where all do."""
    count = max(one.clients for one in asked)
    how = "" if accelerator == guest.KVM else ", emulated"
    session.say(f"starting {count} guests{how}" if count > 1 else f"starting a guest{how}")
    running = [
        _start(session, number, guest.start(prepared, number, _in_guest(asked, number), accelerator, image))
        for number in range(count)
    ]
    try:
        session.guests = tuple(
            Running(session.place.client, one.pid, at := now_s(), round(time.time() - at, 6)) for one in running
        )
        why = next((why for number in range(count) if (why := _await(session, running, number, accelerator))), "")
    except BaseException:
        _end(running)
        raise
    if why:
        _end(running)
    return why


def _in_guest(asked: Sequence[Conditions], number: int) -> list[Conditions]:
    return [one for one in asked if one.clients > number]


def _start(session: Session, number: int, argv: tuple[str, ...]) -> subprocess.Popen[bytes]:
    """It ends with the processes of the run, which are in the journal."""
    with (session.work / f"guest-{number}.said").open("wb") as said:
        return subprocess.Popen(
            session.place.client.wrap(argv),
            env={**os.environ, LABEL: session.id},
            cwd=session.work,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def _await(session: Session, running: Sequence[subprocess.Popen[bytes]], number: int, accelerator: str) -> str:
    deadline = time.monotonic() + _BOOT_S[accelerator]
    port, said = session.work / f"guest-{number}.port", session.work / f"guest-{number}.said"
    while not _answers(port):
        words = said.read_text(errors="replace")
        if running[number].poll() is not None or "KVM internal error" in words:
            return _short(words) or f"QEMU ended with {running[number].poll()}"
        if time.monotonic() > deadline:
            console = session.work / f"guest-{number}.console"
            last = _short(console.read_text(errors="replace") if console.exists() else "")
            late = f"it did not answer within {_BOOT_S[accelerator]:.0f} s"
            return f"{late} (its console: {last})" if last else late
        if session.stop.wait(_PERIOD_S):
            raise Interrupted("interrupted while preparing")
    return ""


def _short(words: str) -> str:
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    return " / ".join(lines[:2])[:200]


def _answers(port: Path) -> bool:
    """Whether the guest reads its port. The path of a socket may have 107 bytes, so it goes by a descriptor."""
    with suppress(OSError), socket.socket(socket.AF_UNIX) as line:
        folder = os.open(port.parent, os.O_PATH)
        try:
            line.connect(f"/proc/self/fd/{folder}/{port.name}")
        finally:
            os.close(folder)
        line.settimeout(_PERIOD_S)
        line.sendall(b"ping\n")
        return b"pong" in line.recv(4096)
    return False


def _end(running: Sequence[subprocess.Popen[bytes]]) -> None:
    for one in running:
        one.kill()
        one.wait()
