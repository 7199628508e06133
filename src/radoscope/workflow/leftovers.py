"""What any run of radoscope left on this host or in this cluster, and its removal."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from radoscope import paths, sandbox
from radoscope.ceph import Cluster
from radoscope.errors import RadoscopeError, StoreError
from radoscope.run.cleaning import clean_dead, remove_entry
from radoscope.run.journal import Entry, Journal, journals
from radoscope.run.litter import ForeignLitter, Marked, age_s, find_foreign, find_marked, run_of
from radoscope.session.removers import REMOVERS
from radoscope.sites import Site
from radoscope.workflow.scratch import deserted

_LONGEST_RUN_S = 24 * 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """journals: of runs that are dead, with what each still has standing. sandbox_parts: of embedded clusters that are
    no longer whole. running: journals of runs that go on; they are left alone. folders: work folders of nobody, and
    studies that had hardly begun. marked: things in a cluster that carry radoscope's mark but no journal on this host.
    recent: those of them whose run may still go on, which no journal here can deny; they are left alone. foreign:
    litter of other tools.
    """

    journals: tuple[tuple[Journal, tuple[Entry, ...]], ...] = ()
    sandbox_parts: tuple[sandbox.Leftover, ...] = ()
    running: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()
    marked: Marked = field(default_factory=Marked)
    recent: tuple[Entry, ...] = ()
    foreign: tuple[ForeignLitter, ...] = ()

    @property
    def anything(self) -> bool:
        return bool(self.journals or self.sandbox_parts or self.folders or self.marked.entries)


def what_is_left(cluster: Cluster | None = None, hosts: Sequence[Site] = ()) -> Left:
    """Look, change nothing. cluster: also look for marked and foreign things in it. hosts: and on these."""
    known = journals()
    dead = tuple((journal, journal.standing()) for journal in known if not journal.owner_lives())
    runs = tuple(journal.run_id for journal in known)
    marked, foreign = _in_cluster(cluster, runs, hosts) if cluster else (Marked(), ())
    now = datetime.now(UTC)
    recent = tuple(entry for entry in marked.entries if age_s(run_of(entry), now) < _LONGEST_RUN_S)
    running = tuple(journal.run_id for journal in known if journal.owner_lives())
    orphaned = (folder for folder in paths.journal().glob("*.work") if folder.stem not in runs)  # without a journal
    begun = (folder for run, folder in paths.begun_studies() if run not in running)
    return Left(
        journals=dead,
        sandbox_parts=sandbox.leftovers(),
        running=running,
        folders=(*orphaned, *begun, *deserted()),
        marked=replace(marked, entries=tuple(entry for entry in marked.entries if entry not in recent)),
        recent=recent,
        foreign=foreign,
    )


def _in_cluster(
    cluster: Cluster, runs: Sequence[str], hosts: Sequence[Site]
) -> tuple[Marked, tuple[ForeignLitter, ...]]:
    """Over one connection: some ten questions are asked, and with --at cephadm each command is a container."""
    with cluster.connected() as asked:
        return find_marked(asked, runs, hosts), find_foreign(asked)


def _marked(cluster: Cluster, runs: Sequence[str], hosts: Sequence[Site]) -> Marked:
    """Without a look through all pools for what other tools left."""
    with cluster.connected() as asked:
        return find_marked(asked, runs, hosts)


def left_by(runs: Sequence[str], cluster: Cluster | None = None, hosts: Sequence[Site] = ()) -> Left:
    """What these runs left: by their journals on this host, or else by their mark in a cluster and on hosts.

    Raises StoreError where one of them left nothing.
    """
    known = {journal.run_id: journal for journal in journals()}
    marked = _marked(cluster, tuple(known), hosts) if cluster else Marked()
    marked = replace(marked, entries=tuple(entry for entry in marked.entries if run_of(entry) in runs))
    found = {*known, *map(run_of, marked.entries)}
    if unknown := [run for run in runs if run not in found]:
        raise StoreError(f"no run {unknown[0]} has left anything here", "radoscope clean --dry-run lists what is left.")
    asked = [known[run] for run in dict.fromkeys(runs) if run in known]
    return Left(
        journals=tuple((journal, journal.standing()) for journal in asked if not journal.owner_lives()),
        running=tuple(journal.run_id for journal in asked if journal.owner_lives()),
        marked=marked,
    )


def clean_up(left: Left, on_words: Callable[[str], None]) -> tuple[str, ...]:
    """Remove all of it but the foreign. Returns what could not be removed, and why."""
    problems: list[str] = []
    for journal, _ in left.journals:
        problems += clean_dead(journal, on_words, REMOVERS)
    for part in left.sandbox_parts:
        on_words(f"removing {part.kind} {part.identity} of sandbox {part.sandbox}")
        problems += _attempt(partial(sandbox.remove, part), f"{part.kind} {part.identity}")
    for entry in left.marked.entries:
        on_words(f"removing {entry.kind} {entry.name}")
        problems += _attempt(partial(remove_entry, entry), f"{entry.kind} {entry.name}")
    for folder in left.folders:
        on_words(f"removing folder {folder}")
        problems += _attempt(partial(shutil.rmtree, folder), str(folder))
    return tuple(problems)


def _attempt(act: Callable[[], None], what: str) -> list[str]:
    try:
        act()
    except (RadoscopeError, OSError) as error:
        return [f"{what}: {error}"]
    return []
