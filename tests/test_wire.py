"""All JSON speaks one documented vocabulary, and whatever we compute becomes JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from radoscope import wire
from radoscope.records.fields import RESULT_FIELDS, latency_field
from radoscope.records.measurement import PERCENTILES
from radoscope.report.machine import study_json
from radoscope.stats.compare import compare, pool_studies
from radoscope.stats.scaling import scaling_steps
from radoscope.stats.summarise import summarise
from radoscope.stats.targets import TARGETS, answer
from radoscope.stats.values import Estimate, Undecided
from radoscope.stats.verdict import Equivalent, Faster, NotComparable, Slower
from tests.cli.test_compare import STUDIES
from tests.report.example_study import make_material, make_summaries

DOCS = (Path(__file__).parents[1] / "docs" / "json.md").read_text(encoding="utf-8")
NAMED = {
    word
    for code in re.findall(r"`([^`\n]+)`|```json(.*?)```", DOCS, re.DOTALL)
    for word in re.findall(r"\w+", "".join(code))
}
NAMES_OF_THINGS = ("environment", "load")
"""What stands there is called by its own fields: facts of hosts, conditions of cells."""


def study() -> dict[str, Any]:
    return study_json(make_material())


def comparison() -> dict[str, Any]:
    found = compare([STUDIES["before"]], [[STUDIES["after"]]])
    return wire.document("comparison", comparisons=[wire.comparison(one) for one in found])


def pool() -> dict[str, Any]:
    pools = pool_studies([STUDIES["before"], STUDIES["again"], STUDIES["after"]])
    return wire.document("pool", cells=[{"cell": cell.name, "pool": pooled} for cell, pooled in pools])


def scaling() -> dict[str, Any]:
    return wire.document("scaling", study="before", steps=scaling_steps(STUDIES["before"]))


def target() -> dict[str, Any]:
    answers = answer(summarise(STUDIES["before"]), TARGETS["ebs-gp3"])
    return wire.document("target", target=TARGETS["ebs-gp3"], studies=[{"study": "before", "answers": answers}])


def keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            if key not in NAMES_OF_THINGS:
                yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


@pytest.mark.parametrize("make", [study, comparison, pool, scaling, target])
def test_every_field_is_documented_and_none_is_nan(make: Any) -> None:
    told = make()
    assert told["schema"] == wire.SCHEMA
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    points = {latency_field(percent, "sync") for percent in PERCENTILES} | {"sync_mean_s", "sync_min_s", "sync_max_s"}
    assert set(keys(told)) - points <= NAMED


def test_each_field_of_a_result_is_documented_with_its_unit_and_meaning() -> None:
    rows = re.findall(r"^\| `(\w+)` \|([^|]*)\|([^|]*)\|$", DOCS, re.MULTILINE)
    told = {name: (unit.strip(), meaning.strip()) for name, unit, meaning in rows}
    for field in RESULT_FIELDS:
        assert told[field.name] == (field.unit, field.meaning)
        assert not field.exchanged or f"`{field.exchanged}`" in DOCS


def test_bandwidth_is_in_base_units_everywhere() -> None:
    summary = make_summaries().cells[0]
    assert isinstance(summary.bandwidth_bytes_per_s, Estimate)
    cell = study()["cells"][0]
    assert cell["bandwidth_bytes_per_s"]["value"] == summary.bandwidth_bytes_per_s.value


@pytest.mark.parametrize(
    ("verdict", "told"),
    [
        (Faster(0.1), {"is": "faster", "by": 0.1}),
        (Slower(0.2), {"is": "slower", "by": 0.2}),
        (Equivalent(0.05), {"is": "equivalent", "margin": 0.05}),
        (Undecided("too few", "3 more"), {"is": "undecided", "undecided": "too few", "needs": "3 more"}),
        (NotComparable(("jobs differ",)), {"is": "not comparable", "reasons": ["jobs differ"]}),
    ],
)
def test_a_verdict_says_what_it_is(verdict: Any, told: dict[str, Any]) -> None:
    assert wire.verdict(verdict) == told


def test_what_json_cannot_say_is_null() -> None:
    assert wire.plain({"a": float("nan"), "b": (float("inf"), 1)}) == {"a": None, "b": [None, 1]}
