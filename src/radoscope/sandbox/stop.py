"""Ending a sandbox: processes first, until they are really gone, then what they held, then the folders.

Nothing cuts that in half: Ctrl-C and SIGTERM are put off meanwhile.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType

from radoscope.errors import SiteError
from radoscope.sandbox import network, registry
from radoscope.sandbox.cluster import Sandbox
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


_PUT_OFF = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Signals that come meanwhile take effect at the end.

    By handlers, not by a mask: librados' threads have masks of their own. Only the main thread gets signals in
    Python, so in any other this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    before = {number: signal.signal(number, note) for number in _PUT_OFF}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        for first in came[:1]:
            signal.raise_signal(first)
