"""What Rook makes of a CephCluster with host networking, as far as radoscope sees it: names, labels, secrets, toolbox.

    python rook.py cluster NODE ADDRESS     # namespace, secrets, config maps, a mon, a mgr, the toolbox
    python rook.py osd NUMBER NODE DEVICE   # the next OSD

Prints JSON for `kubectl apply`. There is no operator, and so nothing that heals. Names as Rook 1.15 gives them.
"""

from __future__ import annotations

import base64
import json
import os
import struct
import sys
import time
import uuid
from collections.abc import Mapping
from typing import Any

SPACE, IMAGE = "rook-ceph", "localhost/ceph:20"
CONF = """[global]
fsid = {fsid}
mon_host = [v2:{address}:3300,v1:{address}:6789]
mon_initial_members = a
osd_pool_default_size = 3
osd_crush_chooseleaf_type = 0
mon_allow_pool_delete = true
mon_data_avail_warn = 5
auth_allow_insecure_global_id_reclaim = false
mon_osd_min_down_reporters = 1
osd_memory_target = 900M
osd_memory_target_autotune = false
bluestore_cache_autotune = false
bluestore_cache_size = 64M
"""
KEYRING = """[mon.]
\tkey = {mon}
\tcaps mon = "allow *"
[client.admin]
\tkey = {admin}
\tcaps mds = "allow *"
\tcaps mon = "allow *"
\tcaps osd = "allow *"
\tcaps mgr = "allow *"
[mgr.a]
\tkey = {mgr}
\tcaps mon = "allow profile mgr"
\tcaps mds = "allow *"
\tcaps osd = "allow *"
[client.bootstrap-osd]
\tkey = {boot}
\tcaps mon = "profile bootstrap-osd"
"""
RUN = "mkdir -p /run/ceph && chown ceph: /run/ceph\n"
DAEMON = "--setuser ceph --setgroup ceph --log-to-stderr=true --log-to-file=false"
MAKE_MON = """chown ceph: /var/lib/ceph/mon/ceph-a
monmaptool --create --fsid {fsid} --addv a '[v2:{address}:3300,v1:{address}:6789]' /tmp/monmap
cp /keys/keyring /tmp/keyring && chown ceph: /tmp/keyring
ceph-mon -i a --mkfs --setuser ceph --setgroup ceph --monmap /tmp/monmap --keyring /tmp/keyring
"""
RUN_MGR = f"""mkdir -p /var/lib/ceph/mgr/ceph-a && cp /keys/keyring /var/lib/ceph/mgr/ceph-a/
chown -R ceph: /var/lib/ceph/mgr/ceph-a
exec ceph-mgr -f -i a {DAEMON}
"""
RUN_OSD = f"""ceph-volume raw activate --device {{device}} --no-systemd
exec ceph-osd -f -i {{number}} {DAEMON} '--crush-location=root=default host={{node}}'
"""
RUN_TOOLS = r"""printf '[global]\nmon_host = %s\n\n[client.admin]\nkeyring = /etc/ceph/keyring\n' \
  "$(sed 's/[a-z0-9_-]\+=//g' /etc/rook/mon-endpoints)" >/etc/ceph/ceph.conf
printf '[%s]\nkey = %s\n' "$ROOK_CEPH_USERNAME" "$ROOK_CEPH_SECRET" >/etc/ceph/keyring
exec sleep infinity
"""


def key() -> str:
    """A new cephx key: type (AES-256), seconds and nanoseconds, length, random bytes."""
    return base64.b64encode(struct.pack("<HIIH", 2, int(time.time()), 0, 32) + os.urandom(32)).decode()


def thing(kind: str, name: str, **more: Any) -> dict[str, Any]:
    version = "apps/v1" if kind == "Deployment" else "v1"
    space = {} if kind == "Namespace" else {"namespace": SPACE}
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, **space}, **more}


def secret(name: str, **texts: str) -> dict[str, Any]:
    return thing("Secret", name, stringData=texts)


def deployment(name: str, labels: Mapping[str, str], pod: dict[str, Any]) -> dict[str, Any]:
    mine = {"rook_cluster": SPACE, **labels}
    pod = {"automountServiceAccountToken": False, "terminationGracePeriodSeconds": 5, **pod}
    made = thing(
        "Deployment",
        name,
        spec={
            "replicas": 1,
            "strategy": {"type": "Recreate"},
            "selector": {"matchLabels": dict(labels)},
            "template": {"metadata": {"labels": mine}, "spec": pod},
        },
    )
    made["metadata"]["labels"] = mine
    return made


def daemon(kind: str, number: str, node: str, makes: str, runs: str, volumes: Mapping[str, Any]) -> dict[str, Any]:
    """A daemon of Ceph. makes, runs: scripts, before it and as it. volumes: where in it -> what."""
    mounts = [{"name": f"v{at}", "mountPath": path} for at, path in enumerate(volumes)]
    common = {
        "image": IMAGE,
        "imagePullPolicy": "Never",
        "securityContext": {"privileged": True},
        "volumeMounts": mounts,
    }
    number_label = {"ceph-osd-id": number} if kind == "osd" else {kind: number}
    return deployment(
        f"rook-ceph-{kind}-{number}",
        {"app": f"rook-ceph-{kind}", "ceph_daemon_type": kind, "ceph_daemon_id": number, **number_label},
        {
            "hostNetwork": True,
            "nodeSelector": {"kubernetes.io/hostname": node},
            "initContainers": [{"name": "prepare", "command": ["bash", "-ec", RUN + makes], **common}],
            "containers": [{"name": kind, "command": ["bash", "-ec", RUN + runs], **common}],
            "volumes": [{"name": f"v{at}", **volume} for at, volume in enumerate(volumes.values())],
        },
    )


def cluster(node: str, address: str) -> list[dict[str, Any]]:
    fsid, keys = str(uuid.uuid4()), {name: key() for name in ("mon", "admin", "mgr", "boot")}
    conf, endpoint = CONF.format(fsid=fsid, address=address), f"[v2:{address}:3300,v1:{address}:6789]"
    etc = {"configMap": {"name": "ceph-conf"}}
    mon_data = {"hostPath": {"path": "/var/lib/rook/mon-a/data", "type": "DirectoryOrCreate"}}
    mon = daemon(
        "mon",
        "a",
        node,
        f"[ -d /var/lib/ceph/mon/ceph-a/store.db ] || {{\n{MAKE_MON.format(fsid=fsid, address=address)}}}\n",
        f"exec ceph-mon -f -i a {DAEMON}\n",
        {
            "/etc/ceph": etc,
            "/var/lib/ceph/mon/ceph-a": mon_data,
            "/keys": {"secret": {"secretName": "rook-ceph-mons-keyring"}},
        },
    )
    mgr_key = {"secret": {"secretName": "rook-ceph-mgr-a-keyring"}}
    mgr = daemon("mgr", "a", node, "", RUN_MGR, {"/etc/ceph": etc, "/keys": mgr_key})
    of_mon = {"ceph-username": "client.admin", "ceph-secret": keys["admin"], "fsid": fsid, "mon-secret": keys["mon"]}
    boot = f"[client.bootstrap-osd]\n\tkey = {keys['boot']}\n"
    return [
        thing("Namespace", SPACE),
        secret("rook-ceph-mon", **of_mon),
        secret("rook-ceph-config", mon_host=endpoint, mon_initial_members="a"),
        secret("rook-ceph-mons-keyring", keyring=KEYRING.format(**keys)),
        secret("rook-ceph-mgr-a-keyring", keyring=f"[mgr.a]\n\tkey = {keys['mgr']}\n"),
        secret("rook-ceph-admin-keyring", keyring=f"[client.admin]\n\tkey = {keys['admin']}\n"),
        secret("rook-ceph-bootstrap-osd", **{"ceph.keyring": boot}),
        thing("ConfigMap", "rook-ceph-mon-endpoints", data={"data": f"a={address}:6789", "maxMonId": "0"}),
        thing("ConfigMap", "ceph-conf", data={"ceph.conf": conf}),
        mon,
        mgr,
        toolbox(node),
    ]


def toolbox(node: str) -> dict[str, Any]:
    def from_secret(name: str, word: str) -> dict[str, Any]:
        return {"name": name, "valueFrom": {"secretKeyRef": {"name": "rook-ceph-mon", "key": word}}}

    safe = {"runAsNonRoot": True, "runAsUser": 2016, "runAsGroup": 2016, "capabilities": {"drop": ["ALL"]}}
    box = {
        "name": "rook-ceph-tools",
        "image": IMAGE,
        "imagePullPolicy": "Never",
        "tty": True,
        "securityContext": safe,
        "command": ["bash", "-c", RUN_TOOLS],
        "env": [from_secret("ROOK_CEPH_USERNAME", "ceph-username"), from_secret("ROOK_CEPH_SECRET", "ceph-secret")],
        "volumeMounts": [{"name": "conf", "mountPath": "/etc/ceph"}, {"name": "endpoints", "mountPath": "/etc/rook"}],
    }
    items = [{"key": "data", "path": "mon-endpoints"}]
    endpoints = {"name": "endpoints", "configMap": {"name": "rook-ceph-mon-endpoints", "items": items}}
    beside_the_mon = {"nodeSelector": {"kubernetes.io/hostname": node}}  # so that the other node may be cut off
    pod = {"containers": [box], "volumes": [endpoints, {"name": "conf", "emptyDir": {}}], **beside_the_mon}
    return deployment("rook-ceph-tools", {"app": "rook-ceph-tools"}, pod)


def osd(number: str, node: str, device: str) -> list[dict[str, Any]]:
    makes = f"ceph-volume raw list {device} | grep -q osd_id || ceph-volume raw prepare --bluestore --data {device}\n"
    volumes = {
        "/etc/ceph": {"configMap": {"name": "ceph-conf"}},
        "/var/lib/ceph/bootstrap-osd": {"secret": {"secretName": "rook-ceph-bootstrap-osd"}},
        "/dev": {"hostPath": {"path": "/dev"}},
        "/run/udev": {"hostPath": {"path": "/run/udev"}},
    }
    return [daemon("osd", number, node, makes, RUN_OSD.format(number=number, node=node, device=device), volumes)]


if __name__ == "__main__":
    kind, *given = sys.argv[1:]
    made = cluster(*given) if kind == "cluster" else osd(*given)
    json.dump({"apiVersion": "v1", "kind": "List", "items": made}, sys.stdout)
