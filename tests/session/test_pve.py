"""`--at pve:NODE`: nodes, storages and load through a real sshd; only the commands of Proxmox VE are stand-ins."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radoscope.archives.bundle import read_study
from radoscope.ceph import Cluster
from radoscope.errors import PlanError, SiteError
from radoscope.run.client_hosts import check_answer
from radoscope.sandbox import Sandbox
from radoscope.session.proxmox import Member, NodeFacts, corosync_beside_ceph, load_hosts, look, other_nodes, storage
from radoscope.sites import Ssh, talk
from radoscope.sites.named import at, from_json, to_json
from tests.conftest import radoscope_home
from tests.on_ceph import Start, WritePlan, launch, nothing_is_left, radoscope, standing, succeed
from tests.pve import Pve
from tests.small_plans import cell, endless_plan, gentle_plan
from tests.sshd import folders, loads, wait_for_load

CELLS = (cell("rados", op="write", queue_depth=4), cell("rbd", op="randwrite", images=2, clients=[1, 2]))
NODES = tuple(Member(f"pve{n}", f"127.0.0.{n}", online=n < 3, here=n == 1) for n in (1, 2, 3))
HERE = Ssh("root@node1", Path("/tmp/radoscope-run-0"))
OSDS = [{"id": 0, "hostname": "pve1", "front_addr": "[v2:10.0.0.1:6800/1]", "back_addr": "[v2:10.1.0.1:6801/1]"}]


@pytest.fixture
def node(pve: Pve) -> Ssh:
    site = at("pve:node1", Path("/tmp/radoscope-look-0"), pve.server.config)
    assert isinstance(site, Ssh)
    return site


def test_a_node_tells_its_version_and_the_nodes_of_its_cluster(node: Ssh) -> None:
    seen = look(node)
    assert seen.release == "9.0.3"
    assert seen.members == NODES
    assert seen.links == {"0": {"10.9.9.1", "10.9.9.2"}}


def test_another_node_is_reached_through_the_first_one(node: Ssh) -> None:
    [other] = other_nodes(node, look(node), "look")
    assert talk.run(other, ("sh", "-c", 'echo "$SSH_CONNECTION"')).split()[2] == b"127.0.0.2"
    assert from_json(json.loads(json.dumps(to_json(other)))) == other
    check_answer([other])


def test_nodes_that_do_not_let_each_other_in_are_told_with_what_mends_it(pve: Pve, node: Ssh) -> None:
    [other] = other_nodes(node, look(node), "look")
    pve.put("pve/nodes/pve2/ssh_known_hosts", "")
    with pytest.raises(SiteError, match="client host pve2 cannot be reached") as refused:
        talk.tell(other, ":")
    assert "pvecm updatecerts" in refused.value.hint


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ((), []),
        (("node", "node"), ["node1", "pve2"]),
        (("node:pve2", "node"), ["pve2", "node1"]),
        (("here", "node"), ["node1", "pve2"]),
        (("node", "ssh:node2"), ["node1", "node2"]),
    ],
)
def test_load_comes_from_the_nodes_that_are_named(words: tuple[str, ...], names: list[str]) -> None:
    hosts = load_hosts(words, NodeFacts("", NODES, {}), "run", HERE)
    assert [site.name for site in hosts] == names
    assert len({site.folder for site in hosts}) == len(hosts)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("node", "node", "node"), "no further node is online"),
        (("node:pve3",), "has this node as offline"),
        (("node:pve9",), "no such node"),
        (("node:pve2", "node:pve2"), "names pve2 twice"),
        (("pve2",), "neither here nor ssh:"),
    ],
)
def test_nodes_that_cannot_give_load_are_refused(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(PlanError, match=said):
        load_hosts(words, NodeFacts("", NODES, {}), "run", HERE)


@pytest.mark.parametrize(
    ("links", "said"),
    [
        ({"0": {"10.9.9.1"}}, None),
        ({}, None),
        ({"0": {"10.0.0.1", "10.0.0.2"}}, "corosync has no link of its own: link 0"),
        ({"0": {"10.9.9.1"}, "1": {"10.1.0.1"}}, "corosync's link 1 runs over Ceph's network"),
        ({"0": {"pve1"}}, None),
    ],
)
def test_corosync_on_the_network_of_ceph_is_said(links: dict[str, set[str]], said: str | None) -> None:
    seen = NodeFacts("", (), {number: frozenset(where) for number, where in links.items()})
    words = corosync_beside_ceph(seen, OSDS)
    assert len(words) == (said is not None)
    assert all(said in one for one in words if said)


def test_a_storage_of_that_node_and_those_that_are_none(pve: Pve) -> None:
    found = storage("vms", "pve:node1", pve.server.config)
    assert (found["conf"], found["keyring"], found["pool"]) == (Path("/etc/pve/ceph.conf"), None, "vms")
    pve.put("pve/priv/ceph/vms.keyring", "")
    assert storage("vms", "pve:node1", pve.server.config)["keyring"] == Path("/etc/pve/priv/ceph/vms.keyring")
    for name, said in (("local", "is of type dir, not rbd"), ("my vms", "has no such storage")):
        with pytest.raises(PlanError, match=said) as refused:
            storage(name, "pve:node1", pve.server.config)
        assert refused.value.hint == "Storages on RBD: vms."


def test_what_is_no_node_or_answers_root_alone_is_told_apart(pve: Pve, node: Ssh) -> None:
    own = pve.server.folder / "bin"
    (own / "pvesh").write_text("#!/bin/sh\necho 'ipcc_send_rec[1] failed: Connection refused' >&2\nexit 255\n")
    (own / "pvesh").chmod(0o755)
    with pytest.raises(SiteError, match="ipcc_send_rec") as refused:
        look(node)
    assert "pve:root@NODE" in refused.value.hint
    script = pve.server.folder / "node"
    script.write_text(script.read_text().replace(str(Path(__file__).parents[1] / "pve"), "/nowhere"))
    with pytest.raises(SiteError, match="is no node of Proxmox VE") as refused:
        look(node)
    assert "ssh:[USER@]HOST" in refused.value.hint


@pytest.mark.ceph
@pytest.mark.slow
def test_a_study_of_a_storage_from_two_nodes(
    home: Path, sandbox: Sandbox, cluster: Cluster, plan: WritePlan, pve: Pve
) -> None:
    pve.cluster(sandbox)
    pve.corosync(str(sandbox.hosts[0].public_address), "127.0.0.2")
    cluster.ceph_text("osd", "pool", "create", "vms", "8", "8")
    try:
        before = standing(cluster)
        checked = radoscope("doctor", *pve.words, "--keyring", "/etc/pve/priv/ceph/vms.keyring")
        assert "Proxmox VE: 9.0.3" in checked.stdout
        assert "pve1, pve2, pve3 (offline)" in checked.stdout
        assert "corosync has no link of its own" in checked.stdout
        load = ("--storage", "vms", "--client", "node", "--client", "node")
        done = succeed("study", *pve.words, *load, "--plan", plan(gentle_plan(*CELLS, rounds=1)), "--json", timeout=500)
        told = json.loads(done.stdout)
        assert "corosync has no link of its own: link 0 runs over Ceph's network" in done.stderr
        assert all(cell["segments"] == 1 for cell in told["cells"]), told
        folder = home / "studies" / told["study"]
        kept = json.loads((folder / "manifest.json").read_text())
        hosts = {one["host"] for segment in kept["segments"] for one in segment["processes"]}
        assert hosts == {"node1", "pve2"}
        assert "Proxmox VE 9.0.3" in read_study(folder).target
        assert "qemu-server: 9.0.16" in (folder / "environment" / "proxmox.json").read_text()
        assert standing(cluster) == before
        assert folders(told["study"]) == []
        nothing_is_left(home, told["study"])
    finally:
        cluster.ceph_text("osd", "pool", "delete", "vms", "vms", "--yes-i-really-really-mean-it")


@pytest.mark.ceph
@pytest.mark.slow
def test_after_kill_9_another_host_removes_what_is_on_both_nodes(
    home: Path, tmp_path: Path, sandbox: Sandbox, cluster: Cluster, plan: WritePlan, pve: Pve, start: Start
) -> None:
    pve.cluster(sandbox)
    before = standing(cluster)
    words = (*pve.words, "--keyring", "/etc/pve/priv/ceph/vms.keyring")
    running, study = launch(
        start, home, *words, "--client", "node", "--client", "node", "--plan", plan(endless_plan(*CELLS))
    )
    wait_for_load(study)
    running.kill()
    running.communicate()
    with radoscope_home(tmp_path / "another"):
        listed = radoscope("clean", *words, "--dry-run")
        for thing in (f"pool radoscope-{study}", f"node1:/tmp/radoscope-{study}-0", f"pve2:/tmp/radoscope-{study}-2"):
            assert thing in listed.stdout
        succeed("clean", *words, study, "--yes")
    assert loads(study) == []
    assert folders(study) == []
    assert standing(cluster) == before
    assert radoscope("clean", "--yes").returncode == 0
    nothing_is_left(home, study)
