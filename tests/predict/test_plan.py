"""The decision page: present and planned side by side."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from radoscope.cli import predict
from radoscope.errors import PlanError
from radoscope.predict.cluster import read_cluster
from radoscope.predict.facts import Facts
from radoscope.predict.plan import parse_target, plan_options
from radoscope.predict.whatif import parse_changes

FILE = """
nodes = 3
osds_per_node = 2
drive = "Samsung PM893 3.84TB"
network_Gbps = 10
size = 3
[costs]
currency = "EUR"
nodes = 8000
drive = 600
network_Gbps = 500
"""


def test_prices_are_per_piece_and_space_follows_the_redundancy() -> None:
    described = read_cluster(FILE)
    assert described.currency == "EUR"
    changes = parse_changes(["nodes = 5", "network_Gbps = 25"])
    plan = plan_options(described.facts, changes, ["4k-randwrite-qd1"], (), described.costs, described.currency)
    assert [one.cost for one in plan.options] == [0, 2 * 8000, 3 * 500, 2 * 8000 + 5 * 500]
    assert [one.space_TB for one in plan.options] == pytest.approx([7.68, 12.8, 7.68, 12.8])


def test_erasure_coding_is_weighed_in_space_too() -> None:
    facts = replace(read_cluster(FILE).facts, nodes=6)
    plan = plan_options(facts, parse_changes(['ec_profile = "4+2"']), ["4M-write-qd16-xall"])
    copies, coded = plan.options
    assert coded.space_TB == pytest.approx(2 * copies.space_TB)  # type: ignore[operator]
    assert plan.rows[0].ratios[0].ratio > 1


def test_the_cheapest_option_that_reaches_the_target_is_named(facts: Facts) -> None:
    changes = parse_changes(["nodes = 12", "pg_num = 512"])
    target = parse_target("200 clients x 500 write IOPS")
    plan = plan_options(facts, changes, ["4k-randwrite-qd1"], target=target)
    assert plan.cheapest is not None
    chosen = plan.options[plan.cheapest]
    assert chosen.reaches
    assert all(chosen.cost <= one.cost for one in plan.options if one.reaches)


def test_the_page_is_one_file_that_shows_every_option_and_workload(tmp_path: Path) -> None:
    cluster, page = tmp_path / "a<b>.toml", tmp_path / "plan.html"
    cluster.write_text(FILE)
    arguments = [str(cluster), "--what-if", "nodes = 5", "--what-if", "network_Gbps = 25", "-o", str(page)]
    done = CliRunner().invoke(predict.command, [*arguments, "--target", "30 clients x 300 write IOPS"])
    assert done.exit_code == 0, done.output
    text = page.read_text()
    for word in (
        "nodes = 5 and network_Gbps = 25",
        "4k-randwrite-qd32-xall",
        "cost, EUR",
        "Target: 30 clients",
        "16,000",
    ):
        assert word in text
    assert "a<b>" not in text, "names are escaped"
    assert "<script" not in text
    assert "http://" not in text and "https://" not in text


def test_the_page_says_what_was_given_what_each_load_is_and_how_likely_the_target_is(tmp_path: Path) -> None:
    cluster, page = tmp_path / "a.toml", tmp_path / "plan.html"
    cluster.write_text("fsync_latency_us = 1500\nhyperconverged = true\n" + FILE)
    asked = ["--what-if", "nodes = 6", "--workload", "4M-read-qd16-xall", "--target", "4 clients x 50 write IOPS"]
    CliRunner().invoke(predict.command, [str(cluster), *asked, "-o", str(page)], catch_exceptions=False)
    text = page.read_text()
    assert "drive = Samsung PM893 3.84TB; network_Gbps = 10; " in text
    assert "fsync_latency_us = 1500" in text and "hyperconverged = true" in text
    assert "4M sequential read, QD16, one client on each of as many hosts as the cluster has" in text
    assert "IOPS under the target" in text and "very likely (90 %)" in text


def test_latency_counts_the_clients_that_come_with_more_hosts() -> None:
    """Twice the hosts bring twice the load: about the rate doubles, and the latency stays."""
    facts = read_cluster(FILE).facts
    row = plan_options(facts, parse_changes(["nodes = 6"]), ["4k-randwrite-qd32-xall"]).rows[0]
    assert row.ratios[0].in_flight == 6 * 32
    assert row.ratios[0].latency_s == pytest.approx(row.now.latency_s * 2 / row.ratios[0].ratio)


def test_a_price_that_is_no_number_is_refused() -> None:
    with pytest.raises(PlanError, match=r"costs\.drive"):
        read_cluster(FILE.replace("drive = 600", 'drive = "cheap"'))


def test_a_change_to_a_better_known_drive_makes_the_planned_level_surer() -> None:
    """Consumer drives flush in 0.3 to 10 ms; the planned ones cannot, so their level must not inherit that doubt."""
    facts = replace(read_cluster(FILE).facts, osd_device_model="Samsung 870 QVO 4TB")
    plan = plan_options(facts, parse_changes(['drive = "Samsung PM893 3.84TB"']), ["4k-randwrite-qd1"])
    now, planned = plan.rows[0].now, plan.rows[0].ratios[0]
    assert planned.level.low < planned.iops < planned.level.high
    assert planned.level.high / planned.level.low < now.interval.high / now.interval.low


def test_drives_that_nobody_counted_stay_as_many_as_were_assumed() -> None:
    """A drive of servers is not bought six a host because servers have six."""
    described = read_cluster(
        'nodes = 3\ndrive = "Samsung PM883 1.92TB"\nnetwork_Gbps = 10\n[costs]\nnodes = 6000\ndrive = 500'
    )
    changes = parse_changes(["nodes = 6", 'drive = "Kioxia CD8 3.84TB"'])
    plan = plan_options(described.facts, changes, ["4k-randwrite-qd1"], (), described.costs, "EUR")
    now, more, better, both = plan.options
    assert now.space_TB is not None and both.space_TB is not None and better.space_TB is not None
    drives = round(3 * now.space_TB / 1.92)
    assert (more.cost, better.cost, both.cost) == (3 * 6000, drives * 500, 3 * 6000 + 2 * drives * 500)
    assert better.space_TB == pytest.approx(2 * now.space_TB)
    assert both.space_TB == pytest.approx(4 * now.space_TB)
