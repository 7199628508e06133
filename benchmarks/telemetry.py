"""What is watched beside a segment, and what it costs: CPU of its threads, and the rate with and without, interleaved.

Telemetry, the governor's look at the cluster, and the look at other clients' operations, as on a cluster of the user's.

    python benchmarks/telemetry.py --sandbox NAME [--pairs 10]

Runs rados bench 4K -t 16 for 3 s a time on its own pool in the named sandbox, in pairs of random order.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import threading
import time

from radoscope import sandbox
from radoscope.ceph import Connection
from radoscope.run.governor import Governor, Limits
from radoscope.run.others import Others, Seen
from radoscope.run.telemetry import Sources, Telemetry

SECONDS = 3
POOL, OTHERS = "telemetry-cost", "telemetry-others"


def rate(conf: str) -> float:
    argv = ["rados", "-c", conf, "-p", POOL, "bench", str(SECONDS), "write", "-b", "4096", "-t", "16"]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    words = {line.split(":")[0]: line.split(":")[1] for line in done.stdout.splitlines() if ":" in line}
    return float(words["Total writes made"]) / float(words["Total time run"])


def watched(conf: str, sources: Sources, connection: Connection) -> tuple[float, float]:
    """The rate, and the CPU seconds a second of this process, which does nothing but look and wait."""
    telemetry = Telemetry(sources)
    foreign = {pool["pool"] for pool in connection.ask("osd dump")["pools"] if pool["pool_name"] != POOL}
    seen = Seen(ask_osd=connection.ask_osd, osds=sources.osds, pools=frozenset(foreign))
    with Governor(connection.ask, Limits(foreign=True), threading.Event()), Others(seen) as others:
        begun, cpu = time.monotonic(), time.process_time()
        telemetry.start()
        with others.loaded_by("benchmark"):
            found = rate(conf)
        telemetry.stop()
        return found, (time.process_time() - cpu) / (time.monotonic() - begun)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--sandbox", required=True)
    options.add_argument("--pairs", type=int, default=10)
    asked = options.parse_args()
    up = sandbox.load(asked.sandbox)
    conf = str(up.conf)
    with up.connected() as connection:
        for pool in (POOL, OTHERS):
            connection.tell("osd pool create", pool=pool, pg_num=32, pgp_num=32)
        pids = {daemon: pid for daemon, pid in up.pids().items() if daemon.startswith("osd.")}
        sources = Sources(osd_pids=pids, ask_osd=connection.ask_osd, osds=tuple(osd.id for osd in up.osds))
        ratios, shares = [], []
        try:
            for pair in range(asked.pairs):
                order = ["with", "without"]
                random.Random(pair).shuffle(order)
                rates = {}
                for kind in order:
                    if kind == "with":
                        rates[kind], share = watched(conf, sources, connection)
                        shares.append(share)
                    else:
                        rates[kind] = rate(conf)
                ratios.append(rates["with"] / rates["without"])
                print(f"pair {pair + 1}: with/without {ratios[-1]:.3f}, CPU {100 * shares[-1]:.2f} % of a core")
        finally:
            for pool in (POOL, OTHERS):
                connection.tell("osd pool delete", pool=pool, pool2=pool, yes_i_really_really_mean_it=True)
    spread = 2 * statistics.stdev(ratios) / len(ratios) ** 0.5
    cost = 100 * statistics.mean(shares)
    print(f"with/without {statistics.mean(ratios):.3f} +- {spread:.3f}; CPU {cost:.2f} % of a core")


if __name__ == "__main__":
    main()
