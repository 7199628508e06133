"""Other disks or another bandwidth for a running sandbox: nothing is restarted, load continues."""

from __future__ import annotations

from dataclasses import replace

from radoscope.errors import PlanError
from radoscope.sandbox import achieved, disks, network, registry
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.shape import DiskModel


def reshape(
    sandbox: Sandbox,
    *,
    bits_per_s: float | None = None,
    disk: DiskModel | None = None,
    write_cache: bool | None = None,
    measured: bool = True,
) -> Sandbox:
    """Change what is given, on all hosts and OSDs, and measure what came of it.

    write_cache: of the disk given, else of the one that is there. measured: else what is known of the shapes is
    dropped, because it no longer holds. Raises PlanError when the sandbox was not made for it, ToolFailed.
    """
    wanted = sandbox.spec.disk if disk is None else disk
    wanted = wanted if write_cache is None else wanted.with_write_cache(write_cache)
    if wanted != sandbox.spec.disk:
        _check_modelled(sandbox, wanted)
    rate = sandbox.spec.network_bits_per_s if bits_per_s is None else bits_per_s
    spec = replace(sandbox.spec, disk=wanted, network_bits_per_s=rate)
    changed = replace(sandbox, spec=spec)
    # Registered first: cut short, the same command goes on where it ended.
    registry.mark(changed, registry.State.UP)
    achieved.forget(changed)
    if wanted != sandbox.spec.disk:
        for file in (sandbox.load_disk_parameters, *map(sandbox.disk_parameters, sandbox.osds)):
            disks.write_parameters(file, wanted)
    if bits_per_s is not None:
        for host in sandbox.hosts:
            network.shape(changed, host, bits_per_s)
    if measured:
        achieved.measure(changed)
    return changed


def _check_modelled(sandbox: Sandbox, wanted: DiskModel) -> None:
    """The model is loaded when an OSD starts."""
    if sandbox.spec.disk.changes_nothing or wanted.changes_nothing:
        raise PlanError(
            "a running sandbox cannot switch between modelled disks and this machine's own",
            "Start the sandbox with a modelled disk: radoscope sandbox up NAME --disk plp-sata",
        )
    disks.check_can_model(wanted)
