"""How a command reaches a host: the argv of each site."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from radoscope.ceph.standing import StandingThere
from radoscope.errors import PlanError, SiteError, ToolFailed
from radoscope.sites import Local, NetworkNamespace, Site, Ssh, pod, talk
from radoscope.sites.container import Container, found
from radoscope.sites.named import at, from_json, to_json
from tests.run.test_remote import Elsewhere

ODD = ("fio", "--name=two words", "--filename=/tmp/a'b;rm -rf $HOME")


@pytest.mark.parametrize(
    ("site", "before"),
    [(Local(), ()), (NetworkNamespace("radoscope-1-h1", "h1"), ("ip", "netns", "exec", "radoscope-1-h1"))],
)
def test_on_this_machine_the_words_stay_as_they_are(site: Site, before: tuple[str, ...]) -> None:
    assert site.wrap(ODD) == (*before, *ODD)
    assert site.folder is None


def test_ssh_quotes_the_words_for_the_shell_over_there_and_asks_nobody_anything() -> None:
    site = Ssh("root@node1", Path("/tmp/run"), config=Path("my config"))
    argv = site.wrap(ODD)
    assert argv[:3] == ("ssh", "-F", "my config")
    assert "BatchMode=yes" in argv
    assert argv[-3:-1] == ("--", "root@node1")
    assert tuple(shlex.split(argv[-1])) == ODD
    assert site.name == "node1"


@pytest.mark.parametrize("config", [None, Path("/etc/ssh/other")])
def test_a_journal_leads_back_to_the_same_site(config: Path | None) -> None:
    site = Ssh("root@node1", Path("/tmp/run"), config=config)
    assert from_json(json.loads(json.dumps(to_json(site)))) == site
    assert from_json(to_json(Local())) == Local()


@pytest.mark.parametrize("word", ["node1", "ssh:", "ssh:-oProxyCommand=x", "ssh:a b", "podman"])
def test_what_at_does_not_know_is_refused_with_what_it_knows(word: str) -> None:
    with pytest.raises(PlanError) as refused:
        at(word, Path("/tmp/run"), None)
    assert word in refused.value.message
    assert "ssh:[USER@]HOST" in refused.value.hint


@dataclass(frozen=True)
class Broken:
    """A host whose connection says this and ends so."""

    said: str
    code: int = 255
    name: str = "node1"
    folder: Path = Path("/nowhere")

    def wrap(self, argv: Sequence[str]) -> tuple[str, ...]:
        return ("/bin/sh", "-c", f"printf '%s' \"$0\" >&2; exit {self.code}", self.said)


@pytest.mark.parametrize(
    ("said", "mended_by"),
    [
        ("root@node1: Permission denied (publickey).", "with a key or an agent"),
        ("Host key verification failed.", "Accept its host key once: ssh node1 true"),
        ("ssh: connect to host node1 port 22: Connection refused", "does sshd listen there?"),
        ("ssh: Could not resolve hostname node1: Name or service not known", "Is the name right?"),
        ("", "must work without a prompt"),
    ],
)
def test_a_host_that_is_not_reached_is_told_in_a_sentence_with_what_mends_it(said: str, mended_by: str) -> None:
    for code in (255, 1, 126):
        with pytest.raises(SiteError) as unreached:
            talk.run(Broken(said, code), ("ceph", "-s"))
        assert unreached.value.message.startswith("client host node1 cannot be reached: ")
        assert mended_by in unreached.value.hint


@pytest.mark.parametrize(("times", "reached"), [(1, True), (3, True), (9, False)])
def test_a_door_that_is_shut_before_anything_ran_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, reached: bool
) -> None:
    """sshd drops connections at random where many log in at once."""
    monkeypatch.setattr(talk, "_PAUSES_S", (0.0, 0.0, 0.0))
    (tmp_path / "ssh").write_text(f"""#!/bin/bash
echo x >>{tmp_path}/tries
[ $(wc -l <{tmp_path}/tries) -gt {times} ] || {{ echo 'kex_exchange_identification: reset' >&2; exit 255; }}
eval "${{@: -1}}"
""")
    (tmp_path / "ssh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    site = Ssh("node1", folder=Path("/tmp/r"))
    if reached:
        assert talk.tell(site, "cat", given=b"again") == b"again"
    else:
        with pytest.raises(SiteError, match="node1 cannot be reached: kex_exchange"):
            talk.tell(site, "true")
    assert len((tmp_path / "tries").read_text().split()) == min(times + 1, 4)


def test_a_command_that_fails_there_is_not_taken_for_a_lost_host(tmp_path: Path) -> None:
    there = Elsewhere(tmp_path)
    for code in (1, 125, 255):
        with pytest.raises(ToolFailed, match="failed on node1: no such pool"):
            talk.run(there, ("sh", "-c", f"echo no such pool >&2; exit {code}"))
    assert talk.run(there, ("cat",), given=b"key\n", environment={"RADOSCOPE_RUN": "x"}) == b"key\n"


FAKE_RADOS = """
class Rados:
    def __init__(self, name, conffile, conf):
        if conffile == "/refused":
            raise OSError("[errno 13] RADOS permission denied (error connecting to the cluster)")
    def connect(self):
        pass
    def mon_command(self, words, inbuf, target=None):
        if target:
            return 0, b'{"mon": "%s"}' % target.encode(), ""
        return (-22, b"", "unknown command") if "nonsense" in words else (0, b'{"said": %s}' % words.encode(), "")
    def osd_command(self, osd, words, inbuf):
        return 0, b'{"osd": %d}' % osd, ""
"""


@pytest.fixture
def ceph_there(tmp_path: Path) -> Elsewhere:
    """A host with a `ceph` in Python whose rados module answers by itself."""
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "rados.py").write_text(FAKE_RADOS)
    (tools / "ceph").write_text(f"#!/usr/bin/env PYTHONPATH={tools} {sys.executable}\n")
    (tools / "ceph").chmod(0o755)
    return Elsewhere(tmp_path, path=f"{tools}:{os.environ['PATH']}", before="echo Welcome")


def standing_at(site: Site, conf: str = "/etc/ceph/ceph.conf") -> StandingThere:
    return StandingThere(site, conf=Path(conf), user="client.admin", keyring=None, timeout_s=5)


def test_a_standing_connection_answers_monitors_and_osds_questions(ceph_there: Elsewhere) -> None:
    with standing_at(ceph_there) as cluster:
        assert cluster.ask("osd pool get", pool="p")["said"] == {
            "prefix": "osd pool get",
            "format": "json",
            "pool": "p",
        }
        assert cluster.ask_osd(7, "perf dump") == {"osd": 7}
        assert json.loads(cluster.tell("config get", to="mon.a", var="debug_mon")) == {"mon": "a"}
        with pytest.raises(SiteError, match="ceph nonsense: unknown command"):
            cluster.ask("nonsense")


def test_a_helper_that_was_killed_is_started_again(ceph_there: Elsewhere) -> None:
    with standing_at(ceph_there) as cluster:
        cluster.ask("status")
        assert cluster._process is not None
        cluster._process.kill()
        cluster._process.wait()
        assert cluster.ask_osd(1, "perf dump") == {"osd": 1}


def test_a_standing_connection_that_cannot_be_had_says_why(tmp_path: Path, ceph_there: Elsewhere) -> None:
    with pytest.raises(SiteError, match="permission denied"), standing_at(ceph_there, "/refused"):
        pass
    with pytest.raises(SiteError, match="client host node1 cannot be reached: gone"), standing_at(Broken("gone")):
        pass
    bare = tmp_path / "bare"
    bare.mkdir()
    for tool in ("sh", "env"):
        (bare / tool).symlink_to(f"/usr/bin/{tool}")
    with pytest.raises(ToolFailed, match="node1 has no ceph command"), standing_at(Elsewhere(tmp_path, path=str(bare))):
        pass


def container(via: Site, *, standing: bool = False) -> Container:
    mounts = (Path("/etc/ceph"), Path("/var/lib/my disk"))
    return Container(via, "/usr/bin/podman", "quay.io/ceph/ceph:v19", "radoscope-x", Path("/tmp/r-0"), mounts, standing)


def test_a_command_in_a_container_that_stands_is_executed_in_it_and_else_has_one_of_its_own() -> None:
    host = Ssh("root@c1", Path("/tmp/r-0"))
    inside = container(host, standing=True).wrap(ODD)
    assert tuple(shlex.split(inside[-1])) == ("/usr/bin/podman", "exec", "-i", "radoscope-x", *ODD)
    alone = tuple(shlex.split(container(host).wrap(ODD)[-1]))
    assert alone[-4:] == ("--entrypoint", "fio", "quay.io/ceph/ceph:v19", *ODD[1:])[-4:]
    assert "--rm" in alone
    assert "/etc/ceph:/etc/ceph:ro" in alone, "the cluster's files are read, never written"
    assert "/var/lib/my disk:/var/lib/my disk" in alone
    assert container(host).name == "c1"


def test_a_journal_leads_back_to_a_container_a_command_because_the_standing_one_may_be_gone() -> None:
    host = Ssh("root@c1", Path("/tmp/r-0"))
    assert from_json(json.loads(json.dumps(to_json(container(host, standing=True))))) == container(host)


PODMAN_PS = """#!/bin/sh
echo 'ceph-11111111-2222-3333-4444-555555555555-node-exporter-c1 quay.io/prometheus/node-exporter:v1.7'
echo 'ceph-99999999-2222-3333-4444-555555555555-mon-c1 other:1'
echo 'ceph-11111111-2222-3333-4444-555555555555-osd-0 quay.io/ceph/ceph@sha256:abc'
"""


def test_the_image_is_that_of_this_clusters_own_daemons(tmp_path: Path) -> None:
    """Names as cephadm gives them; a host may carry two clusters and the monitoring stack."""
    conf, keyring = tmp_path / "ceph.conf", tmp_path / "ceph.client.admin.keyring"
    conf.write_text("[global]\n\tfsid = 11111111-2222-3333-4444-555555555555\n")
    tools = tmp_path / "bin"
    tools.mkdir()
    host = Elsewhere(tmp_path, path=f"{tools}:/usr/bin:/bin")
    with pytest.raises(ToolFailed, match="node1 has neither podman nor docker"):
        found(host, conf, keyring, Path("/tmp/radoscope-x-0"), None)
    (tools / "podman").write_text(PODMAN_PS)
    (tools / "podman").chmod(0o755)
    with pytest.raises(SiteError, match=r"node1 has no .*keyring") as refused:
        found(host, conf, keyring, Path("/tmp/radoscope-x-0"), None)
    assert "_admin" in refused.value.hint
    keyring.write_text("")
    assert found(host, conf, keyring, Path("/tmp/radoscope-x-0"), None).image == "quay.io/ceph/ceph@sha256:abc"
    assert found(host, conf, keyring, Path("/tmp/radoscope-x-0"), "mine:1").image == "mine:1"
    assert found(host, conf, keyring, Path("/tmp/radoscope-x-0"), None).title == "radoscope-x"
    conf.write_text("fsid = 33333333-2222-3333-4444-555555555555\n")
    with pytest.raises(SiteError, match="its image is not known"):
        found(host, conf, keyring, Path("/tmp/radoscope-x-0"), None)


KUBECTL = """#!/usr/bin/env python3
import json, os, sys
state = os.environ["STATE"]
words = sys.argv[1:]
with open(state + "/calls", "a") as calls:
    calls.write(json.dumps(words) + "\\n")
if "create" in words:
    open(state + "/asked", "w").write(sys.stdin.read())
if "can-i" in words:
    no = words[words.index("can-i") + 1:] == ["create", "pods", "--subresource=exec"]
    print("no" if no else "yes")
    sys.exit(1 if no else 0)
if {"get", "delete"} & set(words) and os.path.exists(state + "/said"):
    sys.exit(open(state + "/said").read())
if "get" in words:
    print(open(state + "/pod").read())
"""
# As kubectl 1.36 says them.
REFUSED = (
    'E1123 02:42:13.729657   14720 memcache.go:265] "Unhandled Error" err="dial tcp: connect: connection refused"\n'
    "The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?"
)
FORBIDDEN = (
    'Error from server (Forbidden): deployments.apps "rook-ceph-tools" is forbidden: User "me" cannot get resource'
)
NOT_FOUND = 'Error from server (NotFound): deployments.apps "rook-ceph-tools" not found'


@pytest.fixture
def kubernetes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder: a `kubectl` first in PATH says of a pod what stands in its file `pod`."""
    tool = tmp_path / "tools" / "kubectl"
    tool.parent.mkdir()
    tool.write_text(KUBECTL)
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("STATE", str(tmp_path))
    monkeypatch.delenv("KUBECONFIG", raising=False)
    return tmp_path


def test_at_kubectl_names_context_and_namespace() -> None:
    box = pod.toolbox("kubectl:admin@prod/storage")
    assert box is not None
    assert box.wrap(("ceph", "-s")) == (
        *("kubectl", "--context", "admin@prod", "-n", "storage", "exec", "-i", "deploy/rook-ceph-tools", "--"),
        *("ceph", "-s"),
    )
    default = pod.toolbox("kubectl")
    assert default is not None
    assert default.kubectl[-2:] == ("-n", "rook-ceph")
    assert from_json(json.loads(json.dumps(to_json(default)))) == default
    assert [pod.toolbox(word) for word in ("kubectl:", "kubectl:-n", "ssh:kubectl")] == [None, None, None]
    assert pod.nodes_of(("pod", "pod:node-2")) == ("", "node-2")
    assert pod.nodes_of(()) == ("",), "one pod where none is named"
    with pytest.raises(PlanError, match="neither pod nor pod:NODE"):
        pod.nodes_of(("ssh:node1",))


@pytest.mark.parametrize(
    ("said", "told", "hint"),
    [
        (
            REFUSED,
            "the Kubernetes cluster is not reached: kubectl: The connection to the server 10.0.0.1:6443",
            "context",
        ),
        ('error: context "prod" does not exist', 'is not reached: kubectl: error: context "prod"', "KUBECONFIG"),
        (FORBIDDEN, "you may not see the toolbox: kubectl: Error from server", "doctor --at"),
        (
            NOT_FOUND,
            "there is no toolbox in the namespace rook-ceph: kubectl: Error from server",
            "Deploy Rook's toolbox.yaml",
        ),
    ],
)
def test_why_there_is_no_toolbox_is_told_apart(kubernetes: Path, said: str, told: str, hint: str) -> None:
    box = pod.toolbox("kubectl")
    assert box is not None
    (kubernetes / "said").write_text(said)
    with pytest.raises(SiteError) as refused:
        pod.image_of(box)
    assert told in refused.value.message
    assert "E1123" not in refused.value.message
    assert hint in refused.value.hint


def test_rights_that_lack_are_named(kubernetes: Path) -> None:
    box = pod.toolbox("kubectl")
    assert box is not None
    assert pod.rights_that_lack(box) == ("create pods/exec",)
    asked = (kubernetes / "calls").read_text()
    assert all(f'"{verb}", "pods"' in asked for verb in ("get", "list", "create", "delete"))


def test_a_pod_of_ours_fits_the_restricted_standard_and_holds_no_key() -> None:
    """The standard: kubernetes.io, Pod Security Standards, "Restricted"."""
    asked = pod.manifest(pod.pod_name("20261122-1200-My_Plan-ab12", 0), "ceph:v19", "run", "node-2")
    spec, load = asked["spec"], asked["spec"]["containers"][0]
    assert asked["metadata"]["name"] == "radoscope-20261122-1200-my-plan-ab12-0"
    assert spec["securityContext"]["runAsNonRoot"]
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert load["securityContext"] == {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
    assert not {"hostNetwork", "hostPID", "hostIPC"} & set(spec)
    assert [set(volume) for volume in spec["volumes"]] == [{"name", "emptyDir"}], "no secret, no path of the node"
    assert spec["activeDeadlineSeconds"] > 0, "it ends by itself even if nobody removes it"
    assert spec["nodeSelector"] == {"kubernetes.io/hostname": "node-2"}


RUNNING = {"spec": {"nodeName": "node-2"}, "status": {"phase": "Running", "hostIP": "10.0.0.2"}}


def test_pods_are_known_with_their_nodes_once_all_run(kubernetes: Path) -> None:
    box = pod.toolbox("kubectl")
    assert box is not None
    asked = [pod.manifest(f"radoscope-x-{number}", "ceph:v19", "x") for number in (0, 1)]
    (kubernetes / "pod").write_text(json.dumps(RUNNING))
    first, second = pod.start(box, asked)
    assert (first.name, first.node, first.address) == ("radoscope-x-0", "node-2", "10.0.0.2")
    assert second.name == "radoscope-x-1"
    assert json.loads((kubernetes / "asked").read_text()) == asked[1]
    verbs = [next(word for word in call if word in ("create", "get")) for call in calls(kubernetes)]
    assert verbs == ["create", "create", "get", "get"], "nobody waits for one before the next is asked for"
    pod.remove(box.kubectl, "radoscope-x-0")
    assert calls(kubernetes)[-1][:5] == ["-n", "rook-ceph", "delete", "pod", "radoscope-x-0"]
    assert "--ignore-not-found" in calls(kubernetes)[-1]


def calls(kubernetes: Path) -> list[list[str]]:
    return [json.loads(line) for line in (kubernetes / "calls").read_text().splitlines()]


def waits(reason: str) -> dict[str, Any]:
    return {"containerStatuses": [{"state": {"waiting": {"reason": reason, "message": "what it says"}}}]}


UNSCHEDULED = {
    "conditions": [{"type": "PodScheduled", "status": "False", "message": "1 node(s) had untolerated taint(s)"}]
}


@pytest.mark.parametrize(
    ("status", "told", "hint"),
    [
        (waits("ErrImagePull"), "ErrImagePull: what it says", "Its image is ceph:v19; --image"),
        (waits("CreateContainerError"), "CreateContainerError: what it says", "get events"),
        (UNSCHEDULED, "no node takes it: 1 node.s. had untolerated taint", "kubectl get nodes"),
        ({"phase": "Failed", "reason": "Evicted", "message": "low on memory"}, "it ended: Evicted low", "get events"),
        ({}, "not within 0 s", "-n rook-ceph get events --field-selector involvedObject.name=radoscope-x-0"),
    ],
)
def test_what_stands_against_a_pod_is_told_with_what_mends_it(
    kubernetes: Path, monkeypatch: pytest.MonkeyPatch, status: dict[str, Any], told: str, hint: str
) -> None:
    box = pod.toolbox("kubectl")
    assert box is not None
    monkeypatch.setattr(pod, "_UNSCHEDULED_S", 0.0)
    monkeypatch.setattr(pod, "_START_S", 0.0)
    (kubernetes / "pod").write_text(json.dumps({"spec": {}, "status": {"phase": "Pending", **status}}))
    with pytest.raises(SiteError, match=f"radoscope-x-0 for the node k3 does not start: {told}") as refused:
        pod.start(box, [pod.manifest("radoscope-x-0", "ceph:v19", "x", "k3")])
    assert hint in refused.value.hint


TOOLBOX = {"template": {"spec": {"containers": [{"image": "ceph:v19"}]}}}


def test_a_toolbox_that_does_not_run_is_told_at_once(kubernetes: Path) -> None:
    box = pod.toolbox("kubectl")
    assert box is not None
    (kubernetes / "pod").write_text(json.dumps({"spec": TOOLBOX, "status": {"replicas": 1}}))
    with pytest.raises(SiteError, match="the toolbox deploy/rook-ceph-tools does not run") as refused:
        pod.image_of(box)
    assert "get pods -o wide" in refused.value.hint
    (kubernetes / "pod").write_text(json.dumps({"spec": TOOLBOX, "status": {"readyReplicas": 1}}))
    assert pod.image_of(box) == "ceph:v19"


def test_hosts_of_osds_are_looked_at_from_the_pods_that_run_there(kubernetes: Path) -> None:
    def of_osd(number: str, node: str, phase: str = "Running") -> dict[str, Any]:
        labels = {"app": "rook-ceph-osd", "ceph-osd-id": number}
        metadata = {"name": f"rook-ceph-osd-{number}-6d5", "labels": labels}
        return {"metadata": metadata, "spec": {"nodeName": node}, "status": {"phase": phase}}

    box = pod.toolbox("kubectl")
    assert box is not None
    items = [of_osd("0", "n1"), of_osd("1", "n1", "Pending"), of_osd("7", "n2"), of_osd("", "n3")]
    (kubernetes / "pod").write_text(json.dumps({"items": items}))
    found = pod.pods_of_osds(box)
    assert {osd: (one.name, one.target) for osd, one in found.items()} == {
        0: ("n1", "pod/rook-ceph-osd-0-6d5"),
        7: ("n2", "pod/rook-ceph-osd-7-6d5"),
    }
    assert found[7].wrap(("sh",))[-3:] == ("pod/rook-ceph-osd-7-6d5", "--", "sh")
    assert [pod.node_of(word) for word in ("pod", "pod:n2", "ssh:n2")] == ["", "n2", None]


def test_a_study_whose_pod_does_not_start_removes_it(kubernetes: Path) -> None:
    status = {"readyReplicas": 1, **waits("ErrImagePull")}
    (kubernetes / "pod").write_text(json.dumps({"spec": TOOLBOX, "status": status}))
    home = kubernetes / "home"
    words = ("study", "--at", "kubectl", "--plan", "seed-004", "--client", "pod", "--client", "pod")
    env = {**os.environ, "RADOSCOPE_HOME": str(home)}
    argv = [sys.executable, "-m", "radoscope", *words]
    done = subprocess.run(argv, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 3, done.stderr
    assert "ErrImagePull" in done.stderr
    made = [call for call in calls(kubernetes) if "create" in call]
    gone = [call[call.index("pod") + 1] for call in calls(kubernetes) if "delete" in call]
    assert (len(made), len(set(gone))) == (2, 2)
    assert list((home / "journal").glob("*")) == []


def test_a_pod_of_a_lost_node_is_left_to_kubernetes(kubernetes: Path) -> None:
    (kubernetes / "said").write_text("error: timed out waiting for the condition on pods/radoscope-x-0")
    with pytest.raises(SiteError, match="told to delete it, but its node does not say that it is gone"):
        pod.remove(("kubectl",), "radoscope-x-0")
    (kubernetes / "said").write_text(FORBIDDEN)
    with pytest.raises(ToolFailed, match="forbidden"):
        pod.remove(("kubectl",), "radoscope-x-0")


def test_without_kubectl_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    box = pod.toolbox("kubectl")
    assert box is not None
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SiteError, match="kubectl is not installed here") as refused:
        pod.image_of(box)
    assert "Install Tools" in refused.value.hint


def test_what_kubectl_adds_to_the_words_of_a_command_is_not_told() -> None:
    said = b"Error ENOENT: no such pool\nradoscope: ended 2\ncommand terminated with exit code 2\n"
    assert talk.last_words(said) == "Error ENOENT: no such pool"
    assert talk.came_to_its_end(said)
