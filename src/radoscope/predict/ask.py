"""The one fact, or the one short measurement, that would narrow an answer most, and by how much."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from radoscope.predict.constants import NAMES
from radoscope.predict.facts import Facts, apply_workload
from radoscope.predict.forecast import Forecast
from radoscope.predict.outlook import Known, Outlook, look
from radoscope.predict.unknowns import CELL, case
from radoscope.words import N_, _

SURE = 0.1
"""Standard deviation in ln of a fact once it is told."""
WORTHWHILE = 0.02
"""A question that narrows by less of the interval's half-width in ln is not asked."""

FACTS = {
    "fsync_latency_us": (N_("the drive's durable 4K write"), "disk-4k-randwrite-qd1-fsync", 10),
    "read_latency_us": (N_("the drive's 4K read at depth 1"), "disk-4k-randread-qd1", 10),
    "randread_iops": (N_("the drive's random 4K reads at depth"), "disk-4k-randread-qd32", 10),
    "seq_write_MBps": (N_("the drive's sustained large writes"), "disk-1m-write-qd8", 30),
    "rtt_us": (N_("the round trip between hosts"), "network-ping", 10),
    "network_Gbps": (N_("the speed of the network"), "network-iperf3", 10),
    "randwrite_iops": (N_("the drive's sustained random 4K writes"), "", 0),
    "seq_read_MBps": (N_("the drive's large reads"), "", 0),
    "cpu": (N_("the processor's model and clock"), "", 0),
    "cores_per_node": (N_("the cores of a host"), "", 0),
    "pg_num": (N_("the pool's placement groups"), "", 0),
    "queue_depth": (N_("the load's depth and number of clients"), "", 0),
}
"""Key in a cluster file -> what it is, the cell that measures it, seconds."""

CELLS = (
    ("4k-randwrite-qd1", "rbd-4k-randwrite-qd1", 30),
    ("4k-randread-qd1", "rbd-4k-randread-qd1", 30),
    ("4k-randwrite-qd128", "rbd-4k-randwrite-qd128", 30),
    ("4k-randread-qd128", "rbd-4k-randread-qd128", 30),
    ("4M-write-qd16", "rbd-4m-write-qd16", 30),
    ("4M-read-qd16", "rbd-4m-read-qd16", 30),
)
"""Workload -> the cell of a study that measures it, seconds."""


@dataclass(frozen=True, slots=True)
class Question:
    """what to learn and how. key: of the cluster file, None for a cell. workload: the answer that it narrows most.
    before, after: half of its 80 % interval in ln."""

    what: str
    how: str
    key: str | None
    workload: str
    before: float
    after: float

    def __str__(self) -> str:
        return _(
            "{what}{how}: ±{before} becomes ±{after} ({load})",
            what=self.what,
            how=self.how,
            before=_percent(self.before),
            after=_percent(self.after),
            load=self.workload,
        )


def _percent(half_width: float) -> str:
    return f"{math.expm1(half_width):.0%}".replace("%", " %")


OWN_CLUSTER = "--conf /etc/ceph/ceph.conf"


def _command(cell: str, where: str) -> str:
    """A drive is measured by a file on it, all else on the cluster: without a word of it a study starts one here."""
    return f"radoscope study --cells {cell} {'--disk-folder FOLDER' if cell.startswith('disk') else where}"


def ask(
    facts: Facts, workloads: Sequence[str], known: Sequence[Known] = (), where: str = OWN_CLUSTER
) -> tuple[Question, ...]:
    """(the best fact, the best measurement on the cluster), each only where it narrows something. Facts without a
    load. where: the options that name the cluster."""
    return forecast_and_ask(facts, workloads, known, where)[1]


def forecast_and_ask(
    facts: Facts, workloads: Sequence[str], known: Sequence[Known] = (), where: str = OWN_CLUSTER
) -> tuple[tuple[Forecast, ...], tuple[Question, ...]]:
    """The forecasts, and what would narrow them: one outlook for both."""
    asked = [(name, apply_workload(facts, name)) for name in workloads]
    cells = [(name, cell, seconds, apply_workload(facts, name)) for name, cell, seconds in CELLS]
    told = {one.name for one in known}
    seen = look([case(one) for _, one in asked] + [case(one) for *_, one in cells], known)
    names = [name for name, _ in asked]
    untold = [row[:3] if not {row[0], row[1]} & told else None for row in cells]
    best = (_best_fact(seen, names, where), _best_cell(seen, names, untold, where))
    return tuple(seen.forecast(i) for i in range(len(names))), tuple(one for one in best if one is not None)


def _best_fact(seen: Outlook, names: Sequence[str], where: str) -> Question | None:
    posterior = seen.posterior
    rows = []
    for column, one in enumerate(posterior.unknowns.inputs, start=len(NAMES)):
        with_it = posterior.with_unknowns[: len(names), column]
        learnt = with_it**2 / (posterior.variances[column] + SURE**2)
        if one.fact not in FACTS:
            continue
        what, cell, seconds = FACTS[one.fact]
        how = _(" (`{key}`, a data sheet or the vendor)", key=one.fact)
        if cell:
            how = _(
                " (`{key}`; measured in {seconds} s: `{command}`)",
                key=one.fact,
                seconds=seconds,
                command=_command(cell, where),
            )
        rows.append((learnt, _(what), how, one.fact))
    return _best(seen, names, rows)


def _best_cell(
    seen: Outlook, names: Sequence[str], cells: Sequence[tuple[str, str, int] | None], where: str
) -> Question | None:
    covariance = seen.posterior.covariance
    rows = []
    for at, one in enumerate(cells, start=len(names)):
        if one is None:
            continue
        name, cell, seconds = one
        learnt = covariance[: len(names), at] ** 2 / (covariance[at, at] + CELL**2)
        how = _(", {seconds} s: `{command}`, then `--known`", seconds=seconds, command=_command(cell, where))
        what = _("{load} on the cluster", load=name)
        rows.append((np.where(np.array(names) == name, 0.0, learnt), what, how, None))
    return _best(seen, names, rows)


def _best(
    seen: Outlook, names: Sequence[str], rows: Sequence[tuple[np.ndarray, str, str, str | None]]
) -> Question | None:
    """The row that narrows most over all answers, told by the answer that it narrows most."""
    reach = seen.posterior.reach
    variances = np.diag(seen.posterior.covariance)[: len(names)] + CELL**2
    before = reach * np.sqrt(variances)
    found: Question | None = None
    most = WORTHWHILE * len(names)
    for learnt, what, how, key in rows:
        after = reach * np.sqrt(np.maximum(variances - learnt, CELL**2))
        gained = before - after
        if gained.sum() > most:
            best, most = int(np.argmax(gained)), float(gained.sum())
            found = Question(what, how, key, names[best], float(before[best]), float(after[best]))
    return found
