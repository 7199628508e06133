"""Pods of a Kubernetes cluster, by the user's own kubectl: the toolbox of Rook for commands, pods of our own for load.

A pod of ours has no rights in Kubernetes, fits the strictest of its security standards (restricted), keeps its files
in memory, and ends by itself when its time is over. The key comes over standard input of `exec`; no secret is made.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from radoscope.errors import PlanError, SiteError, ToolFailed
from radoscope.sites.site import Local
from radoscope.sites.talk import run

KUBECTL = "kubectl"
NAMESPACE, TOOLBOX = "rook-ceph", "deploy/rook-ceph-tools"
FOLDER = Path("/radoscope")
_MARK = {"app.kubernetes.io/managed-by": "radoscope"}
_WORD = re.compile(r"kubectl(?::(?:(?P<context>\w[\w.:@/-]*)/)?(?P<namespace>[a-z0-9][a-z0-9-]*))?")
_NODE = re.compile(r"pod(?::(?P<node>\w[\w.-]*))?")
# Lines of its log that kubectl prints before it says what is wrong.
_LOG = re.compile(r"[EIW]\d{4} \d\d:\d\d.*? / ")
# As the toolbox of Rook runs: no root, and nobody of the image either.
_USER = 2016
_RIGHTS = ("get deployments", "get pods", "list pods", "create pods", "delete pods", "create pods/exec")
_LONGEST_S = 24 * 3600
_UNSCHEDULED_S, _START_S = 20.0, 300.0
_HOPELESS = (
    *("ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName"),
    *("CreateContainerConfigError", "CreateContainerError", "RunContainerError"),
)


@dataclass(frozen=True, slots=True)
class Pod:
    """kubectl: with the options that name the cluster and the namespace. target: pod/NAME or deploy/NAME.

    node, address: where a pod of ours, or of an OSD, runs. osd: whose pod it is, by which its node is looked at; it is
    called as the node is. image: of its container, once it is known.
    """

    kubectl: tuple[str, ...]
    target: str
    folder: Path = FOLDER
    node: str = ""
    address: str = ""
    osd: int | None = None
    image: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        return self.target.rpartition("/")[2] if self.osd is None else self.node

    @property
    def hint(self) -> str:
        """What tells more when it is not reached."""
        shows = f"`{' '.join(self.kubectl)} get pods -o wide` must show it as Running"
        return f"{shows}, and you must be allowed to exec in it (`radoscope doctor --at`)."

    def wrap(self, argv: Sequence[str]) -> tuple[str, ...]:
        return (*self.kubectl, "exec", "-i", self.target, "--", *argv)


def toolbox(word: str) -> Pod | None:
    """`kubectl[:[CONTEXT/]NAMESPACE]` -> the toolbox there; None for any other word."""
    match = _WORD.fullmatch(word)
    if match is None:
        return None
    own = os.environ.get("KUBECONFIG", "")
    config = ("--kubeconfig", str(Path(own).absolute())) if own and ":" not in own else ()
    context = ("--context", match["context"]) if match["context"] else ()
    return Pod((KUBECTL, *config, *context, "-n", match["namespace"] or NAMESPACE), TOOLBOX)


def nodes_of(words: Sequence[str]) -> tuple[str, ...]:
    """`pod` and `pod:NODE`, as --client names them -> the node of each, empty for any. Raises PlanError."""
    matches = [(word, _NODE.fullmatch(word)) for word in words]
    if wrong := [word for word, match in matches if match is None]:
        raise PlanError(f"--client {wrong[0]}: neither pod nor pod:NODE", "With --at kubectl, load comes from pods.")
    return tuple(match["node"] or "" for _, match in matches if match is not None) or ("",)


def node_of(word: str) -> str | None:
    """`pod` and `pod:NODE`, as --osd-host names them -> the node, empty for any; None for any other word."""
    match = _NODE.fullmatch(word)
    return match and (match["node"] or "")


def pods_of_osds(box: Pod) -> dict[int, Pod]:
    """OSD -> its pod, as Rook labels them, of those that run. Raises SiteError, ToolFailed."""
    told = json.loads(_kubectl(box, "get", "pods", "-l", "app=rook-ceph-osd", "-o", "json"))
    found = {}
    for one in told.get("items", []):
        number, phase = one["metadata"]["labels"].get("ceph-osd-id", ""), one.get("status", {}).get("phase")
        if number.isdecimal() and phase == "Running":
            target, node = f"pod/{one['metadata']['name']}", str(one["spec"].get("nodeName", ""))
            found[int(number)] = replace(box, target=target, node=node, osd=int(number))
    return found


def rights_that_lack(box: Pod) -> tuple[str, ...]:
    """What a study does in this namespace and this user may not, as "create pods". Raises SiteError, ToolFailed."""
    return tuple(right for right in _RIGHTS if not _may(box, right))


def _may(box: Pod, right: str) -> bool:
    right, _, part = right.partition("/")  # kubectl takes what follows a slash for a name
    try:
        _kubectl(box, "auth", "can-i", *right.split(), *([f"--subresource={part}"] if part else []))
    except ToolFailed as error:  # it fails for "no", too, and may add a reason
        if re.match(rf"{KUBECTL}: no\b", error.message) is None:
            raise
        return False
    return True


def image_of(box: Pod) -> str:
    """The image of the toolbox. Raises SiteError with what mends it, where there is none."""
    if shutil.which(KUBECTL) is None:
        raise SiteError(
            "kubectl is not installed here", "kubernetes.io, Install Tools: of the cluster's release, give or take one."
        )
    try:
        told = json.loads(_kubectl(box, "get", box.target, "-o", "json"))
    except (SiteError, ToolFailed) as error:
        raise _without_toolbox(box, error.message) from None
    if not told.get("status", {}).get("readyReplicas"):  # exec would wait a minute for it
        raise SiteError(
            f"the toolbox {box.target} does not run", f"`{' '.join(box.kubectl)} get pods -o wide` says why."
        )
    return str(told["spec"]["template"]["spec"]["containers"][0]["image"])


def _without_toolbox(box: Pod, said: str) -> SiteError:
    """What kubectl's words mean: no toolbox, no right to see it, or no cluster at all."""
    if "NotFound" in said:
        return SiteError(
            f"there is no toolbox in the namespace {box.kubectl[-1]}: {said}",
            "Deploy Rook's toolbox.yaml; --at kubectl:CONTEXT/NAMESPACE names another cluster or namespace.",
        )
    if "orbidden" in said:
        return SiteError(f"you may not see the toolbox: {said}", "`radoscope doctor --at` says which rights you lack.")
    return SiteError(
        f"the Kubernetes cluster is not reached: {said}",
        f"`{' '.join(box.kubectl)} get pods` must work here. Is it the right context, and KUBECONFIG?",
    )


def manifest(name: str, image: str, run_id: str, node: str = "") -> dict[str, Any]:
    """The pod as it is asked for: it waits, and ends by itself after a day at most. node: an own choice of the user."""
    mine = {"labelSelector": {"matchLabels": {"radoscope": run_id}}, "topologyKey": "kubernetes.io/hostname"}
    spread = {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 100, "podAffinityTerm": mine}]}
    safe = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
    user = {"runAsNonRoot": True, "runAsUser": _USER, "runAsGroup": _USER, "fsGroup": _USER}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "labels": {**_MARK, "radoscope": run_id}},
        "spec": {
            "restartPolicy": "Never",
            "activeDeadlineSeconds": _LONGEST_S,
            "terminationGracePeriodSeconds": 1,
            "automountServiceAccountToken": False,
            "affinity": {"podAntiAffinity": spread},
            "securityContext": {**user, "seccompProfile": {"type": "RuntimeDefault"}},
            **({"nodeSelector": {"kubernetes.io/hostname": node}} if node else {}),
            "containers": [
                {
                    "name": "load",
                    "image": image,
                    "imagePullPolicy": "IfNotPresent",
                    "command": ["sleep", str(_LONGEST_S)],
                    "securityContext": safe,
                    "volumeMounts": [{"name": "work", "mountPath": str(FOLDER)}],
                }
            ],
            "volumes": [{"name": "work", "emptyDir": {"medium": "Memory", "sizeLimit": "512Mi"}}],
        },
    }


def pod_name(run_id: str, number: int) -> str:
    """A name that Kubernetes takes, with the run's own random part."""
    return "radoscope-" + re.sub(r"[^a-z0-9-]", "-", run_id.lower())[-45:].strip("-") + f"-{number}"


def start(box: Pod, asked: Sequence[Mapping[str, Any]]) -> tuple[Pod, ...]:
    """Make these pods and wait until all of them run. Raises SiteError with what Kubernetes says stands against one."""
    for one in asked:
        try:
            _kubectl(box, "create", "-f", "-", given=json.dumps(one).encode())
        except ToolFailed as error:
            raise SiteError(
                f"the pod {one['metadata']['name']} cannot be made: {error.message}",
                "May you create pods here? `kubectl auth can-i create pods`; a quota may stand against it.",
            ) from None
    begun = time.monotonic()
    return tuple(_running(box, one, begun) for one in asked)


def _running(box: Pod, asked: Mapping[str, Any], begun: float) -> Pod:
    """The pod once it runs. begun: when it was asked for, by the monotonic clock."""
    name = str(asked["metadata"]["name"])
    while True:
        told = json.loads(_kubectl(box, "get", f"pod/{name}", "-o", "json"))
        status = told["status"]
        if status.get("phase") == "Running":
            node, address = str(told["spec"].get("nodeName", "")), str(status.get("hostIP", ""))
            # Under a folder of our own, because that of a volume is root's.
            return replace(box, target=f"pod/{name}", folder=FOLDER / "run", node=node, address=address)
        if against := _stands_against(status, time.monotonic() - begun):
            why, hint = against
            image, wanted = asked["spec"]["containers"][0]["image"], asked["spec"].get("nodeSelector", {})
            node = str(wanted.get("kubernetes.io/hostname", ""))
            raise SiteError(
                f"the pod {name}{f' for the node {node}' if node else ''} does not start: {why}",
                hint.format(image=image, kubectl=" ".join(box.kubectl), name=name),
            )
        time.sleep(0.3)  # `kubectl wait` would not tell why it waits in vain


_NAME_IMAGE = "Its image is {image}; --image names another one."
_SEE_NODES = "`kubectl get nodes` must show it as Ready, under this name, with room and no taint."
_SEE_EVENTS = "`{kubectl} get events --field-selector involvedObject.name={name}` tells more."


def _stands_against(status: Mapping[str, Any], seconds: float) -> tuple[str, str] | None:
    """Why it will not run, and a hint; None while it may still."""
    for one in status.get("containerStatuses", []):
        waiting = one.get("state", {}).get("waiting", {})
        if waiting.get("reason") in _HOPELESS:
            hint = _NAME_IMAGE if "Image" in waiting["reason"] else _SEE_EVENTS
            return f"{waiting['reason']}: {waiting.get('message', '')}"[:300], hint
    if status.get("phase") in ("Failed", "Succeeded"):
        return f"it ended: {status.get('reason', '')} {status.get('message', '')}".strip(), _SEE_EVENTS
    conditions = {one["type"]: one for one in status.get("conditions", [])}
    scheduled = conditions.get("PodScheduled", {})
    if scheduled.get("status") == "False" and seconds > _UNSCHEDULED_S:
        return f"no node takes it: {scheduled.get('message', '')}"[:300], _SEE_NODES
    return (f"not within {_START_S:.0f} s", _SEE_EVENTS) if seconds > _START_S else None


def remove(kubectl: Sequence[str], name: str) -> None:
    """Delete the pod if it is there, and wait until it is gone. Raises SiteError, ToolFailed."""
    gone = ("delete", "pod", name, "--ignore-not-found", "--now", "--wait", "--timeout=60s")
    try:
        run(Local(), (*kubectl, *gone), said=KUBECTL, timeout_s=90.0)
    except ToolFailed as error:
        if "timed out" not in error.message:
            raise
        raise SiteError(
            "Kubernetes has been told to delete it, but its node does not say that it is gone",
            "It goes by itself when the node is back: `kubectl get nodes`.",
        ) from None


def pods_of_runs(box: Pod) -> Iterator[tuple[str, str]]:
    """(name, run) of all pods of radoscope in the namespace."""
    mark = ",".join(f"{name}={value}" for name, value in _MARK.items())
    for one in json.loads(_kubectl(box, "get", "pods", "-l", mark, "-o", "json")).get("items", []):
        yield str(one["metadata"]["name"]), str(one["metadata"]["labels"].get("radoscope", ""))


def _kubectl(box: Pod, *words: str, given: bytes = b"") -> bytes:
    try:
        return run(Local(), (*box.kubectl, *words), said=KUBECTL, given=given, timeout_s=30.0)
    except ToolFailed as error:
        raise ToolFailed(_LOG.sub("", error.message)) from None
