"""Every OSD's own bench: which one is slower than its peers, and suggested mClock capacities."""

from radoscope.kinds.kind import Kind
from radoscope.kinds.osd_bench.read import read
from radoscope.kinds.osd_bench.section import SECTION, print_osds, repeat, to_json, verdict

KIND = Kind(
    name="osd-bench", read=read, verdict=verdict, sections=(SECTION,), repeat=repeat, to_json=to_json, show=print_osds
)
