"""Can these client hosts generate load? Reports every fault of every host at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from radoscope.errors import SiteError, ToolFailed
from radoscope.records.study import STOPPED, Cell
from radoscope.run.preflight import tools_of
from radoscope.sites import Local, Site, talk
from radoscope.tools import PACKAGE_OF

# What is run there beside the load: every Linux has it, but a container may not.
_NEEDED = ("setsid", "timeout", "tar", "grep")
_LOOK = """
echo "kernel $(cat /proc/sys/kernel/random/boot_id)"
for tool; do command -v "$tool" >/dev/null || echo "missing $tool"; done
command -v fio >/dev/null && { echo "version fio $(fio --version)"; fio --enghelp | grep -qw rbd || echo norbd; }
command -v rados >/dev/null && echo "version rados $(rados --version)"
exit 0
"""


@dataclass(slots=True)
class SeenHost:
    """kernel: which one runs there, for as long as it runs. problem: why nothing was seen."""

    kernel: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    problem: str = ""


def check(cells: Sequence[Cell], hosts: Sequence[Site], *, with_this: bool = True) -> tuple[str, ...]:
    """What is to be known of hosts that are not this machine: other versions than here. cells: that they load.
    with_this: this host prepares or loads, too.

    Raises SiteError when one cannot be reached, ToolFailed when something is missing there; both name all.
    """
    if not hosts:
        return ()
    wanted = sorted(tools_of(cells) | {"rados"})  # by which each host shows that it reaches the cluster
    seen = _look_at_all(hosts, (*_NEEDED, *wanted))
    unreached = [one.problem for one in seen.values() if one.problem]
    faults = [f"{name}: {fault}" for name, one in seen.items() for fault in one.faults]
    if unreached:
        raise SiteError(
            "; ".join([*unreached, *faults]),
            getattr(hosts[0], "hint", "")
            or "`ssh HOST true` must work without a prompt: with a key or an agent, and with a known host key.",
        )
    if faults:
        packages = sorted({PACKAGE_OF.get(tool, tool) for one in seen.values() for tool in one.missing})
        install = f"There: apt-get install --no-install-recommends {' '.join(packages)}" if packages else ""
        raise ToolFailed(f"client hosts lack what the cells need: {'; '.join(faults)}", install)
    if with_this:
        seen = {"this host": _look_at(Local(), ()), **seen}
    return (*_same_machines(seen), *_other_versions(seen))


def check_answer(hosts: Sequence[Site]) -> None:
    """Raise SiteError when one of them does not answer any more."""
    gone = [one.problem for one in _look_at_all(hosts, ()).values() if one.problem]
    if gone:
        raise SiteError(
            f"{STOPPED}{'; '.join(gone)}",
            "Is the host up and its network working? Everything measured is kept.",
        )


def look(site: Site, wanted: Sequence[str]) -> SeenHost:
    """What of the tools there is on a host. Raises SiteError when it cannot be reached."""
    seen = _look_at(site, (*_NEEDED, *wanted))
    if seen.problem:
        talk.tell(site, ":")  # says it with what mends it
        raise SiteError(seen.problem)
    return seen


def _look_at_all(hosts: Sequence[Site], wanted: Sequence[str]) -> dict[str, SeenHost]:
    """All at once, because a host that is off takes 10 s."""
    with ThreadPoolExecutor(len(hosts)) as pool:
        return dict(zip((site.name for site in hosts), pool.map(lambda s: _look_at(s, wanted), hosts), strict=True))


def _look_at(site: Site, wanted: Sequence[str]) -> SeenHost:
    seen = SeenHost()
    try:
        told = talk.tell(site, _LOOK, *wanted).decode("utf-8", "replace")
    except (SiteError, ToolFailed) as error:
        seen.problem = error.message
        return seen
    for line in told.splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "kernel":
            seen.kernel = rest
        elif kind == "missing":
            seen.missing.append(rest)
            seen.faults.append(f"{rest} is not installed")
        elif kind == "norbd" and "fio" in wanted:
            seen.faults.append("fio there was built without its rbd engine")
        elif kind == "version":
            tool, _, version = rest.partition(" ")
            seen.versions[tool] = version
    return seen


def _same_machines(seen: Mapping[str, SeenHost]) -> Iterable[str]:
    """Names of one machine, or of containers on it: more of them are no more CPUs."""
    for kernel in dict.fromkeys(one.kernel for one in seen.values() if one.kernel):
        names = [name for name, one in seen.items() if one.kernel == kernel]
        if len(names) > 1:
            yield f"{', '.join(names)} are the same machine: its CPUs and links count only once"


def _other_versions(seen: Mapping[str, SeenHost]) -> Iterable[str]:
    for tool in ("fio", "rados"):
        told = {name: one.versions[tool] for name, one in seen.items() if tool in one.versions}
        if len(set(told.values())) > 1:
            words = ", ".join(f"{version} on {name}" for name, version in told.items())
            yield f"{tool} is {words}: results of all are joined"
