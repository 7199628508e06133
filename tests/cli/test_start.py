"""The command's first impression: it starts fast, knows its verbs, and every verb has its page."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from radoscope.cli.main import VERBS, command

ROOT = Path(__file__).parents[2]


def test_help_starts_within_a_fifth_of_a_second_of_cpu() -> None:
    """The better of three, for the machine may be busy; CPU time, not wall time."""
    spent = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "radoscope", "--help"], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(spent) < 0.2


def test_help_loads_neither_numpy_nor_pydantic() -> None:
    heavy = ("numpy", "scipy", "pydantic", "rich", "jinja2", "numba")
    script = f"""
import sys
sys.argv = ["radoscope", "--help"]
from radoscope.cli.main import main
try:
    main()
except SystemExit:
    print(*(name for name in {heavy} if name in sys.modules), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stderr.strip() == ""


def test_a_study_begins_without_numpy() -> None:
    """It comes with the first figure that needs it; a study that is refused waits for none."""
    script = "import sys, radoscope.kinds, radoscope.session.session\nprint('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_and_a_page_that_names_it(verb: str) -> None:
    done = CliRunner().invoke(command, [verb, "--help"])
    assert done.exit_code == 0, done.output
    page = (ROOT / "docs" / "verbs" / f"{verb}.md").read_text(encoding="utf-8")
    assert f"radoscope {verb}" in page


def test_an_unknown_verb_is_an_error_with_the_usage() -> None:
    done = subprocess.run([sys.executable, "-m", "radoscope", "studdy"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "No such command" in done.stderr


def test_the_version_is_told() -> None:
    done = CliRunner().invoke(command, ["--version"])
    assert done.output.startswith("radoscope, version ")


def test_plans_can_be_listed_shown_and_checked(tmp_path: Path) -> None:
    listed = CliRunner().invoke(command, ["plan", "list"])
    assert "quick" in listed.output
    shown = CliRunner().invoke(command, ["plan", "show", "seed-000"])
    copy = tmp_path / "copy.toml"
    copy.write_text(shown.output)
    checked = CliRunner().invoke(command, ["plan", "check", str(copy)])
    assert checked.exit_code == 0
    assert "rbd-4k-randwrite-qd1-n8" in checked.output


def test_the_doctor_names_what_is_missing_and_the_one_command(monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    found = shutil.which
    monkeypatch.setattr(
        shutil, "which", lambda tool, **options: None if tool in ("fio", "rbd") else found(tool, **options)
    )
    done = CliRunner().invoke(command, ["doctor"])
    assert done.exit_code == 1
    assert "apt-get install --no-install-recommends ceph-common fio" in done.output
    assert "missing fio: package fio" in done.output
    assert done.output.splitlines()[-1] == "Not ready: 2 packages missing."


def test_the_doctor_tells_a_user_who_may_not_ping_what_lets_everyone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As a plain user on a Debian 13 without its recommended packages."""
    ping = tmp_path / "ping"
    ping.write_text("#!/bin/sh\necho 'ping: socket: Operation not permitted' >&2; exit 2\n")
    ping.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    told = CliRunner().invoke(command, ["doctor"]).output
    assert "note    ping: this user may not send any" in told
    assert "ping_group_range" in told


def test_the_doctor_asks_nobody_for_ssh_or_qemu_who_may_not_need_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """`make setup` installs neither, and a host is ready after it."""
    import shutil

    few = ("ssh", "qemu-storage-daemon")
    monkeypatch.setattr(shutil, "which", lambda tool, **_: None if tool in few else f"/usr/bin/{tool}")
    done = CliRunner().invoke(command, ["doctor"])
    assert "note    qemu-storage-daemon: not installed; layer qemu needs package" in done.output
    assert "note    ssh: not installed; load from other hosts needs package openssh-client" in done.output
    assert "packages missing" not in done.output
