"""`radoscope` alone: what to do next on this host, and the names that a shell completes."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from radoscope import paths
from radoscope.records.manifest import MANIFEST
from radoscope.run.journal import journals, running_now
from radoscope.workflow import study_ids

if TYPE_CHECKING:
    import click

_CONF = Path("/etc/ceph/ceph.conf")
_COMPLETION = """echo 'eval "$(_RADOSCOPE_COMPLETE=bash_source radoscope)"' >> ~/.bashrc"""


def next_steps() -> Iterator[str]:
    """Lines for people: what stands here, and the commands that go on from it."""
    now = running_now()
    for name in sorted(now):
        yield f"Running: {name}."
    if any(journal.run_id not in now and journal.standing() for journal in journals()):
        yield from ("An earlier run left things behind:", _line("radoscope clean", "say what, and remove it"))
    studies = study_ids()
    yield from _go_on(studies, now) if studies else _begin()
    yield _line("radoscope serve", "all of it in a browser")
    yield ""
    yield f"All verbs: radoscope --help. Completion in bash: {_COMPLETION}"


def complete_study(_context: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """For the shell: the studies that begin so, the newest first."""
    return [name for name in (*study_ids(), "last") if name.startswith(begun)]


def _begin() -> Iterator[str]:
    yield "Nothing was measured or imported on this host yet. Begin with one of these:"
    yield _line("radoscope import FILE", "judge a benchmark that you have: any text")
    yield _line("radoscope study --rehearse example", "see what a study tells; nothing is measured")
    yield _line("radoscope study", "measure a throw-away Ceph cluster on this machine")
    if _CONF.is_file():
        yield _line(f"radoscope study --conf {_CONF} --dry-run", "what a study of your cluster would do")
    yield _line("radoscope doctor", "what is missing on this host")


def _go_on(studies: list[str], now: Collection[str]) -> Iterator[str]:
    newest = studies[0]
    counted = "One study or import" if len(studies) == 1 else f"{len(studies)} studies and imports"
    yield f"{counted} on this host; the newest is {newest}."
    manifest = _manifest(newest)
    if manifest.get("said") and not manifest.get("complete") and newest not in now:
        yield _line(f"radoscope study --resume {newest}", "go on with it: it ended early")
    yield _line("radoscope show", "its verdict again")
    yield _line("radoscope report", "its report as HTML and Markdown")
    if len(studies) > 1:
        yield _line("radoscope compare A B", "is B faster than A?")
    yield _line("radoscope list", "all of them")


def _manifest(name: str) -> dict[str, object]:
    try:
        found = json.loads((paths.studies() / name / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _line(command: str, words: str) -> str:
    return f"  {command:<40} {words}"
