"""`radoscope doctor --cluster` on a real cluster: what it sees there, and what it does not change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from radoscope.ceph import Cluster
from radoscope.cli.main import command
from radoscope.errors import SiteError
from radoscope.sandbox import Sandbox
from tests.on_ceph import standing

pytestmark = pytest.mark.ceph


def doctor(sandbox: Sandbox, *words: str) -> Result:
    reach = ("--conf", str(sandbox.conf), "--keyring", str(sandbox.keyring))
    return CliRunner().invoke(command, ["doctor", "--cluster", *reach, *words])


@pytest.fixture
def warned(sandbox: Sandbox) -> Iterator[Sandbox]:
    """The shared cluster with a flag that Ceph warns of."""
    cluster = Cluster(conf=sandbox.conf, keyring=sandbox.keyring)
    cluster.ceph_text("osd", "set", "noscrub")
    while cluster.ceph("status")["health"]["status"] != "HEALTH_WARN":
        pass  # each question takes as long as a command starts
    yield sandbox
    cluster.ceph_text("osd", "unset", "noscrub")
    while cluster.ceph("status")["health"]["status"] != "HEALTH_OK":
        pass


def test_a_healthy_cluster_is_named_with_its_osds_and_version(sandbox: Sandbox) -> None:
    before = standing(cluster := Cluster(conf=sandbox.conf, keyring=sandbox.keyring))
    done = doctor(sandbox)
    assert re.search(r"ok\s+health: HEALTH_OK", done.output), done.output
    assert re.search(r"ok\s+OSDs: 3 of 3 up, \d+\.\d+\.\d+", done.output)
    assert standing(cluster) == before


def test_a_warning_is_told_by_its_name(warned: Sandbox) -> None:
    done = doctor(warned)
    assert re.search(r"health: HEALTH_WARN OSDMAP_FLAGS: noscrub", done.output), done.output
    assert not re.search(r"ok\s+health", done.output)


def test_a_cluster_that_cannot_be_reached_is_an_error_with_a_hint(sandbox: Sandbox, tmp_path: Path) -> None:
    done = doctor(sandbox, "--keyring", str(tmp_path / "none"))
    assert isinstance(done.exception, SiteError)
    assert done.exception.hint
