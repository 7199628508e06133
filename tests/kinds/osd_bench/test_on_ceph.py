"""Every OSD's own bench, on a real cluster."""

from __future__ import annotations

from pathlib import Path

import pytest

from radoscope.sandbox import Sandbox
from tests.on_ceph import json_of, nothing_is_left, standing

pytestmark = [pytest.mark.ceph, pytest.mark.slow]


@pytest.mark.release
def test_every_osd_is_asked_and_nothing_is_made(
    sandbox: Sandbox, sandbox_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RADOSCOPE_HOME", str(sandbox_home))
    before = standing(cluster := sandbox.ceph)
    told = json_of("osd-bench", "--sandbox", "shared", "--rounds", "2")
    assert [one["osd"] for one in told["osds"]] == [0, 1, 2]
    assert all(one["iops"]["value"] > 0 and one["iops"]["samples"] == 2 for one in told["osds"])
    raw = list((sandbox_home / "studies" / told["study"] / "environment").glob("osd-bench-*-round-*.json"))
    assert len(raw) == 6
    nothing_is_left(sandbox_home, told["study"])
    assert standing(cluster) == before
