"""The decision page: present and planned cluster side by side, as one HTML file without scripts."""

from __future__ import annotations

from radoscope.predict.facts import Facts, apply_workload
from radoscope.predict.plan import Decision, WorkloadRow
from radoscope.report.document import page_template, style
from radoscope.report.rates import Scale, rate_row
from radoscope.units import format_block, format_count
from radoscope.words import N_, _

_OPERATIONS = {
    "seq_read": N_("sequential read"),
    "seq_write": N_("sequential write"),
    "rand_read": N_("random read"),
    "rand_write": N_("random write"),
    "mixed": N_("mixed random"),
}


def render_plan(plan: Decision, title: str) -> str:
    """A self-contained page; all text is escaped."""
    return page_template("plan.html.j2").render(
        plan=plan, title=title, style=style(), loads=[_row(plan, one) for one in plan.rows], count=format_count
    )


def _row(plan: Decision, row: WorkloadRow) -> dict[str, object]:
    """One workload: a row for each option, all on one scale."""
    rates = [(row.now, None), *((row.now, one) for one in row.ratios)]
    spans = [row.now.interval, *(one.level for one in row.ratios)]
    scale = Scale(min(one.low for one in spans), max(one.high for one in spans))
    rows = [
        rate_row(option.name, now, change, scale) for option, (now, change) in zip(plan.options, rates, strict=True)
    ]
    return {"workload": row.workload, "load": load_words(row.workload), "rows": rows}


def load_words(workload: str) -> str:
    """4k-randwrite-qd32-xall -> "4K random write, QD32, one client on each of as many hosts as the cluster has"."""
    load = apply_workload(Facts(), workload)
    parts = [f"{format_block(load.block_bytes or 0)} {_(_OPERATIONS[load.op or 'mixed'])}", f"QD{load.queue_depth:g}"]
    if load.whole_cluster:
        parts.append(_("one client on each of as many hosts as the cluster has, or the option"))
    elif load.clients and load.clients > 1:
        parts.append(_("{clients} clients", clients=round(load.clients)))
    return ", ".join(parts)
