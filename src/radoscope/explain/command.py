"""What to run next, as a command to copy. Only numbers and known words of a text get into it, never its free text."""

from __future__ import annotations

from radoscope.explain.evidence import ResultEvidence
from radoscope.records.conditions import Operation
from radoscope.units import format_block

_ENGINES = frozenset(
    {"libaio", "io_uring", "rbd", "rados", "sync", "psync", "pvsync", "pvsync2", "windowsaio", "posixaio"}
)
_TARGETS = {
    "rbd": "--pool=POOL --rbdname=IMAGE --clientname=admin",
    "rados": "--pool=POOL --clientname=admin --size=1G",
}
_FILE = "--filename=FILE --size=10G"
SYNCED_WRITES = (
    "fio --name=drive --filename=DEVICE --ioengine=libaio --direct=1 --fsync=1 --rw=randwrite --bs=4k --iodepth=1 "
    "--runtime=60 --time_based"
)
"""What a drive gives for single 4K writes, each made durable. It overwrites DEVICE."""


def fio_again(evidence: ResultEvidence, **changes: str) -> str:
    """The result's load as a fio command that runs long enough to be believed; changes replace or add options.

    POOL, IMAGE and FILE are left to the reader: a benchmark that writes destroys what it is pointed at.
    """
    result = evidence.result
    engine = changes.get("ioengine") or (evidence.engine if evidence.engine in _ENGINES else None)
    engine = engine or ("rbd" if evidence.on_ceph else "libaio")
    options = {
        "ioengine": engine,
        "rw": result.op if result.op in set(Operation) else "randwrite",
        "bs": format_block(result.block_bytes).lower() if result.block_bytes else "4k",
        "iodepth": str(result.queue_depth or 1),
        "numjobs": str(result.jobs or 1),
        "direct": "1",
        "time_based": "",
        "runtime": "60",
        "ramp_time": "10",
        "output-format": "json+",
    } | changes
    if result.sync is not None:
        options.setdefault("fsync", "1")
    if options["numjobs"] == "1":
        del options["numjobs"]
    words = [f"--{name}={value}" if value else f"--{name}" for name, value in options.items()]
    return " ".join(["fio --name=again", _TARGETS.get(engine, _FILE), *words])


def rados_again(evidence: ResultEvidence, seconds: int = 60) -> str:
    """The result's load as rados bench commands: write, read back where it was a read, and take the objects away."""
    result = evidence.result
    block, depth = result.block_bytes or 4 * 2**20, result.queue_depth or 16
    write = f"rados -p POOL bench {seconds} write -b {block} -t {depth}"
    if result.op == Operation.WRITE:
        return write
    word = "rand" if result.op == Operation.RANDREAD else "seq"
    read = f"rados -p POOL bench {seconds} {word} -t {depth}"
    return f"{write} --no-cleanup && {read}; rados -p POOL cleanup"
