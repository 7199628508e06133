"""What the first finding advises: two states, and what the second should bring."""

from __future__ import annotations

from dataclasses import replace

import pytest

from radoscope.explain.advice import advise
from radoscope.explain.finding import Checks, Finding, Share
from radoscope.records.environment import LinkFacts
from radoscope.records.study import Study

from .build import ENVIRONMENT, Told, cell, cluster, segment

WRITE = cell("rbd", "randwrite")


def about(rule: str, share: Share | None = None) -> Finding:
    return Finding(rule=rule, claim="slow", because=("seen",), cells=(WRITE.name,), explains=share)


def study_with(**options: str) -> Study:
    stored = {f"osd/{name}": value for name, value in options.items()}
    told = Told(cells=(WRITE,), segments=(segment(WRITE),), environment=cluster(changed_options=stored))
    return told.study()


def test_a_loud_log_is_taken_out_and_put_back_as_it_was() -> None:
    advice = advise(about("debug-levels"), study_with(debug_osd="20/20", bluestore_compression_mode="force"))
    assert advice is not None
    assert (advice.a, advice.b) == ("ceph config set osd debug_osd 20/20", "ceph config rm osd debug_osd")
    assert advice.gains == {}


def test_what_is_no_option_gets_into_no_command() -> None:
    assert advise(about("debug-levels"), study_with(**{"debug_osd; rm -rf /": "1"})) is None
    quoted = advise(about("debug-levels"), study_with(debug_osd="20 ; reboot"))
    assert quoted is not None
    assert quoted.a == "ceph config set osd debug_osd '20 ; reboot'"


def test_what_cannot_be_undone_in_a_moment_is_not_tried() -> None:
    assert advise(about("sick-osd", Share(0.5, 0.5, 0.5)), study_with()) is None


def test_links_are_shaped_only_in_a_sandbox_and_only_where_they_are_alike() -> None:
    links = tuple(LinkFacts(host=host, name="pub0", bits_per_s=1e9) for host in ("h1", "h2"))
    lab = replace(study_with(), environment=replace(ENVIRONMENT, links=links), sandbox="lab")
    advice = advise(about("network-full"), lab)
    assert advice is not None
    assert advice.a.endswith("shape lab --no-measure --network 1000M")
    assert advice.b.endswith("shape lab --no-measure --network 10000M")
    assert advise(about("network-full"), replace(lab, sandbox=None)) is None
    unlike = (*links, LinkFacts(host="h3", name="pub0", bits_per_s=2e8))
    assert advise(about("network-full"), replace(lab, environment=replace(ENVIRONMENT, links=unlike))) is None


def test_the_promise_has_an_interval_about_it() -> None:
    finding = about("debug-levels", Share(0.5, 0.4, 0.6))
    checks = Checks(cell=WRITE.name, fired=(finding,))
    advice = advise(finding, study_with(debug_osd="20/20"), (checks,))
    assert advice is not None
    gain = advice.gains[WRITE.name]
    assert gain.value == pytest.approx(2.0)
    assert 1 < gain.low < 1 / 0.6 < gain.value < 1 / 0.4 < gain.high
