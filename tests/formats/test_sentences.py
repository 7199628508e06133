from __future__ import annotations

import pytest

from radoscope.formats.context.sentences import read_lines


def texts(page: str) -> list[str]:
    return [line.text for line in read_lines(page.split("\n")) if line.text]


def test_a_wrapped_paragraph_is_read_sentence_by_sentence() -> None:
    page = (
        "After the migration I ran fio again with 4k blocks and a queue depth\n"
        "of 32. Random reads came out at 38,200 IOPS while random\nwrites only reached 9,450 IOPS."
    )
    assert texts(page) == [
        "After the migration I ran fio again with 4k blocks and a queue depth of 32.",
        "Random reads came out at 38,200 IOPS while random writes only reached 9,450 IOPS.",
    ]


def test_a_sentence_knows_the_lines_in_which_it_stands() -> None:
    page = (
        "Here is what I measured yesterday on the three nodes of\nmy cluster. Reads are at 400 MB/s. Writes are slow."
    )
    assert [(line.first, line.last) for line in read_lines(page.split("\n"))] == [(0, 1), (1, 1), (1, 1)]


@pytest.mark.parametrize(
    "page",
    [
        "Random read 4K QD32 on the old cluster gives 51.0k IOPS, 199 MiB/s\n"
        "Random write 4K QD32 on the old cluster gives 13.7k IOPS, 53.5 MiB/s",
        "random read, 64 KB, queue depth 8 = 4,900 IOPS, 306.2 MiB/s\nsequential write, 64 KB, QD8 = 1,621 IOPS",
        "odczyt losowy na puli ssd przy blokach 4k: 17,2 tys. IOPS, 0,93 ms\nzapis losowy: 4,1 tys. IOPS",
        "- the first of the two pools that we have here reads at 400 MB/s\n- the second one reads at 300 MB/s",
        "And here is what the second of our clusters says about all of that\n$ fio --rw=randread --bs=4k",
    ],
)
def test_the_lines_of_a_list_stay_apart(page: str) -> None:
    assert texts(page) == page.split("\n")


def test_a_dot_of_an_abbreviation_ends_no_sentence() -> None:
    page = "This is a pool of SSDs, e.g. with 4k random writes it gives approx. 900 IOPS. Reads are at 2,100 IOPS."
    assert len(texts(page)) == 2
