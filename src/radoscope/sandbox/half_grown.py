"""A sandbox to which OSDs or a host were being added when that ended early: back to what it was, or made whole.

An OSD that has been up holds copies of data, perhaps the only ones: it stays, and is started. One that was not goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from radoscope.ceph import Connection
from radoscope.errors import RadoscopeError
from radoscope.sandbox import daemons, network, registry
from radoscope.sandbox.cluster import Sandbox
from radoscope.sandbox.layout import Layout, Osd
from radoscope.sandbox.processes import end_labelled
from radoscope.sandbox.registry import remove_folder


def straighten(sandbox: Sandbox, before: Layout) -> Sandbox:
    """Take back what was half added, keep what holds data. Raises SiteError when the monitors do not answer.

    sandbox: with all that was to be. before: its layout before that. Can be done again when it was cut short itself.
    """
    new = [osd for osd in sandbox.osds if osd not in before.osds]
    for osd in new:  # before the monitors are asked, so that none comes up after that
        for daemon in (f"mkfs.{osd.daemon}", osd.daemon):
            end_labelled(sandbox.label, daemon)
    with sandbox.connected() as cluster:
        used = _have_been_up(cluster)
        for osd in new:
            if osd.id not in used:
                _take_back(sandbox, osd, cluster)
        kept = tuple(osd for osd in sandbox.osds if osd in before.osds or osd.id in used)
        hosts = {host.name for host in before.hosts} | {osd.host for osd in kept}
        for host in sandbox.hosts:
            if host.name not in hosts:
                cluster.tell("osd crush rm", name=host.name)
                network.unplug(sandbox, host)
    for osd in kept:
        if osd in new:
            daemons.begin_osd(sandbox, osd)
    stay = tuple(host for host in sandbox.hosts if host.name in hosts)
    return registry.relabel(sandbox, replace(sandbox.layout, hosts=stay, osds=kept))


@contextmanager
def taken_back_on_failure(sandbox: Sandbox) -> Iterator[None]:
    """Within, something is added. Where even taking it back fails, `radoscope clean` tries again."""
    try:
        yield
    except BaseException:
        entry = registry.entry(sandbox.name)
        if entry.before is not None:
            with suppress(RadoscopeError):
                straighten(entry.sandbox, entry.before)
        raise


def _have_been_up(cluster: Connection) -> set[int]:
    return {osd["osd"] for osd in cluster.ask("osd dump")["osds"] if osd["up_from"] > 0}


def _take_back(sandbox: Sandbox, osd: Osd, cluster: Connection) -> None:
    """An OSD that may have a folder, a key, a number in the map, or none of them yet."""
    cluster.tell("osd purge-actual", id=osd.id, yes_i_really_mean_it=True)
    cluster.tell("auth rm", entity=osd.daemon)
    remove_folder(sandbox.osd_directory(osd))
    remove_folder(sandbox.directory / f"ceph.{osd.daemon}.keyring")
