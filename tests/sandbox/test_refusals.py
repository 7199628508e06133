"""What this machine cannot carry is refused before anything is made, with what to do about it."""

import pytest

from radoscope import memory
from radoscope.errors import SiteError, ToolFailed
from radoscope.sandbox import SandboxSpec, names, preflight, processes, registry, up

pytestmark = pytest.mark.usefixtures("home")


def test_a_missing_tool_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "TOOLS", {**preflight.TOOLS, "ceph-that-is-not": "ceph-extra"})
    with pytest.raises(ToolFailed, match="ceph-extra") as refusal:
        up(SandboxSpec())
    assert refusal.value.hint == "apt install ceph-extra"
    assert names() == ()


def test_too_little_memory_is_refused_with_both_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 2**30)
    with pytest.raises(SiteError, match=r"3 OSDs need 1.57 GiB of memory; 1 GiB are free"):
        up(SandboxSpec())


def test_too_little_disk_is_refused_with_both_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "_OSD_DISK_BYTES", 2**60)
    with pytest.raises(SiteError, match="of disk") as refusal:
        up(SandboxSpec())
    assert "RADOSCOPE_HOME" in refusal.value.hint


def test_hosts_without_root_are_refused_and_the_hint_says_what_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(SiteError, match="needs root") as refusal:
        up(SandboxSpec(hosts=3, osds=1))
    assert "radoscope sandbox up default --osds 3" in refusal.value.hint


def test_no_free_port_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_is_free", lambda address, port: False)
    with pytest.raises(SiteError, match="no free ports"):
        up(SandboxSpec())
    assert names() == ()


def test_when_the_usual_port_is_taken_another_one_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_is_free", lambda address, port: port not in (3300, 6789))
    _, (v2_port, v1_port, _gateway) = registry.free_address("0a1b2c3d")
    assert {v2_port, v1_port}.isdisjoint({3300, 6789})


def test_a_command_that_does_not_end_is_cut_off() -> None:
    with pytest.raises(ToolFailed, match="no end after"):
        processes.run_tool(("sleep", "60"), timeout_s=0.05)


def test_too_few_asynchronous_requests_are_refused_with_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "_kernel_number", lambda name: {"aio-max-nr": 65536, "aio-nr": 65000}[name])
    with pytest.raises(
        SiteError, match="3 OSDs need 1536 asynchronous requests of the kernel; 536 are free"
    ) as refusal:
        up(SandboxSpec())
    assert "fs.aio-max-nr" in refusal.value.hint
