"""Who runs beside whom with `pytest -n`: the tests of a group in one worker, every other test wherever there is room.

By file, for the process that deals tests out to the workers knows nothing of them but their names. (The marks of
`--dist loadgroup` need a node's name to be changed, which pytest 9.2 does not let xdist 3.8 do.)
"""

from __future__ import annotations

from typing import Any

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
    "tests/kinds/scenario/test_on_ceph.py": "killed and healed",
    "tests/session/test_dying_cluster.py": "killed and healed",
    "tests/sandbox/test_random_kill.py": "growing",
    "tests/session/test_cephfs_and_s3.py": "above RADOS",
    "tests/predict/simulate/": "simulator",
    "tests/cli/test_simulate.py": "simulator",
    "tests/test_packaging.py": "wheel",
    "tests/serve/test_everybody.py": "every page",
}
"""What they have one of: a cluster that takes long to start, a server at a place of this host, a compiled kernel, an
installed wheel, a server with something on every page. By ssh: a clean-up of all that others left on such a host."""


def group_of(nodeid: str) -> str | None:
    return next((group for path, group in GROUPS.items() if nodeid.startswith(path)), None)


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
    scheduling._split_scope = lambda nodeid: group_of(nodeid) or nodeid
    return scheduling
