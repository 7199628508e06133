"""The ways in which radoscope fails: each says what happened to which thing, and what to do about it.

A statistic that cannot be computed is not a failure: it is a value, `radoscope.stats.values.Undecided`.
"""

from __future__ import annotations


class RadoscopeError(Exception):
    """An error that radoscope reports instead of a result.

    message: what happened, to which thing. hint: what the user can do. exit_code: what the process returns.
    """

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class PlanError(RadoscopeError):
    """A plan, a name or an option asks for something that does not exist or cannot be done."""

    exit_code = 2


class SiteError(RadoscopeError):
    """A host or a cluster cannot be reached, or is not in a state in which it may be measured."""

    exit_code = 3


class ToolFailed(RadoscopeError):
    """An external command is missing, failed, or did not end in time."""

    exit_code = 4


class UnreadableFile(RadoscopeError):
    """A file or a text is not what its reader can read."""

    exit_code = 5


class StoreError(RadoscopeError):
    """A study, a bundle or the index cannot be found, opened or written."""

    exit_code = 6


class Interrupted(RadoscopeError):
    """The user asked to stop before there was anything to keep."""

    exit_code = 130
