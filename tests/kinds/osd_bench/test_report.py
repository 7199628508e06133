"""Every OSD's own bench in a report: the table, the sick one by its name, and nothing that is not known."""

from __future__ import annotations

import json
from dataclasses import replace

from radoscope.kinds.osd_bench import KIND
from radoscope.kinds.osd_bench.judge import OsdBench, OsdBenches
from radoscope.kinds.osd_bench.section import capacity_lines, judged, osd_verdict
from radoscope.records.study import Study
from radoscope.report.document import render_html
from radoscope.report.machine import study_json
from radoscope.report.markdown import render_markdown
from radoscope.stats.summarise import summarise
from tests.report.example_study import make_material, make_study

WELL = (1000.0, 1010.0, 990.0, 1005.0, 995.0)


def a_study(*last: float) -> Study:
    benches = (
        *(OsdBench(osd=osd, device_class="ssd", iops=WELL) for osd in range(3)),
        OsdBench(osd=3, device_class="ssd", iops=last),
    )
    return replace(make_study(), cells=(), segments=(), kind="osd-bench", payload=OsdBenches(benches))


SICK = a_study(400.0, 410.0, 395.0, 405.0, 402.0)
SHOWN = make_material(SICK, KIND)


def test_the_sick_osd_is_named_in_the_verdict_the_page_and_the_markdown() -> None:
    first, *_ = osd_verdict(judged(SICK))
    assert first == "osd.3 (40% of its peers) is slower than the peers."
    page = render_html(SHOWN)
    assert '<section id="osds">' in page
    assert "osd.3 (40% of its peers) is slower" in page
    assert "| osd.3 | ssd   |       5 |   402 |" in render_markdown(SHOWN)


def test_a_sick_osd_is_not_given_to_mclock() -> None:
    lines = capacity_lines(judged(SICK))
    assert lines[0] == "ceph config set osd.0 osd_mclock_max_capacity_iops_ssd 1000"
    assert lines[3].startswith("# osd.3: slower than its peers")


def test_where_all_are_alike_nobody_is_blamed() -> None:
    first, second, _ = osd_verdict(judged(a_study(*WELL)))
    assert first == "No OSD is slower than its peers."
    assert second == "All 4 OSDs have a verdict."


def test_one_bench_each_is_undecided_and_says_what_is_missing() -> None:
    benches = tuple(OsdBench(osd=osd, device_class="ssd", iops=(1000.0,)) for osd in range(3))
    first, second, _ = osd_verdict(judged(replace(SICK, payload=OsdBenches(benches))))
    assert first == "Which OSD is slower is undecided."
    assert second.startswith("Undecided for osd.0, osd.1 and osd.2: ")


def test_a_study_without_benches_has_no_such_section() -> None:
    assert 'id="osds"' not in render_html(make_material())


def test_json_and_the_command_to_repeat_it_know_the_benches() -> None:
    told = json.loads(json.dumps(study_json(SHOWN)))
    assert [one["sick"] for one in told["osds"]] == [False, False, False, True]
    assert "radoscope osd-bench" in SHOWN.command


def test_a_study_that_has_nothing_else_can_be_summarised() -> None:
    assert summarise(SICK).cells == ()
