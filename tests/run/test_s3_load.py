"""The load over S3, against a server of HTTP on this host."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from radoscope.formats.tools import s3_load as reader
from radoscope.run import s3_load

SIZE = 4096


class Gateway(ThreadingHTTPServer):
    """Keeps what is put, and what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.objects: dict[str, bytes] = {}
        self.asked: Counter[tuple[str, str]] = Counter()
        self.refuses = False
        self.takes_s = 0.0


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Gateway

    def do_PUT(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.objects[self.path] = content
        self._answer(b"")

    def do_GET(self) -> None:
        self._answer(self.server.objects.get(self.path, b"nothing of that name"))

    def _answer(self, content: bytes) -> None:
        self.server.asked[self.command, self.path] += 1
        time.sleep(self.server.takes_s)
        if self.server.refuses:
            content = b"<Error><Code>SlowDown</Code></Error>"
        self.send_response(503 if self.server.refuses else 200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.server.refuses:
            time.sleep(0.1)  # as from a busy gateway: the reason comes in a packet of its own
        self.wfile.write(content)

    def log_message(self, *_words: object) -> None:
        """Says nothing."""


@pytest.fixture
def gateway() -> Iterator[Gateway]:
    server = Gateway()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def requests(folder: Path, port: int, method: str, count: int = 8) -> Path:
    path = folder / f"{method}.json"
    targets = [f"/bucket/{number}?X-Amz-Signature=secret" for number in range(count)]
    asked = {"host": "127.0.0.1", "port": port, "method": method, "bytes": SIZE, "targets": targets}
    path.write_text(json.dumps(asked))
    return path


def load(*words: object, said: str = "") -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, s3_load.__file__, *map(str, words)]
    return subprocess.run(argv, capture_output=True, text=True, timeout=60, input=said)


def test_every_object_is_written_once_and_read_in_full(gateway: Gateway, tmp_path: Path) -> None:
    port = gateway.server_address[1]
    assert load(requests(tmp_path, port, "PUT"), "once", 3).returncode == 0
    assert set(gateway.asked.values()) == {1}
    assert len(gateway.objects) == 8
    assert {len(content) for content in gateway.objects.values()} == {SIZE}
    gateway.takes_s = 0.02
    done = load(requests(tmp_path, port, "GET"), tmp_path / "out.json", 2, 0.1, 0.6, 0, 1)
    assert done.returncode == 0, done.stderr
    (result,) = reader.read((tmp_path / "out.json").read_text())
    assert (result.op, result.block_bytes, result.queue_depth) == ("randread", SIZE, 2)
    assert result.latency is not None and result.latency.mean_s is not None and result.latency.histogram is not None
    assert result.latency.histogram.total == result.total_ios
    assert result.latency.min_s is not None and result.latency.min_s >= gateway.takes_s
    asked = sum(number for (method, _), number in gateway.asked.items() if method == "GET")
    assert 0 < (result.total_ios or 0) < asked, "what was answered in the ramp does not count"
    assert result.latency.mean_s * (result.iops or 0) == pytest.approx(2, rel=0.2), "Little's law"


def test_processes_and_connections_do_not_write_the_same_objects(gateway: Gateway, tmp_path: Path) -> None:
    port = gateway.server_address[1]
    done = load(requests(tmp_path, port, "PUT"), tmp_path / "out.json", 2, 0, 0.3, 1, 2)
    assert done.returncode == 0, done.stderr
    assert {path.partition("?")[0] for _, path in gateway.asked} == {"/bucket/2", "/bucket/3", "/bucket/6", "/bucket/7"}


def test_it_is_ready_once_connected_and_begins_with_a_line(gateway: Gateway, tmp_path: Path) -> None:
    port, ready = gateway.server_address[1], tmp_path / "ready"
    words = (requests(tmp_path, port, "PUT"), tmp_path / "out.json", 1, 0, 0.2, 0, 1, ready)
    assert load(*words, said="go\n").returncode == 0
    assert ready.exists()
    before = gateway.asked.total()
    assert "no word to begin" in load(*words).stderr
    assert gateway.asked.total() == before


def test_a_gateway_that_refuses_ends_it_and_what_signs_is_not_told(gateway: Gateway, tmp_path: Path) -> None:
    gateway.refuses = True
    done = load(requests(tmp_path, gateway.server_address[1], "GET"), tmp_path / "out.json", 2, 0, 5, 0, 1)
    assert done.returncode == 1
    assert "answered a GET with 503 (SlowDown)" in done.stderr
    assert "Signature" not in done.stderr


def test_an_object_of_another_size_is_no_answer(gateway: Gateway, tmp_path: Path) -> None:
    done = load(requests(tmp_path, gateway.server_address[1], "GET"), "once", 1)
    assert done.returncode == 1
    assert "sent 20 bytes of an object of 4096" in done.stderr


def test_no_gateway_is_named(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    done = load(requests(tmp_path, port, "GET"), "once", 2)
    assert done.returncode == 1
    assert f"the gateway 127.0.0.1:{port} does not answer: Connection refused" in done.stderr
