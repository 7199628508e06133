"""Names in what a user may do. Source: the grammar of capabilities in Ceph's OSDCap.cc."""

from __future__ import annotations

import re

from radoscope.errors import PlanError

_PLAIN = re.compile(r"[A-Za-z0-9_./-]+")


def quoted(name: str) -> str:
    """A pool's name as a capability takes it: without marks, what stands behind a blank or a comma would be another
    right. Raises PlanError for one that holds both marks."""
    if _PLAIN.fullmatch(name):
        return name
    mark = next((mark for mark in "\"'" if mark not in name), None)
    if mark is None:
        raise PlanError(f"no right can be given to a pool of this name: {name!r}", "Rename it: ceph osd pool rename.")
    return f"{mark}{name}{mark}"
