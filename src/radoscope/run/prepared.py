"""What an engine gets and gives: what has been prepared for the cells, and a command that puts load on a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from radoscope.records.conditions import Conditions
from radoscope.sites import Site

CONF, KEYRING = "ceph.conf", "keyring"
"""What a load tool needs to reach the cluster as the run's own user: names in the run's folder, here and elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """client_conf and user: what the load tools use, with rights to `pool` and `data_pool` alone; the latter, where
    there is one, has the data of images, and the objects. read_sets: block size -> run names of
    the objects written for rados bench to read, one a reader. peer_address: where iperf3 listens and ping answers.
    osd_hosts: name and address of each host that is pinged instead, on a cluster of the user's.
    file_system, folder, files: of CephFS; the path of the run's own folder in it, and the files there, each of
    files_bytes.
    accelerator: what guests run by, once they do. pinned: what a pool is pinned to -> the same for that pool.
    """

    client_conf: Path | None = None
    user: str = ""
    pool: str = ""
    data_pool: str = ""
    namespace: str = ""
    images: tuple[str, ...] = ()
    file_system: str = ""
    folder: str = ""
    files: tuple[str, ...] = ()
    files_bytes: int = 0
    read_sets: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    file: Path | None = None
    file_bytes: int = 0
    peer_address: str = "127.0.0.1"
    osd_hosts: tuple[tuple[str, str], ...] = ()
    iperf_port: int = 0
    accelerator: str = ""
    pinned: Mapping[str, Prepared] = field(default_factory=dict)

    def of(self, asked: Conditions) -> Prepared:
        """What a cell uses: that of its own pool, where it has one below the pool."""
        return self.pinned.get(asked.pinned, self)

    def at(self, site: Site) -> Prepared:
        """The same as a site sees it: with the paths there."""
        return self if site.folder is None else replace(self, client_conf=site.folder / CONF)

    def beside_conf(self, name: str) -> Path:
        """A file of the run's folder."""
        return (self.client_conf or Path("/")).with_name(name)

    @property
    def user_id(self) -> str:
        """The user without its type, as fio wants it."""
        return self.user.removeprefix("client.")

    def ceph_arguments(self) -> tuple[str, ...]:
        return ("-c", str(self.client_conf), "-n", self.user, "-p", self.data_pool or self.pool, "-N", self.namespace)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadCommand:
    """One client process of a trial.

    reader: the format that reads `output`. output: the file (in the segment's folder) that holds the result; where the
    tool can only print, that is `stdout`. timeout_s: when it counts as hung. gate: further arguments with which it
    connects, makes a file `ready`, and then waits for a line of its standard input; empty where a tool cannot.
    towards: the host that it asks, where several are asked side by side.
    """

    argv: tuple[str, ...]
    reader: str
    name: str
    output: str
    timeout_s: float
    gate: tuple[str, ...] = ()
    towards: str = ""

    @classmethod
    def of_client(
        cls, number: int, argv: tuple[str, ...], reader: str, timeout_s: float, ending: str = "out", **more: Any
    ) -> LoadCommand:
        """One of a trial's clients: its files are called by its number. ending: of the file with the result."""
        name = f"client-{number}"
        return cls(argv=argv, reader=reader, name=name, output=f"{name}.{ending}", timeout_s=timeout_s, **more)

    @property
    def ready(self) -> str:
        return f"{self.name}.ready"

    @property
    def stdout(self) -> str:
        return f"{self.name}.out"

    @property
    def stderr(self) -> str:
        return f"{self.name}.err"
