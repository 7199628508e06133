"""Machines that published results were measured on: how far the equations were off there, which carries over.

A processor and a drive together, as printed, mean the same laboratory or the same order list. The factors are
learnt by scripts/machines.py and are part of constants.json; any other machine has none.
"""

from __future__ import annotations

from collections.abc import Mapping

from radoscope.predict.facts import Facts

Machines = Mapping[str, Mapping[str, float]]
"""Machine -> class of load -> ln(published / predicted) as far as it carries over."""

ANY_CLASS = "any"


def machine(facts: Facts) -> str | None:
    """ "2x Xeon Platinum 8180 / Intel P4500 4TB"; None where a page leaves one of them out."""
    if not facts.cpu_model or not facts.osd_device_model:
        return None
    return f"{facts.cpu_model} / {facts.osd_device_model}"


def carried_over(facts: Facts, kind: str, machines: Machines) -> float:
    """ln of the factor on a predicted rate; 0 on machines that no published result is known of."""
    known = machines.get(machine(facts) or "", {})
    return known.get(kind, known.get(ANY_CLASS, 0.0))
