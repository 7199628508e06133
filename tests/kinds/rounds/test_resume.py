"""Going on with a study: with the same plan on the same cluster, or not at all."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from radoscope.errors import PlanError, StoreError
from radoscope.kinds.rounds.run import resumed
from radoscope.plan import load_text
from radoscope.run.bundle import Bundle, new_manifest
from radoscope.sandbox import Sandbox
from radoscope.session.request import StudyRequest
from radoscope.session.target import Target
from tests.on_ceph import ENDLESS, TINY, Start, WritePlan, launch, nothing_is_left, radoscope, succeed


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make a bundle as a study that was cut off leaves it."""
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path))

    def made(target: Target | None, **fields: Any) -> Path:
        plan = load_text(TINY, "tiny")
        cells = StudyRequest.build(plan, target or Target()).cells
        bundle = Bundle.create(new_manifest("cut-off", plan.model_dump(mode="json"), "somewhere", 0.0, cells))
        bundle.change(said=None if target is None else target.as_said(), **fields)
        return bundle.folder

    return made


OWN = Target(conf=Path("/etc/ceph/ceph.conf"), keyring=Path("/k 1"), pool="vms", clients=("here", "ssh:pve2"))


def test_all_that_was_said_of_the_cluster_holds_again(begun: Any) -> None:
    request = resumed(begun(OWN), {})
    assert request.target == OWN
    assert request.resume
    assert request.study_id == "cut-off"


def test_the_way_to_the_cluster_may_be_another(begun: Any) -> None:
    request = resumed(begun(OWN), {"conf": Path("/root/ceph.conf"), "keyring": None, "pool": "vms"})
    assert (request.target.conf, request.target.keyring) == (Path("/root/ceph.conf"), None)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"pool": None}, "--pool vms"),
        ({"clients": ()}, "--client here, --client ssh:pve2"),
        ({"disk_folder": Path("/mnt")}, "no --disk-folder"),
        ({"replicas": 2, "pool": None}, "--pool vms, no --replicas"),
    ],
)
def test_what_is_measured_may_not(begun: Any, said: dict[str, Any], words: str) -> None:
    with pytest.raises(PlanError, match=words) as refused:
        resumed(begun(OWN), said)
    assert "radoscope study --resume cut-off" in refused.value.hint


def test_what_is_complete_or_no_plain_study_is_refused(begun: Any) -> None:
    folder = begun(None)
    with pytest.raises(StoreError, match="cannot be resumed"):
        resumed(folder, {})
    Bundle(folder, new_manifest("cut-off", {}, "somewhere", 0.0, ())).change(complete=True, said={})
    with pytest.raises(StoreError, match="is complete"):
        resumed(folder, {})


@pytest.mark.release
@pytest.mark.ceph
@pytest.mark.slow
def test_it_goes_on_by_its_name_alone_on_its_own_cluster_and_on_no_other(
    home: Path, sandbox: Sandbox, plan: WritePlan, start: Start
) -> None:
    text = ENDLESS.replace("rounds = 500", "rounds = 4").replace('at_most = "1h"', 'at_most = "4s"')
    running, study = launch(
        start, home, "--sandbox", "shared", "--plan", plan(text), "--cells", "rados-4k-write*", "--quiet"
    )
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=90)
    assert f"Continue: radoscope study --resume {study}" in err
    for words in (("--rounds", "9"), ("--plan", "full"), ("--cells", "x")):
        refused = radoscope("study", "--resume", study, *words)
        assert refused.returncode == 2
        assert f"{words[0]} cannot be combined with --resume" in refused.stderr
    status = home / "studies" / study / "environment" / "ceph-status.json"
    kept = status.read_text()
    status.write_text(kept.replace(sandbox.fsid, "00000000-1111-2222-3333-444444444444"))
    other = radoscope("study", "--resume", study)
    assert other.returncode == 2, other.stderr
    assert "measured another cluster" in other.stderr
    status.write_text(kept)
    succeed("study", "--resume", study, "--json")
    manifest = json.loads((home / "studies" / study / "manifest.json").read_text())
    assert manifest["complete"]
    assert manifest["segments"][-1]["outcome"] == "done"
    assert manifest["sandbox"] == "shared"
    nothing_is_left(home, study)
