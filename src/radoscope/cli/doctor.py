"""radoscope doctor: what is missing on this host, and the one command that installs it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import click

_FOR_FEW = {"ssh": "load from other hosts"}
"""Tools that most studies do without, and what needs them."""


@click.command()
@click.option("--cluster", "with_cluster", is_flag=True, help="Also check a cluster's health and settings.")
@click.option("--conf", type=click.Path(path_type=Path), default=Path("/etc/ceph/ceph.conf"), show_default=True)
@click.option("--sandbox", metavar="NAME", help="Check this embedded cluster.")
@click.option("--id", "user", default="admin", show_default=True)
@click.option("--keyring", type=click.Path(path_type=Path))
def command(with_cluster: bool, conf: Path, sandbox: str | None, user: str, keyring: Path | None) -> None:
    """Say what is missing on this host, with the one command that installs it.

    With --cluster or --sandbox, also look at a cluster for what would spoil a measurement. Changes nothing.
    """
    missing, faults = _check_host()
    if with_cluster or sandbox:
        faults += _check_cluster(conf, sandbox, user, keyring)
    if missing:
        click.echo(f"\nInstall what is missing:\n  apt-get install --no-install-recommends {' '.join(missing)}")
    click.echo(f"\n{_verdict(missing, faults, looked_at_cluster=with_cluster or sandbox is not None)}")
    sys.exit(1 if missing or faults else 0)


def _verdict(missing: list[str], faults: list[str], *, looked_at_cluster: bool) -> str:
    if not missing and not faults:
        return "Ready: this host and the cluster." if looked_at_cluster else "Ready: this host."
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
    for words in _power_states():
        click.echo(f"  note    {words}")
    return sorted(missing), [f"{name}: {words}" for good, name, words in checks if not good]


def _check_cluster(conf: Path, sandbox: str | None, user: str, keyring: Path | None) -> list[str]:
    """Show health and static pitfalls; what would stop a study."""
    from radoscope import explain
    from radoscope.records import health
    from radoscope.session.target import Target
    from radoscope.workflow.inspect import environment_of

    name = user if "." in user else f"client.{user}"
    target = Target(sandbox=sandbox) if sandbox else Target(conf=conf, user=name, keyring=keyring)
    environment = environment_of(target)
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
    _line(cluster.osds_up == cluster.osds, "OSDs", f"{cluster.osds_up} of {cluster.osds} up, {cluster.version}")
    findings = explain.check_environment(environment)
    for finding in findings:
        click.echo(f"  note    {finding.claim}  [{'; '.join(finding.because)}]")
        if finding.try_next:
            click.echo(f"          {finding.try_next}")
    return refusing


def _line(good: bool, name: str, words: str, otherwise: str = "failed") -> None:
    click.echo(f"  {'ok     ' if good else click.style(f'{otherwise:7}', fg='red')} {name}: {words}")


def _power_states() -> Iterator[str]:
    governor = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    if governor.exists() and (mode := governor.read_text().strip()) not in ("performance", "schedutil"):
        yield f"the CPU governor is {mode}: latencies at low load will look worse than at high load"
