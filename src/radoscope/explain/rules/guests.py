"""A virtual machine's disk: what its own configuration allows and hides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from radoscope.explain.evidence import CellEvidence, ResultEvidence, number_in, rate_of
from radoscope.explain.finding import Finding, Role, Severity
from radoscope.explain.rule import Rule, Unchecked, Verdict
from radoscope.records.conditions import Layer
from radoscope.records.measurement import Result
from radoscope.units import format_count
from radoscope.words import _

_TOOL = "vm-drive"
_NEAR = (0.93, 1.04)
"""A rate between these shares of a limit is the limit's: a short run counts a burst, a long one a start."""


# A limit set for the drive: what is measured then is the limit, whatever the cluster could do.


def _limit_of_result(evidence: ResultEvidence) -> Verdict:
    result = evidence.result
    if evidence.operation is None or evidence.on_ceph:
        return None
    reads, writes = evidence.operation.reads, evidence.operation.writes
    for drive in _drives(evidence):
        for name, limit in _limits(drive, reads=reads, writes=writes):
            rate = result.bandwidth_bytes_per_s if name.startswith("mbps") else rate_of(result)
            if rate is not None and _NEAR[0] <= rate / limit <= _NEAR[1]:
                return _limited(evidence, drive, name, rate)
    return None


def _limits(drive: Result, *, reads: bool, writes: bool) -> list[tuple[str, float]]:
    """(option, IOPS or bytes a second) of those that hold for this direction; bursts above them are allowed apart."""
    found = []
    for name, scale in (("iops", 1.0), ("mbps", 2.0**20)):
        for suffix, applies in (("", True), ("_rd", reads and not writes), ("_wr", writes and not reads)):
            value = number_in(_options(drive).get(name + suffix))
            if applies and value:
                found.append((name + suffix, value * scale))
    return found


def _limited(evidence: ResultEvidence, drive: Result, name: str, rate: float) -> Finding:
    device = drive.extra.get("device", "")
    setting = f"{name}={_options(drive)[name]}"
    shown = f"{format_count(rate / 1e6)} MB/s" if name.startswith("mbps") else f"{format_count(rate)} IOPS"
    return Finding(
        claim=_("A limit in the virtual machine's configuration holds this disk back."),
        because=(_("{device} has {setting}; measured: {shown}", device=device, setting=setting, shown=shown),),
        unless=_("another disk was measured than {device}", device=device),
        try_next=_("Take the limit off {device} (Hardware, Hard Disk, Bandwidth), and measure again.", device=device),
        role=Role.CAUSE,
        resource=f"{device} of the virtual machine",
    )


LIMIT_RULE = Rule("vm-limit", "Does the virtual machine's configuration limit its disk?", result=_limit_of_result)


# Cache modes that answer in the cluster's place.


def _cache_of_result(evidence: ResultEvidence) -> Verdict:
    operation = evidence.operation
    if operation is None or not operation.writes or evidence.on_ceph:
        return None
    for drive in _drives(evidence):
        mode, device = _options(drive).get("cache", ""), drive.extra.get("device", "")
        if mode == "unsafe":
            claim = _("cache=unsafe ignores flushes: a power failure can lose what the guest believes is stored.")
            return _cache_finding(evidence, claim, str(device), mode, Severity.DOUBTFUL)
        if mode == "writeback" and evidence.result.sync is None:
            claim = _("cache=writeback: memory of librbd or the host answers writes that nothing flushes.")
            return _cache_finding(evidence, claim, str(device), mode, Severity.NOTE)
    return None


def _cache_finding(evidence: ResultEvidence, claim: str, device: str, mode: str, severity: Severity) -> Finding:
    return Finding(
        claim=claim,
        because=(_("{device} has cache={mode}", device=device, mode=mode),),
        severity=severity,
        unless=_("another disk was measured than {device}", device=device),
        try_next=_("Measure with fsync after each write (fio --fsync=1), or with cache=none."),
        role=Role.ARTEFACT if severity is Severity.DOUBTFUL else Role.REMARK,
    )


CACHE_RULE = Rule(
    "vm-cache", "Does the virtual machine's cache mode answer in the cluster's place?", result=_cache_of_result
)


# A bus or a controller that serves few I/Os at a time.


def _bus_of_result(evidence: ResultEvidence) -> Verdict:
    if evidence.result.tool != _TOOL:
        return None
    device, options = str(evidence.result.extra.get("device", "")), _options(evidence.result)
    controller = evidence.result.extra.get("controller", "")
    if device.startswith(("ide", "sata")):
        claim = _("{device} is an emulated disk, not a paravirtual one.", device=device)
        fact = _("emulated IDE has one I/O in flight, emulated SATA 32; each costs several exits to QEMU")
    elif options.get("iothread") != "1":
        claim = _("{device} has no iothread: its I/O shares QEMU's main thread.", device=device)
        fact = _("no iothread=1 among its options")
    elif device.startswith("scsi") and controller not in ("", "virtio-scsi-single"):
        claim = _("{device} has an iothread that does not work with this controller.", device=device)
        fact = f"scsihw: {controller}"
    else:
        return None
    return Finding(
        claim=claim,
        because=(fact,),
        try_next=_("Use scsihw: virtio-scsi-single and iothread=1; they apply once the guest was stopped and started."),
    )


BUS_RULE = Rule(
    "vm-bus", "Does the virtual machine's disk have a paravirtual controller with an iothread?", result=_bus_of_result
)


# A guest whose processor was emulated: all that it does takes several times as long as in one under KVM.


def _emulated_of_cell(evidence: CellEvidence) -> Verdict:
    guest = evidence.environment.guest
    if guest is None:
        return Unchecked(_("how the guests ran was not recorded"))
    if guest.accelerator == "kvm":
        return None
    return Finding(
        claim=_("The guest ran without KVM: its figures are those of an emulated processor, and of no real guest."),
        because=(_("QEMU emulated it: {why}", why=guest.why or guest.accelerator),),
        severity=Severity.DOUBTFUL,
        try_next=_("Measure on a host with /dev/kvm; the layers below the guest are valid as they are."),
        role=Role.ARTEFACT,
    )


EMULATED_RULE = Rule(
    "guest-emulated",
    "Did the guest run on a real processor?",
    concerns=lambda asked: asked.layer is Layer.GUEST,
    cell=_emulated_of_cell,
)


def _drives(evidence: ResultEvidence) -> Sequence[Result]:
    return evidence.neighbours.of_tool(_TOOL)


def _options(drive: Result) -> Mapping[str, str]:
    return drive.extra.get("drive_options", {})
