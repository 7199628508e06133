"""What other hosts' runs left in a cluster: one look that fails hides nothing of the others."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from radoscope.ceph import Cluster
from radoscope.ceph.file_systems import subvolumes
from radoscope.cli import clean
from radoscope.errors import RadoscopeError, SiteError, ToolFailed
from radoscope.run.litter import find_foreign, find_marked
from radoscope.workflow import leftovers

RUN = "20261122-165938-quick-0ad7"
MARKED: dict[tuple[str, ...], Any] = {
    ("osd", "pool", "ls"): [],
    ("osd", "pool", "ls", "detail"): [
        {"pool_name": f"radoscope-{RUN}", "application_metadata": {"radoscope": {"run": RUN}}},
        {"pool_name": "rbd", "application_metadata": {"rbd": {}}},
    ],
    ("auth", "ls"): {
        "auth_dump": [{"entity": f"client.{name}"} for name in (f"radoscope-{RUN}", "admin", "radoscope-admin")]
    },
    ("fs", "ls"): [{"name": "cephfs"}],
    ("fs", "get", "cephfs"): {"mdsmap": {"info": {"gid_1": {"name": "a", "state": "up:active"}}}},
    ("fs", "subvolume", "ls", "cephfs"): [{"name": f"radoscope-{RUN}"}, {"name": "someone"}],
    ("status",): {"servicemap": {"services": {"rgw": {}}}},
    ("user", "list"): [f"radoscope-{RUN}", "someone", "radoscope-backup"],
    ("osd", "crush", "rule", "ls"): ["replicated_rule", f"radoscope-hosts-{RUN}", "radoscope-hosts-by-hand"],
}


class Answers(Cluster):
    """Answers what `MARKED` says, but for the commands that begin with `broken`."""

    def __init__(self, broken: str = "never") -> None:
        super().__init__(conf=Path("/etc/ceph/ceph.conf"))
        object.__setattr__(self, "broken", broken)

    def ceph(self, *words: str, timeout_s: float = 0) -> Any:
        if " ".join(words).startswith(vars(self)["broken"]):
            raise ToolFailed(f"ceph {' '.join(words)}: no such command")
        return MARKED[words]

    def radosgw_admin(self, *words: str, timeout_s: float = 0) -> str:
        return json.dumps(self.ceph(*words))


ALL = {"pool", "user", "subvolume", "s3-user", "crush-rule"}


def test_all_that_is_marked_is_found_and_nothing_else() -> None:
    found = find_marked(Answers(), ())
    assert {entry.kind for entry in found.entries} == ALL
    assert all(entry.name.endswith(RUN) for entry in found.entries)
    assert not found.unseen


def test_a_command_that_removes_a_foreign_pool_holds_its_name_as_a_shell_takes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(MARKED, ("osd", "pool", "ls"), ["benchmark; reboot"])
    monkeypatch.setattr(Cluster, "rados", lambda self, *words, timeout_s: b"")
    removes = [one.remove for one in find_foreign(Answers())]
    assert removes == [
        "ceph osd pool delete 'benchmark; reboot' 'benchmark; reboot' --yes-i-really-really-mean-it",
        "rados -p 'benchmark; reboot' cleanup --prefix benchmark_data",
    ]


def test_what_a_run_of_this_host_made_is_left_to_its_journal() -> None:
    assert find_marked(Answers(), (RUN,)).entries == ()


@pytest.mark.parametrize(
    ("broken", "missed", "words"),
    [
        ("fs get", "subvolume", "subvolumes of CephFS"),
        ("fs subvolume", "subvolume", "subvolumes of CephFS"),  # Debian 13: the manager's module volumes does not load
        ("user list", "s3-user", "users of S3"),
        ("auth", "user", "users"),
        ("osd crush", "crush-rule", "CRUSH rules"),
    ],
)
def test_a_look_that_fails_is_named_and_the_others_go_on(broken: str, missed: str, words: str) -> None:
    found = find_marked(Answers(broken), ())
    assert {entry.kind for entry in found.entries} == ALL - {missed}
    (unseen,) = found.unseen
    assert unseen.startswith(f"{words}: ceph {broken}")


def test_a_manager_without_subvolumes_is_told_in_a_sentence() -> None:
    class OfDebian13(Answers):
        def ceph(self, *words: str, timeout_s: float = 0) -> Any:
            if words[1] == "subvolume":
                raise ToolFailed(
                    "`ceph fs subvolume ls cephfs` failed: fs get <fs_name> / Error EINVAL: invalid command"
                )
            return super().ceph(*words)

    with pytest.raises(SiteError, match="its module volumes has not loaded") as told:
        subvolumes(OfDebian13(), "cephfs")
    assert "ceph health detail" in told.value.hint


def test_a_cluster_that_does_not_list_its_pools_is_an_error() -> None:
    with pytest.raises(RadoscopeError, match="osd pool ls detail"):
        find_marked(Answers("osd pool"), ())


@pytest.mark.parametrize(
    ("broken", "exit_code", "words"),
    [
        ("never", 0, f"radoscope-hosts-{RUN}"),
        ("fs subvolume", 1, "Not looked at: subvolumes of CephFS: ceph fs subvolume"),
    ],
)
def test_clean_says_what_it_could_not_look_at(
    broken: str, exit_code: int, words: str, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    monkeypatch.setattr(clean, "_cluster", lambda conf, named: Answers(broken))
    done = CliRunner().invoke(clean.command, ["--conf", "/etc/ceph/ceph.conf", "--dry-run"])
    assert done.exit_code == exit_code, done.output
    assert words in done.output


@pytest.mark.parametrize(
    ("hours", "words", "goes"),
    [(30, ("--yes",), True), (1, ("--yes",), False), (1, (), False), (1, ("--yes", "RUN"), True)],
)
def test_what_a_run_of_another_host_may_still_use_is_removed_only_by_its_name(
    hours: float, words: tuple[str, ...], goes: bool, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    begun = datetime.now(UTC) - timedelta(hours=hours)
    run = f"{begun:%Y%m%d-%H%M%S}-quick-0ad7"
    pool = {"pool_name": f"radoscope-{run}", "application_metadata": {"radoscope": {"run": run}}}
    monkeypatch.setitem(MARKED, ("osd", "pool", "ls", "detail"), [pool])
    removed: list[str] = []
    monkeypatch.setattr(leftovers, "remove_entry", lambda entry: removed.append(entry.name))
    monkeypatch.setattr(clean, "_cluster", lambda conf, named: Answers())
    argv = ["--conf", "/etc/ceph/ceph.conf", *(run if word == "RUN" else word for word in words)]
    done = CliRunner().invoke(clean.command, argv, input="\n")
    assert done.exit_code == 0, done.output
    assert (f"radoscope-{run}" in removed) is goes
    may_go_on = f"Run {run} of another host began 1 h 0 min ago and may still go on; not touched"
    assert (may_go_on in done.output) is not goes


def test_a_run_that_left_nothing_there_is_an_error(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setattr(clean, "_cluster", lambda conf, named: Answers())
    done = CliRunner().invoke(clean.command, ["--conf", "/etc/ceph/ceph.conf", "--yes", "20260101-000000-none-0000"])
    assert isinstance(done.exception, RadoscopeError)
    assert "no run 20260101-000000-none-0000 has left anything here" in str(done.exception)
