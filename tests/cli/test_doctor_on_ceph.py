"""`radoscope doctor --cluster` on a real cluster: what it sees there, and what it does not change."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from radoscope.ceph import Cluster
from radoscope.cli.main import command
from radoscope.errors import PlanError, SiteError
from radoscope.sandbox import Sandbox
from tests.on_ceph import standing

pytestmark = pytest.mark.ceph


def doctor(sandbox: Sandbox, *words: str) -> Result:
    reach = ("--conf", str(sandbox.conf), "--keyring", str(sandbox.keyring))
    return CliRunner().invoke(command, ["doctor", "--cluster", *reach, *words])


@contextmanager
def flag(sandbox: Sandbox, name: str) -> Iterator[None]:
    """Within, the shared cluster has a flag that Ceph warns of."""
    with sandbox.ceph.connected() as cluster:
        cluster.ceph_text("osd", "set", name)
        until(cluster, "HEALTH_WARN")
        yield
        cluster.ceph_text("osd", "unset", name)
        until(cluster, "HEALTH_OK")


def until(cluster: Cluster, health: str) -> None:
    while cluster.ceph("status")["health"]["status"] != health:
        time.sleep(0.1)  # the monitors tell nobody of their health


def test_a_healthy_cluster_is_named_with_its_osds_and_version(sandbox: Sandbox) -> None:
    before = standing(sandbox.ceph)
    done = doctor(sandbox)
    assert re.search(r"ok\s+health: HEALTH_OK", done.output), done.output
    assert re.search(r"ok\s+OSDs: 3 of 3 up, \d+\.\d+\.\d+", done.output)
    assert standing(sandbox.ceph) == before


def test_a_warning_that_slows_nothing_is_named_and_stops_no_study(sandbox: Sandbox) -> None:
    with flag(sandbox, "noscrub"):
        done = doctor(sandbox)
    assert re.search(r"ok\s+health: HEALTH_WARN", done.output), done.output
    assert "OSDMAP_FLAGS: noscrub flag(s) set (flags that slow nothing)" in done.output


def test_a_warning_that_stops_a_study_is_named_as_a_failure(sandbox: Sandbox) -> None:
    with flag(sandbox, "nodown"):
        done = doctor(sandbox)
    assert re.search(r"failed\s+health: HEALTH_WARN", done.output), done.output
    assert "OSDMAP_FLAGS: nodown" in done.output


def test_a_keyring_that_is_not_there_is_an_error_with_a_hint(sandbox: Sandbox, tmp_path: Path) -> None:
    done = doctor(sandbox, "--keyring", str(tmp_path / "none"))
    assert isinstance(done.exception, PlanError)
    assert done.exception.hint


def test_a_key_that_the_cluster_does_not_know_is_an_error_with_a_hint(sandbox: Sandbox, tmp_path: Path) -> None:
    keyring = tmp_path / "strange.keyring"
    keyring.write_text("[client.admin]\n\tkey = AQBnHEBnAAAAABAAZrX1jkxGx5CPxDTCPo3nlw==\n")
    done = doctor(sandbox, "--keyring", str(keyring))
    assert isinstance(done.exception, SiteError)
    assert done.exception.hint
