"""Whether an MDS serves a file system: the monitors may not know for a minute that the only one has died."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from radoscope.ceph import Cluster
from radoscope.ceph.file_systems import check_answers
from radoscope.errors import SiteError, ToolFailed


class Answering(Cluster):
    """Of one MDS, which the monitors call up:active; it answers, or it does not."""

    def ceph(self, *words: str, timeout_s: float = 60.0) -> Any:
        if words[:2] == ("fs", "get"):
            return {"mdsmap": {"info": {"gid_4242": {"name": "a", "state": "up:active"}}}}
        assert words == ("tell", "mds.files:0", "version")
        if self.user == "client.silent":
            raise ToolFailed(f"`ceph tell` did not end within {timeout_s:.0f} s")
        return {"version": "16.2.15"}


def test_an_mds_that_answers_serves_and_one_that_is_silent_does_not() -> None:
    check_answers(Answering(conf=Path("ceph.conf")), "files")
    with pytest.raises(SiteError, match=r"the MDS of file system files does not answer: .* within 10 s"):
        check_answers(Answering(conf=Path("ceph.conf"), user="client.silent"), "files")
