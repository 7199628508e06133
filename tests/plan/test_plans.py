"""Plans: every fault at once, sweeps, names, order, cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from radoscope.errors import PlanError
from radoscope.plan import cells_of, load, load_text, named_plans, plan_text, shuffled_round
from radoscope.plan.estimate import estimate, image_count, most_rounds, object_sets, segment_seconds
from radoscope.records.conditions import Layer, Operation, Sync, rows_of_clients
from tests import small_plans

SMALL = """
name = "mine"
[[cells]]
layer = "rbd"
op = ["randwrite", "randread"]
block = "4K"
queue_depth = [1, 128]
"""


@pytest.mark.parametrize("name", named_plans())
def test_every_plan_that_ships_is_sound(name: str) -> None:
    plan = load(name)
    cells = cells_of(plan)
    cost = estimate(plan, cells)
    assert plan.name == name
    assert cells
    assert 0 < cost.seconds_low <= cost.seconds_high


def test_quick_covers_all_four_layers_and_comes_first() -> None:
    assert named_plans()[:2] == ("quick", "standard")
    assert {cell.conditions.layer for cell in cells_of(load("quick"))} == set(Layer) - {
        Layer.OSD,
        Layer.QEMU,
        Layer.GUEST,
        Layer.CEPHFS,
        Layer.S3,
    }


def test_there_is_a_plan_for_each_of_the_five_published_tests() -> None:
    assert {f"seed-00{number}" for number in range(5)} <= set(named_plans())


def test_seed_000_has_its_six_cells_and_the_rows_for_n_images() -> None:
    names = [cell.name for cell in cells_of(load("seed-000"))]
    assert names == [
        "rbd-4m-write-qd16",
        "rbd-4m-read-qd16",
        "rbd-4k-randwrite-qd1",
        "rbd-4k-randwrite-qd128",
        "rbd-4k-randread-qd1",
        "rbd-4k-randread-qd128",
        "rbd-4k-randwrite-qd1-n2",
        "rbd-4k-randwrite-qd1-n4",
        "rbd-4k-randwrite-qd1-n8",
    ]


def test_the_start_of_a_guest_counts_before_the_first_segment() -> None:
    plan = load("guest")
    guests = [cell for cell in cells_of(plan) if cell.conditions.layer is Layer.GUEST]
    images = [cell for cell in cells_of(plan) if cell.conditions.layer is Layer.RBD]
    assert estimate(plan, guests).prepare_s >= estimate(plan, images).prepare_s + 10


def test_lists_are_crossed() -> None:
    cells = cells_of(load_text(SMALL, "mine"))
    assert [(cell.conditions.op, cell.conditions.queue_depth) for cell in cells] == [
        (Operation.RANDWRITE, 1),
        (Operation.RANDWRITE, 128),
        (Operation.RANDREAD, 1),
        (Operation.RANDREAD, 128),
    ]


def test_a_plan_survives_being_written_and_read_again() -> None:
    from radoscope.plan.schema import check_plan

    plan = load("standard")
    assert check_plan(plan.model_dump(mode="json"), "again") == plan


def test_all_faults_are_named_at_once_with_their_places() -> None:
    text = """
name = "with blanks"
round = 3
seconds = "3 parsecs"
[[cells]]
layer = "rbd"
op = "write"
[[cells]]
layer = "rados"
op = "write"
block = "4K"
queue_dept = 3
"""
    with pytest.raises(PlanError) as caught:
        load_text(text, "mine.toml")
    message = caught.value.message
    assert "mine.toml: 5 faults" in message
    assert "name:" in message
    assert "round: unknown key, did you mean rounds?" in message
    assert "seconds: '3 parsecs' is not a time" in message
    assert "cells[1]: block is missing" in message
    assert "cells[2].queue_dept: unknown key, did you mean queue_depth?" in message
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ('layer="rados"\nop="randwrite"\nblock="4K"', "rados bench has write"),
        ('layer="network"\nop="read"', "neither op nor block"),
        ('layer="disk"\nop="read"\nblock="4K"\nimages=2', "images belong to layers rbd, qemu, guest and cephfs"),
        ('layer="disk"\nop="read"\nblock="4K"\nclients=2', "clients belong to layers rados, rbd, cephfs, s3"),
        ('layer="disk"\nop="read"\nblock="4K"\nsync="fsync"', "sync belongs to writes"),
        ('layer="rbd"\nop="write"\nblock="4K"\nsync="sync"', "ignores O_SYNC"),
        ('layer="rbd"\nop="write"\nblock="4 MB"', "is not a size"),
        ('layer="rbd"\nop="write"\nblock="4K"\nqueue_depth=0', "greater than or equal to 1"),
        ('layer="tape"\nop="write"\nblock="4K"', "disk"),
        ('layer="cephfs"\nop="write"\nblock="4K"\nqueue_depth=8', "a thread waits for each I/O; use jobs"),
        ('layer="s3"\nop="read"\nblock="4K"', r"layer s3 has write \(PUT\) and randread \(GET\)"),
        ('layer="s3"\nop="write"\nblock="4K"\nsync="fsync"', "sync does not belong to layer s3"),
        ('layer="disk"\nop="write"\nblock="4K"\nsync="fsync"\nrate_iops=50', 'sync = "fsync" has a rate'),
        ('layer="s3"\nop="write"\nblock="4K"\npinned="osd"', "pinned belongs to layers rados and rbd"),
        ('layer="rbd"\nop="write"\nblock="4K"\ncache="none"', "cache belongs to layers qemu and guest"),
        ('layer="qemu"\nop="write"\nblock="4K"\njobs=2', "takes neither jobs nor pinned"),
        ('layer="guest"\nop="write"\nblock="4K"\njobs=2', "takes neither jobs nor pinned"),
        ('layer="qemu"\nop="write"\nblock="4K"\nbus="virtio-blk"', "bus and iothread belong to layer guest"),
        ('layer="rbd"\ntool="iperf3"', "does not measure layer rbd"),
    ],
)
def test_a_cell_that_cannot_be_measured_is_refused(cell: str, words: str) -> None:
    with pytest.raises(PlanError, match=words):
        load_text(f'name="x"\n[[cells]]\n{cell}\n', "x")


@pytest.mark.parametrize("text", ["", "name = ", "\x00", "[[cells]]", "name=1", "cells=3"])
def test_what_is_no_plan_is_refused(text: str) -> None:
    with pytest.raises(PlanError):
        load_text(text, "x")


def test_cells_that_stand_twice_are_refused() -> None:
    with pytest.raises(PlanError, match="duplicate cells: rbd-4k-randwrite-qd1"):
        cells_of(load_text(SMALL + '[[cells]]\nlayer="rbd"\nop="randwrite"\nblock="4K"\n', "x"))


def test_an_unknown_plan_and_a_missing_file_say_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"^there is no plan 'quik'$") as caught:
        load("quik")
    assert "quick" in caught.value.hint
    with pytest.raises(PlanError, match="cannot be read"):
        load(str(tmp_path / "none.toml"))


def test_the_order_of_a_round_is_random_but_the_same_for_a_seed() -> None:
    plan = load("quick")
    cells = cells_of(plan)
    first, again, second = (shuffled_round(plan, cells, number) for number in (1, 1, 2))
    assert first == again
    assert [t.cell.name for t in first] != [t.cell.name for t in second]
    assert {t.cell.name for t in first} == {cell.name for cell in cells}


def test_the_cost_counts_images_read_sets_and_files() -> None:
    plan = load("quick")
    cells = cells_of(plan)
    cost = estimate(plan, cells)
    assert image_count(cells) == 8
    assert object_sets(cells) == {4096: 1, 4 * 2**20: 1}
    assert cost.pool_bytes >= 8 * plan.image_size
    assert cost.file_bytes == plan.file_size


def test_readers_of_rados_bench_have_objects_of_their_own_and_the_cost_counts_them() -> None:
    one, three = (
        load_text(f'name="x"\n[[cells]]\nlayer="rados"\nop="read"\nblock="4M"\njobs={jobs}\n', "x") for jobs in (1, 3)
    )
    assert object_sets(cells_of(three)) == {4 * 2**20: 3}
    assert estimate(three, cells_of(three)).pool_bytes == 3 * estimate(one, cells_of(one)).pool_bytes


SPREAD = 'name = "spread"\n' + small_plans.cell("rbd", op="randwrite", images=[1, 2, 8])


def test_cells_are_spread_over_the_hosts_there_are_and_no_thinner_than_a_process_a_host() -> None:
    cells = cells_of(load_text(SPREAD, "x"), client_hosts=4)
    assert [cell.name for cell in cells] == [cell.name for cell in cells_of(load_text(SPREAD, "x"))]
    assert [cell.conditions.client_hosts for cell in cells] == [1, 2, 4]
    assert cells[2].title == "4K random write, QD1, 8 images at once, from 4 hosts"


def test_a_plan_may_measure_the_same_load_from_one_host_and_from_two() -> None:
    cells = cells_of(load_text(SPREAD + "clients = [1, 2]\n", "x"), client_hosts=5)
    assert [(cell.name, cell.conditions.client_hosts) for cell in cells] == [
        ("rbd-4k-randwrite-qd1", 1),
        ("rbd-4k-randwrite-qd1-n2", 1),
        ("rbd-4k-randwrite-qd1-n2-h2", 2),
        ("rbd-4k-randwrite-qd1-n8", 1),
        ("rbd-4k-randwrite-qd1-n8-h2", 2),
    ]


def test_disk_and_network_stay_on_one_host() -> None:
    assert {
        cell.conditions.client_hosts for cell in cells_of(load("seed-003"), 3) if cell.conditions.processes == 1
    } == {1}


def test_rows_of_clients_begin_with_one_image_whatever_the_number_of_hosts() -> None:
    cells = cells_of(load_text(SPREAD + "clients = [1, 2]\n", "x"))
    rows = rows_of_clients(cells, lambda cell: cell.conditions)
    names = {load.client_hosts: [cell.conditions.clients for cell in row] for load, row in rows.items()}
    assert names == {1: [1, 2, 8], 2: [1, 2, 8]}
    spread = cells_of(load_text(SPREAD, "x"), client_hosts=4)
    [(load, row)] = rows_of_clients(spread, lambda cell: cell.conditions).items()
    assert (load.client_hosts, len(row)) == (4, 3)


def test_a_cell_gets_at_least_the_planned_rounds_and_at_most_its_time() -> None:
    plan = load("quick")
    for cell in cells_of(plan):
        rounds = most_rounds(plan, cell)
        assert rounds >= plan.rounds
        assert rounds == plan.rounds or rounds * segment_seconds(plan, cell) <= plan.at_most


def test_the_shipped_text_is_what_is_loaded() -> None:
    assert load_text(plan_text("quick"), "quick") == load("quick")


def test_a_file_is_shown_as_it_is_written(tmp_path: Path) -> None:
    mine = tmp_path / "my plan.toml"
    mine.write_text("# mine\n" + plan_text("quick"))
    assert plan_text(str(mine)) == mine.read_text()


def test_what_never_ends_is_no_plan() -> None:
    with pytest.raises(PlanError, match="larger than 1 MiB"):
        load("/dev/zero")


def test_fsync_cells_carry_it_in_their_name() -> None:
    cell = cells_of(load("seed-002"))[0]
    assert cell.conditions.sync is Sync.FSYNC
    assert cell.name == "disk-4k-randwrite-qd1-fsync"
