"""`radoscope sandbox`: a real throw-away Ceph cluster on this machine."""

from __future__ import annotations

import json
import os
import shlex
import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from radoscope.errors import PlanError, RadoscopeError, SiteError
from radoscope.units import format_bytes, format_seconds, parse_bytes, parse_seconds

if TYPE_CHECKING:
    from radoscope.sandbox import SandboxSpec

# radoscope.sandbox is imported within the functions: it loads pydantic, which --help does not need.

_NAME = click.argument("name", default="default")


@click.group(name="sandbox")
def command() -> None:
    """A real throw-away Ceph cluster on this machine: monitors, managers, OSDs, cephx; no root needed for one host."""


@command.command()
@click.argument("name", required=False)
@click.option("--hosts", type=int, help="Number of hosts, each a network namespace with its own links; needs root.")
@click.option("--osds", type=int, help="Number of OSDs, per host with --hosts.  [default: 3]")
@click.option("--clients", type=int, help="Number of client hosts, with --hosts.  [default: 1]")
@click.option("--size", type=int, help="Replicas of a new pool.  [default: 3]")
@click.option("--osd-size", help="Size of each OSD; its file is sparse.  [default: 12G]")
@click.option("--network", help='Bandwidth of each link of each host: "1G", "10G"; with --hosts.')
@click.option("--mtu", type=int, help="MTU of each link, with --hosts.  [default: 1500]")
@click.option("--latency", help='Latency added to a round trip between any two hosts: "0.5ms"; with --hosts.')
@click.option("--disk", help="Kind of disk: none (this machine's), consumer, plp-sata, hdd.  [default: none]")
@click.option("--write-cache", type=click.Choice(["on", "off"]), help="Write cache of a modelled disk.  [default: on]")
@click.option("--cephfs", is_flag=True, default=None, help="With a CephFS file system and its MDS.")
@click.option("--rgw", is_flag=True, default=None, help="With a RADOS gateway that speaks S3.")
@click.option("--like", metavar="PRESET|FILE", help="A test bed by name, or a TOML file; other options override it.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def up(name: str | None, like: str | None, as_json: bool, **options: Any) -> None:
    """Start a sandbox and wait for HEALTH_OK. Interrupted, it removes what it made."""
    from radoscope import sandbox
    from radoscope.sandbox import registry, status

    spec = _spec(name, like, options)
    _stop_on_signals()
    made = sandbox.up(spec, _stopwatch())
    found = status.describe(registry.entry(made.name))
    if as_json:
        click.echo(json.dumps(found, indent=1))
        return
    _print_status(found)
    click.echo("Use it with:")
    if spec.hosts is None:
        click.echo(f"  eval $(radoscope sandbox env {made.name}) && ceph -s")
    else:
        click.echo(f"  radoscope sandbox exec {made.name} ceph -s")


@command.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def status(name: str | None, as_json: bool) -> None:
    """Show the state of a sandbox, or of all if no name is given."""
    from radoscope.sandbox import registry
    from radoscope.sandbox.status import describe

    found, broken = [], list[RadoscopeError]()
    for each in (name,) if name else registry.names():
        try:
            found.append(describe(registry.entry(each)))
        except RadoscopeError as error:
            if name:
                raise
            broken.append(error)  # told after those that can be told of
    if as_json:
        click.echo(json.dumps(found if name is None else found[0], indent=1))
    elif not found and not broken:
        click.echo("There is no sandbox. Start one with: radoscope sandbox up")
    for one in () if as_json else found:
        _print_status(one)
    if broken:
        raise SiteError("; ".join(error.message for error in broken), broken[0].hint)


@command.command()
@_NAME
def env(name: str) -> None:
    """Print shell variables that make ceph, rados, rbd and fio use a sandbox: eval $(radoscope sandbox env)."""
    from radoscope import sandbox

    found = sandbox.load(name)
    for variable, value in found.environment().items():
        click.echo(f"export {variable}={shlex.quote(value)}")
    if found.spec.hosts is not None:
        click.echo(
            f"# its hosts have their own networks: run commands with radoscope sandbox exec {name} ...", err=True
        )


@command.command("exec", context_settings={"ignore_unknown_options": True})
@click.argument("name")
@click.option("--host", help="The host on which to run it.  [default: the first client]")
@click.argument("argv", nargs=-1, required=True, type=click.UNPROCESSED)
def run_on_host(name: str, host: str | None, argv: tuple[str, ...]) -> None:
    """Run a command on a host of a sandbox: radoscope sandbox exec NAME --host h2 -- ceph -s."""
    from radoscope import sandbox

    found = sandbox.load(name)
    places = {place.name: place for place in found.hosts}
    if host is not None and host not in places:
        raise PlanError(f"there is no host {host!r} in {name}", f"Known: {', '.join(places)}.")
    wrapped = places[host or found.clients[0].name].wrap(argv)
    try:
        os.execvpe(wrapped[0], wrapped, {**os.environ, **found.environment()})
    except FileNotFoundError:
        raise PlanError(f"there is no command {wrapped[0]}") from None


@command.command()
@click.argument("name", required=False)
@click.option("--all", "everyone", is_flag=True, help="All sandboxes of this RADOSCOPE_HOME.")
def down(name: str | None, everyone: bool) -> None:
    """Remove a sandbox: its processes, its networks, its data, everything."""
    from radoscope import sandbox

    if name and everyone:
        raise PlanError("a name and --all cannot both be given", "Leave out one of them.")
    for each in sandbox.names() if everyone else (name or sandbox.DEFAULT_NAME,):
        sandbox.down(each)
        click.echo(f"Removed sandbox {each}.")


@command.command("shape")
@click.argument("name")
@click.option("--network", help='Bandwidth of each link of each host: "1G".')
@click.option("--disk", help="Kind of disk: consumer, plp-sata, hdd.")
@click.option(
    "--write-cache", type=click.Choice(["on", "off"]), help="Write cache of these disks, or of the present ones."
)
@click.option("--measure/--no-measure", default=True, help="Measure the result.  [default: measure]")
def shape_command(name: str, measure: bool, **options: str | None) -> None:
    """Change links and disks of a running sandbox."""
    from radoscope import sandbox
    from radoscope.sandbox.achieved import load_shapes, reshape

    given = _read_options(options)
    if not given:
        raise PlanError("nothing to change", "radoscope sandbox shape NAME --network 1G --write-cache off")
    changed = reshape(
        sandbox.load(name),
        bits_per_s=given.get("network_bits_per_s"),
        disk=given.get("disk"),
        write_cache=given.get("write_cache"),
        measured=measure,
    )
    for shape in load_shapes(changed):
        click.echo(shape.words)
    click.echo(f"{name} is changed.")


@command.command()
@click.argument("name")
@click.argument("fault")
@click.argument("on", required=False, default="")
def fault(name: str, fault: str, on: str) -> None:
    """Inject a fault: kill-osd 2, stop-mon b, cut h2, slow-disk 1, fill 90%; or repair everything: heal."""
    from radoscope import sandbox
    from radoscope.sandbox.faults import inflict

    verdict = inflict(sandbox.load(name), fault, on, _stopwatch())
    click.echo(f"{verdict.text}, after {format_seconds(verdict.seconds)}.")


@command.command("load")
@click.argument("name")
@click.option("--depth", type=click.IntRange(1, 256), default=8, show_default=True, help="I/Os in flight, at most.")
@click.option(
    "--rate",
    type=click.IntRange(0),
    default=500,
    show_default=True,
    help="I/Os a second, at most; 0 for as many as the cluster takes.",
)
@click.option("--seconds", "lasts", default="1h", show_default=True, help="It ends by itself after this time.")
def load_command(name: str, depth: int, rate: int, lasts: str) -> None:
    """Put a steady load on a sandbox until Ctrl-C: 4K random writes, prints one line per second and keeps nothing."""
    from radoscope.cli.measuring import stopping
    from radoscope.workflow.steady import put_load

    def say(second: float, iops: float) -> None:
        click.echo(f"{second:7.0f} s {iops:10.0f} IOPS")

    seconds = parse_seconds(lasts)
    with stopping() as (stop, _caught):
        left = put_load(name, depth=depth, rate=rate, seconds=seconds, on_rate=say, on_step=_stopwatch(), stop=stop)
    if left:
        raise SiteError(f"not removed: {'; '.join(left)}", "radoscope clean tries again.")


@command.command()
@click.argument("name")
@click.argument("what", type=click.Choice(["osd", "host"]))
@click.option("--host", help="Where the OSD goes.  [default: the host with the fewest]")
@click.option("--osds", type=int, help="How many OSDs the new host has.  [default: as many as the others]")
def add(name: str, what: str, host: str | None, osds: int | None) -> None:
    """Add an OSD, or a host with its OSDs, while the cluster runs."""
    from radoscope import sandbox
    from radoscope.sandbox import growing

    if what == "osd" and osds is not None:
        raise PlanError("--osds is for hosts; OSDs are added one at a time", "radoscope sandbox add NAME host --osds 2")
    if what == "host" and host is not None:
        raise PlanError("--host is for OSDs; a new host gets its own name", "radoscope sandbox add NAME host")
    if what == "osd":
        growing.add_osd(sandbox.load(name), host, _stopwatch())
    else:
        growing.add_host(sandbox.load(name), osds, _stopwatch())


@command.command()
@click.argument("name")
@click.argument("what")
def remove(name: str, what: str) -> None:
    """Drain and remove an OSD (osd.3) or a host (h4) while the cluster runs."""
    from radoscope import sandbox
    from radoscope.sandbox import growing

    number = what.removeprefix("osd.")
    if number.isdigit():
        growing.remove_osd(sandbox.load(name), int(number), _stopwatch())
    else:
        growing.remove_host(sandbox.load(name), what, _stopwatch())


@command.command()
@click.argument("name", required=False)
def presets(name: str | None) -> None:
    """List the test beds for `up --like`, or print one as a TOML file to edit."""
    from radoscope.sandbox import spec

    if name is not None:
        click.echo(spec.preset_text(name), nl=False)
        return
    for each in spec.presets():
        first_line = spec.preset_text(each).splitlines()[0].removeprefix("# ")
        click.echo(f"{each:14} {first_line}")


def _spec(name: str | None, like: str | None, options: dict[str, Any]) -> SandboxSpec:
    """From the options that were given, upon those of a preset or a file."""
    from radoscope.sandbox import spec

    given = ({} if name is None else {"name": name}) | _read_options(options)
    return spec.build_spec(given) if like is None else spec.load_spec(like, given)


def _read_options(options: dict[str, Any]) -> dict[str, Any]:
    """Those that were given, as settings for `spec.build_spec`."""
    from radoscope.sandbox import shape

    readers: dict[str, tuple[str, Callable[[Any], Any]]] = {
        "osd_size": ("osd_bytes", parse_bytes),
        "network": ("network_bits_per_s", shape.parse_bit_rate),
        "latency": ("latency_s", parse_seconds),
        "disk": ("disk", shape.named_disk),
        "write_cache": ("write_cache", lambda said: said == "on"),
    }
    given: dict[str, Any] = {}
    for option, value in options.items():
        field, read = readers.get(option, (option, lambda same: same))
        if value is not None:
            given[field] = read(value)
    return given


def _print_status(found: dict[str, Any]) -> None:
    health = found["health"] or f"no health: {found['reason']}"
    checks = f" ({', '.join(found['checks'])})" if found.get("checks") else ""
    click.echo(f"{found['name']}: {found['state']}, {health}{checks}")
    if found["health"]:
        osds = sum(daemon["name"].startswith("osd.") for daemon in found["daemons"])
        hosts = ", ".join(host["name"] for host in found["hosts"])
        click.echo(f"  OSDs {found['osds_up']} up, {found['osds_in']} in, of {osds}; on {hosts}")
    if dead := [daemon["name"] for daemon in found["daemons"] if daemon["pid"] is None]:
        click.echo(f"  not running: {', '.join(dead)}")
    for shape in found["shapes"]:
        click.echo(f"  {shape['words']}")
    click.echo(f"  memory {format_bytes(found['memory_bytes'])}, disk {format_bytes(found['disk_bytes'])}")
    click.echo(f"  {found['directory']}")


def _stopwatch() -> Callable[[str], None]:
    """Print steps on standard error, each with the seconds since now."""
    begin = time.monotonic()

    def say(step: str) -> None:
        click.echo(f"{time.monotonic() - begin:7.2f} s  {step}", err=True)

    return say


def _stop_on_signals() -> None:
    """SIGTERM and a closed terminal end a start as Ctrl-C does: what was made is removed on the way out."""

    def stop(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGHUP, stop)
