"""A host of the user's that their own ssh reaches, with their configuration, agent and jump hosts."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# Never a question that nobody would answer; a host that is gone is noticed within seconds; one connection a process, so
# that the end of one takes no other with it; nothing of this host is lent to the other one.
OPTIONS = (
    *("-T", "-a", "-x", "-S", "none"),
    *("-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "LogLevel=ERROR"),
    *("-o", "ServerAliveInterval=2", "-o", "ServerAliveCountMax=3", "-o", "TCPKeepAlive=yes"),
    *("-o", "ClearAllForwardings=yes", "-o", "PermitLocalCommand=no", "-o", "RemoteCommand=none"),
)


@dataclass(frozen=True, slots=True)
class Ssh:
    """destination: as ssh takes it, [user@]host. folder: of the run on that host. config: instead of ~/.ssh/config."""

    destination: str
    folder: Path
    config: Path | None = None

    @property
    def name(self) -> str:
        return self.destination.rpartition("@")[2]

    def wrap(self, argv: Sequence[str]) -> tuple[str, ...]:
        """ssh hands its words to a shell over there as one line, so they are quoted for it."""
        config = () if self.config is None else ("-F", str(self.config))
        return ("ssh", *config, *OPTIONS, "--", self.destination, shlex.join(argv))
