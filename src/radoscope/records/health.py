"""Ceph's health checks: what each of them means for a measurement. The one list, for refusing, watching, waiting and
for the stamps of results.

Source: the documentation of Ceph's health checks, and the codes in the programs of 16.2.15, 18.2.7 and 20.2.4
(tests/captures/health_codes).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Effect(StrEnum):
    """What a check means for a measurement: numbers taken under it, and load put on the cluster."""

    TROUBLE = "trouble"  # it changes the numbers, and will pass or wants mending: not measured
    SLOWS = "slows"  # it changes the numbers and lasts: measured, and stamped doubtful
    RISK = "risk"  # it changes no number, but load might do harm: not measured
    HARMLESS = "harmless"  # it changes no number
    UNKNOWN = "unknown"  # a code that this list does not have


@dataclass(frozen=True, slots=True)
class Judgement:
    """A check of a cluster, judged. words: Ceph's summary. because: why it has this effect."""

    code: str
    words: str
    effect: Effect
    because: str

    def __str__(self) -> str:
        return f"{self.code}: {self.words}" if self.words else self.code

    @property
    def refuses(self) -> bool:
        """Whether a cluster with it is not to be measured."""
        return self.effect in (Effect.TROUBLE, Effect.RISK)

    @property
    def spoils(self) -> bool:
        """Whether numbers taken under it are doubtful."""
        return self.effect in (Effect.TROUBLE, Effect.SLOWS)


_TROUBLE = {
    "PG_AVAILABILITY": "operations on these placement groups wait",
    "PG_DEGRADED": "copies are missing: fewer disks work, and recovery will compete",
    "PG_DEGRADED_FULL": "recovery has stopped for lack of space",
    "PG_RECOVERY_FULL": "recovery has stopped for lack of space",
    "PG_BACKFILL_FULL": "recovery has stopped for lack of space",
    "OBJECT_MISPLACED": "data is being moved",
    "OSD_FULL": "writes are refused",
    "POOL_FULL": "writes to these pools are refused",
    "SLOW_OPS": "operations have been waiting for half a minute and more",
    "REQUEST_SLOW": "operations have been waiting for half a minute and more",
    "REQUEST_STUCK": "operations hang",
    "DEGRADED_STRETCH_MODE": "one of the sites is missing",
}
_SLOWS = {
    "BLUEFS_SPILLOVER": "metadata lies on the slow device",
    "BLUESTORE_SPURIOUS_READ_ERRORS": "reads are done twice",
    "BLUESTORE_FRAGMENTATION": "writes are split over small free pieces",
    "BLUESTORE_FREE_FRAGMENTATION": "writes are split over small free pieces",
    "OSD_TOO_MANY_REPAIRS": "reads are repaired from other copies",
    "OSD_SLOW_PING_TIME_BACK": "the cluster network is slow",
    "OSD_SLOW_PING_TIME_FRONT": "the public network is slow",
    "PG_SLOW_SNAP_TRIMMING": "snapshots are being trimmed",
    "BLUESTORE_NO_COMPRESSION": "data that should be compressed is not",
    "OSD_FILESTORE": "FileStore writes everything twice",
    "CACHE_POOL_NEAR_FULL": "the cache pool flushes while it takes writes",
}
_RISK = {
    "OSD_NEARFULL": "a prefill could fill it",
    "OSD_BACKFILLFULL": "recovery would not find room",
    "POOL_NEARFULL": "a prefill could fill it",
    "POOL_BACKFILLFULL": "recovery would not find room",
    "OBJECT_UNFOUND": "data must be saved first",
    "PG_DAMAGED": "data must be repaired first",
    "OSD_SCRUB_ERRORS": "data must be repaired first",
    "MON_DOWN": "the next monitor that fails may end the quorum",
    "MON_DISK_CRIT": "a monitor is about to run out of space",
    "MON_NETSPLIT": "monitors do not reach each other",
    "MGR_DOWN": "nobody counts placement groups, so harm would go unseen",
}
_HARMLESS = {
    "RECENT_CRASH": "about the past only",
    "RECENT_MGR_MODULE_CRASH": "about the past only",
    "MGR_MODULE_DEPENDENCY": "modules of the manager carry no client's data",
    "MGR_MODULE_ERROR": "modules of the manager carry no client's data",
    # Ceph 19 and later raise these for a day because of a single operation (bluestore_slow_ops_warn_lifetime and
    # _threshold, bdev_stalled_read_warn_...); what drives do meanwhile is measured.
    "BLUESTORE_SLOW_OP_ALERT": "a disk answered late within the last day",
    "BLOCK_DEVICE_STALLED_READ_ALERT": "a disk stalled within the last day",
    "DB_DEVICE_STALLED_READ_ALERT": "a device of metadata stalled within the last day",
    "WAL_DEVICE_STALLED_READ_ALERT": "a device of the write-ahead log stalled within the last day",
    "PG_NOT_SCRUBBED": "a check of data that is due",
    "PG_NOT_DEEP_SCRUBBED": "a check of data that is due",
    "POOL_APP_NOT_ENABLED": "a label that is missing",
    "POOL_NO_REDUNDANCY": "how a pool is set up",
    "POOL_SCRUB_FLAGS": "fewer scrubs",
    "POOL_PG_NUM_NOT_POWER_OF_TWO": "how a pool is set up",
    "LARGE_OMAP_OBJECTS": "objects of other pools, of RGW mostly",
    "MANY_OBJECTS_PER_PG": "how pools are set up; the rule pg-count looks at the measured one",
    "TOO_FEW_PGS": "how pools are set up; the rule pg-count looks at the measured one",
    "TOO_MANY_PGS": "how pools are set up; the rule pg-count looks at the measured one",
    "POOL_TOO_FEW_PGS": "how pools are set up; the rule pg-count looks at the measured one",
    "POOL_TOO_MANY_PGS": "how pools are set up; the rule pg-count looks at the measured one",
    "SMALLER_PGP_NUM": "how pools are set up",
    "TOO_FEW_OSDS": "fewer OSDs than the default number of copies",
    "DAEMON_OLD_VERSION": "an upgrade that is not finished; see the rule versions",
    "OSD_UPGRADE_FINISHED": "a setting that an upgrade left over",
    "OSD_NO_DOWN_OUT_INTERVAL": "OSDs that fail are not marked out",
    "OSD_NO_SORTBITWISE": "a setting that an upgrade left over",
    "OSD_FLAGS": "flags of single OSDs; one that is down has a check of its own",
    "OSD_ORPHAN": "an OSD in the CRUSH map that does not exist",
    "OSD_OUT_OF_ORDER_FULL": "limits that contradict each other",
    "OSD_UNREACHABLE": "an address outside of the public network; clients that reach it are not slowed",
    "OLD_CRUSH_TUNABLES": "where data lies, not how fast it is",
    "OLD_CRUSH_STRAW_CALC_VERSION": "where data lies, not how fast it is",
    "CACHE_POOL_NO_HIT_SET": "how a cache pool is set up",
    "BLUESTORE_DISK_SIZE_MISMATCH": "a size on record",
    "BLUESTORE_LEGACY_STATFS": "how usage is counted",
    "BLUESTORE_NO_PER_PG_OMAP": "how usage is counted",
    "BLUESTORE_NO_PER_POOL_OMAP": "how usage is counted",
    "MON_CLOCK_SKEW": "monitors' clocks; no client's operation reads them",
    "MON_DISK_BIG": "the monitors' own disks",
    "MON_DISK_LOW": "the monitors' own disks",
    "MON_LOCATION_NOT_SET": "a setting of the monitors",
    "MON_MSGR2_NOT_ENABLED": "a setting of the monitors",
    "INCORRECT_NUM_BUCKETS_STRETCH_MODE": "how sites are set up",
    "UNEVEN_WEIGHTS_STRETCH_MODE": "how sites are set up",
    "STRETCH_MODE_BUCKET_WEIGHT_IMBALANCE": "how sites are set up",
}
_FAMILIES = (
    (re.compile(r"OSD_([A-Z]+_)?DOWN"), Effect.TROUBLE, "disks are missing, and recovery will compete"),
    (re.compile(r"AUTH_\w+"), Effect.HARMLESS, "about keys and rights"),
    (re.compile(r"(FS|MDS)_\w+"), Effect.HARMLESS, "about CephFS"),
    (re.compile(r"CEPHADM_\w+|UPGRADE_\w+"), Effect.HARMLESS, "about how daemons are deployed"),
    (re.compile(r"DEVICE_HEALTH\w*"), Effect.HARMLESS, "a drive that is expected to fail"),
    (re.compile(r"POOL_(TARGET|HAS_TARGET)\w+"), Effect.HARMLESS, "hints for the autoscaler"),
    (re.compile(r"(MGR_(INFLUX|ZABBIX)|ALERTS|TELEMETRY|DASHBOARD)_\w+"), Effect.HARMLESS, "about reporting"),
    (re.compile(r"(HARDWARE|NVMEOF|SMB)_\w+"), Effect.HARMLESS, "about services beside the OSDs"),
)
_QUIET_FLAGS = frozenset(
    {"noout", "noin", "norebalance", "noscrub", "nodeep-scrub", "nosnaptrim", "noautoscale", "notieragent"}
)
"""Flags that slow nothing, and under which a failure during the load is noticed and mended as ever."""


def judge(code: str, words: str = "", *, severity: str = "HEALTH_WARN") -> Judgement:
    """What one check means. words: Ceph's summary, which names the flags where the check is about flags.

    A code that is not in the list is UNKNOWN; one with which Ceph itself is in HEALTH_ERR counts as TROUBLE.
    """
    if code == "OSDMAP_FLAGS":
        return Judgement(code, words, *_of_flags(words))
    for effect, codes in _LISTED:
        if code in codes:
            return Judgement(code, words, effect, codes[code])
    for pattern, effect, because in _FAMILIES:
        if pattern.fullmatch(code):
            return Judgement(code, words, effect, because)
    if severity == "HEALTH_ERR":
        return Judgement(code, words, Effect.TROUBLE, "Ceph calls it an error")
    return Judgement(code, words, Effect.UNKNOWN, "a health check that radoscope does not know")


def judge_text(check: str) -> Judgement:
    """The same of a check as results keep it, "CODE: summary" or "CODE"."""
    code, _, words = check.partition(":")
    return judge(code.strip(), words.strip())


def judge_words(summary: str) -> Judgement | None:
    """The same of a summary without its code, as `ceph -s` prints it; None for words that are not listed."""
    code = next((code for pattern, code in _WORDS if pattern.search(summary)), None)
    return None if code is None else judge(code, summary)


def checks_of(status: Mapping[str, Any]) -> Iterator[Judgement]:
    """The checks of a cluster's `status` that are not muted. Where it is unhealthy without any, that is one."""
    health = status.get("health", {})
    checks = health.get("checks", {})
    for code, check in checks.items():
        if not check.get("muted"):
            words = str(check.get("summary", {}).get("message", ""))
            yield judge(code, words, severity=str(check.get("severity", "HEALTH_WARN")))
    overall = str(health.get("status", "HEALTH_OK"))
    if overall != "HEALTH_OK" and not checks:
        yield Judgement(overall, "", Effect.TROUBLE, "Ceph does not say why")


def amiss(status: Mapping[str, Any]) -> tuple[Judgement, ...]:
    """The checks for whose end one waits before a cluster counts as whole: all that speak of its state.

    Left out are those that may stay for ever without doing harm, MGR_MODULE_DEPENDENCY of Debian's 18.2.7 among them.
    """
    return tuple(check for check in checks_of(status) if check.spoils or check.refuses)


def amiss_now(status: Mapping[str, Any]) -> tuple[Judgement, ...]:
    """`amiss` without what is about the past alone: heartbeats' times are means over up to 15 minutes."""
    return tuple(check for check in amiss(status) if not _is_past(check))


def _is_past(check: Judgement) -> bool:
    return check.code.startswith("OSD_SLOW_PING_TIME")


def whole_in_words(status: Mapping[str, Any]) -> str:
    """What to call a cluster in which nothing is amiss: HEALTH_OK, and which checks stand beside it."""
    beside = tuple(checks_of(status))
    known = all(check.effect is Effect.HARMLESS or _is_past(check) for check in beside)
    meaning = "which slows nothing" if known else "of which radoscope does not know what it means"
    return f"HEALTH_OK but for {', '.join(check.code for check in beside)}, {meaning}" if beside else "HEALTH_OK"


_PAUSED = re.compile(r"\b(norebalance|nobackfill)\b")
_WAITING = frozenset({"active", "remapped", "backfill_wait", "backfill_toofull", "backfilling"})
"""A group that was let in before the flag, or just then, is called backfilling, and nothing of it moves (16.2.15)."""


def unclean_groups(status: Mapping[str, Any]) -> int:
    """How many placement groups are not active+clean. Where a flag forbids to move them, those that only wait for that
    do not count: all their copies serve."""
    checks = status.get("health", {}).get("checks", {})
    paused = _PAUSED.search(str(checks.get("OSDMAP_FLAGS", {}).get("summary", {}).get("message", ""))) is not None
    return sum(
        state["count"]
        for state in status.get("pgmap", {}).get("pgs_by_state", [])
        if not state["state_name"].startswith("active+clean")
        and not (paused and _WAITING.issuperset(state["state_name"].split("+")))
    )


def _of_flags(words: str) -> tuple[Effect, str]:
    """words: as "noout,noscrub flag(s) set"."""
    flags = set(words.partition(" ")[0].split(","))
    if flags <= _QUIET_FLAGS:
        return Effect.HARMLESS, "flags that slow nothing"
    if flags & {"pauserd", "pausewr", "pause", "full"}:
        return Effect.TROUBLE, "operations wait until the flag is gone"
    return Effect.RISK, "under such a flag a failure is not noticed, or not mended"


_LISTED = ((Effect.TROUBLE, _TROUBLE), (Effect.SLOWS, _SLOWS), (Effect.RISK, _RISK), (Effect.HARMLESS, _HARMLESS))
_WORDS = tuple(
    (re.compile(words), code)
    for words, code in (
        (r"Reduced data availability", "PG_AVAILABILITY"),
        (r"Degraded data redundancy \(low space\)", "PG_DEGRADED_FULL"),
        (r"Degraded data redundancy", "PG_DEGRADED"),
        (r"objects misplaced", "OBJECT_MISPLACED"),
        (r"slow ops, oldest|slow requests", "SLOW_OPS"),
        (r"\bbackfillfull osd", "OSD_BACKFILLFULL"),
        (r"\bnearfull osd", "OSD_NEARFULL"),
        (r"\bnearfull$", "POOL_NEARFULL"),
        (r"^\d+ full osd", "OSD_FULL"),
        (r"\bosds? down", "OSD_DOWN"),
        (r"Slow OSD heartbeats on back", "OSD_SLOW_PING_TIME_BACK"),
        (r"Slow OSD heartbeats on front", "OSD_SLOW_PING_TIME_FRONT"),
        (r"spillover", "BLUEFS_SPILLOVER"),
        (r"slow operation indications in BlueStore", "BLUESTORE_SLOW_OP_ALERT"),
        (r"recently crashed", "RECENT_CRASH"),
        (r"not deep-scrubbed in time", "PG_NOT_DEEP_SCRUBBED"),
        (r"not scrubbed in time", "PG_NOT_SCRUBBED"),
        (r"clock skew", "MON_CLOCK_SKEW"),
        (r"flag\(s\) set", "OSDMAP_FLAGS"),
        (r"insecure global_id", "AUTH_INSECURE_GLOBAL_ID_RECLAIM_ALLOWED"),
        (r"not have an application enabled|application not enabled", "POOL_APP_NOT_ENABLED"),
        (r"no replicas configured", "POOL_NO_REDUNDANCY"),
        (r"[Mm]odule '.*' has (failed|failed dependency)", "MGR_MODULE_ERROR"),
    )
)
"""How Ceph words its summaries (src/mon/health_check.h and the places that fill it), 16 to 20."""
