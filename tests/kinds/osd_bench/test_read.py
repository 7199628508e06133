"""The answers of OSDs' own benches, read back from a bundle."""

from __future__ import annotations

from pathlib import Path

from radoscope.kinds.osd_bench.read import CLASSES, answer_name, read_osd_benches

ANSWER = '{"bytes_written": 12288000, "blocksize": 4096, "elapsed_sec": 2.0, "bytes_per_sec": 6144000.0, "iops": %s}'


def test_answers_are_gathered_by_osd_in_the_order_of_their_rounds(tmp_path: Path) -> None:
    for number, iops in ((10, 1510.0), (2, 1502.0), (1, 1501.0)):
        (tmp_path / answer_name(7, number)).write_text(ANSWER % iops)
    (tmp_path / answer_name(1, 1)).write_text(ANSWER % 900.0)
    (tmp_path / CLASSES).write_text('{"7": "hdd"}')
    first, last = read_osd_benches(tmp_path)
    assert (first.osd, first.device_class, first.iops) == (1, "", (900.0,))
    assert (last.osd, last.device_class, last.iops) == (7, "hdd", (1501.0, 1502.0, 1510.0))


def test_an_answer_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    (tmp_path / answer_name(0, 1)).write_text("Error EAGAIN")
    (tmp_path / answer_name(0, 2)).write_text(ANSWER % 900.0)
    assert read_osd_benches(tmp_path)[0].iops == (900.0,)


def test_a_bundle_without_any_has_none(tmp_path: Path) -> None:
    assert read_osd_benches(tmp_path / "environment") == ()
