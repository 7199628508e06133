"""`re`, but a pattern is compiled when it is first asked for something.

The readers of pasted pages hold some 1,300; to compile them all takes two seconds, and a page needs a few hundred.
A match knows what was compiled: `match.re` is no pattern of these, so compare its text.
"""

from __future__ import annotations

import re
from re import (
    ASCII,
    DOTALL,
    IGNORECASE,
    MULTILINE,
    I,
    Match,
    Pattern,
    escape,
    findall,
    finditer,
    fullmatch,
    match,
    search,
    split,
    sub,
)
from typing import Any, AnyStr, cast

__all__ = [
    "ASCII", "DOTALL", "IGNORECASE", "MULTILINE", "I", "Match", "Pattern", "compile", "escape", "findall", "finditer",
    "fullmatch", "match", "search", "split", "sub",
]  # fmt: skip

_ASKED = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "flags", "groupindex")


class _Uncompiled:
    """A pattern that compiles itself when something other than its text is asked for, and is as fast as one after."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self._flags)
        vars(self).update({each: getattr(compiled, each) for each in _ASKED})
        return getattr(compiled, name)


def compile(pattern: AnyStr, flags: int = 0) -> Pattern[AnyStr]:
    """As re.compile, which raises here when the pattern is first used."""
    return cast("Pattern[AnyStr]", _Uncompiled(pattern, flags))
