"""The guests of a study, one an image, on the host that the load comes from. They end with the study."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from radoscope.errors import Interrupted, ToolFailed
from radoscope.records.conditions import Conditions, Layer
from radoscope.records.study import Cell
from radoscope.run import guest_image
from radoscope.run.engines import guest
from radoscope.run.prepared import CONF, LoadCommand, Prepared
from radoscope.run.processes import Placed, Standing
from radoscope.session.session import Session
from radoscope.sites import Site, talk

_BOOT_S = {guest.KVM: 30.0, guest.TCG: 180.0}
"""A guest under KVM answers after two seconds; emulated, after ten to twenty on a processor of its own."""
_FIRST_WORD_S = 10.0
"""Under KVM, a kernel speaks within a second; where it has not after these, KVM runs no guests and none will answer."""
_PACK_S = 60.0
_LOOK_S = 2.0
_LONGEST_S = 7 * 86400.0
# librbd holds back with its cache until the first flush, which a guest's file system sends soon and fio never.
_CONF = 'cd "$1" && { cat "$2"; echo "rbd cache writethrough until flush = false"; } >guest.conf'
_KVM = """
[ -e /dev/kvm ] || { echo 'has no /dev/kvm'; exit; }
[ -r /dev/kvm ] && [ -w /dev/kvm ] || echo 'does not let this user have /dev/kvm'
"""
# argv: the folder, the guest's port there, seconds. The path of a socket may have 107 bytes, so it is a relative one.
_ASK = """\
import os, socket, sys, time
os.chdir(sys.argv[1])
until = time.monotonic() + float(sys.argv[3])
while time.monotonic() < until:
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(0.2)
            line.connect(sys.argv[2])
            line.sendall(b"ping\\n")
            if b"pong" in line.recv(4096):
                sys.exit(print("pong"))
    except OSError:
        pass
    time.sleep(0.1)
"""


def start_guests(session: Session, prepared: Prepared, cells: Sequence[Cell]) -> Prepared:
    """All that the cells need, and wait until each answers. Raises ToolFailed, SiteError, Interrupted."""
    asked = [cell.conditions for cell in cells if cell.conditions.layer is Layer.GUEST]
    if not asked:
        return prepared
    site, folder = session.place.client, _folder(session)
    session.say("making the guests' file system")
    talk.tell(site, _CONF, str(folder), CONF)
    version, _, kernel = _pack(site, folder / "guest.initrd").partition(" ")
    image = (kernel, str(folder / "guest.initrd"))
    accelerator, lack = guest.KVM, talk.tell(site, _KVM).decode().strip()
    why = f"{site.name} {lack}" if lack else _start_all(session, prepared, asked, guest.KVM, image)
    if why:
        session.warn(f"no guest under KVM: {why}. Guests are emulated, and their figures are not those of a real one")
        accelerator = guest.TCG
        if failed := _start_all(session, prepared, asked, guest.TCG, image):
            raise ToolFailed(f"the guest did not start: {failed}")
    qemu = talk.run(site, (guest.QEMU, "--version")).decode("utf-8", "replace")
    said = {"accelerator": accelerator, "why": why, "kernel": version, "qemu": qemu}
    session.bundle.add_capture("guest.json", json.dumps(said))
    return replace(prepared, accelerator=accelerator)


def _folder(session: Session) -> Path:
    """The run's folder on the host of the guests, with the ceph.conf of its own user."""
    return session.place.client.folder or session.work


def _pack(site: Site, target: Path) -> str:
    """Make a guest's file system there; its kernel's version and file. Raises ToolFailed where a part is missing."""
    named = os.environ.get(guest_image.KERNEL_VARIABLE)
    source = Path(guest_image.__file__).read_text(encoding="utf-8")
    told = talk.run(
        site,
        ("python3", "-c", source, str(target)),
        said=f"guests on {site.name}",
        timeout_s=_PACK_S,
        environment={guest_image.KERNEL_VARIABLE: named} if named else None,
    )
    return told.decode().strip()


def _start_all(
    session: Session, prepared: Prepared, asked: Sequence[Conditions], accelerator: str, image: tuple[str, str]
) -> str:
    """Why one of them does not answer, and then none is left; an empty text where all do."""
    count = max(one.clients for one in asked)
    how = "" if accelerator == guest.KVM else ", emulated"
    session.say(f"starting {count} guests{how}" if count > 1 else f"starting a guest{how}")
    placed = [
        _placed(session, number, guest.start(prepared, number, _in_guest(asked, number), accelerator, image))
        for number in range(count)
    ]
    session.guests = standing = Standing(placed, folder=session.work, label=session.id, stop=session.stop)
    try:
        why = next((why for number in range(count) if (why := _await(session, standing, number, accelerator))), "")
    except BaseException:
        standing.close()
        raise
    if why:
        standing.close()
    return why


def _in_guest(asked: Sequence[Conditions], number: int) -> list[Conditions]:
    return [one for one in asked if one.clients > number]


def _placed(session: Session, number: int, argv: tuple[str, ...]) -> Placed:
    command = LoadCommand(argv=argv, reader="", name=f"guest-{number}", output="", timeout_s=_LONGEST_S)
    return Placed(command, session.place.client, _folder(session))


def _await(session: Session, standing: Standing, number: int, accelerator: str) -> str:
    begun, spoke = time.monotonic(), accelerator != guest.KVM
    while not _answers(session, number):
        if session.stop.is_set():
            raise Interrupted("interrupted while preparing")
        code, words = standing.exit_code(number), standing.said(number)
        if code is not None or "KVM internal error" in words:
            return _short(words) or f"QEMU ended with {code}"
        waited_s = time.monotonic() - begun
        if not spoke and waited_s > _FIRST_WORD_S:
            spoke = bool(_console(session, number))
            if not spoke:
                return f"its kernel said nothing within {_FIRST_WORD_S:.0f} s"
        if waited_s > _BOOT_S[accelerator]:
            late = f"it did not answer within {_BOOT_S[accelerator]:.0f} s"
            last = _short(_console(session, number), last=True)
            return f"{late} (its console: {last})" if last else late
    return ""


def _answers(session: Session, number: int) -> bool:
    """Whether the guest reads its port, within a moment."""
    words = (str(_folder(session)), f"guest-{number}.port", str(_LOOK_S))
    return b"pong" in talk.run(session.place.client, ("python3", "-c", _ASK, *words))


def _console(session: Session, number: int) -> str:
    script = 'cd "$1" && tail -c 2000 "$2" 2>/dev/null; true'
    told = talk.tell(session.place.client, script, str(_folder(session)), f"guest-{number}.console")
    return told.decode("utf-8", "replace")


def _short(words: str, *, last: bool = False) -> str:
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    return " / ".join(lines[-2:] if last else lines[:2])[:200]
