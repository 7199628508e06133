"""How often is the first finding the right one? Causes are planted in a real sandbox, and healed again.

    python benchmarks/diagnosis.py --out results            # every cause once, one lab of three hosts
    python benchmarks/diagnosis.py --causes slow-osd,network-1g --out results --minutes 7
    python benchmarks/diagnosis.py --check --causes uplink --out results    # first: does it slow anything here?
    python benchmarks/diagnosis.py --then advice --causes debug-20 --out results   # tried at once: predicted, realised
    python benchmarks/diagnosis.py --plan quick --budget 150s --out results   # as users measure
    python benchmarks/diagnosis.py --causes asked,shapes --out results   # twenty at two strengths, 22 of none
    python benchmarks/diagnosis.py --table results          # the confusion table of what lies there

Each planted case is a short study, kept as a bundle in the folder, with the cause's name before its id. Needs root.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from os import getpid
from pathlib import Path
from typing import Any

from causes import CAUSES as PLANTED
from causes import Cause
from daemon_causes import DAEMONS
from detour_causes import DETOURS
from effects import effect
from field_causes import FIELD
from gateway_causes import GATEWAYS
from host_causes import HOSTS
from path_causes import PATHS
from placement_causes import PLACEMENTS
from restless_causes import RESTLESS
from second_causes import AS_ASKED, SECOND

from radoscope import explain, sandbox
from radoscope.errors import PlanError, RadoscopeError
from radoscope.explain.advice import advise
from radoscope.explain.finding import Role
from radoscope.explain.ranking import is_cause
from radoscope.kinds.rounds.run import run_study
from radoscope.plan import load
from radoscope.plan.schema import Plan
from radoscope.records import health
from radoscope.records.telemetry import STRANGERS_CPU
from radoscope.run.events import RunEvent
from radoscope.sandbox import Sandbox
from radoscope.sandbox.shape import DISKS, DiskModel
from radoscope.sandbox.waiting import Deadline, wait_until
from radoscope.session.request import StudyRequest
from radoscope.session.target import Target
from radoscope.units import parse_seconds
from radoscope.workflow import assess, load_study

_THIS_MACHINES = DiskModel(name="modelled", write_s=1e-6)
"""As good as this machine's own, in a model whose figures can be changed while it serves."""
CAUSES: Mapping[str, Cause] = {
    **PLANTED,
    **FIELD,
    **PATHS,
    **HOSTS,
    **SECOND,
    **DAEMONS,
    **GATEWAYS,
    **DETOURS,
    **PLACEMENTS,
    **RESTLESS,
}
SETS = {
    "asked": [name for pair in AS_ASKED for name in pair],
    "shapes": [*(name for name in CAUSES if name.startswith("healthy")), "flags", "unnamed-pool", "slow-monitor"],
}


def check_effect(lab: Sandbox, name: str, cause: Cause) -> None:
    """Prints whether it slows any of six loads, before a diagnosis is asked."""
    took, told = effect(lab, cause)
    print(f"{name}: {'took effect' if took else 'no effect'}, of the healthy rates: {told}", flush=True)


@dataclass(frozen=True)
class Exam:
    """asked: the plan's name or file. plan: that, with the asked budget. hosts, osds, disk: of the lab, those on each
    host, and what their drives are like.

    then: "healed", the same again, so that what was lost is what healing brings back; "advice", what the first finding
    advises is tried while the cause is still there; or "" for nothing. check: first, whether the cause slows anything.
    end: by time.monotonic().
    """

    asked: str
    plan: Plan
    out: Path
    end: float
    hosts: int
    osds: int
    disk: DiskModel
    then: str
    check: bool


def one_case(lab: Sandbox, name: str, cause: Cause, exam: Exam) -> None:
    """The study with the cause, and what follows."""
    pool = None
    if cause.pool is not None:
        pool = f"groups-{cause.pool}"
        lab.ceph.ceph_text("osd", "pool", "create", pool, str(cause.pool), str(cause.pool))
        lab.ceph.ceph_text("osd", "pool", "application", "enable", pool, "rbd")
    try:
        with cause.plant(lab):  # type: ignore[attr-defined]
            sick = _study(Target(sandbox=lab.name, pool=pool, data_pool=cause.data_pool), exam, name)
            if exam.then == "advice":
                _try_advice(lab, exam.out / f"{name}.{sick}", exam.asked)
    finally:
        if pool is not None:
            lab.ceph.ceph_text("osd", "pool", "delete", pool, pool, "--yes-i-really-really-mean-it")
    if name != "healthy" and exam.then == "healed":
        _study(Target(sandbox=lab.name), exam, f"{name}-healed.{sick}")


def _study(target: Target, exam: Exam, name: str) -> str:
    done = run_study(StudyRequest.build(exam.plan, target), quiet, threading.Event())
    shutil.move(done.folder, exam.out / f"{name}.{done.folder.name}")
    return done.folder.name


def _try_advice(lab: Sandbox, folder: Path, plan: str) -> None:
    """Prints predicted beside realised, as `radoscope ab` does, of the cell that should gain most."""
    study = load_study(str(folder))
    assessed = assess(study)
    checks = explain.check_cells(study, assessed.summaries)
    found = (advise(one, study, checks) for one in assessed.findings if is_cause(one))
    advice = next((one for one in found if one is not None), None)
    if advice is None:
        print("nothing that can be tried and undone", flush=True)
        return
    cell = max(advice.gains or advice.cells, key=lambda one: advice.gains[one].value if advice.gains else 0.0)
    argv = (sys.executable, "-m", "radoscope", "ab", "--plan", plan, "--budget", "150s", "--settle", "1s", "--yes")
    argv += ("--sandbox", lab.name, "--advice", str(folder), "--cells", cell)
    done = subprocess.run(argv, capture_output=True, text=True)
    folder.with_suffix(".advice.txt").write_text(done.stdout + done.stderr)
    told = done.stdout.splitlines()
    begin = next((number for number, line in enumerate(told) if "realised" in line), len(told))
    print("\n".join(told[begin:][:2]) or done.stderr.strip(), flush=True)


def quiet(event: RunEvent) -> None:
    pass


def measure(names: list[str], exam: Exam) -> None:
    exam.out.mkdir(parents=True, exist_ok=True)
    labs = [CAUSES[name].lab for name in names]
    for options in [lab for number, lab in enumerate(labs) if lab not in labs[:number]]:
        _in_one_lab([name for name in names if CAUSES[name].lab == options], options, exam)


def _in_one_lab(names: list[str], options: Mapping[str, Any], exam: Exam) -> None:
    lab_name = f"diagnosis-{getpid()}"
    spec = sandbox.SandboxSpec(name=lab_name, hosts=exam.hosts, osds=exam.osds, disk=exam.disk, network_bits_per_s=10e9)
    try:
        lab = sandbox.up(replace(spec, **options), lambda words: None)
        lab.ceph.ceph_text("config", "set", "mon", "mon_allow_pool_delete", "true")
        for name in names:
            begun = time.monotonic()
            if begun > exam.end:
                print(f"no time left for {name}", flush=True)
                continue
            try:
                wait_until(partial(_is_well, lab), "the last cause to be over", Deadline(180))
                if exam.check:
                    check_effect(lab, name, CAUSES[name])
                one_case(lab, name, CAUSES[name], exam)
                print(f"{name}: {time.monotonic() - begun:.0f} s", flush=True)
            except (RadoscopeError, OSError, subprocess.SubprocessError) as error:  # it must not cost the other cases
                print(f"{name}: {type(error).__name__} {error}", flush=True)
    finally:
        with suppress(PlanError):  # it never came up
            sandbox.down(lab_name)


def _is_well(lab: Sandbox) -> bool:
    return not health.amiss(lab.ceph.ceph("status"))


OTHER_WORK_CORES = 0.5
"""Cores that neither the load nor the cluster used in some segment: "other processes" is then true as well."""


def named_in(folder: Path) -> tuple[list[str], float]:
    """The rules of the causes that are named, in their order, and the most cores that strangers used."""
    study = load_study(str(folder))
    named = [one.rule for one in assess(study).findings if is_cause(one) or one.role is Role.SOUND]
    busy = [max(one.values) for s in study.segments for one in s.telemetry if one.name == STRANGERS_CPU.name]
    return list(dict.fromkeys(named)), max(busy, default=0.0)


def table(out: Path) -> None:
    """One line a case; then how often what was planted came first, came first beside the machine's own work, and what
    else was accused."""
    cases = first = beside = accused = 0
    for folder in sorted(one for one in out.glob("*.*") if one.is_dir() and "-healed." not in one.name):
        name = folder.name.partition(".")[0]
        (named, busy), expected = named_in(folder), CAUSES[name].expected
        wanted = "host-cpu" in expected
        others = [rule for rule in named if wanted or rule != "host-cpu" or busy < OTHER_WORK_CORES]
        right = (others or ["nothing-wrong"])[0] in expected
        wrong = [rule for rule in others if rule not in (*expected, "nothing-wrong")]
        cases, first, beside = cases + 1, first + (named[:1] == others[:1] and right), beside + right
        accused += bool(wrong)
        print(f"{'  ' if right and not wrong else '! '}{name:16} {busy:.1f} cores of others; {', '.join(named)}")
    print(f"{cases} cases: planted first {first}, first beside other work {beside}, something else accused {accused}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--causes", default=",".join(CAUSES))
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--plan", default=str(Path(__file__).with_suffix(".toml")), help="a file or a built-in one")
    parser.add_argument("--budget", help="in place of the plan's, as 80s")
    parser.add_argument("--hosts", type=int, default=3)
    parser.add_argument("--osds", type=int, default=1, help="on each host")
    parser.add_argument("--disk", choices=[name for name in DISKS if name != "none"], help="in place of this machine's")
    parser.add_argument("--shuffle", type=int, help="seed of the order")
    parser.add_argument("--then", choices=("healed", "advice"), default="", help="the same again once healed, or ...")
    parser.add_argument("--check", action="store_true", help="whether it slows anything, before each study")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--table", type=Path)
    said = parser.parse_args()
    if said.table:
        table(said.table)
        return
    names = [name for word in said.causes.split(",") for name in SETS.get(word, [word])] * said.repeats
    if said.shuffle is not None:
        random.Random(said.shuffle).shuffle(names)
    plan = load(said.plan)
    exam = Exam(
        asked=said.plan,
        plan=plan if said.budget is None else plan.model_copy(update={"budget": parse_seconds(said.budget)}),
        out=said.out,
        end=time.monotonic() + said.minutes * 60,
        hosts=said.hosts,
        osds=said.osds,
        disk=DISKS[said.disk] if said.disk else _THIS_MACHINES,
        then=said.then,
        check=said.check,
    )
    measure(names, exam)


if __name__ == "__main__":
    main()
