"""Names in capabilities."""

from __future__ import annotations

import pytest

from radoscope.ceph.rights import quoted
from radoscope.errors import PlanError


def test_a_name_gives_no_right_but_to_itself() -> None:
    assert quoted("vm-pool.1") == "vm-pool.1"
    assert quoted("x, allow *") == '"x, allow *"'
    assert quoted('my "pool"') == "'my \"pool\"'"
    with pytest.raises(PlanError, match="no right"):
        quoted('it\'s "mine"')
