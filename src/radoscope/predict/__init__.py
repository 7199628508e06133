"""Facts or a study -> model -> forecast. The analytic part is plain Python; the simulator lives in `simulate`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from radoscope.predict.ask import OWN_CLUSTER, Question, ask, forecast_and_ask
from radoscope.predict.cluster import Description, read_cluster
from radoscope.predict.facts import STANDARD, Facts, apply_workload, read_facts
from radoscope.predict.forecast import Budget, Forecast, Part, budget, draw_bars
from radoscope.predict.outlook import Known, Outlook, forecast, look
from radoscope.predict.whatif import Change, Gain, compare, compare_all, forecast_all, parse_changes

if TYPE_CHECKING:  # start-up time: see `__getattr__`
    from radoscope.predict.insitu import Gap, ModelLadder, ModelRung, fit_study, known_of_study, what_if_study
    from radoscope.predict.known import as_row, forecast_lines, read_known
    from radoscope.predict.measured import CellRate, facts_of, known_rates, measured_cells, with_lower_layers
    from radoscope.predict.plan import (
        AT_MOST,
        COSTS,
        Decision,
        Goal,
        Option,
        Reached,
        WorkloadRow,
        aimed,
        parse_target,
        plan_options,
        search,
    )

__all__ = [
    "AT_MOST",
    "COSTS",
    "OWN_CLUSTER",
    "STANDARD",
    "Budget",
    "CellRate",
    "Change",
    "Decision",
    "Description",
    "Facts",
    "Forecast",
    "Gain",
    "Gap",
    "Goal",
    "Known",
    "ModelLadder",
    "ModelRung",
    "Option",
    "Outlook",
    "Part",
    "Question",
    "Reached",
    "WorkloadRow",
    "aimed",
    "apply_workload",
    "as_row",
    "ask",
    "budget",
    "compare",
    "compare_all",
    "draw_bars",
    "facts_of",
    "fit_study",
    "forecast",
    "forecast_all",
    "forecast_and_ask",
    "forecast_lines",
    "known_of_study",
    "known_rates",
    "look",
    "measured_cells",
    "parse_changes",
    "parse_target",
    "plan_options",
    "read_cluster",
    "read_facts",
    "read_known",
    "search",
    "what_if_study",
    "with_lower_layers",
]

_LATER = {
    "insitu": ("Gap", "ModelLadder", "ModelRung", "fit_study", "known_of_study", "what_if_study"),
    "known": ("as_row", "forecast_lines", "read_known"),
    "measured": ("CellRate", "facts_of", "known_rates", "measured_cells", "with_lower_layers"),
    "plan": (
        "AT_MOST",
        "COSTS",
        "Option",
        "Decision",
        "Reached",
        "WorkloadRow",
        "Goal",
        "aimed",
        "parse_target",
        "plan_options",
        "search",
    ),
}
"""What a forecast of a described cluster does not need: what others measured, studies, and the decision page."""


def __getattr__(name: str) -> Any:
    for module, names in _LATER.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
