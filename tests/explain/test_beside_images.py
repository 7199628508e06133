"""CephFS and S3: rules that speak of the study's pool, or of I/Os that reach the OSDs one to one, hold their tongue."""

from __future__ import annotations

import pytest

from radoscope.explain.rules import RULES
from radoscope.explain.times import waterfall_of

from .build import cell, segment

FILE, PUT = cell("cephfs", "randwrite"), cell("s3", "write", tool="s3-load")


@pytest.mark.parametrize(
    "name", ["pg-count", "replicas", "compressible-data", "uneven-load", "io-limit", "image-layout"]
)
def test_rules_about_the_pool_do_not_concern_pools_of_others(name: str) -> None:
    rule = next(rule for rule in RULES if rule.name == name)
    assert rule.concerns(cell("rbd", "randwrite", depth=16).conditions)
    assert not rule.concerns(FILE.conditions)
    assert not rule.concerns(PUT.conditions)


def test_a_put_is_no_single_operation_whose_time_could_be_divided() -> None:
    counters = {"osd.op_w_latency_s": 1e-3, "osd.op_w": 3000.0}
    assert waterfall_of(segment(FILE, latency_s=3e-3, counters=counters)) is not None
    assert waterfall_of(segment(PUT, latency_s=3e-3, counters=counters)) is None
