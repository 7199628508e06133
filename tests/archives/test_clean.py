from __future__ import annotations

from radoscope.archives.clean import clean, decode

RUN = "elapsed:     2  ops:     3072  ops/sec:  1292.93  bytes/sec: 5295841.28"


def lines_of(text: str) -> list[str]:
    return clean(text).lines


def test_terminal_codes_and_redrawn_lines_are_taken_apart() -> None:
    assert lines_of("\x1b[1;32mone\x1b[0m\rtwo\nthree") == ["one", "two", "three"]
    assert clean("a\rb\nc").numbers == [1, 1, 2]


def test_line_ends_of_all_systems_count_the_same() -> None:
    assert clean("a\r\nb\nc\r\r\nd").numbers == [1, 2, 3, 4]
    assert lines_of("a\rb\rc") == ["a", "b", "c"]


def test_quote_prefixes_go_and_input_output_arrows_stay() -> None:
    assert lines_of("> > 4 KiB <<< x\n>> y") == ["4 KiB <<< x", "y"]


def test_quoted_printable_is_joined_and_decoded_where_it_is_used() -> None:
    text = "Content-Transfer-Encoding: quoted-printable\nbs=3D4k io=\ndepth=3D16\niodepth=16"
    assert lines_of(text)[1:] == ["bs=4k iodepth=16", "iodepth=16"]


def test_a_row_of_html_becomes_one_line_wherever_its_source_broke() -> None:
    text = "<table>\n<tr>\n<th>Test</th>\n<th>IOPS &amp; more</th></tr>\n<tr><td>a</td><td>1</td></tr></table>"
    cells = [[cell.strip() for cell in line.strip(" |").split("|")] for line in lines_of(text) if "|" in line]
    assert cells == [["Test", "IOPS & more"], ["a", "1"]]


def test_what_only_looks_like_a_tag_stays() -> None:
    assert lines_of("<b>bold</b> <  2354.68 us> <host>") == ["bold <  2354.68 us> <host>"]


def test_wide_characters_become_plain_and_invisible_ones_go() -> None:
    assert lines_of("\ufeffＩＯＰＳ（ＭＢ／ｓ）\u200b\u00a01") == ["IOPS(MB/s) 1"]


def test_thousands_as_india_parts_them_are_thousands_and_lists_stay() -> None:
    assert lines_of("4k random read: 1,23,456 IOPS") == ["4k random read:  123,456 IOPS"]
    assert lines_of("| seq | 12,34,567.5 KB/s |") == ["| seq | 1,234,567.5 KB/s |"]
    assert lines_of("randread,4,16,325,1200") == ["randread,4,16,325,1200"]
    assert lines_of("jobs 1,16,128 and 4,32,256") == ["jobs 1,16,128 and 4,32,256"]


def test_an_output_folded_into_one_line_is_parted_again() -> None:
    folded = "root@a:~# rbd bench x bench  type write io_size 4096 io_threads 4 bytes 1 pattern random "
    folded += "SEC OPS OPS/SEC BYTES/SEC 1 1028 1032 4.0 MiB/s " + RUN
    cleaned = clean(folded)
    assert cleaned.lines[-1] == RUN
    assert set(cleaned.numbers) == {1}


def test_a_long_line_of_prose_is_left_as_it_is() -> None:
    prose = "the cluster was slow and elapsed: time was long " * 5
    assert lines_of(prose) == [prose]


def test_bytes_are_decoded_by_their_mark_or_their_look() -> None:
    assert decode("\ufeffIOPS".encode()) == "IOPS"
    assert decode("带宽".encode("utf-16")) == "带宽"
    assert decode("带宽 延迟 结果".encode("gb18030")) == "带宽 延迟 结果"
    assert decode(b"Gr\xf6\xdfe 4k of the block") == "Größe 4k of the block"
