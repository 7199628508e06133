"""Causes at the RADOS gateway and at the metadata server, and others as S3's and the file system's users see them.

With plans of their own: --plan benchmarks/gateway.toml for the gateway's, benchmarks/files.toml for the server's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from causes import Cause, disk_of, links, nothing, option, other_client, quota

from radoscope.sandbox import Sandbox
from radoscope.sandbox.shape import DiskModel

_S3 = {"rgw": True}
_FILES = {"cephfs": True}


def cores_of(daemons: Callable[[Sandbox], list[str]], cores: float) -> Callable[[Sandbox], object]:
    """These daemons share so many cores."""
    return lambda lab: quota(cores, [lab.pids()[daemon] for daemon in daemons(lab)])


def _gateways(lab: Sandbox) -> list[str]:
    return [gateway.daemon for gateway in lab.gateways]


def _servers(lab: Sandbox) -> list[str]:
    return [mds.daemon for mds in lab.mdss]


GATEWAYS: Mapping[str, Cause] = {
    "gateway-healthy": Cause(nothing, ("nothing-wrong",), lab=_S3),
    "gateway-debug": Cause(option("debug_rgw", "20/20", "client.rgw"), ("debug-levels",), lab=_S3),
    "gateway-cores": Cause(cores_of(_gateways, 0.2), ("gateway",), lab=_S3),
    "gateway-slow-osd": Cause(disk_of(1, DiskModel(name="slow", write_s=4e-3)), ("sick-osd",), lab=_S3),
    "gateway-client-line": Cause(links(1e9, lambda lab: ["client1"]), ("network-full",), lab=_S3),
    "gateway-neighbour": Cause(other_client(65536, 16), ("other-clients",), lab=_S3),
    "files-healthy": Cause(nothing, ("nothing-wrong",), lab=_FILES),
    "files-server-cores": Cause(cores_of(_servers, 0.1), ("nothing-wrong",), lab=_FILES),
    "files-debug": Cause(option("debug_client", "20/20", "client"), ("debug-levels",), lab=_FILES),
    "files-slow-osd": Cause(disk_of(1, DiskModel(name="slow", write_s=4e-3)), ("sick-osd",), lab=_FILES),
    "files-client-line": Cause(links(1e9, lambda lab: ["client1"]), ("network-full",), lab=_FILES),
    "files-neighbour": Cause(other_client(65536, 16), ("other-clients",), lab=_FILES),
}
