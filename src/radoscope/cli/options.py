"""The options that several verbs share, each once: a verb names those that it understands, and gets one value of all.

`@target_options("sandbox", "conf")` hands the verb `named: Named`, `@permission_options(...)` hands it
`permissions: Permissions`, and `@output_options(...)` hands it `output: Output`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from radoscope.session.target import Permissions, Target

Verb = Callable[..., None]
_PATH = click.Path(path_type=Path)

_TARGET: Mapping[str, Callable[[Verb], Verb]] = {
    "sandbox": click.option("--sandbox", metavar="NAME", help="Use this sandbox."),
    "conf": click.option("--conf", type=_PATH, help="The ceph.conf of your own cluster."),
    "at": click.option(
        "--at",
        metavar="WHERE",
        help="Where commands and load run: ssh:USER@HOST, cephadm[+ssh:USER@HOST], kubectl[:CONTEXT/NAMESPACE] or "
        "pve:USER@NODE.",
    ),
    "image": click.option(
        "--image", help="With --at cephadm or kubectl: the image for the load. Default: the cluster's own."
    ),
    "user": click.option(
        "--id", "user", default="admin", show_default=True, help="The cephx user that creates and removes pools."
    ),
    "keyring": click.option("--keyring", type=_PATH, help="The keyring of that user, unless ceph.conf names it."),
    "pool": click.option(
        "--pool", help="Measure in this existing pool. Default: radoscope's own pool, removed at the end."
    ),
    "data_pool": click.option(
        "--data-pool", help="With --pool: the pool for the images' data, as with erasure coding; objects go there too."
    ),
    "fs": click.option(
        "--fs", metavar="NAME", help="For cells of layer cephfs: measure in a subvolume of radoscope's own there."
    ),
    "s3": click.option(
        "--s3",
        metavar="URL",
        help="For cells of layer s3: the RADOS gateway, http://HOST:PORT; radoscope creates its own bucket there.",
    ),
    "storage": click.option(
        "--storage",
        metavar="NAME",
        help="On a Proxmox VE node, this or that of --at: the RBD storage of this name, from storage.cfg.",
    ),
    "replicas": click.option("--replicas", type=click.IntRange(1, 10), help="Size of radoscope's own pool."),
    "crush_rule": click.option("--crush-rule", help="CRUSH rule of radoscope's own pool."),
    "clients": click.option(
        "--client",
        "clients",
        multiple=True,
        metavar="HOST",
        help="Generate load on this host; repeatable. On a sandbox client1, client2...; else here, ssh:USER@HOST; with "
        "--at pve also node, node:NAME.",
    ),
    "osd_hosts": click.option(
        "--osd-host",
        "osd_hosts",
        multiple=True,
        metavar="HOST",
        help="Watch this OSD host, and run the iperf3 server there: ssh:USER@HOST; repeatable. With --at kubectl also "
        "pod, or pod:NODE: only watched, from the pod of an OSD.",
    ),
    "ssh_config": click.option("--ssh-config", type=_PATH, help="Used instead of ~/.ssh/config for ssh:..."),
    "disk_folder": click.option("--disk-folder", type=_PATH, help="Where the disk cells write their test file."),
    "device": click.option("--disk-device", "device", type=_PATH, help="Measure this empty device instead of a file."),
    "consent": click.option(
        "--destroy-data-on-it",
        "consent",
        is_flag=True,
        help="Confirm that the device given with --disk-device may be overwritten.",
    ),
}
"""By the fields of Target that they fill; consent is what a device needs beside."""

EVERY_TARGET = tuple(_TARGET)

_PERMISSIONS: Mapping[str, Callable[[Verb], Verb]] = {
    "allow_unhealthy": click.option(
        "--allow-unhealthy", is_flag=True, help="Measure an unhealthy cluster; the report says so."
    ),
    "as_hard_as_it_goes": click.option(
        "--as-hard-as-it-goes",
        is_flag=True,
        help="On your own cluster: full load from the first second, without giving way to other clients.",
    ),
    "pinned_layers": click.option("--pinned-layers", is_flag=True, help="Allow single-replica pools on this cluster."),
}
_OUTPUT: Mapping[str, Callable[[Verb], Verb]] = {
    "folder": click.option(
        "-o", "--output", "folder", type=_PATH, help="Also write the HTML and Markdown report here."
    ),
    "as_json": click.option(
        "--json", "as_json", is_flag=True, help="Print the results as JSON, progress on standard error."
    ),
    "dry_run": click.option("--dry-run", is_flag=True, help="Print plan, time, bytes and commands, then exit."),
    "quiet": click.option("--quiet", is_flag=True, help="No progress."),
}


@dataclass(frozen=True, slots=True)
class Named:
    """What the user said of the cluster. values: of the options of `EVERY_TARGET` that the verb understands."""

    values: Mapping[str, Any]

    def target(self) -> Target:
        """Raises PlanError where they do not go together, or a device lacks its consent."""
        from radoscope.session.target import Target

        self.check_consent(self.values.get("device"))
        return Target(**self._fields())

    def said(self) -> dict[str, Any]:
        """Those fields of a Target alone that stand on the command line."""
        return {name: value for name, value in self._fields().items() if name in said()}

    def check_consent(self, device: Path | None) -> None:
        """Raise PlanError if a device would be overwritten without confirmation."""
        from radoscope.errors import PlanError

        if device and not self.values["consent"]:
            raise PlanError(
                f"the disk cells would overwrite {device}",
                "If nothing on it is needed, add --destroy-data-on-it. Without --disk-device they use a file.",
            )

    def _fields(self) -> dict[str, Any]:
        """With whole paths and the user's whole name."""
        fields = {name: value for name, value in self.values.items() if name not in ("consent", "storage")}
        here = {"ssh_config"} if fields.get("at") else set(fields)
        fields |= {name: value.absolute() for name, value in fields.items() if isinstance(value, Path) and name in here}
        if storage := self.values.get("storage"):
            return {**fields, **_storage(storage, fields)}
        user = fields.get("user")
        return {**fields, **({"user": user if "." in user else f"client.{user}"} if user else {})}


def _storage(name: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    from radoscope.errors import PlanError
    from radoscope.session import proxmox

    refuse_with("--storage", ("sandbox", "conf", "user", "keyring", "pool", "data_pool"), "It names all of that.")
    if (way := fields.get("at")) and not proxmox.is_pve(way):
        raise PlanError(f"--storage {name} and --at {way} do not go together", "Storages are of --at pve:root@NODE.")
    return proxmox.storage(name, way, fields.get("ssh_config"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What is printed, and where a report is written."""

    folder: Path | None = None
    as_json: bool = False
    dry_run: bool = False
    quiet: bool = False


def target_options(*names: str) -> Callable[[Verb], Verb]:
    return _gathered({name: _TARGET[name] for name in names}, "named", Named)


def permission_options(*names: str) -> Callable[[Verb], Verb]:
    def permissions(values: Mapping[str, Any]) -> Permissions:
        from radoscope.session.target import Permissions

        return Permissions(**values)

    return _gathered({name: _PERMISSIONS[name] for name in names}, "permissions", permissions)


def output_options(*names: str) -> Callable[[Verb], Verb]:
    return _gathered({name: _OUTPUT[name] for name in names}, "output", lambda values: Output(**values))


def flags(values: Mapping[str, Any]) -> list[str]:
    """["--allow-unhealthy"]: those that are set, as they are typed."""
    return [f"--{name.replace('_', '-')}" for name, value in values.items() if value is True]


def said() -> frozenset[str]:
    """The names of the parameters given on the command line."""
    context = click.get_current_context()
    return frozenset(
        name for name in context.params if context.get_parameter_source(name) is not ParameterSource.DEFAULT
    )


def refuse_with(mode: str, odd: Sequence[str], hint: str) -> None:
    """Raise PlanError when one of these parameters was said, which `mode`, an option, does not heed."""
    from radoscope.errors import PlanError

    options = {param.name: param.opts[-1] for param in click.get_current_context().command.params}
    if told := sorted(str(options[name]) for name in said().intersection(odd)):
        raise PlanError(f"{', '.join(told)} cannot be combined with {mode}", hint)


def _gathered(
    options: Mapping[str, Callable[[Verb], Verb]], argument: str, make: Callable[[Mapping[str, Any]], object]
) -> Callable[[Verb], Verb]:
    """Adds the options to a verb, which gets what `make` makes of their values as one argument."""

    def decorate(verb: Verb) -> Verb:
        @functools.wraps(verb)
        def gathering(**values: Any) -> None:
            own = {name: values.pop(name) for name in options}
            verb(**values, **{argument: make(own)})

        decorated: Verb = gathering
        for option in reversed(list(options.values())):
            decorated = option(decorated)
        return decorated

    return decorate
