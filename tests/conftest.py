"""What all tests share: one real cluster, started when the first test asks for it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from radoscope import sandbox as sandboxes


@contextmanager
def radoscope_home(home: Path) -> Iterator[Path]:
    """RADOSCOPE_HOME for a while."""
    before = os.environ.get("RADOSCOPE_HOME")
    os.environ["RADOSCOPE_HOME"] = str(home)
    try:
        yield home
    finally:
        if before is None:
            del os.environ["RADOSCOPE_HOME"]
        else:
            os.environ["RADOSCOPE_HOME"] = before


@pytest.fixture(scope="session")
def sandbox_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The RADOSCOPE_HOME in which the shared sandbox is registered."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def sandbox(sandbox_home: Path) -> Iterator[sandboxes.Sandbox]:
    """One real one-host cluster of three OSDs, shared by all tests marked `ceph`; leave it as you found it."""
    with radoscope_home(sandbox_home):
        made = sandboxes.up(sandboxes.SandboxSpec(name="shared"))
    try:
        yield made
    finally:
        with radoscope_home(sandbox_home):
            sandboxes.down("shared")
