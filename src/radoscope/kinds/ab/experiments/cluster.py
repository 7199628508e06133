"""Ready-made experiments on a cluster: the pool's size and compression, settings of the OSDs."""

from __future__ import annotations

import shlex

from radoscope.errors import PlanError, SiteError
from radoscope.kinds.ab.experiments.experiment import Experiment, States, Surroundings
from radoscope.session.target import Target
from radoscope.units import parse_bytes

CLUSTER_CELLS = ("rados-*", "rbd-*")
PROFILES = ("balanced", "high_client_ops", "high_recovery_ops")
_LEAST_MEMORY = 896 * 2**20
"""Below this, an OSD has no room for its cache beside osd_memory_base (768 MiB): Ceph refuses or swaps."""


def pool_size(*given: str) -> Experiment:
    """A: three copies of each object; B: two."""
    if len(given) == 1 or not all(value.isdigit() and 2 <= int(value) <= 10 for value in given):
        raise PlanError("pool-size takes two numbers of copies from 2 to 10", "Write: --experiment pool-size 3 2")
    a, b = given or ("3", "2")

    def states(around: Surroundings) -> States:
        up = int(around.need_cluster().ceph("osd", "stat")["num_up_osds"])
        if up < max(int(a), int(b)):
            raise SiteError(f"{max(int(a), int(b))} copies need as many OSDs, and {up} are up")
        command = 'ceph osd pool set "$RADOSCOPE_POOL" size'
        return States(f"{command} {a}", f"{command} {b}", 'ceph osd pool get "$RADOSCOPE_POOL" size')

    touches = (
        "the number of copies in radoscope's own pool. After each switch to more copies, what was written since is "
        "recovered: choose a plan with small images, and no rados cells, which make thousands of objects"
    )
    return Experiment(name=f"pool-size {a} {b}", touches=touches, states=states, check=_own_pool_only, cells=("rbd-*",))


def compression(algorithm: str = "snappy") -> Experiment:
    """A: no compression; B: aggressive, with snappy or the algorithm that is named."""
    if algorithm not in ("snappy", "zlib", "zstd", "lz4"):
        raise PlanError(f"there is no compression algorithm {algorithm!r}", "snappy, zlib, zstd or lz4.")

    def states(around: Surroundings) -> States:
        around.need_cluster()
        command = 'ceph osd pool set "$RADOSCOPE_POOL" compression'
        b = f"{command}_algorithm {algorithm} && {command}_mode aggressive"
        return States(f"{command}_mode none", b, 'ceph osd pool get "$RADOSCOPE_POOL" compression_mode')

    touches = "compression of radoscope's own pool. Its load is random bytes, so only the cost of trying shows"
    return Experiment(
        name=f"compression {algorithm}", touches=touches, states=states, check=_own_pool_only, cells=CLUSTER_CELLS
    )


def mclock_profile(profile: str = "high_client_ops") -> Experiment:
    """A: the OSDs' mClock profile as it is; B: high_client_ops, or the one that is named."""
    if profile not in PROFILES:
        raise PlanError(f"there is no mClock profile {profile!r}", f"Known: {', '.join(PROFILES)}.")

    def states(around: Surroundings) -> States:
        cluster = around.need_cluster()
        # of the OSD itself: the managers, which `config show` asks, do not know one that has just started
        first = cluster.ceph("osd", "ls")[0]
        queue = cluster.ceph("tell", f"osd.{first}", "config", "get", "osd_op_queue")["osd_op_queue"]
        if queue != "mclock_scheduler":
            raise SiteError(
                f"the OSDs' queue is {queue}, which has no mClock profiles",
                "osd_op_queue = mclock_scheduler takes effect when OSDs restart; it is the default from Ceph 17 on.",
            )
        return option_states(around, "osd_mclock_profile", profile)

    touches = "osd_mclock_profile of all OSDs of the cluster, in its configuration database"
    return Experiment(name=f"mclock-profile {profile}", touches=touches, states=states, cells=CLUSTER_CELLS)


def osd_memory_target(wanted: str = "") -> Experiment:
    """A: the OSDs' memory target as it is; B: the one that is named."""
    if not wanted:
        raise PlanError("osd-memory-target needs a size", "Write: --experiment osd-memory-target 2G")
    size = parse_bytes(wanted)
    if size < _LEAST_MEMORY:
        raise PlanError(f"{wanted} is too little memory for an OSD", "At least 896 MiB.")
    touches = (
        "osd_memory_target of all OSDs of the cluster, in its configuration database. Caches grow and shrink over "
        "minutes: --settle 60s or more"
    )
    return Experiment(
        name=f"osd-memory-target {wanted}",
        touches=touches,
        states=lambda around: option_states(around, "osd_memory_target", str(size)),
        cells=CLUSTER_CELLS,
    )


def option_states(around: Surroundings, option: str, wanted: str) -> States:
    """An option of all OSDs: A is exactly what the configuration database holds now, also when that is nothing.

    Raises SiteError where a part of the OSDs has a setting of its own, which would stay as it is.
    """
    entries = [one for one in around.need_cluster().ceph("config", "dump") or [] if one["name"] == option]
    special = [one for one in entries if one["section"] not in ("osd", "global") or one.get("mask")]
    if special:
        where = ", ".join("/".join(filter(None, (one["section"], one.get("mask")))) for one in special)
        raise SiteError(
            f"{option} is set separately for {where}, which would keep it",
            "Remove that setting, or give the commands with --a and --b.",
        )
    own = [one for one in entries if one["section"] == "osd"]
    a = f"ceph config set osd {option} {shlex.quote(own[0]['value'])}" if own else f"ceph config rm osd {option}"
    # Two lines: what the database holds, so that "unset" is told from "set to the default", and what holds for OSDs.
    show = (
        f'dump=$(ceph config dump) || exit 1; printf "%s\\n" "$dump" | grep -w {option} || echo "{option} is not set"; '
        f"ceph config get osd {option}"
    )
    return States(a, f"ceph config set osd {option} {shlex.quote(wanted)}", show)


def _own_pool_only(target: Target) -> None:
    if target.pool is not None:
        raise PlanError(
            "this experiment changes the pool, so it runs only in radoscope's own",
            "Leave --pool out; or give the commands for your pool with --a and --b.",
        )
