"""What a refusal means is said however the command was sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from radoscope.ceph import Cluster
from radoscope.errors import SiteError


def test_a_refusal_over_the_standing_connection_names_the_user_and_has_a_hint() -> None:
    def refuse(prefix: str, /, **_: object) -> bytes:
        raise SiteError(f"ceph {prefix}: access denied")

    reader = Cluster(conf=Path("ceph.conf"), user="client.reader", tell=refuse)
    with pytest.raises(SiteError, match=r"does not let client\.reader in or do this: ceph osd pool create") as refused:
        reader.ceph_text("osd", "pool", "create", "p", "8", "8")
    assert "needs client.admin" in refused.value.hint


def test_a_client_too_old_for_the_clusters_keys_is_told_in_plain_words_with_the_way_out() -> None:
    """What Ceph 16.2.15 says of a keyring of 20.2.4."""

    def refuse(prefix: str, /, **_: object) -> bytes:
        raise SiteError("error setting modifier for [client.admin] type=key val=...: Malformed input [buffer:3]")

    with pytest.raises(SiteError, match=r"too old to read the key of client\.admin") as refused:
        Cluster(conf=Path("ceph.conf"), tell=refuse).ceph("status")
    assert "--at ssh:root@HOST" in refused.value.hint
