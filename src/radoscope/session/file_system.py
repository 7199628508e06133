"""A subvolume of the run's own in a file system: made by the manager, in a RADOS namespace of its own."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from radoscope.ceph import Cluster, file_systems
from radoscope.ceph.rights import quoted
from radoscope.errors import PlanError, SiteError
from radoscope.plan.estimate import file_count
from radoscope.records.study import Cell
from radoscope.run.engines import fio
from radoscope.run.journal import Entry
from radoscope.run.prepared import Prepared
from radoscope.sandbox.layout import FILE_SYSTEM
from radoscope.session.finishing import finish
from radoscope.session.session import Session
from radoscope.units import format_bytes


def file_system(session: Session, cluster: Cluster) -> str:
    """The name of the one that is measured in. Raises PlanError."""
    target, up = session.request.target, session.place.embedded
    known = file_systems.names(cluster)
    if target.fs is None and up is not None and not up.mdss:
        raise PlanError(
            f"sandbox {up.name} has no file system, and cells of layer cephfs need one",
            "radoscope sandbox up NAME --cephfs starts one with it.",
        )
    there = f"File systems: {', '.join(known) or 'none'}."
    if target.fs is None and up is None:
        raise PlanError(
            "cells of layer cephfs need a file system",
            f"Name it with --fs: radoscope makes a subvolume of its own there, and removes it at the end. {there}",
        )
    name = target.fs or FILE_SYSTEM
    if name not in known:
        raise PlanError(f"there is no file system {name!r} in this cluster", there)
    return name


def check_file_system(session: Session, cluster: Cluster) -> None:
    """Raises PlanError, SiteError where cells of layer cephfs cannot be measured."""
    if not session.place.is_elsewhere:
        check_can_mount()
    file_systems.subvolumes(cluster, file_system(session, cluster))


def check_can_mount() -> None:
    """Raises SiteError where this host mounts nothing by FUSE."""
    if os.geteuid() != 0:
        raise SiteError(
            "cells of layer cephfs mount it, which needs root", "Run it as root, or choose others with --cells."
        )
    if not Path("/dev/fuse").exists():
        raise SiteError(
            "cells of layer cephfs need /dev/fuse, which this host does not have",
            "modprobe fuse; a container needs --device /dev/fuse --cap-add SYS_ADMIN.",
        )


def make_folder(session: Session, cluster: Cluster, prepared: Prepared) -> tuple[Prepared, dict[str, str]]:
    """With a folder of the run's own; and the rights that are needed there, by service."""
    name = file_system(session, cluster)
    session.say(f"creating the subvolume {session.name} in file system {name}")
    session.journal.will_create(Entry("subvolume", session.name, {"cluster": cluster.to_json(), "fs": name}))
    where = (name, session.name)
    cluster.ceph_text("fs", "subvolume", "create", *where, "--namespace-isolated", timeout_s=120.0)
    made = cluster.ceph("fs", "subvolume", "info", *where)
    rights = {
        "mds": f"allow rw fsname={name} path={made['path']}",
        "osd": f"allow rw pool={quoted(made['data_pool'])} namespace={made['pool_namespace']}",
    }
    return replace(prepared, file_system=name, folder=str(made["path"]), files_bytes=session.plan.image_size), rights


def make_files(session: Session, prepared: Prepared, cells: Sequence[Cell]) -> Prepared:
    """With files that are written in full."""
    names = tuple(f"file-{number}" for number in range(file_count(cells)))
    there = prepared.at(session.place.client)
    for number, name in enumerate(names, start=1):
        session.say(f"writing file {number} of {len(names)} in CephFS, {format_bytes(prepared.files_bytes)}")
        finish(session, "fill-file", fio.fill_in_cephfs(there, name))
    return replace(prepared, files=names)
