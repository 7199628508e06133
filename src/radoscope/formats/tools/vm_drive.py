"""The drives of a virtual machine as `qm config` of Proxmox VE prints them: bus, cache mode, iothread, limits.

Source: qm.conf(5) of Proxmox VE 8 and 9. `mbps` is bytes over 2^20, as qemu-server hands it to QEMU.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from radoscope import patterns as re
from radoscope.formats.grammar.blocks import required, stretches
from radoscope.records.extra import Extra
from radoscope.records.measurement import Result, Source

NAME = "vm-drive"
SIGNS = ("scsi", "virtio", "sata", "ide")

_LONGEST_LINE = 500
_DRIVE = re.compile(
    r"\s*(?P<drive>(?:scsi|virtio|sata|ide)\d{1,2}):\s+(?P<volume>[\w.-]{1,60}:[\w./-]{1,120})"
    r"(?P<options>(?:,[a-z_]{1,30}=[^,\s]{1,60}){1,40})\s*$"
)
_CONTROLLER = re.compile(r"\s*scsihw:\s+(?P<controller>[\w-]{1,40})\s*$")
_SETTING = re.compile(r"\s*[a-z]+\d{0,3}:\s+\S")


def find(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges: the settings, line below line, that hold a drive."""
    settings = (at for at, line in enumerate(lines) if len(line) <= _LONGEST_LINE and _SETTING.match(line))
    return ((first, end) for first, end in stretches(settings, 1) if any(map(_drive, lines[first:end])))


def read(text: str) -> tuple[Result, ...]:
    """One result a drive, without a load. Raises UnreadableFile where there is none."""
    lines = text.splitlines()
    results = []
    for first, end in find(lines):
        hardware = (_CONTROLLER.match(line) for line in lines[first:end])
        controller = next((found["controller"] for found in hardware if found), "")
        for at in range(first, end):
            if (found := _drive(lines[at])) is not None:
                options = dict(word.split("=", 1) for word in found["options"][1:].split(","))
                extra: Extra = {"device": found["drive"], "drive_options": options, "controller": controller}
                source = Source(reader=NAME, first_line=at + 1, last_line=at + 1)
                results.append(Result(tool=NAME, source=source, extra=extra))
    return required(results, "no drive of a virtual machine in this text", "qm config VMID prints them: `scsi0: ...`.")


def _drive(line: str) -> re.Match[str] | None:
    """A disk with options; a CD drive is none."""
    found = _DRIVE.match(line) if len(line) <= _LONGEST_LINE else None
    return None if found is None or "media=cdrom" in found["options"] else found
