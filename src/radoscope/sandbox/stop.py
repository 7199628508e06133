"""Ending a sandbox: processes first, until they are really gone, then what they held, then the folders."""

from __future__ import annotations

import os

from radoscope.errors import SiteError
from radoscope.sandbox import network, registry
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.interruption import uninterrupted
from radoscope.sandbox.processes import end_labelled


def down(name: str) -> None:
    """Remove a sandbox and all that belongs to it. Raises PlanError when there is none, SiteError when busy."""
    found = registry.entry(name)
    if found.state is not registry.State.UP and found.actor_lives and found.actor_pid != os.getpid():
        raise SiteError(
            f"the sandbox {name} is {found.state} at this moment, by process {found.actor_pid}",
            "Wait for that process, or end it: a start that is interrupted removes what it made.",
        )
    remove(found.sandbox)


def remove(sandbox: Sandbox) -> None:
    """Remove everything of a sandbox, whatever state it is in. Raises SiteError when a process does not end."""
    with uninterrupted():
        if sandbox.directory.is_dir():
            registry.mark(sandbox, registry.State.STOPPING)
        end_labelled(sandbox.label)
        network.remove_namespaces(sandbox.identity)
        registry.forget(sandbox.label, sandbox.run_dir)
