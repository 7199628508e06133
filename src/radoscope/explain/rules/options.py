"""Options and releases of Ceph that cost speed."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping

from radoscope.explain.evidence import CellEvidence, number_in
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict, ceph_cell, reads_ceph
from radoscope.explain.times import queue_wait, share_of
from radoscope.records.environment import ClusterFacts, Environment, OsdFacts
from radoscope.records.telemetry import ONODE_HITS, ONODE_MISSES, READ_ONODE_META_LAT
from radoscope.units import format_bytes
from radoscope.words import _

# mClock's idea of what the OSDs can do: spread over equal drives, outside reason, or in favour of recovery.

_CAPACITY_OF, _NO_LIMIT = "osd_mclock_max_capacity_iops_", 999_999
_CAPACITY = re.compile(rf"{_CAPACITY_OF}(ssd|hdd)")
_SENSIBLE = {"ssd": (1000.0, 80_000.0), "hdd": (50.0, 500.0)}
"""The limits beyond which newer releases reject what the start-up benchmark found (ceph/ceph#59743)."""
_QUEUED = 0.3
_SPREAD = 1.5
"""Equal drives measure within 15 % of another; a factor of 1.5 is the benchmark's error, not the drives'."""


def _mclock_of_environment(environment: Environment) -> Verdict:
    if environment.cluster is None:
        return Unchecked(_("the cluster's configuration was not recorded"))
    cluster = environment.cluster
    if not any(map(cluster.may_schedule_by_mclock, [osd.options for osd in cluster.each_osd] or [{}])):
        return None
    facts = _capacity_facts(environment) + _profile_facts(environment)
    if not facts:
        return None
    return Finding(
        claim=_("mClock's settings do not fit the drives or the load."),
        because=tuple(facts),
        unless=_("no recovery runs and the scheduler is wpq: then mClock has no effect"),
        try_next=_(
            "Measure each OSD (ceph tell osd.N bench, three times), then: ceph config set osd.N "
            "osd_mclock_max_capacity_iops_ssd VALUE; ceph config set osd osd_mclock_profile balanced"
        ),
    )


def client_limit(cluster: ClusterFacts, options: Mapping[str, str]) -> float | None:
    """What mClock holds an OSD's clients to, as somebody set it or as a profile made it of the capacity; None where
    nothing limits them: the profile of Ceph 20 has no such limit, whatever the capacity."""
    limit = number_in(options.get("osd_mclock_scheduler_client_lim")) or 0.0
    return limit if cluster.may_schedule_by_mclock(options) and 0 < limit < _NO_LIMIT else None


def _believed(osd: OsdFacts) -> tuple[str, float] | None:
    """(option, capacity) that is set for an OSD and too low for a kind of drives; the option is that of its own kind,
    where both are set."""
    set_for = {
        kind: number
        for kind in _SENSIBLE
        if (number := number_in(osd.options.get(f"{_CAPACITY_OF}{kind}"))) is not None
    }
    low = [number for kind, number in set_for.items() if number < _SENSIBLE[kind][0]]
    own = "hdd" if osd.rotational and "hdd" in set_for else next(iter(set_for), "")
    return (f"{_CAPACITY_OF}{own}", min(low)) if low else None


def _mclock_of_cell(evidence: CellEvidence) -> Verdict:
    """Operations that wait in the OSDs' queues because the scheduler believes in less than the drives can do, and holds
    clients to that."""
    cluster = evidence.environment.cluster
    if cluster is None:
        return Unchecked(_("the cluster's configuration was not recorded"))
    limited = [osd for osd in cluster.each_osd if client_limit(cluster, osd.options)]
    low = [believed for osd in limited if (believed := _believed(osd)) is not None]
    share = share_of(evidence.segments, queue_wait)
    if not low or share is None or share.value < _QUEUED:
        return None
    return Finding(
        claim=_("mClock holds operations back: it believes the OSDs to be far slower than they are."),
        because=(
            _(
                "osd_mclock_max_capacity_iops is {low:,.0f} on {n} of {all} OSDs",
                low=min(number for _option, number in low),
                n=len(low),
                all=len(cluster.each_osd),
            ),
            _("{share} of the mean latency passes in the OSDs' queues", share=share),
        ),
        severity=Severity.DOUBTFUL,
        try_next=_(
            "Measure each OSD (radoscope osd-bench), then set what it prints, or: ceph config rm osd.N {option}",
            option=low[0][0],
        ),
        role=Role.CAUSE,
        resource="mClock",
        explains=share.or_more(),
        hides=("uneven-load", "slow-transfers"),
    )


def _capacity_facts(environment: Environment) -> list[str]:
    by_class: dict[str, list[float]] = {}
    for option, value in environment.cluster.changed_options.items() if environment.cluster else ():
        match = _CAPACITY.search(option)
        number = number_in(value)
        if match and number is not None:
            by_class.setdefault(match[1], []).append(number)
    facts = []
    for kind, values in by_class.items():
        low, high = _SENSIBLE[kind]
        if min(values) < low or max(values) > high:
            facts.append(
                _(
                    "{kind} capacity {least:,.0f} to {most:,.0f} IOPS; sensible is {low:,.0f} to {high:,.0f}",
                    kind=kind,
                    least=min(values),
                    most=max(values),
                    low=low,
                    high=high,
                )
            )
        elif min(values) > 0 and max(values) / min(values) > _SPREAD:
            facts.append(
                _(
                    "{kind} capacity differs between OSDs: {least:,.0f} to {most:,.0f} IOPS",
                    kind=kind,
                    least=min(values),
                    most=max(values),
                )
            )
    return facts


def _profile_facts(environment: Environment) -> list[str]:
    options = environment.cluster.changed_options if environment.cluster else {}
    favoured = [value for option, value in options.items() if option.endswith("osd_mclock_profile")]
    return ["osd_mclock_profile = high_recovery_ops"] if "high_recovery_ops" in favoured else []


MCLOCK_RULE = Rule(
    "mclock",
    "Does mClock know the OSDs' capacity?",
    pitfalls=(10,),
    concerns=ceph_cell,
    cell=_mclock_of_cell,
    environment=_mclock_of_environment,
)


# Too little memory for the OSDs' cache: reads first read where their data is.

_MISSED = 0.1
_LEAST_SHARE = 0.15
_OPTIONS = ("osd_memory_target", "bluestore_cache_size", "bluestore_cache_size_ssd", "bluestore_cache_size_hdd")


def _small_cache_of_cell(evidence: CellEvidence) -> Verdict:
    hits, misses = evidence.total(ONODE_HITS), evidence.total(ONODE_MISSES)
    if hits is None or misses is None or hits + misses <= 0:
        return Unchecked(_("the OSDs' counts of found and missed onodes were not recorded"))
    missed = misses / (hits + misses)
    share = share_of(evidence.segments, lambda one: one.counters.get(READ_ONODE_META_LAT.name))
    if missed < _MISSED or share is None or share.value < _LEAST_SHARE:
        return None
    return Finding(
        claim=_("The OSDs have too little memory: they look up on the drive where an object's data is."),
        because=(
            _("{missed:.0%} of the onodes were not in memory", missed=missed),
            _("reading them takes {share} of the mean latency", share=share),
            *_settings(evidence),
        ),
        unless=_("the OSDs were started just before"),
        try_next=_("ceph config set osd osd_memory_target 4G, where the hosts have it"),
        role=Role.CAUSE,
        resource="OSD memory",
        explains=share,
    )


def _settings(evidence: CellEvidence) -> tuple[str, ...]:
    cluster = evidence.environment.cluster
    options = cluster.each_osd[0].options if cluster and cluster.each_osd else {}
    found = {name: options[name] for name in _OPTIONS if options.get(name, "").isdigit()}
    return tuple(f"{name} = {format_bytes(int(value))}" for name, value in found.items() if int(value) > 0)


SMALL_CACHE_RULE = Rule(
    "small-cache", "Do the OSDs hold in memory where their data is?", concerns=reads_ceph, cell=_small_cache_of_cell
)


# Debug logging, lockdep and other options that make Ceph slow.

_BESIDE_IO = re.compile(r"(?:mon|mgr|mds)\b")
_LOGS_BESIDE_IO = re.compile(r"debug_(?:mon|mgr|mds|paxos|elector|journaler|asok|heartbeatmap|perfcounter)")
"""Daemons that no I/O passes, and what only these log: with the monitors standing still half of the time it was as fast
as before, and with an MDS that may use a tenth of a core the I/O of files, too."""
_LOUD = 5
"""Level written to the log. Ceph's defaults are 0 or 1 (5 for rocksdb's and the monitors' own subsystems)."""


def _debug_levels_of_environment(environment: Environment) -> Verdict:
    if environment.cluster is None:
        return Unchecked(_("the cluster's configuration was not recorded"))
    cluster = environment.cluster
    loud = {f"osd.{osd.id}": facts for osd in cluster.each_osd if (facts := tuple(_slow_options(osd.options)))}
    told = Counter(fact for facts in loud.values() for fact in facts)
    in_daemons = (f"{fact} in {count} of {len(cluster.each_osd)} OSDs" for fact, count in told.items())
    on_the_way = {option: value for option, value in cluster.changed_options.items() if not _BESIDE_IO.match(option)}
    of_all = tuple(_slow_options(on_the_way))
    because = (*of_all, *in_daemons)
    if not because:
        return None
    some = 0 < len(loud) < len(cluster.each_osd) and not of_all
    clients = any(not fact.startswith("osd") for fact in of_all)
    removals = "".join(f"ceph config rm {_place_of(fact)}; " for fact in of_all)
    return Finding(
        claim=_("Ceph's debug logging or checks slow it down."),
        because=because,
        severity=Severity.DOUBTFUL,
        try_next=f"{removals}ceph tell osd.* config set debug_osd 1/5",
        role=Role.CAUSE,
        resource=", ".join(loud) if some else "logging",
        hides=("osd-cpu", "slow-transfers", *(("sick-osd",) if some else ()), *(("client-cpu",) if clients else ())),
    )


def _place_of(fact: str) -> str:
    """ "osd debug_osd" of "osd/debug_osd = 20/20"."""
    section, _slash, option = fact.partition(" = ")[0].rpartition("/")
    return f"{shlex.quote(section or 'global')} {shlex.quote(option)}"


def _slow_options(options: Mapping[str, str]) -> Iterator[str]:
    for option, value in options.items():
        name = option.replace("/", " ").replace(":", " ").split()[-1]
        if name.startswith("debug_") and not _LOGS_BESIDE_IO.match(name) and _level(value) > _LOUD:
            yield f"{option} = {value}"
        if name == "lockdep" and value.lower() in ("true", "1", "yes"):
            yield f"{option} = {value}"
        if "_inject_" in name and re.fullmatch(r"0*\.?0*|false|none", value.lower()) is None:
            yield f"{option} = {value}"


def _level(value: str) -> int:
    """ "20/20" -> 20, the level written to the log; what is no level counts as 0."""
    first = value.split("/")[0].strip()
    return int(first) if first.isdigit() else 0


DEBUG_LEVELS_RULE = Rule(
    "debug-levels",
    "Is debug logging off?",
    pitfalls=(20,),
    concerns=ceph_cell,
    environment=_debug_levels_of_environment,
)


# Daemons of several releases in one cluster, and releases that nobody has tried radoscope with.

NEWEST_TESTED = 20
"""The newest major release of Ceph that `make releases` runs on (docs/releases.md)."""


def _versions_of_environment(environment: Environment) -> Verdict:
    versions = environment.cluster.versions if environment.cluster else {}
    daemons = {kind: counts for kind, counts in versions.items() if kind != "overall"}
    if not daemons:
        return Unchecked(_("the daemons' versions were not recorded"))
    by_version = sum((Counter(counts) for counts in daemons.values()), Counter[str]())
    if len(by_version) > 1:
        return _mixed(by_version, daemons.get("osd", {}))
    return _unknown(by_version)


def _mixed(by_version: Mapping[str, int], osds: Mapping[str, int]) -> Finding:
    counted = tuple(
        _("{count} daemons: {version}", count=count, version=version) for version, count in sorted(by_version.items())
    )
    return Finding(
        claim=_("The OSDs run different releases of Ceph.")
        if len(osds) > 1
        else _("The daemons run different releases of Ceph."),
        because=counted,
        unless=_("an upgrade is under way"),
        try_next=_("ceph versions; finish the upgrade before you compare"),
    )


def _unknown(by_version: Mapping[str, int]) -> Finding | None:
    major = max((int(found[1]) for version in by_version if (found := re.search(r"(\d+)\.\d+", version))), default=0)
    if major <= NEWEST_TESTED:
        return None
    return Finding(
        claim=_(
            "Ceph {major} is newer than {newest_tested}, the newest release that radoscope was tested with.",
            major=major,
            newest_tested=NEWEST_TESTED,
        ),
        because=tuple(sorted(by_version)),
        unless=_("it answers as its predecessor does, which is what is assumed"),
        try_next=_("radoscope's changelog: is there a version that knows it?"),
    )


VERSIONS_RULE = Rule(
    "versions", "Do all daemons run the same release?", concerns=ceph_cell, environment=_versions_of_environment
)
