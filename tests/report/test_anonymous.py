"""Reports without names."""

from __future__ import annotations

from dataclasses import replace

from radoscope.records.study import Study
from radoscope.report import anonymise, render_html, render_markdown

from .example_study import make_findings, make_study, make_summaries

FSID = "6c0a8f9e-3b1d-4a52-9f6e-0d2b7c41e5a8"


def secret_study() -> Study:
    study = make_study()
    hosts = tuple(replace(host, name=f"{host.name}.example.org") for host in study.environment.hosts)
    notes = (
        "pve-b2 (10.10.1.12, fe80::1ff:fe23:4567:890a, aa:bb:cc:dd:ee:ff) wrote to /home/alice/disk.bin",
        "the OSD of /dev/sda on pve-b2.example.org at 10.10.1.12:6800 and 127.0.0.1; see /etc/ceph/ceph.conf",
        f"cluster {FSID}, version 16.2.15",
    )
    return replace(study, environment=replace(study.environment, hosts=hosts, notes=notes))


def test_no_name_address_path_or_fsid_is_left() -> None:
    study = anonymise(replace(secret_study(), clients=("here", "ssh:alice@loader7")))
    texts = repr(study)
    assert study.clients[0] == "here"
    for secret in (
        "pve-b1",
        "pve-b2",
        "example.org",
        "10.10.1.12",
        "fe80::",
        "aa:bb:cc",
        "alice",
        "loader7",
        FSID,
        "/var/lib/radoscope",
    ):
        assert secret not in texts


def test_the_same_thing_has_the_same_stand_in() -> None:
    first, second, third = anonymise(secret_study()).environment.notes
    assert first == "host-2 (192.0.2.1, 2001:db8::1, 00:00:5e:00:53:01) wrote to /path-3.bin"
    assert second == "the OSD of /dev/sda on host-2 at 192.0.2.1:6800 and 127.0.0.1; see /etc/ceph/ceph.conf"
    assert third == "cluster 00000000-0000-0000-0000-000000000000, version 16.2.15"


def test_everything_that_is_no_name_stays() -> None:
    study, plain = anonymise(secret_study()), secret_study()
    assert [cell.conditions for cell in study.cells] == [cell.conditions for cell in plain.cells]
    assert [segment.host_speed for segment in study.segments] == [segment.host_speed for segment in plain.segments]
    assert study.environment.hosts[0].cpu_model == plain.environment.hosts[0].cpu_model
    assert study.environment.cluster is not None
    assert study.environment.cluster.version == "19.2.1 squid"


def test_a_foreign_pool_loses_its_name_and_our_own_keeps_it() -> None:
    study = make_study()
    assert study.environment.cluster is not None and study.environment.cluster.pool is not None
    foreign = replace(study.environment.cluster.pool, name="customer-x", own=False)
    environment = replace(study.environment, cluster=replace(study.environment.cluster, pool=foreign))
    hidden = anonymise(replace(study, environment=environment))
    assert hidden.environment.cluster is not None and hidden.environment.cluster.pool is not None
    assert hidden.environment.cluster.pool.name == "pool-1"
    assert "radoscope-b7f2" in repr(anonymise(study))


def test_an_anonymous_study_still_makes_both_reports() -> None:
    study = anonymise(secret_study())
    assert "host-1" in render_html(study, make_summaries(), make_findings())
    assert "host-1" in render_markdown(study, make_summaries(), make_findings())
