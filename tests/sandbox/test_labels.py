"""Processes are found by what they carry, not by their names."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from radoscope import paths
from radoscope.sandbox.processes import (
    DAEMON_VARIABLE,
    LABEL_VARIABLE,
    Label,
    end_labelled,
    is_gone,
    labelled_processes,
    started_ticks,
)

_WAIT = (sys.executable, "-c", "print('ready', flush=True); input()")


def _waiting(label: Label, daemon: str = "") -> subprocess.Popen[str]:
    environment = {**os.environ, LABEL_VARIABLE: str(label), DAEMON_VARIABLE: daemon}
    process = subprocess.Popen(_WAIT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def _end(process: subprocess.Popen[str]) -> None:
    process.communicate("\n")


def test_a_label_reads_back_also_with_a_hash_in_the_folder() -> None:
    label = Label(Path("/a/b#c/default"), "01234567")
    assert Label.read(str(label)) == label


@pytest.mark.parametrize("text", ["", "default", "/a/b", "a#b"])
def test_what_is_no_label_reads_as_none(text: str) -> None:
    assert Label.read(text) is None


@pytest.mark.usefixtures("alone_on_host")
def test_a_labelled_process_is_found_with_its_daemon(tmp_path: Path) -> None:
    label = Label(tmp_path, "aaaaaaaa")
    process = _waiting(label, "osd.3")
    assert [(found.pid, found.daemon) for found in labelled_processes(label)] == [(process.pid, "osd.3")]
    _end(process)


@pytest.mark.usefixtures("alone_on_host")
def test_whatever_link_led_to_its_folder_its_processes_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "home").symlink_to(tmp_path / "disk")
    process = _waiting(Label(tmp_path / "home" / "sandboxes" / "small", "aaaaaaaa"))
    monkeypatch.setenv("RADOSCOPE_HOME", str(tmp_path / "disk"))
    ours = Label(paths.sandboxes() / "small", "aaaaaaaa")
    assert [found.pid for found in labelled_processes(ours)] == [process.pid]
    _end(process)


@pytest.mark.usefixtures("alone_on_host")
def test_ending_a_sandbox_ends_its_processes_and_no_others(tmp_path: Path) -> None:
    mine, other = _waiting(Label(tmp_path, "aaaaaaaa")), _waiting(Label(tmp_path, "bbbbbbbb"))
    end_labelled(Label(tmp_path, "aaaaaaaa"))
    assert is_gone(mine.pid)
    assert not is_gone(other.pid)
    _end(other)
    mine.communicate()


@pytest.mark.usefixtures("alone_on_host")
def test_one_daemon_can_be_ended_alone(tmp_path: Path) -> None:
    label = Label(tmp_path, "aaaaaaaa")
    first, second = _waiting(label, "osd.0"), _waiting(label, "osd.1")
    end_labelled(label, "osd.0")
    assert is_gone(first.pid)
    assert not is_gone(second.pid)
    _end(second)
    first.communicate()


def test_a_process_that_never_was_is_gone_and_has_no_start() -> None:
    nobody = 2**22 + 1
    assert is_gone(nobody)
    assert started_ticks(nobody) is None
    assert started_ticks(os.getpid()) is not None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a process namespace")
@pytest.mark.usefixtures("alone_on_host")
def test_a_sandbox_in_a_container_on_this_host_is_not_this_hosts(tmp_path: Path) -> None:
    """`radoscope clean` would take it for the remains of a sandbox whose folder is gone, and end its daemons."""
    label = Label(tmp_path, "aaaaaaaa")
    inside = ("unshare", "--pid", "--fork", "--kill-child", "env", f"{LABEL_VARIABLE}={label}", *_WAIT)
    process = subprocess.Popen(inside, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    assert list(labelled_processes(label)) == []
    _end(process)
    assert process.returncode == 0


_FIND_IN_ANOTHER_MOUNT_NAMESPACE = """
import subprocess, sys
from pathlib import Path
from radoscope.sandbox.processes import Label, labelled_processes
waiting = subprocess.Popen(["unshare", "--mount", *sys.argv[2:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
waiting.stdout.readline()
print([found.daemon for found in labelled_processes(Label.read(sys.argv[1]))])
waiting.communicate()
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a mount namespace")
@pytest.mark.usefixtures("alone_on_host")
def test_within_a_chroot_the_daemons_of_hosts_are_found(tmp_path: Path) -> None:
    """`ip netns exec` gives each a mount namespace, from which the way to the same root is another."""
    label = Label(tmp_path, "aaaaaaaa")
    marked = ("env", f"{LABEL_VARIABLE}={label}", f"{DAEMON_VARIABLE}=osd.0", *_WAIT)
    search = (sys.executable, "-c", _FIND_IN_ANOTHER_MOUNT_NAMESPACE, str(label), *marked)
    chroot = ("sh", "-c", 'root=$1; shift; mount --rbind / "$root" && exec chroot "$root" "$@"', "sh", str(tmp_path))
    done = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", *chroot, *search],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "['osd.0']\n", done.stderr
