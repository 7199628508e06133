"""Before images are written: is there an OSD for each copy, or must the study wait, and say why it waits in vain?"""

from __future__ import annotations

from typing import Any, cast

import pytest

from radoscope.ceph import Cluster
from radoscope.session import waiting
from radoscope.session.session import Session

NONE = 2**31 - 1


class Maps:
    """Answers as Ceph 16.2.15 does: `osd map` of pools of three copies, or of erasure coding with k+m of 3."""

    def __init__(self, **acting: list[int]) -> None:
        self.acting = acting

    def ceph(self, *words: str) -> Any:
        pool = words[2] if words[1] == "map" else words[3]
        return {"acting": self.acting[pool]} if words[1] == "map" else {"pool": pool, "pool_id": 1, "size": 3}


@pytest.mark.parametrize(
    ("acting", "waits"),
    [
        ({"own": [2, 0, 1]}, False),
        ({"own": [2, 0, 1], "data": [0, 1, 2]}, False),
        ({"own": [2, 0]}, True),
        ({"own": []}, True),
        ({"own": [2, 0, 1], "data": [0, NONE, 2]}, True),
    ],
    ids=["placed", "both-placed", "a-copy-short", "no-osd", "a-shard-short"],
)
def test_only_a_pool_that_lacks_an_osd_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, acting: dict[str, list[int]], waits: bool
) -> None:
    waited = list[bool]()
    monkeypatch.setattr(waiting, "settle", lambda session: waited.append(True))
    cluster = cast(Cluster, Maps(**acting))
    waiting.settle_unless_placed(cast(Session, None), cluster, tuple(acting))
    assert bool(waited) == waits
