"""storage.cfg of Proxmox VE, in the form that its documentation gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from radoscope.errors import PlanError
from radoscope.session.proxmox import storage
from radoscope.session.target import Target

CFG = """dir: local
\tpath /var/lib/vz
\tcontent iso,vztmpl,backup

rbd: own
\tcontent images,rootdir
\tkrbd 0
\tpool vm-pool

rbd: external
\tcontent images
\tdata-pool ec-data
\tmonhost 10.1.1.20 10.1.1.21 10.1.1.22
\tpool meta
\tusername proxmox

rbd: spaced
\tnamespace team-a
\tpool shared
"""


@pytest.fixture
def pve(tmp_path: Path) -> Path:
    (tmp_path / "priv" / "ceph").mkdir(parents=True)
    (tmp_path / "storage.cfg").write_text(CFG)
    return tmp_path


def test_a_storage_of_the_nodes_own_cluster(pve: Path) -> None:
    (pve / "priv" / "ceph" / "own.keyring").touch()
    found = Target(**storage("own", cfg=pve / "storage.cfg"))
    assert (found.conf, found.user) == (pve / "ceph.conf", "client.admin")
    assert (found.pool, found.data_pool) == ("vm-pool", None)
    assert found.keyring == pve / "priv" / "ceph" / "own.keyring"


def test_a_storage_on_another_cluster_with_its_data_in_a_pool_of_its_own(pve: Path) -> None:
    with pytest.raises(PlanError) as refused:
        storage("external", cfg=pve / "storage.cfg")
    assert "mon_host = 10.1.1.20 10.1.1.21 10.1.1.22" in refused.value.hint
    (pve / "priv" / "ceph" / "external.conf").touch()
    found = Target(**storage("external", cfg=pve / "storage.cfg"))
    assert found.conf == pve / "priv" / "ceph" / "external.conf"
    assert (found.user, found.pool, found.data_pool) == ("client.proxmox", "meta", "ec-data")


@pytest.mark.parametrize(
    ("name", "said"),
    [("local", "own, external, spaced"), ("lost", "own, external, spaced"), ("spaced", "--pool shared")],
)
def test_what_cannot_be_measured_says_why_and_what_can(pve: Path, name: str, said: str) -> None:
    with pytest.raises(PlanError) as refused:
        storage(name, cfg=pve / "storage.cfg")
    assert said in refused.value.hint


def test_off_a_node_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"storage\.cfg"):
        storage("own", cfg=tmp_path / "storage.cfg")


def test_data_without_metadata_is_no_place_for_images() -> None:
    with pytest.raises(PlanError, match="--data-pool needs --pool"):
        Target(conf=Path("/etc/ceph/ceph.conf"), data_pool="ec-data")
