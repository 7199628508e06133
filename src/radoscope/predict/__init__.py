"""Facts or a study -> model -> forecast. The analytic part is plain Python; the simulator lives in `simulate`."""

from radoscope.predict.batch import as_row, forecast_lines
from radoscope.predict.budget import Budget, Part, budget, draw_bars
from radoscope.predict.cluster import Description, read_cluster
from radoscope.predict.facts import Facts, read_facts
from radoscope.predict.forecast import Forecast, forecast
from radoscope.predict.insitu import Gap, Ladder, Rung, fit_study, what_if_study
from radoscope.predict.model import Model, load_model
from radoscope.predict.target import AT_MOST, COSTS, Reached, Target, aimed, parse_target, search
from radoscope.predict.whatif import Change, Ratio, compare, compare_all, parse_changes
from radoscope.predict.workload import STANDARD, apply_workload

__all__ = [
    "AT_MOST",
    "COSTS",
    "STANDARD",
    "Budget",
    "Change",
    "Description",
    "Facts",
    "Forecast",
    "Gap",
    "Ladder",
    "Model",
    "Part",
    "Ratio",
    "Reached",
    "Rung",
    "Target",
    "aimed",
    "apply_workload",
    "as_row",
    "budget",
    "compare",
    "compare_all",
    "draw_bars",
    "fit_study",
    "forecast",
    "forecast_lines",
    "load_model",
    "parse_changes",
    "parse_target",
    "read_cluster",
    "read_facts",
    "search",
    "what_if_study",
]
