"""A container of the cluster's own image, on a host whose `ceph` commands exist only in containers, as with cephadm.

One container stands for the length of a run: `exec` in it takes a tenth of the time of a container a command. It ends
with its standard input, and so with radoscope or with the connection to its host, and the runtime removes it then.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from radoscope.errors import SiteError, ToolFailed
from radoscope.sites.site import Site
from radoscope.sites.talk import tell

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


@dataclass(frozen=True, slots=True)
class Container:
    """via: the host. runtime: podman or docker there. title: the container's name. etc: with ceph.conf and keyring.

    standing: it runs, and commands are executed in it; else each command gets a container of its own.
    """

    via: Site
    runtime: str
    image: str
    title: str
    folder: Path
    etc: Path
    standing: bool = False

    @property
    def name(self) -> str:
        return self.via.name if self.via.folder is not None else platform.node()

    def wrap(self, argv: Sequence[str]) -> tuple[str, ...]:
        if self.standing:
            return self.via.wrap((self.runtime, "exec", "-i", self.title, *argv))
        return self.via.wrap(self._alone(argv))

    def start_words(self) -> tuple[str, ...]:
        """The argv, from here, of the container that stands until its standard input ends; it says when it runs."""
        named = ("--name", self.title, "--label", f"radoscope={self.title}")
        ready = ("-c", "echo 'radoscope: ready'; exec cat >/dev/null")
        return self.via.wrap((*self._run(*named), "--entrypoint", "sh", self.image, *ready))

    def remove_words(self) -> tuple[str, ...]:
        """What removes it, on its host."""
        return (self.runtime, "rm", "-f", "-v", self.title)

    def _alone(self, argv: Sequence[str]) -> tuple[str, ...]:
        return (*self._run(), "--entrypoint", argv[0], self.image, *argv[1:])

    def _run(self, *more: str) -> tuple[str, ...]:
        # As `cephadm shell` runs it, but not privileged, and with nothing of the host but its network and /etc/ceph.
        mounts = ("-v", f"{self.etc}:{self.etc}:ro", "--security-opt", "label=disable")
        return (self.runtime, "run", "-i", "--rm", "--init", "--net=host", "--pids-limit=-1", *mounts, *more)


def found(via: Site, conf: Path, keyring: Path, folder: Path, image: str | None) -> Container:
    """The container as it would be started on a host of a cephadm cluster. Raises SiteError, ToolFailed."""
    host = via.name
    lines = tell(via, _LOOK, str(conf), str(keyring)).decode("utf-8", "replace").splitlines()
    facts = dict(line.partition(" ")[::2] for line in lines[:4])
    if "none" in facts:
        raise ToolFailed(f"{host} has neither podman nor docker", "--at cephadm is for hosts of a cephadm cluster.")
    for name, path in (("conf", conf), ("keyring", keyring)):
        if name not in facts:
            raise SiteError(
                f"{host} has no {path}",
                f"Name a host with the label _admin, or give it one: ceph orch host label add {host} _admin.",
            )
    daemons = [match.groups() for line in lines if (match := _DAEMON.fullmatch(line.strip()))]
    images = [one for fsid, one in daemons if fsid == facts.get("fsid", fsid)]
    if image is None and not images:
        raise SiteError(
            f"no container of the cluster of {conf} runs on {host}, so its image is not known",
            "Name a host that runs a daemon, or an image with --image.",
        )
    title = folder.name.rpartition("-")[0]
    return Container(via, facts["runtime"], image or images[0], title, folder, conf.parent)


def standing(container: Container) -> Container:
    """The same once it runs."""
    return replace(container, standing=True)
