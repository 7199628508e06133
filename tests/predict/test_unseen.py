"""The results that the model is judged on by strangers: facts that the fit has never had."""

import pytest

from radoscope.catalogue import fitted, not_fitted
from radoscope.predict.facts import read_facts

ROWS = [dict(row.fields) for row in not_fitted()]


def test_no_source_of_theirs_is_among_those_of_the_fit() -> None:
    seen = {row.source_id for row in fitted()} | {row.fields["source_url"] for row in fitted()}
    assert not seen & ({row["source_id"] for row in ROWS} | {row["source_url"] for row in ROWS})


def test_there_are_enough_of_them_from_enough_places() -> None:
    assert len(ROWS) > 150
    assert len({row["source_id"] for row in ROWS}) > 20
    assert len({row["id"] for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_each_has_facts_a_result_and_a_source(row: dict[str, object]) -> None:
    read_facts(row)
    assert row["source_url"]
    assert row.get("iops") or row.get("MBps") or row.get("lat_ms_avg")
