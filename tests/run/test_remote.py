"""Hosts that are not this machine: held commands, files there and back, clocks. Real processes, without a network.

The other host is this machine under another name, with a folder of its own; ssh itself is in tests/session.
"""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from radoscope.errors import SiteError, ToolFailed
from radoscope.plan import Trial, cells_of, load_text
from radoscope.records.manifest import ProcessEntry, SegmentEntry
from radoscope.records.study import Outcome
from radoscope.run import client_hosts, remote
from radoscope.run.cleaning import labelled_processes
from radoscope.run.clock import now_s
from radoscope.run.host_watch import HostWatch
from radoscope.run.prepared import LoadCommand, Prepared
from radoscope.run.processes import Placed, Ran, Running, run_together
from radoscope.session.trial import place
from radoscope.sites import Local, Site, Ssh, talk
from tests.labels import label_of


@dataclass(frozen=True)
class Elsewhere:
    """before: what a login shell over there prints first; path: what is installed there."""

    folder: Path
    name: str = "node1"
    before: str = ""
    path: str = os.environ["PATH"]

    def wrap(self, argv: Sequence[str]) -> tuple[str, ...]:
        return ("/usr/bin/env", f"PATH={self.path}", "/bin/sh", "-c", f'{self.before or ":"}; exec "$@"', "x", *argv)


@pytest.fixture
def there(tmp_path: Path) -> Iterator[Elsewhere]:
    site = Elsewhere(tmp_path / "there")
    yield site
    talk.remove(site, label_of(tmp_path))


def group_of(pid: int) -> int:
    """0 of a process that has just ended."""
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return 0


def shell(script: str, name: str = "client-0", timeout_s: float = 30) -> LoadCommand:
    return LoadCommand(argv=("sh", "-c", script), reader="", name=name, output=f"{name}.out", timeout_s=timeout_s)


def run(folder: Path, *placed: tuple[LoadCommand, Site], stop: threading.Event | None = None, **more: object) -> Ran:
    folder.mkdir(exist_ok=True)
    return run_together(
        [Placed(command, site, site.folder / "segment" if site.folder else None) for command, site in placed],
        folder=folder,
        label=label_of(folder.parent),
        stop=stop or threading.Event(),
        on_text=more.pop("on_text", lambda client, text: None),  # type: ignore[arg-type]
        **more,  # type: ignore[arg-type]
    )


def test_what_runs_elsewhere_is_kept_as_what_runs_here_and_without_the_words_between(
    tmp_path: Path, there: Elsewhere
) -> None:
    noisy = Elsewhere(there.folder, before="echo Welcome to node1; echo have a nice day")
    ran = run(
        tmp_path / "here",
        (shell("printf 'a\\rb'; echo c >&2; exit 3", "far"), noisy),
        (shell("echo d", "near"), Local()),
    )
    assert ran.exit_codes[0] == 3
    assert ran.failed == 0
    assert (tmp_path / "here" / "far.out").read_bytes() == b"a\rb"
    assert (tmp_path / "here" / "far.err").read_bytes() == b"c\n"


def test_all_hosts_begin_together_however_long_one_takes_to_connect(tmp_path: Path, there: Elsewhere) -> None:
    slow = Elsewhere(there.folder, name="node2", before="sleep 1")
    ran = run(
        tmp_path / "here",
        (shell("date +%s.%N", "a"), there),
        (shell("date +%s.%N", "b"), slow),
        (shell("date +%s.%N", "c"), Local()),
    )
    began = [float((tmp_path / "here" / f"{name}.out").read_text()) for name in "abc"]
    assert max(began) - min(began) < 0.9, "the slow one alone took a second to connect"
    assert ran.exit_codes == (0, 0, 0)
    assert [one.site.name for one in ran.running if one] == ["node1", "node2", "this host"]


def test_the_difference_of_clocks_is_seen_and_taken_out_of_series(tmp_path: Path, there: Elsewhere) -> None:
    """Over there it is an hour later: `date` says so, as it would on a host with another clock."""
    (tmp_path / "bin").mkdir()
    fake = tmp_path / "bin" / "date"
    fake.write_text('#!/bin/sh\n/usr/bin/date -d "@$(/usr/bin/date -d "+1 hour" +%s)" +%s.%N\n')
    fake.chmod(0o755)
    later = Elsewhere(there.folder, path=f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    before = now_s()
    ran = run(tmp_path / "here", (shell("true"), later))
    [running] = ran.running
    assert running is not None
    assert running.clock_ahead_s == pytest.approx(3600, abs=2)
    assert before <= running.begun_at_s <= now_s()
    series = logged(tmp_path, running.begun_at_s, running.clock_ahead_s)
    assert series[0] - running.begun_at_s == pytest.approx(1.0, abs=0.01)


def logged(folder: Path, begun_at_s: float, ahead_s: float) -> tuple[float, ...]:
    """The times of an IOPS log that a host wrote by its own clock, as they come out of a bundle."""
    from radoscope.archives.bundle import read_segment
    from tests.formats.fio_captures import cases, text_of

    [cell] = cells_of(load_text('name="x"\n[[cells]]\nlayer="rbd"\nop="randwrite"\nblock="4K"\n', "x"))
    (folder / "client-0.json").write_text(text_of(cases("output.json")[0], "output.json"))
    stamps = [round((begun_at_s + ahead_s + second) * 1000) for second in (1, 2, 3)]
    (folder / "client-0_iops.1.log").write_text("".join(f"{stamp}, 10, 1, 0, 0\n" for stamp in stamps))
    process = ProcessEntry(
        argv=("fio",), reader="fio_json", output="client-0.json", stdout="o", stderr="e", logs=("client-0_iops.1.log",),
        exit_code=0, begun_at_s=begun_at_s, clock_ahead_s=ahead_s,
    )  # fmt: skip
    entry = SegmentEntry(cell=cell.name, round=1, outcome=Outcome.DONE, started_at_s=0, seconds=4, processes=(process,))
    [series] = read_segment(folder, entry, cell).results[0].series
    return series.times_s


def test_a_stop_lets_a_tool_elsewhere_write_its_result(tmp_path: Path, there: Elsewhere) -> None:
    stop = threading.Event()
    script = "trap 'echo result; exit 0' INT; echo ready; while :; do sleep 0.05; done"
    ran = run(tmp_path / "here", (shell(script), there), stop=stop, on_text=lambda client, text: stop.set())
    assert ran.stopped
    assert (tmp_path / "here" / "client-0.out").read_text() == "ready\nresult\n"


@dataclass(frozen=True)
class Relayed(Elsewhere):
    """A connection that can be killed while what it has started lives on, as with ssh."""

    def wrap(self, argv: Sequence[str]) -> tuple[str, ...]:
        return ("/bin/sh", "-c", 'cat | setsid "$@" | cat', "x", *argv)


def test_what_runs_elsewhere_ends_when_nobody_is_there_any_more(tmp_path: Path, there: Elsewhere) -> None:
    """kill -9 of the connection: standard input ends over there, and with it the load, here one that ignores SIGINT."""
    relayed = Relayed(there.folder)
    groups: list[int] = []

    def cut(running: tuple[Running, ...]) -> None:
        groups.extend(one.group for one in running)
        [connection] = {group_of(pid) for pid in labelled_processes(label_of(tmp_path))} & children()
        threading.Timer(0.2, os.killpg, (connection, signal.SIGKILL)).start()

    ran = run(tmp_path / "here", (shell("trap '' INT; while :; do sleep 0.1; done"), relayed), on_start=cut)
    assert ran.exit_codes == (-9,)
    assert ran.failed == 0
    deadline = time.monotonic() + 30
    while labelled_processes(label_of(tmp_path)):
        assert time.monotonic() < deadline
        time.sleep(0.05)  # another host's process tells nobody here that it ends
    assert not Path(f"/proc/{groups[0]}").exists()


def children() -> set[int]:
    found = subprocess.run(["pgrep", "-P", str(os.getpid())], capture_output=True, text=True, check=False)
    return {int(word) for word in found.stdout.split()}


def test_a_lost_host_ends_the_others_and_is_told_at_once(tmp_path: Path, there: Elsewhere) -> None:
    begun = time.monotonic()
    ran = run(tmp_path / "here", (shell("exit 255", "far"), there), (shell("sleep 60", "near"), Local()))
    assert ran.failed == 0
    assert ran.exit_codes[0] == 255
    assert time.monotonic() - begun < 15


def test_a_host_that_cannot_be_reached_is_named_with_the_words_of_ssh(tmp_path: Path, there: Elsewhere) -> None:
    off = Elsewhere(
        there.folder, name="node9", before="echo 'ssh: connect to host node9: No route to host' >&2; exit 255"
    )
    with pytest.raises(SiteError, match="client host node9 was lost: ssh: connect to host node9: No route to host"):
        run(tmp_path / "here", (shell("true", "a"), there), (shell("true", "b"), off))
    assert labelled_processes(label_of(tmp_path)) == ()


@pytest.fixture
def tenth_of_a_core(tmp_path: Path) -> Iterator[Path]:
    """A control group with a CPU limit; what joins it is ended with it."""
    one, two = Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup")
    top, limit = (one, "cpu.cfs_quota_us") if one.is_dir() else (two, "cpu.max")
    group = top / f"radoscope-test-{os.getpid()}"
    try:
        group.mkdir()
        (group / limit).write_text("10000" if top == one else "10000 100000")
    except OSError as error:
        pytest.skip(f"no control group with a CPU limit can be made here: {error}")
    yield group
    group.rmdir()


def test_what_a_cpu_limit_over_there_takes_from_the_load_is_sampled(
    tmp_path: Path, there: Elsewhere, tenth_of_a_core: Path
) -> None:
    """As in a pod with resources.limits.cpu: the load, or an OSD, and the sampler are in the same group."""
    inside = Elsewhere(there.folder, before=f"echo $$ > {tenth_of_a_core}/cgroup.procs")
    load = subprocess.Popen(inside.wrap((sys.executable, "-c", "while True: pass")), start_new_session=True)
    watch = HostWatch(inside, label_of(tmp_path), osd=3)
    begun = now_s()
    watch.start()
    held: list[float] = []
    try:
        while not held or max(held) < 0.2:
            assert now_s() < begun + 30, held
            watch.ask()
            series = {one["name"]: one for one in watch.series(begun, now_s(), {"client_cpu.1": load.pid})}
            held = series.get("client_cpu_throttled.1", {"values": []})["values"]
        assert series["osd_cpu_throttled.3"]["values"] == held
    finally:
        watch.stop()
        load.kill()
        load.wait()


def test_a_command_elsewhere_is_ended_there_when_it_is_over_its_time(tmp_path: Path, there: Elsewhere) -> None:
    """By `timeout` over there, for a connection that was cut without a word would end nothing."""
    argv = there.wrap(remote.held(shell("sleep 60", timeout_s=0.3), there.folder / "segment", label_of(tmp_path)))
    done = subprocess.run(argv, input=b"go\n", capture_output=True, timeout=30, check=False)
    # Standard input has ended as well, so either of the two may have been first.
    assert done.returncode in (124, 130)


def test_what_a_command_has_started_over_there_ends_with_it(tmp_path: Path, there: Elsewhere) -> None:
    label = label_of(tmp_path)
    argv = there.wrap(remote.held(shell("sleep 60 & exit 3"), there.folder / "segment", label))
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        process.stdin.write(b"go\n")
        process.stdin.flush()
        assert process.wait(30) == 3
    deadline = time.monotonic() + 30
    while labelled_processes(label):
        assert time.monotonic() < deadline
        time.sleep(0.02)  # processes tell nobody that they end


def test_files_go_there_for_one_user_alone_and_come_back(tmp_path: Path, there: Elsewhere) -> None:
    talk.bring(there)
    talk.bring(there, {"keyring": "[client.x]\n\tkey = secret\n", "ceph.conf": "[global]\n"})  # ours already
    path = there.folder / "keyring"
    assert path.read_text() == "[client.x]\n\tkey = secret\n"
    assert stat.S_IMODE(there.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    segment = there.folder / "segment"
    segment.mkdir()
    (segment / "client-0.json").write_bytes(bytes(range(256)) * 5000)
    (segment / "client-0.pid").write_text("7")
    (tmp_path / "here").mkdir()
    talk.fetch(there, segment, tmp_path / "here")
    assert [file.name for file in (tmp_path / "here").iterdir()] == ["client-0.json"]
    assert (tmp_path / "here" / "client-0.json").read_bytes() == bytes(range(256)) * 5000
    assert not segment.exists()
    talk.remove(there, "no-such-run")
    assert not there.folder.exists()
    talk.remove(there, "no-such-run")  # again: nothing is there any more


def test_a_folder_that_is_a_link_is_not_used(tmp_path: Path, there: Elsewhere) -> None:
    (tmp_path / "foreign").mkdir()
    there.folder.symlink_to(tmp_path / "foreign")
    with pytest.raises(SiteError, match="cannot be made for this user alone"):
        talk.bring(there, {"keyring": "secret"})
    assert list((tmp_path / "foreign").iterdir()) == []
    there.folder.unlink()


def test_no_file_from_another_host_leaves_the_segments_folder(tmp_path: Path) -> None:
    evil = tmp_path / "evil"
    evil.mkdir()
    (evil / "x").write_text("x")
    subprocess.run(["tar", "-cPf", tmp_path / "a.tar", "--transform", "s|.*x|../../outside|", evil / "x"], check=True)
    site = Elsewhere(tmp_path, before=f"cat {tmp_path / 'a.tar'}; exit 0")
    (tmp_path / "deep" / "here").mkdir(parents=True)
    talk.fetch(site, tmp_path, tmp_path / "deep" / "here")
    assert [path.name for path in (tmp_path / "deep" / "here").iterdir()] == ["outside"]


CELL = 'name="x"\n[[cells]]\nlayer="{}"\nop="randread"\nblock="4K"\n{}\n'


def test_processes_go_round_robin_and_each_host_hears_its_own_paths(tmp_path: Path) -> None:
    [cell] = cells_of(load_text(CELL.format("rbd", "images=3"), "x"), client_hosts=2)
    prepared = Prepared(client_conf=Path("/w/ceph.conf"), user="client.r", pool="p", images=("i0", "i1", "i2"))
    sites = (Local(), Ssh("root@node1", Path("/tmp/radoscope-r-2")), Ssh("node2", Path("/tmp/radoscope-r-3")))
    placed = place(Trial(cell=cell, round=4, seconds=1, ramp=0), prepared, sites, Path("/bundle/segment"), "study")
    assert [one.site.name for one in placed] == ["this host", "node1", "this host"]
    assert [next(w for w in one.command.argv if "--rbdname" in w) for one in placed] == [
        f"--rbdname=i{n}" for n in range(3)
    ]
    assert placed[0].command.argv[1] == "CEPH_CONF=/w/ceph.conf"
    assert "--output=/bundle/segment/client-2.json" in placed[2].command.argv
    far = placed[1]
    assert far.folder == Path(f"/tmp/radoscope-r-2/study-{cell.name}-4")
    assert far.command.argv[1] == "CEPH_CONF=/tmp/radoscope-r-2/ceph.conf"
    assert f"--output={far.folder}/client-1.json" in far.command.argv


def test_ssh_gets_its_words_quoted_never_asks_and_takes_no_option_for_a_host() -> None:
    argv = Ssh("root@node1", Path("/tmp/x"), Path("/c")).wrap(("echo", "a b", "$HOME"))
    assert argv[0] == "ssh"
    assert argv[-3:] == ("--", "root@node1", "echo 'a b' '$HOME'")
    assert argv[1:3] == ("-F", "/c")
    assert "BatchMode=yes" in argv


def test_all_that_hosts_lack_is_told_at_once(tmp_path: Path) -> None:
    cells = cells_of(load_text(CELL.format("rbd", ""), "x"))
    empty = tmp_path / "bin"
    empty.mkdir()
    for tool in ("cat", "grep", "sh", "tar", "timeout", "setsid"):
        (empty / tool).symlink_to(f"/usr/bin/{tool}")
    bare, barer = Elsewhere(tmp_path, path=str(empty)), Elsewhere(tmp_path, name="node2", path=str(tmp_path / "bin"))
    with pytest.raises(ToolFailed) as caught:
        client_hosts.check(cells, (bare, barer))
    for name in ("node1", "node2"):
        assert f"{name}: fio is not installed" in caught.value.message
        assert f"{name}: rados is not installed" in caught.value.message
    assert caught.value.hint == "There: apt-get install --no-install-recommends ceph-common fio"
    off = Elsewhere(tmp_path, name="node3", before="echo 'Permission denied (publickey).' >&2; exit 255")
    with pytest.raises(
        SiteError, match=r"node3 cannot be reached: Permission denied \(publickey\).*node1: fio is not"
    ) as lost:
        client_hosts.check(cells, (off, bare))
    assert lost.value.exit_code == 3


def test_another_version_and_a_second_name_of_one_machine_are_told(tmp_path: Path) -> None:
    cells = cells_of(load_text(CELL.format("rbd", ""), "x"))
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "fio").write_text('#!/bin/sh\n[ "$1" = --enghelp ] && echo "	rbd"; echo fio-1.0\n')
    (tools / "rados").write_text("#!/bin/sh\necho ceph version 99\n")
    for tool in tools.iterdir():
        tool.chmod(0o755)
    told = " ".join(client_hosts.check(cells, (Elsewhere(tmp_path, path=f"{tools}:{os.environ['PATH']}"),)))
    assert "fio-1.0 on node1" in told
    assert "ceph version 99 on node1" in told
    assert "this host, node1 are the same machine" in told


def clocks() -> tuple[str, str]:
    """As the sampler reads them: the uptime, and the ticks of all processors."""
    uptime, stat = Path("/proc/uptime").read_text(), Path("/proc/stat").read_text()
    return uptime.split()[0], stat.splitlines()[0]


def test_cpu_and_network_of_another_host_are_sampled_on_this_clock(tmp_path: Path, there: Elsewhere) -> None:
    """However short the time: at its begin and its end."""
    watch = HostWatch(there, label_of(tmp_path))
    begun = now_s()
    watch.start()
    watch.ask()
    assert watch.series(begun, now_s(), {}) == [], "one sample is no rate"
    up, ticks = clocks()
    while clocks()[0] == up or clocks()[1] == ticks:
        pass  # a rate needs a hundredth of a second, a share a tick of a processor
    watch.ask()
    series = {one["name"]: one for one in watch.series(begun, now_s(), {})}
    watch.stop()
    assert all(0 <= value <= 1 for value in series["host_cpu.node1"]["values"])
    assert all(begun <= at <= now_s() for at in series["host_cpu.node1"]["times_s"])
    assert not any(name.endswith(":lo") for name in series)
    kinds = {name.partition(".node1")[0] for name in series}
    assert kinds >= {"nic_sent_bytes", "nic_received_bytes", "disk_read_ios", "disk_write_ios"}
    assert kinds >= {"tcp_resent", "tcp_needless"}
    assert labelled_processes(label_of(tmp_path)) == ()


@pytest.mark.parametrize("tool", ["fio", "rados", "python3"])
def test_cpu_of_each_load_tool_on_another_host_is_sampled(tmp_path: Path, there: Elsewhere, tool: str) -> None:
    (tmp_path / tool).symlink_to(sys.executable)
    process = subprocess.Popen((tmp_path / tool, "-c", "while True: pass"), start_new_session=True)
    watch = HostWatch(there, label_of(tmp_path))
    begun = now_s()
    watch.start()
    found: list[dict[str, Any]] = []
    try:
        while not any(one["name"] == "client_cpu.0" and max(one["values"]) > 0 for one in found):
            assert now_s() < begun + 20, "its CPU was not seen"
            watch.ask()
            found = watch.series(begun, now_s(), {"client_cpu.0": process.pid})
    finally:
        watch.stop()
        process.kill()
        process.wait()
