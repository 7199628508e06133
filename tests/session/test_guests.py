"""How long a guest is waited for, without one."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any, cast

import pytest

from radoscope.run.engines.guest import KVM, TCG
from radoscope.run.processes import Standing
from radoscope.session import guests
from radoscope.session.session import Session

STANDING = cast(Standing, SimpleNamespace(exit_code=lambda _: None, said=lambda _: ""))
SESSION = cast(Session, SimpleNamespace(stop=threading.Event()))


@pytest.fixture
def console(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What a guest that never answers prints, at times that a test need not wait for."""
    told = {"said": ""}
    monkeypatch.setattr(guests, "_answers", lambda *_: False)
    monkeypatch.setattr(guests, "_console", lambda *_: told["said"])
    monkeypatch.setattr(guests, "_FIRST_WORD_S", 0.0)
    monkeypatch.setattr(guests, "_BOOT_S", {KVM: 0.1, TCG: 0.1})
    return told


@pytest.mark.parametrize(
    ("accelerator", "said", "why"),
    [
        (KVM, "", "its kernel said nothing within 0 s"),
        (KVM, "Linux version 6\nInit\nstuck", "it did not answer within 0 s (its console: Init / stuck)"),
        (TCG, "", "it did not answer within 0 s"),
    ],
)
def test_a_kernel_that_says_nothing_under_kvm_is_not_waited_for(
    console: dict[str, Any], accelerator: str, said: str, why: str
) -> None:
    console["said"] = said
    assert guests._await(SESSION, STANDING, 0, accelerator) == why
