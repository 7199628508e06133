"""Folders of what is at work: there while it works, and not much longer, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from radoscope import paths
from radoscope.workflow.leftovers import what_is_left
from radoscope.workflow.rehearse import EXAMPLE, recorded
from radoscope.workflow.scratch import deserted, scratch

WORKING = """
import sys
from radoscope.workflow.rehearse import EXAMPLE, recorded
with recorded(EXAMPLE) as folder:
    print(folder, flush=True)
    sys.stdin.read()
"""


def test_what_a_killed_process_left_is_found_and_removed_by_the_next(home: Path) -> None:
    argv = [sys.executable, "-c", WORKING]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as working:
        assert working.stdout is not None
        folder = Path(working.stdout.readline().strip())
        with scratch():
            assert deserted() == () and folder.is_dir(), "whoever works is left alone"
        os.kill(working.pid, signal.SIGKILL)
    assert folder.is_relative_to(paths.scratch())
    assert what_is_left().folders == deserted() == (folder.parent,)
    with recorded(EXAMPLE) as other:
        assert [other.parent] == list(paths.scratch().iterdir())
    assert list(paths.scratch().iterdir()) == []
