"""A/B experiments: the user's own commands, and ready-made ones."""

from __future__ import annotations

from collections.abc import Sequence

from radoscope.errors import PlanError
from radoscope.kinds.ab.experiments import client, cluster, guest, host
from radoscope.kinds.ab.experiments.experiment import Experiment, Ready, States, Surroundings

READY: tuple[Ready, ...] = (
    Ready(
        name="write-cache",
        usage="DEVICE",
        question="What does the drive's volatile write cache bring? (hdparm -W)",
        make=host.write_cache,
    ),
    Ready(
        name="governor",
        usage="[GOVERNOR]",
        question="Does the CPU governor cost latency? B: performance",
        make=host.governor,
    ),
    Ready(name="c-states", usage="", question="Do sleeping CPUs cost latency? B: no deep sleep", make=host.c_states),
    Ready(
        name="mtu",
        usage="INTERFACE [BYTES]",
        question="Do jumbo frames help? B: 9000, or 1500 where it is not",
        make=host.mtu,
    ),
    Ready(
        name="pool-size",
        usage="[A B]",
        question="What does a copy cost? A: 3, B: 2, in radoscope's own pool",
        make=cluster.pool_size,
    ),
    Ready(
        name="compression",
        usage="[ALGORITHM]",
        question="What does compression cost? B: aggressive, in radoscope's own pool",
        make=cluster.compression,
    ),
    Ready(
        name="mclock-profile",
        usage="[PROFILE]",
        question="Does another mClock profile help clients? B: high_client_ops",
        make=cluster.mclock_profile,
    ),
    Ready(
        name="osd-memory-target",
        usage="BYTES",
        question="Do OSDs with more or less memory differ?",
        make=cluster.osd_memory_target,
    ),
    Ready(
        name="encryption",
        usage="",
        question="What do encrypted connections cost? A: crc, B: secure",
        make=client.encryption,
    ),
    Ready(
        name="vm-cache",
        usage="[MODE]",
        question="What does a cache mode of a virtual drive bring? A: none, B: writeback",
        make=guest.vm_cache,
    ),
    Ready(
        name="vm-controller",
        usage="",
        question="Which controller for a virtual drive? A: virtio-scsi-single, B: virtio-blk",
        make=guest.vm_controller,
    ),
    Ready(
        name="iothread",
        usage="",
        question="Does a virtual drive want a thread of its own? B: none",
        make=guest.iothread,
    ),
    Ready(name="krbd-vs-librbd", usage="", question="The kernel client against librbd", make=client.krbd),
    Ready(
        name="cephx", usage="", question="With and without authentication; refused, with the reason", make=client.cephx
    ),
)


def ready_made(name: str, values: Sequence[str] = ()) -> Experiment:
    """A ready-made experiment by name. Raises PlanError where there is none, or its arguments are not such."""
    for one in READY:
        if one.name == name:
            return one.make(values)
    raise PlanError(f"there is no experiment {name!r}", f"Known: {', '.join(one.name for one in READY)}.")


def of_commands(a: str, b: str, show: str | None) -> Experiment:
    """An experiment of the user's own commands."""
    for which, command in (("a", a), ("b", b)):
        if not command.strip():
            raise PlanError(f"--{which} is empty", "`true` is the command that changes nothing.")
    proof = f", and `{show}` verifies it" if show else "; without --show this cannot be verified"
    return Experiment(
        name="own commands",
        touches=f"whatever these commands do: A `{a}`, B `{b}`. At the end A is restored{proof}",
        states=lambda around: States(a, b, show),
    )


__all__ = ["READY", "Experiment", "Ready", "States", "Surroundings", "of_commands", "ready_made"]
