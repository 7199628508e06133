"""Hosts that put load on: processor, memory, kernel, power states, and the versions of the tools."""

from __future__ import annotations

import json

from radoscope.errors import RadoscopeError
from radoscope.sites import Site, talk

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
    "ceph": ("rados", "--version"),  # it says the same as `ceph`, which takes ten times as long to load its Python
    "iperf3": ("iperf3", "--version"),
    "ping": ("ping", "-V"),
}

_FIRST_LINES = r"""for command; do printf '%s\0' "$($command 2>/dev/null | head -n 1)"; done"""
# Each fact as its name, a line, its text and a NUL. An idle state is its name and its exit latency.
_FACTS = r"""
printf 'hostname\n%s\0kernel\n%s\0' "$(uname -n)" "$(uname -r)"
while [ $# -gt 1 ]; do printf '%s\n%s\0' "$1" "$(cat "$2" 2>/dev/null)"; shift 2; done
printf 'cstates_us\n'
for state in /sys/devices/system/cpu/cpu0/cpuidle/state*; do
  [ -r "$state/latency" ] && printf '%s %s\n' "$(cat "$state/name")" "$(cat "$state/latency")"
done
printf '\0'
"""


def capture_at(site: Site, role: str = "client") -> dict[str, str]:
    """host-<name>.json of a host that is not this machine; what cannot be captured is kept as {"error": ...}."""
    return {f"host-{site.name}.json": _facts_at(site, role)}


def capture(site: Site) -> dict[str, str]:
    """host.json of the host where the load runs: the raw files and the idle states' exit latencies; tools.json: what
    each tool says of its version."""
    return {"host.json": _facts_at(site), "tools.json": json.dumps(_versions_at(site), indent=1)}


def _versions_at(site: Site) -> dict[str, str]:
    try:
        told = talk.tell(site, _FIRST_LINES, *map(" ".join, _VERSIONS.values())).decode("utf-8", "replace")
    except RadoscopeError:
        return {}
    return {tool: line for tool, line in zip(_VERSIONS, told.split("\0"), strict=False) if line}


def _facts_at(site: Site, role: str = "client") -> str:
    try:
        reply = talk.tell(site, _FACTS, *(word for pair in _FILES.items() for word in pair)).decode("utf-8", "replace")
    except RadoscopeError as error:
        return json.dumps({"error": error.message})
    facts: dict[str, object] = {"role": role}
    for part in reply.split("\0")[:-1]:
        key, _, value = part.partition("\n")
        facts[key] = value.strip()
    states = dict(line.rsplit(" ", 1) for line in str(facts.get("cstates_us", "")).splitlines() if " " in line)
    return json.dumps({**facts, "cstates_us": states}, indent=1)
