"""`--at kubectl` on real Kubernetes of two nodes that `tests/beds/kube` has started: `make bed-kubernetes`."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from radoscope.archives.bundle import read_study
from radoscope.records.study import Outcome
from tests.beds.on_bed import ENDLESS, KUBERNETES, PLAN, WITH_FIO, refused
from tests.on_ceph import wait_for_segments
from tests.small_plans import cell, tiny_plan

pytestmark = [
    pytest.mark.ceph,
    pytest.mark.slow,
    pytest.mark.skipif(not KUBERNETES.is_up("k1"), reason="no bed is up: make bed-kubernetes"),
]

BOTH = ("--client", "pod:k1", "--client", "pod:k2")


def kubectl(*words: str, given: str = "") -> str:
    argv = [str(KUBERNETES.script), "in", "kubectl", "-n", "rook-ceph", *words]
    done = subprocess.run(argv, input=given, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def in_toolbox(script: str) -> str:
    return kubectl("exec", "deploy/rook-ceph-tools", "--", "sh", "-c", script)


def standing() -> dict[str, list[str]]:
    """All that a study could leave in the cluster, in the namespace, and in the toolbox."""
    kinds = "pods,jobs,secrets,configmaps,serviceaccounts,roles,rolebindings,persistentvolumeclaims,services"
    asked = {
        "pools": "ceph osd pool ls",
        "users": "ceph auth ls 2>/dev/null | grep -E '^[a-z]+[.]'",
        "rules": "ceph osd crush rule ls",
        "files": "ls -d /tmp/radoscope* /var/tmp/radoscope* 2>/dev/null || true",
        "processes": "grep -laz '^RADOSCOPE_RUN=' /proc/[0-9]*/environ 2>/dev/null || true",
    }
    found = {name: sorted(in_toolbox(script).split()) for name, script in asked.items()}
    return {**found, "objects": sorted(kubectl("get", kinds, "-l", "!rook_cluster", "-o", "name").split())}


def until(state: Callable[[], bool], what: str, within_s: float = 90) -> None:
    deadline = time.monotonic() + within_s
    while not state():
        assert time.monotonic() < deadline, what
        time.sleep(0.3)  # another cluster's states tell nobody that they change


def is_well() -> bool:
    return in_toolbox("ceph health").startswith("HEALTH_OK")


def pods(study: str) -> list[str]:
    return kubectl("get", "pods", "-l", f"radoscope={study}", "-o", "name").split()


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    before = standing()
    yield
    assert standing() == before


@pytest.fixture
def plan(tmp_path: Path) -> Callable[[str], list[str]]:
    def words(text: str) -> list[str]:
        (tmp_path / "plan.toml").write_text(text)
        return ["study", "--at", "kubectl", "--plan", str(tmp_path / "plan.toml")]

    return words


Plan = Callable[[str], list[str]]


def run(*words: str, timeout: float = 300, **environment: str) -> subprocess.CompletedProcess[str]:
    argv = KUBERNETES.radoscope(*words)
    env = {**os.environ, **environment}
    return subprocess.run(argv, env=env, capture_output=True, text=True, timeout=timeout, check=False)


@contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(KUBERNETES.radoscope(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)


def cells_of(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    return {cell["cell"]: cell for cell in json.loads(done.stdout)["cells"]}


@pytest.mark.parametrize(("image", "tool"), [((), "rbd-bench"), (WITH_FIO, "fio")])
def test_a_study_with_its_ladder(plan: Plan, image: tuple[str, ...], tool: str) -> None:
    cells = cells_of(run(*plan(PLAN), *image, "--client", "pod:k1", "--json"))
    assert {cell["layer"] for cell in cells.values()} == {"osd", "network", "rados", "rbd"}
    assert [cell["tool"] for cell in cells.values() if cell["layer"] == "rbd"] == [tool]
    assert all(cell["segments"] == 1 for cell in cells.values()), cells
    assert "k2 (10.78.0.22)" in cells["network-ping"]["where"], "a round trip to another node, never the loopback"


def test_the_osds_node_is_seen_from_the_pod_of_an_osd(plan: Plan, home: Path) -> None:
    done = run(*plan(PLAN), "--client", "pod:k1", "--osd-host", "pod", "--json")
    cells_of(done)
    assert "are not seen" not in done.stderr
    study = read_study(home / "studies" / json.loads(done.stdout)["study"])
    seen = {series.name.partition(":")[0] for segment in study.segments for series in segment.telemetry}
    assert {"host_cpu.k2", "nic_received_bytes.k2", "disk_write_ios.k2"} <= seen
    assert {host.name: host.role for host in study.environment.hosts}["k2"] == "osd"
    refused(
        run(*plan(PLAN), "--client", "pod:k1", "--osd-host", "pod:k9", timeout=60), "no OSD of the cluster is there"
    )


def test_the_same_in_a_namespace_where_all_pods_must_be_restricted(plan: Plan) -> None:
    label = "pod-security.kubernetes.io/enforce"
    kubectl("label", "namespace", "rook-ceph", f"{label}=restricted")
    try:
        cells = cells_of(run(*plan(PLAN), "--json"))
    finally:
        kubectl("label", "namespace", "rook-ceph", f"{label}-")
    assert {cell["layer"] for cell in cells.values()} == {"osd", "network", "rados", "rbd"}


def test_clients_are_pods_on_the_nodes_that_are_named(plan: Plan, home: Path) -> None:
    with running(*plan(ENDLESS + "images = 2\n"), *BOTH) as process:
        study = wait_for_segments(home, 1, set(), process)
        told = json.loads(kubectl("get", "pods", "-l", f"radoscope={study}", "-o", "json"))["items"]
        assert sorted(one["spec"]["nodeName"] for one in told) == ["k1", "k2"]
        assert {one["status"]["phase"] for one in told} == {"Running"}
    cells = cells_of(run(*plan(PLAN + "images = 2\n"), *BOTH, "--json"))
    assert all(cell["segments"] == 1 for cell in cells.values()), cells
    assert [cell["client_hosts"] for cell in cells.values() if cell["layer"] == "rbd"] == [2]


def test_no_key_is_seen_anywhere_and_the_load_can_do_no_more_than_it_needs(plan: Plan, home: Path) -> None:
    with running(*plan(ENDLESS)) as process:
        study = wait_for_segments(home, 1, set(), process)
        (pod,) = pods(study)
        user = f"client.radoscope-{study}"
        own, admin = (in_toolbox(f"ceph auth get-key {name}").strip() for name in (user, "client.admin"))
        seen = {
            "pods": kubectl("get", "pods", "-o", "json"),
            "events": kubectl("get", "events", "-o", "json"),
            "secrets": kubectl("get", "secrets", "-o", "json"),
            "log": kubectl("logs", pod),
            "processes": subprocess.run(["ps", "-eww", "-o", "args"], capture_output=True, text=True).stdout,
            "study": "".join(path.read_text("utf-8", "replace") for path in home.rglob("*.json")),
        }
        for name, text in seen.items():
            assert own not in text, name
            assert name == "secrets" or admin not in text, name  # that of client.admin is in those of Rook
        assert base64.b64encode(own.encode()).decode() not in seen["secrets"]
        assert admin not in kubectl("exec", pod, "--", "sh", "-c", "cat /radoscope/run/* 2>/dev/null; true")
        asked = ("exec", pod, "--", "sh", "-c")
        with_it = f"-c /radoscope/run/ceph.conf -n {user}"
        assert "not permitted" in kubectl(*asked, f"rados {with_it} -p .mgr ls 2>&1; true").lower()
        refused = kubectl(*asked, f"ceph {with_it} osd pool create mine 2>&1; true").lower()
        assert "denied" in refused or "permi" in refused, refused
        assert "automountServiceAccountToken" in seen["pods"]
        assert "no" in kubectl(*asked, "ls /var/run/secrets/kubernetes.io 2>&1 || echo no").lower()


HEAVY = tiny_plan(
    cell("rados", op="write", block="4M", queue_depth=[32, 64]), name="heavy", rounds=1, seconds="8s", at_most="8s"
)


@pytest.fixture
def neighbour() -> Iterator[None]:
    """Somebody else who writes small objects through the toolbox, two at a time, all the while."""
    in_toolbox("ceph osd pool create neighbour 16 16; ceph osd pool application enable neighbour theirs")
    bench = ("rados", "-p", "neighbour", "bench", "600", "write", "-b", "4096", "-t", "2")
    argv = [str(KUBERNETES.script), "in", "kubectl", "-n", "rook-ceph", "exec", "deploy/rook-ceph-tools", "--", *bench]
    writing = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
    assert writing.stdout is not None
    try:
        answers = (line for line in writing.stdout if line.split() and line.split()[0].isdigit())
        for _ in range(3):
            next(answers)
        yield
    finally:
        in_toolbox("grep -lx rados /proc/[0-9]*/comm | cut -d/ -f3 | xargs -r kill -9")
        writing.communicate()
        in_toolbox("ceph osd pool delete neighbour neighbour --yes-i-really-really-mean-it")


@pytest.mark.usefixtures("neighbour")
def test_a_load_from_which_others_suffer_is_taken_away(plan: Plan, home: Path) -> None:
    done = run(*plan(HEAVY))
    assert done.returncode == 0, done.stderr
    (folder,) = (home / "studies").iterdir()
    lighter, heavier = (read_study(folder).segments_of(one.name) for one in read_study(folder).cells)
    assert [one.outcome for one in lighter] == [Outcome.WITHHELD]
    assert "other clients" in lighter[0].problem
    assert heavier == ()
    assert "2 withheld" in done.stdout


def test_seed_004_gives_its_tables(plan: Plan) -> None:
    short = ("--rounds", "2", "--seconds", "2s", "--at-most", "2s")
    cells = cells_of(run("study", "--at", "kubectl", "--plan", "seed-004", *short, "--json"))
    told = {(cell["op"], cell["block_bytes"], cell["queue_depth"]) for cell in cells.values()}
    assert told == {("write", 4 << 20, 16), *((op, 4096, 16) for op in ("write", "read", "randread"))}
    for name, told_of in cells.items():
        for column in ("iops", "bandwidth_bytes_per_s", "latency_mean_s"):
            assert told_of[column]["value"] > 0, name


@pytest.mark.parametrize("words", [("clean", "--at", "kubectl", "--yes"), ("clean", "--yes")])
def test_kill_9_and_clean_from_another_host_or_by_the_journal(
    plan: Plan, home: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    process = subprocess.Popen(
        KUBERNETES.radoscope(*plan(ENDLESS)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True
    )
    study = wait_for_segments(home, 1, set(), process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (pod,) = pods(study)
    at_work = "grep -lE '^(fio|rados|rbd|ping)$' /proc/[0-9]*/comm || true"
    until(lambda: not kubectl("exec", pod, "--", "sh", "-c", at_work).strip(), "the load ends with its connection", 30)
    cleaned = run(*words, study, RADOSCOPE_HOME=str(tmp_path / "another host" if "--at" in words else home))
    assert cleaned.returncode == 0, cleaned.stderr
    assert f"removing pool radoscope-{study}" in cleaned.stdout
    assert pod.removeprefix("pod/") in cleaned.stdout


def test_a_pod_that_somebody_deletes_ends_the_study(plan: Plan, home: Path) -> None:
    process = subprocess.Popen(
        KUBERNETES.radoscope(*plan(ENDLESS)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    (pod,) = pods(wait_for_segments(home, 1, set(), process))
    kubectl("delete", pod, "--now")
    _, said = process.communicate(timeout=120)
    assert process.returncode != 0
    assert "Traceback" not in said
    assert pod.removeprefix("pod/") in said, said


def test_the_load_ends_when_an_osd_does(plan: Plan, home: Path) -> None:
    process = subprocess.Popen(
        KUBERNETES.radoscope(*plan(ENDLESS)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    wait_for_segments(home, 1, set(), process)
    kubectl("scale", "deploy/rook-ceph-osd-0", "--replicas=0")
    try:
        _, said = process.communicate(timeout=120)
    finally:
        kubectl("scale", "deploy/rook-ceph-osd-0", "--replicas=1")
        until(is_well, "the cluster is well again")
    assert process.returncode != 0
    assert "the load was stopped because 1 of 3 OSDs are down" in said, said


def test_a_node_that_is_cut_off_ends_the_study_in_good_time(plan: Plan, home: Path) -> None:
    cable = ["ip", "-n", "radoscope-kube", "link", "set", "p-k2"]
    process = subprocess.Popen(
        KUBERNETES.radoscope(*plan(ENDLESS), *BOTH), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    wait_for_segments(home, 1, set(), process)
    subprocess.run([*cable, "down"], check=True)
    try:
        begun = time.monotonic()
        _, said = process.communicate(timeout=240)
        seconds = time.monotonic() - begun
    finally:
        subprocess.run([*cable, "up"], check=True)
        until(lambda: "NotReady" not in kubectl("get", "nodes"), "both nodes are ready again")
        until(is_well, "the cluster is well again", 180)
    assert process.returncode != 0
    assert "Traceback" not in said
    assert seconds < 180, said
    cleaned = run("clean", "--at", "kubectl", "--yes")
    assert cleaned.returncode == 0, cleaned.stderr


def test_a_node_that_is_not_ready_takes_no_pod(plan: Plan) -> None:
    KUBERNETES.says("run", "k2", "systemctl", "stop", "bed-kubelet")
    try:
        until(lambda: "NotReady" in kubectl("get", "nodes"), "k2 is not ready")
        refused(run(*plan(PLAN), "--client", "pod:k2", timeout=60), "no node takes it", "k2")
    finally:
        KUBERNETES.says("run", "k2", "systemctl", "start", "bed-kubelet")
        until(lambda: "NotReady" not in kubectl("get", "nodes"), "k2 is ready again")
        until(is_well, "the cluster is well again", 180)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--image", "localhost/none:1"), ("none:1", "--image names another one")),
        (("--client", "pod:k3"), ("no node takes it", "for the node k3", "kubectl get nodes")),
        (("--client", "ssh:k1"), ("--client ssh:k1", "from pods")),
    ],
)
def test_what_stands_against_a_pod_is_told(plan: Plan, words: tuple[str, ...], told: tuple[str, ...]) -> None:
    refused(run(*plan(PLAN), *words, timeout=90), *told)


@pytest.mark.parametrize("where", ["kubectl:default", "kubectl:nowhere", "kubectl:no-context/rook-ceph"])
def test_another_namespace_or_context_is_told(plan: Plan, where: str) -> None:
    words = [where if word == "kubectl" else word for word in plan(PLAN)]
    refused(run(*words, timeout=60), where.partition(":")[2].partition("/")[0])


def test_a_toolbox_that_does_not_run_is_told(plan: Plan) -> None:
    kubectl("scale", "deploy/rook-ceph-tools", "--replicas=0")
    try:
        until(lambda: not kubectl("get", "pods", "-l", "app=rook-ceph-tools", "-o", "name"), "the toolbox is gone")
        refused(run(*plan(PLAN), timeout=60), "rook-ceph-tools", "get pods -o wide")
    finally:
        kubectl("scale", "deploy/rook-ceph-tools", "--replicas=1")
        kubectl("wait", "--for=condition=Available", "deploy/rook-ceph-tools", "--timeout=60s")


QUOTA = '{"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "few"}, "spec": {"hard": {"pods": "1"}}}'


def test_a_quota_is_told(plan: Plan) -> None:
    kubectl("apply", "-f", "-", given=QUOTA)
    try:
        until(lambda: '"used"' in kubectl("get", "resourcequota/few", "-o", "json"), "the quota counts")
        refused(run(*plan(PLAN), timeout=60), "exceeded quota: few", "quota")
    finally:
        kubectl("delete", "resourcequota", "few")


LIMITED = """
apiVersion: v1
kind: ServiceAccount
metadata: {name: limited}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: limited}
rules:
- {apiGroups: [apps], resources: [deployments], verbs: [get]}
- {apiGroups: [""], resources: [pods], verbs: [RIGHTS]}
MORE---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: limited}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: limited}
subjects: [{kind: ServiceAccount, name: limited}]
"""
EXEC = '- {apiGroups: [""], resources: [pods/exec], verbs: [create]}\n'


@contextmanager
def as_a_service_account(folder: Path, rights: str, more: str) -> Iterator[str]:
    """A kubeconfig with these verbs for pods."""
    text = LIMITED.replace("RIGHTS", rights).replace("MORE", more)
    kubectl("apply", "-f", "-", given=text)
    try:
        token = kubectl("create", "token", "limited").strip()
        config = json.loads(kubectl("config", "view", "--raw", "-o", "json"))
        config["users"] = [{"name": config["users"][0]["name"], "user": {"token": token}}]
        (folder / "config").write_text(json.dumps(config))
        yield str(folder / "config")
    finally:
        kubectl("delete", "-f", "-", given=text)


@pytest.mark.parametrize(
    ("rights", "more", "told"),
    [
        ("get", EXEC, ("cannot create resource", "can-i create pods")),
        ("get, list, create, delete", "", ("pods/exec", "doctor --at")),
    ],
)
def test_rights_that_lack_are_told(plan: Plan, tmp_path: Path, rights: str, more: str, told: tuple[str, ...]) -> None:
    with as_a_service_account(tmp_path, rights, more) as config:
        refused(run(*plan(PLAN), timeout=60, BED_KUBECONFIG=config), *told)
        looked = run("doctor", "--at", "kubectl", timeout=60, BED_KUBECONFIG=config)
    assert looked.returncode == 1
    assert "you may not" in looked.stdout
    assert "create pods" in looked.stdout


def test_no_more_rights_are_needed_than_the_docs_say(plan: Plan, tmp_path: Path) -> None:
    with as_a_service_account(tmp_path, "get, list, create, delete", EXEC) as config:
        cells = cells_of(run(*plan(PLAN), "--json", BED_KUBECONFIG=config))
    assert {cell["layer"] for cell in cells.values()} == {"osd", "network", "rados", "rbd"}


def test_doctor_says_what_there_is() -> None:
    done = run("doctor", "--at", "kubectl")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Ready: kubectl and the cluster." in done.stdout
