"""The catalogue: drives and processors are found by the names people write, and everything names its source."""

from pathlib import Path

import pytest

from radoscope import catalogue
from radoscope.errors import PlanError


def test_every_drive_and_result_names_its_source() -> None:
    assert all(drive.source_title for drive in catalogue.drives())
    assert all(result.fields["source_title"] and result.source_id for result in catalogue.results())


def test_there_are_200_drives_or_more() -> None:
    assert len({drive.model for drive in catalogue.drives()}) >= 200


def test_ids_are_unique() -> None:
    assert len({drive.id for drive in catalogue.drives()}) == len(catalogue.drives())
    assert len({result.id for result in catalogue.results()}) == len(catalogue.results())


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("Kioxia CD6", "Kioxia CD6 3.84TB"),
        ("samsung sm863 240gb", "Samsung SM863 240GB"),
        ("Intel S3500", "Intel DC S3500"),
        ("Micron 9300 MAX 12.8 TB", "Micron 9300 MAX 12.8TB"),
        ("990PRO 2TB", "Samsung 990 PRO 2TB"),
        ("Samsung PM 893 3.84TB", "Samsung PM893 3.84TB (MZ7L33T8HBLT)"),
        ("MZ7L33T8HBLT", "Samsung PM893 3.84TB (MZ7L33T8HBLT)"),
        ("PM9A3 3.84TB", "Samsung PM9A3 3.84TB (MZQL23T8HCLS)"),
        ("P5520", "Solidigm D7-P5520 7.68TB"),
        ("Exos X20", "Seagate Exos X20 20TB (ST20000NM007D)"),
        ("WUH721818ALE6L4", "WD Ultrastar DC HC550 18TB (WUH721818ALE6L4)"),
        ("9400 MAX", "Micron 9400 MAX 6.4TB"),
        ("7500 pro", "Micron 7500 PRO 15.36TB"),
        ("970 EVO Plus 1TB", "Samsung 970 EVO Plus 500GB"),
        ("MG11", "Toshiba MG11 24TB"),
    ],
)
def test_a_drive_is_found_by_the_name_people_write(written: str, found: str) -> None:
    assert catalogue.find_drive(written).model == found


def test_one_product_line_is_not_taken_for_another() -> None:
    pro = catalogue.find_drive("Samsung 850 PRO 256GB")
    assert "PRO" in pro.model
    assert "QVO" in catalogue.find_drive("Samsung 870 QVO").model
    assert catalogue.match_drive("Samsung 840 QVO") is None, "only the 840 EVO and PRO are listed"


def test_an_unknown_drive_is_a_fault_with_a_hint() -> None:
    with pytest.raises(PlanError) as caught:
        catalogue.find_drive("Wundertüte 5000")
    assert "catalogue drives" in caught.value.hint


def test_a_drive_measured_with_both_cache_states_counts_with_its_cache_off() -> None:
    assert catalogue.find_drive("Micron 5100 ECO 960GB").sync_write_4k_qd1_latency_us == pytest.approx(39.8)


@pytest.mark.parametrize(
    ("model", "device_class", "plp"),
    [
        ("Samsung 990 PRO 1TB", "nvme", False),
        ("Samsung PM9A3 3.84TB", "nvme", True),
        ("Crucial MX500 2TB", "sata_ssd", False),
        ("WD Red Plus 4TB", "hdd", False),
        ("Seagate Exos X16", "hdd", False),
        ("Micron 7450 PRO", "nvme", True),
    ],
)
def test_a_model_name_alone_tells_class_and_protection(model: str, device_class: str, plp: bool) -> None:
    family = catalogue.find_family(model)
    assert family is not None
    assert (family.device_class, family.plp) == (device_class, plp)


NAMES = (Path(__file__).parent / "names.txt").read_text().splitlines()
"""Drives that people buy, as they write them: class, + with power-loss protection, and names."""


@pytest.mark.parametrize("line", NAMES, ids=[line.split(":")[0] for line in NAMES])
def test_drives_that_people_buy_are_recognised(line: str) -> None:
    kind, names = line.split(": ", 1)
    for name in names.split(", "):
        family, listed = catalogue.find_family(name), catalogue.match_drive(name)
        assert family is not None, name
        assert (family.device_class, bool(family.plp)) == (kind[:-1], kind[-1] == "+"), name
        assert listed is None or listed.plp in (None, family.plp), f"{name} is taken for {listed.model}"


def test_a_number_alone_does_not_make_two_makers_drives_one() -> None:
    assert catalogue.match_drive("Seagate FireCuda 510") is None, "Intel's 510 is another drive"
    assert catalogue.find_drive("510 Intel").model == "Intel 510"
    assert catalogue.match_drive("SK hynix Platinum P41") is None, "the P41 Plus is Solidigm's"


@pytest.mark.parametrize(
    ("name", "family", "sockets"),
    [
        ("2x Xeon E5-2630 v4", "Xeon E5 v4 (Broadwell)", 2),
        ("1x EPYC 7742", "EPYC 7742", 1),
        ("AMD Ryzen 7 5700G", "Ryzen 5000 (Zen 3)", 1),
        ("Intel N100", "Intel N-series", 1),
    ],
)
def test_a_processor_is_found_by_its_printed_name(name: str, family: str, sockets: int) -> None:
    found = catalogue.find_processor(name)
    assert found is not None
    assert found.name == family
    assert catalogue.sockets(name) == sockets


def test_a_rate_follows_from_bandwidth_or_latency_where_it_is_not_printed() -> None:
    by_id = {result.id: result for result in catalogue.results()}
    from_bandwidth = by_id["seed003-001"]
    assert from_bandwidth.iops == pytest.approx(1153.07e6 / 2**20)
    from_latency = by_id["clyso_reef_freeze_rbd-007"]
    assert from_latency.iops == pytest.approx(1 / 0.417e-3)


def test_what_a_drive_of_another_size_writes_is_not_carried_over() -> None:
    small, large = catalogue.find_drive("Samsung PM983 960GB"), catalogue.find_drive("Samsung PM983 4TB")
    assert small.seq_write_MBps == 1050
    assert large.seq_write_MBps is None
    assert large.seq_read_MBps == small.seq_read_MBps
