"""Every key that a reader keeps beside the fields of a result is declared, with its unit and meaning, in one place."""

from __future__ import annotations

from pathlib import Path

from radoscope.archives import clean, paste
from radoscope.records.extra import Extra, known

CAPTURES = Path(__file__).parents[1] / "captures"


def test_readers_keep_no_key_that_is_not_declared() -> None:
    texts = [path for path in CAPTURES.rglob("output.*") if path.stat().st_size < 200_000]
    pages = [paste.read_page(clean.decode(path.read_bytes())) for path in texts]
    kept = {key for page in pages for result in page.results for key in result.extra}
    assert {"jobname", "iops_exact", "options"} <= kept
    assert kept <= Extra.__annotations__.keys()


def test_what_a_tool_printed_damaged_is_left_out() -> None:
    assert known({"osd": None, "bytes": 4096}) == {"bytes": 4096}
