"""Pages in the layouts of forums, wikis, blogs and issue trackers: what a careful reader takes from them is read."""

from __future__ import annotations

import pytest

from tests.twins.reading import Tally, Twin, tally, twins

TUNED = tuple(twins("tuned"))


@pytest.mark.parametrize("page", TUNED, ids=lambda page: page.name)
def test_a_page_is_read_as_a_careful_reader_reads_it(page: Twin) -> None:
    score = Tally()
    tally(page, score)
    assert not score.wrong, "\n".join(score.wrong)


def test_the_pages_that_were_held_back_score_as_documented() -> None:
    """Written without running the importer on them; docs/formats.md tells how they scored when they first were."""
    score = Tally()
    for page in twins("held"):
        tally(page, score)
    assert score.recall >= 0.9, "\n".join(score.wrong)
    assert score.precision >= 0.95, "\n".join(score.wrong)
