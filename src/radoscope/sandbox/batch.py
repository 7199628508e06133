"""Short commands of a sandbox, several at a time: the making of stores."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping, Sequence

from radoscope.errors import ToolFailed
from radoscope.sandbox import daemons
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.layout import Osd
from radoscope.sandbox.processes import last_lines
from radoscope.sandbox.waiting import Deadline, wait_until

# More at once do not end sooner on two cores, and each takes memory.
_AT_ONCE = 4


def make_osd_stores(
    sandbox: Sandbox, osds: Sequence[Osd], deadline: Deadline, check: Callable[[], None] = lambda: None
) -> None:
    """Fill the stores of OSDs with what BlueStore begins with. `check` is called meanwhile. Raises ToolFailed."""
    run_all(sandbox, {f"mkfs.{osd.daemon}": daemons.make_osd(sandbox, osd) for osd in osds}, deadline, check)


def run_all(
    sandbox: Sandbox,
    commands: Mapping[str, tuple[str, ...]],
    deadline: Deadline,
    check: Callable[[], None] = lambda: None,
) -> None:
    """Run commands by name until all have ended well. Raises ToolFailed with the last words of one that has not."""
    waiting, running = list(commands.items()), dict[str, subprocess.Popen[bytes]]()

    def all_done() -> bool:
        for name, process in tuple(running.items()):
            if process.poll() is not None:
                del running[name]
                _check_ended_well(sandbox, name, process)
        while waiting and len(running) < _AT_ONCE:
            name, argv = waiting.pop(0)
            running[name] = daemons.begin(sandbox, name, argv)
        check()
        return not running

    wait_until(all_done, f"the end of {', '.join(commands)}", deadline, every_s=0.01)


def _check_ended_well(sandbox: Sandbox, name: str, process: subprocess.Popen[bytes]) -> None:
    if process.returncode != 0:
        raise ToolFailed(f"{name}: exit code {process.returncode}", last_lines(sandbox.log(name)))
