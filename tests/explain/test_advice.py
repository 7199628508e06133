"""What the first finding advises: two states, and what the second should bring."""

from __future__ import annotations

from dataclasses import replace

import pytest

from radoscope.explain.advice import advise
from radoscope.explain.finding import Checks, Finding, Share
from radoscope.explain.gains import ceiling_of, gain_of
from radoscope.records.environment import HostFacts, LinkFacts, OsdFacts
from radoscope.records.study import Study

from .build import ENVIRONMENT, Told, cell, cluster, segment

WRITE, READ = cell("rbd", "randwrite"), cell("rbd", "randread")


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


def test_a_limit_of_clients_is_lifted_where_it_was_set() -> None:
    stored = {"client/rbd_qos_iops_limit": "60", "pool rbd/rbd_qos_bps_limit": "1000"}
    told = Told(cells=(WRITE,), segments=(segment(WRITE),), environment=cluster(changed_options=stored))
    advice = advise(about("io-limit"), told.study())
    assert advice is not None
    assert (advice.a, advice.b) == (
        "ceph config set client rbd_qos_iops_limit 60",
        "ceph config rm client rbd_qos_iops_limit",
    )


def test_of_slow_options_only_the_named_one_is_taken_out_and_only_where_running_osds_follow() -> None:
    study = study_with(osd_client_message_cap="1", bluestore_prefer_deferred_size="8388608", ms_tcp_nodelay="false")
    advice = advise(replace(about("slow-options"), resource="osd_client_message_cap"), study)
    assert advice is not None
    assert advice.b == "ceph config rm osd osd_client_message_cap"
    assert advise(replace(about("slow-options"), resource="ms_tcp_nodelay"), study) is None


def with_affinities(*affinities: float) -> Study:
    osds = tuple(OsdFacts(id=osd, primary_affinity=value) for osd, value in enumerate(affinities))
    cells = (WRITE, READ)
    return Told(cells=cells, segments=(segment(WRITE),), environment=cluster(each_osd=osds)).study()


def test_osds_that_are_seldom_primary_get_their_share_back() -> None:
    advice = advise(about("uneven-load"), with_affinities(1.0, 0.0, 0.5))
    assert advice is not None
    assert advice.a == "ceph osd primary-affinity osd.1 0 && ceph osd primary-affinity osd.2 0.5"
    assert advice.b == "ceph osd primary-affinity osd.1 1 && ceph osd primary-affinity osd.2 1"


def test_a_slow_osd_is_spared_reads_and_nothing_is_promised_to_writes() -> None:
    slow = replace(about("sick-osd", Share(0.5, 0.5, 0.5)), resource="osd.1", cells=(WRITE.name, READ.name))
    checks = tuple(Checks(cell=one.name, fired=(slow,)) for one in (WRITE, READ))
    advice = advise(slow, with_affinities(1.0, 1.0, 1.0), checks)
    assert advice is not None
    assert (advice.a, advice.b) == ("ceph osd primary-affinity osd.1 1", "ceph osd primary-affinity osd.1 0")
    assert advice.cells == (READ.name,)
    assert set(advice.gains) == {READ.name}
    assert advise(replace(slow, cells=(WRITE.name,)), with_affinities(1.0, 1.0, 1.0), checks) is None


def test_what_is_full_next_bounds_the_promise() -> None:
    seen = segment(WRITE, telemetry={"host_cpu": (0.5,), "strangers_cpu": (1.0,)})
    environment = replace(ENVIRONMENT, hosts=(HostFacts(name="h1", cpu_threads=4),))
    study = Told(cells=(WRITE,), segments=(seen,), environment=environment).study()
    assert ceiling_of(study, (WRITE.name,)) == pytest.approx(4.0), "of four threads others have one, the load one"
    gain = gain_of(Share(0.99, 0.98, 0.995), ceiling=4.0)
    assert gain.value == 4.0
    assert gain.low == pytest.approx(1 + 0.1 * (4.0 - 1)), "where the cores are full next it may bring next to nothing"
    assert 4.0 < gain.high < 20
    assert gain_of(Share(0.5, 0.4, 0.6), at_most=True).low == 1.0


def test_cores_that_no_such_rate_of_ios_can_take_bound_no_promise() -> None:
    """Threads that poll while a limit holds them back, or compress: that goes away with the cause."""
    environment = replace(ENVIRONMENT, hosts=(HostFacts(name="h1", cpu_threads=4),))
    held = segment(WRITE, iops=10.0, telemetry={"host_cpu": (0.9,)})
    study = Told(cells=(WRITE,), segments=(held,), environment=environment).study()
    assert ceiling_of(study, (WRITE.name,)) > 50
    limited = gain_of(Share(0.6, 0.5, 0.7).or_more(), ceiling=100.0)
    assert limited.low == pytest.approx(1 + 0.4 * (2.0 - 1))
    assert 2.5 < limited.value < 100 <= limited.high, "nobody knows what waited behind it"


def test_nothing_is_promised_where_what_comes_instead_may_be_too_low_as_well() -> None:
    """Without the capacity that was set, an OSD on a disk that counts as rotating believes in 315 IOPS."""
    options = {"osd/osd_mclock_max_capacity_iops_hdd": "200"}
    study = Told(cells=(WRITE,), segments=(segment(WRITE),), environment=cluster(changed_options=options)).study()
    held = replace(about("mclock", Share(0.9, 0.9, 1.0)), cells=(WRITE.name,))
    advice = advise(held, study, (Checks(cell=WRITE.name, fired=(held,)),))
    assert advice is not None and advice.b == "ceph config rm osd osd_mclock_max_capacity_iops_hdd"
    assert advice.gains == {} and advice.cells == (WRITE.name,)
