"""Every result of the shared import cases is found as a careful reader finds it, and none is invented."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radoscope import wire
from radoscope.archives import clean, paste
from tests.archives.scoring import score

CASES = Path(__file__).parents[3] / "shared" / "data" / "imports"

NAMES = sorted(path.name.removesuffix(".expected.json") for path in CASES.glob("*.expected.json")) or ["none"]


@pytest.mark.skipif(not CASES.is_dir(), reason="the shared import cases are not beside this repository")
@pytest.mark.parametrize("name", NAMES)
def test_all_results_of_a_case_are_found_and_none_is_invented(name: str) -> None:
    text = clean.decode((CASES / f"{name}.txt").read_bytes())
    found = [wire.exchanged(result) for result in paste.read(text)]
    result = score(found, json.loads((CASES / f"{name}.expected.json").read_text("utf-8")))
    assert result.is_perfect, f"\n{result}"
