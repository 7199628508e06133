"""What the installed Ceph prints, as test data: one sandbox, a short load, one file a command.

    .venv/bin/python scripts/capture_release.py tests/captures/releases     makes FOLDER/VERSION/

About two minutes, in each root of `make releases` (copy the folder out of the root).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

from radoscope import sandbox
from radoscope.ceph import Connection
from radoscope.run import probes
from radoscope.sandbox import Sandbox, SandboxSpec

POOL = "captured"
BENCH = ("bench", "6", "write", "-b", "4096", "-t", "16", "--no-cleanup", "--run-name", "captured")
FIO = (
    "--name=captured",
    "--ioengine=rbd",
    "--clientname=admin",
    f"--pool={POOL}",
    "--rbdname=image",
    "--rw=randrw",
    "--bs=4k",
)
FIO_LASTS = ("--iodepth=4", "--time_based", "--runtime=2", "--output-format=json+")
ABOUT_SPEED = re.compile(r"(osd|bluestore|bluefs|bdev|ms|rocksdb|objecter|rbd)_")
READ = ("bench", "2", "rand", "-t", "16", "--run-name", "captured")
ORIGIN = """\
# {version}

Printed by Ceph {version} ({os}) on {today}, by scripts/capture_release.py: a sandbox of three OSDs,
and on its pool `rados {bench}`, then `{fio}`.
Operations in flight are those of the moment in which most were seen; of the placement groups, the first; of the
slowest operations, two; of the options of osd.0 (`config show`), those about speed.
"""


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as home:
        os.environ["RADOSCOPE_HOME"] = home
        up = sandbox.up(SandboxSpec(name="capture"))
        try:
            texts = captured(up)
        finally:
            sandbox.down("capture")
    version = next(iter(json.loads(texts["ceph-versions.json"])["overall"])).split()[2]
    target = folder / version
    target.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (target / name).write_text(text.strip() + "\n")
    origin = ORIGIN.format(
        version=version,
        os=os_name(),
        today=date.today(),
        bench=" ".join(BENCH),
        fio=" ".join(("fio", *FIO, *FIO_LASTS)),
    )
    (target / "ORIGIN.md").write_text(origin)


def captured(up: Sandbox) -> dict[str, str]:
    """File name -> text."""
    words = ("-c", str(up.conf), "-k", str(up.keyring))
    ceph = ("ceph", *words)
    run(*ceph, "osd", "pool", "create", POOL, "8", "8")
    run(*ceph, "osd", "pool", "application", "enable", POOL, "rados")
    load = subprocess.Popen(["rados", *words, "-p", POOL, *BENCH], stdout=subprocess.PIPE, text=True)
    with up.connected() as connection:
        in_flight = busiest_look(connection, load)
        told, _ = load.communicate(timeout=60)
        perf = connection.ask_osd(0, "perf dump")
        slowest = connection.ask_osd(0, "dump_historic_ops_by_duration")
        settings = connection.ask_osd(0, "config show")
        own = {**probes.osds.options(connection.ask_osd, [0]), **first_answer_times(connection)}
        groups = connection.ask("pg dump")["pg_map"]
    run("rbd", *words, "create", f"{POOL}/image", "--size", "16M")
    texts = {name: json.dumps(json.loads(text)) for name, text in probes.cluster.capture(up.ceph).items()}
    return {
        **texts,
        **{name: json.dumps(json.loads(text)) for name, text in own.items()},
        "osd-config-show.json": json.dumps({name: settings[name] for name in settings if ABOUT_SPEED.match(name)}),
        "osd-historic-ops.json": json.dumps({**slowest, "ops": slowest["ops"][:2]}),
        "osd-perf-dump.json": json.dumps(perf),
        "osd-dump-ops-in-flight.json": json.dumps(in_flight),
        "osd-bench.json": run(*ceph, "tell", "osd.0", "bench", "12288000", "4096", "4194304", "100"),
        "ceph-pg-dump.json": json.dumps(
            {**groups, "pg_stats": groups["pg_stats"][:1], "osd_stats": groups["osd_stats"][:1]}
        ),
        "fio-rbd.json": run("env", f"CEPH_CONF={up.conf}", "fio", *FIO, *FIO_LASTS),
        "rados-bench-write.txt": told,
        "rados-bench-rand.txt": run("rados", *words, "-p", POOL, *READ),
    }


def busiest_look(connection: Connection, load: subprocess.Popen[str]) -> object:
    """`dump_ops_in_flight` of osd.0 while the load runs, with the most operations."""
    best: dict[str, object] = {}
    most = -1
    while load.poll() is None:
        seen = connection.ask_osd(0, "dump_ops_in_flight")
        if int(seen.get("num_ops", 0)) > most:
            best, most = seen, int(seen["num_ops"])
        time.sleep(0.05)
    return best


def first_answer_times(connection: Connection) -> dict[str, str]:
    """What osd.0 says of the heartbeats of both its peers, once it has counted a minute of them."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        told = probes.osds.answer_times(connection.ask_osd, [0])
        entries = [entry for text in told.values() for entry in json.loads(text)["0"]["entries"]]
        if {entry["to osd"] for entry in entries} == {1, 2}:
            return told
        time.sleep(1)
    raise SystemExit("osd.0 tells of no heartbeat")


def os_name() -> str:
    lines = Path("/etc/os-release").read_text().splitlines()
    return next(line.partition("=")[2].strip('"') for line in lines if line.startswith("PRETTY_NAME"))


def run(*argv: str) -> str:
    return subprocess.run(argv, check=True, capture_output=True, text=True, timeout=120).stdout


if __name__ == "__main__":
    main(Path(sys.argv[1]))
