"""A scenario: steady load on a sandbox, a fault in its middle, and everything acknowledged read back at the end."""

from radoscope.kinds.kind import Kind
from radoscope.kinds.scenario.read import read
from radoscope.kinds.scenario.section import SECTION, print_scenario, repeat, to_json, verdict

KIND = Kind(
    name="scenario",
    read=read,
    verdict=verdict,
    sections=(SECTION,),
    headline=False,  # the load is limited on purpose
    repeat=repeat,
    to_json=to_json,
    show=print_scenario,
)
