"""Several images at once, and how to repeat a study."""

from __future__ import annotations

import shlex
from dataclasses import replace

import pytest

from radoscope.records.study import Study
from radoscope.report.material import Material, study_words
from radoscope.report.sections.scaling import Family, efficiency, find_families

from .example_study import make_study, make_summaries


def repeated(study: Study) -> str:
    return shlex.join(("radoscope", *study_words(study)))


def families(*dropped: str) -> tuple[Family, ...]:
    summaries = make_summaries()
    cells = tuple(s for s in summaries.cells if s.cell.name not in dropped)
    return find_families(Material(make_study(), replace(summaries, cells=cells)))


def test_cells_that_differ_in_the_number_of_images_alone_stand_together() -> None:
    (family,) = families()
    assert [cell.cell.name for cell in family.cells] == ["rbd-n1", "rbd-n2", "rbd-n4", "rbd-n8"]
    assert family.title == "RBD, 4K random write, QD1 an image"


def test_efficiency_is_the_total_over_n_times_one() -> None:
    (family,) = families()
    assert efficiency(family.cells[-1], family.single) == pytest.approx(8840 / (8 * 1391))
    assert family.message == "8 images do 6.4 times the IOPS of one, 79 % of 8 times one"


def test_without_a_single_image_there_is_no_efficiency() -> None:
    (family,) = families("rbd-n1", "rbd-4k-qd1-randwrite")
    assert efficiency(family.cells[-1], family.single) is None
    assert family.message == "8 images together do 8,840 ±4.4 % IOPS"


def test_one_count_alone_is_no_family() -> None:
    assert families("rbd-n2", "rbd-n4", "rbd-n8") == ()


def test_the_command_repeats_plan_and_target() -> None:
    study = make_study()
    assert repeated(study) == "radoscope study --conf /etc/ceph/ceph.conf --plan standard"
    assert repeated(replace(study, sandbox="demo")) == "radoscope study --sandbox demo --plan standard"
    assert repeated(replace(study, sandbox="study-1a2b")) == "radoscope study --plan standard"


def test_client_hosts_are_repeated_as_they_were_said() -> None:
    study = replace(make_study(), sandbox="lab", clients=("client1", "client2"))
    assert repeated(study) == "radoscope study --sandbox lab --client client1 --client client2 --plan standard"


def test_a_pool_of_the_users_own_is_named_and_quoted() -> None:
    study = make_study()
    assert study.environment.cluster is not None and study.environment.cluster.pool is not None
    pool = replace(study.environment.cluster.pool, name="my pool", own=False)
    environment = replace(study.environment, cluster=replace(study.environment.cluster, pool=pool))
    command = repeated(replace(study, environment=environment))
    assert command == "radoscope study --conf /etc/ceph/ceph.conf --pool 'my pool' --plan standard"
