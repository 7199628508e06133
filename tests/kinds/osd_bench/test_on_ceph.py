"""Every OSD's own bench, on a real cluster."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radoscope.sandbox import Sandbox
from tests.on_ceph import nothing_is_left, radoscope, standing

pytestmark = [pytest.mark.ceph, pytest.mark.slow]


@pytest.mark.release
def test_every_osd_is_asked_and_nothing_is_made(
    sandbox: Sandbox, sandbox_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RADOSCOPE_HOME", str(sandbox_home))
    before = standing(cluster := sandbox.ceph)
    done = radoscope("osd-bench", "--sandbox", "shared", "--rounds", "2", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [one["osd"] for one in told["osds"]] == [0, 1, 2]
    assert all(one["iops"]["value"] > 0 and one["iops"]["samples"] == 2 for one in told["osds"])
    raw = list((sandbox_home / "studies" / told["study"] / "environment").glob("osd-bench-*-round-*.json"))
    assert len(raw) == 6
    nothing_is_left(sandbox_home, told["study"])
    assert standing(cluster) == before
