"""Every rule about imported results: a text in which it fires, one in which it must not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from radoscope.archives import paste
from radoscope.explain import judge
from radoscope.explain.asking import MOST_JUDGED
from radoscope.explain.finding import Finding, Role
from radoscope.explain.rules import RULES
from radoscope.records.measurement import Latency, Result, Series, Source

from .build import DRIVES, ask_result, result


@dataclass(frozen=True)
class Row:
    """A published result, as the catalogue has it."""

    fields: dict[str, Any]

    @property
    def iops(self) -> float:
        return float(self.fields["iops"])


PUBLISHED = [
    Row(
        {
            "op": "rand_write",
            "block_bytes": 4096,
            "queue_depth": 1,
            "clients": 1,
            "iops": float(rate),
            "source_title": f"page {rate}",
            "source_id": f"s{rate}",
            "nodes": 3,
            "osds_per_node": 4,
            "osd_device_class": "nvme",
        }
    )
    for rate in (400, 700, 900, 1500, 2400)
]


def series(*rates: float) -> tuple[Series, ...]:
    return (Series("iops", "1/s", tuple(float(n) for n in range(len(rates))), rates),)


def fio(op: str = "randwrite", **fields: Any) -> Result:
    """fields of Result, and options of fio as `options`, other extras as `extra`."""
    extra = {"options": fields.pop("options", {}), **fields.pop("extra", {})}
    return result("fio", op, **({"iops": 1000.0, "queue_depth": 1, "runtime_s": 60.0, "extra": extra} | fields))


def rados(op: str = "write", **fields: Any) -> Result:
    return result("rados-bench", op, **({"queue_depth": 16, "iops": 25.0, "runtime_s": 60.0} | fields))


def large(op: str, rate: float, *by_second: float) -> Result:
    """4 MiB objects at so many bytes a second, and what each second of a dozen came to, in turn."""
    seconds = tuple(by_second) * 6
    each = (Series("bandwidth_bytes_per_s", "bytes/s", tuple(map(float, range(len(seconds)))), seconds),)
    return rados(op, block_bytes=4 << 20, iops=rate / (4 << 20), bandwidth_bytes_per_s=rate, series=each)


RBD = {"ioengine": "rbd"}
LIBAIO = {"ioengine": "libaio", "direct": "1"}
ONE_DOCUMENT = Source(reader="fio_json", first_line=1, last_line=90)


def job(name: str, op: str, group: int = 0) -> Result:
    return fio(op, extra={"jobname": name, "group": group}, source=ONE_DOCUMENT)


TAIL = {99.0: 2e-3}


def disk_of_guest(**options: str) -> Result:
    return result("vm-drive", None, extra={"device": "scsi0", "drive_options": options})


FIRES: dict[str, tuple[Result, ...]] = {
    "failures": (fio(extra={"error": 5}),),
    "unwritten-reads": (fio("randread", options=RBD, latency_s=40e-6),),
    "cached-reads": (fio("randread", options=LIBAIO, latency_s=4e-6),),
    "cached-writes": (fio(options=RBD, latency_s=30e-6),),
    "synchronous-engine": (fio(options={"ioengine": "psync"}, queue_depth=64),),
    "jobs-at-once": (job("read_iops", "randread"), job("write_iops", "randwrite")),
    "rate-times-size": (fio(iops=1000.0, bandwidth_bytes_per_s=40_960_000.0),),
    "mb-or-mib": (fio(iops=1000.0, bandwidth_bytes_per_s=4_096_000.0 / 1.048576),),
    "littles-law": (fio(iops=1000.0, latency_s=4e-3),),
    "health": (result("ceph-status", None, extra={"health": "HEALTH_WARN"}),),
    "not-settled": (rados(series=series(*[1000.0] * 5, *[9000.0] * 15)),),
    "too-short": (fio(runtime_s=10.0),),
    "ended-early": (rados(total_ios=1500, runtime_s=60.0), rados("read", total_ios=1500, runtime_s=21.0)),
    "repeats-differ": (fio(iops=1000.0), fio(iops=1300.0), fio(iops=900.0)),
    "client-cpu": (fio(extra={"usr_cpu": 60.0, "sys_cpu": 35.0}),),
    "network-full": (large("write", 117.8e6, 117.5e6, 117.9e6), large("read", 118.2e6)),
    "what-limits": (rados(),),
    "power-loss-protection": (fio(sync=Latency(mean_s=1.7e-3)),),
    "drive-cache": (result("hdparm", None, extra={"device": "/dev/sda", "write_cache": "on"}),),
    "network-path": (result("ping", "rtt", extra={"loss_pct": 3.0}),),
    "large-blocks-as-iops": (rados(block_bytes=4 << 20),),
    "effective-depth": (fio(queue_depth=32, jobs=8),),
    "io-limit": (fio(queue_depth=32, jobs=4, latency_s=0.0213, percentiles_s={50.0: 0.0214, 99.0: 0.0224}),),
    "small-sequential-writes": (fio("write", options=RBD),),
    "first-writes": (rados(),),
    "osds-apart": tuple(
        result("osd-bench", "write", iops=rate, extra={"osd": n}) for n, rate in enumerate((223, 51, 50))
    ),
    "small-area": (fio(options={"size": "1M"}, total_ios=60_000),),
    "no-fsync-test": (fio(options=LIBAIO),),
    "average-only": (rados(latency_s=0.64),),
    "no-latency": (fio(options={"gtod_reduce": "1"}),),
    "published-results": (fio(options=RBD, iops=1000.0, latency_s=1e-3),),
    "drive-standing": (fio(options={**LIBAIO, "fsync": "1"}, iops=574.0),),
    "vm-limit": (fio(iops=299.0), disk_of_guest(iops_wr="300")),
    "vm-cache": (fio(), disk_of_guest(cache="unsafe")),
    "vm-bus": (disk_of_guest(),),
}
SILENT: dict[str, tuple[Result, ...]] = {
    "failures": (fio(extra={"error": 0}),),
    "unwritten-reads": (fio("randread", options=RBD, latency_s=0.4e-3),),
    "cached-reads": (fio("randread", options=LIBAIO, latency_s=80e-6),),
    "cached-writes": (fio(options={**RBD, "direct": "1"}, latency_s=0.9e-3),),
    "synchronous-engine": (fio(options=LIBAIO, queue_depth=64),),
    "jobs-at-once": (job("read_iops", "randread", 0), job("write_iops", "randwrite", 1)),
    "rate-times-size": (fio(iops=1000.0, bandwidth_bytes_per_s=4_096_000.0),),
    "mb-or-mib": (fio(iops=1000.0, bandwidth_bytes_per_s=4_096_000.0),),
    "littles-law": (fio(iops=1000.0, latency_s=0.99e-3),),
    "health": (result("ceph-status", None, extra={"health": "HEALTH_OK"}),),
    "not-settled": (rados(series=series(0.0, 90.0, 110.0, 100.0, 95.0, 120.0, 90.0, 105.0, 99.0, 93.0)),),
    "too-short": (fio(runtime_s=60.0),),
    "ended-early": (rados(total_ios=1500, runtime_s=60.0), rados("read", total_ios=4200, runtime_s=60.0)),
    "repeats-differ": (fio(iops=1000.0), fio(iops=1040.0)),
    "client-cpu": (fio(extra={"usr_cpu": 10.0, "sys_cpu": 15.0}),),
    "network-full": (large("write", 117.8e6, 60e6, 170e6), large("read", 340e6)),
    "what-limits": (fio(options=LIBAIO),),
    "power-loss-protection": (fio(sync=Latency(mean_s=40e-6)),),
    "drive-cache": (result("hdparm", None, extra={"device": "/dev/sda", "write_cache": "off"}),),
    "network-path": (result("ping", "rtt", extra={"loss_pct": 0.0}),),
    "large-blocks-as-iops": (rados(block_bytes=4096),),
    "effective-depth": (fio(queue_depth=32, jobs=1),),
    "io-limit": (fio(queue_depth=32, jobs=4, latency_s=0.0213, percentiles_s={50.0: 0.0201, 99.0: 0.0441}),),
    "small-sequential-writes": (fio("randwrite", options=RBD),),
    "first-writes": (rados("read"),),
    "osds-apart": tuple(
        result("osd-bench", "write", iops=rate, extra={"osd": n}) for n, rate in enumerate((55, 51, 50))
    ),
    "small-area": (fio(options={"size": "10G"}, total_ios=60_000),),
    "no-fsync-test": (fio(options={**LIBAIO, "fsync": "1"}),),
    "average-only": (fio(latency_s=1e-3, percentiles_s=TAIL),),
    "no-latency": (fio(latency_s=1e-3),),
    "published-results": (fio(options=LIBAIO, iops=1000.0, latency_s=1e-3),),
    "drive-standing": (fio(options=LIBAIO, iops=574.0),),
    "vm-limit": (fio(iops=120.0), disk_of_guest(iops_wr="300")),
    "vm-cache": (fio(), disk_of_guest(cache="none")),
    "vm-bus": (disk_of_guest(iothread="1"),),
}
ABOUT = {"ended-early": 2}


def ask(name: str, results: tuple[Result, ...]) -> Any:
    return ask_result(name, *results, about=ABOUT.get(name, 1), published=PUBLISHED, drives=DRIVES)


def test_every_rule_about_results_is_tried_both_ways() -> None:
    about_results = {rule.name for rule in RULES if rule.result is not None}
    assert set(FIRES) == about_results
    assert set(SILENT) == about_results


@pytest.mark.parametrize("name", FIRES)
def test_it_fires_names_the_result_and_cites_a_fact(name: str) -> None:
    verdict = ask(name, FIRES[name])
    assert isinstance(verdict, Finding)
    assert verdict.rule == name
    assert verdict.cells[0].startswith("result ")
    assert all(verdict.because)
    assert verdict.try_next


@pytest.mark.parametrize("name", SILENT)
def test_it_stays_silent_where_all_is_well(name: str) -> None:
    assert ask(name, SILENT[name]) is None


@pytest.mark.parametrize("name", FIRES)
def test_a_result_that_says_next_to_nothing_makes_no_rule_fire(name: str) -> None:
    assert ask_result(name, Result(tool="fio"), published=PUBLISHED, drives=DRIVES) is None
    assert ask_result(name, Result(tool="table"), published=PUBLISHED, drives=DRIVES) is None


def test_a_standing_names_how_many_it_beats_and_its_neighbour() -> None:
    told = ask("published-results", FIRES["published-results"])
    assert "1,000 IOPS, faster than 3 of 5" in told.because[0]
    assert told.because[0].endswith("nearest to page 900 (3 nodes, 12 OSDs, nvme)")
    drive = ask("drive-standing", FIRES["drive-standing"]).because[0]
    assert drive == "574 synced 4K writes/s: faster at fsync than 2 of 5 published drives, nearest to drive 600"


def test_a_read_of_another_number_of_objects_did_not_end_early() -> None:
    wrote, read = rados(total_ios=1500, runtime_s=60.0), rados("read", total_ios=1495, runtime_s=21.0)
    assert ask_result("ended-early", wrote, read, about=2) is None
    assert ask_result("ended-early", rados("read", total_ios=1500, runtime_s=21.0), wrote, about=1) is None


def test_jobs_that_the_text_shows_in_one_group_ran_at_once() -> None:
    text = """\
read_iops: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=16
write_iops: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=16
fio-3.33
Starting 2 processes
read_iops: (groupid=0, jobs=1): err= 0: pid=61: Mon Jun  3 10:00:00 2024
  read: IOPS=4000, BW=15.6MiB/s (16.4MB/s)(234MiB/15001msec)
write_iops: (groupid=0, jobs=1): err= 0: pid=62: Mon Jun  3 10:00:00 2024
  write: IOPS=2000, BW=8000KiB/s (8192kB/s)(117MiB/15001msec); 0 zone resets
"""
    told = [finding for finding in judge(paste.read(text)) if finding.rule == "jobs-at-once"]
    assert told[0].severity == "invalid"
    assert len(told[0].cells) == 2
    alone = text.replace("write_iops: (g=0)", "write_iops: (g=1)").replace(
        "write_iops: (groupid=0", "write_iops: (groupid=1"
    )
    assert not [finding for finding in judge(paste.read(alone)) if finding.rule == "jobs-at-once"]


def test_the_next_step_is_a_command_with_the_load_of_the_result() -> None:
    short = fio(op="randread", options=RBD, queue_depth=32, jobs=4, runtime_s=5.0)
    assert ask("too-short", (short,)).try_next == (
        "fio --name=again --pool=POOL --rbdname=IMAGE --clientname=admin --ioengine=rbd --rw=randread --bs=4k"
        " --iodepth=32 --numjobs=4 --direct=1 --time_based --runtime=60 --ramp_time=10 --output-format=json+"
        " (three times)"
    )
    seq = rados("read", block_bytes=65536, runtime_s=5.0)
    assert ask("too-short", (seq,)).try_next == (
        "rados -p POOL bench 60 write -b 65536 -t 16 --no-cleanup && rados -p POOL bench 60 seq -t 16;"
        " rados -p POOL cleanup"
    )


def test_nothing_of_a_text_but_numbers_and_known_words_gets_into_a_command() -> None:
    evil = fio(op="randread", options={"ioengine": "x; rm -rf /", "filename": "$(reboot)"}, runtime_s=5.0)
    command = ask("too-short", (evil,)).try_next
    assert "rm" not in command.split()
    assert "reboot" not in command
    assert "--ioengine=libaio" in command


def test_a_rate_that_was_limited_says_nothing_of_the_drive() -> None:
    limited = fio(options={**LIBAIO, "fdatasync": "1"}, iops=99.0, latency_s=60e-6, sync=Latency(mean_s=2.4e-3))
    assert ask("drive-standing", (limited,)) is None


def test_a_mebibyte_is_named_as_such() -> None:
    assert "MB that are MiB" in ask("mb-or-mib", FIRES["mb-or-mib"]).because[0]


def test_a_gibibyte_is_no_contradiction_of_rate_and_size() -> None:
    labelled = fio(iops=1000.0, bandwidth_bytes_per_s=4_096_000.0 / 1.073741824)
    assert ask("rate-times-size", (labelled,)) is None
    assert "GB that are GiB" in ask("mb-or-mib", (labelled,)).because[0]


def test_a_few_whole_ios_a_second_are_too_coarse_to_blame_a_label() -> None:
    assert ask("mb-or-mib", (fio(iops=31.0, bandwidth_bytes_per_s=31.0 * 4096 * 1.024),)) is None
    assert ask("mb-or-mib", (fio(iops=310.0, bandwidth_bytes_per_s=310.0 * 4096 * 1.024),)) is not None


def test_rates_cut_to_a_whole_number_do_not_break_littles_law() -> None:
    cut = rados(iops=11.0, latency_s=16 / 11.9, extra={"iops_exact": 11.9})
    assert ask("littles-law", (cut,)) is None


def test_a_table_that_does_not_count_its_jobs_contradicts_nothing() -> None:
    fields: dict[str, Any] = {"iops": 108_000.0, "latency_s": 0.29e-3, "queue_depth": 1}
    uncounted = ask("littles-law", (result("table", "randread", jobs=None, **fields),))
    assert uncounted.severity == "note"
    assert (
        uncounted.claim == "More ran at once than the queue depth says: jobs or clients that the text does not count."
    )
    assert ask("littles-law", (result("table", "randread", jobs=2, **fields),)).severity == "doubtful"
    assert ask("littles-law", (rados(**fields),)).severity == "doubtful"


def test_a_flush_may_be_inside_the_write_latency_or_beside_it() -> None:
    beside = fio(iops=574.0, latency_s=20e-6, sync=Latency(mean_s=1.72e-3))
    inside = fio(iops=36_600.0, latency_s=24e-6, sync=Latency(mean_s=20e-6))
    assert ask("littles-law", (beside,)) is None
    assert ask("littles-law", (inside,)) is None


def test_results_that_differ_by_more_than_twice_are_no_repeats() -> None:
    assert ask("repeats-differ", (fio(iops=1000.0), fio(iops=2500.0))) is None


def test_the_judgement_names_lines_and_puts_the_gravest_first() -> None:
    told = judge(
        [
            fio(runtime_s=20.0, latency_s=1e-3, source=Source(reader="fio_text", first_line=40, last_line=71)),
            fio(options={"ioengine": "psync"}, queue_depth=64, source=Source(reader="fio_text", first_line=80)),
        ]
    )
    assert [finding.severity for finding in told] == sorted(
        (finding.severity for finding in told), key=["invalid", "doubtful", "note"].index
    )
    assert told[0].rule == "synchronous-engine"
    assert told[0].cells == ("result 2 (line 80)",)
    assert any("result 1 (lines 40-71)" in finding.cells for finding in told)


def test_what_holds_for_many_results_is_told_once() -> None:
    told = [finding for finding in judge([fio(runtime_s=9.0 - n) for n in range(8)]) if finding.rule == "too-short"]
    assert len(told) == 1
    assert len(told[0].cells) == 8
    assert told[0].because[-1] == "and 3 more"


def test_many_results_take_time_in_proportion() -> None:
    """A group of thousands of jobs in one document is what quadratic work would show in."""
    jobs = [job(f"job{number}", "randread" if number % 2 else "randwrite") for number in range(MOST_JUDGED)]
    told = judge(jobs, PUBLISHED, DRIVES)
    assert [finding.severity for finding in told if finding.rule == "jobs-at-once"] == ["invalid"]


def test_beyond_a_limit_results_are_not_judged() -> None:
    told = judge([fio(runtime_s=5.0)] * (MOST_JUDGED + 7))
    assert {len(finding.cells) for finding in told if finding.rule == "too-short"} == {MOST_JUDGED}


def test_no_results_make_no_judgement() -> None:
    assert judge([]) == ()


def test_jobs_that_ran_side_by_side_are_one_run_and_no_repeats() -> None:
    def side(iops: float, first: int) -> Result:
        place = Source(reader="fio_text", first_line=first, last_line=first + 9)
        return fio(iops=iops, source=place, extra={"jobname": "w", "group": 0})

    one_run = (side(900.0, 1), side(1300.0, 11))
    assert ask("repeats-differ", one_run) is None
    assert isinstance(ask("repeats-differ", (*one_run, side(1000.0, 80), side(700.0, 90))), Finding)


def test_runs_below_different_headings_are_no_repeats() -> None:
    pools = tuple(fio(iops=rate, extra={"section": name}) for rate, name in ((1000.0, "size 2"), (1300.0, "size 3")))
    assert ask("repeats-differ", pools) is None


@pytest.mark.parametrize(("flags", "fires"), [({}, True), ({"conv": "fdatasync"}, False), ({"oflag": "direct"}, False)])
def test_a_dd_that_does_not_flush_measures_memory(flags: dict[str, str], fires: bool) -> None:
    dd = result("dd", "write", bandwidth_bytes_per_s=2.4e9, runtime_s=0.44, extra=flags)
    assert isinstance(ask("cached-writes", (dd,)), Finding) == fires


def test_with_most_osds_late_none_is_out_of_line_but_two_of_five_are() -> None:
    quick, slow = {"osd.0": 0.003, "osd.4": 0.002, "osd.3": 0.002}, {"osd.1": 0.611, "osd.2": 0.538}
    two = result("ceph-osd-perf", None, extra={"osd_commit_s": quick | slow})
    most = result("ceph-osd-perf", None, extra={"osd_commit_s": slow | {"osd.5": 0.55, "osd.0": 0.003}})
    found = ask("osds-apart", (two,))
    assert found is not None and found.resource == "osd.1, osd.2"
    assert ask("osds-apart", (most,)) is None


@pytest.mark.parametrize(
    ("latency_s", "sync", "fires"), [(2.1e-6, None, True), (12e-6, None, False), (2.1e-6, 1e-3, False)]
)
def test_writes_that_no_drive_acknowledges_so_soon_went_to_memory(
    latency_s: float, sync: float | None, fires: bool
) -> None:
    run = fio(latency_s=latency_s, sync=None if sync is None else Latency(mean_s=sync))
    assert isinstance(ask("cached-writes", (run,)), Finding) == fires


@pytest.mark.parametrize(("off_iops", "cause"), [(17_000.0, True), (330.0, False)])
def test_a_write_cache_is_the_cause_where_without_it_the_same_writes_are_quick(off_iops: float, cause: bool) -> None:
    def state(word: str) -> Result:
        return result("hdparm", None, extra={"write_cache": word, "device": "/dev/sdb"})

    found = ask("drive-cache", (state("on"), fio(iops=311.0), state("off"), fio(iops=off_iops)))
    assert (found.role is Role.CAUSE) == cause
    assert not cause or found.explains.value > 0.9


@pytest.mark.parametrize(("late_s", "far"), [(0.031, True), (0.008, False)], ids=["31 ms", "8 ms"])
def test_an_osd_that_commits_late_is_named(late_s: float, far: bool) -> None:
    commits = {"osd.0": 0.002, "osd.1": 0.003, "osd.11": late_s, "osd.4": 0.002}
    found = ask("osds-apart", (result("ceph-osd-perf", None, extra={"osds": 4, "osd_commit_s": commits}),))
    assert (found is not None) == far
    assert not far or found.resource == "osd.11"


def dd(**fields: Any) -> Result:
    """4,000 blocks in 10 s."""
    block = fields.setdefault("block_bytes", 512)
    extra = {"bytes": 4000 * block} | fields.pop("extra", {})
    return result(
        "dd", "write", **({"bandwidth_bytes_per_s": 400.0 * block, "runtime_s": 10.0, "extra": extra} | fields)
    )


def test_small_blocks_of_dd_tell_what_a_call_costs_and_large_ones_do_not() -> None:
    told = ask("small-sequential-writes", (dd(),))
    assert told.claim == "dd moved 512 B at a time: its rate is what calls cost, and no bandwidth."
    assert told.because == ("400 calls a second: 2.5 ms each",)
    assert ask("small-sequential-writes", (dd(block_bytes=1 << 20),)) is None
    assert ask("small-sequential-writes", (dd(extra={"oflag": "dsync"}),)) is None
    assert ask("small-sequential-writes", (dd(runtime_s=None),)) is None


def test_dd_that_waits_for_each_block_tells_how_long() -> None:
    told = ask("power-loss-protection", (dd(extra={"oflag": "direct,dsync"}),))
    assert told.claim == "Each write waits 2.5 ms until it is durable."
    assert told.because == ("dd with oflag=direct,dsync, 512 B at a time",)
    assert "NFS" in told.unless
    quick = dd(extra={"oflag": "dsync"}, runtime_s=0.4)
    for silent in (dd(), dd(extra={"oflag": "direct"}), dd(extra={"oflag": "dsync"}, block_bytes=1 << 29), quick):
        assert ask("power-loss-protection", (silent,)) is None


@pytest.mark.parametrize(
    ("names", "is_place"), [(("on the host", "in the pod"), True), (("Classic", "Crimson"), False)]
)
def test_tables_below_names_of_places_are_compared_as_places_and_others_are_not(
    names: tuple[str, str], is_place: bool
) -> None:
    one, other = (result("table", "randread", extra={"section": name}) for name in names)
    told = ask("what-limits", (replace(one, iops=9e4), replace(other, iops=9e3)))
    assert (told is not None) is is_place
