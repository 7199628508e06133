"""Facts or a study -> model -> forecast. The analytic part is plain Python; the simulator lives in `simulate`."""

from radoscope.predict.batch import forecast_lines
from radoscope.predict.facts import Facts, read_facts
from radoscope.predict.forecast import Forecast, forecast
from radoscope.predict.model import Model, load_model

__all__ = ["Facts", "Forecast", "Model", "forecast", "forecast_lines", "load_model", "read_facts"]
