"""Ready-made experiments on this host: the drive's write cache, CPU speed and sleep, the MTU."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import Path

from radoscope.errors import PlanError, SiteError
from radoscope.kinds.ab.experiments.experiment import Experiment, States, Surroundings, need_root
from radoscope.session.target import Target
from radoscope.tools import call, require_tools

CPUS = Path("/sys/devices/system/cpu")
_GOVERNORS = "cpu[0-9]*/cpufreq/scaling_governor"
_SLEEPS = "cpu[0-9]*/cpuidle/state[0-9]*/disable"

_WAKES_QUICKLY_S = 10e-6


def write_cache(device: str = "") -> Experiment:
    """A: the drive's volatile write cache as it is; B: the other way round."""
    if not device:
        raise PlanError("write-cache needs a device", "Write: --experiment write-cache /dev/sda")
    quoted = shlex.quote(device)

    def check(target: Target) -> None:
        need_root("a drive's write cache")
        require_tools(["hdparm"])
        if not Path(device).is_block_device():
            raise PlanError(f"{device} is not a block device", "lsblk lists them.")
        _cache_is_on(device)

    def states(around: Surroundings) -> States:
        now = int(_cache_is_on(device))
        return States(f"hdparm -W {now} {quoted}", f"hdparm -W {1 - now} {quoted}", f"hdparm -W {quoted}")

    touches = f"the volatile write cache of {device} on this host, for every user of the drive"
    return Experiment(name=f"write-cache {device}", touches=touches, states=states, check=check)


def _cache_is_on(device: str) -> bool:
    found = re.search(r"write-caching\s*=\s*([01])", call(("hdparm", "-W", device)))
    if found is None:
        raise SiteError(
            f"{device} does not report its write cache",
            "hdparm works with SATA and SAS drives; for NVMe use --a/--b with `nvme set-feature -f 6`.",
        )
    return found[1] == "1"


def governor(wanted: str = "performance") -> Experiment:
    """A: the CPU frequency governors as they are; B: performance, or the one that is named."""

    def check(target: Target) -> None:
        if not (now := _read(_GOVERNORS)):
            raise SiteError(
                "this host has no CPU frequency governor (no cpufreq in /sys)",
                "Virtual machines have none; their host decides. On a real host load its cpufreq driver.",
            )
        need_root("the CPU governor")
        offered = next(iter(now)).with_name("scaling_available_governors").read_text().split()
        if wanted not in offered:
            raise PlanError(f"there is no governor {wanted!r} here", f"Known: {', '.join(offered)}.")

    def states(around: Surroundings) -> States:
        now = _read(_GOVERNORS)
        b = _write(_GOVERNORS, dict.fromkeys(now, wanted))
        return States(_write(_GOVERNORS, now), b, f"cat {CPUS / _GOVERNORS}")

    touches = "the frequency governor of all CPUs of this host"
    return Experiment(name=f"governor {wanted}", touches=touches, states=states, check=check, of_load_host=True)


def c_states() -> Experiment:
    """A: CPUs sleep as they do now; B: no sleep from which they take longer than 10 µs to wake."""

    def check(target: Target) -> None:
        if not (now := _read(_SLEEPS)):
            raise SiteError(
                "this host has no CPU sleep states to change (no cpuidle in /sys)", "Virtual machines have none."
            )
        if not any(map(_is_deep, now)):
            raise SiteError("no sleep state of this host has a wake-up latency above 10 µs", "Nothing would change.")
        need_root("CPU sleep states")

    def states(around: Surroundings) -> States:
        now = _read(_SLEEPS)
        shallow = {path: "1" if _is_deep(path) else value for path, value in now.items()}
        return States(_write(_SLEEPS, now), _write(_SLEEPS, shallow), f"cat {CPUS / _SLEEPS}")

    touches = "the deep sleep states of all CPUs of this host; without them it draws more power"
    return Experiment(name="c-states", touches=touches, states=states, check=check, of_load_host=True)


def _is_deep(path: Path) -> bool:
    return float(path.with_name("latency").read_text()) / 1e6 > _WAKES_QUICKLY_S


def _read(pattern: str) -> dict[Path, str]:
    """Each file with what it holds now; empty where this host has none."""
    return {path: path.read_text().strip() for path in sorted(CPUS.glob(pattern))}


def _write(pattern: str, values: Mapping[Path, str]) -> str:
    """A command that writes a value to each file; short if all are alike, because command lines have a limit."""
    if len(set(values.values())) == 1:
        value = next(iter(values.values()))
        return f"for file in {CPUS / pattern}; do echo {shlex.quote(value)} > $file || exit 1; done"
    return " && ".join(f"echo {shlex.quote(value)} > {path}" for path, value in values.items())


def mtu(*given: str) -> Experiment:
    """A: the interface's MTU as it is; B: 9000 instead of 1500, or the one that is named."""
    if not given:
        raise PlanError("mtu needs an interface", "Write: --experiment mtu eth0 9000")
    if not all(value.isdigit() and 1280 <= int(value) <= 65536 for value in given[1:]):
        raise PlanError(f"{given[1]!r} is not an MTU", "A number of bytes from 1280 to 65536.")
    interface = shlex.quote(given[0])

    def states(around: Surroundings) -> States:
        now = around.ask("cat", f"/sys/class/net/{given[0]}/mtu")
        wanted = given[1] if given[1:] else "9000" if now == "1500" else "1500"
        if wanted == now:
            raise PlanError(f"{given[0]} has an MTU of {now} already", "Name another one.")
        command = f"ip link set dev {interface} mtu"
        return States(f"{command} {now}", f"{command} {wanted}", f"cat /sys/class/net/{interface}/mtu")

    touches = (
        f"the MTU of {given[0]} where the load comes from (a sandbox's client, else this host); the other end must "
        "take packets of that size, or connections stall"
    )
    return Experiment(name=" ".join(("mtu", *given)), touches=touches, states=states, of_load_host=True)
