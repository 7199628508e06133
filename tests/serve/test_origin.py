"""From a paste or a study to other hardware: what was measured comes along, and nothing that nobody said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from radoscope import workflow
from radoscope.records.manifest import MANIFEST
from radoscope.serve import measured, reports
from radoscope.serve.measured import _of_text
from radoscope.workflow.rehearse import EXAMPLE, recorded
from tests.serve.conftest import Server

TEXT = (
    "Our three hosts, Ceph 18.2.4, one Intel DC S4500 in each.\n\n"
    "fio --ioengine=rbd --rw=randwrite --bs=4k --iodepth=1\n"
    "write: IOPS=410, BW=1640KiB/s (1679kB/s)(96.1MiB/60002msec); 0 zone resets\n"
)
CACHED = (Path(__file__).parents[1] / "golden" / "serve" / "pasted.txt").read_text(encoding="utf-8")


def value(page: str, name: str) -> str:
    found = re.search(rf'name="{name}"[^>]*? value="([^"]*)"', page)
    assert found, name
    return found[1]


def rates(page: str) -> dict[str, tuple[float, str]]:
    """By load: IOPS, and the ratio to now where there is one."""
    rows = re.findall(
        r'<th scope="row">(4[^<]*)</th><td class="num"[^>]*><b>([\d,.]+)</b><span class="pm">[^<]*</span>'
        r"<svg.*?</svg></td>(?:<td[^>]*>(x[\d.]+)?)?",
        page,
    )
    assert rows
    return {name: (float(rate.replace(",", "")), ratio) for name, rate, ratio in rows}


def test_a_paste_is_described_then_changed_and_its_rates_come_along(server: Server) -> None:
    judged = server.post("/paste", {"text": TEXT}).headers["location"]
    link = re.search(r'href="(/what-if\?from=[^"]*)"', server.ask(judged).text)
    assert link
    described = server.ask(link[1]).text
    assert (value(described, "drive"), value(described, "ceph_version")) == ("S4500", "18.2.4")
    assert "410 IOPS" in described and "So it was" in described
    assert rates(described)["4k-randwrite-qd1"][0] == pytest.approx(410, rel=0.15), "it was measured"
    query = "nodes=3&drives_per_node=1&network_Gbps=10&protection=3&drive=S4500&ceph_version=18.2.4&picked=1&known=0"
    then = server.ask(f"{link[1]}&{query}&then=change").headers["location"]
    assert not any(ratio for _, ratio in rates(server.ask(then).text).values()), "nothing is changed yet"
    more = rates(server.ask(then.replace("nodes=3", "nodes=6", 1)).text)
    assert float(more["4k-randwrite-qd32-xall"][1][1:]) > 1.4, "twice the hosts"
    assert more["4k-randwrite-qd1"][0] == pytest.approx(410, rel=0.2), "one write at a time gains nothing by them"
    unticked = rates(server.ask(then.replace("&known=0", "")).text)
    assert unticked["4k-randwrite-qd1"][0] > 600, "a rate of another cluster does not count"
    emptied = server.ask(then.replace("drive=S4500", "drive=", 1)).text
    assert "is empty now" in emptied, "what was known cannot become unknown"


def test_a_rate_that_the_judgement_calls_invalid_does_not_count_unless_it_is_ticked(server: Server) -> None:
    judged = server.post("/paste", {"text": CACHED}).headers["location"]
    page = server.ask(f"/what-if?from={judged.split('/')[-1]}").text
    assert re.search(r'name="known" value="0"> [^<]*604,000 IOPS \(invalid\)', page)
    usual = rates(page)["4k-randwrite-qd1"][0]
    ticked = server.ask(f"/what-if?from={judged.split('/')[-1]}&picked=1&known=0").text
    assert rates(ticked)["4k-randwrite-qd1"][0] > 1.5 * usual


def test_a_study_needs_no_describing(server: Server) -> None:
    run = server.post("/measure/start", {"plan": "quick", "where": "example"}).headers["location"]
    server.ask(f"{run}/events")
    study = server.ask(run).headers["location"].removeprefix("/study/")
    page = server.ask(f"/what-if?from={study}").text
    assert value(page, "nodes") == "1" and "So it was" not in page
    assert not any(ratio for _, ratio in rates(page).values())
    report = server.ask(f"/study/{study}").text
    assert f"/what-if?from={study}" in report


def test_what_a_study_says_is_read_once_and_anew_when_it_has_grown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path))
    with recorded(EXAMPLE) as folder:
        study = workflow.load_study(str(folder))
        reports.keep(folder, workflow.assess(study))
        monkeypatch.setattr(measured, "load_study", lambda name: pytest.fail("it is known"))
        seen = measured.measured(folder)
        assert seen.facts and seen.fields["nodes"] == "1" and len(seen.cells) > 5
        assert seen == measured.measured_of(workflow.assess(study), b"")
        monkeypatch.undo()
        monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path))
        manifest = folder / MANIFEST
        manifest.write_text(manifest.read_text().replace(study.target, "grown"))
        assert measured.measured(folder).title == "grown"


@pytest.mark.parametrize("name", ["0" * 32, "nothing", "../../etc/passwd", "%3Cscript%3E", "%00"])
def test_an_origin_that_is_not_there_is_said(server: Server, name: str) -> None:
    answer = server.ask(f"/what-if?from={name}")
    assert answer.status == 200 and 'role="alert"' in answer.text
    assert "<script>" not in answer.text


@pytest.mark.parametrize(
    ("text", "release", "drive"),
    [
        ("Ceph 17.2.6 on Samsung PM983 960GB", "17.2.6", "PM983"),
        ("ceph version 16.2.15 (618f440892089921c3e944a991122ddc44e60516) pacific", "16.2.15", ""),
        ("first Ceph 15.2.1, then ceph 16.2.7 on S4500 and MX500", "", ""),
        ("We use ceph. It got 10.1 GB/s and 14.5 ms.", "", ""),
        ("CPU E5-2630 v4, LSI 9300-8i, DDR4-2400", "", ""),
        ("", "", ""),
    ],
)
def test_what_a_text_names_once_is_filled_in_and_nothing_else(text: str, release: str, drive: str) -> None:
    fields, _drives = _of_text(text)
    assert (fields["ceph_version"], fields["drive"]) == (release, drive)
