"""A container of the cluster's own image, on a host whose `ceph` commands exist only in containers, as with cephadm.

One container stands for the length of a run, because `exec` in it takes a fraction of the time of a container a
command. It ends with its standard input, and so with radoscope or the connection to its host; then it is removed.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from radoscope.errors import SiteError, ToolFailed
from radoscope.sites.site import Site
from radoscope.sites.talk import run, tell

READY = b"radoscope: ready"
# Daemons that run from the cluster's own image; those of the monitoring stack have images of their own.
_DAEMON = re.compile(r"ceph-([0-9a-f-]{36})[-.](?:mon|mgr|osd|mds|rgw|crash)[-.]\S+ (\S+)")
_LOOK = """
runtime=$(command -v podman || command -v docker) || { echo none; exit 0; }
echo "runtime $runtime"
[ -r "$1" ] && echo conf
[ -r "$2" ] && echo keyring
sed -n 's/^[[:space:]]*fsid[[:space:]]*=[[:space:]]*/fsid /p' "$1" 2>/dev/null
"$runtime" ps --no-trunc --format '{{.Names}} {{.Image}}'
"""
_GONE = re.compile(r"no such container|no container with", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Container:
    """via: the host. runtime: podman or docker there. title: its name. folder: of the run, within it.

    mounts: folders of the host that it has; the first, with ceph.conf and keyring, to read only. standing: it runs,
    and commands are executed in it; else each command gets a container of its own.
    """

    via: Site
    runtime: str
    image: str
    title: str
    folder: Path
    mounts: tuple[Path, ...]
    standing: bool = False

    @property
    def name(self) -> str:
        return self.via.name if self.via.folder is not None else platform.node()

    @property
    def destination(self) -> str:
        """What ssh connects to, where it does."""
        return str(getattr(self.via, "destination", self.name))

    def wrap(self, argv: Sequence[str]) -> tuple[str, ...]:
        if self.standing:
            return self.via.wrap((self.runtime, "exec", "-i", self.title, *argv))
        return self.via.wrap((*self._run(), "--entrypoint", argv[0], self.image, *argv[1:]))

    def start_words(self) -> tuple[str, ...]:
        """The argv, from here, of the container that stands until its standard input ends; it says when it runs."""
        named = ("--name", self.title, "--label", f"radoscope={self.title}", "--entrypoint", "sh")
        waits = ("-c", f"echo '{READY.decode()}'; exec cat >/dev/null")
        return self.via.wrap((*self._run(), *named, self.image, *waits))

    def _run(self) -> tuple[str, ...]:
        # As `cephadm shell` runs it, but not privileged, with nothing of the host but its network and these folders.
        volumes = [f"{folder}:{folder}{':ro' if number == 0 else ''}" for number, folder in enumerate(self.mounts)]
        mounted = (word for volume in volumes for word in ("-v", volume))
        # The filter of system calls lets no io_pgetevents through, which fio's libaio needs (seen with podman 5).
        alone = ("--net=host", "--pids-limit=-1", "--cap-add=NET_RAW", "--security-opt", "label=disable")
        return (self.runtime, "run", "-i", "--rm", "--init", *alone, "--security-opt", "seccomp=unconfined", *mounted)


def found(
    via: Site, conf: Path, keyring: Path, folder: Path, image: str | None, disk_folder: Path | None = None
) -> Container:
    """The container as it would be started on a host of a cephadm cluster. Raises SiteError, ToolFailed."""
    lines = tell(via, _LOOK, str(conf), str(keyring)).decode("utf-8", "replace").splitlines()
    facts = dict(line.partition(" ")[::2] for line in lines[:4])
    if "none" in facts:
        raise ToolFailed(f"{via.name} has neither podman nor docker", "--at cephadm is for hosts of a cephadm cluster.")
    for name, path in (("conf", conf), ("keyring", keyring)):
        if name not in facts:
            raise SiteError(
                f"{via.name} has no {path}, or not for this user",
                "Name a host with the label _admin, or label this one: ceph orch host label add HOST _admin.",
            )
    daemons = [match.groups() for line in lines if (match := _DAEMON.fullmatch(line.strip()))]
    images = [one for fsid, one in daemons if fsid == facts.get("fsid", fsid)]
    if image is None and not images:
        raise SiteError(
            f"no container of the cluster of {conf} runs on {via.name}, so its image is not known",
            "Name a host that runs a daemon of the cluster, or an image with --image.",
        )
    title = folder.name.rpartition("-")[0]
    mounts = tuple(dict.fromkeys((conf.parent, *((keyring.parent,)), *((disk_folder,) if disk_folder else ()))))
    return Container(via, facts["runtime"], image or images[0], title, folder, mounts)


def remove(via: Site, runtime: str, title: str) -> None:
    """Remove the container if it is there; what runs in it ends with it. Raises SiteError, ToolFailed."""
    try:
        run(via, (runtime, "rm", "-f", "-v", title), timeout_s=30.0)
    except ToolFailed as error:
        if not _GONE.search(error.message):
            raise


def standing_on(via: Site, runtime: str) -> tuple[str, ...]:
    """The names of all containers of radoscope on a host, whichever run has them."""
    asked = (runtime, "ps", "-a", "--filter", "label=radoscope", "--format", "{{.Names}}")
    return tuple(run(via, asked).decode("utf-8", "replace").split())
