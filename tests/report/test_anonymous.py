"""Reports without names."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from radoscope.records.study import Study
from radoscope.report import anonymise, render_html, render_markdown
from radoscope.report.anonymous import Names

from .example_study import make_material, make_study

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
    material = make_material(anonymise(secret_study()))
    assert "host-1" in render_html(material)
    assert "host-1" in render_markdown(material)


def test_a_name_is_found_between_underscores_in_capitals_and_with_its_domain() -> None:
    names = Names([("host", "pve1.acme.example"), ("host", "pve10"), ("client", "bob@pve1")])
    assert names.replace_in("benchmark_data_pve1_77 on PVE1.acme.example, pve10, xpve1, bob of acme.example") == (
        "benchmark_data_host-1_77 on host-1, host-2, xpve1, user-1 of domain-1"
    )


def test_letters_numbers_and_words_of_the_formats_name_nobody() -> None:
    text = "mon a, b; 17 pools; .mgr, rbd, ceph, radoscope-x, 6.8.12-4-pve, client.admin, 12:30:01, /dev/sda, localhost"
    named = [("mon", "a"), ("mon", "b"), ("host", "17"), ("pool", ".mgr"), ("pool", "rbd"), ("host", "ceph")]
    assert Names([*named, ("pool", "radoscope-x"), ("host", "pve"), ("host", "localhost")]).replace_in(text) == text


def test_mail_users_drives_and_urls_are_known_by_their_shape() -> None:
    names = Names([("serial", "74022919")])
    said = (
        "bob.r@acme.example root@pve client.cinder WD_74022919 0x5000c500a1b2c3d4 http://pve:3000/x?y enx0a1b2c3d4e5f"
    )
    assert names.replace_in(said) == (
        "mail-1@example.invalid mail-2@example.invalid client.user-1 WD_serial-1 0x0000000000000001"
        " https://example.invalid/1 enx00:00:5e:00:53:01"
    )


def test_a_name_that_was_left_is_found_but_a_key_of_a_format_is_none() -> None:
    names = Names([("host", "jobs"), ("host", "host-1")])
    assert names.replace_in("jobs at 10.10.1.12") == "host-1 at 192.0.2.1"
    assert all(names.leaks().search(text) for text in ("of JOBS", "x_10.10.1.12", '["jobs"]'))
    assert not any(names.leaks().search(text) for text in ('{"jobs": 1}', '{"jobs left" : 1}', "host-1", "jobss"))


WORDS = st.text("ab-.", min_size=2, max_size=5).filter(lambda word: set("ab") & set(word))


@given(st.sets(WORDS, min_size=1, max_size=9), st.data())
def test_of_many_names_the_longest_that_stands_there_counts(words: set[str], data: st.DataObject) -> None:
    text = "".join(data.draw(st.lists(st.sampled_from([*sorted(words), " ", "_", "a", ","]), max_size=20)))
    longest_first = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    expected = re.sub(rf"(?<![^\W_])(?:{longest_first})(?![^\W_])", "X", text)
    assert re.sub(r"rule-\d+", "X", Names(("rule", word) for word in words).replace_in(text)) == expected


def test_what_a_page_calls_its_results_may_be_a_host_and_goes() -> None:
    study = make_study()
    named = tuple(replace(cell, title=f"{cell.title} (storage-berlin)") for cell in study.cells)
    hidden = anonymise(replace(study, plan="import", cells=named))
    assert [cell.title for cell in hidden.cells] == [cell.title for cell in study.cells]
