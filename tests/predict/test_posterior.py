"""What one to four cells of a cluster teach about the rest of it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from radoscope.cli import predict
from radoscope.errors import PlanError
from radoscope.predict.facts import Facts, apply_workload
from radoscope.predict.known import read_known
from radoscope.predict.outlook import Known, forecast, look
from radoscope.predict.posterior import Rates, Solved, learn, unknowns_of
from radoscope.predict.setting import stack
from radoscope.predict.unknowns import case
from radoscope.predict.whatif import parse_changes
from tests.predict.gains import gains


def width(facts: Facts, *known: Known) -> float:
    seen = forecast(facts, known)
    return seen.interval.high / seen.interval.low


def measured(facts: Facts, name: str, factor: float) -> Known:
    loaded = apply_workload(facts, name)
    return Known(name, loaded, forecast(loaded).iops * factor)


def test_a_measured_cell_is_reproduced_and_its_like_follow(facts: Facts) -> None:
    half = measured(facts, "4k-randwrite-qd1", 0.5)
    itself, alike, other = (
        apply_workload(facts, name) for name in ("4k-randwrite-qd1", "8k-randwrite-qd2", "4M-read-qd16")
    )
    told = forecast(itself, [half])
    assert told.iops == pytest.approx(half.iops, rel=0.1)
    assert told.interval.low < half.iops < told.interval.high
    assert forecast(alike, [half]).iops < 0.7 * forecast(alike).iops
    assert forecast(other, [half]).iops > 0.8 * forecast(other).iops, "a large read learns little of it"


def test_intervals_shrink_with_each_cell_that_comes_as_expected(facts: Facts) -> None:
    names = ("4k-randwrite-qd1", "4k-randwrite-qd128-x4", "4k-randread-qd16", "4M-write-qd16")
    known = [measured(facts, name, 1.0) for name in names]
    asked = apply_workload(facts, "4k-randwrite-qd16-x4")
    widths = [width(asked, *known[:count]) for count in range(5)]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < 0.6 * widths[0]


def test_a_cell_that_is_itself_unsure_teaches_less(facts: Facts) -> None:
    half = measured(facts, "4k-randwrite-qd1", 0.5)
    unsure = replace(half, error=0.5)  # 95 % within a factor 2.7 either way
    plain, sure, less = (forecast(half.facts, known) for known in ([], [half], [unsure]))
    assert sure.iops < less.iops < plain.iops
    assert width(half.facts, unsure) > width(half.facts, half)


def test_surprising_cells_widen_what_expected_ones_narrow(facts: Facts) -> None:
    asked = apply_workload(facts, "4M-read-qd16")
    odd = [measured(facts, name, 0.1) for name in ("4k-randwrite-qd1", "4k-randread-qd1")]
    even = [measured(facts, name, 1.0) for name in ("4k-randwrite-qd1", "4k-randread-qd1")]
    assert width(asked, *odd) > width(asked, *even)


def test_an_unchanged_cluster_has_a_ratio_of_exactly_one(facts: Facts) -> None:
    asked = apply_workload(facts, "4k-randwrite-qd32-xall")
    known = [measured(facts, "4k-randwrite-qd1", 0.6)]
    for one in gains(asked, parse_changes(["nodes = 4", "size = 3", "network_Gbps = 25"]), known):
        assert (one.ratio, one.interval.low, one.interval.high) == (1.0, 1.0, 1.0)


def test_a_ratio_is_as_unsure_as_what_changes_is_a_bottleneck(facts: Facts) -> None:
    small, large = (apply_workload(facts, name) for name in ("4k-randwrite-qd1", "4M-read-qd16"))
    (idle,), (full,) = (gains(one, parse_changes(["network_Gbps = 100"])) for one in (small, large))
    assert idle.interval.high / idle.interval.low < 1.5
    assert full.interval.high / full.interval.low > idle.interval.high / idle.interval.low
    assert full.ratio > 1.5 > 1.1 > idle.ratio


@pytest.mark.parametrize("name", ["4k-randwrite-qd1", "4k-randread-qd32-xall", "4M-write-qd16-xall", "4M-read-qd16"])
@pytest.mark.parametrize("factor", [0.3, 1.0, 3.0])
def test_a_faster_network_is_never_slower(facts: Facts, name: str, factor: float) -> None:
    plain = replace(facts, network_Gbps=1.0, rtt_us=None)
    known = [measured(plain, name, factor)]
    changes = [f"network_Gbps = {speed}" for speed in (2.5, 10, 25, 40, 100)]
    ratios = [gains(apply_workload(plain, name), parse_changes([one]), known)[0].ratio for one in changes]
    assert all(later >= earlier - 1e-6 for earlier, later in zip([1.0, *ratios], ratios, strict=False))


def test_two_more_nodes_help_a_load_on_the_whole_cluster(facts: Facts) -> None:
    (more,) = gains(apply_workload(facts, "4k-randwrite-qd32-xall"), parse_changes(["nodes = 6"]))
    assert 1.3 < more.ratio < 1.6


def test_slopes_agree_with_differences(facts: Facts) -> None:
    cases = [case(apply_workload(facts, name)) for name in ("4k-randwrite-qd1", "4M-read-qd16", "4k-randread-qd128")]
    unknowns = unknowns_of(cases)
    base, here = stack([one.setting for one in cases]), 0 * unknowns.spreads
    slopes = Solved.at(base, unknowns, here).slopes()
    for column in range(len(here)):
        there = here.copy()
        there[column] = 1e-3
        up = Solved.at(base, unknowns, there).logs
        there[column] = -1e-3
        numeric = (up - Solved.at(base, unknowns, there).logs) / 2e-3
        assert slopes[:, column] == pytest.approx(numeric, abs=0.02)


def test_nothing_known_leaves_the_documents_word(facts: Facts) -> None:
    import numpy as np

    found = learn([case(facts)], [], Rates(np.array([])))
    assert not found.means.any()
    assert look([case(facts)]).rate(0) == pytest.approx(forecast(facts).iops)


def test_numbers_are_read_as_people_write_them(facts: Facts) -> None:
    def rate(text: str) -> float:
        known = read_known(text, facts)[1]
        assert known is not None
        return known.iops

    assert rate("rbd 4k write qd1 = 450 iops") == 450
    assert rate("4k-randwrite-qd128 = 33,096") == 33096
    assert rate("4k randwrite qd32 x4 = 1.2k iops") == 1200
    assert rate("rados 4M read qd16 = 900 MB/s") == pytest.approx(900e6 / 2**22)
    assert rate("4k randread qd32 x4 = 2 ms") == pytest.approx(64_000)
    assert read_known("fsync = 600 iops", facts)[0].device_4k_sync_write_iops == 600
    assert read_known("ping = 0.2 ms", facts)[0].rtt_us == pytest.approx(200)
    assert read_known("line = 9.4 Gbit/s", facts)[0].network_Gbps == pytest.approx(9.4)


@pytest.mark.parametrize("text", ["4k write", "4k flush qd1 = 3", "write qd1 = 0", "4k qd1 = 5", "ping = 3 apples"])
def test_what_cannot_be_understood_is_refused_with_examples(text: str, facts: Facts) -> None:
    with pytest.raises(PlanError) as fault:
        read_known(text, facts)
    assert "450 iops" in fault.value.hint


def test_known_goes_with_a_cluster_file_and_takes_the_output_of_tools(tmp_path: Path) -> None:
    file = tmp_path / "cluster.toml"
    file.write_text("nodes = 3\ndrive = 'Samsung PM893'\nnetwork_Gbps = 10\n")
    text = tmp_path / "run.txt"
    text.write_text("fio: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, "
                    "iodepth=1\nfio-3.33\nStarting 1 process\n\nfio: (groupid=0, jobs=1): err= 0: pid=1: x\n"
                    "  write: IOPS=321, BW=1284KiB/s (1315kB/s)(37.6MiB/30001msec); 0 zone resets\n")  # fmt: skip
    arguments = [str(file), "--workload", "4k-randwrite-qd1", "--json"]
    for known in ("4k write qd1 = 321 iops", str(text)):
        done = CliRunner().invoke(predict.command, [*arguments, "--known", known])
        assert done.exit_code == 0, done.output
        assert json.loads(done.output)["forecasts"][0]["iops"]["value"] == pytest.approx(321, rel=0.25)
