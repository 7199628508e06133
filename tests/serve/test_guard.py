"""Who may come in, from where, and with how much; and what they are told who may not."""

from __future__ import annotations

import random
import re
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from radoscope.serve.guard import LARGEST_BODY, Door
from tests.serve.conftest import Server

FIO = "write: IOPS=1234, BW=4936KiB/s (5054kB/s)(289MiB/60001msec)\n"
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'`"


def test_without_the_token_there_is_no_page(server: Server) -> None:
    for cookie in ("", f"radoscope-{server.port}=", f"radoscope-{server.port}=wrong", "a=b; c"):
        answer = server.ask("/library", cookie=cookie)
        assert answer.status == 401
        assert "not known here" in answer.text
        assert server.token not in answer.text


def test_the_first_address_gives_a_cookie_and_leaves_the_address_bar(server: Server) -> None:
    answer = server.ask(f"/?token={server.token}", cookie="")
    assert (answer.status, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie
    assert server.ask("/?token=wrong", cookie="").status == 401
    assert server.ask(f"//elsewhere.example/?token={server.token}").headers["location"].startswith("/elsewhere")


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "", "[::1"])
def test_a_foreign_name_that_leads_here_is_refused(server: Server, host: str) -> None:
    answer = server.ask("/library", host=host.format(port=server.port))
    assert answer.status == 421, answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
    ],
)
def test_another_site_cannot_send_a_form(server: Server, headers: dict[str, str]) -> None:
    answer = server.ask("/paste", "POST", b"text=x", content_type="application/x-www-form-urlencoded", **headers)
    assert answer.status == 403
    assert "Another site" in answer.text


def test_every_answer_forbids_the_browser_what_no_page_needs(server: Server) -> None:
    for path in ("/", "/library", "/nowhere", "/static/serve.js", "/study/none"):
        headers = server.ask(path).headers
        assert "default-src 'none'" in headers["content-security-policy"], path
        assert "'unsafe-inline'" not in headers["content-security-policy"], path
        assert headers["x-content-type-options"] == "nosniff", path


def test_what_is_pasted_is_never_markup(server: Server) -> None:
    page = server.paste(FIO + HOSTILE).text
    assert "&lt;script&gt;alert" in page
    assert "<script>alert" not in page and "<img src=x" not in page


def test_a_hostile_file_name_is_no_path_and_no_markup(server: Server) -> None:
    for name in ("../../etc/cron.d/x", "a/../../x", "x" * 300):
        answer = server.post("/paste", {}, {name: FIO.encode(), "b/other.txt": FIO.encode()})
        assert answer.status == 400, answer.text
        assert "not a valid path within a folder" in answer.text
    page = server.ask(server.post("/paste", {}, {"<b>bold<b>.log": FIO.encode()}).headers["location"]).text
    assert "<b>bold" not in page and "bold&lt;b&gt;" in page
    assert not any(path.name == "x" for path in Path("/etc/cron.d").glob("*"))


def test_too_much_is_refused_with_a_sentence(server: Server) -> None:
    answer = server.ask("/paste", "POST", b"", content_length=str(LARGEST_BODY + 1), content_type="text/plain")
    assert answer.status == 413
    assert "80 MB" in answer.text


def test_a_hundred_pastes_at_once_are_all_judged(server: Server) -> None:
    texts = [FIO.replace("1234", str(1000 + number)) for number in range(100)]
    with ThreadPoolExecutor(20) as pool:
        pages = list(pool.map(server.paste, texts))
    assert [page.status for page in pages] == [200] * 100
    for number, page in enumerate(pages):
        assert f"{1000 + number:,}".replace(",", "") in re.sub(r"[, ]", "", page.text)
    assert not list((server.home / "studies").glob("*")), "nothing is kept unasked"


def test_a_thousand_malformed_requests_get_sentences_and_no_traceback(server: Server) -> None:
    chance = random.Random(15)
    for number in range(1000):
        raw = _malformed(chance, server)
        with socket.create_connection(("127.0.0.1", server.port), timeout=60) as link:
            link.sendall(raw)
            link.shutdown(socket.SHUT_WR)
            said = b""
            while piece := link.recv(65536):
                said += piece
        assert b"Traceback" not in said, raw
        head, _, body = said.partition(b"\r\n\r\n")
        if head.startswith(b"HTTP/1.1 2") or b" 303 " in head[:20] or not said:
            continue
        assert re.search(rb"[A-Z][a-z]+ .{5,}\.", body), (number, raw, said)
    assert server.ask("/library").status == 200


def _malformed(chance: random.Random, server: Server) -> bytes:
    method = chance.choice(["GET", "POST", "PUT", "BREW", "", "get", "OPTIONS"])
    junk = "".join(chance.choice("/?&%=.:;~\\<>'\"{}aZ09é\x7f\t") for _ in range(chance.randrange(60)))
    page = chance.choice(
        ["/", "/paste", "/paste/", "/library", "/study/", "/compare", "/static/", "/measure", "/what-if", "/lab"]
    )
    path = chance.choice([page, page + junk, "/" + junk, page + "?" + junk, page + "%ff%00%0a", "*", ""])
    body = bytes(chance.randrange(256) for _ in range(chance.randrange(200)))
    kind = chance.choice(
        ["multipart/form-data", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "a", ""]
    )
    length = chance.choice([str(len(body)), "-1", "x", str(len(body) + 9), "9" * 30])
    lines = [
        f"{method} {path} HTTP/1.1",
        f"host: 127.0.0.1:{server.port}",
        f"cookie: radoscope-{server.port}={server.token}",
        f"content-type: {kind}",
        f"content-length: {length}",
        "connection: close",
    ]
    if chance.random() < 0.2:
        lines[chance.randrange(len(lines))] = junk
    return "\r\n".join(lines).encode("utf-8", "replace") + b"\r\n\r\n" + body


def test_another_address_is_said_to_be_open_to_others() -> None:
    door = Door(address="0.0.0.0", port=7480, token="t")
    assert not door.loopback
    assert door.knows_host("192.0.2.7:7480") and door.knows_host(f"{socket.gethostname()}:7480")
    assert not door.knows_host("evil.example:7480")


def test_a_port_in_use_and_an_address_of_nobody_end_with_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for argv, code in (([], 3), (["--listen", "name"], 2)):
            done = subprocess.run(
                [sys.executable, "-m", "radoscope", "serve", "--port", port, *argv],
                capture_output=True, text=True, timeout=120, check=False,
            )  # fmt: skip
            assert done.returncode == code
            assert "hint:" in done.stderr and "Traceback" not in done.stderr


def test_readers_at_once_each_get_their_language(server: Server) -> None:
    def title(language: str) -> str:
        found = re.search(r'<html lang="(\w+)">.*<title>(.*?) ·', server.ask("/", accept_language=language).text, re.S)
        return " ".join(found.groups()) if found else ""

    with ThreadPoolExecutor(8) as pool:
        titles = list(pool.map(title, ("de-DE,de;q=0.9", "ja", "zh-CN", "en-GB", "fr") * 8))
    assert titles == ["de Einfügen", "ja 貼り付け", "zh 粘贴", "en Paste", "en Paste"] * 8
