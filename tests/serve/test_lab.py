"""A sandbox as a picture: broken and healed by buttons, and seen in the curve."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from radoscope import sandbox
from radoscope.serve import lab, runs
from radoscope.serve.runs import LaunchedRun
from tests.conftest import HEARTBEAT_GRACE_S, radoscope_home
from tests.serve.conftest import Server, mislaid, sound

_LOOK_MS = 250
"""A browser that is asked with each frame whether the page is there yet takes a core for it."""


@pytest.mark.parametrize(
    "form",
    [{"name": "a; reboot"}, {"name": "../up"}, {"hosts": "-1"}, {"hosts": "10"}, {"osds": "²"}, {"disk": "/dev/sda"}],
)
def test_no_sandbox_is_started_that_the_page_does_not_offer(server: Server, form: dict[str, str]) -> None:
    answer = server.post("/lab/up", {"name": "lab", "hosts": "1", "osds": "3", "disk": "none", **form})
    assert answer.status == 400
    assert "page cannot start such a sandbox" in answer.text
    assert not list(server.home.glob("serve/*"))


def test_a_sandbox_that_is_not_there_is_said_to_be_none(server: Server) -> None:
    assert "There is no such sandbox" in server.ask("/lab/nowhere").text
    for what in ("load", "kill-osd", "down", "format-disk"):
        assert server.post("/lab/nowhere/act", {"what": what, "on": "1"}).status in (400, 404)
    assert server.ask("/lab/..%2f").status == 404


def test_the_curve_is_of_what_the_load_says_with_a_mark_at_each_fault(home: Path) -> None:
    (home / "serve").mkdir(parents=True)
    load = LaunchedRun(
        name="0" * 12, words=("sandbox", "load", "x"), about="lab/x/load", begun_at_s=0, pid=0, pid_started=None
    )
    lines = [f"{second:7} s {0 if 30 <= second < 40 else 500:10} IOPS" for second in range(1, 61)]
    load.log.write_text("\n".join(["   1.00 s  creating the pool", *lines]) + "\n")
    ended_at_s = load.log.stat().st_mtime
    words = ("sandbox", "fault", "x", "kill-osd", "2")
    fault = LaunchedRun(
        name="1" * 12, words=words, about="lab/x/fault", begun_at_s=ended_at_s - 30, pid=0, pid_started=None
    )
    curve = lab._curve(load, [fault])
    assert curve is not None
    assert (curve["now"], curve["lowest"]) == ("500", "0")
    assert [mark["words"] for mark in curve["marks"]] == ["kill-osd 2"]
    heights = [float(point.split(",")[1]) for point in curve["line"].split()]
    assert heights[29:39] == [lab.BOTTOM] * 10 and max(heights[:29]) < lab.BOTTOM / 2
    places = [float(point.split(",")[0]) for point in curve["line"].split()]
    assert places[29] == pytest.approx(curve["marks"][0]["x"], abs=places[1] - places[0] + 0.2)
    assert runs.find("../../x") is None


def test_words_of_a_fast_cluster_with_many_faults_have_room_on_desk_and_phone(tab: Any, server: Server) -> None:
    folder = server.home / "serve"
    folder.mkdir(parents=True, exist_ok=True)
    load = LaunchedRun(
        name="0" * 12, words=("sandbox", "load", "x"), about="lab/x/load", begun_at_s=0, pid=0, pid_started=None
    )
    log = folder / f"{load.name}.log"
    log.write_text("\n".join(f"{second:7} s {123456 - second % 7:10} IOPS" for second in range(1, 61)) + "\n")
    kept = [load]
    for number, ago_s in enumerate([59, 58.5, 33, 31, 29, 5, 1, 0.2], 1):
        words = ("sandbox", "fault", "x", "slow-disk", str(number))
        begun_at_s = log.stat().st_mtime - ago_s
        kept.append(
            LaunchedRun(
                name=f"{number}" * 12, words=words, about="lab/x/fault", begun_at_s=begun_at_s, pid=0, pid_started=None
            )
        )
    for run in kept:
        (folder / f"{run.name}.json").write_text(json.dumps(asdict(run)))
    try:
        tab.goto(f"{server.base}/lab/x")
        for width in (1200, 390):
            tab.set_viewport_size({"width": width, "height": 800})
            assert tab.locator("svg.rate .cross").count() == 8
            assert "123,456" in tab.locator("svg.rate").text_content()
            assert mislaid(tab) == []
    finally:
        for run in kept:
            (folder / f"{run.name}.json").unlink()


def ease(server: Server, name: str) -> None:
    """A curve can be seen of a tenth of the load as well, and other tests run beside; a host is missed sooner."""
    with radoscope_home(server.home), sandbox.load(name).connected(timeout_s=30) as cluster:
        cluster.tell("config set", who="client", name="rbd_qos_iops_limit", value="50")
        cluster.tell("config set", who="global", name="osd_heartbeat_grace", value=str(HEARTBEAT_GRACE_S))


@pytest.mark.ceph
@pytest.mark.slow
def test_a_killed_osd_is_seen_in_picture_and_curve_and_heals(tab: Any, server: Server, axe: str) -> None:
    tab.set_default_timeout(240_000)
    tab.goto(f"{server.base}/lab")
    tab.fill("#name", "seen")
    tab.fill("#hosts", "1")
    tab.fill("#osds", "3")
    tab.click("button:has-text('Start it')")
    try:
        tab.wait_for_selector("text=HEALTH_OK")
        ease(server, "seen")
        tab.click("text=Put a load on it")
        tab.wait_for_selector("polyline", state="attached")
        tab.click("[aria-label='Kill 2']")
        tab.wait_for_selector(".osd.dead")
        tab.wait_for_selector("text=osd.2 is killed and marked down")
        assert re.search("kill-osd 2", tab.locator("svg.rate").text_content())
        sound(tab, axe)
        tab.click("text=Heal everything")
        tab.wait_for_function("() => document.querySelectorAll('.osd .stamp.ok').length === 3", polling=_LOOK_MS)
        tab.click("text=Stop the load")
        tab.wait_for_selector("text=Put a load on it")
        assert not list((server.home / "journal").glob("*.jsonl")), "its pool is removed"
    finally:
        argv = [sys.executable, "-m", "radoscope", "sandbox", "down", "seen"]
        subprocess.run(argv, env={**os.environ, "RADOSCOPE_HOME": str(server.home)}, check=False, timeout=120)
        for run in server.home.glob("serve/*.json"):
            run.unlink()


@pytest.mark.ceph
@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="hosts of a sandbox need root")
def test_a_slow_disk_and_a_cut_host_are_seen_in_picture_and_curve_and_heal(tab: Any, server: Server) -> None:
    """By the buttons of a page that is opened once and moves by itself."""
    tab.set_default_timeout(240_000)

    def press(label: str) -> None:
        tab.click(f"#watched button[aria-label='{label}']")

    def seen(*words: str) -> str:
        try:
            tab.wait_for_function(
                "words => words.every(one => new RegExp(one).test(document.querySelector('#watched')?.innerHTML))",
                arg=list(words),
                polling=_LOOK_MS,
            )
        except pytest.importorskip("playwright.sync_api").TimeoutError:
            pytest.fail(f"not all of {words} in: {tab.inner_text('#watched')}")
        shown: str = tab.inner_html("#watched")
        return shown

    tab.goto(f"{server.base}/lab")
    for field, value in (("#name", "parted"), ("#hosts", "3"), ("#osds", "1")):
        tab.fill(field, value)
    tab.click("button:has-text('Start it')")
    try:
        assert tab.locator("text=Kill").count() == 0, "no button before it is up"
        seen("HEALTH_OK", "Put a load on it", 'aria-label="Cut h2"')
        ease(server, "parted")
        press("Put a load on it")
        seen("<polyline")
        press("Slow its disk 1")
        seen("slow disk</span>", "the disk of osd.1 takes", ">slow-disk 1</text>")
        press("Heal everything")
        assert "slow disk</span>" not in seen(r"fault parted heal</code> +HEALTH_OK")
        press("Cut h2")
        shown = seen("cut off</span>", "h2 is cut off, its OSDs are marked down", ">cut h2</text>", 'class="osd down"')
        assert shown.count('class="osd down"') == 1 and 'aria-label="Cut h2"' not in shown
        press("Heal everything")
        seen(
            r'aria-label="Cut h2"(.|\n)*fault parted heal</code> +HEALTH_OK',
            'class="osd"(.|\n)*class="osd"(.|\n)*class="osd"',
        )
        press("Stop the load")
        seen("Put a load on it")
        press("Remove the sandbox")
        seen("There is no such sandbox", r"down parted</code> +Removed sandbox parted")
        assert not list((server.home / "journal").glob("*.jsonl")), "its pool is removed"
    finally:
        argv = [sys.executable, "-m", "radoscope", "sandbox", "down", "parted"]
        subprocess.run(argv, env={**os.environ, "RADOSCOPE_HOME": str(server.home)}, check=False, timeout=120)
        for run in server.home.glob("serve/*.json"):
            run.unlink()
