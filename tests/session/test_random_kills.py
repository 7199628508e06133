"""Kill -9 of radoscope, fio or rados at random moments: `radoscope clean` leaves nothing, and hurts nothing foreign.

RADOSCOPE_KILLS says how often (`make torture` says more than `make test`), RADOSCOPE_SEED at which moments. Moments are
drawn phase by phase, for a cluster is prepared within two seconds and one moment in ten would fall there. One kill in
four of radoscope is followed by one of the `radoscope clean` that comes after it.
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from radoscope.archives.bundle import read_manifest, read_study
from radoscope.ceph import Cluster
from radoscope.records.study import Outcome
from radoscope.run.cleaning import labelled_processes
from tests.conftest import host_to_itself
from tests.on_ceph import TINY, WritePlan, contents, nothing_is_left, radoscope, standing, studies
from tests.small_plans import cell

pytestmark = [pytest.mark.ceph, pytest.mark.slow]

KILLS = int(os.environ.get("RADOSCOPE_KILLS", "3"))
SEED = int(os.environ.get("RADOSCOPE_SEED", "1"))

BELOW = cell("rados", op="write", pinned=["osd", "hosts"])
SHORT = TINY.replace("rounds = 2", "rounds = 1").replace("[[cells]]", BELOW + "[[cells]]", 1)
OPTION = "osd_scrub_sleep"  # it changes nothing that is measured here
ON_SHARED = ("--sandbox", "shared")
STUDY = ("study", "--cells", "disk*", "--cells", "rados-4k-*16", "--cells", "rbd-4k-randwrite-qd1")
STATES = ("--a", f"ceph config rm osd {OPTION}", "--b", f"ceph config set osd {OPTION} 0.5")
KINDS = {
    "study": (*STUDY, *ON_SHARED),
    "network": ("study", "--cells", "network*", "--cells", "rados-4k-write-qd16", *ON_SHARED),
    "foreign pool": (*STUDY, *ON_SHARED, "--pool", "bait"),
    "below the pool": ("study", "--cells", "*one-osd", "--cells", "*all-hosts", *ON_SHARED),
    "ab": ("ab", "--cells", "rbd-4k-randread*", "--settle", "200ms", "--yes", *STATES, *ON_SHARED),
    "own cluster": ("study", "--cells", "rados-4k-write-qd16"),
    "resume": ("study", *ON_SHARED, "--resume"),
}
WEIGHTS = (3, 1, 3, 1, 3, 1, 2)
"""Kind -> its words, and how often; the plan is added to all but the last, which goes on with a killed study."""

PHASES = {
    "begin": r"^",
    "prepare": r"creating the pool|starting a Ceph cluster",
    "prefill": r"\] writing ",
    "measure": r"recording versions",
    "clean": r"restoring state A|removing everything",
}
"""Phase -> what radoscope says when it begins."""
LONGEST_S = {"begin": 1.5, "prepare": 2.0, "prefill": 2.0, "measure": 8.0, "clean": 2.0}
"""How long after that the kill may come; where the phase is over sooner, it falls into the next."""


@dataclass
class Run:
    """One run of radoscope, its words in a file."""

    process: subprocess.Popen[bytes]
    log: Path
    begun: float = field(default_factory=time.monotonic)

    @property
    def words(self) -> str:
        return self.log.read_text(errors="replace")

    @property
    def runs(self) -> bool:
        return self.process.poll() is None

    @property
    def phase(self) -> str:
        return next(name for name in reversed(PHASES) if re.search(PHASES[name], self.words))


@contextmanager
def running(words: tuple[str, ...], log: Path) -> Iterator[Run]:
    with log.open("wb") as out:
        argv = [sys.executable, "-m", "radoscope", *words]
        process = subprocess.Popen(argv, stdout=out, stderr=out, stdin=subprocess.DEVNULL)
    try:
        yield Run(process, log)
    finally:
        process.kill()
        process.wait()


def wait(run: Run, phase: str, chance: random.Random) -> None:
    """Until a random moment after the beginning of a phase, or the end of the run. To be cleaned it is asked to end."""
    if phase == "clean":
        wait(run, "measure", chance)
        run.process.terminate()
    while run.runs and not re.search(PHASES[phase], run.words):
        time.sleep(0.01)  # another process writes the file
    moment = time.monotonic() + chance.uniform(0, LONGEST_S[phase])
    while run.runs and time.monotonic() < moment:
        time.sleep(0.005)  # the moment is the experiment


def begun_studies(home: Path) -> set[str]:
    return {path.stem for path in (home / "journal").glob("*.jsonl")}


def kill_tool(studies: set[str], chance: random.Random) -> str:
    """kill -9 of a fio or rados that runs for these studies; which, or nothing where there is none."""
    pids = [pid for study in studies for pid in labelled_processes(study) if name_of(pid) in ("fio", "rados")]
    if not pids:
        return ""
    pid = chance.choice(pids)
    victim = name_of(pid)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    return victim


def name_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def clean(chance: random.Random) -> None:
    """One time in four it is killed as well, and has to be run again."""
    if chance.random() < 0.25:
        argv = [sys.executable, "-m", "radoscope", "clean", "--yes"]
        first = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with suppress(subprocess.TimeoutExpired):
            first.wait(timeout=chance.uniform(0.3, 1.5))
        first.kill()
        first.wait()
    cleaned = radoscope("clean", "--yes")
    assert cleaned.returncode == 0, (cleaned.stdout, cleaned.stderr)


def resumable(home: Path) -> str | None:
    """The newest study that was cut off with something in it; half of an experiment is none."""
    for folder in sorted((home / "studies").glob("*"), reverse=True):
        study = read_manifest(folder)
        if not study.complete and study.said is not None and study.segments and study.sandbox == "shared":
            return study.id
    return None


def words_of(kind: str, plan_file: str, home: Path) -> tuple[str, ...]:
    if kind != "resume":
        return (*KINDS[kind], "--plan", plan_file)
    found = resumable(home)
    return (*KINDS[kind], found) if found else words_of("study", plan_file, home)


def kept_is_readable(home: Path, known: set[str]) -> None:
    """Whatever was measured before the kill can be read."""
    for study in studies(home) - known:
        read = read_study(home / "studies" / study)
        assert all(one.results for one in read.segments if one.outcome is Outcome.DONE), study


def one_kill(number: int, chance: random.Random, home: Path, cluster: Cluster, plan_file: str, log: Path) -> str:
    """Its phase, its victim and its kind of run, in words; asserts that nothing is left."""
    before, foreign, known = standing(cluster), contents(cluster, "bait"), studies(home)
    [kind], phase = chance.choices(list(KINDS), WEIGHTS), chance.choice(list(PHASES))
    with running(words_of(kind, plan_file, home), log) as run:
        wait(run, phase, chance)
        begun, hit = begun_studies(home), run.phase
        victim = kill_tool(begun, chance) if chance.random() < 0.5 else ""
        if victim and (kind == "ab" or chance.random() < 0.5):
            run.process.terminate()  # so that its own clean-up meets the dead tool; an experiment would take 20 minutes
        if not victim:
            hit, victim = (hit, "radoscope") if run.runs else ("over", "nobody")
            run.process.kill()
        run.process.wait(timeout=180)
        assert "Traceback" not in run.words, run.words
        if victim != "radoscope":
            assert run.process.returncode in (0, 3, 4, 143), run.words
            assert standing(cluster) == before, run.words
    told = f"{hit:8} {victim:10} {kind}"
    clean(chance)
    assert standing(cluster) == before, (number, told)
    assert contents(cluster, "bait") == foreign, (number, told)
    assert {path.name for path in (home / "sandboxes").glob("[!.]*")} == {"shared"}, (number, told)
    for study in begun | (studies(home) - known):
        nothing_is_left(home, study)
    kept_is_readable(home, known)
    return told


@pytest.mark.timeout(60 + 180 * KILLS)
def test_nothing_is_left_after_kills_at_random_moments(
    home: Path, cluster: Cluster, plan: WritePlan, bait: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chance, seen = random.Random(SEED), Counter[str]()
    plan_file = plan(SHORT)
    for number in range(KILLS):
        begun = time.monotonic()
        with host_to_itself():  # an own cluster of a killed run lies there until it is cleaned
            told = one_kill(number, chance, home, cluster, plan_file, tmp_path / "words")
        seen[told[:20]] += 1
        with capsys.disabled():
            sys.stdout.write(f"\n{number:3} {told:40} {time.monotonic() - begun:5.1f} s")
            sys.stdout.flush()
    with capsys.disabled():
        sys.stdout.write("\n\n" + "\n".join(f"{count:4} {told}" for told, count in sorted(seen.items())) + "\n")
