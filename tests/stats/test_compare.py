"""Is B faster than A?"""

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from radoscope.archives.environment import environment_from
from radoscope.records.conditions import Operation
from radoscope.records.environment import ClusterFacts, Environment, HostFacts, OsdFacts, PoolFacts
from radoscope.records.measurement import Series
from radoscope.records.study import Study
from radoscope.stats.compare import compare
from radoscope.stats.differences import differences, load_options
from radoscope.stats.interval import WIDENING
from radoscope.stats.ratio import Ratio, ratio_of_estimates, ratio_of_pairs, ratio_of_rates
from radoscope.stats.values import Estimate, Interval, Undecided
from radoscope.stats.verdict import Equivalent, Faster, NotComparable, Slower, Verdict, decide, holm
from tests.decided import known, undecided
from tests.stats.building import a_cell, a_latency, a_result, a_segment, a_study


def rates(mean: float, spread: float, count: int = 12, seed: int | str = 1) -> list[float]:
    rng = random.Random(f"{seed}{mean}")
    return [rng.gauss(mean, spread) for _ in range(count)]


def one_cell(mean: float, spread: float = 0.02, seed: int | str = 1, **changed: Any) -> Study:
    return a_study((a_cell(), rates(mean, spread * mean, seed=seed)), **changed)


def verdict_of(a: Study, b: Study, **options: Any) -> Verdict:
    return compare([a], [[b]], **options)[0].cells[0].verdict


def test_a_clear_gain_is_faster_and_a_clear_loss_is_slower() -> None:
    gain = verdict_of(one_cell(1000), one_cell(1300))
    assert isinstance(gain, Faster)
    assert gain.by == pytest.approx(0.3, abs=0.05)
    assert isinstance(verdict_of(one_cell(1000), one_cell(800)), Slower)


def test_no_difference_larger_than_the_margin_is_equivalent() -> None:
    assert verdict_of(one_cell(1000), one_cell(1005)) == Equivalent(0.05)


def test_the_same_cell_from_one_host_and_from_two_is_not_the_same_measurement() -> None:
    from_two = replace(a_cell(clients=2).conditions, client_hosts=2)
    a = a_study((a_cell(clients=2), rates(1000, 20)), clients=("client1",))
    b = a_study((replace(a_cell(clients=2), conditions=from_two), rates(1300, 20)), clients=("client1", "client2"))
    assert isinstance(verdict_of(a, b), NotComparable)
    assert "client hosts: 1 and 2" in str(verdict_of(a, b))
    assert any(one.what == "study: client hosts" and one.b == "client1, client2" for one in differences(a, b))


def test_noise_is_undecided_and_says_what_time_it_takes() -> None:
    verdict = verdict_of(one_cell(1000, 0.2), one_cell(1050, 0.2, seed=2))
    assert isinstance(verdict, Undecided)
    assert "more" in verdict.needs


def test_one_segment_each_decides_nothing() -> None:
    a, b = a_study((a_cell(), [1000.0])), a_study((a_cell(), [2000.0]))
    assert isinstance(verdict_of(a, b), Undecided)


def test_a_small_but_certain_difference_is_equivalent_for_a_user_with_a_wide_margin() -> None:
    a, b = one_cell(1000, 0.002), one_cell(1030, 0.002)
    assert isinstance(verdict_of(a, b, margin=0.05), Equivalent)
    assert isinstance(verdict_of(a, b, margin=0.01), Faster)


def test_other_block_sizes_are_not_compared() -> None:
    other = a_cell(block_bytes=65536)
    verdict = verdict_of(one_cell(1000), a_study((other, rates(1300, 10))))
    assert verdict == NotComparable(("block size: 4096 and 65536",))


def test_what_is_under_test_may_differ() -> None:
    other = a_cell(tool="rados-bench")
    assert isinstance(verdict_of(one_cell(1000), a_study((other, rates(1300, 10))), although=["tool"]), Faster)


def test_the_cache_mode_in_the_command_makes_cells_incomparable() -> None:
    def with_command(*options: str) -> Study:
        segments = tuple(
            a_segment(a_result(rate), number=i, commands=(("fio", "--name=x", *options),))
            for i, rate in enumerate(rates(1000, 10))
        )
        return a_study((a_cell(), []), segments=segments)

    verdict = verdict_of(with_command("--direct=1"), with_command("--direct=0"))
    assert verdict == NotComparable(("option direct: 1 and 0",))


def test_options_are_read_from_a_command_line() -> None:
    segment = a_segment(commands=(("fio", "--direct=1", "--ioengine", "rbd", "--time_based", "--rbd-cache=false"),))
    assert load_options([segment]) == {"direct": "1", "ioengine": "rbd", "time_based": "", "rbd_cache": "false"}


def test_cells_are_matched_by_name_else_by_their_conditions() -> None:
    renamed = replace(a_cell(), name="another-name")
    comparison = compare([one_cell(1000)], [[a_study((renamed, rates(1000, 10)))]])[0]
    assert len(comparison.cells) == 1
    unlike = a_study((a_cell("reads", op=Operation.RANDREAD), rates(1000, 10)))
    comparison = compare([one_cell(1000)], [[unlike]])[0]
    assert (comparison.cells, comparison.only_in_a, comparison.only_in_b) == ((), ("4k-randwrite",), ("reads",))


def test_many_cells_are_corrected_for_being_many() -> None:
    """By themselves p = 0.03; among twenty alike cells without a difference that is chance."""
    rng = random.Random(7)
    quiet = [(a_cell(f"c{i}", queue_depth=i + 1), [rng.gauss(1000, 100) for _ in range(8)]) for i in range(20)]
    again = [(cell, [rng.gauss(1000, 100) for _ in range(8)]) for cell, _ in quiet]
    cells = compare([a_study(*quiet)], [[a_study(*again)]])[0].cells
    assert not any(isinstance(cell.verdict, Faster | Slower) for cell in cells)


def test_holms_correction_is_that_of_the_textbook() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([]) == ()


def test_separate_runs_are_compared_by_welchs_t() -> None:
    a, b = rates(1000, 30), rates(1100, 80, count=9)
    ratio = known(ratio_of_rates(a, b))
    errors = [np.std(x, ddof=1) / np.sqrt(len(x)) / np.mean(x) for x in (a, b)]
    assert ratio.value == pytest.approx(np.mean(b) / np.mean(a))
    assert ratio.error <= WIDENING * 1.6 * np.hypot(*errors)
    assert ratio.error >= WIDENING * np.hypot(*errors) * 0.999


def test_pairs_are_compared_by_students_t_as_scipy_has_it() -> None:
    a = [1000.0, 1010.0, 990.0, 1005.0, 995.0, 1000.0]
    b = [1100.0, 1030.0, 1120.0, 1040.0, 1110.0, 1050.0]  # they alternate: neighbours have nothing in common
    logs = np.log(b) - np.log(a)
    ratio = known(ratio_of_pairs(a, b))
    assert ratio.p_different() == pytest.approx(stats.ttest_1samp(logs, 0).pvalue, rel=1e-6)
    assert ratio.value == pytest.approx(np.exp(logs.mean()))


def test_pairs_take_out_what_drifts() -> None:
    drift = [1000 * (1 + 0.3 * i / 12) for i in range(12)]
    a = [rate * random.Random(i).uniform(0.99, 1.01) for i, rate in enumerate(drift)]
    b = [1.1 * rate * random.Random(i + 50).uniform(0.99, 1.01) for i, rate in enumerate(drift)]
    assert known(ratio_of_pairs(a, b)).half_width < 0.2 * known(ratio_of_rates(a, b)).half_width


def test_studies_measured_side_by_side_are_paired() -> None:
    b = one_cell(1100, seed=2)
    shifted = replace(b, segments=tuple(replace(s, started_at_s=s.started_at_s + 20) for s in b.segments))
    later = replace(b, segments=tuple(replace(s, started_at_s=s.started_at_s + 5000) for s in b.segments))
    assert "paired" in known(compare([one_cell(1000)], [[shifted]])[0].cells[0].headline.ratio).method
    comparison = compare([one_cell(1000)], [[later]])[0]
    assert "Welch" in known(comparison.cells[0].headline.ratio).method
    assert "one run each" in comparison.remarks[0]


@pytest.mark.parametrize("first", ["ABBA", "BAAB"])
def test_blocks_of_an_experiment_are_paired_and_a_failed_segment_costs_its_pair_alone(first: str) -> None:
    states = (first * 5)[:16]
    times = {state: [20.0 * i for i, one in enumerate(states) if one == state] for state in "AB"}
    a, b = (
        replace(
            study, segments=tuple(replace(s, started_at_s=times[state][i]) for i, s in enumerate(study.segments[:8]))
        )
        for state, study in (("A", one_cell(1000)), ("B", one_cell(1100, seed=2)))
    )
    ratio = known(compare([a], [[b]])[0].cells[0].headline.ratio)
    assert "paired" in ratio.method
    cut = replace(b, segments=(*b.segments[:3], *b.segments[4:]))
    fewer = known(compare([a], [[cut]])[0].cells[0].headline.ratio)
    assert (ratio.samples, fewer.samples) == (8, 7)
    assert "paired" in fewer.method


def test_tost_agrees_with_two_t_tests_of_scipy() -> None:
    ratio = Ratio(value=1.02, error=0.01, degrees=11, samples=12, method="")
    low = stats.t.sf((np.log(1.02) + np.log(1.05)) / 0.01, 11)
    high = stats.t.sf((np.log(1.05) - np.log(1.02)) / 0.01, 11)
    assert ratio.p_equivalent(0.05) == pytest.approx(max(low, high))


def test_a_lower_latency_is_faster() -> None:
    ratio = Ratio(value=0.5, error=0.01, degrees=10, samples=11, method="")
    assert isinstance(decide(ratio, higher_is_better=False), Faster)
    assert isinstance(decide(ratio, higher_is_better=True), Slower)


def test_intervals_of_two_values_join_as_zou_and_donner_say() -> None:
    a = Estimate(1.0, Interval(np.exp(-0.3), np.exp(0.3)), 11)
    b = Estimate(2.0, Interval(2 * np.exp(-0.4), 2 * np.exp(0.4)), 11)
    ratio = known(ratio_of_estimates(a, b))
    assert ratio.half_width == pytest.approx(0.5)
    assert isinstance(ratio_of_estimates(a, Undecided("nothing")), Undecided)


def test_percentiles_are_compared_from_merged_histograms() -> None:
    def study(scale: float, seed: int) -> Study:
        rng = np.random.default_rng(seed)
        segments = tuple(
            a_segment(a_result(1000, latencies_s=np.round(scale * rng.exponential(1, 2000), 3).tolist()), number=i)
            for i in range(8)
        )
        return a_study((a_cell(), []), segments=segments)

    cell = compare([study(0.01, 1)], [[study(0.02, 2)]])[0].cells[0]
    figures = {figure.quantity: figure for figure in cell.others}
    assert isinstance(figures["latency_p99_s"].verdict, Slower)
    assert known(figures["latency_p99_s"].ratio).value == pytest.approx(2, rel=0.1)
    assert isinstance(figures["latency_p9999_s"].verdict, Undecided)


def test_all_that_differs_is_listed_and_nothing_else() -> None:
    def where(version: str, governor: str, size: int) -> Environment:
        cluster = ClusterFacts(fsid=version, health="HEALTH_OK", version=version, pool=PoolFacts(name="p", size=size))
        return Environment(hosts=(HostFacts(name="h1", cpu_governor=governor),), cluster=cluster)

    a = one_cell(1000, environment=where("16.2", "powersave", 3))
    b = one_cell(1000, environment=where("17.2", "powersave", 2))
    found = {each.what: (each.a, each.b) for each in differences(a, b)}
    assert found == {"cluster: version": ("16.2", "17.2"), "pool: size": ("3", "2")}


def test_what_mclock_sets_by_itself_is_no_difference_between_two_releases() -> None:
    def found_in(release: str) -> Environment:
        files = (Path(__file__).parents[1] / "captures" / "releases" / release).glob("*.json")
        return environment_from({file.name: json.loads(file.read_text("utf-8")) for file in files}, "captured")

    old, new = (one_cell(1000, environment=found_in(release)) for release in ("16.2.15", "20.2.4"))
    found = {each.what for each in differences(old, new)}
    assert "cluster: version" in found
    assert not [what for what in found if "mclock" in what or "sleep" in what]
    assert new.environment.cluster is not None
    first, *others = new.environment.cluster.each_osd
    set_by_hand = replace(first, options={**first.options, "osd_max_backfills": "8"})
    cluster = replace(new.environment.cluster, each_osd=(set_by_hand, *others))
    [told] = differences(new, replace(new, environment=replace(new.environment, cluster=cluster)))
    assert (told.what, told.a, told.b) == ("osd.0: options osd_max_backfills", "1", "8")


def test_osds_differ_in_what_they_are_and_are_told_by_not_in_what_moves_by_itself() -> None:
    def where(classes: tuple[str, ...], seconds: float, **options: str) -> Environment:
        osds = tuple(
            OsdFacts(id=number, device_class=each, used=seconds, answers_s={1: seconds}, options=options)
            for number, each in enumerate(classes)
        )
        return Environment(cluster=ClusterFacts(fsid="f", health="HEALTH_OK", each_osd=osds))

    a = one_cell(1000, environment=where(("ssd", "ssd"), 0.1, debug_osd="1/5"))
    b = one_cell(1000, environment=where(("ssd", "ssd"), 0.2, debug_osd="20/20"))
    assert [(each.what, each.a, each.b) for each in differences(a, b)] == [("OSDs: options debug_osd", "1/5", "20/20")]
    mixed = one_cell(1000, environment=where(("ssd", "hdd"), 0.1, debug_osd="1/5"))
    found = {each.what: (each.a, each.b) for each in differences(mixed, a)}
    assert found["osd.1: device_class"] == ("hdd", "-")


def test_several_runs_a_side_are_pooled() -> None:
    runs_a = [one_cell(mean, seed=i) for i, mean in enumerate([950, 1000, 1050, 1010])]
    runs_b = [one_cell(mean, seed=i) for i, mean in enumerate([1400, 1500, 1450, 1550])]
    cell = compare(runs_a, [runs_b])[0].cells[0]
    assert "pooled" in known(cell.headline.ratio).method
    assert known(cell.headline.ratio).value == pytest.approx(1475 / 1002, rel=0.02)
    assert isinstance(cell.verdict, Faster)


def test_two_runs_that_differ_by_luck_of_the_day_are_not_faster_once_pooled() -> None:
    """The field's own case: 855 and 1225 IOPS from the same cell."""
    a = [one_cell(855, seed=1), one_cell(1225, seed=2)]
    b = [one_cell(1000, seed=3), one_cell(1180, seed=4)]
    assert isinstance(compare(a, [b])[0].cells[0].verdict, Undecided)


def test_a_cell_in_which_nothing_moved_has_no_ratio() -> None:
    stuck = a_study((a_cell(), [0.0] * 6))
    assert "0" in undecided(verdict_of(one_cell(1000), stuck)).because


def test_latencies_of_a_ping_are_compared_where_there_are_no_rates() -> None:
    def pings(mean: float) -> Study:
        segments = tuple(
            a_segment(a_result(None, latency=a_latency([mean * (1 + 0.001 * i)])), number=i) for i in range(8)
        )
        return a_study((a_cell(op=Operation.RTT), []), segments=segments)

    cell = compare([pings(2e-4)], [[pings(3e-4)]])[0].cells[0]
    assert cell.headline.quantity == "latency_mean_s"
    assert isinstance(cell.verdict, Slower)


def test_a_host_that_was_slower_during_b_is_named() -> None:
    def with_speeds(name: str, mean: float) -> Study:
        study = one_cell(1000)
        speeds = rates(mean, mean / 50, count=12, seed=name)
        segments = tuple(replace(s, host_speed=v) for s, v in zip(study.segments, speeds, strict=True))
        return replace(study, segments=segments)

    slower = compare([with_speeds("a", 1e6)], [[with_speeds("b", 0.8e6)]])[0].remarks
    assert any("The host itself was 20% slower during B" in remark for remark in slower)
    same = compare([with_speeds("a", 1e6)], [[with_speeds("c", 1e6)]])[0].remarks
    assert not any("host itself" in remark for remark in same)


def test_imported_runs_of_one_figure_each_are_pooled_and_compared() -> None:
    a = [a_study((a_cell(), [rate])) for rate in (1000.0, 1020.0, 990.0, 1010.0)]
    b = [a_study((a_cell(), [rate])) for rate in (700.0, 710.0, 690.0, 705.0)]
    assert isinstance(compare(a, [b])[0].cells[0].verdict, Slower)


def test_long_imported_runs_are_compared_by_their_own_seconds() -> None:
    def imported(mean: float) -> Study:
        rng = random.Random(mean)
        series = Series("iops", "1/s", tuple(map(float, range(300))), tuple(rng.gauss(mean, 30) for _ in range(300)))
        segment = a_segment(a_result(float(mean), runtime_s=300.0, series=(series,)), started_at_s=0.0, seconds=300.0)
        return a_study((a_cell(), []), segments=(segment,))

    cell = compare([imported(1000)], [[imported(1300)]])[0].cells[0]
    assert isinstance(cell.verdict, Faster)
