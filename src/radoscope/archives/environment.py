"""The captures of a bundle -> Environment. What is missing or damaged becomes a note, never an invention."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from radoscope import patterns as re
from radoscope.formats.grammar.json_text import as_list, as_object
from radoscope.records.environment import (
    ClusterFacts,
    DeviceFacts,
    Environment,
    GuestFacts,
    HostFacts,
    ImageFacts,
    LinkFacts,
    OsdFacts,
    PoolFacts,
    WayFacts,
)
from radoscope.records.manifest import Manifest


def read_environment(folder: Path, manifest: Manifest) -> Environment:
    """All facts of a bundle's captures."""
    captures = {name: _json(folder / file) for name, file in manifest.captures.items()}
    return environment_from(captures, str(manifest.plan.get("pool") or ""))


def environment_from(captures: Mapping[str, Any], pool: str) -> Environment:
    """Captures by file name, as JSON values -> facts. pool: the one that is measured."""
    hosts = [as_object(value) for name, value in captures.items() if name == "host.json" or name.startswith("host-")]
    notes = tuple(f"{name}: {value['error']}" for name, value in captures.items() if as_object(value).get("error"))
    return Environment(
        hosts=tuple(_host(host) for host in hosts if host and not host.get("error")),
        devices=tuple(_device(as_object(value)) for name, value in captures.items() if name.startswith("device-")),
        cluster=_cluster(captures, pool),
        tools={tool: str(text) for tool, text in as_object(captures.get("tools.json")).items()},
        notes=notes,
        links=_links(as_list(captures.get("links.json")), as_list(captures.get("links-after.json"))),
        ways=tuple(
            WayFacts(host=str(way.get("host", "")), mtu=way.get("mtu"), large=way.get("large"))
            for way in map(as_object, as_list(captures.get("osd-ways.json")))
        ),
        guest=_guest(as_object(captures.get("guest.json"))),
        image=_image(as_object(captures.get("image.json"))),
    )


def _image(raw: Mapping[str, Any]) -> ImageFacts | None:
    if not raw or raw.get("error"):
        return None
    return ImageFacts(
        object_bytes=raw.get("object_size"),
        stripe_unit_bytes=raw.get("stripe_unit"),
        features=tuple(str(one) for one in as_list(raw.get("features"))),
        snapshots=raw.get("snapshot_count"),
        has_parent=raw.get("has_parent") is True,
    )


def _guest(raw: Mapping[str, Any]) -> GuestFacts | None:
    known = {name: str(raw.get(name, "")) for name in ("accelerator", "why", "kernel", "qemu")}
    return GuestFacts(**known) if known["accelerator"] else None


def _host(raw: Mapping[str, Any]) -> HostFacts:
    cpuinfo, meminfo = str(raw.get("cpuinfo", "")), str(raw.get("meminfo", ""))
    latencies = [int(value) for value in as_object(raw.get("cstates_us")).values() if str(value).isdecimal()]
    return HostFacts(
        name=str(raw.get("hostname", "")),
        role=str(raw.get("role") or "client"),
        kernel=raw.get("kernel") or None,
        os=_match(r'PRETTY_NAME="?([^"\n]+)', str(raw.get("os-release", ""))),
        cpu_model=_match(r"model name\s*:\s*(.+)", cpuinfo),
        cpu_threads=len(re.findall(r"^processor\s*:", cpuinfo, re.MULTILINE)) or None,
        memory_bytes=int(memory) * 1024 if (memory := _match(r"MemTotal:\s*(\d+) kB", meminfo)) else None,
        cpu_governor=raw.get("governor") or None,
        deepest_cstate_latency_s=max(latencies) * 1e-6 if latencies else None,
        virtualisation=_virtualisation(cpuinfo, str(raw.get("product", ""))),
    )


def _virtualisation(cpuinfo: str, product: str) -> str | None:
    if re.search(r"^flags.*\bhypervisor\b", cpuinfo, re.MULTILINE):
        return product or "virtual machine"
    return None


def _device(raw: Mapping[str, Any]) -> DeviceFacts:
    queue = as_object(raw.get("queue"))
    rotational = queue.get("rotational")
    return DeviceFacts(
        path=str(raw.get("path", "")),
        used_for=str(raw.get("used_for", "")),
        kind=" on ".join(part for part in (str(raw.get("kind", "")), str(raw.get("filesystem") or "")) if part),
        model=raw.get("model") or (raw.get("device") or None),
        size_bytes=raw.get("size_bytes") or None,
        rotational=None if rotational not in ("0", "1") else rotational == "1",
        write_cache=queue.get("write_cache") or None,
        scheduler=_match(r"\[([^\]]+)\]", str(queue.get("scheduler", ""))) or queue.get("scheduler") or None,
    )


def _cluster(captures: Mapping[str, Any], pool: str) -> ClusterFacts | None:
    status = as_object(captures.get("ceph-status.json"))
    if "fsid" not in status:
        return None
    osd_dump, usage = as_object(captures.get("ceph-osd-dump.json")), as_object(captures.get("ceph-df.json"))
    nodes = as_list(as_object(captures.get("ceph-osd-tree.json")).get("nodes"))
    versions = as_object(captures.get("ceph-versions.json"))
    health, osdmap = as_object(status.get("health")), as_object(status.get("osdmap"))
    stats, of_pool = as_object(usage.get("stats")), as_object(captures.get("rbd-pool-options.json"))
    of_images = of_pool.get("pool", pool)  # where their data are in another pool, theirs is not the measured one
    return ClusterFacts(
        fsid=str(status["fsid"]),
        health=str(health.get("status", "")),
        health_checks=tuple(
            f"{name}: {as_object(as_object(check).get('summary')).get('message', '')}"
            for name, check in as_object(health.get("checks")).items()
        ),
        version=_version(versions),
        versions={kind: dict(as_object(counts)) for kind, counts in versions.items()},
        mons=as_object(status.get("monmap")).get("num_mons"),
        osds=osdmap.get("num_osds"),
        osds_up=osdmap.get("num_up_osds"),
        osds_in=osdmap.get("num_in_osds"),
        hosts=sum(1 for node in nodes if node.get("type") == "host") or None,
        total_bytes=stats.get("total_bytes"),
        used_bytes=stats.get("total_used_raw_bytes"),
        device_classes=dict(Counter(str(node.get("device_class")) for node in nodes if node.get("type") == "osd")),
        pool=_pool(osd_dump, as_list(captures.get("ceph-crush-rules.json")), pool),
        changed_options=_options(as_list(captures.get("ceph-config-dump.json")))
        | {f"pool {of_images}/{name}": str(value) for name, value in of_pool.items() if name.startswith("rbd_")},
        each_osd=_each_osd(captures, nodes),
    )


def _each_osd(captures: Mapping[str, Any], nodes: list[Any]) -> tuple[OsdFacts, ...]:
    hosts = {
        osd: str(node.get("name", ""))
        for node in nodes
        if node.get("type") == "host"
        for osd in node.get("children", ())
    }
    options, network = as_object(captures.get("osd-config-diff.json")), as_object(captures.get("osd-network.json"))
    usage = as_list(as_object(captures.get("ceph-osd-df.json")).get("nodes"))
    mapped = as_list(as_object(captures.get("ceph-osd-dump.json")).get("osds"))
    affinities = {one.get("osd"): one.get("primary_affinity") for one in map(as_object, mapped)}
    told = map(as_object, as_list(captures.get("ceph-osd-metadata.json")))
    drives = {one.get("id"): one.get("rotational") for one in told}
    return tuple(
        OsdFacts(
            id=one["id"],
            host=hosts.get(one["id"], ""),
            device_class=one.get("device_class"),
            weight=_product(one.get("crush_weight"), one.get("reweight")),
            used=_product(one.get("utilization"), 0.01),
            groups=one.get("pgs"),
            primary_affinity=affinities.get(one["id"]),
            rotational={"1": True, "0": False}.get(str(drives.get(one["id"]))),
            options={
                name: str(value) for name, value in as_object(options.get(str(one["id"]))).items() if name != "error"
            },
            answers_s=_answers(as_list(as_object(network.get(str(one["id"]))).get("entries"))),
        )
        for one in usage
        if isinstance(one, dict) and isinstance(one.get("id"), int)
    )


def _answers(entries: list[Any]) -> dict[int, float]:
    """To each peer, the least of a minute's mean and the last answer over either network: what the way takes at least.

    In ms there; 0 before the first minute is over. Of "min" and "max" Ceph 16 prints the same number.
    """
    found: dict[int, float] = {}
    for entry in entries:
        peer = entry.get("to osd")
        for answer in (as_object(entry.get("average")).get("1min"), entry.get("last")):
            if isinstance(peer, int) and isinstance(answer, int | float) and answer > 0:
                found[peer] = min(found.get(peer, math.inf), answer * 1e-3)
    return found


def _product(first: Any, second: Any) -> float | None:
    both = isinstance(first, int | float) and isinstance(second, int | float)
    return float(first) * float(second) if both else None


def _links(hosts: list[Any], after: list[Any]) -> tuple[LinkFacts, ...]:
    found = []
    at_the_end = {told.get("host"): as_object(told.get("carrier_lost")) for told in map(as_object, after)}
    for told in map(as_object, hosts):
        queues = {
            queue.get("dev"): as_object(queue.get("options")).get("rate") for queue in as_list(told.get("queues"))
        }
        for link in as_list(told.get("links")):
            if (name := str(link.get("ifname", ""))) not in ("", "lo"):
                host, rate = told.get("host"), _line(queues.get(name), as_object(told.get("speeds")).get(name))
                lost = _more(as_object(told.get("carrier_lost")).get(name), at_the_end.get(host, {}).get(name))
                found.append(
                    LinkFacts(host=str(host or ""), name=name, mtu=link.get("mtu"), bits_per_s=rate, carrier_lost=lost)
                )
    return tuple(found)


def _more(before: Any, after: Any) -> int:
    """By how much a count has grown, as far as both are known."""
    known = all(isinstance(one, str) and one.isdecimal() for one in (before, after))
    return max(0, int(after) - int(before)) if known else 0


def _line(queue_bytes_per_s: Any, speed_mbit: Any) -> float | None:
    """tc prints bytes/s, sysfs Mbit/s, and -1 for a line that is down or has no speed."""
    rates = [queue_bytes_per_s * 8.0] if isinstance(queue_bytes_per_s, int | float) else []
    if str(speed_mbit).isdigit() and int(speed_mbit) > 0:
        rates.append(int(speed_mbit) * 1e6)
    return min(rates, default=None)


def _pool(osd_dump: Mapping[str, Any], rules: list[Any], name: str) -> PoolFacts | None:
    for pool in as_list(osd_dump.get("pools")):
        if pool.get("pool_name") == name:
            rule = next((one["rule_name"] for one in rules if one.get("rule_id") == pool.get("crush_rule")), None)
            return PoolFacts(
                name=name,
                size=pool.get("size"),
                min_size=pool.get("min_size"),
                pg_num=pool.get("pg_num"),
                pgp_num=pool.get("pg_placement_num"),
                erasure_profile=pool.get("erasure_code_profile") or None,
                stripe_bytes=pool.get("stripe_width") or None,
                crush_rule=rule,
                compression=as_object(pool.get("options")).get("compression_mode"),
                own=name.startswith("radoscope-"),
            )
    return None


def _options(dump: list[Any]) -> dict[str, str]:
    return {f"{one.get('section')}/{one.get('name')}": str(one.get("value")) for one in dump if isinstance(one, dict)}


def _version(versions: Mapping[str, Any]) -> str | None:
    """What most OSDs run, for they do the work; in mid-upgrade monitors and managers are ahead of them."""
    counts = as_object(versions.get("osd")) or as_object(versions.get("overall"))
    return _match(r"ceph version (\S+)", max(counts, key=lambda text: int(counts[text]), default=""))


def _match(pattern: str, text: str) -> str | None:
    found = re.search(pattern, text)
    return found[1].strip() if found else None


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return {"error": str(error)}
