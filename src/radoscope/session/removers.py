"""Kinds of journal entries that need more than `run` to be taken down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from radoscope import sandbox
from radoscope.run.cleaning import Remover
from radoscope.run.journal import Entry
from radoscope.run.state import restore
from radoscope.sandbox import Sandbox, faults, growing


def remove_sandbox(entry: Entry) -> None:
    """Take down an embedded cluster that a run started, if it is still there."""
    if entry.name in sandbox.names():
        sandbox.down(entry.name)


def mend_sandbox(entry: Entry) -> None:
    """Undo what a scenario did to a sandbox of the user's, if it is still there."""
    if entry.name in sandbox.names():
        restore_sandbox(sandbox.load(entry.name), entry.details["hosts"])


def restore_sandbox(up: Sandbox, hosts: Sequence[str]) -> None:
    """Bring a sandbox back to how it was: every daemon runs, HEALTH_OK, no host but these. Raises RadoscopeError."""
    faults.heal(up)
    for host in [host.name for host in up.hosts if host.name not in hosts]:
        up = growing.remove_host(up, host)


REMOVERS: Mapping[str, Remover] = {"sandbox": remove_sandbox, "state": restore, "fault": mend_sandbox}
