"""The words of a command as the monitors take them."""

from __future__ import annotations

from pathlib import Path

import pytest

from radoscope.ceph import Cluster
from radoscope.ceph.commands import as_command


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("status", {"prefix": "status"}),
        ("osd pool ls", {"prefix": "osd pool ls"}),
        ("osd pool ls detail", {"prefix": "osd pool ls", "detail": "detail"}),
        (
            "osd pool create p 32 32 replicated",
            {"prefix": "osd pool create", "pool": "p", "pg_num": 32, "pgp_num": 32, "pool_type": "replicated"},
        ),
        (
            "osd pool delete p p --yes-i-really-really-mean-it",
            {"prefix": "osd pool delete", "pool": "p", "pool2": "p", "yes_i_really_really_mean_it": True},
        ),
        ("osd pool create p 32 32 erasure a-profile", None),
        ("osd pool create p 32 32 --autoscale-mode=off", None),
        ("osd df", {"prefix": "osd df"}),
        ("osd df tree", None),
        ("osd pg-upmap 3.1f 2", {"prefix": "osd pg-upmap", "pgid": "3.1f", "id": [2]}),
        ("osd set-full-ratio 0.95", {"prefix": "osd set-full-ratio", "ratio": 0.95}),
        ("osd down 1 2", {"prefix": "osd down", "ids": ["1", "2"]}),
        ("config generate-minimal-conf", {"prefix": "config generate-minimal-conf"}),
        ("config get mon", {"prefix": "config get", "who": "mon"}),
        ("config show mon.a", {"prefix": "config show", "who": "mon.a"}),
        ("tell mon.a config get debug_mon", {"prefix": "config get", "to": "mon.a", "var": "debug_mon"}),
        ("tell osd.3 config set rbd_x 5", {"prefix": "config set", "to": "osd.3", "var": "rbd_x", "val": ["5"]}),
        ("tell osd.3 bench", None),
        ("tell osd.* config get debug_osd", None),
        ("tell mds.cephfs:0 config get debug_mds", None),
        ("osd stat too many words", None),
    ],
)
def test_words_become_a_command(words: str, command: dict[str, object] | None) -> None:
    assert as_command(words.split()) == command


def test_rights_are_one_list() -> None:
    words = ("auth", "get-or-create", "client.x", "mon", "allow r", "osd", "allow rwx pool=a, allow rwx pool=b")
    assert as_command(words) == {"prefix": "auth get-or-create", "entity": "client.x", "caps": list(words[3:])}


def test_a_standing_connection_carries_what_it_can() -> None:
    asked = []

    def tell(prefix: str, **arguments: object) -> bytes:
        asked.append((prefix, arguments))
        return b'{"num_osds": 3}'

    cluster = Cluster(conf=Path("/nowhere"), tell=tell)
    assert cluster.ceph("osd", "stat") == {"num_osds": 3}
    assert cluster.ceph_text("config", "get", "mon", "x") == '{"num_osds": 3}'
    assert asked == [("osd stat", {"format": "json"}), ("config get", {"who": "mon", "key": "x", "format": "plain"})]
