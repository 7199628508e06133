"""Causes that were planted in real sandboxes are named first, and nobody else is accused. See captures/causes."""

from __future__ import annotations

import re
import tarfile
from pathlib import Path

import pytest

import radoscope.explain as explain
from radoscope.archives.imported import read_bundle
from radoscope.explain.evidence import round_trip
from radoscope.explain.finding import Finding, Role
from radoscope.explain.ranking import is_cause
from radoscope.explain.times import CLIENT, OUTSIDE, UNEXPLAINED, mean_waterfall
from radoscope.records.conditions import Layer
from radoscope.records.study import Study
from radoscope.records.telemetry import STRANGERS_CPU
from radoscope.stats.summarise import summarise

CAPTURES = Path(__file__).parents[1] / "captures" / "causes"
PLANTED = {
    "slow-osd": ("sick-osd", "osd.1"),
    "half-bandwidth": ("sick-osd", "osd.0"),
    "slow-flushes": ("flush-bound", "drives"),
    "network-1g": ("network-full", "network, host-5:pub0"),
    "one-host-200m": ("network-full", "network, host-3:pub0"),
    "one-group": ("uneven-load", "placement groups, osd.0"),
    "few-cores": ("osd-cpu", "CPU of osd.0"),
    "slow-client": ("client-cpu", "client CPU"),
    "debug-20": ("debug-levels", "logging"),
    "compression": ("compressible-data", "compression"),
    "other-client": ("other-clients", "other clients"),
    "recovery": ("background-work", "recovery"),
    "recovery-20.2": ("background-work", "recovery"),
    "io-limit": ("io-limit", "client limit"),
    "messages": ("slow-options", "osd_client_message_cap"),
    "nagle": ("slow-options", "ms_tcp_nodelay"),
    "narrow-drives": ("drive-bound", "drives"),
    "four-groups": ("uneven-load", "placement groups, osd.4"),
    "other-client-4m": ("other-clients", "other clients"),
    "small-objects": ("image-layout", "image layout"),
    "small-buffers": ("slow-transfers", "network path"),
    "journaling": ("image-layout", "image journal"),
    "small-blobs": ("slow-options", "bluestore_max_blob_size"),
    "backup": ("other-clients", "other clients"),
    "image-qos": ("io-limit", "client limit"),
    "erasure": ("pool-layout", "pool layout"),
    "sick-host": ("sick-osd", "osd.2, osd.3"),
    "bond-hash": ("slow-transfers", "path between client and OSDs"),
    "worn-cache": ("drive-bound", "drives"),
    "lossy": ("network-path", "network path"),
    "queued-drives": ("drive-bound", "drives"),
    "small-cache": ("drive-bound", "drives"),
    "cache-off": ("drive-bound", "drives"),
    "limited-client": ("client-cpu-limit", "CPU limit of the client"),
    "traced": ("sick-osd", "osd.1"),
    "upmap-left": ("uneven-load", "placement groups, osd.0"),
    "pinned": ("osd-cpu", "OSD CPU"),
    "gateway-cores": ("gateway", "gateway"),
    "gateway-slow-osd": ("sick-osd", "osd.1"),
    "kubectl-1g": ("network-full", "network, host-3"),
    "port-to-one-host": ("network-full", "network, host-2"),
}
SMALLER = {"compression", "four-groups", "small-objects", "worn-cache"}
"""What other work on the machine took was more than what was planted."""
ALSO = {"upmap-left": {"drive-bound"}}
"""What else was true there: large writes did wait for those drives."""
MUCH = 0.5
"""Cores, of two, that other work used in some cell: then it is a cause as well, and no false accusation."""


def findings_of(name: str, folder: Path) -> tuple[tuple[Finding, ...], float]:
    """The findings, and the most cores that strangers used over a segment."""
    with tarfile.open(CAPTURES / f"{name}.tar.xz") as packed:
        packed.extractall(folder, filter="data")
    study = read_bundle(folder / name)
    busy = [max(one.values) for s in study.segments for one in s.telemetry if one.name == STRANGERS_CPU.name]
    return explain.check(study, summarise(study)), max(busy, default=0.0)


@pytest.mark.parametrize("name", PLANTED)
def test_what_was_planted_is_the_first_cause_beside_what_the_machine_really_had(name: str, tmp_path: Path) -> None:
    findings, _ = findings_of(name, tmp_path)
    causes = [finding for finding in findings if is_cause(finding)]
    if name in SMALLER:
        causes = [finding for finding in causes if finding.rule != "host-cpu"]
    assert [(one.rule, one.resource) for one in causes[:1]] == [PLANTED[name]]


@pytest.mark.parametrize("name", PLANTED)
def test_no_other_cause_is_named_beside_what_was_planted(name: str, tmp_path: Path) -> None:
    findings, _ = findings_of(name, tmp_path)
    named = {finding.rule for finding in findings if is_cause(finding)}
    assert named <= {PLANTED[name][0], "host-cpu"} | ALSO.get(name, set())


@pytest.mark.parametrize(
    "name", ["busy-machine", "one-primary", "one-core", "full-host", "healthy-one-copy", "gateway-healthy"]
)
def test_where_nothing_slows_it_only_the_machines_other_work_is_named(name: str, tmp_path: Path) -> None:
    findings, strangers = findings_of(name, tmp_path)
    assert strangers >= MUCH
    assert {finding.rule for finding in findings if is_cause(finding)} == {"host-cpu"}


@pytest.mark.parametrize("name", ["healthy-options", "healthy-metro", "healthy-near-its-line", "kubectl-healthy"])
def test_of_a_healthy_cluster_nothing_is_blamed(name: str, tmp_path: Path) -> None:
    findings, _ = findings_of(name, tmp_path)
    assert not [finding for finding in findings if is_cause(finding)]
    assert findings[0].rule == "nothing-wrong"


def test_a_share_never_exceeds_the_whole(tmp_path: Path) -> None:
    findings, _ = findings_of("slow-osd", tmp_path)
    shares = [finding.explains for finding in findings if finding.explains is not None]
    assert shares
    assert all(0 <= share.low <= share.value <= share.high <= 1 for share in shares)
    assert all(finding.explains is None for finding in findings if finding.role is Role.REMARK)


NOT_EXPLAINED = {"io-limit", "image-qos", "other-client", "backup", "recovery"}
"""There I/Os waited where nobody counts: in librbd, between two messages, for a placement group without a primary."""


@pytest.mark.parametrize("name", sorted({*PLANTED, "busy-machine", "one-primary"} - NOT_EXPLAINED))
def test_what_was_measured_of_a_single_io_comes_to_what_the_client_saw(name: str, tmp_path: Path) -> None:
    with tarfile.open(CAPTURES / f"{name}.tar.xz") as packed:
        packed.extractall(tmp_path, filter="data")
    study = read_bundle(tmp_path / name)
    trip = round_trip(summarise(study).cells)
    assert trip is not None
    for cell in study.cells:
        if cell.conditions.layer is Layer.RBD and cell.conditions.in_flight == 1:
            water = mean_waterfall(study.segments_of(cell.name), trip[0])
            if water is None:
                assert name.startswith("other-client")
                continue
            assert {part.name for part in water.parts} & {CLIENT, OUTSIDE}
            assert abs(water.share(UNEXPLAINED)) <= 0.1


def test_counters_that_hold_slower_operations_of_others_split_no_time(tmp_path: Path) -> None:
    with tarfile.open(CAPTURES / "other-client.tar.xz") as packed:
        packed.extractall(tmp_path, filter="data")
    study = read_bundle(tmp_path / "other-client")
    [single] = [one for one in study.cells if one.conditions.op.writes and one.conditions.in_flight == 1]
    assert mean_waterfall(study.segments_of(single.name), 1e-4) is None


def kubectl_1g_without(folder: Path, *counters: str) -> Study:
    with tarfile.open(CAPTURES / "kubectl-1g.tar.xz") as packed:
        packed.extractall(folder, filter="data")
    for kept in folder.rglob("telemetry.json"):
        kept.write_text(re.sub("|".join(counters), "of_another_name", kept.read_text()))
    return read_bundle(folder / "kubectl-1g")


def test_writes_that_arrive_late_at_one_host_tell_of_its_path(tmp_path: Path) -> None:
    """As of a release whose OSDs do not count how long a message waits to be sent."""
    study = kubectl_1g_without(tmp_path, "msgr_send_messages_queue_lat")
    first = explain.check(study, summarise(study))[0]
    assert (first.rule, first.resource, first.cells) == ("network-full", "network, host-3", ("rbd-4m-write-qd8",))


def test_where_hosts_are_not_seen_large_ios_that_wait_elsewhere_are_not_called_well(tmp_path: Path) -> None:
    """As of OSDs that count neither how long a message waits to be sent nor how long a write takes to arrive."""
    study = kubectl_1g_without(tmp_path, "msgr_send_messages_queue_lat", "op_w_process_latency")
    first = explain.check(study, summarise(study))[0]
    assert (first.rule, first.claim) == ("nothing-wrong", "Why it is not faster cannot be told from this study.")
    waits = "4M sequential write, QD8: 31% (29 to 32)", "4M sequential read, QD8: 97%"
    assert [fact.partition(" of an I/O's time passes ")[0] for fact in first.because[:2]] == [*waits]
    assert "--osd-host" in first.try_next
