"""What a way to a cluster costs: load through it as a study puts it on, against the same fio started by hand there.

    tests/beds/bed in .venv/bin/python -m benchmarks.ways ssh cephadm --pairs 12     # make beds: while it is up
    tests/beds/kube in .venv/bin/python -m benchmarks.ways kubectl --pairs 12

On the beds of tests/beds, as client.admin, with a pool and an image of its own. In random order: fio through the way,
with all that a study keeps running meanwhile over there, and the same words as a process of that host, container or pod
that no connection carries. Prints Markdown.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tests.beds.on_bed import CEPHADM, KUBERNETES, PLAN, WITH_FIO

from radoscope.ceph import Cluster
from radoscope.plan.expand import Trial
from radoscope.records.conditions import Conditions, Layer, Operation
from radoscope.records.study import Cell
from radoscope.run.engines import fio
from radoscope.run.host_watch import HostWatch
from radoscope.run.prepared import CONF, KEYRING, Prepared
from radoscope.run.processes import Placed, run_together
from radoscope.sites import Local, Site, Ssh, pod, talk
from radoscope.sites.container import Container, found
from radoscope.stats.ratio import ratio_of_pairs
from radoscope.stats.values import Undecided

NAME = "radoscope-ways"
FOLDER = Path(f"/tmp/{NAME}-0")
CELLS = ((Operation.RANDREAD, 1), (Operation.RANDWRITE, 16))
ByHand = Callable[[Sequence[str]], list[str]]
"""The argv that runs words over there without radoscope's way."""


@contextmanager
def ssh() -> Iterator[tuple[Site, Cluster, ByHand]]:
    site = Ssh("c1", FOLDER, CEPHADM.state / "ssh_config")
    try:
        yield site, Cluster(conf=Path("/etc/ceph/ceph.conf"), site=site), lambda words: on_bed("bed", "c1", words)
    finally:
        talk.remove(site, NAME)


@contextmanager
def cephadm() -> Iterator[tuple[Site, Cluster, ByHand]]:
    host = Ssh("c1", FOLDER, CEPHADM.state / "ssh_config")
    conf = Path("/etc/ceph/ceph.conf")
    container = found(host, conf, conf.parent / "ceph.client.admin.keyring", FOLDER, WITH_FIO[1])
    stands = talk.begin(container.start_words(), {}, subprocess.DEVNULL)
    assert stands.stdout is not None
    stands.stdout.readline()
    site: Container = replace(container, standing=True)
    by_hand = ("podman", "exec", site.title)
    try:
        yield site, Cluster(conf=conf, site=site), lambda words: on_bed("bed", "c1", (*by_hand, *words))
    finally:
        talk.end(stands, 20.0)


@contextmanager
def kubectl() -> Iterator[tuple[Site, Cluster, ByHand]]:
    box = pod.toolbox("kubectl")
    assert box is not None
    (site,) = pod.start(box, [pod.manifest(NAME, WITH_FIO[1], NAME, "k1")])
    told = json.loads(talk.run(Local(), (*box.kubectl, "get", site.target, "-o", "json")))
    number = told["status"]["containerStatuses"][0]["containerID"].rpartition("/")[2]
    by_hand = ("ctr", "-n", "k8s.io", "tasks", "exec", "--user", "2016", "--exec-id", NAME, number)
    cluster = Cluster(conf=Path("/etc/ceph/ceph.conf"), site=box)
    try:
        yield site, cluster, lambda words: on_bed("kube", "k1", (*by_hand, *words))
    finally:
        pod.remove(box.kubectl, NAME)


def on_bed(bed: str, host: str, words: Sequence[str]) -> list[str]:
    script = (CEPHADM if bed == "bed" else KUBERNETES).script
    return [str(script), "run", host, *words]


AT = {
    "ssh": ("ssh:c1", "--ssh-config", str(CEPHADM.state / "ssh_config")),
    "cephadm": ("cephadm+ssh:c1", "--ssh-config", str(CEPHADM.state / "ssh_config")),
    "kubectl": ("kubectl",),
}


def set_up(way: str) -> float:
    """Seconds from the start of a study to its first segment."""
    with tempfile.TemporaryDirectory() as home:
        plan = Path(home) / "plan.toml"
        plan.write_text(PLAN)
        argv = [sys.executable, "-m", "radoscope", "study", "--at", *AT[way], "--plan", str(plan), "--json"]
        begun = time.time()
        subprocess.run(argv, env={**os.environ, "RADOSCOPE_HOME": home}, stdout=subprocess.DEVNULL, check=True)
        (manifest,) = Path(home).glob("studies/*/manifest.json")
        return min(float(one["started_at_s"]) for one in json.loads(manifest.read_text())["segments"]) - begun


WAYS = {"ssh": ssh, "cephadm": cephadm, "kubectl": kubectl}


def prepared_at(site: Site, cluster: Cluster) -> Prepared:
    """A pool and an image, full of data, and what client.admin needs over there."""
    assert site.folder is not None
    cluster.ceph_text("osd", "pool", "create", NAME, "32", "32")
    cluster.ceph_text("osd", "pool", "application", "enable", NAME, "rbd")
    key = cluster.ceph_text("auth", "get", "client.admin")
    minimal = cluster.ceph_text("config", "generate-minimal-conf")
    conf = f"{minimal}\n[client]\nkeyring = {site.folder / KEYRING}\nrbd cache = false\nlog file =\nadmin socket =\n"
    talk.bring(site, {KEYRING: key, CONF: conf})
    prepared = Prepared(client_conf=site.folder / CONF, user="client.admin", pool=NAME, images=(NAME,))
    own = ("-c", str(prepared.client_conf))
    talk.run(site, ("rbd", *own, "create", f"{NAME}/{NAME}", "--size", "256M", "--image-feature", "layering"))
    talk.run(site, fio.fill_image(prepared, NAME), timeout_s=120.0)
    return prepared


def through(site: Site, trial: Trial, prepared: Prepared) -> float:
    """I/Os a second as a study gets them: held until the word, sampled meanwhile, the files fetched."""
    assert site.folder is not None
    away = site.folder / "segment"
    (command,) = fio.commands(trial, prepared, away)
    watch = HostWatch(site, NAME)
    watch.start()
    with tempfile.TemporaryDirectory() as name:
        ran = run_together(
            [Placed(command, site, away)],
            folder=Path(name),
            label=NAME,
            stop=threading.Event(),
            on_text=lambda client, text: None,
        )
        watch.stop()
        assert ran.failed is None, (Path(name) / command.stderr).read_text()
        talk.fetch(site, away, Path(name))
        return rate_of((Path(name) / command.output).read_text())


def by_hand(wrap: ByHand, trial: Trial, prepared: Prepared) -> float:
    (command,) = fio.commands(trial, prepared, Path("/tmp"))
    plain = [word for word in command.argv if not word.startswith(("--output=", "--write_iops_log", "--log_", "--eta"))]
    done = subprocess.run(wrap([*plain, "--eta=never"]), capture_output=True, text=True, check=True)
    return rate_of(done.stdout)


def rate_of(told: str) -> float:
    job = json.loads(told[told.index("{") :])["jobs"][0]
    return float(job["read"]["iops"] + job["write"]["iops"])


def compare(way: str, pairs: int, seconds: float) -> None:
    with WAYS[way]() as (site, cluster, wrap):
        try:
            prepared = prepared_at(site, cluster)
            for op, depth in CELLS:
                asked = Conditions(layer=Layer.RBD, tool="fio", op=op, block_bytes=4096, queue_depth=depth)
                trial = Trial(
                    cell=Cell(name=f"{op}-{depth}", title="", conditions=asked), round=1, seconds=seconds, ramp=1.0
                )
                hand, carried = list[float](), list[float]()
                for number in range(pairs):
                    for kind in random.Random(number).sample(("hand", "way"), 2):
                        if kind == "hand":
                            hand.append(by_hand(wrap, trial, prepared))
                        else:
                            carried.append(through(site, trial, prepared))
                ratio = ratio_of_pairs(hand, carried)
                assert not isinstance(ratio, Undecided), ratio
                low, high = ratio.interval.low, ratio.interval.high
                print(
                    f"| {way} | 4K {op}, QD{depth} | {pairs} | {ratio.value:.3f} ({low:.3f} to {high:.3f}) |",
                    flush=True,
                )
        finally:
            cluster.ceph_text("osd", "pool", "delete", NAME, NAME, "--yes-i-really-really-mean-it")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ways", nargs="+", choices=WAYS)
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=4.0)
    chosen = parser.parse_args()
    print("| way | cell | pairs | through it over by hand there |\n|---|---|---|---|")
    for way in chosen.ways:
        print(f"| {way} | set-up to the first segment | 1 | {set_up(way):.1f} s |", flush=True)
        compare(way, chosen.pairs, chosen.seconds)


if __name__ == "__main__":
    main()
