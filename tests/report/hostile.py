"""The example study with every text in it turned against the reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

from radoscope.report.material import Material

from .example_study import make_findings, make_study, make_summaries

ATTACK = """<script>alert(1)</script>"><img src=x onerror=alert(2)>'`|\n# {{7*7}} [x](javascript:alert(3)) </svg>"""


def hostile_report_input() -> Material:
    """Each text gets the attack at its end; the summaries stay in step with the study."""
    return Material(_attack(make_study()), _attack(make_summaries()), _attack(make_findings()))


def _attack(value: Any) -> Any:
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return value + ATTACK
    if is_dataclass(value) and not isinstance(value, type):
        changed = {f.name: _attack(getattr(value, f.name)) for f in fields(value) if f.name != "unit"}
        return replace(value, **changed)
    if isinstance(value, Mapping):
        return {_attack(key): _attack(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(_attack(item) for item in value)
    return value
