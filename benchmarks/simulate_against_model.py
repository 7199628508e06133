"""The simulator against the analytic model over a grid of clusters and loads: |log2(simulated / analytic)| of the rate.

    python benchmarks/simulate_against_model.py [--markdown]

Both get the same constants and facts; the analytic rate is the equations' own, before any correction that was learnt
from published results. Each cell is simulated for 20,000 ops or 60 ops a place in flight, whichever is more.
"""

from __future__ import annotations

import argparse
import math
import statistics
from dataclasses import dataclass, replace
from itertools import product

from radoscope.predict.constants import documented
from radoscope.predict.defaults import fill
from radoscope.predict.facts import Facts, apply_workload
from radoscope.predict.network import bottleneck, solve
from radoscope.predict.simulate import simulate
from radoscope.predict.simulate.bridge import LoadFacts, from_facts

NVME = Facts(
    nodes=4, osds_per_node=4, osd_device_class="nvme", device_plp=True, device_4k_sync_write_iops=50_000, cpu_GHz=2.8,
    cores_per_node=32, network_Gbps=25, rtt_us=60, ceph_version="18.2", pool_size=3, client_hosts=4,
    hyperconverged=False, access="librbd_fio", pg_num=512,
)  # fmt: skip
CLUSTERS = {
    "4 x 4 NVMe, 25 GbE": NVME,
    "10 x 6 NVMe, 100 GbE": replace(NVME, nodes=10, osds_per_node=6, network_Gbps=100, rtt_us=40, pg_num=2048),
    "3 x 1 consumer NVMe, 1 GbE": replace(
        NVME, nodes=3, osds_per_node=1, device_plp=False, device_4k_sync_write_iops=600, cores_per_node=6,
        network_Gbps=1, rtt_us=200, pg_num=128, client_hosts=1,
    ),
    "3 x 4 SATA SSD, 10 GbE, size 2": replace(
        NVME, nodes=3, osd_device_class="sata_ssd", device_4k_sync_write_iops=18_000, cores_per_node=16,
        network_Gbps=10, rtt_us=100, pool_size=2, pg_num=256, client_hosts=2,
    ),
}  # fmt: skip
OPERATIONS = ("4k-randwrite", "4k-randread", "4k-randrw70", "4M-write", "4M-read")
DEPTHS = ("qd1", "qd16-x4", "qd32-x16")


@dataclass(frozen=True)
class Compared:
    """One cell."""

    cluster: str
    workload: str
    analytic: float
    simulated: float
    limit: str

    @property
    def error(self) -> float:
        return math.log2(self.simulated / self.analytic)


def compare(cluster: str, workload: str) -> Compared:
    facts = apply_workload(CLUSTERS[cluster], workload)
    constants = documented()
    setting, _ = fill(facts)
    solution = solve(setting, constants)
    model, _ = from_facts([LoadFacts(name=workload, facts=facts)], constants)
    seconds = max(20_000, 60 * setting.in_flight) / float(solution.rate)
    result = simulate(model, seconds=seconds)
    return Compared(cluster, workload, float(solution.rate), result.iops, bottleneck(solution))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--markdown", action="store_true")
    markdown = options.parse_args().markdown
    cells = [
        compare(*pair) for pair in product(CLUSTERS, (f"{op}-{depth}" for op, depth in product(OPERATIONS, DEPTHS)))
    ]
    bar = " | " if markdown else "  "
    for cell in cells:
        columns = f"{cell.cluster:32}", f"{cell.workload:22}", f"{cell.analytic:12,.0f}", f"{cell.simulated:12,.0f}"
        print(bar.join((*columns, f"{cell.error:+.2f}", cell.limit)))
    summary("all", cells)
    for part in (*OPERATIONS, *DEPTHS):
        summary(part, [cell for cell in cells if cell.workload.startswith(part) or cell.workload.endswith(part)])


def summary(name: str, cells: list[Compared]) -> None:
    errors = sorted(abs(cell.error) for cell in cells)
    ninth = errors[math.ceil(0.9 * len(errors)) - 1]
    print(
        f"{name}: {len(errors)} cells, median {statistics.median(errors):.3f}, p90 {ninth:.3f}, "
        f"largest {errors[-1]:.3f}"
    )


if __name__ == "__main__":
    main()
