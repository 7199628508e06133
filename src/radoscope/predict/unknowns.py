"""What is not known of a cluster and its load: figures that may differ from what is stated, and what no fact tells.

Constants of the equations spread between laboratories as `priors.toml` says, times `CONSTANTS`. Figures of drives,
lines and hosts spread by `INPUTS`, times `FIGURES`: little where they are stated, much where a default of the class
stands in. What equations and facts leave out is a residual: a part common to the cluster, a part shared by like
loads, a part shared by like loads on like hardware, and one of each single cell. All in ln of a rate. The numbers
below are the most likely ones for published results of 30 sources, drawn with a fixed seed; the other sources judge
them (scripts/exams.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from radoscope.predict.defaults import fill
from radoscope.predict.facts import Facts
from radoscope.predict.setting import Setting

FloatArray = npt.NDArray[np.float64]

CONSTANTS = 0.52
"""Spread of a constant between laboratories, relative to what documents alone leave open."""
FIGURES = 0.39
"""Spread of stated and assumed figures, relative to those in `INPUTS`."""
COMMON, LIKE_LOAD, LIKE_CLUSTER, CELL = 0.16, 0.19, 0.36, 0.15
"""Standard deviations of the residual's parts; the last is what a repetition moves too."""
LOAD_REACH = (0.63, 3.1, 1.9, 3.9)
"""How far loads stay alike: in share of reads, octaves of block size, of depth, of clients."""
CLUSTER_REACH = 1.5
"""How far clusters stay alike, over the distance that `likeness` gives."""
DOUBT = 0.08
"""Share by which the residual widens for each weighty fact that was assumed."""
WEIGHTY = frozenset(
    ("nodes", "queue_depth", "clients", "device_plp", "osd_device_class", "cores_per_node", "network_Gbps", "pool_size")
)


LINES = ("client_bps", "public_bps", "cluster_bps", "rtt")


@dataclass(frozen=True, slots=True)
class Case:
    """One load on one cluster: its facts, the filled-in setting, and what had to be assumed, as "name=value".

    like: the setting whose residual it has: its own, or that of the present cluster where it is a change of that.
    found_Gbps: the line that is supposed, where none is stated.
    """

    facts: Facts
    setting: Setting
    assumed: tuple[str, ...]
    like: Setting
    found_Gbps: float | None = None

    def lacks(self, name: str) -> bool:
        return any(item.split("=")[0] == name for item in self.assumed)


def case(facts: Facts, like: Case | None = None) -> Case:
    """like: the present cluster, where the facts are a change of it. Raises PlanError where they do not say a load."""
    setting, assumed = fill(facts)
    if like is None:
        return Case(facts, setting, assumed, setting)
    if facts.network_Gbps is None and facts.cluster_network_Gbps is None:
        setting = replace(setting, **{name: getattr(like.setting, name) for name in LINES[:3]})
    unmoved = line_is_open(like) or setting.public_bps == like.setting.public_bps  # open: which is faster is not known
    if facts.rtt_us is None and unmoved:
        setting = replace(setting, rtt=like.setting.rtt)
    elif facts.rtt_us is None and setting.public_bps > like.setting.public_bps:
        setting = replace(setting, rtt=min(setting.rtt, like.setting.rtt))
    inherited = (item for item in like.assumed if not (item.startswith("network_Gbps=") and facts.network_Gbps))
    return Case(facts, setting, tuple(dict.fromkeys((*inherited, *assumed))), like.setting)


@dataclass(frozen=True, slots=True)
class Input:
    """A figure that may differ from what is stated. fields: those of a setting that move together. same: cases with an
    equal key share it. spread: standard deviation in ln, before `FIGURES`. fact: its key in a cluster file."""

    name: str
    fields: tuple[str, ...]
    same: Callable[[Case], Any]
    spread: Callable[[Case], float]
    fact: str


def _drive(*names: str) -> Callable[[Case], Any]:
    """The drive, as far as these fields go."""
    return lambda one: (one.facts.osd_device_model, *(getattr(one.setting, name) for name in names))


def _hosts(one: Case) -> Any:
    return (one.setting.speed, one.setting.threads_per_host)


def _line(one: Case) -> Any:
    return (one.setting.client_bps, one.setting.public_bps, one.setting.cluster_bps)


def line_is_open(one: Case) -> bool:
    """No line is stated, and none was found."""
    return one.facts.network_Gbps is None and one.found_Gbps is None and one.lacks("network_Gbps")


def _either(name: str, stated: float, assumed: float) -> Callable[[Case], float]:
    return lambda one: assumed if one.lacks(name) else stated


def _durable_write(one: Case) -> float:
    if one.lacks("device_4k_sync_write"):
        return 0.4 if one.setting.plp else 1.5
    return 0.3


def _of_flash(one: Case) -> float:
    """What a spinning disk does is as unsure as `disk_read` and `disk_write` are."""
    return 0.0 if one.setting.hdd else 0.3


SYNC, DEEP_WRITE, DEEP_READ, READ = ("sync", "write"), ("deep_write",), ("deep_read",), ("read",)
SEQ_WRITE, SEQ_READ, THREADS = ("seq_write",), ("seq_read",), ("threads_per_osd", "threads_per_host")

INPUTS: tuple[Input, ...] = (
    Input("durable 4K write of one drive", SYNC, _drive(*SYNC), _durable_write, "fsync_latency_us"),
    Input("random 4K writes of one drive", DEEP_WRITE, _drive(*DEEP_WRITE),
          lambda one: 0.0 if one.setting.hdd else 0.3 if one.setting.plp else 0.6, "randwrite_iops"),
    Input("random 4K reads of one drive", DEEP_READ, _drive(*DEEP_READ), _of_flash, "randread_iops"),
    Input("read latency of one drive", READ, _drive(*READ), _of_flash, "read_latency_us"),
    Input("large writes of one drive", SEQ_WRITE, _drive(*SEQ_WRITE), _either("device_seq_write", 0.2, 0.4),
          "seq_write_MBps"),
    Input("large reads of one drive", SEQ_READ, _drive(*SEQ_READ), _either("device_seq_read", 0.15, 0.3),
          "seq_read_MBps"),
    Input("speed of the lines", LINES[:3], _line, lambda one: 1.5 * line_is_open(one), "network_Gbps"),
    Input("round trip", ("rtt",), lambda one: one.facts.rtt_us, _either("rtt_us", 0.2, 0.5), "rtt_us"),
    Input("speed of the processors", ("speed",), _hosts, _either("cpu_GHz", 0.12, 0.25), "cpu"),
    Input("cores of a host", THREADS, _hosts, _either("cores_per_node", 0.02, 0.5), "cores_per_node"),
    Input("placement groups of an OSD", ("pgs_per_osd",), lambda one: one.facts.pg_num,
          lambda one: 0.1 if one.facts.pg_num else 0.6, "pg_num"),
    Input("software of busy hosts", ("turns",), lambda one: None, lambda one: 1.3 * (one.facts.one_machine is not None),
          "turns"),
    Input("operations in flight", ("in_flight",), lambda one: (one.setting.in_flight, one.setting.clients),
          lambda one: 0.7 * one.lacks("queue_depth") + 0.5 * one.lacks("clients"), "queue_depth"),
)  # fmt: skip


def likeness(cases: Sequence[Case]) -> tuple[FloatArray, FloatArray]:
    """(load, cluster): coordinates in which like cases lie close, shapes (cases, 4) and (cases, 12)."""
    load = [
        (s.read_share, np.log2(s.block), np.log2(s.in_flight / s.clients), np.log2(s.clients))
        for s in (one.setting for one in cases)
    ]
    cluster = [_cluster(one.like) for one in cases]
    return np.array(load) / LOAD_REACH, np.array(cluster) / CLUSTER_REACH


def _cluster(s: Setting) -> tuple[float, ...]:
    access = s.rados + 2 * s.krbd + 4 * s.vm + 8 * s.cephfs
    return (
        np.log2(s.nodes), np.log2(s.osds / s.nodes), np.log2(s.public_bps), np.log2(s.client_hosts), s.width / 2,
        2 * s.erasure, np.log2(s.threads_per_osd), np.log2(s.sync) / 2, 2 * s.hdd, access, s.old, 2 * s.tuned,
    )  # fmt: skip


def residuals(cases: Sequence[Case]) -> FloatArray:
    """Covariance of what equations and facts leave out, without the part of each single cell."""
    load, cluster = likeness(cases)
    alike = np.exp(-_squares(load) / 2)
    found = COMMON**2 + LIKE_LOAD**2 * alike + LIKE_CLUSTER**2 * alike * np.exp(-_squares(cluster) / 2)
    wide = np.array([1 + DOUBT * sum(item.split("=")[0] in WEIGHTY for item in one.assumed) for one in cases])
    covariance: FloatArray = found * np.outer(wide, wide)
    return covariance


def _squares(at: FloatArray) -> FloatArray:
    apart: FloatArray = np.sum((at[:, None, :] - at[None, :, :]) ** 2, axis=-1)
    return apart
