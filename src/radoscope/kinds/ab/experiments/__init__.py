"""A/B experiments: the user's own commands, and ready-made ones."""

from __future__ import annotations

from collections.abc import Sequence

from radoscope.errors import PlanError
from radoscope.kinds.ab.experiments import client, cluster, guest, host
from radoscope.kinds.ab.experiments.experiment import Experiment, Ready, States, Surroundings

READY: tuple[Ready, ...] = (
    Ready("write-cache", "DEVICE", "What does the drive's volatile write cache gain? (hdparm -W)", host.write_cache),
    Ready("governor", "[GOVERNOR]", "Does the CPU governor cost latency? B: performance", host.governor),
    Ready("c-states", "", "Do sleeping CPUs cost latency? B: no deep sleep", host.c_states),
    Ready("mtu", "INTERFACE [BYTES]", "Do jumbo frames help? B: 9000, or 1500 where it is not", host.mtu),
    Ready("pool-size", "[A B]", "What does a copy cost? A: 3, B: 2, in radoscope's own pool", cluster.pool_size),
    Ready(
        "compression",
        "[ALGORITHM]",
        "What does compression cost? B: aggressive, in radoscope's own pool",
        cluster.compression,
    ),
    Ready(
        "mclock-profile",
        "[PROFILE]",
        "Does another mClock profile help clients? B: high_client_ops",
        cluster.mclock_profile,
    ),
    Ready("osd-memory-target", "BYTES", "Do OSDs with more or less memory differ?", cluster.osd_memory_target),
    Ready("encryption", "", "What do encrypted connections cost? A: crc, B: secure", client.encryption),
    Ready("vm-cache", "[MODE]", "What does a virtual drive's cache mode gain? A: none, B: writeback", guest.vm_cache),
    Ready(
        "vm-controller",
        "",
        "Which controller for a virtual drive? A: virtio-scsi-single, B: virtio-blk",
        guest.vm_controller,
    ),
    Ready("iothread", "", "Does a virtual drive need a thread of its own? B: none", guest.iothread),
    Ready("krbd-vs-librbd", "", "The kernel client against librbd", client.krbd),
    Ready("cephx", "", "With and without authentication; refused, with the reason", client.cephx),
)


def ready_made(name: str, values: Sequence[str] = ()) -> Experiment:
    """A ready-made experiment by name. Raises PlanError where there is none, or its arguments are not such."""
    for one in READY:
        if one.name == name:
            if excess := values[len(one.usage.split()) :]:
                usage = f"Write: {name} {one.usage}".rstrip()
                raise PlanError(f"{name} does not take {' '.join(excess)!r}", usage)
            return one.make(*values)
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
