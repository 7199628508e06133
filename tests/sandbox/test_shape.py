"""Disks and links as they is possible, in files and on the command line."""

from pathlib import Path

import pytest

from radoscope.errors import PlanError
from radoscope.sandbox.shape import DISKS, DiskModel, named_disk, parse_bit_rate
from radoscope.sandbox.spec import SandboxSpec, load_spec, preset_text, presets, read_spec


@pytest.mark.parametrize(
    ("text", "bits"), [("1G", 1e9), ("10g", 1e10), ("100Gbit", 1e11), ("2.5G", 2.5e9), ("100M", 1e8)]
)
def test_a_bandwidth_counts_in_powers_of_ten(text: str, bits: float) -> None:
    assert parse_bit_rate(text) == bits


@pytest.mark.parametrize("text", ["", "fast", "10", "10K", "-1G", "1000G", "G"])
def test_what_is_no_bandwidth_is_refused(text: str) -> None:
    with pytest.raises(PlanError):
        parse_bit_rate(text)


def test_disks_without_power_loss_protection_flush_slower_than_those_with() -> None:
    assert DISKS["plp-sata"].flush_s < DISKS["consumer"].flush_s < DISKS["hdd"].flush_s
    assert DISKS["none"].changes_nothing


def test_an_unknown_disk_is_refused_with_those_that_exist() -> None:
    with pytest.raises(PlanError) as refusal:
        named_disk("floppy")
    assert "plp-sata" in refusal.value.hint


def test_a_disk_that_takes_negative_time_is_refused() -> None:
    with pytest.raises(PlanError):
        DiskModel(name="wrong", flush_s=-1)


def test_one_host_has_no_network_to_shape() -> None:
    with pytest.raises(PlanError, match="no links to shape"):
        SandboxSpec(network_bits_per_s=1e9)


@pytest.mark.parametrize("latency_s", [0.0, 0.1e-3, 0.06, -1e-3])
def test_a_latency_that_the_relay_cannot_keep_is_refused(latency_s: float) -> None:
    with pytest.raises(PlanError, match="cannot be added"):
        SandboxSpec(hosts=3, osds=1, latency_s=latency_s)


def test_a_link_too_fast_for_the_relay_is_refused() -> None:
    with pytest.raises(PlanError, match="cannot be delayed"):
        SandboxSpec(hosts=3, osds=1, latency_s=1e-3, network_bits_per_s=25e9)


def test_one_host_has_no_link_to_delay() -> None:
    with pytest.raises(PlanError, match="no links to shape"):
        SandboxSpec(latency_s=1e-3)


def test_latency_and_write_cache_can_stand_in_a_file() -> None:
    spec = read_spec('hosts = 3\nlatency = "0.5ms"\ndisk = "consumer"\nwrite_cache = false\n', "lab.toml")
    assert (spec.latency_s, spec.disk.name) == (0.5e-3, "consumer, write cache off")


def test_a_write_cache_can_stand_with_its_disk() -> None:
    spec = read_spec('hosts = 3\n[disk]\nlike = "hdd"\nwrite_cache = false\n', "lab.toml")
    assert (spec.disk.flush_cost_s, spec.disk.write_cost_s) == (0, 8e-3)


def test_the_write_cache_of_a_preset_can_be_switched_off() -> None:
    assert not load_spec("nested-2023", {"write_cache": False}).disk.write_cache


def test_a_write_cache_of_no_modelled_disk_is_refused() -> None:
    with pytest.raises(PlanError, match="keeps its write cache"):
        read_spec("write_cache = false", "lab.toml")


@pytest.mark.parametrize("name", presets())
def test_every_preset_can_be_loaded_and_says_where_it_comes_from(name: str) -> None:
    assert load_spec(name, {"name": "mine"}).name == "mine"
    assert preset_text(name).startswith("# ")


def test_a_preset_is_a_default_that_options_change() -> None:
    spec = load_spec("proxmox-2018", {"hosts": 6})
    assert (spec.hosts, spec.osds, spec.network_bits_per_s, spec.disk.name) == (6, 4, 1e10, "plp-sata")


def test_a_file_can_describe_a_disk_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "lab.toml"
    file.write_text('hosts = 3\n[disk]\nlike = "hdd"\nflush = "5ms"\nbandwidth = "100M"\n')
    disk = load_spec(str(file)).disk
    assert (disk.flush_s, disk.read_s, disk.bytes_per_s) == (5e-3, 8e-3, 100 * 2**20)


def test_all_faults_of_a_file_are_told_at_once() -> None:
    with pytest.raises(PlanError) as refusal:
        read_spec('hosts = "many"\nnetwork = "fast"\ncolour = "red"\ndisk = "floppy"\n', "lab.toml")
    assert refusal.value.message.startswith("lab.toml: 4 faults")
    assert all(word in refusal.value.message for word in ("hosts", "network", "colour", "disk"))


def test_an_unknown_key_of_a_disk_is_a_fault() -> None:
    with pytest.raises(PlanError, match="spin"):
        read_spec("[disk]\nspin = 7200\n", "lab.toml")


def test_what_is_not_toml_is_refused() -> None:
    with pytest.raises(PlanError, match="not TOML"):
        read_spec("hosts = ", "lab.toml")


def test_an_unknown_preset_is_refused_with_those_that_exist() -> None:
    with pytest.raises(PlanError) as refusal:
        load_spec("nowhere")
    assert "home-2025" in refusal.value.hint
