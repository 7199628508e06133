"""cephx keys. One keyring with all entities and rights goes to the monitors' mkfs: no `ceph auth` is needed later."""

from __future__ import annotations

import base64
import os
import struct
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_AES, _KEY_BYTES = 1, 16


@dataclass(frozen=True, slots=True)
class Entity:
    """A cephx user. caps: service -> rights."""

    name: str
    key: str
    caps: Mapping[str, str]


def new_key() -> str:
    """A random cephx secret: type, seconds, nanoseconds, length (little endian), then 16 bytes, in base64."""
    return base64.b64encode(
        struct.pack("<hiih", _AES, int(time.time()), 0, _KEY_BYTES) + os.urandom(_KEY_BYTES)
    ).decode()


def monitor() -> Entity:
    return Entity("mon.", new_key(), {"mon": "allow *"})


def administrator() -> Entity:
    return Entity("client.admin", new_key(), dict.fromkeys(("mon", "osd", "mds", "mgr"), "allow *"))


def manager(identity: str) -> Entity:
    return Entity(f"mgr.{identity}", new_key(), {"mon": "allow profile mgr", "osd": "allow *", "mds": "allow *"})


def osd(number: int) -> Entity:
    return Entity(
        f"osd.{number}", new_key(), {"mon": "allow profile osd", "mgr": "allow profile osd", "osd": "allow *"}
    )


def render_keyring(entities: Iterable[Entity], *, with_caps: bool = True) -> str:
    """A keyring file. A daemon's own keyring needs no rights, the one for the monitors does."""
    return "".join(_section(entity, with_caps) for entity in entities)


def _section(entity: Entity, with_caps: bool) -> str:
    caps = "".join(f'\tcaps {service} = "{rights}"\n' for service, rights in entity.caps.items()) if with_caps else ""
    return f"[{entity.name}]\n\tkey = {entity.key}\n{caps}"
