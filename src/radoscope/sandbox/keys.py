"""cephx keys. One keyring with all entities and rights goes to the monitors' mkfs: no `ceph auth` is needed later."""

from __future__ import annotations

import base64
import os
import struct
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from radoscope.sandbox.processes import run_tool

_HEAD = struct.Struct("<hiih")


@dataclass(frozen=True, slots=True)
class Entity:
    """A cephx user. caps: service -> rights."""

    name: str
    key: str
    caps: Mapping[str, str]


def new_key() -> str:
    """A random cephx secret of the kind that the installed Ceph makes, in base64: type, seconds, nanoseconds, length
    (little endian), then so many bytes. Raises ToolFailed.

    Ceph 16 and 18 make type 1, AES of 128 bits; 20.2.4 makes type 2, 256 bits, and refuses daemons with type 1.
    """
    kind, length = _kind_and_length()
    return base64.b64encode(_HEAD.pack(kind, int(time.time()), 0, length) + os.urandom(length)).decode()


@cache
def _kind_and_length() -> tuple[int, int]:
    """Of a key that Ceph's own tool makes: one start of it, however many keys are wanted."""
    kind, _, _, length = _HEAD.unpack_from(base64.b64decode(run_tool(("ceph-authtool", "--gen-print-key"))))
    return kind, length


def monitor() -> Entity:
    return Entity("mon.", new_key(), {"mon": "allow *"})


def administrator() -> Entity:
    return Entity("client.admin", new_key(), dict.fromkeys(("mon", "osd", "mds", "mgr"), "allow *"))


def manager(identity: str) -> Entity:
    return Entity(f"mgr.{identity}", new_key(), {"mon": "allow profile mgr", "osd": "allow *", "mds": "allow *"})


def mds(identity: str) -> Entity:
    return Entity(
        f"mds.{identity}", new_key(), {"mon": "allow profile mds", "mds": "allow *", "osd": "allow rw tag cephfs *=*"}
    )


def gateway(name: str) -> Entity:
    """It makes its pools itself."""
    return Entity(name, new_key(), {"mon": "allow rw", "mgr": "allow rw", "osd": "allow rwx"})


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
