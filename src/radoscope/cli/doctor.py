"""radoscope doctor: what is missing on this host, and the one command that installs it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from radoscope.cli.options import Named, target_options
from radoscope.errors import RadoscopeError, ToolFailed

if TYPE_CHECKING:
    from radoscope.ceph import Cluster
    from radoscope.session.target import Target
    from radoscope.sites.ways import Way

_FOR_FEW = {
    "ssh": "load from other hosts",
    "qemu-storage-daemon": "layer qemu",
    "qemu-system-x86_64": "layer guest",
    "busybox": "layer guest",
    "ceph-fuse": "layer cephfs",
}
"""Tools that most studies do without, and what needs them."""


@click.command()
@click.option("--cluster", "with_cluster", is_flag=True, help="Also check a cluster's health and settings.")
@click.option("--conf", type=click.Path(path_type=Path), default=Path("/etc/ceph/ceph.conf"), show_default=True)
@target_options("sandbox", "at", "image", "user", "keyring", "ssh_config")
def command(with_cluster: bool, conf: Path, named: Named) -> None:
    """Say what is missing on this host, with the one command that installs it.

    With --cluster or --sandbox, also look at a cluster for what would spoil a measurement. With --at, look at the host
    where commands and load would run, and at its cluster, instead. Changes nothing.
    """
    target = replace(named.target(), conf=None if named.values["sandbox"] else conf)
    with_cluster = with_cluster or not target.conf or target.at is not None
    missing, faults = _check_there(target) if target.at else _check_host()
    if with_cluster and not (target.at and faults):
        faults += _check_cluster(target)
    if missing:
        where = f" ({target.at})" if target.at else ""
        install = f"apt-get install --no-install-recommends {' '.join(missing)}"
        click.echo(f"\nInstall what is missing{where}:\n  {install}")
    click.echo(f"\n{_verdict(missing, faults, target.at or 'this host', looked_at_cluster=with_cluster)}")
    sys.exit(1 if missing or faults else 0)


def _verdict(missing: list[str], faults: list[str], host: str, *, looked_at_cluster: bool) -> str:
    if not missing and not faults:
        return f"Ready: {host} and the cluster." if looked_at_cluster else f"Ready: {host}."
    lacks = [f"{len(missing)} packages missing" if len(missing) > 1 else "1 package missing"] if missing else []
    return f"Not ready: {'; '.join(lacks + faults)}."


def _check_host() -> tuple[list[str], list[str]]:
    """(packages that are missing, what else fails)."""
    from radoscope import paths
    from radoscope.memory import available_bytes
    from radoscope.tools import PACKAGE_OF
    from radoscope.units import format_bytes

    missing: set[str] = set()
    needs = {**PACKAGE_OF, "ceph-mon": "ceph-mon", "ceph-mgr": "ceph-mgr", "ceph-osd": "ceph-osd"}
    for tool, package in needs.items():
        found = shutil.which(tool) or shutil.which(tool, path="/usr/sbin:/sbin:/usr/bin:/bin")
        use = " (for the embedded cluster)" if tool.startswith("ceph-") else ""
        if not found and tool in _FOR_FEW:
            click.echo(f"  note    {tool}: not installed; {_FOR_FEW[tool]} needs package {package}")
            continue
        _line(bool(found), f"{tool}{use}", found or f"package {package}", otherwise="missing")
        if not found:
            missing.add(package)
    home = paths.home()
    base = next(folder for folder in (home, *home.parents) if folder.exists())
    writable, free = os.access(base, os.W_OK), shutil.disk_usage(base).free
    memory = available_bytes() or 0
    checks = (
        (writable, "studies", f"{paths.studies()}" if writable else f"{base} is not writable; set RADOSCOPE_HOME"),
        (free > 15 * 2**30, "disk", f"{format_bytes(free)} free; a sandbox and a quick study need 15 GiB"),
        (memory > 4 * 2**30, "memory", f"{format_bytes(memory)} available; a sandbox needs 4 GiB"),
    )
    for good, name, words in checks:
        _line(good, name, words)
    for words in (*_power_states(), *_ping_right()):
        click.echo(f"  note    {words}")
    return sorted(missing), [f"{name}: {words}" for good, name, words in checks if not good]


def _check_there(target: Target) -> tuple[list[str], list[str]]:
    """The same of the host that --at names: (packages that are missing there, what else fails). Raises SiteError."""
    from radoscope.run.client_hosts import look
    from radoscope.session import proxmox
    from radoscope.session.there import cluster_of
    from radoscope.sites.container import Container
    from radoscope.sites.pod import Pod, rights_that_lack
    from radoscope.tools import PACKAGE_OF

    cluster = cluster_of(target)
    site = cluster.site
    if isinstance(site, Pod) and (lacking := rights_that_lack(site)):
        _line(False, "rights", f"you may not {', '.join(lacking)} here", "missing")
        return [], ["rights in Kubernetes"]
    wanted = ("ceph", "rados", "rbd", "fio", "iperf3", "ping")
    if proxmox.is_pve(target.at):
        _show_proxmox(cluster)
    seen = look(site, wanted)
    of_image = isinstance(site, Container | Pod)
    for tool in wanted:
        found = tool not in seen.missing
        lack = "not in the image" if of_image else f"package {PACKAGE_OF[tool]}"
        _line(found, tool, seen.versions.get(tool, "there") if found else lack, "missing")
    if of_image:  # nobody installs anything there
        if seen.faults:
            but = ", but RBD is measured with rbd bench" if "fio" in seen.missing else ""
            click.echo(f"  note    {'; '.join(seen.faults)}: such cells are left out{but}; --image names another one")
        return [], []
    other = [tool for tool in seen.missing if tool not in wanted]
    faults = [fault for fault in seen.faults if not fault.endswith("is not installed")]
    for fault in faults:
        _line(False, "load", fault)
    missing = {PACKAGE_OF.get(tool, tool) for tool in (*other, *seen.missing)}
    return sorted(missing), faults


def _show_proxmox(cluster: Cluster) -> None:
    from radoscope.session import proxmox

    seen = proxmox.look(cluster.site)
    _line(bool(seen.release), "Proxmox VE", seen.release or "its version is not known")
    _line(all(one.online for one in seen.members), "nodes", seen.nodes, "note")
    with suppress(RadoscopeError):  # a cluster that does not answer is told by its own check
        for words in proxmox.corosync_beside_ceph(seen, cluster.ceph("osd", "metadata") or []):
            click.echo(f"  note    {words}")


def _check_cluster(target: Target) -> list[str]:
    """Show health and static pitfalls; what would stop a study."""
    from radoscope import explain
    from radoscope.records import health
    from radoscope.session.there import look_at

    environment, ways = look_at(target)
    cluster = environment.cluster
    if cluster is None:
        return ["the cluster's status cannot be read"]
    checks = [health.judge_text(check) for check in cluster.health_checks]
    refusing = [str(check) for check in checks if check.refuses]
    if cluster.health == "HEALTH_ERR" and not checks:
        refusing = ["HEALTH_ERR"]
    _line(not refusing, "health", cluster.health)
    for check in checks:
        click.echo(f"  note    {check} ({check.because})")
    mixed = "" if len(cluster.versions.get("osd", ())) < 2 else ", and others"
    up = f"{cluster.osds_up} of {cluster.osds} up, {cluster.version}{mixed}"
    _line(cluster.osds_up == cluster.osds, "OSDs", up)
    _show_ways(ways)
    findings = explain.check_environment(environment)
    for finding in findings:
        click.echo(f"  note    {finding.claim}  [{'; '.join(finding.because)}]")
        if finding.try_next:
            click.echo(f"          {finding.try_next}")
    return refusing


def _show_ways(ways: Sequence[Way]) -> None:
    amiss = [words for way in ways if (words := way.amiss)]
    for words in amiss:
        _line(False, "network", words, "note")
    if any(way.large is False for way in ways):
        click.echo("          Set the same MTU everywhere: where a switch has the smaller one, connections hang.")
    if not amiss and any(way.answers for way in ways):
        large = ", of full MTU too" if all(way.large for way in ways) else ""
        _line(True, "network", f"hosts of OSDs answer pings{large}: {len(ways)}")


def _line(good: bool, name: str, words: str, otherwise: str = "failed") -> None:
    click.echo(f"  {'ok     ' if good else click.style(f'{otherwise:7}', fg='red')} {name}: {words}")


def _power_states() -> Iterator[str]:
    governor = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    if governor.exists() and (mode := governor.read_text().strip()) not in ("performance", "schedutil"):
        yield f"the CPU governor is {mode}: latencies at low load will look worse than at high load"


def _ping_right() -> Iterator[str]:
    from radoscope.explain.rules.measuring import PING_RIGHT
    from radoscope.tools import call

    try:
        if shutil.which("ping"):
            call(("ping", "-n", "-c", "1", "-W", "1", "127.0.0.1"), timeout_s=5)
    except ToolFailed as failure:
        if "not permitted" in failure.message:
            yield f"ping: this user may not send any, so the cell network-ping would fail; {PING_RIGHT}"
