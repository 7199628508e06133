"""For everybody: axe-core finds no violation on any page, light, dark and on a phone; nothing hangs out at the side."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.serve.conftest import Server

TEXT = (
    "randwrite 4k iodepth=1\nwrite: IOPS=1000, BW=3.9MiB/s (4.1MB/s)(234MiB/60001msec)\n"
    "read: IOPS=2000, BW=7.8MiB/s (8.2MB/s)(468MiB/60001msec)\nIOPS maybe 77, 88\n"
)
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1200, "height": 900}},
    "dark": {"viewport": {"width": 1200, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 800}},
}


@pytest.fixture(scope="module")
def pages(server: Server) -> list[str]:
    """Every kind of page, with something on it."""
    judged = server.post("/paste", {"text": TEXT}).headers["location"]
    server.post(f"{judged}/keep", {})
    other = server.post("/paste", {"text": TEXT.replace("1000", "1500")}).headers["location"]
    server.post(f"{other}/keep", {})
    run = server.post("/measure/start", {"plan": "quick", "where": "example"}).headers["location"]
    server.ask(f"{run}/events")
    study = server.ask(run).headers["location"]
    first, second = sorted(path.name for path in (server.home / "studies").glob("*import*"))
    return [
        "/", judged, "/library", f"/compare?study={first}&study={second}", f"/study/{first}/notes", study, "/measure",
        "/what-if?target=200+clients+x+500+write+IOPS", f"/what-if?from={judged.split('/')[-1]}",
        f"/what-if?from={study.split('/')[-1]}&nodes=3", "/lab", "/lab/none", "/nowhere",
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS)
def test_no_page_has_a_violation(chromium: Any, server: Server, pages: list[str], axe: str, look: str) -> None:
    context = chromium.new_context(bypass_csp=True, **LOOKS[look])
    tab = context.new_page()
    tab.set_default_timeout(60_000)
    tab.goto(f"{server.base}/?token={server.token}")
    found = {}
    for path in pages:
        tab.goto(server.base + path)
        tab.add_script_tag(content=axe)
        violations = tab.evaluate("async () => (await axe.run()).violations")
        told = {one["id"]: [node["html"][:160] for node in one["nodes"][:3]] for one in violations}
        wide = tab.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if told or wide > 0:
            found[path] = {**told, "hangs out by": wide}
    context.close()
    assert found == {}, json.dumps(found, indent=1)
