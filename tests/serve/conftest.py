"""A server of its own for each file of tests, a client that speaks plain HTTP, and Debian's Chromium."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

LAYOUT = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1200, "height": 900}},
    "dark": {"viewport": {"width": 1200, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 800}},
}
CHROMIUM = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), None)
"""The first has no windows to draw, and takes two thirds of the CPU of the others."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    text: str


@dataclass(slots=True)
class Server:
    """A running server. errors: the file of its standard error, where a fault would stand."""

    port: int
    token: str
    home: Path
    pid: int
    errors: Path
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Answer:
        """As a browser that is known; headers by their names with underscores, None of them checked."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            known = {"cookie": f"radoscope-{self.port}={self.token}", "accept": "text/html"}
            link.request(method, path, body, {**known, **named})
            answer = link.getresponse()
            text = answer.read().decode("utf-8", "replace")
            return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, text)
        finally:
            link.close()

    def post(self, path: str, fields: Mapping[str, str], files: Mapping[str, bytes] | None = None) -> Answer:
        """A form from the server's own page."""
        edge = "edge-of-a-part"
        parts = [
            f'--{edge}\r\ncontent-disposition: form-data; name="{n}"\r\n\r\n{v}\r\n'.encode() for n, v in fields.items()
        ]
        for name, raw in (files or {}).items():
            head = f'--{edge}\r\ncontent-disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
            parts.append(head.encode() + raw + b"\r\n")
        body = b"".join(parts) + f"--{edge}--\r\n".encode()
        return self.ask(path, "POST", body, content_type=f"multipart/form-data; boundary={edge}", origin=self.base)

    def paste(self, text: str) -> Answer:
        """The judged page."""
        return self.ask(self.post("/paste", {"text": text}).headers["location"])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(
        tmp_path_factory.mktemp("serve-in-a-folder-whose-name-is-wider-than-a-phone".replace("-", ""))
    ) as begun:
        yield begun


@contextmanager
def serving(home: Path) -> Iterator[Server]:
    """A server, within, that keeps everything in `home`; what it says to its standard error fails the test."""
    errors = home / "stderr.txt"
    with errors.open("w") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "radoscope", "serve", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            env={**os.environ, "RADOSCOPE_HOME": str(home / "home"), "LANG": "C.UTF-8"},
        )
        assert process.stdout is not None
        found = None
        for line in process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", line):
                break
        assert found, errors.read_text()
        try:
            yield Server(int(found[1]), found[2], home / "home", process.pid, errors)
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
            process.stdout.close()
    assert errors.read_text() == ""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A browser, or the reason why there is none."""
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine: apt install chromium-headless-shell")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    with sync_api.sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def tab(server: Server, chromium: Any) -> Iterator[Any]:
    """A page of a browser that has opened the first address; what its console objects to fails the test."""
    context = chromium.new_context(viewport={"width": 1200, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(60_000)
    objections: list[str] = []
    opened.on("pageerror", lambda error: objections.append(str(error)))
    opened.on("console", lambda said: objections.append(said.text) if "Content Security" in said.text else None)
    opened.goto(f"{server.base}/?token={server.token}")
    yield opened
    context.close()
    assert objections == []


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """axe-core's script: the file that RADOSCOPE_AXE names, or a copy that npm has or gets; else the reason."""
    if named := os.environ.get("RADOSCOPE_AXE"):
        return Path(named).read_text(encoding="utf-8")
    if shutil.which("npm") is None:
        pytest.skip("no axe-core: name its axe.min.js in RADOSCOPE_AXE, or install npm")
    folder = tmp_path_factory.mktemp("axe")
    done = subprocess.run(
        ["npm", "pack", "axe-core@4", "--silent", "--prefer-offline"],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        pytest.skip("no axe-core: npm has no copy of it and cannot get one")
    with tarfile.open(next(folder.glob("axe-core-*.tgz"))) as packed:
        script = packed.extractfile("package/axe.min.js")
        assert script is not None
        return script.read().decode()


def violations(tab: Any, axe: str) -> dict[str, list[str]]:
    """What axe-core objects to on the page as it stands, by its rules."""
    if not tab.evaluate("() => 'axe' in window"):
        tab.evaluate(axe)
    found = tab.evaluate("async () => (await axe.run()).violations")
    return {one["id"]: [node["html"][:160] for node in one["nodes"][:3]] for one in found}


def mislaid(tab: Any) -> list[str]:
    """What is cut off, hangs out, lies on other text or is too faint; on a desk, columns that one has to scroll."""
    found: list[str] = tab.evaluate(LAYOUT, tab.viewport_size["width"] > 1000)
    return found


def sound(tab: Any, axe: str) -> None:
    """A page that moves, as it stands: in light and in dark, on a desk and on a phone."""
    desk = tab.viewport_size
    for scheme in ("light", "dark"):
        tab.emulate_media(color_scheme=scheme)
        assert violations(tab, axe) == {}, scheme
        assert mislaid(tab) == [], scheme
    tab.set_viewport_size({"width": 390, "height": 800})
    assert violations(tab, axe) == {} and mislaid(tab) == []
    tab.set_viewport_size(desk)
