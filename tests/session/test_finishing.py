"""Preparing commands that take long: people are told that they still run, and what the cluster says meanwhile."""

from __future__ import annotations

import threading
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from radoscope.errors import SiteError, ToolFailed
from radoscope.session import finishing
from radoscope.session.session import Session
from radoscope.sites import Local
from tests.labels import label_of

ILL = {"health": {"status": "HEALTH_WARN", "checks": {"SLOW_OPS": {"summary": {"message": "9 slow ops"}}}}}


def session(folder: Path, said: list[str], status: dict[str, Any] | None = None) -> Session:
    def ceph(word: str) -> Any:
        if status is None:
            raise SiteError("no answer")
        return status

    def say(words: str) -> None:
        said.append(words)
        (folder / "said").touch()

    others = SimpleNamespace(loaded_by=lambda name: nullcontext(), suffer=lambda: False)
    made = SimpleNamespace(
        place=SimpleNamespace(client=Local()),
        others=others,
        work=folder,
        id=label_of(folder),
        stop=threading.Event(),
        say=say,
        cluster=SimpleNamespace(ceph=ceph),
    )
    return cast(Session, made)


@pytest.mark.parametrize(("status", "told"), [(ILL, ": SLOW_OPS: 9 slow ops"), (None, "")])
def test_what_takes_long_is_said_with_what_ails_the_cluster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: dict[str, Any] | None, told: str
) -> None:
    monkeypatch.setattr(finishing, "_STILL_S", (0.1, 3600.0))
    said: list[str] = []
    waits = f"until test -e {tmp_path}/said; do sleep 0.02; done"  # a file tells nobody that it is there
    finishing.finish(session(tmp_path, said, status), "fill", ("sh", "-c", waits))
    assert said == [f"still at it after 100 ms{told}"]


def test_what_ends_soon_is_quiet_and_what_fails_says_why(tmp_path: Path) -> None:
    said: list[str] = []
    finishing.finish(session(tmp_path, said, ILL), "fill", ("true",))
    with pytest.raises(ToolFailed, match="no such image"):
        finishing.finish(session(tmp_path, said, ILL), "fill", ("sh", "-c", "echo no such image >&2; exit 2"))
    assert said == []
