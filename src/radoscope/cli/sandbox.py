"""`radoscope sandbox`: a real throw-away Ceph cluster on this machine."""

from __future__ import annotations

import json
import shlex
import signal
import time
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from radoscope.errors import PlanError, RadoscopeError
from radoscope.units import format_bytes, parse_bytes

if TYPE_CHECKING:
    from radoscope.sandbox import Sandbox

# radoscope.sandbox is imported within the functions: it loads pydantic, which --help does not need.

_NAME = click.argument("name", default="default")


@click.group(name="sandbox")
def command() -> None:
    """A real throw-away Ceph cluster on this machine: monitors, managers, OSDs, cephx; no root needed for one host."""


@command.command()
@_NAME
@click.option("--osds", default=3, show_default=True, help="OSDs.")
@click.option("--size", default=3, show_default=True, help="Replicas of a new pool.")
@click.option(
    "--osd-size", default="12G", show_default=True, help="What each OSD believes to have; its file is sparse."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def up(name: str, osds: int, size: int, osd_size: str, as_json: bool) -> None:
    """Start a sandbox and wait for HEALTH_OK. Interrupted, it removes what it made."""
    from radoscope import sandbox

    spec = sandbox.SandboxSpec(name=name, osds=osds, size=size, osd_bytes=parse_bytes(osd_size))
    begin = time.monotonic()

    def say(step: str) -> None:
        click.echo(f"{time.monotonic() - begin:7.2f} s  {step}", err=True)

    _stop_on_sigterm()
    made = sandbox.up(spec, say)
    if as_json:
        click.echo(json.dumps({"name": made.name, "fsid": made.fsid, "conf": str(made.conf)}))
        return
    click.echo(f"The sandbox {name} is up. Talk to it with:")
    click.echo(f"  eval $(radoscope sandbox env {name}) && ceph -s")


@command.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def status(name: str | None, as_json: bool) -> None:
    """How a sandbox is; of all of them when no name is given."""
    from radoscope.sandbox import registry

    found = [_status_of(registry.entry(each)) for each in ((name,) if name else registry.names())]
    if as_json:
        click.echo(json.dumps(found if name is None else found[0], indent=1))
    elif not found:
        click.echo("There is no sandbox. Start one with: radoscope sandbox up")
    for each in () if as_json else found:
        _print_status(each)


@command.command()
@_NAME
def env(name: str) -> None:
    """Print what a shell needs so that ceph, rados, rbd and fio talk to a sandbox: eval $(radoscope sandbox env)."""
    from radoscope import sandbox

    for variable, value in sandbox.load(name).environment().items():
        click.echo(f"export {variable}={shlex.quote(value)}")


@command.command()
@click.argument("name", required=False)
@click.option("--all", "everyone", is_flag=True, help="All sandboxes of this RADOSCOPE_HOME.")
def down(name: str | None, everyone: bool) -> None:
    """Remove a sandbox: its processes, its data, everything."""
    from radoscope import sandbox

    if name and everyone:
        raise PlanError("a name and --all cannot both be given", "Leave out one of them.")
    for each in sandbox.names() if everyone else (name or sandbox.DEFAULT_NAME,):
        sandbox.down(each)
        click.echo(f"The sandbox {each} is gone.")


def _status_of(entry: Any) -> dict[str, Any]:
    """All there is to say about a registered sandbox; never waits longer than 5 s for its monitors."""
    box: Sandbox = entry.sandbox
    pids, memory = box.pids(), box.memory_bytes()
    found: dict[str, Any] = {
        "name": box.name,
        "state": str(entry.state),
        "since": entry.since,
        "directory": str(box.directory),
        "conf": str(box.conf),
        "fsid": box.fsid,
        "daemons": [{"name": each, "pid": pids.get(each), "memory_bytes": memory.get(each)} for each in box.daemons],
        "memory_bytes": sum(memory.values()),
        "disk_bytes": box.disk_bytes(),
    }
    try:
        with box.connected() as cluster:
            seen = cluster.ask("status")
    except RadoscopeError as error:
        return {**found, "health": None, "reason": error.message}
    osds = {"osds_up": seen["osdmap"]["num_up_osds"], "osds_in": seen["osdmap"]["num_in_osds"]}
    return {**found, "health": seen["health"]["status"], "checks": sorted(seen["health"]["checks"]), **osds}


def _print_status(found: dict[str, Any]) -> None:
    health = found["health"] or f"no health: {found['reason']}"
    checks = f" ({', '.join(found['checks'])})" if found.get("checks") else ""
    click.echo(f"{found['name']}: {found['state']}, {health}{checks}")
    if found["health"]:
        click.echo(f"  OSDs {found['osds_up']} up, {found['osds_in']} in, of {_count(found, 'osd.')}")
    dead = [daemon["name"] for daemon in found["daemons"] if daemon["pid"] is None]
    if dead:
        click.echo(f"  not running: {', '.join(dead)}")
    click.echo(f"  memory {format_bytes(found['memory_bytes'])}, disk {format_bytes(found['disk_bytes'])}")
    click.echo(f"  {found['directory']}")


def _count(found: dict[str, Any], kind: str) -> int:
    return sum(daemon["name"].startswith(kind) for daemon in found["daemons"])


def _stop_on_sigterm() -> None:
    """SIGTERM and a closed terminal end a start as Ctrl-C does: what was made is removed on the way out."""

    def stop(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGHUP, stop)
