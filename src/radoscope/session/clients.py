"""The hosts from which the load comes, as the user names them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from radoscope.errors import PlanError
from radoscope.faults import near
from radoscope.sandbox import Sandbox
from radoscope.sites import Local, Site
from radoscope.sites.named import SSH, check_config, folder_of, ssh_host

HERE = "here"


def clients_of_sandbox(names: Sequence[str], up: Sandbox) -> tuple[Site, ...]:
    """Client hosts of an embedded cluster by name. Raises PlanError."""
    known = {host.name: host.site for host in up.clients if host.namespace}
    unknown = [name for name in names if name not in known]
    if unknown and not known:
        raise PlanError(
            f"sandbox {up.name} has only one host, so --client has nothing to choose from",
            "radoscope sandbox up lab --hosts 3 --clients 2 makes one with two client hosts (root).",
        )
    if unknown:
        raise PlanError(
            f"sandbox {up.name} has no client host {', '.join(unknown)}{near(unknown[-1], known)}",
            f"It has {', '.join(known)}.",
        )
    return each_once(tuple(known[name] for name in names))


def clients_of_user(
    words: Sequence[str], run_id: str, config: Path | None, here: Site | None = None
) -> tuple[Site, ...]:
    """This host and those that ssh reaches. config: an ssh configuration instead of the user's. Raises PlanError.

    here: the host that the word `here` means, by default this one.
    """
    check_config(config)
    return each_once(
        tuple(of_user(word, folder_of(run_id, n), config, here or Local()) for n, word in enumerate(words, 1))
    )


def of_user(word: str, folder: Path, config: Path | None, here: Site) -> Site:
    """`here` or ssh:[USER@]HOST -> the host. folder: of the run there. Raises PlanError."""
    if word == HERE:
        return here
    host = ssh_host(word, folder, config)
    if host is None:
        raise PlanError(
            f"--client {word}: neither {HERE} nor {SSH}[USER@]HOST",
            "Plain names are for sandboxes; on your own cluster write, for example, ssh:root@node1.",
        )
    return host


def each_once(sites: tuple[Site, ...]) -> tuple[Site, ...]:
    """The same; raises PlanError where one is named twice."""
    twice = [name for name, count in Counter(site.name for site in sites).items() if count > 1]
    if twice:
        raise PlanError(f"--client names {', '.join(twice)} twice", "Each client host counts once.")
    return sites
