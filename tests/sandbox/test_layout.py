"""Who stands where, without starting anything."""

from radoscope.sandbox.layout import many_hosts, one_host
from radoscope.sandbox.spec import SandboxSpec

UUIDS = tuple(f"uuid-{number}" for number in range(24))


def test_one_host_has_one_monitor_one_manager_and_no_namespace() -> None:
    layout = one_host(SandboxSpec(osds=4), "127.20.0.1", (3300, 6789), UUIDS)
    assert [mon.addresses for mon in layout.mons] == ["[v2:127.20.0.1:3300,v1:127.20.0.1:6789]"]
    assert len(layout.mgrs) == 1
    assert len(layout.osds) == 4
    assert layout.hosts[0].wrap(("ceph", "-s")) == ("ceph", "-s")


def test_three_hosts_have_a_quorum_of_three_and_two_managers() -> None:
    layout = many_hosts(SandboxSpec(hosts=3, osds=2), "0a1b2c3d", UUIDS)
    assert [(mon.id, mon.host) for mon in layout.mons] == [("a", "h1"), ("b", "h2"), ("c", "h3")]
    assert [(mgr.id, mgr.host) for mgr in layout.mgrs] == [("x", "h1"), ("y", "h2")]


def test_osds_are_dealt_out_host_by_host() -> None:
    layout = many_hosts(SandboxSpec(hosts=3, osds=2), "0a1b2c3d", UUIDS)
    assert [osd.host for osd in layout.osds] == ["h1", "h1", "h2", "h2", "h3", "h3"]


def test_two_hosts_have_one_monitor_because_two_would_not_survive_one() -> None:
    assert len(many_hosts(SandboxSpec(hosts=2, osds=2, size=2), "0a1b2c3d", UUIDS).mons) == 1


def test_no_two_hosts_share_an_address_or_a_namespace() -> None:
    hosts = many_hosts(SandboxSpec(hosts=16, osds=1, clients=8), "0a1b2c3d", UUIDS).hosts
    assert len({host.public_address for host in hosts}) == len({host.namespace for host in hosts}) == 24


def test_a_client_is_on_the_public_network_alone() -> None:
    client = many_hosts(SandboxSpec(hosts=3), "0a1b2c3d", UUIDS).hosts[-1]
    assert client.role == "client"
    assert client.cluster_address is None
    assert client.wrap(("ls",)) == ("ip", "netns", "exec", "radoscope-0a1b2c3d-client1", "ls")
