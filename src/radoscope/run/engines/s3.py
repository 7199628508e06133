"""PUT and GET over S3 by a small load tool of radoscope's own, s3_load.py: fio's http engine is in few builds of fio.

Its requests were signed when the study was prepared: the load has neither key nor secret, and its command line names
nothing but files.
"""

from __future__ import annotations

from pathlib import Path

from radoscope.plan.expand import Trial
from radoscope.records.conditions import Operation
from radoscope.run import s3_load
from radoscope.run.prepared import LoadCommand, Prepared

TOOLS = ("s3-load",)
PROGRAM = "s3-load.py"
METHODS = {Operation.WRITE: "PUT", Operation.RANDREAD: "GET"}
GRACE_S = 60.0


def source() -> str:
    """The program itself."""
    return Path(s3_load.__file__).read_text(encoding="utf-8")


def requests_file(method: str, size: int) -> str:
    """In the run's folder."""
    return f"s3-{method}-{size}.json"


def commands(trial: Trial, prepared: Prepared, folder: Path) -> tuple[LoadCommand, ...]:
    asked = trial.cell.conditions
    requests = prepared.beside_conf(requests_file(METHODS[asked.op], asked.block_bytes or 0))
    program = ("python3", str(prepared.beside_conf(PROGRAM)), str(requests))
    load = (str(asked.queue_depth), f"{trial.ramp:g}", f"{trial.seconds:g}")
    longest_s = trial.ramp + trial.seconds + GRACE_S

    def command(number: int) -> LoadCommand:
        argv = (*program, str(folder / f"client-{number}.json"), *load, str(number), str(asked.processes))
        return LoadCommand.of_client(number, argv, "s3_load", longest_s, "json", gate=(f"client-{number}.ready",))

    return tuple(map(command, range(asked.processes)))


def once(prepared: Prepared, name: str, at_once: int) -> tuple[str, ...]:
    """Send each request of a file once."""
    return ("python3", str(prepared.beside_conf(PROGRAM)), str(prepared.beside_conf(name)), "once", str(at_once))
