"""Ready-made experiments on the drive of a guest: both states are drives of the same guest, on the same image."""

from __future__ import annotations

from dataclasses import replace

from radoscope.errors import PlanError
from radoscope.kinds.ab.experiments.experiment import Experiment, States, Surroundings
from radoscope.records.conditions import BUSES, CACHES, Conditions

_PLAN, _CELLS = "guest", ("guest-4k-randwrite-qd1", "guest-4k-randread-qd1")


def vm_cache(mode: str = "writeback") -> Experiment:
    """A: cache=none, as Proxmox VE makes a drive; B: writeback, or the mode that is named."""
    if mode not in CACHES or mode == "none":
        others = ", ".join(one for one in CACHES if one != "none")
        raise PlanError(f"cache={mode} is no state B beside cache=none", f"Known: {others}.")
    return _of_drives(f"vm-cache {mode}", "cache=none", f"cache={mode}", cache=mode)


def vm_controller() -> Experiment:
    """A: virtio-scsi-single; B: virtio-blk."""
    return _of_drives("vm-controller", BUSES[0], BUSES[1], bus=BUSES[1])


def iothread() -> Experiment:
    """A: with a thread of its own for the drive; B: without."""
    return _of_drives("iothread", "iothread=1", "iothread=0", iothread=False)


def _of_drives(name: str, a: str, b: str, **changed: str | bool) -> Experiment:
    def b_of(asked: Conditions) -> Conditions:
        if not asked.bus:
            raise PlanError(f"{name} is about the drive of a guest", "Choose cells of the layer guest: --plan guest.")
        return replace(asked, **changed)  # type: ignore[arg-type]

    def states(around: Surroundings) -> States:
        return States(f": {a}", f": {b}")  # the shell's own no-op: the load goes to another drive of the guest

    touches = "nothing: the guest that radoscope starts has both drives, and the load goes to one or the other"
    return Experiment(name=name, touches=touches, states=states, cells=_CELLS, plan=_PLAN, b_of=b_of)
