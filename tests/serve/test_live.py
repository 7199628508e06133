"""A study from click to report: replayed, and on a real sandbox."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from radoscope.plan import load
from radoscope.run.journal import start_of
from radoscope.serve import live
from radoscope.serve.live import OFFERED
from tests.serve.conftest import Server, serving, sound


def test_two_clicks_lead_to_a_report(tab: Any, server: Server) -> None:
    tab.goto(f"{server.base}/measure?where=example")
    assert "Nothing will be made or loaded" in tab.inner_text("#answer")
    tab.click("button:has-text('Start')")
    tab.wait_for_selector("#verdict")
    assert "/study/" in tab.url
    assert "example" in tab.inner_text(".meta")


def test_what_will_be_made_and_loaded_is_said_before(tab: Any, server: Server) -> None:
    tab.goto(f"{server.base}/measure")
    said = tab.inner_text("#answer")
    assert "three OSDs on this machine" in said and "Time in all" in said
    assert "radoscope study --plan quick" in said
    tab.select_option("#plan", "response-curve")
    tab.wait_for_function("before => document.querySelector('#answer').innerText !== before", arg=said)
    assert "radoscope study --plan response-curve" in tab.inner_text("#answer")


def test_plans_are_offered_by_their_own_titles() -> None:
    assert {name: load(name).title for name in OFFERED} == OFFERED


@pytest.mark.parametrize(
    "form",
    [
        {"plan": "/etc/passwd"},
        {"plan": "quick; reboot"},
        {"where": "sandbox:nowhere"},
        {"where": "conf"},
        {"where": "conf=/etc/ceph/ceph.conf"},
        {"precision": "-5%"},
        {"precision": "--as-hard-as-it-goes"},
    ],
)
def test_nothing_but_what_the_page_offers_is_started(server: Server, form: dict[str, str]) -> None:
    before = sorted(server.home.glob("serve/*"))
    answer = server.post("/measure/start", {"plan": "quick", "where": "example", **form})
    assert answer.status == 400, answer.text
    assert 'role="alert"' in answer.text
    assert sorted(server.home.glob("serve/*")) == before


def test_a_page_that_is_followed_tells_once_a_second_and_ends(server: Server) -> None:
    run = server.post("/measure/start", {"plan": "quick", "where": "example"}).headers["location"]
    told = server.ask(f"{run}/events").text
    assert "event: end" in told
    lines = "".join(json.loads(data).get("lines", "") for data in re.findall(r"^data: (.*)$", told, re.MULTILINE))
    assert "Raw files:" in lines
    assert server.ask(run).headers["location"].startswith("/study/")


def test_what_a_run_tells_becomes_the_rows_that_changed(home: Path) -> None:
    """Of a study of the terminal as well: its events lie beside its journal."""
    kept, seen = home / "journal" / "study-1.events", live._Seen()
    kept.parent.mkdir(parents=True)

    def tell(**line: Any) -> dict[str, Any]:
        with kept.open("a") as file:
            file.write(json.dumps(line) + "\n")
        return seen.news("study-1")

    assert seen.news("study-1") == {}
    assert tell(what="step", words="making the pool")["step"] == {"done": 0, "planned": 0, "words": "making the pool"}
    begun = tell(what="started", cell="a", done=0, planned=4, eta_s=12.0, eta_high_s=60.0)
    assert begun["step"]["words"] == "0/4 · a · 12 s left, up to 1 min"
    assert begun["rows"] == [["a", "", "", "0", "..."]]
    assert tell(what="now", iops=1234.0)["rows"] == [["a", "", "", "0", "1,234 IOPS"]]
    ended = {"figure": 1e3, "unit": "IOPS", "problem": "", "mean": 1000.0, "half_width": 0.05, "segments": 3}
    assert tell(what="ended", cell="a", **ended)["rows"] == [["a", "1,000 IOPS", "±5.0 %", "3", "..."]]
    then = tell(what="started", cell="b", done=1, planned=4, eta_s=9.0, eta_high_s=9.0)
    assert then["rows"] == [["b", "", "", "0", "..."], ["a", "1,000 IOPS", "±5.0 %", "3", ""]]
    assert live._Seen().news("study-1")["rows"] == then["rows"], "whoever comes later sees all of it"


def test_a_run_that_ends_without_a_study_says_why(server: Server) -> None:
    """A study that is complete cannot be resumed: the command line's own words reach the page."""
    study = server.ask(_replayed(server)).headers["location"].rsplit("/", 1)[1]
    run = server.post(f"/study/{study}/resume", {}).headers["location"]
    _until(lambda: server.ask(run).status == 200 and "Ended" in server.ask(run).text)
    assert "is a rehearsal" in server.ask(run).text and "hint:" in server.ask(run).text


def test_a_study_goes_on_to_its_end_when_the_server_is_killed(tmp_path: Path) -> None:
    with serving(tmp_path) as killed:
        run = killed.post("/measure/start", {"plan": "quick", "where": "example"}).headers["location"]
        kept = json.loads(next(iter(_runs(killed))).read_text())
        os.kill(killed.pid, signal.SIGKILL)
        _until(lambda: start_of(killed.pid) is None)
        assert start_of(kept["pid"]) == kept["pid_started"], "it runs, and nobody is left to watch it"
        _until(lambda: start_of(kept["pid"]) != kept["pid_started"])
    with serving(tmp_path) as anew:
        study = anew.ask(run).headers["location"]
        assert study.startswith("/study/")
        assert 'id="verdict"' in anew.ask(study).text
        assert re.search(
            rf'{study.rsplit("/", 1)[1]}</span>.*?<span class="stamp ok">', anew.ask("/library").text, re.S
        )
        assert not list((anew.home / "journal").glob("*.jsonl")), "what it made is removed"


@pytest.mark.parametrize("name", ["none", "..", "%2e%2e", ".", "a%2f..%2f..", "0" * 12, "%00"])
def test_what_is_no_study_is_not_followed(server: Server, name: str) -> None:
    for page in ("", "/events", "/figures"):
        answer = server.ask(f"/live/{name}{page}")
        assert answer.status == 404, page
        assert 'role="alert"' in answer.text


def test_the_library_shows_what_the_report_quotes_and_how_it_went(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        _until(lambda: server.ask(_replayed(server)).status == 303)
        shown = ""

        def figures() -> list[str]:
            nonlocal shown
            shown = server.ask("/library").text
            return re.findall(r'data-figure="[^"]+">([\d.,]+ ±[\d.]+ % ms) <span class="soft small">', shown)

        _until(lambda: len(figures()) == 1)
        assert "<polyline" not in shown, "one study is no line"
        number, spread = figures()[0].split(" ", 1)
        report = server.ask(re.findall(r'href="(/study/[^"/]+)"', shown)[0]).text
        assert number in report and spread.removesuffix(" ms") in report
        _until(lambda: server.ask(_replayed(server)).status == 303)
        server.paste("randwrite 4k iodepth=1\nwrite: IOPS=1000, BW=3.9MiB/s (4.1MB/s)(234MiB/60001msec)\n")
        _until(lambda: len(figures()) == 2)
        lines = re.findall(r'<polyline points="([^"]*)"/><circle cx="([\d.]+)" cy="([\d.]+)"', shown)
        assert len(lines) == 2 and lines[0][0] == lines[1][0]
        assert {f"{x},{y}" for _, x, y in lines} == set(lines[0][0].split())
        before = sorted((server.home / "shown").glob("*.json"))
        figures()
        assert sorted((server.home / "shown").glob("*.json")) == before, "computed once"


def _replayed(server: Server) -> str:
    run = server.post("/measure/start", {"plan": "quick", "where": "example"}).headers["location"]
    server.ask(f"{run}/events")
    return run


def _until(state: Any, longest_s: float = 120.0) -> None:
    until = time.monotonic() + longest_s
    while not state():
        assert time.monotonic() < until
        time.sleep(0.2)


@pytest.mark.ceph
@pytest.mark.slow
def test_a_study_on_a_real_sandbox_outlives_the_server_and_is_stopped_from_a_page(
    tab: Any, server: Server, axe: str
) -> None:
    tab.goto(f"{server.base}/measure")
    tab.click("button:has-text('Start')")
    tab.wait_for_selector("#figures #ladder", timeout=240_000)
    tab.wait_for_selector("#cells td:nth-child(5):has-text('IOPS')")
    means = [mean.inner_text() for mean in tab.locator("#cells td:nth-child(2)").all()]
    assert any(re.fullmatch(r"[\d,.]+ (IOPS|MB/s|ms|µs)", mean) for mean in means)
    assert re.search(r"^\d+/\d+ · \S+ · .* left", tab.inner_text("#step"))
    assert "failed" not in tab.inner_text("#figures")
    sound(tab, axe)
    run = json.loads(next(iter(_runs(server))).read_text())
    assert run["pid"] != server.pid
    assert os.getsid(run["pid"]) != os.getsid(server.pid), "the terminal's Ctrl-C is none of its business"
    tab.click("button:has-text('Stop')")
    tab.wait_for_selector("#verdict", timeout=240_000)
    assert "interrupted" in tab.inner_text("header.top")
    assert not list((server.home / "journal").glob("*.jsonl")), "what it made is removed"
    assert not list((server.home / "sandboxes").glob("study-*"))
    assert tab.locator("button:has-text('Go on with it')").count() == 1


def _runs(server: Server) -> list[Path]:
    return sorted(server.home.glob("serve/*.json"), key=lambda path: -path.stat().st_mtime)
