"""Every rule about a whole study or its surroundings: where it fires, where it must not, and where it cannot tell."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from radoscope.archives.imported import study_of
from radoscope.explain import check_environment
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.rule import Unchecked
from radoscope.explain.rules import RULES
from radoscope.records.environment import DeviceFacts, Environment, HostFacts, LinkFacts, OsdFacts, PoolFacts, WayFacts
from radoscope.records.measurement import Histogram, Latency, Result, Series
from radoscope.records.study import Outcome
from radoscope.report.material import Material
from radoscope.report.sections.ladder import build_ladder
from radoscope.stats.values import Undecided
from radoscope.units import format_seconds
from radoscope.workflow import assess, load_study
from radoscope.workflow.library import import_text, read_text

from .build import ENVIRONMENT, Told, ask_environment, ask_study, cell, cluster, result, segment, summary

SYNCED = cell("disk", "randwrite", sync="fsync")
PLAIN = cell("disk", "randwrite")
PING = cell("network", "rtt", tool="ping", block=None)
JUMBO = cell("network", "rtt", tool="jumbo-ping", block=None)
RADOS = cell("rados", "write", tool="rados-bench")
RBD = cell("rbd", "randwrite")
DEEP = cell("rbd", "randwrite", depth=128)


def in_order(*rounds: str) -> Told:
    """Each round as letters: "ab" measures cell a, then b."""
    cells = {letter: cell("rbd", "randwrite", name=letter) for letter in "ab"}
    segments = [
        segment(cells[letter], round=number, started_at_s=number * 100.0 + place)
        for number, letters in enumerate(rounds)
        for place, letter in enumerate(letters)
    ]
    return Told(cells=tuple(cells.values()), segments=tuple(segments))


def speeds(*values: float) -> Told:
    return Told(cells=(RBD,), segments=tuple(segment(RBD, round=n, host_speed=v) for n, v in enumerate(values)))


def ladder(disk: float, network: float, rados: float, rbd: float) -> Told:
    """Seconds of one 4K write at each layer; network is one round trip."""
    return Told(
        summaries=(
            summary(SYNCED, iops=1 / disk),
            summary(PING, latency_s=network),
            summary(RADOS, latency_s=rados),
            summary(RBD, latency_s=rbd),
        )
    )


def scaling(*rates: float) -> Told:
    return Told(
        summaries=tuple(
            summary(cell("rbd", "randwrite", clients=2**step), iops=rate) for step, rate in enumerate(rates)
        )
    )


def hosts(*rates: float) -> Told:
    """The same eight images from one host, from two."""
    eight = cell("rbd", "randwrite", clients=8)
    spread = (
        replace(eight, name=f"h{number}", conditions=replace(eight.conditions, client_hosts=number))
        for number in (1, 2)
    )
    return Told(summaries=tuple(summary(one, iops=rate) for one, rate in zip(spread, rates, strict=False)))


def jumbo(outcome: Outcome) -> Told:
    return Told(cells=(JUMBO,), segments=(segment(JUMBO, outcome=outcome, problem="message too long"),))


def one_write(latency_s: float, *, flush_s: float = 0.1e-3, busy: float = 0.2, sandbox: str | None = None) -> Told:
    """4K, one at a time, with what the OSDs counted; round trip 0.1 ms."""
    counters = {"osd.op_w_latency_s": 0.8 * latency_s, "bluestore.commit_lat_s": 0.5 * latency_s}
    osds = {osd: {"bluestore.commit_lat_s": 0.5 * latency_s, "bluestore.kv_flush_lat_s": flush_s,
                  "bluestore.kv_commit_lat_s": 2 * flush_s} for osd in range(3)}  # fmt: skip
    seen = segment(RBD, iops=1 / latency_s, counters=counters, osd_counters=osds, telemetry={"host_cpu": (busy,)})
    summaries = (summary(RBD, iops=1 / latency_s), summary(PING, latency_s=0.1e-3))
    return Told(summaries=summaries, segments=(seen,), sandbox=sandbox)


def stopped(*notes: str, complete: bool = False) -> Told:
    return Told(cells=(RBD,), segments=(segment(RBD),), notes=notes, complete=complete)


LOST = "the load was stopped because 1 of 3 OSDs are down"
FIRES = {
    "stopped": stopped("bandwidth a -> b: 9 Gbit/s", LOST),
    "nothing-wrong": one_write(1e-3),
    "order-effects": in_order("ab", "ab", "ab"),
    "host-drift": speeds(1.0, 1.0, 1.3, 1.3, 0.9, 0.8, 1.4),
    "costliest-layer": ladder(2e-3, 50e-6, 3e-3, 3.2e-3),
    "client-scaling": scaling(500.0, 990.0, 1900.0),
    "client-hosts": hosts(7100.0, 7900.0),
    "power-loss-protection": Told(summaries=(summary(SYNCED, iops=500.0), summary(PLAIN, iops=40_000.0))),
    "power-states": Told(summaries=(summary(RBD, latency_s=1e-3), summary(DEEP, latency_s=0.5e-3))),
    "network-path": jumbo(Outcome.FAILED),
    "no-fsync-test": Told(summaries=(summary(PLAIN),)),
    "drive-standing": Told(summaries=(summary(SYNCED, iops=574.0),)),
}
SILENT = {
    "stopped": stopped(LOST, complete=True),  # it was resumed
    "order-effects": in_order("ab", "ba", "ab"),
    "host-drift": speeds(1.0, 1.01, 0.99, 1.0, 1.02, 1.0),
    "client-scaling": scaling(500.0, 800.0, 1000.0),
    "client-hosts": hosts(7100.0, 7200.0),
    "power-loss-protection": Told(summaries=(summary(SYNCED, iops=20_000.0),)),
    "power-states": Told(summaries=(summary(RBD, latency_s=1e-3), summary(DEEP, latency_s=9e-3))),
    "network-path": jumbo(Outcome.DONE),
    "no-fsync-test": Told(summaries=(summary(PLAIN), summary(SYNCED))),
}
CANNOT_TELL = {
    "nothing-wrong": Told(summaries=(summary(RBD),), segments=(segment(RBD),)),
    "order-effects": in_order("ab"),
    "host-drift": speeds(1.0, 2.0),
    "costliest-layer": Told(summaries=(summary(RBD),)),
    "client-scaling": Told(summaries=(summary(RBD),)),
    "client-hosts": hosts(7100.0),
    "power-loss-protection": Told(summaries=(summary(PLAIN),)),
    "network-path": Told(summaries=(summary(RBD),)),
    "drive-standing": Told(summaries=(summary(PLAIN),)),
}
ALWAYS_TELLS = {"costliest-layer", "drive-standing", "nothing-wrong"}
"""They have no quiet answer: some layer is always the costliest."""


def test_every_rule_about_studies_is_tried_both_ways() -> None:
    about_studies = {rule.name for rule in RULES if rule.study is not None}
    assert set(FIRES) == about_studies
    assert set(SILENT) | ALWAYS_TELLS == about_studies


@pytest.mark.parametrize("name", FIRES)
def test_it_fires_and_cites_a_fact(name: str) -> None:
    verdict = ask_study(name, FIRES[name])
    assert isinstance(verdict, Finding)
    assert verdict.rule == name
    assert all(verdict.because)
    assert verdict.try_next


@pytest.mark.parametrize("name", SILENT)
def test_it_stays_silent_where_all_is_well(name: str) -> None:
    assert ask_study(name, SILENT[name]) is None


@pytest.mark.parametrize("name", CANNOT_TELL)
def test_it_says_what_it_lacks(name: str) -> None:
    assert isinstance(ask_study(name, CANNOT_TELL[name]), Unchecked)


def test_what_such_hardware_gives_is_said_with_the_comparison() -> None:
    verdict = ask_study("nothing-wrong", one_write(1e-3))
    assert verdict.claim.startswith("Nothing is wrong")
    assert "come to 0.75 ms to 1.8 ms" in verdict.because[0]


def test_a_write_that_takes_longer_than_its_parts_is_not_called_sound() -> None:
    assert "cannot be told" in ask_study("nothing-wrong", one_write(9e-3)).claim
    busy = ask_study("nothing-wrong", one_write(9e-3, busy=0.98, sandbox="demo"))
    assert busy.claim.startswith("No fault was found")
    assert any("its limit is the processors" in fact for fact in busy.because)


def test_nothing_is_not_wrong_where_segments_failed() -> None:
    told = one_write(1e-3)
    failed = segment(RBD, outcome=Outcome.FAILED, problem="timed out")
    verdict = ask_study("nothing-wrong", replace(told, segments=(*told.segments, failed)))
    assert "cannot be told" in verdict.claim
    assert "1 of 2 segments failed: timed out" in verdict.because


@pytest.mark.parametrize(("complete", "claim"), [(True, "Nothing is wrong"), (False, "Why it is not faster cannot be")])
def test_nothing_is_said_to_be_right_of_what_was_never_measured(complete: bool, claim: str) -> None:
    """As where the cluster fell ill after the first cell."""
    told = one_write(1e-3)
    more = summary(cell("rbd", "randread"), iops=Undecided("no segment gave a result", "one"))
    verdict = ask_study("nothing-wrong", replace(told, summaries=(*told.summaries, more), complete=complete))
    assert verdict.claim.startswith(claim)
    assert any("1 of 3 cells have no result" in fact for fact in verdict.because) is not complete


def hosts_apart(late_s: float, others_s: float = 0.3e-3) -> Environment:
    """Three hosts of one OSD each; what goes to or comes from h2 takes longer."""
    osds = tuple(
        OsdFacts(id=number, host=f"h{number}", answers_s={
            peer: late_s if 2 in (number, peer) else others_s for peer in range(3) if peer != number
        })
        for number in range(3)
    )  # fmt: skip
    return cluster(each_osd=osds)


def test_a_host_whose_heartbeats_are_late_is_named_and_hosts_alike_are_not() -> None:
    one = segment(RBD, iops=250.0)
    late = Told(cells=(RBD,), segments=(one,), environment=hosts_apart(1.3e-3))
    verdict = ask_study("network-path", late)
    assert verdict.resource == "network of h2"
    assert verdict.explains.value == pytest.approx(0.25)
    assert isinstance(ask_study("network-path", replace(late, environment=hosts_apart(0.5e-3))), Unchecked)


def test_a_host_whose_osds_also_commit_slowly_in_their_own_stores_is_not_late_by_the_network() -> None:
    told = Told(cells=(RBD,), segments=(segment(RBD, iops=250.0),), environment=hosts_apart(1.3e-3))
    osds = {osd: {"bluestore.commit_lat_s": 9.2e-3 if osd == 2 else 3.9e-3} for osd in range(3)}
    slow = replace(told, segments=(segment(RBD, iops=250.0, osd_counters=osds),))
    assert isinstance(ask_study("network-path", told), Finding)
    assert not isinstance(ask_study("network-path", slow), Finding)


def test_heartbeats_of_which_one_end_alone_tells_accuse_no_host() -> None:
    """As on a healthy cluster whose other OSDs had not counted any yet."""
    told, apart = Told(cells=(RBD,), segments=(segment(RBD, iops=130.0),)), hosts_apart(3.8e-3, 1.5e-3)
    assert apart.cluster is not None
    first, *others = apart.cluster.each_osd
    silent = cluster(each_osd=(first, *(replace(one, answers_s={}) for one in others)))
    assert isinstance(ask_study("network-path", replace(told, environment=silent)), Unchecked)
    assert ask_study("network-path", replace(told, environment=apart)).resource == "network of h2"


@pytest.mark.parametrize(("late_s", "said"), [(2.2e-3, True), (0.5e-3, False)])
def test_a_host_that_answers_pings_late_is_named_where_heartbeats_are_not_known(late_s: float, said: bool) -> None:
    trips = [("h1", 0.2e-3), ("h2", late_s), ("h3", 0.25e-3)]
    answers = [result("ping", "rtt", latency_s=seconds, extra={"towards": host}) for host, seconds in trips]
    told = Told(
        cells=(PING, RBD),
        summaries=(summary(PING, latency_s=0.25e-3),),
        segments=(replace(segment(PING), results=tuple(answers)), segment(RBD, iops=250.0)),
    )
    verdict = ask_study("network-path", told)
    if not said:
        assert verdict is None
        return
    assert verdict.resource == "network of h2"
    assert verdict.because == ("pings to it take 2.2 ms, those to others 0.225 ms",)


@pytest.mark.parametrize(("between_s", "said"), [(2.3e-3, True), (0.3e-3, False)])
def test_two_rooms_are_named_together_where_heartbeats_say_so(between_s: float, said: bool) -> None:
    osds = tuple(
        OsdFacts(id=one, host=f"h{one}", answers_s={
            peer: between_s if (one < 2) is not (peer < 2) else 0.3e-3 for peer in range(4) if peer != one
        })
        for one in range(4)
    )  # fmt: skip
    told = Told(cells=(RBD,), segments=(segment(RBD, iops=250.0),), environment=cluster(each_osd=osds))
    verdict = ask_study("network-path", told)
    assert getattr(verdict, "resource", None) == ("network of h2, h3" if said else None)


@pytest.mark.parametrize(
    ("nearest_s", "between_s", "said"), [(1.3e-3, 0.3e-3, True), (0.5e-3, 0.3e-3, False), (1.3e-3, 1.2e-3, False)]
)
def test_a_client_far_from_osds_that_stand_together_is_named(nearest_s: float, between_s: float, said: bool) -> None:
    trips = [("h0", nearest_s), ("h1", nearest_s + 0.1e-3), ("h2", nearest_s)]
    answers = [result("ping", "rtt", latency_s=seconds, extra={"towards": host}) for host, seconds in trips]
    told = Told(
        cells=(PING, RBD),
        summaries=(summary(PING, latency_s=nearest_s),),
        segments=(replace(segment(PING), results=tuple(answers)), segment(RBD, iops=250.0)),
        environment=hosts_apart(between_s, between_s),
    )
    verdict = ask_study("network-path", told)
    if not said:
        assert verdict is None
        return
    assert verdict.resource == "network of the client"
    assert verdict.explains.value == pytest.approx(0.25)


@pytest.mark.parametrize(("quickest_s", "said"), [(1.2e-3, True), (0.6e-3, False)])
def test_a_far_client_is_named_where_young_osds_tell_of_no_heartbeats(quickest_s: float, said: bool) -> None:
    """As measured with 1 ms more between a client and OSDs of a minute: 1.18 ms at least, 0.44 ms without."""
    answer = replace(result("ping", "rtt"), latency=Latency(min_s=quickest_s, mean_s=1.3e-3))
    told = Told(
        cells=(PING, RBD),
        summaries=(summary(PING, latency_s=1.3e-3),),
        segments=(replace(segment(PING), results=(answer,)), segment(RBD, iops=250.0)),
    )
    verdict = ask_study("network-path", told)
    assert (verdict is not None) == said
    if said:
        assert verdict.resource == "network of the client"
        assert verdict.explains.value == pytest.approx(0.9e-3 / 4e-3)


def test_jumbo_frames_that_get_no_answer_are_remarked() -> None:
    ways = (WayFacts(host="h1", mtu=9000, large=True), WayFacts(host="h2", mtu=9000, large=False))
    told = Told(
        cells=(PING,),
        summaries=(summary(PING, latency_s=0.2e-3),),
        segments=(segment(PING),),
        environment=replace(ENVIRONMENT, ways=ways),
    )
    verdict = ask_study("network-path", told)
    assert verdict.because == ("packets of 9,000 bytes, the MTU towards h2, get no answer; small ones do",)
    assert verdict.severity is Severity.NOTE
    alike = replace(told, environment=replace(ENVIRONMENT, ways=ways[:1]))
    assert ask_study("network-path", alike) is None


def test_one_lucky_answer_between_two_hosts_makes_the_third_not_late() -> None:
    """Two OSDs a host. As measured on a healthy cluster of three hosts whose processors were full."""
    answers = {(0, 2): 2.24, (0, 3): 1.15, (0, 4): 2.25, (0, 5): 1.39, (1, 2): 3.12, (1, 3): 3.16, (1, 4): 1.03}
    answers |= {(1, 5): 1.34, (2, 4): 1.03, (2, 5): 1.32, (3, 4): 1.61, (3, 5): 0.38}
    osds = tuple(
        OsdFacts(
            id=n, host=f"h{n // 2}", answers_s={sum(two) - n: ms * 1e-3 for two, ms in answers.items() if n in two}
        )
        for n in range(6)
    )
    told = Told(cells=(RBD,), segments=(segment(RBD, iops=250.0),), environment=cluster(each_osd=osds))
    assert isinstance(ask_study("network-path", told), Unchecked)


def test_late_heartbeats_of_a_full_machine_accuse_nobody_whose_reads_are_quick() -> None:
    read = cell("rbd", "randread")
    counters = {"osd.op_r_latency_s": 3.6e-3, "osd.op_r_process_latency_s": 3.5e-3, "bluestore.read_lat_s": 3e-3}
    told = Told(
        cells=(read,), segments=(segment(read, iops=250.0, counters=counters, telemetry={"host_cpu": (0.99,)}),)
    )
    assert isinstance(ask_study("network-path", replace(told, environment=hosts_apart(3e-3))), Unchecked)


def resending(block: int, *, again: float, sent: float, needless: float | None = None) -> Told:
    """One host of three sends so many segments of so many bytes again, in each of two segments of 2 s; of these so many
    had arrived."""
    of = cell("rbd", "randwrite", block=block, depth=16)
    series = {f"tcp_resent.h{n}": (again if n == 2 else 0.0,) for n in (1, 2, 3)}
    series |= {f"nic_sent_bytes.h{n}:clu0": (sent,) for n in (1, 2, 3)} | (
        {} if needless is None else {"tcp_needless.h2": (needless,)}
    )
    return Told(cells=(of,), segments=tuple(segment(of, round=n, telemetry=series) for n in range(2)))


def resending_to(host: str, op: str) -> Told:
    """Small I/O of one kind, of which two of h1 to h3 send much again, and this one hardly anything."""
    of = cell("rbd", op, block=4096, depth=16)
    series = {f"tcp_resent.h{n}": (1.0 if f"h{n}" == host else 30.0 - n,) for n in (1, 2, 3)}
    series |= {f"nic_sent_bytes.h{n}:clu0": (2e6,) for n in (1, 2, 3)}
    return Told(cells=(of,), segments=tuple(segment(of, round=n, telemetry=series) for n in range(2)))


@pytest.mark.parametrize(("op", "osds"), [("randwrite", (1, 2, 3)), ("randread", (1, 2, 3)), ("randread", (1, 2))])
def test_the_one_host_that_sends_nothing_again_is_where_the_others_packets_get_lost(
    op: str, osds: tuple[int, ...]
) -> None:
    """As behind a bad port that loses what comes in: of an OSD host, or of a client that reads."""
    each = tuple(OsdFacts(id=number, host=f"h{number}") for number in osds)
    verdict = ask_study("network-path", replace(resending_to("h3", op), environment=cluster(each_osd=each)))
    assert verdict.claim == "Packets get lost on the way to h3."
    assert "h3 alone sends hardly any again" in verdict.because[2]


def test_beside_a_client_that_loses_nothing_the_one_osd_host_is_named() -> None:
    """As on a cluster network, which the client is not on; what h3 sent again had arrived."""
    told = resending_to("h3", "randwrite")
    more = {"tcp_resent.client1": (0.0,), "nic_sent_bytes.client1:pub0": (2e6,), "tcp_needless.h3": (1.0,)}
    each = tuple(
        replace(one, telemetry=(*one.telemetry, *segment(told.cells[0], telemetry=more).telemetry))
        for one in told.segments
    )
    osds = tuple(OsdFacts(id=number, host=f"h{number}") for number in (1, 2, 3))
    known = replace(told, segments=each, environment=cluster(each_osd=osds))
    assert ask_study("network-path", known).claim == "Packets get lost on the way to h3."
    assert ask_study("network-path", replace(known, environment=ENVIRONMENT)).claim == "Packets get lost on the way."


def test_a_client_that_writes_is_not_where_packets_between_osds_get_lost() -> None:
    """As on a cluster network that it has no part in."""
    each = tuple(OsdFacts(id=number, host=f"h{number}") for number in (1, 2))
    verdict = ask_study("network-path", replace(resending_to("h3", "randwrite"), environment=cluster(each_osd=each)))
    assert verdict.claim == "Packets get lost on the way."
    assert not any("alone" in fact for fact in verdict.because)
    assert not any("alone" in fact for fact in ask_study("network-path", resending(4096, again=30.0, sent=2e6)).because)


def test_what_small_ios_lose_on_an_empty_line_got_lost_and_what_large_ones_lose_fell_from_a_queue() -> None:
    verdict = ask_study("network-path", resending(4096, again=30.0, sent=2e6))
    assert "h2 sent 60" in verdict.because[0]
    assert not isinstance(ask_study("network-path", resending(4096, again=3.0, sent=2e6)), Finding)
    assert not isinstance(ask_study("network-path", resending(4 << 20, again=900.0, sent=2e8)), Finding)


@pytest.mark.parametrize(("needless", "lost"), [(0.0, True), (22.0, True), (26.0, False)])
def test_segments_that_had_arrived_were_late_and_not_lost(needless: float, lost: bool) -> None:
    verdict = ask_study("network-path", resending(4096, again=30.0, sent=2e6, needless=needless))
    assert isinstance(verdict, Finding) is lost


def test_a_queue_that_others_fill_loses_packets_without_a_fault() -> None:
    """Small I/O beside 60 MB/s of another client's; or large reads, most of whose time passes in an OSD's queue."""
    assert isinstance(ask_study("network-path", resending(4096, again=90.0, sent=6e6)), Finding)
    assert not isinstance(ask_study("network-path", resending(4096, again=90.0, sent=60e6)), Finding)
    large = cell("rbd", "read", block=4 << 20, depth=16)
    for in_osds_s, told in ((4e-3, True), (14e-3, False)):
        counters = {"osd.op_r_latency_s": in_osds_s, "osd.op_r_process_latency_s": in_osds_s}
        series = {"tcp_resent.h2": (9000.0,), "nic_sent_bytes.h2:clu0": (5e8,)}
        segments = tuple(segment(large, round=n, iops=1000.0, counters=counters, telemetry=series) for n in range(2))
        verdict = ask_study("network-path", Told(cells=(large,), segments=segments))
        assert isinstance(verdict, Finding) is told


def test_what_only_a_full_line_drops_is_no_fault_of_the_path() -> None:
    """As a limiter with a short queue: of large writes 7 % are sent again, of small I/O nothing."""
    large, small = cell("rbd", "write", block=4 << 20, depth=8), cell("rbd", "randread", depth=16)
    of_large = {"tcp_resent.client1": (5382.0,), "nic_sent_bytes.client1:pub0": (11.6e6,) * 9}
    of_small = {"tcp_resent.client1": (0.0,), "nic_sent_bytes.client1:pub0": (1e6,)}
    segments = (segment(large, telemetry=of_large), segment(small, telemetry=of_small))
    told = Told(cells=(large, small), segments=segments)
    assert isinstance(ask_study("network-path", told), Finding)
    known = replace(ENVIRONMENT, links=(LinkFacts(host="client1", name="pub0", bits_per_s=1e8),))
    assert not isinstance(ask_study("network-path", replace(told, environment=known)), Finding)


def losing(late: int, between: int, in_osds_s: float) -> Told:
    """Reads of 0.3 ms one at a time, of which so many of 3,000 took 0.208 s, and so many 0.1 s."""
    of = cell("rbd", "randread")
    histogram = Histogram(values_s=(3e-4, 0.1, 0.208), counts=(3000 - late - between, between, late))
    mean_s = sum(v * n for v, n in zip(histogram.values_s, histogram.counts, strict=True)) / 3000
    latency = Latency(mean_s=mean_s, histogram=histogram)
    counters = {"osd.op_r_latency_s": in_osds_s, "osd.op_r_process_latency_s": in_osds_s}
    segments = tuple(segment(of, round=n, iops=1 / mean_s, latency=latency, counters=counters) for n in range(2))
    return Told(cells=(of,), segments=segments)


def test_ios_of_a_fifth_of_a_second_beside_quick_ones_tell_of_lost_packets() -> None:
    """A lone packet that is lost is sent again after TCP's shortest time-out, which no OSD takes part in."""
    verdict = ask_study("network-path", losing(5, 0, 1e-4))
    assert "10 of 6,000 I/Os took 0.2 s" in verdict.because[0]
    assert verdict.explains.value == pytest.approx(5 * 0.208 / (5 * 0.208 + 2995 * 3e-4), rel=0.01)
    for told in (losing(5, 5, 1e-4), losing(5, 0, 5e-4), losing(0, 0, 1e-4)):
        assert not isinstance(ask_study("network-path", told), Finding)


@pytest.mark.parametrize(("again", "told"), [(0.0, False), (5.0, True)])
def test_such_ios_tell_of_no_lost_packets_where_no_host_sent_one_again(again: float, told: bool) -> None:
    series = tuple(Series(f"tcp_resent.h{n}", "1/s", (0,), (again if n == 1 else 0.0,)) for n in range(4))
    lost = losing(5, 0, 1e-4)
    seen = replace(lost, segments=tuple(replace(one, telemetry=series) for one in lost.segments))
    verdict = ask_study("network-path", replace(seen, environment=cluster(hosts=3)))
    assert isinstance(verdict, Finding) is told


def test_what_many_streams_say_is_said_once() -> None:
    stream = cell("network", "recv", tool="iperf3", block=None)
    runs = (
        segment(stream, round=n, iops=0.0, seconds=1.0, bandwidth_bytes_per_s=2e9, extra={"retransmits": again})
        for n, again in enumerate((7000, 5000, 10))
    )
    facts = ask_study("network-path", Told(cells=(stream,), segments=tuple(runs))).because
    assert facts == ("TCP resent 12,000 segments in 2 s",)


def test_what_loopback_sent_again_is_no_loss_on_a_way() -> None:
    """654 segments in five minutes, on a host with every OSD and twenty processes for each core; no wire was used."""
    assert not isinstance(ask_study("network-path", resending(4096, again=327.0, sent=0.0)), Finding)


def test_losses_of_large_ios_alone_come_with_the_hint_that_a_queue_overflows() -> None:
    large, small = resending(4 << 20, again=9000.0, sent=2e8), resending(4096, again=0.0, sent=2e6)
    both = replace(large, cells=(*large.cells, *small.cells), segments=(*large.segments, *small.segments))
    assert any("a queue on the path overflows" in fact for fact in ask_study("network-path", both).because)
    alone = ask_study("network-path", resending(4096, again=30.0, sent=2e6))
    assert not any("overflows" in fact for fact in alone.because)


@pytest.mark.parametrize(("client", "waiting_s", "told"), [(0.2, 0.19, True), (2.0, 0.19, False), (0.2, 0.01, False)])
def test_ios_that_wait_where_nobody_works_are_not_called_well(client: float, waiting_s: float, told: bool) -> None:
    """Reads of 4 MiB, 8 in flight: so long outside of OSDs that take 10 ms. Then where to look is said, and no more."""
    of = cell("rbd", "read", block=4 << 20, depth=8)
    total_s = waiting_s + 10e-3
    counters = {"osd.op_r_latency_s": 10e-3, "osd.op_r_process_latency_s": 10e-3, "bluestore.read_lat_s": 8e-3}
    series = {"client_cpu": (0.1,), "client_cpu_wait": (client,), "osd_cpu.0": (0.1,), "osd_cpu_wait.0": (0.1,)}
    each = tuple(
        segment(of, round=n, iops=8 / total_s, latency_s=total_s, counters=counters, telemetry=series) for n in range(2)
    )
    verdict = ask_study("nothing-wrong", Told(cells=(of,), segments=each, sandbox="lab"))
    assert ("cannot be told" in verdict.claim) is told
    assert ("ss -tin" in verdict.try_next) is told
    assert ("95% of an I/O's time passes between client and OSDs" in verdict.because[0]) is told


def test_hosts_that_disagree_on_the_mtu_are_blamed_only_where_something_got_lost() -> None:
    links = tuple(LinkFacts(host=host, name="eth0", mtu=mtu) for host, mtu in (("a", 9000), ("b", 1500)))
    told = Told(cells=(RBD,), segments=(segment(RBD),), environment=replace(ENVIRONMENT, links=links))
    assert isinstance(ask_study("network-path", told), Unchecked)
    failed = segment(RBD, outcome=Outcome.FAILED, problem="timed out")
    assert "1500 on b" in ask_study("network-path", replace(told, segments=(failed,))).because[0]


def test_a_link_that_goes_away_again_and_again_is_named_where_packets_got_lost() -> None:
    bridge = LinkFacts(host="h3", name="docker0", carrier_lost=12)
    links = (
        bridge,
        LinkFacts(host="h3", name="eth1", carrier_lost=7),
        LinkFacts(host="h1", name="eth1", carrier_lost=1),
    )
    resent = {"tcp_resent.h3": (900.0,), "nic_sent_bytes.h3:eth1": (1e8,), "nic_sent_bytes.h3:docker0": (2e3,)}
    told = Told(cells=(RBD,), segments=(segment(RBD, telemetry=resent),), environment=replace(ENVIRONMENT, links=links))
    verdict = ask_study("network-path", told)
    assert verdict.claim == "A link goes down and comes back, again and again: h3:eth1."
    assert verdict.because[0] == "h3:eth1 lost its carrier 7 times during the study"
    quiet = replace(told, segments=(segment(RBD),))
    assert isinstance(ask_study("network-path", quiet), Unchecked), "a port that nothing runs over"


def test_the_osds_own_bench_takes_the_place_of_a_disk_that_was_not_measured() -> None:
    """It is never called the drive's flush, since the OSD's store is in it."""
    own = cell("osd", "write", tool="osd-bench")
    cells = (summary(own, latency_s=2e-3), *ladder(1e-9, 50e-6, 3e-3, 3.2e-3).summaries[1:])
    verdict = ask_study("costliest-layer", Told(summaries=cells))
    assert verdict.claim.startswith("A single 4K write spends most of its time in the OSD's store and its drive: ")
    assert verdict.because[0].startswith("OSD's store: 2 ms")
    assert isinstance(ask_study("costliest-layer", Told(summaries=cells[1:])), Unchecked), "a rung that is missing"


def test_the_ladder_names_the_layer_that_costs_most() -> None:
    assert "the drive's flush" in ask_study("costliest-layer", ladder(2e-3, 50e-6, 3e-3, 3.2e-3)).claim
    assert "Ceph's OSDs" in ask_study("costliest-layer", ladder(50e-6, 50e-6, 1e-3, 1.1e-3)).claim
    assert "RBD client" in ask_study("costliest-layer", ladder(50e-6, 50e-6, 0.3e-3, 1.1e-3)).claim
    assert "round trips" in ask_study("costliest-layer", ladder(50e-6, 500e-6, 1.1e-3, 1.2e-3)).claim


def test_the_ladder_of_a_finding_is_the_ladder_of_the_picture() -> None:
    told = ladder(2e-3, 63e-6, 3e-3, 3.2e-3)
    for size, trips in ((1, 1), (3, 2)):
        pool = cluster(pool=PoolFacts(name="p", size=size))
        study, summaries = replace(told, environment=pool).study(), told.all_summaries()
        picture = build_ladder(Material(study, summaries), writes=True)
        network = picture.steps[1].lost
        assert network is not None
        assert network.value == pytest.approx(trips * 63e-6)
        because = ask_study("costliest-layer", replace(told, environment=pool)).because
        assert because[1].startswith(f"network: {format_seconds(network.value)} ")


def test_the_ladder_accuses_no_layer_that_its_intervals_do_not_single_out() -> None:
    told = ladder(1e-3, 50e-6, 2.12e-3, 2.2e-3)
    verdict = ask_study("costliest-layer", told)
    assert isinstance(verdict, Unchecked)
    assert "do not separate RADOS from disk" in verdict.because


def test_more_clients_without_more_io_name_a_limit() -> None:
    assert "at their limit" in ask_study("client-scaling", scaling(500.0, 900.0, 910.0)).claim


def test_a_rate_that_only_falls_over_the_study_is_named() -> None:
    rates = (1000.0, 950.0, 900.0, 850.0, 800.0, 750.0, 700.0)
    others = cell("rbd", "randread", name="other")
    segments = []
    for number, rate in enumerate(rates):
        pair = [segment(RBD, round=number, iops=rate), segment(others, round=number)]
        pair = pair if number % 2 else pair[::-1]
        segments += [replace(s, started_at_s=number * 100.0 + place) for place, s in enumerate(pair)]
    verdict = ask_study("order-effects", Told(cells=(RBD, others), segments=tuple(segments)))
    assert verdict.cells == (RBD.name,)


def host(**fields: Any) -> Environment:
    return replace(ENVIRONMENT, hosts=(HostFacts(name="h1", **fields),))


def drives(*devices: DeviceFacts) -> Environment:
    return replace(ENVIRONMENT, devices=devices)


BACK = DeviceFacts(path="/dev/sda", used_for="osd", model="A", write_cache="write back")
THROUGH = DeviceFacts(path="/dev/sdb", used_for="osd", model="A", write_cache="write through")

STATIC_FIRES = {
    "health": cluster(health="HEALTH_WARN", health_checks=("OSD_DOWN: 1 osds down",), osds_up=2),
    "pg-count": cluster(pool=PoolFacts(name="p", size=3, pg_num=8), osds=12, osds_up=12, osds_in=12),
    "mclock": cluster(
        changed_options={
            "osd.0/osd_mclock_max_capacity_iops_ssd": "20000",
            "osd.1/osd_mclock_max_capacity_iops_ssd": "43000",
        }
    ),
    "power-states": host(cpu_governor="powersave"),
    "debug-levels": cluster(changed_options={"global/debug_osd": "20/20"}),
    "drive-cache": drives(BACK, THROUGH),
    "mixed-drives": cluster(device_classes={"ssd": 2, "hdd": 1}),
    "fill-level": cluster(used_bytes=90 * 2**30),
    "replicas": cluster(pool=PoolFacts(name="p", size=2, pg_num=128)),
    "data-pool": cluster(changed_options={"client/rbd_default_data_pool": "archive"}),
    "versions": cluster(versions={"osd": {"16.2": 2, "17.2": 1}}),
}
STATIC_LACKS = {
    "health": replace(ENVIRONMENT, cluster=None),
    "pg-count": cluster(pool=None),
    "mclock": replace(ENVIRONMENT, cluster=None),
    "power-states": host(),
    "debug-levels": replace(ENVIRONMENT, cluster=None),
    "drive-cache": drives(),
    "mixed-drives": replace(drives(), cluster=None),
    "fill-level": cluster(total_bytes=None),
    "replicas": cluster(pool=None),
    "data-pool": cluster(pool=None),
    "versions": cluster(versions={}),
}


def test_every_static_rule_is_tried() -> None:
    static = {rule.name for rule in RULES if rule.environment is not None}
    assert set(STATIC_FIRES) == static
    assert set(STATIC_LACKS) == static


@pytest.mark.parametrize("name", STATIC_FIRES)
def test_a_static_rule_fires_alone_in_an_environment_that_is_else_in_order(name: str) -> None:
    assert [finding.rule for finding in check_environment(STATIC_FIRES[name])] == [name]


def test_an_environment_in_order_has_no_findings() -> None:
    assert check_environment(ENVIRONMENT) == ()
    asked = [rule.environment(ENVIRONMENT) for rule in RULES if rule.environment is not None]
    assert not any(isinstance(answer, Unchecked) for answer in asked)


@pytest.mark.parametrize("name", STATIC_LACKS)
def test_a_static_rule_says_what_it_lacks(name: str) -> None:
    assert isinstance(ask_environment(name, STATIC_LACKS[name]), Unchecked)


def test_a_warning_that_says_nothing_about_speed_is_no_finding() -> None:
    harmless = cluster(health="HEALTH_WARN", health_checks=("POOL_NO_REDUNDANCY: 1 pool",))
    assert ask_environment("health", harmless) is None


def test_osds_of_mixed_releases_are_named_and_each_daemon_counts_once() -> None:
    counts = {"18.2.7": 2, "20.2.4": 1}
    told = ask_environment("versions", cluster(versions={"osd": counts, "overall": counts}))
    assert told.claim == "The OSDs run different releases of Ceph."
    assert told.because == ("2 daemons: 18.2.7", "1 daemons: 20.2.4")


def test_a_release_that_nobody_tried_is_a_note() -> None:
    told = ask_environment("versions", cluster(versions={"osd": {"ceph version 21.1.0 (abc) umbrella (dev)": 3}}))
    assert (told.severity, told.claim.split(",")[0]) == ("note", "Ceph 21 is newer than 20")


def test_a_warning_that_nobody_knows_is_a_note_and_makes_no_number_doubtful() -> None:
    unknown = cluster(health="HEALTH_WARN", health_checks=("NEW_IN_CEPH_21: something",))
    assert ask_environment("health", unknown).severity == "note"


def test_the_pg_advice_is_a_power_of_two_near_a_hundred_per_osd() -> None:
    told = ask_environment("pg-count", STATIC_FIRES["pg-count"])
    assert told.try_next == "ceph osd pool set p pg_num 512"
    assert told.severity == "doubtful"


def test_a_command_holds_a_pools_name_as_a_shell_takes_it() -> None:
    odd = cluster(pool=PoolFacts(name="my $(pool)", size=3, pg_num=8), osds=12, osds_up=12, osds_in=12)
    assert ask_environment("pg-count", odd).try_next == "ceph osd pool set 'my $(pool)' pg_num 512"


@pytest.mark.parametrize("option", ["osd/osd_pool_default_size", "client/rbd_default_data_pool"])
def test_images_that_keep_their_data_in_the_measured_pool_are_no_remark(option: str) -> None:
    pool = PoolFacts(name="the archive", size=3, pg_num=128)
    assert ask_environment("data-pool", cluster(changed_options={option: "the archive"}, pool=pool)) is None


def test_mclock_capacities_out_of_reason_are_named() -> None:
    odd = cluster(changed_options={"osd.3/osd_mclock_max_capacity_iops_ssd": "350000"})
    assert "350,000" in ask_environment("mclock", odd).because[0]


def test_quiet_debug_options_are_fine() -> None:
    assert ask_environment("debug-levels", cluster(changed_options={"global/debug_ms": "0/0"})) is None
    assert ask_environment("debug-levels", cluster(changed_options={"global/debug_osd": "1/5"})) is None


def test_an_import_with_segments_of_no_cell_is_judged_as_any_other() -> None:
    """An older one may have kept percentiles without an operation: a result, and no cell."""
    told = Result(tool="table", op="randwrite", block_bytes=4096, queue_depth=1, iops=900.0)
    bare = Result(tool="table", latency=Latency(percentiles_s={99.0: 0.002}))
    study = study_of((told, bare), id="x", source="a table", created_at_s=0.0)
    without = replace(study, cells=study.cells[:1])
    assert len(without.segments) == 2
    assert {one.rule for one in assess(without).findings} <= {one.rule for one in assess(study).findings}


def test_an_import_is_judged_when_it_is_shown_as_it_was_when_it_was_read(home: Path) -> None:
    text = (Path(__file__).parents[1] / "golden" / "serve" / "pasted.txt").read_bytes()
    said = read_text(text).findings
    kept = import_text(text, "a mail").entry
    assert kept is not None
    shown = {finding.rule: finding for finding in assess(load_study(kept.id)).findings}
    assert [finding.severity for finding in said[:2]] == [Severity.INVALID] * 2
    for finding in said:
        assert (shown[finding.rule].claim, shown[finding.rule].severity) == (finding.claim, finding.severity)
        assert shown[finding.rule].cells == ("fio-randwrite-4k-qd32",)


def test_classes_alone_do_not_tell_that_drives_are_unlike() -> None:
    """Some labelled their drives by hand."""
    found = ask_environment("mixed-drives", cluster(device_classes={"ssd": 2, "hdd": 1}))
    assert found.claim == "The OSDs are of more than one device class."
