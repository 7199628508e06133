"""Published results judge the model fairly: nothing learnt from a page's own results is carried over to that page."""

import importlib
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from radoscope.catalogue import results

SCRIPTS = str(Path(__file__).parents[2] / "scripts")
PAGES = ("ceph_pr28044", "xenrelay_homelab")


@pytest.fixture
def exams(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(SCRIPTS)
    return importlib.import_module("exams")


def answers(exams: ModuleType, rates: float, known: int, others: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """What is predicted, in ln, and of which cells, if all pages had rates moved by so much: their own, the others'."""
    few = sys.modules["published"].load_published([row for row in results() if row.source_id in (*PAGES, "dccn_ceph")])
    moved = np.where(np.isin(few.sources, PAGES), rates, others)
    few = replace(few, log_rates=few.log_rates + moved)
    seen = exams.calibrated(few, PAGES, known)
    return seen.errors * np.log(2) + few.log_rates[seen.indices], seen.indices


def test_from_facts_alone_no_page_s_results_move_what_is_said_of_it(exams: ModuleType) -> None:
    assert answers(exams, 0.0, 0)[0] == pytest.approx(answers(exams, 3.0, 0)[0])


def test_with_cells_known_those_move_it_and_no_other_page_s(exams: ModuleType) -> None:
    said, cells = answers(exams, 0.0, 1)
    assert said == pytest.approx(answers(exams, 0.0, 1, others=3.0)[0])
    assert np.abs(said - answers(exams, 1.0, 1)[0]).max() > 0.1
    assert len(said) < exams.PICKS * len(np.unique(cells)), "known cells are not asked for"


def test_each_page_that_a_prior_was_drawn_from_is_told_apart(exams: ModuleType) -> None:
    pages = {row.source_id for row in results()}
    assert set(exams.IN_PRIORS) <= pages
    assert set(exams.IN_PRIORS) & set(exams.KEPT), "so that kept pages are scored without them too"
