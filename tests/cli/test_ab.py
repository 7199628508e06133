"""`radoscope ab` as it is called: what it refuses, what it asks, what it shows."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from radoscope.cli.ab import command
from radoscope.errors import RadoscopeError
from radoscope.workflow import load_study

CAUSES = Path(__file__).parents[1] / "captures" / "causes"
OWN = ["--a", "true", "--b", "false", "--cells", "network-ping"]


pytestmark = pytest.mark.usefixtures("home")


def ab(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(command, list(words), input=typed)


def test_the_ready_made_experiments_are_listed() -> None:
    done = ab("--list")
    assert done.exit_code == 0
    assert "pool-size [A B]" in done.output
    assert "osd-memory-target BYTES" in done.output


def test_nothing_begins_without_a_yes(home: Path) -> None:
    done = ab(*OWN)
    assert isinstance(done.exception, RadoscopeError)
    assert "confirmation needed" in done.exception.message
    assert "A `true`, B `false`" in done.output
    assert not home.exists()


def test_a_dry_run_shows_what_it_touches_and_the_load_and_does_nothing(home: Path) -> None:
    done = ab(*OWN, "--dry-run")
    assert done.exit_code == 0, done.output
    assert "touches whatever these commands do: A `true`, B `false`" in done.output
    assert "a pair of A and B takes about" in done.output
    assert "ping -n" in done.output
    assert not home.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "two states"),
        (["--a", "true"], "two states"),
        (["--experiment", "pool-size", "--a", "true"], "its own commands"),
        ([*OWN, "eth0"], "is not an option"),
        (["--experiment", "pool-size", "--pool", "rbd", "--conf", "/etc/ceph/ceph.conf"], "only in radoscope's own"),
        ([*OWN, "--budget", "1s"], "too short"),
        ([*OWN, "--budget", "soon"], "soon"),
        ([*OWN, "--fail-if", "sad"], "not understood"),
        ([*OWN, "--margin", "500%"], "500%"),
        (["--a", "true", "--b", "true", "--cells", "tape-*"], "no cell matches"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_hint(words: list[str], message: str, home: Path) -> None:
    done = ab(*words, "--yes")
    assert isinstance(done.exception, RadoscopeError), done.output
    assert message in done.exception.message
    assert done.exception.hint
    assert not home.exists()


def test_a_state_that_fails_ends_with_code_4_and_leaves_nothing(home: Path) -> None:
    done = ab(*OWN, "--b", "echo no >&2; exit 1", "--seconds", "10ms", "--settle", "1ms", "--yes", "--quiet")
    assert isinstance(done.exception, RadoscopeError), done.output
    assert done.exception.exit_code == 4
    assert "state B was not reached" in done.exception.message
    assert not list((home / "journal").glob("*"))
    assert not list((home / "studies").glob("*"))


def studied(cause: str, folder: Path) -> tuple[str, str]:
    """A study of a sandbox in which this was planted: its folder, and the sandbox's name."""
    with tarfile.open(CAUSES / f"{cause}.tar.xz") as packed:
        packed.extractall(folder, filter="data")
    sandbox = load_study(str(folder / cause)).sandbox
    assert sandbox is not None
    return str(folder / cause), sandbox


def test_the_advice_of_a_study_is_told_with_its_risk_before_it_is_tried(tmp_path: Path) -> None:
    study, sandbox = studied("debug-20", tmp_path)
    done = ab("--advice", study, "--sandbox", sandbox, "--cells", "rbd-4k-*", "--dry-run")
    assert done.exit_code == 0, done.output
    assert "debug_osd is taken out of the configuration of osd." in done.output
    assert "Risk: running daemons and new clients take the option over" in done.output


def test_advice_is_for_the_cluster_that_was_measured_and_only_where_it_can_be_undone(tmp_path: Path) -> None:
    study, sandbox = studied("slow-flushes", tmp_path)
    for words, message in (
        ((), "needs the cluster"),
        (("--sandbox", "another"), f"is about sandbox {sandbox}"),
        (("--sandbox", sandbox), "no action that can be undone at once fixes flush-bound"),
        (("--sandbox", sandbox, "--a", "true"), "its own commands"),
    ):
        refused = ab("--advice", study, *words).exception
        assert isinstance(refused, RadoscopeError)
        assert message in refused.message
