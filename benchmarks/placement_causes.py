"""Pools whose groups lie where nobody wants them, for `benchmarks/diagnosis.py`."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from causes import Cause, clean, disk_of, limited_device, option

from radoscope.sandbox import Sandbox, faults
from radoscope.sandbox.processes import end_labelled
from radoscope.sandbox.shape import DiskModel
from radoscope.sandbox.waiting import Deadline, wait_until


def _measured(lab: Sandbox) -> str:
    """The pool that will be measured: a case's own, or that of `--check`."""
    pools = lab.ceph.ceph_text("osd", "pool", "ls").split()
    return next(name for name in pools if name.startswith("groups-") or name == "effects")


def _until_clean(lab: Sandbox) -> None:
    time.sleep(1)  # until the manager has heard of the change
    wait_until(lambda: clean(lab), "active+clean", Deadline(120), every_s=0.5)


@contextmanager
def pgp_left(lab: Sandbox) -> Iterator[None]:
    """Groups were made more, and the number that counts for their placement was not: all lie as one would."""
    pool = _measured(lab)

    def place(number: int) -> None:
        lab.ceph.ceph_text("osd", "pool", "set", pool, "pgp_num", str(number))
        asked = ("osd", "pool", "get", pool, "pgp_num")
        wait_until(lambda: lab.ceph.ceph(*asked)["pgp_num"] == number, "placement", Deadline(120), every_s=0.5)
        _until_clean(lab)

    with option("target_max_misplaced_ratio", "1", "mgr")(lab):
        try:
            place(1)
            yield
        finally:
            place(32)


def weighs(osd: int, times: float) -> Callable[[Sandbox], object]:
    """After a drive was replaced, its CRUSH weight is so many times what its size is: it is primary of most groups."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        nodes = lab.ceph.ceph("osd", "tree")["nodes"]
        usual = next(node["crush_weight"] for node in nodes if node["id"] == osd)

        def weigh(weight: float) -> None:
            lab.ceph.ceph_text("osd", "crush", "reweight", f"osd.{osd}", f"{weight:.5f}")
            _until_clean(lab)

        try:
            weigh(usual * times)
            yield
        finally:
            weigh(usual)

    return plant


def volumes(requests_per_s: int) -> Callable[[Sandbox], object]:
    """Each OSD is on a cloud's volume, which takes so many reads and so many writes a second."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        limits = dict.fromkeys(("read_iops", "write_iops"), requests_per_s)
        with ExitStack() as held:
            for osd in range(len(lab.osds)):
                held.enter_context(limited_device(lab, (osd,), limits))
            yield

    return plant


_HYBRID = """
rule hybrid {
	id 99
	type replicated
	min_size 1
	max_size 10
	step take default class ssd
	step chooseleaf firstn 1 type host
	step emit
	step take default class hdd
	step chooseleaf firstn -1 type host
	step emit
}
"""


def hybrid(disk: DiskModel) -> Callable[[Sandbox], object]:
    """The pool's rule takes a fast drive for the primary and slow ones for the other copies."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        pool, slow = _measured(lab), lab.osds[1::2]
        with ExitStack() as stack:
            stack.callback(_until_clean, lab)
            for osd in slow:
                _set_class(lab, osd.daemon, "hdd")
                stack.callback(_set_class, lab, osd.daemon, "ssd")
            _add_rule(lab, _HYBRID)
            stack.callback(lab.ceph.ceph_text, "osd", "crush", "rule", "rm", "hybrid")
            lab.ceph.ceph_text("osd", "pool", "set", pool, "crush_rule", "hybrid")
            stack.callback(lab.ceph.ceph_text, "osd", "pool", "set", pool, "crush_rule", "replicated_rule")
            _until_clean(lab)
            for osd in slow:
                stack.enter_context(disk_of(osd.id, disk)(lab))
            yield

    return plant


def _set_class(lab: Sandbox, osd: str, name: str) -> None:
    lab.ceph.ceph_text("osd", "crush", "rm-device-class", osd)
    lab.ceph.ceph_text("osd", "crush", "set-device-class", name, osd)


def _add_rule(lab: Sandbox, rule: str) -> None:
    binary, text, new = (lab.directory / f"crush.{end}" for end in ("bin", "txt", "new"))
    try:
        lab.ceph.ceph_text("osd", "getcrushmap", "-o", str(binary))
        subprocess.run(("crushtool", "-d", str(binary), "-o", str(text)), check=True, capture_output=True)
        text.write_text(text.read_text().replace("# end crush map", rule + "\n# end crush map"))
        subprocess.run(("crushtool", "-c", str(text), "-o", str(new)), check=True, capture_output=True)
        lab.ceph.ceph_text("osd", "setcrushmap", "-i", str(new))
    finally:
        for file in (binary, text, new):
            Path(file).unlink(missing_ok=True)


def hosts_missing(*names: str) -> Callable[[Sandbox], object]:
    """Hosts have died, were marked out, and were not replaced: all is clean again, and the others serve all reads."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        osds = [osd for osd in lab.osds if osd.host in names]
        numbers = [str(osd.id) for osd in osds]
        try:
            for osd in osds:
                end_labelled(lab.label, osd.daemon, signal.SIGTERM)
            for word in ("down", "out"):
                lab.ceph.ceph_text("osd", word, *numbers)
            _until_clean(lab)
            yield
        finally:
            faults.start_missing(lab)
            lab.ceph.ceph_text("osd", "in", *numbers)
            faults.heal(lab)
            _until_clean(lab)

    return plant


def copies(number: int) -> Callable[[Sandbox], object]:
    """Somebody wanted a copy on each of the hosts: so many replicas of the pool, all of which each write waits for."""

    @contextmanager
    def plant(lab: Sandbox) -> Iterator[None]:
        pool, ceph = _measured(lab), lab.ceph.ceph_text
        try:
            ceph("osd", "pool", "set", pool, "size", str(number))
            _until_clean(lab)
            yield
        finally:
            ceph("osd", "pool", "set", pool, "size", str(lab.spec.size))
            _until_clean(lab)

    return plant


_ONE_ARMED = DiskModel(name="one-armed", read_s=1e-3, channels=1)
_NARROW = DiskModel(name="narrow", bytes_per_s=30e6)
_SATA = DiskModel(name="sata", read_s=2e-3, write_s=2e-4)
_HDD = DiskModel(name="hdd", read_s=8e-3, write_s=6e-3, channels=2)

PLACEMENTS: Mapping[str, Cause] = {
    "pgp-left": Cause(pgp_left, ("uneven-load",), pool=32, lab={"disk": _ONE_ARMED}),
    "hybrid-rule": Cause(hybrid(_HDD), ("drive-bound", "sick-osd"), pool=32, lab={"osds": 2}),
    "qlc-writes": Cause(lambda lab: limited_device(lab, (0,), {"write_bps": 12_000_000}), ("sick-osd",)),
    "heavy-osd": Cause(weighs(0, 5.0), ("uneven-load", "drive-bound"), lab={"disk": replace(_ONE_ARMED, read_s=2e-3)}),
    "requests-limit": Cause(volumes(600), ("drive-bound", "sick-osd")),
    "no-queueing": Cause(disk_of(2, replace(_SATA, channels=1)), ("sick-osd", "drive-bound"), lab={"disk": _SATA}),
    "hosts-missing": Cause(
        hosts_missing("h4", "h5"), ("osds-missing",), lab={"disk": replace(_ONE_ARMED, read_s=2e-3), "hosts": 5}
    ),
    "copy-per-node": Cause(copies(6), ("many-copies", "drive-bound"), pool=32, lab={"hosts": 6, "disk": _NARROW}),
    "healthy-balanced-reads": Cause(option("rbd_read_from_replica_policy", "balance", "client"), ("nothing-wrong",)),
}
