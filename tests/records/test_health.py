"""Ceph's health checks: every code of three releases has an effect, and the effects are those that users count on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from radoscope.records.health import (
    Effect,
    amiss,
    amiss_now,
    checks_of,
    judge,
    judge_text,
    unclean_groups,
    whole_in_words,
)

CODES = sorted((Path(__file__).parents[1] / "captures" / "health_codes").glob("*.txt"))


@pytest.mark.parametrize("codes", CODES, ids=lambda path: path.stem)
def test_every_code_of_a_release_is_in_the_list(codes: Path) -> None:
    unknown = [code for code in codes.read_text("utf-8").split() if judge(code).effect is Effect.UNKNOWN]
    assert unknown == []


@pytest.mark.parametrize(
    "check",
    [
        "MGR_MODULE_DEPENDENCY: 11 mgr modules have failed dependencies",
        "RECENT_CRASH: 1 daemons have recently crashed",
        "AUTH_INSECURE_GLOBAL_ID_RECLAIM: client is using insecure global_id reclaim",
        "AUTH_INSECURE_KEYS_ALLOWED: insecure keys are allowed",
        "POOL_APP_NOT_ENABLED: 1 pool(s) do not have an application enabled",
        "PG_NOT_DEEP_SCRUBBED: 12 pgs not deep-scrubbed in time",
        "OSDMAP_FLAGS: noout,noscrub,nodeep-scrub flag(s) set",
        "BLUESTORE_SLOW_OP_ALERT: 2 OSD(s) experiencing slow operations in BlueStore",
        "BLOCK_DEVICE_STALLED_READ_ALERT: 1 OSD(s) experiencing stalled read in block device of BlueStore",
        "CEPHADM_STRAY_DAEMON: 1 stray daemon(s) not managed by cephadm",
    ],
)
def test_what_slows_nothing_neither_refuses_nor_spoils(check: str) -> None:
    judged = judge_text(check)
    assert (judged.effect, judged.refuses, judged.spoils) == (Effect.HARMLESS, False, False)


@pytest.mark.parametrize(
    ("check", "effect"),
    [
        ("OSD_DOWN: 1 osds down", Effect.TROUBLE),
        ("OSD_HOST_DOWN: 1 host (1 osds) down", Effect.TROUBLE),
        ("OSD_DATACENTER_DOWN: 1 datacenter (4 osds) down", Effect.TROUBLE),
        ("PG_DEGRADED: Degraded data redundancy: 3/30 objects degraded", Effect.TROUBLE),
        ("OSDMAP_FLAGS: pauserd,pausewr,noout flag(s) set", Effect.TROUBLE),
        ("OSDMAP_FLAGS: nodown,noout flag(s) set", Effect.RISK),
        ("MON_DOWN: 1/3 mons down, quorum a,b", Effect.RISK),
        ("BLUEFS_SPILLOVER: 1 OSD(s) experiencing BlueFS spillover", Effect.SLOWS),
        ("A_CHECK_OF_CEPH_21: something new", Effect.UNKNOWN),
    ],
)
def test_what_a_check_means(check: str, effect: Effect) -> None:
    assert judge_text(check).effect is effect


def health_of(status: str, **checks: dict[str, Any]) -> dict[str, Any]:
    return {"health": {"status": status, "checks": checks}}


def test_a_module_of_the_manager_that_failed_is_no_trouble_although_ceph_calls_it_an_error() -> None:
    seen = health_of("HEALTH_ERR", MGR_MODULE_ERROR={"severity": "HEALTH_ERR", "summary": {"message": "x"}})
    assert amiss(seen) == ()


def test_heartbeats_that_were_slow_within_the_last_minutes_are_amiss_but_not_waited_for() -> None:
    seen = health_of("HEALTH_WARN", OSD_SLOW_PING_TIME_BACK={"severity": "HEALTH_WARN", "summary": {"message": "x"}})
    assert [check.code for check in amiss(seen)] == ["OSD_SLOW_PING_TIME_BACK"]
    assert amiss_now(seen) == ()
    assert whole_in_words(seen) == "HEALTH_OK but for OSD_SLOW_PING_TIME_BACK, which slows nothing"


def test_an_error_that_nobody_knows_is_trouble() -> None:
    seen = health_of("HEALTH_ERR", NEW_IN_21={"severity": "HEALTH_ERR", "summary": {"message": "it burns"}})
    assert [str(check) for check in amiss(seen)] == ["NEW_IN_21: it burns"]


@pytest.mark.parametrize(
    ("checks", "words"),
    [
        ((), "HEALTH_OK"),
        (("MGR_MODULE_DEPENDENCY",), "HEALTH_OK but for MGR_MODULE_DEPENDENCY, which slows nothing"),
        (("NEW_IN_21",), "HEALTH_OK but for NEW_IN_21, of which radoscope does not know what it means"),
    ],
)
def test_a_whole_cluster_is_called_healthy_with_what_stands_beside_it(checks: tuple[str, ...], words: str) -> None:
    status = health_of("HEALTH_WARN" if checks else "HEALTH_OK", **{code: {} for code in checks})
    assert whole_in_words(status) == words


def test_a_muted_check_is_as_its_administrator_wants_it() -> None:
    muted = {"severity": "HEALTH_WARN", "muted": True, "summary": {"message": "1 osds down"}}
    assert list(checks_of(health_of("HEALTH_OK", OSD_DOWN=muted))) == []


def test_a_cluster_that_is_unhealthy_without_a_reason_is_not_whole() -> None:
    assert [check.code for check in amiss(health_of("HEALTH_WARN"))] == ["HEALTH_WARN"]


def _groups(flags: str, **states: int) -> dict[str, Any]:
    checks = {"OSDMAP_FLAGS": {"summary": {"message": f"{flags} flag(s) set"}, "muted": True}} if flags else {}
    counted = [{"state_name": name.replace("_and_", "+"), "count": count} for name, count in states.items()]
    return {"health": {"checks": checks}, "pgmap": {"pgs_by_state": counted}}


@pytest.mark.parametrize(
    ("flags", "states", "unclean"),
    [
        ("", {"active_and_clean": 30, "active_and_clean_and_scrubbing": 2}, 0),
        ("", {"active_and_clean": 30, "active_and_remapped_and_backfill_wait": 2}, 2),
        ("noout,norebalance", {"active_and_clean": 30, "active_and_remapped_and_backfill_wait": 2}, 0),
        ("norebalance", {"active_and_clean": 1, "active_and_remapped_and_backfilling": 2}, 0),
        ("nobackfill", {"active_and_remapped_and_backfill_wait": 2, "peering": 1}, 1),
        ("norebalance", {"active_and_undersized_and_degraded_and_remapped_and_backfill_wait": 3}, 3),
    ],
)
def test_groups_that_may_not_move_and_have_all_their_copies_are_no_unrest(
    flags: str, states: dict[str, int], unclean: int
) -> None:
    assert unclean_groups(_groups(flags, **states)) == unclean
