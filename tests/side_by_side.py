"""Who runs beside whom with `pytest -n`: the tests of a group in one worker, every other test wherever there is room.

By file, for the process that deals tests out to the workers knows nothing of them but their names. (The marks of
`--dist loadgroup` need a node's name to be changed, which pytest 9.2 does not let xdist 3.8 do.)
"""

from __future__ import annotations

from typing import Any
from zlib import crc32

import pytest

GROUPS = {
    "tests/sandbox/test_lab.py": "lab",
    "tests/session/test_faults_in_the_lab.py": "lab",
    "tests/session/test_from_another_host.py": "lab",
    "tests/session/test_several_clients.py": "ssh",
    "tests/session/test_at.py": "ssh",
    "tests/session/test_iperf.py": "ssh",
    "tests/session/test_pve.py": "ssh",
    "tests/session/test_qemu.py::test_the_disk_in_a_guest_on_another_host": "ssh",
    "tests/session/test_qemu.py::test_after_kill_9_the_guest_on_another_host": "ssh",
    "tests/session/test_clusters_of_others.py": "set up by hand",
    "tests/serve/": "pages",
    "tests/kinds/scenario/test_on_ceph.py": "killed and healed",
    "tests/session/test_dying_cluster.py": "killed and healed",
    "tests/sandbox/test_random_kill.py": "growing",
    "tests/serve/test_lab.py::test_a_killed_osd_is_seen": "behind a page",
    "tests/serve/test_lab.py::test_a_slow_disk_and_a_cut_host": "behind a page",
    "tests/serve/test_live.py::test_a_study_on_a_real_sandbox": "behind a page",
    "tests/session/test_cephfs_and_s3.py": "above RADOS",
    "tests/predict/simulate/": "simulator",
    "tests/cli/test_simulate.py": "simulator",
    "tests/test_packaging.py": "wheel",
    "tests/twins/test_twins.py": "twins",
}
"""What they have one of: a cluster that takes long to start, a server at a place of this host, a compiled kernel, an
installed wheel, a browser and servers, pages that are read once. By ssh: a clean-up of all that others left on such a
host.

In the order in which they begin. Clusters that start, and hosts that are cut off, leave cores idle for minutes; a
browser takes them, so the pages are no later than the fourth. The longest beginning of a name counts."""

DEALT = ("tests/twins/", "tests/formats/", "tests/explain/", "tests/stats/")
"""Thousands of tests of milliseconds: dealt out by the hundred, for dealing out one takes as long as it does."""
_HANDS = 24


def group_of(nodeid: str) -> str | None:
    path = max((path for path in GROUPS if nodeid.startswith(path)), key=len, default=None)
    return path and GROUPS[path]


def unit_of(nodeid: str) -> str:
    """What one worker gets at a time."""
    if group := group_of(nodeid):
        return group
    folder = next((folder for folder in DEALT if nodeid.startswith(folder)), None)
    return f"{folder} {crc32(nodeid.encode()) % _HANDS}" if folder else nodeid


def turn(item: pytest.Item) -> int:
    """Workers begin with what takes longest, the lab, then other clusters; tests that take no time fill the gaps."""
    if group := group_of(item.nodeid):
        return list(dict.fromkeys(GROUPS.values())).index(group)
    marks = {mark.name for mark in item.iter_markers()}
    return len(GROUPS) + (0 if {"ceph", "slow"} <= marks else 1 if "ceph" in marks else 2)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Units in the order of collection, which is that of `turn`."""
    from xdist.scheduler import LoadScopeScheduling

    config.option.loadscopereorder = False
    scheduling = LoadScopeScheduling(config, log)
    scheduling._split_scope = unit_of
    return scheduling
