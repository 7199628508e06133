"""What is asked for is checked before anything is made."""

import pytest

from radoscope.errors import PlanError
from radoscope.sandbox.spec import SandboxSpec, check_name


@pytest.mark.parametrize("name", ["default", "a", "home-2025", "A_b-3", "x" * 31])
def test_a_name_of_letters_digits_and_dashes_is_taken(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize("name", ["", "a b", "a/b", "../a", ".hidden", "-x", "ä", "x" * 32, "a\n"])
def test_any_other_name_is_refused_with_a_hint(name: str) -> None:
    with pytest.raises(PlanError) as refusal:
        check_name(name)
    assert "letters, digits" in refusal.value.hint


def test_more_replicas_than_osds_are_refused() -> None:
    with pytest.raises(PlanError, match="3 replicas do not fit on 2 OSDs"):
        SandboxSpec(osds=2)


def test_with_hosts_each_replica_needs_a_host_of_its_own() -> None:
    with pytest.raises(PlanError, match="3 replicas do not fit on 2 hosts"):
        SandboxSpec(hosts=2, osds=4)


def test_osds_are_counted_over_all_hosts() -> None:
    assert SandboxSpec(hosts=6, osds=4).all_osds == 24


@pytest.mark.parametrize("wish", [{"network_bits_per_s": 1e9}, {"latency_s": 1e-3}, {"mtu": 9000}, {"clients": 2}])
def test_what_only_hosts_have_is_refused_without_them(wish: dict[str, float]) -> None:
    with pytest.raises(PlanError) as refusal:
        SandboxSpec(**wish)  # type: ignore[arg-type]
    assert "--hosts" in refusal.value.hint
    SandboxSpec(hosts=3, **wish)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"osds": 0}, {"osds": 65}, {"osd_bytes": 2**20}, {"hosts": 0}, {"clients": 0}])
def test_counts_and_sizes_out_of_range_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(PlanError):
        SandboxSpec(**wrong)  # type: ignore[arg-type]
