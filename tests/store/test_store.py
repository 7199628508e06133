"""The index follows the folder of bundles, can be rebuilt from it, and never knows more than the bundles say."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from radoscope.errors import StoreError
from radoscope.records.conditions import Conditions, Layer, Operation
from radoscope.records.measurement import Latency, Result, Source
from radoscope.records.study import Cell, Outcome, Segment, Study
from radoscope.store import Store, keep_text, text_hash
from radoscope.store.index import connect

CELL = Cell(
    name="rbd-4k-randwrite-qd1",
    title="4K random write, QD1",
    conditions=Conditions(layer=Layer.RBD, tool="fio", op=Operation.RANDWRITE, block_bytes=4096),
)


def study(name: str, *rates: float, created_at_s: float = 0.0) -> Study:
    segments = tuple(
        Segment(
            cell=CELL.name,
            round=number,
            outcome=Outcome.DONE,
            started_at_s=created_at_s,
            seconds=2.0,
            results=(
                Result(
                    tool="fio",
                    op="randwrite",
                    block_bytes=4096,
                    iops=rate,
                    latency=Latency(mean_s=1 / rate, percentiles_s={99.0: 2 / rate}),
                    source=Source(reader="fio_json", first_line=3, last_line=9),
                ),
            ),
        )
        for number, rate in enumerate(rates)
    )
    return Study(id=name, plan="quick", target="a test", created_at_s=created_at_s, cells=(CELL,), segments=segments)


class Shelf:
    """A folder of bundles whose reader counts how often it is asked."""

    def __init__(self, folder: Path) -> None:
        self.studies = folder / "studies"
        self.index = folder / "index.sqlite"
        self.known: dict[str, Study] = {}
        self.read: list[str] = []

    def put(self, one: Study, manifest: str | None = None) -> None:
        self.known[one.id] = one
        bundle = self.studies / one.id
        bundle.mkdir(parents=True, exist_ok=True)
        (bundle / "manifest.json").write_text(manifest or json.dumps({"kind": "study", "n": len(one.segments)}))

    def reader(self, folder: Path) -> Study:
        self.read.append(folder.name)
        if folder.name not in self.known:
            raise StoreError(f"{folder.name} is damaged")
        return self.known[folder.name]

    @property
    def store(self) -> Store:
        return Store(self.index, self.studies, self.reader)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def test_an_empty_home_lists_nothing(shelf: Shelf) -> None:
    assert shelf.store.list() == ()


def test_bundles_are_listed_the_newest_first(shelf: Shelf) -> None:
    shelf.put(study("a", 100.0, created_at_s=1.0))
    shelf.put(study("b", 100.0, 110.0, created_at_s=2.0))
    assert [(e.id, e.cells, e.results) for e in shelf.store.list()] == [("b", 1, 2), ("a", 1, 1)]


def test_a_bundle_is_read_once_until_it_changes(shelf: Shelf) -> None:
    shelf.put(study("a", 100.0))
    shelf.store.list()
    shelf.store.list()
    assert shelf.read == ["a"]
    shelf.put(study("a", 100.0, 105.0), manifest=json.dumps({"kind": "study", "segments": "one more"}))
    assert [entry.results for entry in shelf.store.list()] == [2]
    assert shelf.read == ["a", "a"]


def test_a_bundle_that_was_deleted_by_hand_is_forgotten(shelf: Shelf) -> None:
    shelf.put(study("a", 100.0))
    shelf.store.list()
    (shelf.studies / "a" / "manifest.json").unlink()
    assert shelf.store.list() == ()


def test_a_renamed_folder_is_found_by_its_new_name(shelf: Shelf) -> None:
    shelf.put(study("a", 100.0))
    shelf.known["b"] = shelf.known["a"]
    shelf.store.list()
    (shelf.studies / "a").rename(shelf.studies / "b")
    assert [entry.id for entry in shelf.store.list()] == ["b"]
    assert shelf.store.results(["b"])[0]["study"] == "b"


def test_results_are_flat_rows_with_their_cell(shelf: Shelf) -> None:
    shelf.put(study("a", 100.0, 200.0))
    rows = shelf.store.results(["a"])
    assert [row["iops"] for row in rows] == [100.0, 200.0]
    assert [row["round"] for row in rows] == [0, 1]
    assert rows[0]["latency_p99_s"] == pytest.approx(0.02)
    assert rows[0]["latency_p999_s"] is None
    assert (rows[0]["layer"], rows[0]["cell_title"]) == ("rbd", "4K random write, QD1")
    assert (rows[0]["first_line"], rows[0]["last_line"]) == (3, 9)


def test_the_beginning_of_an_id_is_enough_where_it_fits_one(shelf: Shelf) -> None:
    shelf.put(study("20260101-a", 1.0, created_at_s=1.0))
    shelf.put(study("20260102-b", 1.0, created_at_s=2.0))
    assert shelf.store.find("20260102").id == "20260102-b"
    assert shelf.store.find("last").id == "20260102-b"
    for name in ("2026", "2027", ""):
        with pytest.raises(StoreError):
            shelf.store.find(name)


def test_removing_deletes_the_bundle_and_nothing_else(shelf: Shelf) -> None:
    shelf.put(study("a", 1.0))
    shelf.put(study("b", 1.0))
    shelf.store.remove("a")
    assert not (shelf.studies / "a").exists()
    assert [entry.id for entry in shelf.store.list()] == ["b"]


def test_removing_a_linked_bundle_leaves_what_it_points_to(shelf: Shelf, tmp_path: Path) -> None:
    shelf.put(study("a", 1.0))
    elsewhere = tmp_path / "elsewhere"
    (shelf.studies / "a").rename(elsewhere)
    (shelf.studies / "a").symlink_to(elsewhere)
    shelf.store.remove("a")
    assert (elsewhere / "manifest.json").exists()
    assert shelf.store.list() == ()


def test_a_damaged_bundle_is_listed_with_its_reason_and_can_be_removed(shelf: Shelf) -> None:
    shelf.put(study("a", 1.0), manifest="{ cut off")
    del shelf.known["a"]
    (entry,) = shelf.store.list()
    assert (entry.kind, entry.problem, entry.results) == ("damaged", "a is damaged", 0)
    shelf.store.remove("a")
    assert shelf.store.list() == ()


def test_rebuilding_reads_every_bundle_again(shelf: Shelf) -> None:
    shelf.put(study("a", 1.0))
    shelf.put(study("b", 1.0))
    shelf.store.list()
    shelf.known["a"] = study("a", 1.0, 2.0, 3.0)
    assert {entry.id: entry.results for entry in shelf.store.rebuild()} == {"a": 3, "b": 1}


def test_an_index_that_is_no_database_is_said_to_be_so_and_can_be_rebuilt(shelf: Shelf) -> None:
    shelf.put(study("a", 1.0))
    shelf.index.write_bytes(b"this is no database, whatever its name says" * 100)
    with pytest.raises(StoreError, match="cannot be opened"):
        shelf.store.list()
    assert [entry.id for entry in shelf.store.rebuild()] == ["a"]


def test_an_index_of_a_newer_radoscope_is_refused(shelf: Shelf) -> None:
    shelf.store.list()
    with sqlite3.connect(shelf.index) as index:
        index.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="newer radoscope"):
        shelf.store.list()


def test_the_schema_is_made_once_and_counted(tmp_path: Path) -> None:
    for _ in range(2):
        index = connect(tmp_path / "deep" / "index.sqlite")
        assert index.execute("PRAGMA user_version").fetchone()[0] >= 1
        index.close()


def test_a_count_beyond_sixty_three_bits_does_not_break_the_index(shelf: Shelf) -> None:
    huge = Result(tool="fio", op="randwrite", total_ios=2**64 - 1)
    one = study("a", 1.0)
    segment = Segment(cell=CELL.name, round=0, outcome=Outcome.DONE, started_at_s=0.0, seconds=1.0, results=(huge,))
    shelf.put(Study(id="a", plan="p", target="t", created_at_s=0.0, cells=one.cells, segments=(segment,)))
    assert shelf.store.results(["a"])[0]["total_ios"] == pytest.approx(2**64)


def test_a_kept_text_is_verbatim_and_knows_its_hash(tmp_path: Path) -> None:
    raw = b"\xef\xbb\xbfodd \xff bytes\r\n"
    folder = keep_text(raw, "mail.txt", tmp_path, now_s=1.8e9, version="0")
    assert (folder / "text.txt").read_bytes() == raw
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["kind"] == "import"
    assert manifest["sha256"] == text_hash(raw)
    assert folder.name.endswith(f"-import-{text_hash(raw)[:8]}")


def test_a_home_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "studies").write_text("a file where the folder should be")
    with pytest.raises(StoreError, match="cannot write"):
        keep_text(b"x", "x", tmp_path / "studies", now_s=0.0, version="0")
