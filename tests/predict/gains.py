"""What each change brings to one load, as the verbs ask for it."""

from collections.abc import Sequence

from radoscope.predict.facts import Facts
from radoscope.predict.outlook import Known
from radoscope.predict.whatif import Change, Gain, forecast_all


def gains(facts: Facts, changes: Sequence[Change], known: Sequence[Known] = ()) -> tuple[Gain, ...]:
    return forecast_all([facts], changes, known)[0][1]
