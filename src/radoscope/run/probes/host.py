"""This host: processor, memory, kernel, power states, and the versions of the tools."""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
from pathlib import Path

_FILES = {
    "cpuinfo": "/proc/cpuinfo",
    "meminfo": "/proc/meminfo",
    "os-release": "/etc/os-release",
    "cmdline": "/proc/cmdline",
    "governor": "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
    "product": "/sys/class/dmi/id/product_name",
}
_VERSIONS = {
    "fio": ("fio", "--version"),
    "ceph": ("ceph", "--version"),
    "iperf3": ("iperf3", "--version"),
    "ping": ("ping", "-V"),
}


def capture() -> dict[str, str]:
    """host.json: the raw files and the idle states' exit latencies; tools.json: what each tool says of its version."""
    facts: dict[str, object] = {"hostname": platform.node(), "kernel": platform.release()}
    for name, path in _FILES.items():
        facts[name] = _read(Path(path))
    states = Path("/sys/devices/system/cpu/cpu0/cpuidle").glob("state*")
    facts["cstates_us"] = {_read(state / "name"): _read(state / "latency") for state in sorted(states)}
    versions = {tool: _version(argv) for tool, argv in _VERSIONS.items() if shutil.which(tool)}
    return {"host.json": json.dumps(facts, indent=1), "tools.json": json.dumps(versions, indent=1)}


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""


def _version(argv: tuple[str, ...]) -> str:
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout or done.stderr).strip().splitlines()[0] if (done.stdout or done.stderr).strip() else ""
