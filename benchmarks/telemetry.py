"""What the telemetry beside a segment costs: CPU of its thread, and the rate with and without it, interleaved.

    python benchmarks/telemetry.py --sandbox NAME [--pairs 10]

Runs rados bench 4K -t 16 for 3 s a time on a pool of its own in the named sandbox, in pairs of random order.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import time

from radoscope import sandbox
from radoscope.run.telemetry import Sources, Telemetry

SECONDS = 3


def rate(conf: str) -> float:
    argv = ["rados", "-c", conf, "-p", "telemetry-cost", "bench", str(SECONDS), "write", "-b", "4096", "-t", "16"]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    words = {line.split(":")[0]: line.split(":")[1] for line in done.stdout.splitlines() if ":" in line}
    return float(words["Total writes made"]) / float(words["Total time run"])


def with_telemetry(conf: str, sources: Sources) -> tuple[float, float]:
    """The rate, and the CPU seconds a second of this process, which does nothing but sample and wait."""
    telemetry = Telemetry(sources)
    begun, cpu = time.monotonic(), time.process_time()
    telemetry.start()
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
        connection.tell("osd pool create", pool="telemetry-cost", pg_num=32, pgp_num=32)
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
                        rates[kind], share = with_telemetry(conf, sources)
                        shares.append(share)
                    else:
                        rates[kind] = rate(conf)
                ratios.append(rates["with"] / rates["without"])
                print(f"pair {pair + 1}: with/without {ratios[-1]:.3f}, CPU {100 * shares[-1]:.2f} % of a core")
        finally:
            sure = {"pool": "telemetry-cost", "pool2": "telemetry-cost", "yes_i_really_really_mean_it": True}
            connection.tell("osd pool delete", **sure)
    spread = 2 * statistics.stdev(ratios) / len(ratios) ** 0.5
    cost = 100 * statistics.mean(shares)
    print(f"with/without {statistics.mean(ratios):.3f} +- {spread:.3f}; CPU {cost:.2f} % of a core")


if __name__ == "__main__":
    main()
