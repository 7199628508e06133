"""Which cluster the user named, and how far radoscope may go on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from radoscope.errors import PlanError


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Which cluster. All None: an embedded one that lives as long as the study.

    sandbox: the name of one that is up. conf: the ceph.conf of the user's own. pool: an existing one to measure in;
    None makes one; data_pool: where its images keep their data, as with erasure coding. disk_folder: where the test
    file of the disk cells is written. device: a whole device that may be overwritten instead. hosts: of the embedded
    cluster that is started, None for one without namespaces. clients: the hosts from which its load comes, as the
    user names them; none is the one from which it is prepared. ssh_config: how they are reached. at: where the
    cluster's commands and the load run, as `--at` names it; conf, keyring and disk_folder are then paths there.
    image: of the containers or pods that are started for it. osd_hosts: of the cluster, that may be watched by ssh.
    fs: the file system in which cells of layer cephfs make a subvolume of their own; s3: where the gateway of cells of
    layer s3 listens.
    """

    sandbox: str | None = None
    conf: Path | None = None
    user: str = "client.admin"
    keyring: Path | None = None
    pool: str | None = None
    data_pool: str | None = None
    replicas: int | None = None
    crush_rule: str | None = None
    disk_folder: Path | None = None
    device: Path | None = None
    hosts: int | None = None
    clients: tuple[str, ...] = ()
    ssh_config: Path | None = None
    at: str | None = None
    image: str | None = None
    osd_hosts: tuple[str, ...] = ()
    fs: str | None = None
    s3: str | None = None

    def __post_init__(self) -> None:
        if self.sandbox and (self.conf or self.at):
            raise PlanError(f"--sandbox and --{'conf' if self.conf else 'at'} name two clusters", "Give one of them.")
        if self.image and (not self.at or self.at.startswith(("ssh:", "pve:"))):
            raise PlanError(
                "--image needs --at cephadm or --at kubectl", "Only there is anything started from an image."
            )
        if self.at and self.device:
            raise PlanError(
                "--disk-device is for a device of this host, and --at measures elsewhere",
                "Name a folder on a disk over there with --disk-folder.",
            )
        if self.data_pool and not self.pool:
            raise PlanError("--data-pool needs --pool", "--pool names the pool that has the images' metadata.")
        if (self.fs or self.s3) and self.is_embedded:
            raise PlanError(
                f"{'--fs' if self.fs else '--s3'} needs a cluster",
                "Add --conf /etc/ceph/ceph.conf, --at or --sandbox NAME; an embedded cluster has what a plan needs.",
            )
        if self.pool and self.is_embedded:
            raise PlanError("--pool needs a cluster", "Add --conf /etc/ceph/ceph.conf, --at or --sandbox NAME.")
        if self.clients and self.is_embedded:
            raise PlanError(
                "--client needs a cluster that is up",
                "Add --conf /etc/ceph/ceph.conf, or --sandbox NAME of one with client hosts.",
            )
        if self.osd_hosts and not self.is_users:
            raise PlanError("--osd-host is for a cluster of your own", "Those of a sandbox are on this machine.")
        if self.pool and (self.replicas or self.crush_rule):
            raise PlanError(
                "--replicas and --crush-rule apply only to radoscope's own pool", "Drop either --pool or these options."
            )

    @property
    def pool_words(self) -> str:
        """Where it is measured, for people."""
        data = f", data in pool {self.data_pool}" if self.data_pool else ""
        return f"pool {self.pool}{data}" if self.pool else "its own pool"

    @property
    def is_embedded(self) -> bool:
        """Whether a cluster is started for the run and removed after it."""
        return not self.is_users and self.sandbox is None

    @property
    def is_users(self) -> bool:
        """Whether it is a cluster of the user's own."""
        return self.conf is not None or self.at is not None

    def as_said(self) -> dict[str, Any]:
        """All that is not a default, as JSON values; `of` reads it back."""
        from pydantic import TypeAdapter  # start-up time

        said: dict[str, Any] = TypeAdapter(Target).dump_python(self, mode="json", exclude_defaults=True)
        return said

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Target:
        from pydantic import TypeAdapter

        return TypeAdapter(Target).validate_python(said)


@dataclass(frozen=True, slots=True, kw_only=True)
class Permissions:
    """What the user allows beyond the usual, for each run anew.

    allow_unhealthy: measure a cluster that is not well. as_hard_as_it_goes: full load at once on a cluster that others
    use. pinned_layers: pools of one copy may be made on the user's own cluster.
    """

    allow_unhealthy: bool = False
    as_hard_as_it_goes: bool = False
    pinned_layers: bool = False
