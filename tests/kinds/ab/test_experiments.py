"""Ready-made experiments: their commands lead from A to B and back, and where they cannot work they say why."""

from __future__ import annotations

import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from radoscope.ceph import Cluster
from radoscope.errors import PlanError, SiteError
from radoscope.kinds.ab.experiments import READY, Surroundings, of_commands, ready_made
from radoscope.kinds.ab.experiments import client as on_client
from radoscope.kinds.ab.experiments import host as on_host
from radoscope.kinds.ab.run import AbRequest
from radoscope.plan import load
from radoscope.plan.schema import check_plan
from radoscope.session.request import StudyRequest
from radoscope.session.target import Target


class Answering(Cluster):
    """A cluster that answers from a table of commands."""

    def __init__(self, answers: dict[str, Any]) -> None:
        super().__init__(conf=Path("/etc/ceph/ceph.conf"))
        object.__setattr__(self, "answers", answers)

    def ceph(self, *words: str, timeout_s: float = 60.0) -> Any:
        return self.answers[" ".join(words)]  # type: ignore[attr-defined]

    def ceph_text(self, *words: str, timeout_s: float = 60.0) -> str:
        return str(self.answers[" ".join(words)])  # type: ignore[attr-defined]


def sh(command: str, **environment: str) -> str:
    done = subprocess.run(
        ["sh", "-c", command], env={"PATH": "/usr/bin:/bin", **environment}, capture_output=True, text=True, check=True
    )
    return done.stdout


def option(section: str, value: str, mask: str = "", name: str = "osd_memory_target") -> dict[str, str]:
    return {"section": section, "name": name, "value": value, "mask": mask}


def memory_states(*entries: dict[str, str]) -> Any:
    return ready_made("osd-memory-target", ["2G"]).states(
        Surroundings(cluster=Answering({"config dump": list(entries)}))
    )


def test_an_option_that_was_unset_is_unset_again() -> None:
    states = memory_states(option("osd", "1", name="osd_max_backfills"), option("mon", "x", name="other"))
    assert states.a == "ceph config rm osd osd_memory_target"
    assert states.b == "ceph config set osd osd_memory_target 2147483648"
    assert states.show is not None
    assert "osd_memory_target is not set" in states.show


def test_an_option_that_was_set_gets_exactly_its_value_back() -> None:
    assert memory_states(option("osd", "3221225472")).a == "ceph config set osd osd_memory_target 3221225472"


def test_an_option_that_is_set_for_all_daemons_is_only_unset_for_osds() -> None:
    assert memory_states(option("global", "3221225472")).a == "ceph config rm osd osd_memory_target"


@pytest.mark.parametrize("entry", [option("osd.3", "1"), option("osd", "1", mask="class:ssd")])
def test_osds_with_a_setting_of_their_own_are_a_reason_to_refuse(entry: dict[str, str]) -> None:
    with pytest.raises(SiteError, match="is set separately for") as caught:
        memory_states(entry)
    assert ("osd.3" in caught.value.message) or ("osd/class:ssd" in caught.value.message)


def test_what_shows_an_option_fails_when_the_cluster_does_not_answer(tmp_path: Path) -> None:
    show = memory_states().show
    assert show is not None
    ceph = tmp_path / "ceph"
    ceph.write_text("#!/bin/sh\nexit 1\n")
    ceph.chmod(0o755)
    with pytest.raises(subprocess.CalledProcessError):
        sh(show, PATH=f"{tmp_path}:/usr/bin:/bin")


def test_an_mclock_profile_needs_osds_that_schedule_by_mclock() -> None:
    asked = "tell osd.0 config get osd_op_queue"
    answers = {"osd ls": [0], asked: {"osd_op_queue": "wpq"}, "config dump": []}
    with pytest.raises(SiteError, match="queue is wpq"):
        ready_made("mclock-profile").states(Surroundings(cluster=Answering(answers)))
    answers[asked] = {"osd_op_queue": "mclock_scheduler"}
    states = ready_made("mclock-profile", ["balanced"]).states(Surroundings(cluster=Answering(answers)))
    assert states.b == "ceph config set osd osd_mclock_profile balanced"


def test_copies_need_osds() -> None:
    few = Surroundings(cluster=Answering({"osd stat": {"num_up_osds": 2}}), pool="p")
    with pytest.raises(SiteError, match="3 copies need as many OSDs, and 2 are up"):
        ready_made("pool-size").states(few)


@pytest.mark.parametrize("name", ["pool-size", "compression"])
def test_a_pool_of_somebody_else_is_not_changed(name: str) -> None:
    with pytest.raises(PlanError, match="only in radoscope's own"):
        ready_made(name).check(Target(conf=Path("/etc/ceph/ceph.conf"), pool="rbd"))


def test_governors_are_restored_each_to_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_host, "CPUS", tmp_path)
    files = []
    for number, now in enumerate(["powersave", "schedutil"]):
        folder = tmp_path / f"cpu{number}" / "cpufreq"
        folder.mkdir(parents=True)
        files.append(folder / "scaling_governor")
        files[-1].write_text(now + "\n")
    states = ready_made("governor").states(Surroundings())
    before = sh(states.show or "")
    sh(states.b)
    assert [file.read_text() for file in files] == ["performance\n"] * 2
    sh(states.a)
    assert sh(states.show or "") == before == "powersave\nschedutil\n"


def test_only_deep_sleep_is_forbidden_and_then_allowed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_host, "CPUS", tmp_path)
    for state, latency in enumerate(["0", "2", "133"]):
        folder = tmp_path / "cpu0" / "cpuidle" / f"state{state}"
        folder.mkdir(parents=True)
        (folder / "latency").write_text(latency + "\n")
        (folder / "disable").write_text("0\n")
    states = ready_made("c-states").states(Surroundings())
    sh(states.b)
    assert sh(states.show or "") == "0\n0\n1\n"
    sh(states.a)
    assert sh(states.show or "") == "0\n0\n0\n"


def test_encryption_changes_the_load_tools_own_file_and_nothing_else(tmp_path: Path) -> None:
    conf = tmp_path / "ceph.conf"
    conf.write_text("[client]\nrbd cache = false\n")
    around = Surroundings(cluster=Answering({}), client_conf=conf)
    states = ready_made("encryption").states(around)
    for command, mode in ((states.a, "crc"), (states.b, "secure"), (states.b, "secure"), (states.a, "crc")):
        sh(command, **dict(around.environment()))
        assert conf.read_text() == f"[client]\nrbd cache = false\nms client mode = {mode}\n"
        assert sh(states.show or "", **dict(around.environment())) == f"ms client mode = {mode}\n"


def test_commands_are_told_which_cluster_user_and_pool(tmp_path: Path) -> None:
    cluster = Cluster(conf=Path("/etc/ceph/my ceph.conf"), keyring=Path("/k"))
    known = dict(Surroundings(cluster=cluster, pool="p1").environment())
    assert known["CEPH_CONF"] == "/etc/ceph/my ceph.conf"
    assert known["CEPH_ARGS"] == "-n client.admin -k /k"
    assert known["RADOSCOPE_POOL"] == "p1"
    assert known["RADOSCOPE_CLUSTER_ARGS"] == "-c '/etc/ceph/my ceph.conf' -n client.admin -k /k"


def test_a_host_without_governors_or_sleep_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_host, "CPUS", tmp_path)
    for name in ("governor", "c-states"):
        with pytest.raises(SiteError, match="this host has no CPU"):
            ready_made(name).check(Target())


@pytest.mark.parametrize(
    ("name", "values", "of", "a", "b"),
    [
        ("vm-cache", [], "cache", "none", "writeback"),
        ("vm-cache", ["writethrough"], "cache", "none", "writethrough"),
        ("vm-controller", [], "bus", "virtio-scsi-single", "virtio-blk"),
        ("iothread", [], "iothread", True, False),
    ],
)
def test_states_of_a_virtual_drive_are_cells_under_other_conditions(
    name: str, values: list[str], of: str, a: object, b: object
) -> None:
    experiment = ready_made(name, values)
    plan = load(experiment.plan)
    study = StudyRequest.build(plan, Target(), only=experiment.cells_of(plan))
    request = AbRequest(study=study, experiment=experiment)
    request.check()
    for cell in study.cells:
        other = request.cells_of_b[cell.name]
        before, after = asdict(cell.conditions), asdict(other.conditions)
        assert {key: (before[key], after[key]) for key in before if before[key] != after[key]} == {of: (a, b)}
        assert other.title != cell.title


def test_a_virtual_drive_needs_cells_in_a_guest_that_are_not_yet_in_state_b() -> None:
    plan = load("guest")
    for cells, said in (("rbd-4k-randwrite-qd1", "the layer guest"), ("*-writeback", "is in state B already")):
        study = StudyRequest.build(plan, Target(), only=(cells,))
        with pytest.raises(PlanError) as refused:
            AbRequest(study=study, experiment=ready_made("vm-cache")).check()
        assert said in f"{refused.value.message} {refused.value.hint}"


def test_what_is_refused_says_why(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="daemons read auth_cluster_required"):
        ready_made("cephx").check(Target())
    with pytest.raises((PlanError, SiteError)):
        ready_made("krbd-vs-librbd").check(Target())


def test_a_kernel_without_the_module_cannot_map_images(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    release = os.uname().release
    nowhere = tmp_path / "none"
    assert "no modules for the running kernel" in on_client.why_no_krbd(tmp_path, nowhere)
    (tmp_path / release / "kernel").mkdir(parents=True)
    assert "has no module rbd" in on_client.why_no_krbd(tmp_path, nowhere)
    (tmp_path / release / "kernel" / "rbd.ko.xz").touch()
    assert on_client.why_no_krbd(tmp_path, nowhere) == ""
    assert on_client.why_no_krbd(nowhere, tmp_path) == ""


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("vm-cache", ["none"]),
        ("vm-cache", ["unsafe"]),
        ("vm-controller", ["ide"]),
        ("write-cache", []),
        ("write-cache", ["/dev/sda", "off"]),
        ("governor", ["a", "b"]),
        ("mtu", []),
        ("mtu", ["eth0", "many"]),
        ("mtu", ["eth0", "99999999"]),
        ("pool-size", ["3"]),
        ("pool-size", ["3", "1"]),
        ("pool-size", ["3", "two"]),
        ("compression", ["rar"]),
        ("mclock-profile", ["fastest"]),
        ("osd-memory-target", []),
        ("osd-memory-target", ["1M"]),
        ("osd-memory-target", ["plenty"]),
        ("no-such-thing", []),
    ],
)
def test_arguments_that_make_no_sense_are_refused_with_what_would(name: str, values: list[str]) -> None:
    with pytest.raises(PlanError) as caught:
        ready_made(name, values)
    assert caught.value.hint


def test_every_experiment_says_what_it_touches_and_asks_a_question() -> None:
    arguments = {"write-cache": ["/dev/sda"], "mtu": ["eth0"], "osd-memory-target": ["2G"]}
    for one in READY:
        made = ready_made(one.name, arguments.get(one.name, []))
        assert len(made.touches) > 10
        assert one.question


def test_every_experiment_is_in_the_docs() -> None:
    page = (Path(__file__).parents[3] / "docs" / "verbs" / "ab.md").read_text()
    for one in READY:
        assert f"`{one.name}" in page, one.name


def test_own_commands_are_shown_before_they_run() -> None:
    made = of_commands("hdparm -W1 /dev/sdb", "hdparm -W0 /dev/sdb", None)
    assert "`hdparm -W1 /dev/sdb`" in made.touches
    assert "cannot be verified" in made.touches
    with pytest.raises(PlanError, match="--b is empty"):
        of_commands("true", " ", None)


def test_the_cells_that_it_is_about_are_chosen_as_far_as_the_plan_has_them() -> None:
    plan = check_plan({"name": "p", "cells": [{"layer": "rbd", "op": "randread", "block": "4K"}]}, "test")
    assert ready_made("encryption").cells_of(plan) == ("rbd-*",)


@pytest.mark.parametrize("name", ["governor", "c-states", "mtu", "encryption"])
def test_what_switches_this_host_alone_is_not_tried_with_load_from_others(name: str) -> None:
    target = Target(conf=Path("/etc/ceph/ceph.conf"), clients=("here", "ssh:pve2"))
    experiment = ready_made(name, ["eth0"] if name == "mtu" else [])
    request = AbRequest(study=StudyRequest.build(load("quick"), target), experiment=experiment, budget_s=1e5)
    with pytest.raises(PlanError, match=r"switches only this host, but load would come from ssh:pve2"):
        request.check()
