"""Study and summaries -> findings: what holds the cluster back, and what of a number cannot be trusted."""

from radoscope.explain.asking import check, check_environment, judge, stamps, unchecked_environment
from radoscope.explain.finding import Finding, Severity
from radoscope.explain.stamp import Stamp

__all__ = [
    "Finding",
    "Severity",
    "Stamp",
    "check",
    "check_environment",
    "judge",
    "stamps",
    "unchecked_environment",
]
