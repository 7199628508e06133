"""`radoscope sandbox` as a user types it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from radoscope.cli.sandbox import command
from radoscope.errors import PlanError, SiteError
from radoscope.sandbox import Sandbox


def _output(*words: str) -> str:
    result = CliRunner().invoke(command, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def shared_home(sandbox: Sandbox, sandbox_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RADOSCOPE_HOME", str(sandbox_home))


def test_without_any_sandbox_status_says_how_to_start_one(home: Path) -> None:
    assert "radoscope sandbox up" in _output("status")


def test_a_sandbox_that_does_not_exist_is_refused(home: Path) -> None:
    for verb in ("status", "env", "down"):
        with pytest.raises(PlanError, match="there is no sandbox nobody"):
            _output(verb, "nobody")


@pytest.mark.ceph
def test_one_that_cannot_be_read_does_not_hide_the_others(
    sandbox: Sandbox, sandbox_home: Path, shared_home: None
) -> None:
    broken = sandbox_home / "sandboxes" / "broken"
    broken.mkdir()
    try:
        (broken / "sandbox.json").write_text("{")
        result = CliRunner().invoke(command, ("status",))
        assert f"{sandbox.name}: up" in result.output
        assert isinstance(result.exception, SiteError)
        assert "broken" in result.exception.message
    finally:
        shutil.rmtree(broken)


def test_a_name_and_all_together_are_refused() -> None:
    with pytest.raises(PlanError, match="cannot both be given"):
        _output("down", "one", "--all")


@pytest.mark.ceph
@pytest.mark.usefixtures("shared_home")
def test_status_tells_health_daemons_and_memory() -> None:
    found = json.loads(_output("status", "shared", "--json"))
    assert (found["state"], found["osds_up"], found["osds_in"]) == ("up", 3, 3)
    assert found["health"].startswith("HEALTH_")
    assert found["memory_bytes"] == sum(daemon["memory_bytes"] for daemon in found["daemons"])
    assert "OSDs 3 up, 3 in, of 3" in _output("status")


@pytest.mark.ceph
@pytest.mark.usefixtures("shared_home")
def test_env_prints_what_a_shell_can_evaluate(sandbox: Sandbox) -> None:
    assert f"export CEPH_CONF={sandbox.conf}" in _output("env", "shared")


def test_presets_are_listed_with_what_they_are_and_printed_as_files() -> None:
    assert "proxmox-2018" in _output("presets")
    assert "hosts = 3" in _output("presets", "home-2025")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("up", "a b"), "cannot be the name"),
        (("up", "a/b"), "cannot be the name"),
        (("up", "x", "--osds", "2"), "3 replicas do not fit"),
        (("up", "x", "--disk", "floppy"), "no disk 'floppy'"),
        (("up", "x", "--hosts", "3", "--network", "fast"), "not a bandwidth"),
        (("up", "x", "--like", "nowhere"), "no preset 'nowhere'"),
        (("up", "x", "--osd-size", "1k"), "too small"),
        (("up", "x", "--clients", "2"), "has no client hosts"),
        (("add", "x", "osd", "--osds", "2"), "--osds is for hosts"),
        (("add", "x", "host", "--host", "h2"), "--host is for OSDs"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(
    words: tuple[str, ...], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path))
    with pytest.raises(PlanError, match=complaint):
        _output(*words)
    assert not list(tmp_path.glob("sandboxes/*/"))


@pytest.mark.ceph
@pytest.mark.usefixtures("shared_home")
def test_faults_that_do_not_fit_are_refused_by_name() -> None:
    with pytest.raises(PlanError, match="no links to cut"):
        _output("fault", "shared", "cut", "h1")
    with pytest.raises(PlanError, match="no fault 'break'"):
        _output("fault", "shared", "break")
