"""Study and summaries -> findings: what holds the cluster back, and what of a number cannot be trusted."""

from radoscope.explain.asking import check, check_cells, check_environment, judge
from radoscope.explain.finding import Checks, Finding, Severity

__all__ = [
    "Checks",
    "Finding",
    "Severity",
    "check",
    "check_cells",
    "check_environment",
    "judge",
]
