"""Plain tables, lists and sentences of every usual form say what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from radoscope.archives import paste
from tests.twins import forms
from tests.twins.forms import Form, said_of


@pytest.mark.parametrize(
    ("made", "number"),
    [
        (forms.tables, 250),
        (forms.transposed, 100),
        (forms.pairs, 80),
        (forms.lists, 80),
        (forms.abroad, 150),
        (forms.in_turn, 150),
    ],
)
def test_plain_forms_are_read_as_they_say(made: Callable[[int, int], Iterator[Form]], number: int) -> None:
    wrong = {}
    for form in made(number, 7):
        found = frozenset(map(said_of, paste.read_page(form.text).results))
        if found != form.truth:
            wrong[form.name] = (form.text, form.truth - found, found - form.truth)
    assert not wrong, "\n\n".join(
        f"{name}\n{text}\nlost {lost}\nnew {new}" for name, (text, lost, new) in wrong.items()
    )


def test_a_name_beside_a_test_stays_that_of_its_result_with_and_without_a_latency() -> None:
    for behind in ("", ", 0.7 ms"):
        page = paste.read_page(f"- Ceph 4k random read: 45k IOPS{behind}\n- ZFS 4k random read: 60k IOPS{behind}\n")
        assert [result.extra.get("label") for result in page.results] == ["ceph", "zfs"]
