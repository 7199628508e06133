"""Where it was measured: cluster, pool, hosts, devices, versions, as groups of labelled facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from radoscope.records.environment import ClusterFacts, DeviceFacts, HostFacts, PoolFacts
from radoscope.records.study import Study
from radoscope.report.material import Material, Section, Values
from radoscope.report.words import layer_title
from radoscope.units import format_bytes, format_seconds
from radoscope.words import N_, _, joined, listed


@dataclass(frozen=True, slots=True)
class Group:
    """A heading with (label, fact) pairs; facts that were not captured are left out."""

    title: str
    facts: tuple[tuple[str, str], ...]


def gather_facts(study: Study) -> tuple[Group, ...]:
    """Cluster, pool, hosts, devices, what was loaded, tools, notes; empty groups are left out."""
    environment = study.environment
    groups = [Group(_("What was loaded"), _loaded(study))]
    if environment.cluster is not None:
        groups.append(Group(_("Cluster"), _cluster(environment.cluster)))
        if environment.cluster.pool is not None:
            groups.append(Group(_("Pool"), _pool(environment.cluster.pool)))
        if environment.cluster.changed_options:
            groups.append(Group(_("Changed options"), tuple(sorted(environment.cluster.changed_options.items()))))
    groups.extend(Group(_("Host {host}", host=host.name), _host(host)) for host in environment.hosts)
    groups.extend(Group(f"{_title(device)} {device.path}", _device(device)) for device in environment.devices)
    groups.append(Group(_("Versions"), _versions(study)))
    groups.append(Group(_("Not captured"), tuple(("", note) for note in environment.notes)))
    return tuple(group for group in groups if group.facts)


def _loaded(study: Study) -> tuple[tuple[str, str], ...]:
    places: dict[str, dict[str, None]] = {}
    for cell in study.cells:
        if cell.where:
            places.setdefault(layer_title(cell.conditions.layer), {})[cell.where] = None
    clients = ((_("Client hosts"), listed(study.clients)),) if study.clients else ()
    return (*((layer, joined(where)) for layer, where in places.items()), *clients)


def _cluster(cluster: ClusterFacts) -> tuple[tuple[str, str], ...]:
    health = cluster.health + (f" ({'; '.join(cluster.health_checks)})" if cluster.health_checks else "")
    osds = _up(cluster.osds_up, cluster.osds)
    used = None
    if cluster.used_bytes is not None and cluster.total_bytes:
        used = _("{part} of {whole}", part=format_bytes(cluster.used_bytes), whole=format_bytes(cluster.total_bytes))
    return _known(
        (_("Health"), health),
        (_("Version"), cluster.version),
        (_("Daemons"), _daemons(cluster.versions)),
        (_("OSDs"), osds),
        (_("OSDs in"), None if cluster.osds_in is None else str(cluster.osds_in)),
        (_("Monitors"), None if cluster.mons is None else str(cluster.mons)),
        (_("Hosts"), None if cluster.hosts is None else str(cluster.hosts)),
        (_("Device classes"), ", ".join(f"{count} {kind}" for kind, count in sorted(cluster.device_classes.items()))),
        (_("Used"), used),
        ("fsid", cluster.fsid),
    )


def _pool(pool: PoolFacts) -> tuple[tuple[str, str], ...]:
    size = None if pool.size is None else f"{pool.size}" + (f", min_size {pool.min_size}" if pool.min_size else "")
    return _known(
        (_("Name"), _("{pool}, made for this study", pool=pool.name) if pool.own else pool.name),
        (_("Size"), size),
        ("PGs", None if pool.pg_num is None else str(pool.pg_num)),
        (_("Erasure code"), pool.erasure_profile),
        (_("CRUSH rule"), pool.crush_rule),
        (_("Compression"), pool.compression),
    )


def _host(host: HostFacts) -> tuple[tuple[str, str], ...]:
    cpu = host.cpu_model
    if host.cpu_threads is not None:
        cpu = _("{cpu}, {cpu_threads} threads", cpu=cpu or _("unknown model"), cpu_threads=host.cpu_threads)
    deepest = host.deepest_cstate_latency_s
    return _known(
        (_("Role"), host.role),
        ("CPU", cpu),
        ("Governor", host.cpu_governor),
        (_("Deepest C-state"), None if deepest is None else _("wakes in {deepest}", deepest=format_seconds(deepest))),
        (_("Memory"), None if host.memory_bytes is None else format_bytes(host.memory_bytes)),
        (_("System"), host.os),
        (_("Kernel"), host.kernel),
        (_("Virtualisation"), host.virtualisation),
    )


def _device(device: DeviceFacts) -> tuple[tuple[str, str], ...]:
    turning = {None: None, True: _("rotational"), False: _("not rotational")}[device.rotational]
    return _known(
        (_("Used for"), device.used_for),
        (_("Kind"), device.kind),
        (_("Model"), device.model),
        (_("Size"), None if device.size_bytes is None else format_bytes(device.size_bytes)),
        (_("Medium"), turning),
        (_("Write cache"), device.write_cache or _("state unknown")),
        (_("Scheduler"), device.scheduler),
    )


def _title(device: DeviceFacts) -> str:
    return device.kind[:1].upper() + device.kind[1:]


def _versions(study: Study) -> tuple[tuple[str, str], ...]:
    own = (("radoscope", study.radoscope_version),) if study.radoscope_version else ()
    return (*own, *sorted(study.environment.tools.items()))


def _daemons(versions: Mapping[str, Mapping[str, int]]) -> str:
    """ "3 mon 19.2.1, 6 osd 19.2.1": mixed versions show themselves."""
    return ", ".join(
        f"{n} {kind} {version}" for kind, by in sorted(versions.items()) for version, n in sorted(by.items())
    )


def _up(part: int | None, whole: int | None) -> str | None:
    if whole is None:
        return None
    return f"{whole}" if part is None else _("{part} of {whole} up", part=part, whole=whole)


def _known(*facts: tuple[str, str | None]) -> tuple[tuple[str, str], ...]:
    return tuple((label, fact) for label, fact in facts if fact)


def prepare(material: Material) -> Values | None:
    groups = gather_facts(material.study)
    return {"groups": groups} if groups else None


SECTION = Section(
    "place",
    prepare,
    title=N_("Where it was measured"),
    short=N_("Where"),
    lead=N_("As captured on the hosts and from the monitors. Anything missing could not be captured."),
    nothing=N_("Nothing was captured about where this was measured."),
)
