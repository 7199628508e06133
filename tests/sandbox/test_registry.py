"""Names are taken once, and what is half made is found."""

import tempfile
from pathlib import Path

import pytest

from radoscope.errors import PlanError, SiteError
from radoscope.sandbox import Leftover, leftovers, living, registry, remove
from radoscope.sandbox.spec import SandboxSpec
from radoscope.session.clients import clients_of_sandbox

_ONE = SandboxSpec(name="one", osds=1, size=1)
_DEAD = "999999999"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own; sockets' folders go there too, for nothing here makes sockets."""
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def _as_if_its_maker_had_died(directory: Path) -> None:
    file = directory / "sandbox.json"
    text = file.read_text().splitlines()
    file.write_text("\n".join(f' "actor_pid": {_DEAD},' if '"actor_pid"' in line else line for line in text))


def _of(home: Path) -> tuple[Leftover, ...]:
    """Leftovers of this home alone: the search covers the whole host."""
    return tuple(found for found in leftovers() if found.sandbox.startswith(str(home)))


def test_a_name_can_be_taken_once() -> None:
    registry.claim(_ONE)
    with pytest.raises(PlanError, match="the name one is in use") as refusal:
        registry.claim(_ONE)
    assert "radoscope sandbox down one" in refusal.value.hint


def test_a_registered_sandbox_reads_back_as_it_was_written() -> None:
    made = registry.claim(_ONE)
    registry.mark(made, registry.State.UP)
    assert registry.load("one") == made
    assert registry.names() == ("one",)


def test_a_sandbox_that_is_starting_cannot_be_loaded() -> None:
    registry.claim(_ONE)
    with pytest.raises(SiteError, match="the sandbox one is starting"):
        registry.load("one")


def test_a_sandbox_that_does_not_exist_is_refused_with_those_that_do() -> None:
    registry.claim(_ONE)
    with pytest.raises(PlanError, match="there is no sandbox two") as refusal:
        registry.load("two")
    assert "one" in refusal.value.hint


def test_two_sandboxes_have_addresses_of_their_own() -> None:
    first, second = registry.claim(_ONE), registry.claim(SandboxSpec(name="two"))
    assert first.mons[0].address != second.mons[0].address
    assert first.mons[0].address.startswith("127.")


def test_sockets_of_a_deep_folder_go_to_a_short_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RADOSCOPE_HOME", str(home / ("deep/" * 20)))
    monkeypatch.setattr(tempfile, "tempdir", "/tmp")
    made = registry.claim(_ONE)
    assert len(f"{made.run_dir}/ceph-client.admin.1234567.94123456789012.asok") <= 107
    registry.forget(made.label, made.run_dir)
    assert not made.run_dir.exists()
    assert not made.directory.exists()


def test_what_is_being_started_is_no_leftover(home: Path) -> None:
    registry.claim(_ONE)
    assert _of(home) == ()
    assert "one" in living()


def test_what_a_dead_starter_made_is_a_leftover_and_can_be_removed(home: Path) -> None:
    made = registry.claim(_ONE)
    _as_if_its_maker_had_died(made.directory)
    assert str(made.directory) in {found.identity for found in _of(home)}
    for found in _of(home):
        remove(found)
    assert _of(home) == ()
    assert not made.directory.exists()


def test_a_registered_sandbox_without_a_living_process_is_a_leftover(home: Path) -> None:
    registry.mark(registry.claim(_ONE), registry.State.UP)
    assert {found.kind for found in _of(home)} == {"directory"}
    assert living() == ()


def test_a_sockets_folder_whose_sandbox_is_gone_is_a_leftover(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RADOSCOPE_HOME", str(home / ("deep/" * 20)))
    made = registry.claim(_ONE)
    registry.remove_folder(made.directory)
    (found,) = _of(home)
    assert found.identity == str(made.run_dir)
    remove(found)
    assert not made.run_dir.exists()


def test_a_folder_of_somebody_else_with_the_same_prefix_is_no_leftover(tmp_path: Path) -> None:
    stranger = Path("/tmp/radoscope-somebody-elses")
    stranger.mkdir(exist_ok=True)
    try:
        assert str(stranger) not in {found.identity for found in leftovers()}
    finally:
        stranger.rmdir()


def test_a_folder_that_cannot_be_read_is_named_and_is_a_leftover(home: Path) -> None:
    (home / "sandboxes" / "one").mkdir(parents=True)
    (home / "sandboxes" / "one" / "sandbox.json").write_text("{")
    with pytest.raises(SiteError, match="does not say which sandbox it holds"):
        registry.entry("one")
    (found,) = _of(home)
    remove(found)
    assert not (home / "sandboxes" / "one").exists()


def test_a_client_host_that_there_is_not_is_named_with_the_one_that_is_meant(home: Path) -> None:
    made = registry.claim(SandboxSpec(name="lab", osds=1, hosts=3, clients=2, size=3))
    first, *_ = names = [host.name for host in made.clients]
    with pytest.raises(PlanError, match=f"has no client host {first}x, did you mean {first}") as caught:
        clients_of_sandbox([f"{first}x"], made)
    assert caught.value.hint == f"It has {', '.join(names)}."
