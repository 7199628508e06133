"""Kinds of journal entries that need more than `run` to be taken down."""

from __future__ import annotations

from collections.abc import Mapping

from radoscope import sandbox
from radoscope.run.cleaning import Remover
from radoscope.run.journal import Entry
from radoscope.run.state import restore


def remove_sandbox(entry: Entry) -> None:
    """Take down an embedded cluster that a run started, if it is still there."""
    if entry.name in sandbox.names():
        sandbox.down(entry.name)


REMOVERS: Mapping[str, Remover] = {"sandbox": remove_sandbox, "state": restore}
