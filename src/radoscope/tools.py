"""External commands: the short ones that must succeed, and which package has which tool."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence

from radoscope.errors import ToolFailed

PACKAGE_OF = {
    "ceph": "ceph-common",
    "rados": "ceph-common",
    "rbd": "ceph-common",
    "fio": "fio",
    "radosgw-admin": "ceph-common",
    "ceph-fuse": "ceph-fuse",
    "python3": "python3",
    "unshare": "util-linux",
    "mountpoint": "util-linux",
    "iperf3": "iperf3",
    "ping": "iputils-ping",
    "ip": "iproute2",
    "ssh": "openssh-client",
    "qemu-storage-daemon": "qemu-system-common qemu-utils qemu-block-extra",
    "qemu-system-x86_64": "qemu-system-x86 qemu-block-extra",
    "busybox": "busybox-static",
}
"""Tool -> the Debian packages that have it; qemu-storage-daemon went to qemu-utils with Debian 13."""


def call(argv: Sequence[str], *, timeout_s: float = 60.0, environment: Mapping[str, str] | None = None) -> str:
    """Run a command to its end and return what it printed. Raises ToolFailed with the tool's own last words."""
    try:
        done = subprocess.run(
            list(argv),
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout_s,
            check=False,
        )
    except FileNotFoundError:
        raise missing(argv[0]) from None
    except PermissionError:
        raise ToolFailed(f"{argv[0]} may not be run by this user") from None
    except subprocess.TimeoutExpired:
        raise ToolFailed(
            f"`{' '.join(argv)}` did not answer within {timeout_s:.0f} s",
            "Are the monitors reachable and in quorum?",
        ) from None
    if done.returncode != 0:
        words = _last_words(done.stderr) or _last_words(done.stdout) or f"exit code {done.returncode}"
        raise ToolFailed(f"`{' '.join(argv)}` failed: {words}")
    return done.stdout.decode("utf-8", "replace")


def missing(tool: str) -> ToolFailed:
    """The error for a tool that is not installed."""
    package = PACKAGE_OF.get(tool, tool)
    return ToolFailed(f"{tool} is not installed", f"apt-get install {package}")


def require_tools(tools: Sequence[str]) -> None:
    """Raise one ToolFailed that names all missing tools and the one command that installs them."""
    gone = [tool for tool in tools if shutil.which(tool) is None]
    if gone:
        packages = sorted({PACKAGE_OF.get(tool, tool) for tool in gone})
        raise ToolFailed(
            f"not installed: {', '.join(gone)}", f"apt-get install --no-install-recommends {' '.join(packages)}"
        )


def _last_words(raw: bytes) -> str:
    lines = [line for line in raw.decode("utf-8", "replace").splitlines() if line.strip()]
    return " / ".join(lines[-3:])[:500]
